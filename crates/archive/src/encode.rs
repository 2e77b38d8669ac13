//! One exchange as WARC records, ready to append.
//!
//! Encoding is pure and runs on the workers, so that the one writer only
//! appends: no clock, no randomness, the same exchange gives the same bytes.
//! A visit becomes up to three records, each a member of its own: the request,
//! the answer (or a `revisit` that stands for it) and a metadata record with
//! what the crawler knew and decided.
//!
//! What a visit costs is mostly the compression of its body. Measured by
//! `benches/encode.rs` on 14 real pages of 20 KB that came without content
//! coding, with one core of a busy two-core machine:
//!
//! | packing | time | bytes per visit |
//! |---|---|---|
//! | none: heads and both digests | 30 µs | 21,722 |
//! | gzip 1 (the default) | 148 µs | 10,944 |
//! | gzip 2 | 253 µs | 8,533 |
//! | gzip 3 | 291 µs | 8,269 |
//! | gzip 6 | 343 µs | 8,091 |
//! | zstd 1 | 108 µs | 8,656 |
//! | zstd 3 | 148 µs | 8,346 |
//! | gzip 1, the body came as gzip | 37 µs | 8,309 |
//! | gzip 1, such a body deflated again | 75 µs | 8,653 |
//!
//! Most servers answer with a content coding when asked, so the last but one
//! row is the usual case; that is why gzip 1 is the default although gzip 2
//! packs the other pages better.

use std::io;

use bytes::Bytes;
use gannet_model::{HttpVersion, Response, Timestamp};

use crate::compression::{Compressor, Effort};
use crate::fields::append_field;
use crate::message;
use crate::{Compression, Digest, RecordId, RecordKind};

/// An exchange and what the archive should say about it.
#[derive(Clone, Copy, Debug)]
pub struct Visit<'a> {
    /// What was asked and answered.
    pub response: &'a Response,
    /// What the crawler knew and decided, as named values for the metadata record.
    pub metadata: &'a [(String, String)],
    /// Why the body is not whole, when it is not.
    pub truncation: Option<Truncation>,
    /// Keeps the record names of one crawl apart from another's.
    pub seed: u64,
}

/// Why a body is not whole: the values of `WARC-Truncated`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    /// It exceeded the size limit.
    Length,
    /// It exceeded the time limit.
    Time,
    /// The connection ended early.
    Disconnect,
    /// Another reason.
    Unspecified,
}

/// The earlier capture that a revisit record points to.
#[derive(Clone, Copy, Debug)]
pub struct Earlier<'a> {
    /// The address it was captured from.
    pub url: &'a str,
    /// When that was.
    pub asked_at: Timestamp,
    /// The name of its response record, when known.
    pub record: Option<RecordId>,
    /// The digest of its body.
    pub payload_digest: Digest,
}

/// The bytes of one visit, ready to append, and where its records lie in them.
#[derive(Clone, Debug)]
pub struct Encoded {
    pub(crate) bytes: Vec<u8>,
    pub(crate) compression: Compression,
    pub(crate) asked_at: Timestamp,
    /// The request record, when the request is known.
    pub request: Option<Span>,
    /// The response record, or the revisit record in its place.
    pub response: Span,
    /// The metadata record, when there was something to say.
    pub metadata: Option<Span>,
    /// The name of the response record, for revisit records to come.
    pub record: RecordId,
    /// The digest of the body as received.
    pub payload_digest: Digest,
}

/// A member's place in the bytes of its visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Where it begins.
    pub offset: usize,
    /// How long it is.
    pub length: usize,
}

/// The compressor refused: out of memory, or a level it does not have.
#[derive(Debug, thiserror::Error)]
#[error("cannot compress a record")]
pub struct EncodeError(#[from] io::Error);

/// Makes records. Keep one per worker: it reuses its compressor and buffers.
pub struct Encoder {
    compression: Compression,
    compressor: Compressor,
    /// The head of the record at hand.
    head: Vec<u8>,
    /// The part of its block in front of the body.
    block: Vec<u8>,
    /// The members of the visit at hand.
    members: Vec<u8>,
}

/// What stands in the archive for the answer.
#[derive(Clone, Copy)]
enum Answer<'a> {
    /// A response record with all that came.
    Whole,
    /// A revisit record: nothing came but the word that nothing changed.
    NotModified(Option<&'a Earlier<'a>>),
    /// A revisit record: the body is the one kept with an earlier capture.
    SameBody(&'a Earlier<'a>),
    /// A revisit record without a block: head and body are those of an earlier capture.
    Nothing(&'a Earlier<'a>),
}

