//! Exchanges to archive, and what the tests ask of a file.

#![allow(dead_code, reason = "each test program uses a part of it")]

use std::path::{Path, PathBuf};

use bytes::Bytes;
use gannet_archive::{Compression, Encoded, Encoder, Reader, Record, Visit};
use gannet_model::{Headers, HttpVersion, PageUrl, Response, Timestamp, Timings};

pub(crate) const FORMATS: [Compression; 3] =
    [Compression::None, Compression::Gzip { level: 1 }, Compression::Zstd { level: 3 }];

/// A page that answers with this body.
pub(crate) fn response(path: &str, body: impl Into<Bytes>) -> Response {
    let body = body.into();
    Response {
        url: PageUrl::parse(&format!("http://www.example.org/{path}")).unwrap(),
        request_head: Bytes::from_static(b"GET / HTTP/1.1\r\nHost: www.example.org\r\n\r\n"),
        version: HttpVersion::Http11,
        status: 200,
        status_text: "OK".to_owned(),
        headers: Headers::from_iter([("Content-Type", "text/html")]),
        wire_body: body.clone(),
        body,
        address: [192, 0, 2, 7].into(),
        asked_at: Timestamp::from_micros(1_769_860_800_123_456),
        timings: Timings::default(),
    }
}

pub(crate) fn metadata() -> Vec<(String, String)> {
    vec![("outlinks".to_owned(), "12".to_owned()), ("judgement".to_owned(), "0.83".to_owned())]
}

/// Request, response and metadata records of a page.
pub(crate) fn encode(compression: Compression, response: &Response) -> Encoded {
    let metadata = metadata();
    let visit = Visit { metadata: &metadata, ..Visit::of(response) };
    Encoder::new(compression).unwrap().encode_visit(&visit).unwrap()
}

/// All records of a file that must be whole.
#[track_caller]
pub(crate) fn records(path: &Path) -> Vec<Record> {
    Reader::open(path).unwrap().map(|record| record.unwrap()).collect()
}

/// The folder with files of other tools, when this machine has it.
pub(crate) fn data_folder(name: &str) -> Option<PathBuf> {
    let data = std::env::var_os("GANNET_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let folder = data.join(name);
    if folder.exists() {
        return Some(folder);
    }
    skip("no data");
    None
}

/// Says that a test was not made; the test run counts these lines.
pub(crate) fn skip(reason: &str) {
    use std::io::Write;
    // In one call, or lines of tests that run side by side would mingle.
    let _ = std::io::stderr().write_all(format!("skipped: {reason}\n").as_bytes());
}
