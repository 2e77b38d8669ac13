//! The HTTP answer inside a record's block: written, and read back.
//!
//! The block holds the status line, the header lines and the body as received.
//! Only what would mislead a reader is changed: the transfer coding was undone
//! before the bytes came to us, so its header is kept under another name and a
//! `Content-Length` that does not count the body is replaced.
//!
//! Reading takes what other crawlers wrote, in particular bodies that are
//! still chunked, or that say so and are not.

use bytes::{Bytes, BytesMut};
use gannet_model::{Headers, HttpVersion, Response};

use crate::fields::{append_field, append_value};

/// Prefix under which headers are kept that no longer describe the body.
const ORIGINAL: &str = "X-Archive-Orig-";

/// An HTTP answer as found in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpMessage {
    /// The protocol of the status line.
    pub version: HttpVersion,
    /// The status code; 0 when the line holds none.
    pub status: u16,
    /// What follows the code, often nothing.
    pub status_text: String,
    /// Header lines in order.
    pub headers: Headers,
    /// Everything behind the empty line, with the transfer coding undone, the
    /// content coding not.
    pub body: Bytes,
}

/// Appends the status line, the headers and the empty line.
pub(crate) fn append_head(head: &mut Vec<u8>, response: &Response, body_length: usize) {
    let version = match response.version {
        HttpVersion::Http10 => "HTTP/1.0",
        // Readers know no status line of HTTP/2; the record says `h2` in a field of its own.
        HttpVersion::Http11 | HttpVersion::Http2 => "HTTP/1.1",
    };
    head.extend_from_slice(format!("{version} {:03} ", response.status).as_bytes());
    append_value(head, response.status_text.as_bytes());
    head.extend_from_slice(b"\r\n");
    let mut needs_length = false;
    for (name, value) in response.headers.iter() {
        let is_transfer = name.eq_ignore_ascii_case("transfer-encoding");
        let is_wrong_length =
            name.eq_ignore_ascii_case("content-length") && !is_number(value, body_length);
        if is_transfer || is_wrong_length {
            needs_length = true;
            append_field(head, &format!("{ORIGINAL}{name}"), value);
        } else {
            append_field(head, name, value);
        }
    }
    if needs_length {
        append_field(head, "Content-Length", body_length.to_string());
    }
    head.extend_from_slice(b"\r\n");
}

fn is_number(value: &[u8], number: usize) -> bool {
    std::str::from_utf8(value).is_ok_and(|text| text.trim().parse() == Ok(number))
}

impl HttpMessage {
    /// Reads a block; none when it does not begin with a status line.
    pub fn parse(block: &Bytes) -> Option<HttpMessage> {
        let (head, body) = split_head(block);
        let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end);
        let (version, status, status_text) = parse_status_line(lines.next()?)?;
        let headers = parse_headers(lines);
        let is_chunked = headers
            .text("transfer-encoding")
            .is_some_and(|coding| coding.to_ascii_lowercase().ends_with("chunked"));
        let body = if is_chunked { dechunk(&body) } else { body };
        Some(HttpMessage { version, status, status_text, headers, body })
    }
}

/// Parts a block at its first empty line; without one it is all head.
fn split_head(block: &Bytes) -> (Bytes, Bytes) {
    let mut line_start = 0;
    for (index, _) in block.iter().enumerate().filter(|&(_, &byte)| byte == b'\n') {
        if block[line_start..index].trim_ascii().is_empty() && line_start > 0 {
            return (block.slice(..line_start), block.slice(index + 1..));
        }
        line_start = index + 1;
    }
    (block.clone(), Bytes::new())
}

fn parse_status_line(line: &[u8]) -> Option<(HttpVersion, u16, String)> {
    let text = String::from_utf8_lossy(line);
    let mut words = text.splitn(3, ' ');
    let protocol = words.next()?;
    if !protocol.get(..5)?.eq_ignore_ascii_case("HTTP/") {
        return None;
    }
    let version = match protocol.get(5..)? {
        "1.0" | "0.9" => HttpVersion::Http10,
        number if number.starts_with('2') => HttpVersion::Http2,
        _ => HttpVersion::Http11,
    };
    let status = words.next().and_then(|word| word.trim().parse().ok()).unwrap_or(0);
    Some((version, status, words.next().unwrap_or_default().trim().to_owned()))
}

