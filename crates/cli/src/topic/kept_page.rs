//! A page kept as a file: its bytes as they came, and where they came from.
//!
//! Examples are kept so that learning is repeatable and needs no network. The
//! file holds the body as the server sent it, so that a browser shows it, and
//! a last line that says whence: an HTML comment, cut off before reading.
//! Browsers that save a page leave a comment near its beginning
//! (`saved from url=(0023)https://example.org/`), which is understood, too.

use bytes::Bytes;
use gannet_content::Limits;
use gannet_model::{Document, Headers, PageUrl, Response};

/// A page's bytes and where they came from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeptPage {
    /// The body, unpacked.
    pub(crate) body: Bytes,
    pub(crate) provenance: Provenance,
}

/// Where a page came from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Provenance {
    /// Its address, where that is known.
    pub(crate) url: Option<PageUrl>,
    /// Its `Content-Type`, with parameters; empty when unknown.
    pub(crate) content_type: String,
}

const OPENS: &str = "<!-- kept by gannet from ";
const CLOSES: &str = " -->\n";
/// What a browser writes before the length and the address of a page it saves.
const SAVED: &[u8] = b"saved from url=(";
/// Browsers write their comment within the first lines.
const SAVED_WITHIN: usize = 2048;

impl KeptPage {
    /// The page of an answer.
    pub(crate) fn of(response: &Response) -> KeptPage {
        let content_type = response.headers.text("content-type").unwrap_or_default();
        let provenance = Provenance { url: Some(response.url.clone()), content_type };
        KeptPage { body: response.body.clone(), provenance }
    }

    /// Takes a file's bytes apart.
    pub(crate) fn parse(bytes: impl Into<Bytes>) -> KeptPage {
        let bytes = bytes.into();
        if let Some((end, provenance)) = last_line(&bytes) {
            return KeptPage { body: bytes.slice(..end), provenance };
        }
        let provenance = Provenance { url: saved_from(&bytes), content_type: String::new() };
        KeptPage { body: bytes, provenance }
    }

    /// The file's bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.body.to_vec();
        if let Some(url) = &self.provenance.url {
            // Neither may end the comment or the line: what a server sends is not to be trusted.
            let safe = |text: &str| text.replace(['\n', '\r'], " ").replace("--", "-%2D");
            let content_type = safe(&self.provenance.content_type);
            let line = format!("\n{OPENS}{} as {content_type}{CLOSES}", safe(url.as_str()));
            bytes.extend_from_slice(line.as_bytes());
        }
        bytes
    }

    /// What its relative addresses resolve against.
    pub(crate) fn base(&self) -> PageUrl {
        self.provenance.url.clone().unwrap_or_else(nowhere)
    }

    /// Reads it. Never fails: what is neither HTML nor text gives an empty document with a note.
    pub(crate) fn read(&self, limits: &Limits) -> Document {
        let mut headers = Headers::new();
        let declared = self.provenance.content_type.as_str();
        let is_html = gannet_content::is_html(
            declared.split(';').next().unwrap_or_default().trim(),
            &self.body,
        );
        // A file without a name for its type is a text unless it looks like a page or like no text.
        let content_type = match declared {
            "" if is_html => "text/html",
            "" if is_text(&self.body) => "text/plain",
            "" => "application/octet-stream",
            declared => declared,
        };
        headers.push("content-type", content_type.to_owned());
        gannet_content::read(&self.response(headers), limits)
    }

    /// An exchange that could have brought it.
    fn response(&self, headers: Headers) -> Response {
        Response::made(self.base(), 200, headers, self.body.clone())
    }
}

/// The host that links of a page resolve against whose own address nobody knows (RFC 2606).
pub(crate) const NOWHERE: &str = "page.invalid";

fn nowhere() -> PageUrl {
    PageUrl::parse(&format!("http://{NOWHERE}/")).unwrap_or_else(|_| unreachable!("it is a URL"))
}

