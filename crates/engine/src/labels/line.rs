//! One line of `labels.jsonl`, written and read.

use gannet_model::{PageUrl, Timestamp};
use serde::{Deserialize, Serialize};

use super::Label;

#[derive(Serialize)]
struct Written<'a> {
    url: &'a str,
    relevant: bool,
    at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    relative: Option<&'a str>,
}

/// What is read: a person may leave out what a program would write.
#[derive(Deserialize)]
struct Read {
    url: String,
    relevant: bool,
    at: Option<Moment>,
    relative: Option<String>,
}

/// RFC 3339, or microseconds since 1970.
#[derive(Deserialize)]
#[serde(untagged)]
enum Moment {
    Micros(u64),
    Text(String),
}

/// A label as one line, without its end.
pub(super) fn write(label: &Label) -> String {
    let written = Written {
        url: label.url.as_str(),
        relevant: label.relevant,
        at: label.at.to_string(),
        relative: label.relative.as_deref(),
    };
    // Text and booleans always make JSON.
    serde_json::to_string(&written).unwrap_or_default()
}

/// A line with its number: a label, or what is wrong with it.
pub(super) type Numbered = (usize, Result<Label, String>);

/// Reads whole lines and tells how many bytes they take; blank ones are passed over. The first
/// has the number after `before`. A last line without an end counts when it reads as a label:
/// nothing can follow that belongs to it. Else it is still being written.
pub(super) fn read_all(bytes: &[u8], before: usize) -> (Vec<Numbered>, usize) {
    let mut lines = Vec::new();
    let mut taken = 0;
    for (at, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let is_whole = line.ends_with(b"\n");
        let text = line.trim_ascii();
        let read = (!text.is_empty()).then(|| read(text));
        if !is_whole && !matches!(read, Some(Ok(_))) {
            break;
        }
        taken += line.len();
        lines.extend(read.map(|read| (before + at + 1, read)));
    }
    (lines, taken)
}

fn read(text: &[u8]) -> Result<Label, String> {
    let read: Read = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let url = PageUrl::parse(&read.url).map_err(|error| format!("{:?}: {error}", read.url))?;
    let at = match read.at {
        None => Timestamp::ZERO,
        Some(Moment::Micros(micros)) => Timestamp::from_micros(micros),
        Some(Moment::Text(text)) => {
            text.parse().map_err(|error: gannet_model::TimestampError| format!("`at`: {error}"))?
        }
    };
    Ok(Label { url, relevant: read.relevant, at, relative: read.relative })
}
