//! A record as found in a file, and the exchange it holds.

use std::net::IpAddr;

use bytes::Bytes;
use gannet_model::{Headers, HttpVersion, Timestamp};

use crate::{Digest, Fields, HttpMessage};

/// What a record is: the values of `WARC-Type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// Who wrote the file, and how.
    Warcinfo,
    /// What was asked.
    Request,
    /// What was answered.
    Response,
    /// An answer whose body is kept elsewhere.
    Revisit,
    /// Something that came without a protocol, such as a screenshot.
    Resource,
    /// What a crawler knew about another record.
    Metadata,
    /// Another record's content in another format.
    Conversion,
    /// The rest of a record split over files.
    Continuation,
    /// A type that the standard does not know.
    Other,
}

/// One record of a WARC or ARC file.
#[derive(Clone, Debug)]
pub struct Record {
    /// What it is.
    pub kind: RecordKind,
    /// Its named fields. Those of an ARC record are given WARC names.
    pub headers: Fields,
    /// Its content, up to the reader's limit.
    pub block: Bytes,
    /// True when there was more of it: beyond the reader's limit, or beyond
    /// the end of a file that was cut short.
    pub is_cut: bool,
    /// Where in the file it begins, or the member that holds it.
    pub offset: u64,
    /// Bytes it takes in the file; none when it shares its member with others
    /// and so cannot be found by place.
    pub length: Option<u64>,
}

/// An answer as the archive kept it. Decoding its body is the caller's part,
/// as it is for an answer from the network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// The address as written in the record.
    pub url: String,
    /// When it was asked for.
    pub asked_at: Timestamp,
    /// The address that answered, when the record has it.
    pub address: Option<IpAddr>,
    /// The protocol of the status line.
    pub version: HttpVersion,
    /// The status code.
    pub status: u16,
    /// The reason phrase.
    pub status_text: String,
    /// Header lines in order.
    pub headers: Headers,
    /// The body, with the transfer coding undone and the content coding not.
    pub wire_body: Bytes,
    /// True for a revisit record: the body is kept with an earlier capture.
    pub is_revisit: bool,
}

impl RecordKind {
    /// As written in `WARC-Type`.
    pub fn as_str(self) -> &'static str {
        match self {
            RecordKind::Warcinfo => "warcinfo",
            RecordKind::Request => "request",
            RecordKind::Response => "response",
            RecordKind::Revisit => "revisit",
            RecordKind::Resource => "resource",
            RecordKind::Metadata => "metadata",
            RecordKind::Conversion => "conversion",
            RecordKind::Continuation => "continuation",
            RecordKind::Other => "other",
        }
    }

    pub(crate) fn parse(text: &str) -> RecordKind {
        const NAMED: [RecordKind; 8] = [
            RecordKind::Warcinfo,
            RecordKind::Request,
            RecordKind::Response,
            RecordKind::Revisit,
            RecordKind::Resource,
            RecordKind::Metadata,
            RecordKind::Conversion,
            RecordKind::Continuation,
        ];
        let is_named = |kind: &RecordKind| kind.as_str().eq_ignore_ascii_case(text.trim());
        NAMED.into_iter().find(is_named).unwrap_or(RecordKind::Other)
    }
}

impl Record {
    /// The address this record is about. Some tools put it in angle brackets.
    pub fn url(&self) -> Option<&str> {
        let text = self.headers.get("WARC-Target-URI")?;
        Some(text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(text))
    }

    /// When it was made.
    pub fn date(&self) -> Option<Timestamp> {
        self.headers.get("WARC-Date")?.parse().ok()
    }

    /// The digest of its content, when it is one of ours to check.
    pub fn payload_digest(&self) -> Option<Digest> {
        Digest::parse(self.headers.get("WARC-Payload-Digest")?)
    }

    /// The HTTP answer in the block, when there is one.
    pub fn http(&self) -> Option<HttpMessage> {
        match self.kind {
            RecordKind::Response | RecordKind::Revisit => HttpMessage::parse(&self.block),
            _ => None,
        }
    }

    /// The exchange, when this record holds an answer with an address and a date.
    pub fn capture(&self) -> Option<Capture> {
        let message = self.http()?;
        Some(Capture {
            url: self.url()?.to_owned(),
            asked_at: self.date()?,
            address: self.headers.get("WARC-IP-Address").and_then(|text| text.parse().ok()),
            version: match self.headers.get("WARC-Protocol") {
                Some("h2") => HttpVersion::Http2,
                _ => message.version,
            },
            status: message.status,
            status_text: message.status_text,
            headers: message.headers,
            wire_body: message.body,
            is_revisit: self.kind == RecordKind::Revisit,
        })
    }
}
