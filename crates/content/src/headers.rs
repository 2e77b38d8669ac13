//! What the headers of the answer add to the document.

use gannet_model::{Document, Headers, PageUrl};

use crate::{head, robots};

/// Adds robots' wishes, and what the page itself left unsaid: language,
/// canonical address, refresh.
pub(crate) fn apply(document: &mut Document, url: &PageUrl, headers: &Headers) {
    for line in headers.all("x-robots-tag") {
        robots::add_header(&mut document.robots, &String::from_utf8_lossy(line));
    }
    if document.canonical.is_none() {
        document.canonical = headers
            .all("link")
            .find_map(|line| head::canonical_in_header(&String::from_utf8_lossy(line), url));
    }
    if document.language.is_none() {
        let declared = headers.text("content-language");
        let first = declared.as_deref().and_then(|list| list.split(',').next());
        document.language = first.and_then(head::language_tag);
    }
    if document.refresh.is_none() {
        let declared = headers.text("refresh");
        let target = declared.as_deref().and_then(head::refresh_target);
        document.refresh = target.and_then(|target| url.join(target).ok());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[(&str, &str)]) -> Document {
        let headers: Headers =
            lines.iter().map(|(name, value)| (*name, value.as_bytes().to_vec())).collect();
        let mut document = Document::default();
        apply(&mut document, &PageUrl::parse("http://a.example/x").unwrap(), &headers);
        document
    }

    #[test]
    fn headers_say_what_the_page_did_not() {
        let document = read(&[
            ("X-Robots-Tag", "noindex"),
            ("x-robots-tag", "otherbot: nofollow"),
            ("Link", "</y>; rel=canonical"),
            ("Content-Language", "de-CH, fr"),
            ("Refresh", "0; url=/z"),
        ]);
        assert!(document.robots.noindex && !document.robots.nofollow);
        assert_eq!(document.canonical.unwrap().as_str(), "http://a.example/y");
        assert_eq!(document.language.as_deref(), Some("de-ch"));
        assert_eq!(document.refresh.unwrap().as_str(), "http://a.example/z");
    }
}