fn parse_headers<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Headers {
    let mut headers: Vec<(String, Vec<u8>)> = Vec::new();
    for line in lines.filter(|line| !line.is_empty()) {
        if line.starts_with(b" ") || line.starts_with(b"\t") {
            if let Some((_, value)) = headers.last_mut() {
                value.push(b' ');
                value.extend_from_slice(line.trim_ascii());
            }
            continue;
        }
        if let Some(colon) = line.iter().position(|&byte| byte == b':') {
            let name = String::from_utf8_lossy(line[..colon].trim_ascii()).into_owned();
            headers.push((name, line[colon + 1..].trim_ascii().to_vec()));
        }
    }
    headers.into_iter().collect()
}

/// Undoes the chunked coding. Where the chunks make no sense the rest is taken
/// as it stands, because crawlers have written decoded bodies under a header
/// that says otherwise.
fn dechunk(body: &Bytes) -> Bytes {
    let mut whole = BytesMut::with_capacity(body.len());
    let mut rest = &body[..];
    while !rest.is_empty() {
        let Some((length, after)) = chunk_size(rest) else {
            whole.extend_from_slice(rest);
            break;
        };
        if length == 0 {
            break;
        }
        let taken = length.min(after.len());
        whole.extend_from_slice(&after[..taken]);
        rest = &after[taken..];
        rest = rest.strip_prefix(b"\r\n").or_else(|| rest.strip_prefix(b"\n")).unwrap_or(rest);
    }
    whole.freeze()
}

/// Longest line that may hold a chunk size, extensions included.
const MAX_SIZE_LINE: usize = 1024;

fn chunk_size(rest: &[u8]) -> Option<(usize, &[u8])> {
    let end = rest.iter().take(MAX_SIZE_LINE).position(|&byte| byte == b'\n')?;
    let line = std::str::from_utf8(&rest[..end]).ok()?;
    let digits = line.split(';').next().unwrap_or_default().trim();
    Some((usize::from_str_radix(digits, 16).ok()?, &rest[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_body(block: &str, expected: &str) {
        let message = HttpMessage::parse(&Bytes::copy_from_slice(block.as_bytes())).unwrap();
        assert_eq!(String::from_utf8_lossy(&message.body), expected);
    }

    const CHUNKED: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    #[test]
    fn chunks_are_joined_and_false_ones_left_alone() {
        check_body(&format!("{CHUNKED}4\r\nabcd\r\n2;x=y\r\nef\r\n0\r\n\r\n"), "abcdef");
        check_body(&format!("{CHUNKED}<html>not chunked"), "<html>not chunked");
        check_body(&format!("{CHUNKED}4\r\nabcd\r\nwhat now"), "abcdwhat now");
        check_body(&format!("{CHUNKED}ff\r\ncut short"), "cut short");
        check_body(&format!("{CHUNKED}ffffffffffffffffff\r\nx"), "ffffffffffffffffff\r\nx");
        check_body(CHUNKED, "");
    }

    #[test]
    fn bare_line_feeds_and_missing_parts_are_understood() {
        check_body("HTTP/1.0 200 OK\nA: b\n\nbody", "body");
        check_body("HTTP/1.0 302\r\n\r\n", "");
        check_body("HTTP/1.1 200 OK\r\nA: no end", "");
    }

    #[test]
    fn what_has_no_status_line_is_no_message() {
        for block in ["", "<html>", "HTTQ/1.1 200 OK\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"] {
            assert_eq!(HttpMessage::parse(&Bytes::copy_from_slice(block.as_bytes())), None);
        }
    }

    #[test]
    fn folded_headers_are_joined() {
        let block = Bytes::from_static(b"HTTP/1.1 200 Fine here\r\nA: b\r\n c\r\nbad line\r\n\r\n");
        let message = HttpMessage::parse(&block).unwrap();
        assert_eq!(message.headers.text("a").as_deref(), Some("b c"));
        assert_eq!(message.headers.len(), 1);
        assert_eq!(message.status_text, "Fine here");
    }
}
