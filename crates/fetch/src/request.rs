//! What we ask, and how it looks on the wire.
//!
//! One `GET` with an honest name, the encodings we can unpack and, when we
//! hold a copy, the validators that let the server say "not modified". No
//! cookies, no referrer, no credentials.

use std::fmt::Write as _;

use bytes::Bytes;
use gannet_model::{PageUrl, Scheme, Validators};
use http::header::{
    ACCEPT, ACCEPT_ENCODING, ACCEPT_LANGUAGE, HOST, IF_MODIFIED_SINCE, IF_NONE_MATCH, USER_AGENT,
};
use http::uri::{Authority, PathAndQuery};
use http::{HeaderMap, HeaderName, HeaderValue, Uri};
use http_body_util::Empty;

use crate::{Config, SetupError, Target};

/// The encodings of [`unpack`](crate::unpack), best first for a crawler: zstd
/// and gzip unpack fastest, but servers often compress brotli ahead of time.
const ENCODINGS: &str = "gzip, br, zstd, deflate";

/// One page to ask for.
#[derive(Clone, Debug)]
pub struct Request {
    /// What to ask for.
    pub url: PageUrl,
    /// Whom to ask, from [`Fetcher::resolve`](crate::Fetcher::resolve).
    pub target: Target,
    /// Of the version we hold, if any.
    pub validators: Validators,
    /// What kind of answer is wanted.
    pub accept: Accept,
    /// A lower limit on the body than the configuration's.
    pub body_limit: Option<u64>,
}

/// What kind of answer is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Accept {
    /// A page for reading.
    #[default]
    Page,
    /// `robots.txt`.
    Robots,
    /// A feed or a sitemap.
    Feed,
    /// Whatever there is.
    Anything,
}

impl Request {
    /// Asks for a page we hold no copy of.
    pub fn new(url: PageUrl, target: Target) -> Request {
        Request {
            url,
            target,
            validators: Validators::default(),
            accept: Accept::Page,
            body_limit: None,
        }
    }
}

impl Accept {
    fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Accept::Page => "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            Accept::Robots => "text/plain,*/*;q=0.1",
            Accept::Feed => {
                "application/atom+xml,application/rss+xml,application/feed+json,\
                 application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.1"
            }
            Accept::Anything => "*/*",
        })
    }
}

/// The headers that are the same in every request.
#[derive(Clone, Debug)]
pub(crate) struct Manners {
    user_agent: HeaderValue,
    accept_language: Option<HeaderValue>,
}

/// A request ready to be sent, once or, on a stale connection, twice.
#[derive(Clone, Debug)]
pub(crate) struct Outgoing {
    scheme: Scheme,
    authority: HeaderValue,
    path: PathAndQuery,
    /// Everything but `Host`.
    headers: HeaderMap,
}

impl Manners {
    pub(crate) fn new(config: &Config) -> Result<Manners, SetupError> {
        let header = |field: &'static str, text: &str| {
            HeaderValue::from_str(text)
                .map_err(|_| SetupError::NotAHeader { field, text: text.to_owned() })
        };
        let language = config.accept_language.as_deref();
        Ok(Manners {
            user_agent: header("user_agent", &config.user_agent)?,
            accept_language: language.map(|text| header("accept_language", text)).transpose()?,
        })
    }

    /// Prepares a request. Validators that no header can carry are left out:
    /// the worst that happens is a full answer.
    pub(crate) fn prepare(&self, request: &Request) -> Outgoing {
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(USER_AGENT, self.user_agent.clone());
        headers.insert(ACCEPT, request.accept.header());
        if let Some(language) = &self.accept_language {
            headers.insert(ACCEPT_LANGUAGE, language.clone());
        }
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(ENCODINGS));
        let mut validate = |name: HeaderName, text: &Option<String>| {
            if let Some(Ok(value)) = text.as_deref().map(HeaderValue::from_str) {
                headers.insert(name, value);
            }
        };
        validate(IF_NONE_MATCH, &request.validators.etag);
        validate(IF_MODIFIED_SINCE, &request.validators.last_modified);
        Outgoing {
            scheme: request.url.scheme(),
            authority: authority(&request.url),
            path: path_and_query(request.url.path_and_query()),
            headers,
        }
    }
}

impl Outgoing {
    /// The form HTTP/1.1 wants: a path, and the host in a header.
    pub(crate) fn for_http1(&self) -> http::Request<Empty<Bytes>> {
        let mut request = http::Request::new(Empty::new());
        *request.uri_mut() = Uri::from(self.path.clone());
        let headers = request.headers_mut();
        headers.reserve(self.headers.len() + 1);
        headers.insert(HOST, self.authority.clone());
        for (name, value) in &self.headers {
            headers.insert(name, value.clone());
        }
        request
    }

