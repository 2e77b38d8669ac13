//! The whole exchange: connection, request, head, body, and their time limits.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use gannet_model::{Headers, Host, HttpVersion, Response, Timestamp, Timings};
use http_body::Body as _;
use hyper::body::Incoming;
use hyper::ext::ReasonPhrase;
use tokio::time::{Instant, timeout};
use tracing::debug;

use crate::body::{Arrived, Arriving, BodyError};
use crate::connection::Connection;
use crate::dial::Dialer;
use crate::names::Names;
use crate::pool::{Place, Pool};
use crate::request::{Manners, Outgoing};
use crate::unpack::UnpackError;
use crate::{Config, FetchError, Guard, Limits, Phase, Request, SetupError, Target, Timeouts};

/// Looks hosts up and brings pages. Clones are one fetcher: they share
/// connections and names, and the last one closes them.
#[derive(Clone)]
pub struct Fetcher {
    inner: Arc<Inner>,
}

struct Inner {
    names: Names,
    guard: Guard,
    dialer: Dialer,
    manners: Manners,
    limits: Limits,
    timeouts: Timeouts,
    pool: Mutex<Pool<Connection>>,
}

/// What is known about one request while it is under way.
struct Errand<'a> {
    host: &'a Host,
    request: &'a Request,
    outgoing: Outgoing,
}

/// How an attempt on a kept connection went wrong.
enum Attempt {
    /// The server had hung up before it saw the request: ask again elsewhere.
    Unanswered,
    Failed(FetchError),
}

/// What carries a request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Carrier {
    /// A connection of an earlier request, which may be stale.
    Kept,
    /// A new connection, which took this long.
    New(Duration),
}

impl Fetcher {
    /// Sets a fetcher up. Reads the files of root certificates and nothing else.
    pub fn new(config: Config) -> Result<Fetcher, SetupError> {
        let dialer = Dialer::new(&config)?;
        let manners = Manners::new(&config)?;
        let names = Names::new(config.overrides, config.names, config.timeouts.lookup);
        Ok(Fetcher {
            inner: Arc::new(Inner {
                names,
                guard: Guard::new(config.allow_addresses),
                dialer,
                manners,
                limits: config.limits,
                timeouts: config.timeouts,
                pool: Mutex::new(Pool::new(config.pool)),
            }),
        })
    }

    /// Looks a host up: overrides first, then what is remembered, then the DNS.
    /// Addresses we never talk to are left out; if none remains, that is the error.
    pub async fn resolve(&self, host: &Host) -> Result<Target, FetchError> {
        self.inner.names.resolve(host, &self.inner.guard).await
    }

    /// One exchange with the addresses in `request.target` and no others. The
    /// name is not looked up again, and redirects are not followed.
    pub async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        let host = request.url.host();
        let limit = self.inner.timeouts.whole;
        let outgoing = self.inner.manners.prepare(&request);
        let errand = Errand { host: &host, request: &request, outgoing };
        match timeout(limit, self.inner.run(&errand)).await {
            Ok(result) => result,
            Err(_) => Err(errand.too_slow(Phase::Whole, limit)),
        }
    }

    /// Closes connections that have lain idle too long. Every fetch does so
    /// too; a crawl that pauses may call this so as not to keep servers waiting.
    pub fn close_idle(&self) {
        self.inner.lock_pool().close_idle(std::time::Instant::now());
    }

    /// How many idle connections are kept.
    pub fn idle_connections(&self) -> usize {
        self.inner.lock_pool().len()
    }
}

impl Inner {
    /// Asks on a kept connection if there is one, else on a new one.
    async fn run(&self, errand: &Errand<'_>) -> Result<Response, FetchError> {
        let url = &errand.request.url;
        let sockets: Vec<SocketAddr> = errand.request.target.sockets(url.port()).collect();
        for &socket in sockets.iter().filter(|socket| self.guard.permits(socket.ip())) {
            let place = errand.place(socket);
            let kept = self.lock_pool().take(&place, std::time::Instant::now());
            let Some(mut connection) = kept else { continue };
            if !connection.is_ready().await {
                continue;
            }
            match self.attempt(errand, connection, place, Carrier::Kept).await {
                Err(Attempt::Unanswered) => {
                    debug!(host = %errand.host, "kept connection was closed, asking on a new one");
                    break;
                }
                Err(Attempt::Failed(error)) => return Err(error),
                Ok(response) => return Ok(response),
            }
        }
        self.run_on_new_connection(errand, &sockets).await
    }

