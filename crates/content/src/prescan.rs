//! The encoding a page declares in its first bytes.
//!
//! The algorithm "prescan a byte stream to determine its encoding" of the
//! WHATWG standard (section 13.2.3.2): it looks for `<meta charset>` and
//! `<meta http-equiv=content-type>` before the page can be decoded, and for an
//! XML declaration should there be neither.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252, X_USER_DEFINED};

use crate::scanner::is_space;

/// The encoding declared in the first `reach` bytes of a page.
pub(crate) fn declared_encoding(body: &[u8], reach: usize) -> Option<&'static Encoding> {
    let opening = &body[..body.len().min(reach)];
    Prescan { bytes: opening, at: 0 }.run().or_else(|| xml_encoding(opening))
}

/// How far browsers look before they begin to read.
pub(crate) const OPENING: usize = 1024;

/// How far to look for a declaration that a browser would meet while reading
/// and begin anew for.
pub(crate) const LATE: usize = 64 << 10;

struct Prescan<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Prescan<'b> {
    fn run(&mut self) -> Option<&'static Encoding> {
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"<!--") {
                // The dashes that open a comment may also close it: `<!-->`.
                self.at += find(&rest[2..], b"-->")? + 5;
            } else if is_meta(rest) {
                self.at += 5;
                if let Some(encoding) = self.meta() {
                    return Some(encoding);
                }
            } else if is_tag(rest) {
                let is_name_end = |byte: &u8| is_space(*byte) || *byte == b'>';
                self.at += rest.iter().position(is_name_end)?;
                while self.attribute()?.is_some() {}
            } else if matches!(rest, [b'<', b'!' | b'/' | b'?', ..]) {
                self.at += rest.iter().position(|byte| *byte == b'>')? + 1;
            } else {
                self.at += 1;
            }
        }
        None
    }

    /// What the attributes of a `<meta` declare.
    fn meta(&mut self) -> Option<&'static Encoding> {
        let mut seen: Vec<Vec<u8>> = Vec::new();
        let mut has_pragma = false;
        let mut needs_pragma = None;
        let mut found = None;
        while let Some((name, value)) = self.attribute()? {
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => has_pragma |= value == b"content-type",
                b"content" if found.is_none() => {
                    if let Some(encoding) = encoding_in_content(&value) {
                        found = Some(encoding);
                        needs_pragma = Some(true);
                    }
                }
                b"charset" => {
                    found = Encoding::for_label(&value);
                    needs_pragma = Some(false);
                }
                _ => {}
            }
            seen.push(name);
        }
        if needs_pragma? && !has_pragma {
            return None;
        }
        found.map(as_declared)
    }

    /// The next attribute in lower case; `Some(None)` at the end of the tag,
    /// `None` at the end of the bytes.
    fn attribute(&mut self) -> Option<Option<(Vec<u8>, Vec<u8>)>> {
        while is_space(self.peek()?) || self.peek()? == b'/' {
            self.at += 1;
        }
        if self.peek()? == b'>' {
            self.at += 1;
            return Some(None);
        }
        let mut name = Vec::new();
        loop {
            match self.peek()? {
                b'=' if !name.is_empty() => break,
                byte if is_space(byte) => {
                    self.skip_space()?;
                    if self.peek()? != b'=' {
                        return Some(Some((name, Vec::new())));
                    }
                    break;
                }
                b'/' | b'>' => return Some(Some((name, Vec::new()))),
                byte => name.push(byte.to_ascii_lowercase()),
            }
            self.at += 1;
        }
        self.at += 1;
        self.skip_space()?;
        Some(Some((name, self.value()?)))
    }

    fn value(&mut self) -> Option<Vec<u8>> {
        let mut value = Vec::new();
        let first = self.peek()?;
        if first == b'"' || first == b'\'' {
            loop {
                self.at += 1;
                let byte = self.peek()?;
                if byte == first {
                    self.at += 1;
                    return Some(value);
                }
                value.push(byte.to_ascii_lowercase());
            }
        }
        loop {
            let byte = self.peek()?;
            if is_space(byte) || byte == b'>' {
                return Some(value);
            }
            value.push(byte.to_ascii_lowercase());
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_space(&mut self) -> Option<()> {
        while is_space(self.peek()?) {
            self.at += 1;
        }
        Some(())
    }
}

fn is_meta(rest: &[u8]) -> bool {
    rest.len() > 5
        && rest[..5].eq_ignore_ascii_case(b"<meta")
        && (is_space(rest[5]) || rest[5] == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    let name = match rest {
        [b'<', b'/', name, ..] | [b'<', name, ..] => name,
        _ => return false,
    };
    name.is_ascii_alphabetic()
}

/// The encoding in `text/html; charset=…` (section 2.6.2, "extracting a
/// character encoding from a meta element").
pub(crate) fn encoding_in_content(content: &[u8]) -> Option<&'static Encoding> {
    let lowercase = content.to_ascii_lowercase();
    let mut rest = lowercase.as_slice();
    loop {
        rest = &rest[find(rest, b"charset")? + b"charset".len()..];
        let after_sign = rest.trim_ascii_start().strip_prefix(b"=");
        let Some(value) = after_sign.map(<[u8]>::trim_ascii_start) else { continue };
        let label = match value.first()? {
            quote @ (b'"' | b'\'') => {
                let end = value[1..].iter().position(|byte| byte == quote)?;
                &value[1..=end]
            }
            _ => value.split(|byte| is_space(*byte) || *byte == b';').next()?,
        };
        return Encoding::for_label(label);
    }
}

/// The encoding of `<?xml … encoding="…"?>`.
pub(crate) fn xml_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..declaration.iter().position(|byte| *byte == b'>')?];
    let rest = &declaration[find(declaration, b"encoding")? + b"encoding".len()..];
    let rest = rest.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = &rest[..rest.iter().position(|byte| byte == quote)?];
    Encoding::for_label(label).map(as_declared)
}

