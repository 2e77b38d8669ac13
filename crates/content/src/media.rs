//! Whether bytes are HTML.
//!
//! The declared media type decides where it can be trusted. Where it is
//! missing or says nothing (`application/octet-stream`, `*/*`), or is XML,
//! which may be XHTML, the first bytes decide by the signatures of the WHATWG
//! MIME Sniffing standard (section 7.1).

/// True when a body declared as `media_type` (lower case, no parameters; empty
/// when not given) is to be read as HTML.
pub fn is_html(media_type: &str, body: &[u8]) -> bool {
    match media_type {
        "text/html" | "application/xhtml+xml" => true,
        "" | "application/octet-stream" | "unknown/unknown" | "application/unknown" | "*/*" => {
            looks_like_html(body)
        }
        "text/xml" | "application/xml" => looks_like_xhtml(body),
        _ => false,
    }
}

/// Openings that only HTML has, from the standard's table.
const SIGNATURES: [&[u8]; 17] = [
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<script",
    b"<iframe",
    b"<h1",
    b"<div",
    b"<font",
    b"<table",
    b"<a",
    b"<style",
    b"<title",
    b"<b",
    b"<body",
    b"<br",
    b"<p",
    b"<!--",
];

fn looks_like_html(body: &[u8]) -> bool {
    let body = after_byte_order_mark(body).trim_ascii_start();
    SIGNATURES.iter().any(|signature| {
        starts_with_ignoring_case(body, signature)
            && (*signature == b"<!--"
                || matches!(body.get(signature.len()), Some(b' ' | b'>' | b'\n' | b'\r' | b'\t')))
    }) || looks_like_xhtml(body)
}

/// An XML declaration or comments may stand before the root of XHTML, so the
/// first kilobyte is searched for it.
fn looks_like_xhtml(body: &[u8]) -> bool {
    let opening = &body[..body.len().min(1024)];
    let is_markup = after_byte_order_mark(opening).trim_ascii_start().starts_with(b"<");
    is_markup
        && (contains_ignoring_case(opening, b"<!doctype html")
            || contains_ignoring_case(opening, b"<html"))
}

fn after_byte_order_mark(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body)
}

fn starts_with_ignoring_case(body: &[u8], lowercase: &[u8]) -> bool {
    body.get(..lowercase.len()).is_some_and(|opening| opening.eq_ignore_ascii_case(lowercase))
}

fn contains_ignoring_case(body: &[u8], lowercase: &[u8]) -> bool {
    body.windows(lowercase.len()).any(|window| window.eq_ignore_ascii_case(lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(media_type: &str, body: &str, expected: bool) {
        assert_eq!(is_html(media_type, body.as_bytes()), expected, "{media_type:?} {body:?}");
    }

    #[test]
    fn a_declared_html_type_is_believed() {
        check("text/html", "anything", true);
        check("application/xhtml+xml", "", true);
        check("image/png", "<html>", false);
        check("text/plain", "<html>", false);
    }

    #[test]
    fn a_missing_or_empty_type_is_sniffed() {
        check("", "\n <!DOCTYPE HTML><p>", true);
        check("", "\u{feff}<html lang=en>", true);
        check("application/octet-stream", "<a href=x>", true);
        check("", "<abbr>", false);
        check("", "GIF89a", false);
        check("", "{\"a\": \"<html>\"}", false);
        check("", "", false);
    }

    #[test]
    fn xml_is_html_only_with_an_html_root() {
        check("application/xml", "<?xml version='1.0'?>\n<html xmlns='x'>", true);
        check("text/xml", "<?xml version='1.0'?><rss>", false);
    }
}
