//! What the crawl in a data directory knows of a host, for requests outside it.

use gannet_engine::{DataDir, read_store};
use gannet_model::{Host, Scheme};
use gannet_politeness::{Access, Pace};
use gannet_store::{Store, StoreError};

/// What is known of one host.
#[derive(Clone, Debug)]
pub(super) struct Acquaintance {
    pub(super) pace: Pace,
    pub(super) http: Option<Access>,
    pub(super) https: Option<Access>,
}

/// Looks a host up in the data directory, and leaves that closed. Nothing is known where there is
/// no crawl, or while one runs: a running crawl keeps its knowledge to itself.
pub(super) fn look_up(data: &DataDir, host: &Host) -> Option<Acquaintance> {
    // A store that cannot be read is told of by the commands that need it.
    read_store(data).and_then(|store| known(&store, host)).ok().flatten()
}

fn known(store: &dyn Store, host: &Host) -> Result<Option<Acquaintance>, StoreError> {
    let mut found = None;
    store.each_host(&mut |id, record| {
        if record.name == *host {
            found = Some((id, record.pace));
        }
    })?;
    let Some((id, pace)) = found else { return Ok(None) };
    let http = store.access(id, Scheme::Http)?;
    let https = store.access(id, Scheme::Https)?;
    Ok(Some(Acquaintance { pace, http, https }))
}