/// Where the body ends and what the last line says, if it is ours.
fn last_line(bytes: &[u8]) -> Option<(usize, Provenance)> {
    let rest = bytes.strip_suffix(CLOSES.as_bytes())?;
    let begins = rest.windows(OPENS.len()).rposition(|window| window == OPENS.as_bytes())?;
    let text = std::str::from_utf8(&rest[begins + OPENS.len()..]).ok()?;
    if text.contains('\n') {
        return None;
    }
    let (url, content_type) = text.split_once(" as ")?;
    let original = |text: &str| text.replace("-%2D", "--");
    let url = PageUrl::parse(&original(url)).ok()?;
    let end = begins.checked_sub(1).filter(|end| bytes[*end] == b'\n')?;
    Some((end, Provenance { url: Some(url), content_type: original(content_type.trim()) }))
}

/// The address that a browser noted when it saved the page.
fn saved_from(bytes: &[u8]) -> Option<PageUrl> {
    let head = &bytes[..bytes.len().min(SAVED_WITHIN)];
    let begins = head.windows(SAVED.len()).position(|window| window == SAVED)? + SAVED.len();
    let rest = std::str::from_utf8(&head[begins..]).unwrap_or_else(|error| {
        std::str::from_utf8(&head[begins..begins + error.valid_up_to()]).unwrap_or_default()
    });
    let (_, rest) = rest.split_once(')')?;
    let url = rest.split("-->").next()?.trim();
    PageUrl::parse(url).ok()
}

/// No file of words has a NUL in its first bytes, and no program or picture is without.
fn is_text(bytes: &[u8]) -> bool {
    let has_mark = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    has_mark || !bytes[..bytes.len().min(1024)].contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(body: &'static str, url: &str, content_type: &str) -> KeptPage {
        let provenance = Provenance {
            url: Some(PageUrl::parse(url).unwrap()),
            content_type: content_type.to_owned(),
        };
        KeptPage { body: Bytes::from_static(body.as_bytes()), provenance }
    }

    #[test]
    fn a_page_comes_back_as_it_was_kept() {
        for page in [
            page("<p>gannet", "https://example.org/a--b?c=--%3E", "text/html; charset=koi8-r"),
            page("", "http://a.test/", ""),
            page("plain\n", "http://a.test/", "text/plain"),
            page(
                "<!-- kept by gannet from http://b.test/ as x -->\n",
                "http://a.test/",
                "text/html",
            ),
        ] {
            assert_eq!(KeptPage::parse(page.to_bytes()), page);
        }
    }

    #[test]
    fn nothing_a_server_sends_can_end_the_line() {
        let page = page("x", "http://a.test/", "text/html\n--> as");
        let again = KeptPage::parse(page.to_bytes());
        assert_eq!(again.body, page.body);
        assert_eq!(again.provenance.url, page.provenance.url);
    }

    #[test]
    fn the_address_a_browser_noted_is_understood() {
        let text = "<!DOCTYPE html>\n<!-- saved from url=(0023)https://example.org/a -->\n<p>x";
        let page = KeptPage::parse(text.as_bytes().to_vec());
        assert_eq!(page.provenance.url.unwrap().as_str(), "https://example.org/a");
        assert_eq!(KeptPage::parse(&b"<p>saved from url=(1) nowhere"[..]).provenance.url, None);
    }

    #[test]
    fn files_are_read_as_html_or_text_and_never_fail() {
        let read = |bytes: &'static [u8]| {
            let document = KeptPage::parse(bytes).read(&Limits::default());
            document.text().collect::<Vec<_>>().join("|")
        };
        assert_eq!(read(b"<html><h1>Gannets</h1>dive"), "|Gannets|dive");
        assert_eq!(read(b"gannets < gulls"), "gannets < gulls");
        assert_eq!(read(b"\x89PNG\0\0\0"), "");
        assert_eq!(read(b""), "");
    }
}
