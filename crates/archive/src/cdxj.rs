//! CDXJ: the index that replay tools look captures up in.
//!
//! One line per capture: the turned-around address, fourteen digits of date,
//! and a JSON object that tells where the record lies. An index is made by
//! reading a finished file, so it can always be made again, and it is sorted,
//! so tools can search it by halves.

use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;

use crate::{ReadError, Reader, Record, RecordKind, surt};

/// One line of an index. Lines order as the file wants them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CdxjLine {
    /// The turned-around address.
    pub key: String,
    /// Fourteen digits, to the second.
    pub timestamp: String,
    /// The JSON object.
    pub json: String,
}

/// The object's fields; numbers are texts by the custom of the format.
#[derive(Serialize)]
struct Details<'a> {
    url: &'a str,
    mime: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<&'a str>,
    length: String,
    offset: String,
    filename: &'a str,
}

/// The sorted lines of a file's captures. What cannot be read is not listed.
pub fn index(path: &Path) -> Result<Vec<CdxjLine>, ReadError> {
    let file_name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let mut lines: Vec<CdxjLine> = Reader::open(path)?
        .filter_map(Result::ok)
        .filter_map(|record| CdxjLine::of(&record, file_name))
        .collect();
    lines.sort();
    Ok(lines)
}

/// Writes the index of a file beside it: `gannet-00000.cdxj`. It appears whole
/// or not at all.
pub fn write_index(path: &Path) -> Result<(), ReadError> {
    let lines = index(path)?;
    let mut text = String::new();
    for line in &lines {
        text.push_str(&format!("{} {} {}\n", line.key, line.timestamp, line.json));
    }
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let stem = name.split_once(".warc").map_or(name, |(stem, _)| stem);
    let target = path.with_file_name(format!("{stem}.cdxj"));
    let draft = path.with_file_name(format!("{stem}.cdxj.part"));
    let publish = || -> io::Result<()> {
        fs::write(&draft, text)?;
        fs::File::open(&draft)?.sync_all()?;
        fs::rename(&draft, &target)
    };
    publish().map_err(ReadError::Unreadable)
}

impl CdxjLine {
    /// The line of a record; none when it is no capture or has no place of its own.
    pub fn of(record: &Record, file_name: &str) -> Option<CdxjLine> {
        let (url, length) = (record.url()?, record.length?);
        let message = record.http();
        let media_type = message.as_ref().and_then(|message| message.headers.text("content-type"));
        let mime = match record.kind {
            RecordKind::Response => media_type.as_deref().unwrap_or("unk"),
            RecordKind::Revisit => "warc/revisit",
            RecordKind::Resource => record.headers.get("Content-Type").unwrap_or("unk"),
            _ => return None,
        };
        let status = message.filter(|_| record.kind == RecordKind::Response);
        let digest = record.headers.get("WARC-Payload-Digest");
        let details = Details {
            url,
            mime: mime.split(';').next().unwrap_or_default().trim(),
            status: status.map(|message| message.status.to_string()),
            digest: digest.map(|text| text.strip_prefix("sha1:").unwrap_or(text)),
            length: length.to_string(),
            offset: record.offset.to_string(),
            filename: file_name,
        };
        Some(CdxjLine {
            key: surt(url),
            timestamp: digits(record.headers.get("WARC-Date")?),
            json: serde_json::to_string(&details).ok()?,
        })
    }
}

/// The first fourteen digits of a date, however it is written.
fn digits(date: &str) -> String {
    date.chars().filter(char::is_ascii_digit).take(14).collect()
}
