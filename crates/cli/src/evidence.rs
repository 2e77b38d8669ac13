//! Pages as the archive of a data directory keeps them.

use anyhow::Context;
use gannet_engine::{Evidence, newest_page};
use gannet_model::Fingerprint;
use gannet_store::Store;

use crate::topic::KeptPage;

/// The newest page that was kept of a URL, and the words of the link that led to it; `None` when
/// none was.
pub(crate) fn kept_page(
    store: &dyn Store,
    evidence: &Evidence,
    url: Fingerprint,
) -> anyhow::Result<Option<(KeptPage, String)>> {
    let Some(record) = store.url(url)? else { return Ok(None) };
    let Some((_, visit)) = newest_page(store, &record)? else { return Ok(None) };
    let Some(at) = visit.archived else { return Ok(None) };
    let response = evidence
        .response(&record.url, at)
        .with_context(|| format!("cannot read {}", record.url))?;
    Ok(Some((KeptPage::of(&response), record.found.anchor)))
}
