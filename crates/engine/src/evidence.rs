//! Pages read back from the archive, as they were when they arrived.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use bytes::Bytes;
use gannet_archive::{ReadError, read_at};
use gannet_fetch::{Limits, unpack_body};
use gannet_model::{Failure, Fingerprint, PageUrl, Response, Timings};
use gannet_store::{ArchivedAt, Store, StoreError, UrlRecord, VisitNumber, VisitRecord, Visited};

use crate::crawler::{DataDir, position};

/// Reads pages back from the archive.
pub struct Evidence {
    directory: PathBuf,
    limits: Limits,
}

/// Why a page could not be read back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvidenceError {
    /// The record is not where it should be, or is damaged.
    #[error(transparent)]
    Archive(#[from] ReadError),
    /// The body cannot be unpacked.
    #[error("{0}")]
    Body(Failure),
}

/// No chain of visits to one page is followed further back than this.
const MOST_VISITS: usize = 1000;

impl Evidence {
    /// Of a data directory; bodies are unpacked within the limits.
    pub fn new(data: &DataDir, limits: Limits) -> Evidence {
        Evidence { directory: data.archive(), limits }
    }

    /// The answer that was kept at a place.
    pub fn response(&self, url: &PageUrl, at: ArchivedAt) -> Result<Response, EvidenceError> {
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
pub fn newest_page(
    store: &dyn Store,
    record: &UrlRecord,
) -> Result<Option<(VisitNumber, VisitRecord)>, StoreError> {
    let mut next = record.last_visit;
    for _ in 0..MOST_VISITS {
        let Some(number) = next else { break };
        let Some(visit) = store.visit(number)? else { break };
        if matches!(visit.outcome, Visited::Page(..) | Visited::File(_)) {
            return Ok(Some((number, visit)));
        }
        // What found a page unchanged says where it is.
        next = visit.same_as.or(visit.previous);
    }
    Ok(None)
}

/// Whether a visit brought the newest version of its page.
pub fn is_newest_page(
    store: &dyn Store,
    record: &UrlRecord,
    number: VisitNumber,
) -> Result<bool, StoreError> {
    if record.last_visit == Some(number) {
        return Ok(true);
    }
    Ok(newest_page(store, record)?.is_some_and(|(newest, _)| newest == number))
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
