//! Pages read back from the archive, as they were when they arrived.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use bytes::Bytes;
use gannet_archive::{ReadError, read_at};
use gannet_fetch::{Limits, unpack_body};
use gannet_model::{Failure, Fingerprint, PageUrl, Response, Timings};
use gannet_store::{ArchivedAt, Store, StoreError, UrlRecord, VisitNumber, VisitRecord, Visited};

use crate::config::Config;
use crate::crawler::{DataDir, position};

/// Reads pages back from the archive.
pub(crate) struct Evidence {
    directory: PathBuf,
    limits: Limits,
}

/// Why a page could not be read back.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EvidenceError {
    #[error(transparent)]
    Archive(#[from] ReadError),
    #[error("{0}")]
    Body(Failure),
}

/// No chain of visits to one page is followed further back than this.
const MOST_VISITS: usize = 1000;

impl Evidence {
    pub(crate) fn new(data: &DataDir, config: &Config) -> Evidence {
        Evidence { directory: data.archive(), limits: config.fetch.limits }
    }

    /// The answer that was kept at a place.
    pub(crate) fn response(
        &self,
        url: &PageUrl,
        at: ArchivedAt,
    ) -> Result<Response, EvidenceError> {
        let prefix = gannet_archive::Config::default().prefix;
        let capture = read_at(&self.directory, &prefix, position(at))?;
        let body = unpack_body(&capture.headers, &capture.wire_body, &self.limits)
            .map_err(EvidenceError::Body)?;
        Ok(Response {
            url: url.clone(),
            request_head: Bytes::new(),
            version: capture.version,
            status: capture.status,
            status_text: capture.status_text,
            headers: capture.headers,
            wire_body: capture.wire_body,
            body,
            address: capture.address.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
            asked_at: capture.asked_at,
            timings: Timings::default(),
        })
    }
}

/// The newest visit that brought a page.
pub(crate) fn newest_page(
    store: &dyn Store,
    record: &UrlRecord,
) -> Result<Option<(VisitNumber, VisitRecord)>, StoreError> {
    let mut next = record.last_visit;
    for _ in 0..MOST_VISITS {
        let Some(number) = next else { break };
        let Some(visit) = store.visit(number)? else { break };
        if matches!(visit.outcome, Visited::Page(..)) {
            return Ok(Some((number, visit)));
        }
        next = visit.previous;
    }
    Ok(None)
}

/// The page that a URL stands for: itself, or where its redirects led.
pub(crate) fn behind_redirects(
    store: &dyn Store,
    url: Fingerprint,
    most: u8,
) -> Result<Fingerprint, StoreError> {
    let mut url = url;
    for _ in 0..most {
        let Some(number) = store.url(url)?.and_then(|record| record.last_visit) else { break };
        match store.visit(number)?.map(|visit| visit.outcome) {
            Some(Visited::Redirected(_, Some(target))) => url = target.fingerprint(),
            _ => break,
        }
    }
    Ok(url)
}
