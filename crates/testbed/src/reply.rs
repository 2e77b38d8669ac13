//! A question to the web and its answer, without sockets.

use std::borrow::Cow;
use std::time::Duration;

use bytes::Bytes;

use crate::naming::Naming;

/// One request, as far as it matters to the answer.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The name of the host.
    pub host: &'a str,
    /// The path and, after a `?`, the query.
    pub path_and_query: &'a str,
    /// The value of `If-None-Match`.
    pub if_none_match: Option<&'a str>,
    /// The value of `If-Modified-Since`.
    pub if_modified_since: Option<&'a str>,
    /// How often this URL was asked for before, so that what fails at first
    /// can succeed later.
    pub attempt: u32,
    /// The moment, in microseconds since 1970.
    pub at: u64,
    /// How links in the answer name hosts.
    pub naming: Naming,
}

impl<'a> Ask<'a> {
    /// A first, unconditional request.
    pub fn new(host: &'a str, path_and_query: &'a str, at: u64) -> Ask<'a> {
        Ask {
            host,
            path_and_query,
            if_none_match: None,
            if_modified_since: None,
            attempt: 0,
            at,
            naming: Naming::Names,
        }
    }
}

/// How the body of an answer ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As it should.
    Whole,
    /// The connection closes after this many bytes of the body.
    CutAfter(usize),
    /// After the body comes a block, again and again, and then the tail.
    Repeat {
        /// What is repeated.
        block: Bytes,
        /// How often; `u64::MAX` is for ever.
        times: u64,
        /// What comes last.
        tail: Bytes,
    },
    /// The body comes byte by byte.
    Drip {
        /// The time between two bytes.
        interval: Duration,
    },
    /// No answer ever comes; status, headers and body mean nothing.
    Silent,
}

/// An answer. The same [`Ask`] always gets the same reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The headers in order, names in lower case. Values are bytes, because
    /// hostile ones are not text.
    pub headers: Vec<(Cow<'static, str>, Bytes)>,
    /// The body, or its beginning (see `ending`).
    pub body: Bytes,
    /// How long the server thinks before it answers.
    pub latency: Duration,
    /// How the body ends.
    pub ending: Ending,
}

impl Reply {
    /// The first header of this name, if it is text.
    pub fn header_text(&self, name: &str) -> Option<&str> {
        let (_, value) = self.headers.iter().find(|(key, _)| key == name)?;
        std::str::from_utf8(value).ok()
    }

    pub(crate) fn status(status: u16) -> Reply {
        Reply {
            status,
            headers: Vec::new(),
            body: Bytes::new(),
            latency: Duration::ZERO,
            ending: Ending::Whole,
        }
    }

    pub(crate) fn ok(content_type: &'static str, body: impl Into<Bytes>) -> Reply {
        Reply::status(200).header("content-type", content_type).body(body)
    }

    /// A short page that says what went wrong.
    pub(crate) fn error(status: u16, text: &'static str) -> Reply {
        Reply::status(status).header("content-type", "text/html; charset=utf-8").body(text)
    }

    pub(crate) fn redirect(status: u16, location: impl Into<Bytes>) -> Reply {
        Reply::status(status).header("location", location)
    }

    pub(crate) fn header(
        mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<Bytes>,
    ) -> Reply {
        self.headers.push((name.into(), value.into()));
        self
    }

    pub(crate) fn body(mut self, body: impl Into<Bytes>) -> Reply {
        self.body = body.into();
        self
    }

    pub(crate) fn ending(mut self, ending: Ending) -> Reply {
        self.ending = ending;
        self
    }
}