/// Buffers larger than this are given back: one huge body must not pin memory
/// on every worker for good.
const KEPT_CAPACITY: usize = 1 << 20;

impl<'a> Visit<'a> {
    /// A whole answer with nothing more to say about it.
    pub fn of(response: &'a Response) -> Visit<'a> {
        Visit { response, metadata: &[], truncation: None, seed: 0 }
    }
}

impl Truncation {
    /// As written in `WARC-Truncated`.
    pub fn as_str(self) -> &'static str {
        match self {
            Truncation::Length => "length",
            Truncation::Time => "time",
            Truncation::Disconnect => "disconnect",
            Truncation::Unspecified => "unspecified",
        }
    }
}

impl Encoded {
    /// The members, to be appended in one piece.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Encoder {
    /// An encoder for files of this compression.
    pub fn new(compression: Compression) -> Result<Encoder, EncodeError> {
        Ok(Encoder {
            compression,
            compressor: Compressor::new(compression)?,
            head: Vec::new(),
            block: Vec::new(),
            members: Vec::new(),
        })
    }

    /// The records of a visit. A "not modified" answer becomes a revisit
    /// record, for there is no body to keep.
    pub fn encode_visit(&mut self, visit: &Visit<'_>) -> Result<Encoded, EncodeError> {
        let answer = if visit.response.is_not_modified() {
            Answer::NotModified(None)
        } else {
            Answer::Whole
        };
        self.encode(visit, answer)
    }

    /// The records of a visit that brought nothing new: the answer's head and
    /// a pointer to the capture that holds its body.
    pub fn encode_revisit(
        &mut self,
        visit: &Visit<'_>,
        earlier: &Earlier<'_>,
    ) -> Result<Encoded, EncodeError> {
        let answer = if visit.response.is_not_modified() {
            Answer::NotModified(Some(earlier))
        } else {
            Answer::SameBody(earlier)
        };
        self.encode(visit, answer)
    }

    /// The one record of a visit that is not worth more: a pointer to the capture that holds its
    /// body, without the answer's head. A page that is looked at every day and never changes has
    /// hundreds of these, and each takes a third of what [`Encoder::encode_revisit`] makes.
    pub fn encode_unchanged(
        &mut self,
        visit: &Visit<'_>,
        earlier: &Earlier<'_>,
    ) -> Result<Encoded, EncodeError> {
        let bare = Response { request_head: Bytes::new(), ..visit.response.clone() };
        let visit = Visit { response: &bare, metadata: &[], ..*visit };
        self.encode(&visit, Answer::Nothing(earlier))
    }

    /// The record that opens a file and says who wrote it.
    pub fn encode_warcinfo(
        &mut self,
        file_name: &str,
        fields: &[(String, String)],
        date: Timestamp,
        seed: u64,
    ) -> Result<Vec<u8>, EncodeError> {
        let id = RecordId::derive(file_name, date, RecordKind::Warcinfo, seed);
        self.begin_record(RecordKind::Warcinfo, id, &warc_date(date));
        append_field(&mut self.head, "WARC-Filename", file_name);
        self.block.clear();
        for (name, value) in fields {
            append_field(&mut self.block, name, value);
        }
        self.members.clear();
        self.finish_record("application/warc-fields", &[], Effort::Compress)?;
        Ok(self.members.clone())
    }

    fn encode(&mut self, visit: &Visit<'_>, answer: Answer<'_>) -> Result<Encoded, EncodeError> {
        let response = visit.response;
        let date = warc_date(response.asked_at);
        let name =
            |kind| RecordId::derive(response.url.as_str(), response.asked_at, kind, visit.seed);
        let record = name(answer.kind());
        let payload_digest = match answer {
            Answer::Nothing(earlier) => earlier.payload_digest,
            _ => Digest::of(&[&response.wire_body]),
        };
        self.members.clear();

        let request = self.append_request(visit, name(RecordKind::Request), record, &date)?;
        self.begin_record(answer.kind(), record, &date);
        let span = match answer {
            Answer::Whole => self.append_response(visit, payload_digest)?,
            Answer::NotModified(earlier) => self.append_not_modified(visit, earlier)?,
            Answer::SameBody(earlier) => self.append_same_body(visit, earlier, payload_digest)?,
            Answer::Nothing(earlier) => self.append_nothing(visit, earlier)?,
        };
        let metadata = self.append_metadata(visit, name(RecordKind::Metadata), record, &date)?;

        let encoded = Encoded {
            bytes: self.members.as_slice().to_vec(),
            compression: self.compression,
            asked_at: response.asked_at,
            request,
            response: span,
            metadata,
            record,
            payload_digest,
        };
        self.give_back_large_buffers();
        Ok(encoded)
    }