    /// The form HTTP/2 wants: the host in the address, no `Host`.
    pub(crate) fn for_http2(&self) -> http::Request<Empty<Bytes>> {
        let mut parts = http::uri::Parts::default();
        parts.scheme = Some(match self.scheme {
            Scheme::Http => http::uri::Scheme::HTTP,
            Scheme::Https => http::uri::Scheme::HTTPS,
        });
        parts.authority = Authority::try_from(self.authority.as_bytes()).ok();
        parts.path_and_query = Some(self.path.clone());
        let mut request = http::Request::new(Empty::new());
        *request.version_mut() = http::Version::HTTP_2;
        *request.uri_mut() = Uri::from_parts(parts).unwrap_or_default();
        *request.headers_mut() = self.headers.clone();
        request
    }

    /// The head as HTTP/1.1 sends it; for HTTP/2, as it would. Archives know no other form.
    pub(crate) fn head(&self) -> Bytes {
        let mut text = String::with_capacity(512);
        let host = self.authority.to_str().unwrap_or_default();
        let _ = write!(text, "GET {} HTTP/1.1\r\nHost: {host}\r\n", self.path);
        let mut head = text.into_bytes();
        for (name, value) in &self.headers {
            push_title_case(&mut head, name.as_str());
            head.extend_from_slice(b": ");
            head.extend_from_slice(value.as_bytes());
            head.extend_from_slice(b"\r\n");
        }
        head.extend_from_slice(b"\r\n");
        head.into()
    }
}

/// Writes `accept-encoding` as `Accept-Encoding`, as hyper does on the wire.
fn push_title_case(head: &mut Vec<u8>, name: &str) {
    let mut is_start = true;
    for &byte in name.as_bytes() {
        head.push(if is_start { byte.to_ascii_uppercase() } else { byte });
        is_start = byte == b'-';
    }
}

/// Name and port as they stand in the URL.
fn authority(url: &PageUrl) -> HeaderValue {
    let parsed = url.as_url();
    let text = &parsed[url::Position::BeforeHost..url::Position::AfterPort];
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// The path as a request line may carry it. WHATWG URLs leave a few bytes bare
/// that the HTTP library refuses; those are percent-encoded, which means the same.
fn path_and_query(text: &str) -> PathAndQuery {
    if let Ok(path) = PathAndQuery::try_from(text) {
        return path;
    }
    let mut encoded = String::with_capacity(text.len() + 16);
    for &byte in text.as_bytes() {
        let is_safe = byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&byte);
        if is_safe {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    PathAndQuery::try_from(encoded).unwrap_or_else(|_| PathAndQuery::from_static("/"))
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn prepare(url: &str, validators: Validators) -> Outgoing {
        let config = Config { accept_language: Some("en".to_owned()), ..Config::default() };
        let target = Target::fixed(IpAddr::V4(Ipv4Addr::LOCALHOST), None);
        let request = Request { validators, ..Request::new(PageUrl::parse(url).unwrap(), target) };
        Manners::new(&config).unwrap().prepare(&request)
    }

    #[test]
    fn the_head_names_the_host_us_and_the_copy_we_hold() {
        let validators = Validators {
            etag: Some("\"v1\"".to_owned()),
            last_modified: Some("Sat, 01 Jan 2000 00:00:00 GMT".to_owned()),
        };
        let outgoing = prepare("http://a.test:8080/x?y=1", validators);
        let head = String::from_utf8(outgoing.head().to_vec()).unwrap();
        let expected = format!(
            "GET /x?y=1 HTTP/1.1\r\nHost: a.test:8080\r\nUser-Agent: gannet/{}\r\n\
             Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n\
             Accept-Language: en\r\nAccept-Encoding: gzip, br, zstd, deflate\r\n\
             If-None-Match: \"v1\"\r\nIf-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMT\r\n\r\n",
            env!("CARGO_PKG_VERSION")
        );
        assert_eq!(head, expected);
    }

    #[test]
    fn validators_that_no_header_can_carry_are_left_out() {
        let validators = Validators { etag: Some("a\r\nb: c".to_owned()), last_modified: None };
        assert!(prepare("http://a.test/", validators).headers.get(IF_NONE_MATCH).is_none());
    }

    #[test]
    fn every_url_has_a_request_line() {
        for text in ["http://a.test/`|^{}\"<>", "http://a.test/?`|^{}'\\", "http://a.test/é?ü"] {
            let outgoing = prepare(text, Validators::default());
            assert!(outgoing.path.as_str().len() > 3, "{text} became {}", outgoing.path);
        }
        let http2 = prepare("https://a.test:444/x", Validators::default()).for_http2();
        assert_eq!(http2.uri().to_string(), "https://a.test:444/x");
    }

    #[test]
    fn a_name_that_is_no_header_is_refused_at_setup() {
        let config = Config { user_agent: "a\nb".to_owned(), ..Config::default() };
        assert!(matches!(
            Manners::new(&config),
            Err(SetupError::NotAHeader { field: "user_agent", .. })
        ));
    }
}
