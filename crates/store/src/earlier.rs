//! Records as earlier versions wrote them, read as today's.
//!
//! Nothing is rewritten by reading: a record takes today's form when it is
//! next committed.

use gannet_model::{Fingerprint, PageUrl, Reasons, Timestamp, Worth};
use gannet_politeness::Tries;
use serde::Deserialize;

use crate::encoding::{FIRST, decode_body, decode_front, versioned};
use crate::error::StoreError;
use crate::records::{
    ArchivedAt, CrawlRecord, CrawlState, Found, UrlHead, UrlRecord, VisitNumber, VisitRecord,
    Visited,
};

/// The form of a [`CrawlRecord`] that is written: the second has the whole topic.
pub(crate) const CRAWL_VERSION: u8 = 2;

/// A [`CrawlRecord`] of version 1: the topic in words alone.
#[derive(Deserialize)]
struct FirstCrawlRecord {
    created: Timestamp,
    topic: String,
    model: String,
    order: String,
    scope: String,
    state: CrawlState,
}

/// Reads a crawl's own record in any form.
pub(crate) fn decode_crawl(bytes: &[u8]) -> Result<CrawlRecord, StoreError> {
    let what = "crawl";
    match versioned(what, bytes)? {
        (CRAWL_VERSION, body) => decode_body(what, body),
        (FIRST, body) => decode_body::<FirstCrawlRecord>(what, body).map(CrawlRecord::from),
        (found, _) => Err(StoreError::Incompatible { what, found, known: CRAWL_VERSION }),
    }
}

impl From<FirstCrawlRecord> for CrawlRecord {
    fn from(first: FirstCrawlRecord) -> CrawlRecord {
        let FirstCrawlRecord { created, topic, model, order, scope, state } = first;
        CrawlRecord { created, topic, definition: None, model, order, scope, state }
    }
}

/// The form of a [`UrlRecord`] that is written: the second has the ordering's traits.
pub(crate) const URL_VERSION: u8 = 2;

/// A [`UrlRecord`] of version 1: without the ordering's traits.
#[derive(Deserialize)]
struct FirstUrlRecord {
    head: UrlHead,
    url: PageUrl,
    found: Found,
    worth: Worth,
    reasons: Reasons,
    because: String,
    tries: Tries,
    last_visit: Option<VisitNumber>,
}

/// Reads the record of a URL in any form.
pub(crate) fn decode_url(bytes: &[u8]) -> Result<UrlRecord, StoreError> {
    let what = "url";
    match versioned(what, bytes)? {
        (URL_VERSION, body) => decode_body(what, body),
        (FIRST, body) => decode_body::<FirstUrlRecord>(what, body).map(UrlRecord::from),
        (found, _) => Err(StoreError::Incompatible { what, found, known: URL_VERSION }),
    }
}

/// Reads the head of a URL's record, which stands first in every form.
pub(crate) fn decode_url_head(bytes: &[u8]) -> Result<UrlHead, StoreError> {
    let what = "url";
    match versioned(what, bytes)? {
        (FIRST | URL_VERSION, body) => decode_front(what, body),
        (found, _) => Err(StoreError::Incompatible { what, found, known: URL_VERSION }),
    }
}

impl From<FirstUrlRecord> for UrlRecord {
    fn from(first: FirstUrlRecord) -> UrlRecord {
        let FirstUrlRecord { head, url, found, worth, reasons, because, tries, last_visit } = first;
        let traits = Vec::new();
        UrlRecord { head, url, found, worth, reasons, traits, because, tries, last_visit }
    }
}

/// The form of a [`VisitRecord`] that is written: the second says what changed.
pub(crate) const VISIT_VERSION: u8 = 2;

/// A [`VisitRecord`] of version 1: before pages were visited twice.
#[derive(Deserialize)]
struct FirstVisitRecord {
    url: Fingerprint,
    at: Timestamp,
    ended: Timestamp,
    outcome: Visited,
    archived: Option<ArchivedAt>,
    previous: Option<VisitNumber>,
}

