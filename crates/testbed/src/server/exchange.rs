//! One request and its answer: from HTTP to [`Ask`], from [`Reply`] to HTTP.

use std::collections::HashMap;
use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, header};
use hyper::body::Incoming;

use super::delivery::Delivery;
use super::journal::{Journal, LogEntry};
use crate::naming::{self, Naming};
use crate::reply::{Ask, Ending, Reply};
use crate::web::Web;

/// What every connection needs to answer.
pub(super) struct Exchange {
    web: Arc<Web>,
    /// How links name hosts when the client uses addresses.
    by_address: Naming,
    journal: Arc<Journal>,
    /// How often each URL was asked for, by the hash of host and path.
    attempts: Mutex<HashMap<u64, u32>>,
}

/// Which host the client means, and how it names hosts.
struct Meant {
    name: String,
    naming: Naming,
}

impl Exchange {
    pub(super) fn new(web: Arc<Web>, by_address: Naming, journal: Arc<Journal>) -> Exchange {
        Exchange { web, by_address, journal, attempts: Mutex::default() }
    }

    pub(super) async fn answer(
        &self,
        request: Request<Incoming>,
        address: Ipv4Addr,
    ) -> io::Result<Response<Delivery>> {
        let received_at = self.journal.now();
        let meant = self.meant(&request);
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
        let attempt = self.count(&meant.name, path);
        let headers = request.headers();
        let entry = self.journal.begin(LogEntry {
            url: format!("http://{}{path}", meant.name),
            path: path.into(),
            method: request.method().to_string(),
            address,
            received_at,
            finished_at: None,
            received_mono: 0,
            finished_mono: None,
            status: 0,
            attempt,
            user_agent: text(headers, header::USER_AGENT).map(Into::into),
            host: meant.name.clone(),
        });
        let ask = Ask {
            host: &meant.name,
            path_and_query: path,
            if_none_match: text(headers, header::IF_NONE_MATCH),
            if_modified_since: text(headers, header::IF_MODIFIED_SINCE),
            attempt,
            at: received_at,
            naming: meant.naming,
        };
        let reply = self.reply(request.method(), &ask);
        if reply.ending == Ending::Silent {
            // The entry is dropped with this future, when the client gives up.
            std::future::pending::<()>().await;
        }
        if !reply.latency.is_zero() {
            tokio::time::sleep(reply.latency).await;
        }
        let reply = fit(reply, request.method(), headers)?;
        entry.set_status(reply.status);
        respond(reply, |body, ending| Delivery::new(body, ending, entry))
    }

    fn reply(&self, method: &Method, ask: &Ask<'_>) -> Reply {
        match *method {
            Method::GET | Method::HEAD => self.web.respond(ask),
            _ => Reply::error(405, "<title>No</title><p>Only GET and HEAD.</p>")
                .header("allow", "GET, HEAD"),
        }
    }

    fn meant(&self, request: &Request<Incoming>) -> Meant {
        let authority = match request.uri().authority() {
            Some(authority) => authority.as_str(),
            None => text(request.headers(), header::HOST).unwrap_or(""),
        };
        let name = authority.rsplit_once(':').map_or(authority, |(name, _)| name);
        let literal: Option<Ipv4Addr> = name.parse().ok();
        match (literal.and_then(naming::address_slot), self.by_address) {
            (Some(slot), Naming::Addresses { addresses, .. }) if slot < addresses => {
                Meant { name: self.web.host_name(slot), naming: self.by_address }
            }
            _ => Meant { name: name.to_ascii_lowercase(), naming: Naming::Names },
        }
    }

    /// Counts this request; returns how many came before.
    fn count(&self, name: &str, path: &str) -> u32 {
        let key = xxhash_rust::xxh3::xxh3_64_with_seed(
            path.as_bytes(),
            xxhash_rust::xxh3::xxh3_64(name.as_bytes()),
        );
        let mut attempts = self.attempts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = attempts.entry(key).or_insert(0);
        let before = *count;
        *count = count.saturating_add(1);
        before
    }
}

/// Fits the reply to what the client can take: gzip, or no body at all.
fn fit(mut reply: Reply, method: &Method, headers: &HeaderMap) -> io::Result<Reply> {
    if wants_gzip(headers) && is_worth_packing(&reply) {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::new(1));
        encoder.write_all(&reply.body)?;
        let packed = encoder.finish()?;
        reply = reply.header("content-encoding", "gzip").header("vary", "accept-encoding");
        reply.body = packed.into();
    }
    if let Ending::CutAfter(_) = reply.ending
        && reply.header_text("content-length").is_none()
    {
        let promised = reply.body.len().to_string();
        reply = reply.header("content-length", promised);
    }
    if *method == Method::HEAD {
        let is_sized = reply.ending == Ending::Whole && reply.status != 304;
        if is_sized {
            let length = reply.body.len().to_string();
            reply = reply.header("content-length", length);
        }
        reply.body = Bytes::new();
        reply.ending = Ending::Whole;
    }
    Ok(reply)
}

fn wants_gzip(headers: &HeaderMap) -> bool {
    text(headers, header::ACCEPT_ENCODING).is_some_and(|accepted| {
        accepted.split(',').any(|coding| {
            let mut parts = coding.split(';').map(str::trim);
            let is_gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
            is_gzip && !parts.any(|weight| weight == "q=0")
        })
    })
}

fn is_worth_packing(reply: &Reply) -> bool {
    let is_text = reply.header_text("content-type").is_some_and(|kind| kind.starts_with("text/"));
    let is_plain = reply.header_text("content-encoding").is_none();
    let is_sound = reply.status == 200 && reply.ending == Ending::Whole;
    is_text && is_plain && is_sound && reply.body.len() > 256
}

fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn respond(
    reply: Reply,
    deliver: impl FnOnce(Bytes, Ending) -> Delivery,
) -> io::Result<Response<Delivery>> {
    let mut response = Response::new(deliver(reply.body, reply.ending));
    *response.status_mut() = http::StatusCode::from_u16(reply.status).map_err(io::Error::other)?;
    for (name, value) in reply.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(io::Error::other)?;
        let value = HeaderValue::from_maybe_shared(value).map_err(io::Error::other)?;
        response.headers_mut().append(name, value);
    }
    Ok(response)
}