    fn append_request(
        &mut self,
        visit: &Visit<'_>,
        id: RecordId,
        answer: RecordId,
        date: &str,
    ) -> Result<Option<Span>, EncodeError> {
        let request = &visit.response.request_head;
        if request.is_empty() {
            return Ok(None);
        }
        self.begin_record(RecordKind::Request, id, date);
        self.append_exchange_fields(visit.response);
        append_field(&mut self.head, "WARC-Concurrent-To", answer.to_string());
        self.block.extend_from_slice(request);
        if !request.ends_with(b"\r\n\r\n") {
            self.block.extend_from_slice(b"\r\n\r\n");
        }
        self.finish_record("application/http;msgtype=request", &[], Effort::Compress).map(Some)
    }

    fn append_response(
        &mut self,
        visit: &Visit<'_>,
        payload_digest: Digest,
    ) -> Result<Span, EncodeError> {
        let response = visit.response;
        self.append_exchange_fields(response);
        if response.version == HttpVersion::Http2 {
            append_field(&mut self.head, "WARC-Protocol", "h2");
        }
        if let Some(truncation) = visit.truncation {
            append_field(&mut self.head, "WARC-Truncated", truncation.as_str());
        }
        append_field(&mut self.head, "WARC-Payload-Digest", payload_digest.to_string());
        message::append_head(&mut self.block, response, response.wire_body.len());
        self.finish_record(RESPONSE_TYPE, &response.wire_body, effort_for(response))
    }

    fn append_not_modified(
        &mut self,
        visit: &Visit<'_>,
        earlier: Option<&Earlier<'_>>,
    ) -> Result<Span, EncodeError> {
        self.append_exchange_fields(visit.response);
        append_field(&mut self.head, "WARC-Profile", NOT_MODIFIED_PROFILE);
        if let Some(earlier) = earlier {
            self.append_reference(earlier);
            append_field(&mut self.head, "WARC-Payload-Digest", earlier.payload_digest.to_string());
        }
        message::append_head(&mut self.block, visit.response, 0);
        self.finish_record(RESPONSE_TYPE, &[], Effort::Compress)
    }

    fn append_same_body(
        &mut self,
        visit: &Visit<'_>,
        earlier: &Earlier<'_>,
        payload_digest: Digest,
    ) -> Result<Span, EncodeError> {
        self.append_exchange_fields(visit.response);
        append_field(&mut self.head, "WARC-Profile", SAME_BODY_PROFILE);
        self.append_reference(earlier);
        append_field(&mut self.head, "WARC-Payload-Digest", payload_digest.to_string());
        // The standard asks for it wherever a block lacks what the earlier one has.
        append_field(&mut self.head, "WARC-Truncated", "length");
        message::append_head(&mut self.block, visit.response, visit.response.wire_body.len());
        self.finish_record(RESPONSE_TYPE, &[], Effort::Compress)
    }

    /// The standard lets records of both profiles go without a block (6.7.2 and 6.7.3).
    fn append_nothing(
        &mut self,
        visit: &Visit<'_>,
        earlier: &Earlier<'_>,
    ) -> Result<Span, EncodeError> {
        let is_not_modified = visit.response.is_not_modified();
        let profile = if is_not_modified { NOT_MODIFIED_PROFILE } else { SAME_BODY_PROFILE };
        self.append_exchange_fields(visit.response);
        append_field(&mut self.head, "WARC-Profile", profile);
        self.append_reference(earlier);
        append_field(&mut self.head, "WARC-Payload-Digest", earlier.payload_digest.to_string());
        self.close_record(&[], Effort::Tight)
    }

    fn append_metadata(
        &mut self,
        visit: &Visit<'_>,
        id: RecordId,
        answer: RecordId,
        date: &str,
    ) -> Result<Option<Span>, EncodeError> {
        if visit.metadata.is_empty() {
            return Ok(None);
        }
        self.begin_record(RecordKind::Metadata, id, date);
        append_field(&mut self.head, "WARC-Target-URI", visit.response.url.as_str());
        append_field(&mut self.head, "WARC-Concurrent-To", answer.to_string());
        for (name, value) in visit.metadata {
            append_field(&mut self.block, name, value);
        }
        self.finish_record("application/warc-fields", &[], Effort::Compress).map(Some)
    }