/// Reads a visit in any form.
pub(crate) fn decode_visit(bytes: &[u8]) -> Result<VisitRecord, StoreError> {
    let what = "visit";
    match versioned(what, bytes)? {
        (VISIT_VERSION, body) => decode_body(what, body),
        (FIRST, body) => decode_body::<FirstVisitRecord>(what, body).map(VisitRecord::from),
        (found, _) => Err(StoreError::Incompatible { what, found, known: VISIT_VERSION }),
    }
}

impl From<FirstVisitRecord> for VisitRecord {
    fn from(first: FirstVisitRecord) -> VisitRecord {
        let FirstVisitRecord { url, at, ended, outcome, archived, previous } = first;
        VisitRecord {
            url,
            at,
            ended,
            outcome,
            archived,
            previous,
            ordinal: 1,
            digest: None,
            same_as: None,
            happening: None,
            change: None,
            persisted: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::encode_as;

    /// What version 0.1.0 wrote at the end of a crawl.
    const FIRST_FORM: &[u8] = b"\x01\x80\x80\xe2\xc4\xf2\xa2\x99\x03\x17seabirds, plunge diving\
        \x0ctopic-vector\x0abest-first\x0aeverything\x01\x80\xc2\xb9\xf4\xf2\xa2\x99\x03\
        \x09exhausted";

    fn record(definition: Option<String>) -> CrawlRecord {
        CrawlRecord {
            created: Timestamp::from_secs(1_800_000_000),
            topic: "seabirds, plunge diving".to_owned(),
            definition,
            model: "topic-vector".to_owned(),
            order: "best-first".to_owned(),
            scope: "everything".to_owned(),
            state: CrawlState::Stopped {
                at: Timestamp::from_secs(1_800_000_100),
                reason: "exhausted".to_owned(),
            },
        }
    }

    #[test]
    fn a_crawl_record_of_the_first_version_is_read_without_the_whole_topic() {
        assert_eq!(decode_crawl(FIRST_FORM).unwrap(), record(None));
    }

    #[test]
    fn todays_crawl_record_keeps_the_whole_topic() {
        let today = record(Some("{\"keywords\":[]}".to_owned()));
        let bytes = encode_as("crawl", CRAWL_VERSION, &today).unwrap();
        assert_eq!(decode_crawl(&bytes).unwrap(), today);
    }

    #[test]
    fn a_url_of_the_first_version_is_read_without_traits() {
        let url = PageUrl::parse("http://a.example/").unwrap();
        let head = UrlHead { host: gannet_model::HostId(3), status: crate::Status::Fetched };
        let found = Found {
            at: Timestamp::from_secs(1),
            parent: None,
            how: crate::How::Seed,
            depth: 0,
            redirects: 0,
            anchor: "words".to_owned(),
        };
        let (worth, because) = (Worth::new(0.5), "answered 200".to_owned());
        let (reasons, tries) = (Reasons::none(), Tries::default());
        let first = (head, &url, &found, worth, &reasons, &because, tries, Some(7_u64));
        let bytes = encode_as("url", FIRST, &first).unwrap();
        assert_eq!(decode_url_head(&bytes).unwrap(), head);
        let read = decode_url(&bytes).unwrap();
        assert_eq!((read.url, read.found, read.last_visit), (url, found, Some(7)));
        assert!(read.traits.is_empty());
        assert!(matches!(decode_url(&[9]), Err(StoreError::Incompatible { found: 9, .. })));
    }

    #[test]
    fn a_crawl_record_of_a_version_to_come_is_refused_by_its_number() {
        let error = decode_crawl(&[9, 0]).unwrap_err();
        assert!(matches!(error, StoreError::Incompatible { found: 9, known: 2, .. }), "{error}");
        assert!(matches!(decode_crawl(&[]), Err(StoreError::Damaged { .. })));
    }
}