    async fn run_on_new_connection(
        &self,
        errand: &Errand<'_>,
        sockets: &[SocketAddr],
    ) -> Result<Response, FetchError> {
        let started = Instant::now();
        let scheme = errand.request.url.scheme();
        let (wire, socket) = self.dialer.dial(errand.host, scheme, sockets, &self.guard).await?;
        let connection = Connection::open(wire, &self.limits)
            .await
            .map_err(|error| errand.name_error(error, &self.limits))?;
        let carrier = Carrier::New(started.elapsed());
        match self.attempt(errand, connection, errand.place(socket), carrier).await {
            Ok(response) => Ok(response),
            Err(Attempt::Failed(error)) => Err(error),
            Err(Attempt::Unanswered) => {
                Err(errand.broken("the server hung up without an answer".into()))
            }
        }
    }

    /// One request on one connection, which goes to the pool if it can be used again.
    async fn attempt(
        &self,
        errand: &Errand<'_>,
        mut connection: Connection,
        place: Place,
        carrier: Carrier,
    ) -> Result<Response, Attempt> {
        let asked_at = Timestamp::from(SystemTime::now());
        let started = Instant::now();
        let received = connection.received_bytes();
        let limit = self.timeouts.first_byte;
        let answer = timeout(limit, connection.send(&errand.outgoing))
            .await
            .map_err(|_| Attempt::Failed(errand.too_slow(Phase::FirstByte, limit)))?;
        let answer = answer.map_err(|error| {
            let is_silent = connection.received_bytes() == received || is_refusal(&error);
            if carrier == Carrier::Kept && is_silent && !error.is_parse() {
                return Attempt::Unanswered;
            }
            Attempt::Failed(match is_http2_head_too_large(&error) {
                true => errand.head_too_large(&self.limits),
                false => errand.name_error(error, &self.limits),
            })
        })?;
        let first_byte = started.elapsed();
        let (head, mut body) = answer.into_parts();
        let headers = self.keep_headers(errand, &head).map_err(Attempt::Failed)?;
        let arrived = self
            .gather(errand, &mut connection, &head, &mut body)
            .await
            .map_err(Attempt::Failed)?;
        let total = started.elapsed();
        let timings = Timings { connect: carrier.took(), first_byte, total };
        let address = place.socket.ip();
        drop(body);
        if connection.is_ready().await {
            self.lock_pool().put(place, connection, std::time::Instant::now());
        }
        Ok(Response {
            url: errand.request.url.clone(),
            request_head: errand.outgoing.head(),
            version: version(head.version),
            status: head.status.as_u16(),
            status_text: status_text(&head),
            headers,
            wire_body: arrived.wire,
            body: arrived.body,
            address,
            asked_at,
            timings,
        })
    }

    /// Receives and unpacks the body.
    async fn gather(
        &self,
        errand: &Errand<'_>,
        connection: &mut Connection,
        head: &http::response::Parts,
        body: &mut Incoming,
    ) -> Result<Arrived, FetchError> {
        let limit = errand.request.body_limit.unwrap_or(u64::MAX).min(self.limits.max_body_bytes);
        let expected = body.size_hint().exact();
        let labels = head.headers.get_all(http::header::CONTENT_ENCODING);
        let labels = labels.iter().map(http::HeaderValue::as_bytes);
        let mut arriving = Arriving::new(expected, limit, labels, &self.limits)
            .map_err(|error| errand.name_body_error(error))?;
        let name = |error| errand.name_error(error, &self.limits);
        while let Some(piece) = connection.next_piece(body).await.map_err(name)? {
            arriving.push(piece).map_err(|error| errand.name_body_error(error))?;
        }
        arriving.finish().map_err(|error| errand.name_body_error(error))
    }

    /// Copies the header lines out. HTTP/2 leaves the number of lines to us.
    fn keep_headers(
        &self,
        errand: &Errand<'_>,
        head: &http::response::Parts,
    ) -> Result<Headers, FetchError> {
        if head.headers.len() > self.limits.max_headers {
            return Err(errand.head_too_large(&self.limits));
        }
        let lines = head.headers.iter();
        Ok(lines
            .map(|(name, value)| (name.as_str(), bytes::Bytes::copy_from_slice(value.as_bytes())))
            .collect())
    }

    fn lock_pool(&self) -> MutexGuard<'_, Pool<Connection>> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Carrier {
    fn took(self) -> Duration {
        match self {
            Carrier::Kept => Duration::ZERO,
            Carrier::New(took) => took,
        }
    }
}

