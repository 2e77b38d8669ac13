//! Pages as the archive of a data directory keeps them.

use gannet_archive::{Position, read_at};
use gannet_engine::DataDir;
use gannet_fetch::unpack_body;
use gannet_model::{Fingerprint, PageUrl};
use gannet_store::{ArchivedAt, Store, Visited};

use crate::topic::{KeptPage, Provenance};

/// What the names of our WARC files begin with.
const PREFIX: &str = "gannet";

/// The newest page that was kept of a URL, and the words of the link that led to it; `None` when
/// none was.
pub(crate) fn kept_page(
    store: &dyn Store,
    data: &DataDir,
    url: Fingerprint,
    limits: &gannet_fetch::Limits,
) -> anyhow::Result<Option<(KeptPage, String)>> {
    let Some(record) = store.url(url)? else { return Ok(None) };
    let mut next = record.last_visit;
    while let Some(number) = next {
        let Some(visit) = store.visit(number)? else { break };
        if let (Visited::Page(..), Some(at)) = (&visit.outcome, visit.archived) {
            let capture = read_at(&data.archive(), PREFIX, position(at))?;
            let content_type = capture.headers.text("content-type").unwrap_or_default();
            let body = unpack_body(&capture.headers, &capture.wire_body, limits)
                .map_err(|failure| anyhow::anyhow!("{}: {failure}", record.url))?;
            let url = PageUrl::parse(&capture.url).unwrap_or(record.url);
            let provenance = Provenance { url: Some(url), content_type };
            return Ok(Some((KeptPage { body, provenance }, record.found.anchor)));
        }
        next = visit.previous;
    }
    Ok(None)
}

fn position(at: ArchivedAt) -> Position {
    Position {
        file: at.file,
        offset: at.offset,
        length: u32::try_from(at.length).unwrap_or(u32::MAX),
        response: u32::try_from(at.response_offset - at.offset).unwrap_or(u32::MAX),
    }
}