/// Bytes that could be scanned for it cannot be in UTF-16.
fn as_declared(encoding: &'static Encoding) -> &'static Encoding {
    if encoding.is_ascii_compatible() {
        if encoding == X_USER_DEFINED { WINDOWS_1252 } else { encoding }
    } else if encoding.name().starts_with("UTF-16") {
        UTF_8
    } else {
        encoding
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    memchr::memmem::find(bytes, wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(page: &str, expected: Option<&str>) {
        assert_eq!(
            declared_encoding(page.as_bytes(), OPENING).map(Encoding::name),
            expected,
            "{page:?}"
        );
    }

    #[test]
    fn a_meta_declares_the_encoding_in_either_form() {
        check("<!doctype html><meta charset=iso8859-2>", Some("ISO-8859-2"));
        check("<META\nCharset = 'euc-jp'>", Some("EUC-JP"));
        let pragma = "http-equiv=Content-Type content='text/html; charset=big5'";
        check(&format!("<meta {pragma}>"), Some("Big5"));
        check("<meta content='text/html; charset=big5'>", None);
    }

    #[test]
    fn comments_and_other_tags_are_stepped_over() {
        check(
            "<!-- <meta charset=big5> --><p a='<meta charset=big5>'><meta charset=utf-8>",
            Some("UTF-8"),
        );
        check("<!--><meta charset=utf-8>", Some("UTF-8"));
        check("<metacharset=utf-8>", None);
        check("<meta charset=utf-8", None);
    }

    #[test]
    fn what_is_read_as_ascii_is_not_utf_16() {
        check("<meta charset=utf-16>", Some("UTF-8"));
        check("<meta charset=x-user-defined>", Some("windows-1252"));
    }

    #[test]
    fn an_xml_declaration_counts_when_no_meta_does() {
        let xml = "<?xml version='1.0' encoding=\"koi8-r\"?><html>";
        check(xml, Some("KOI8-R"));
        check(&format!("{xml}<meta charset=big5>"), Some("Big5"));
        check("<?xml version='1.0'?>", None);
    }

    #[test]
    fn only_the_opening_is_searched() {
        let page = format!("{}<meta charset=utf-8>", " ".repeat(OPENING));
        check(&page, None);
        assert_eq!(declared_encoding(page.as_bytes(), LATE), Some(UTF_8));
    }
}
