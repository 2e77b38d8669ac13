//! What a server answered, as it came and as it reads.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::{PageUrl, Timestamp};

/// One complete HTTP exchange. Redirects are answers like any other: they are
/// never followed behind the caller's back, because the target host has a gate
/// and a `robots.txt` of its own.
#[derive(Clone, Debug)]
pub struct Response {
    /// What was asked for.
    pub url: PageUrl,
    /// The request head as it was sent, for the archive.
    pub request_head: Bytes,
    /// The protocol spoken.
    pub version: HttpVersion,
    /// The status code.
    pub status: u16,
    /// The reason phrase as sent; HTTP/2 has none.
    pub status_text: String,
    /// Header lines in the order received.
    pub headers: Headers,
    /// The body as it came over the wire, after transfer decoding and before content decoding.
    pub wire_body: Bytes,
    /// The body after content decoding; shares memory with `wire_body` when there was none.
    pub body: Bytes,
    /// The address that answered.
    pub address: IpAddr,
    /// When the request was sent.
    pub asked_at: Timestamp,
    /// How long each phase took.
    pub timings: Timings,
}

/// How long each phase of an exchange took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timings {
    /// Connecting and TLS; zero on a kept-alive connection.
    pub connect: Duration,
    /// From the request to the first byte of the answer.
    pub first_byte: Duration,
    /// From the request to the last byte of the answer.
    pub total: Duration,
}

/// The protocol spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HttpVersion {
    /// HTTP/1.0
    Http10,
    /// HTTP/1.1
    Http11,
    /// HTTP/2
    Http2,
}

/// Header lines in the order received. Names compare without case; values may be any bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, Bytes)>);

/// What to send back so that the server may answer "not modified".
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    /// The `ETag` of the version we hold.
    pub etag: Option<String>,
    /// The `Last-Modified` of the version we hold.
    pub last_modified: Option<String>,
}

impl Response {
    /// An answer that no server gave: of files, recordings and made-up webs. Who was asked, when,
    /// and how long it took is for the caller to say where it matters.
    pub fn made(url: PageUrl, status: u16, headers: Headers, body: Bytes) -> Response {
        Response {
            url,
            request_head: Bytes::new(),
            version: HttpVersion::Http11,
            status,
            status_text: String::new(),
            headers,
            wire_body: body.clone(),
            body,
            address: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            asked_at: Timestamp::ZERO,
            timings: Timings::default(),
        }
    }

    /// True for 2xx.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// True for 304: the copy we hold is still good.
    pub fn is_not_modified(&self) -> bool {
        self.status == 304
    }

    /// Where a redirect leads, resolved against the URL asked for.
    pub fn redirect_target(&self) -> Option<PageUrl> {
        if !matches!(self.status, 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        self.url.join(&self.headers.text("location")?).ok()
    }

    /// The media type without parameters, in lower case; empty when not given.
    pub fn media_type(&self) -> String {
        let value = self.headers.text("content-type").unwrap_or_default();
        value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
    }

    /// The validators of this version, for the next conditional request.
    pub fn validators(&self) -> Validators {
        Validators {
            etag: self.headers.text("etag"),
            last_modified: self.headers.text("last-modified"),
        }
    }
}

impl Validators {
    /// True when there is nothing to send.
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

impl HttpVersion {
    /// As written in a status line.
    pub fn as_str(self) -> &'static str {
        match self {
            HttpVersion::Http10 => "HTTP/1.0",
            HttpVersion::Http11 => "HTTP/1.1",
            HttpVersion::Http2 => "HTTP/2",
        }
    }
}

impl Headers {
    /// No header.
    pub fn new() -> Headers {
        Headers::default()
    }

    /// Adds a line at the end.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<Bytes>) {
        self.0.push((name.into(), value.into()));
    }

    /// The first value of this name, as text: bytes that are not UTF-8 are replaced.
    pub fn text(&self, name: &str) -> Option<String> {
        self.get(name).map(|value| String::from_utf8_lossy(value).trim().to_owned())
    }

    /// The first value of this name.
    pub fn get(&self, name: &str) -> Option<&Bytes> {
        self.0.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Every value of this name, in order.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Bytes> {
        self.0.iter().filter(move |(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Every line in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Bytes)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True when there is no line.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<N: Into<String>, V: Into<Bytes>> FromIterator<(N, V)> for Headers {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(lines: I) -> Headers {
        Headers(lines.into_iter().map(|(n, v)| (n.into(), v.into())).collect())
    }
}