    /// Empties the buffers and writes the fields that every record has.
    fn begin_record(&mut self, kind: RecordKind, id: RecordId, date: &str) {
        self.block.clear();
        self.head.clear();
        self.head.extend_from_slice(b"WARC/1.1\r\n");
        append_field(&mut self.head, "WARC-Type", kind.as_str());
        append_field(&mut self.head, "WARC-Record-ID", id.to_string());
        append_field(&mut self.head, "WARC-Date", date);
    }

    fn append_exchange_fields(&mut self, response: &Response) {
        append_field(&mut self.head, "WARC-Target-URI", response.url.as_str());
        append_field(&mut self.head, "WARC-IP-Address", response.address.to_string());
    }

    fn append_reference(&mut self, earlier: &Earlier<'_>) {
        if let Some(record) = earlier.record {
            append_field(&mut self.head, "WARC-Refers-To", record.to_string());
        }
        append_field(&mut self.head, "WARC-Refers-To-Target-URI", earlier.url);
        append_field(&mut self.head, "WARC-Refers-To-Date", warc_date(earlier.asked_at));
    }

    /// Closes the head over a block of `self.block` and `body`, and packs the record.
    fn finish_record(
        &mut self,
        content_type: &str,
        body: &[u8],
        effort: Effort,
    ) -> Result<Span, EncodeError> {
        let block_digest = Digest::of(&[&self.block, body]);
        append_field(&mut self.head, "WARC-Block-Digest", block_digest.to_string());
        append_field(&mut self.head, "Content-Type", content_type);
        self.close_record(body, effort)
    }

    fn close_record(&mut self, body: &[u8], effort: Effort) -> Result<Span, EncodeError> {
        let block_length = self.block.len() + body.len();
        append_field(&mut self.head, "Content-Length", block_length.to_string());
        self.head.extend_from_slice(b"\r\n");
        self.head.extend_from_slice(&self.block);
        let offset = self.members.len();
        self.compressor.append_member(&mut self.members, &self.head, body, effort)?;
        Ok(Span { offset, length: self.members.len() - offset })
    }

    fn give_back_large_buffers(&mut self) {
        for buffer in [&mut self.head, &mut self.block, &mut self.members] {
            if buffer.capacity() > KEPT_CAPACITY {
                *buffer = Vec::new();
            }
        }
    }
}

impl Answer<'_> {
    fn kind(self) -> RecordKind {
        match self {
            Answer::Whole => RecordKind::Response,
            Answer::NotModified(_) | Answer::SameBody(_) | Answer::Nothing(_) => {
                RecordKind::Revisit
            }
        }
    }
}

const RESPONSE_TYPE: &str = "application/http;msgtype=response";
const NOT_MODIFIED_PROFILE: &str = "http://netpreserve.org/warc/1.1/revisit/server-not-modified";
const SAME_BODY_PROFILE: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/// Microseconds always, as WARC 1.1 allows: two visits of one page within a
/// second must keep their order.
fn warc_date(moment: Timestamp) -> String {
    let seconds = moment.to_string();
    match seconds.strip_suffix('Z') {
        Some(seconds) => format!("{seconds}.{:06}Z", moment.as_micros() % 1_000_000),
        // Beyond the calendar; the field must still hold a date.
        None => "9999-12-31T23:59:59.999999Z".to_owned(),
    }
}

/// Whether the body's own compression leaves ours anything to do.
fn effort_for(response: &Response) -> Effort {
    let coding = response.headers.text("content-encoding").unwrap_or_default();
    let is_coded = !coding.is_empty() && !coding.eq_ignore_ascii_case("identity");
    if is_coded || is_packed(&response.media_type()) { Effort::Store } else { Effort::Compress }
}

/// Media types whose bytes are already compressed. PDF is not among them: its
/// streams are, its structure is not, and deflate still takes a tenth.
fn is_packed(media_type: &str) -> bool {
    let (family, name) = media_type.split_once('/').unwrap_or_default();
    match family {
        "image" => !matches!(name, "svg+xml" | "bmp" | "x-ms-bmp" | "tiff"),
        "video" => true,
        "audio" => !matches!(name, "wav" | "x-wav" | "midi"),
        "font" => matches!(name, "woff" | "woff2"),
        "application" => PACKED_APPLICATIONS.contains(&name),
        _ => false,
    }
}

const PACKED_APPLICATIONS: &[&str] = &[
    "epub+zip",
    "font-woff",
    "gzip",
    "java-archive",
    "vnd.android.package-archive",
    "x-7z-compressed",
    "x-bzip2",
    "x-gzip",
    "x-rar-compressed",
    "x-xz",
    "zip",
    "zstd",
];