impl Errand<'_> {
    fn place(&self, socket: SocketAddr) -> Place {
        let scheme = self.request.url.scheme();
        Place { scheme, name: self.host.name().into(), socket }
    }

    fn too_slow(&self, phase: Phase, limit: Duration) -> FetchError {
        FetchError::Timeout { host: self.host.clone(), phase, limit }
    }

    fn broken(&self, source: crate::error::Cause) -> FetchError {
        FetchError::Broken { host: self.host.clone(), source }
    }

    fn head_too_large(&self, limits: &Limits) -> FetchError {
        FetchError::HeadTooLarge {
            host: self.host.clone(),
            max_bytes: limits.max_head_bytes,
            max_lines: limits.max_headers,
        }
    }

    fn name_body_error(&self, error: BodyError) -> FetchError {
        let host = self.host.clone();
        match error {
            BodyError::TooLarge(limit) => FetchError::BodyTooLarge { host, limit },
            BodyError::Unpack(UnpackError::TooLarge(limit)) => {
                FetchError::UnpacksTooLarge { host, limit }
            }
            BodyError::Unpack(UnpackError::Bad { encoding, reason }) => {
                FetchError::BadEncoding { host, encoding, reason }
            }
        }
    }

    /// Finds out what hyper's error means to us.
    fn name_error(&self, error: hyper::Error, limits: &Limits) -> FetchError {
        if error.is_parse_too_large() {
            return self.head_too_large(limits);
        }
        if error.is_parse() || is_nonsense(&error) {
            return FetchError::NotHttp { host: self.host.clone(), source: Box::new(error) };
        }
        self.broken(Box::new(error))
    }
}

/// What lies below hyper's error, if it is of this type.
fn cause<E: std::error::Error + 'static>(error: &hyper::Error) -> Option<&E> {
    let mut below = std::error::Error::source(error);
    while let Some(source) = below {
        if let Some(found) = source.downcast_ref::<E>() {
            return Some(found);
        }
        below = source.source();
    }
    None
}

/// True when the server says by HTTP/2's own means that it did not look at the request.
fn is_refusal(error: &hyper::Error) -> bool {
    cause::<h2::Error>(error).is_some_and(|error| {
        error.is_remote()
            && (error.reason() == Some(h2::Reason::REFUSED_STREAM)
                || error.is_go_away() && error.reason() == Some(h2::Reason::NO_ERROR))
    })
}

/// A head beyond our `SETTINGS_MAX_HEADER_LIST_SIZE` makes the library reset
/// the stream, a flood of `CONTINUATION` frames makes it hang up. It gives the
/// same reason for a malformed head, which no browser would show either: heads
/// that reach a crawler are large far more often than they are malformed.
fn is_http2_head_too_large(error: &hyper::Error) -> bool {
    cause::<h2::Error>(error).is_some_and(|error| {
        let reason = error.reason();
        error.is_library()
            && (error.is_reset() && reason == Some(h2::Reason::PROTOCOL_ERROR)
                || error.is_go_away() && reason == Some(h2::Reason::ENHANCE_YOUR_CALM))
    })
}

/// True when what came cannot be understood, as opposed to not coming at all.
fn is_nonsense(error: &hyper::Error) -> bool {
    if let Some(error) = cause::<h2::Error>(error) {
        return error.is_library();
    }
    // This is how hyper reports a chunk size that is none.
    cause::<std::io::Error>(error).is_some_and(|error| {
        matches!(error.kind(), std::io::ErrorKind::InvalidInput | std::io::ErrorKind::InvalidData)
    })
}

fn version(version: http::Version) -> HttpVersion {
    match version {
        http::Version::HTTP_09 | http::Version::HTTP_10 => HttpVersion::Http10,
        http::Version::HTTP_2 | http::Version::HTTP_3 => HttpVersion::Http2,
        _ => HttpVersion::Http11,
    }
}

/// The reason phrase as sent. hyper keeps only phrases that are not the usual
/// ones; for the others the usual one *is* what was sent.
fn status_text(head: &http::response::Parts) -> String {
    if head.version == http::Version::HTTP_2 {
        return String::new();
    }
    match head.extensions.get::<ReasonPhrase>() {
        Some(phrase) => String::from_utf8_lossy(phrase.as_bytes()).into_owned(),
        None => head.status.canonical_reason().unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests;
