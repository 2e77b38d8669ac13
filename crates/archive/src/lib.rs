//! Evidence: WARC and CDXJ, out and in.
//!
//! A worker turns an exchange into bytes with an [`Encoder`]; the one
//! [`Writer`] of a data directory appends them, whole or not at all; a
//! [`Reader`] walks any WARC file, ours or another crawler's. What a visit
//! means for the crawl (page, plan, links) is kept by `store`, which holds the
//! [`Position`] of the evidence.
//!
//! WARC 1.1 is written and read by code of our own: it is a small format, and
//! the rules that matter to us (nothing torn survives a crash, nothing in a
//! page can forge a header, damaged files give up what they hold) live in it.

mod compression;
mod digest;
mod fields;
mod message;

mod encode;
mod files;
mod recover;
mod tail;
mod writer;

mod arc;
mod member;
mod reader;
mod record;
mod source;

mod cdxj;
mod surt;

pub use cdxj::{CdxjLine, index, write_index};
pub use compression::Compression;
pub use digest::{Digest, RecordId};
pub use encode::{Earlier, EncodeError, Encoded, Encoder, Span, Truncation, Visit};
pub use fields::Fields;
pub use message::HttpMessage;
pub use reader::{Limits, ReadError, Reader, read_at};
pub use record::{Capture, Record, RecordKind};
pub use surt::surt;
pub use writer::{ArchiveError, Config, Position, Recovery, Writer};
