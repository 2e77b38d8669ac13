//! A recorded site that answers as a well-behaved server does, on a virtual clock.
//!
//! Every answer has an `ETag` made of its body, and whoever holds that version is told that it is
//! not modified. The site stands still for a day: it is served as it was in the morning, so that
//! all pages of a round are of one moment. It says 404 to robots.txt: everything may be fetched.

use std::collections::{HashMap, HashSet};
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use bytes::Bytes;
use gannet_model::{
    Failure, Fingerprint, Headers, Host, PageUrl, Response, Timestamp, Timings, Validators,
};
use xxhash_rust::xxh3::xxh3_64;

use super::stretch::{DAY, Stretch, morning};
use super::trace::{Trace, TraceError};
use crate::web::{ReplayWeb, Reply};

/// The pages of a stretch, as a server has them.
pub(super) struct Site {
    host: String,
    began: Timestamp,
    /// The path and, day by day, the name of the body of each page.
    pages: HashMap<Fingerprint, Vec<String>>,
    bodies: HashMap<String, Bytes>,
    /// Bytes sent for pages, day by day.
    pub(super) sent: Vec<u64>,
}

/// How long an answer takes; nothing depends on it.
const TOOK: Duration = Duration::from_millis(20);

impl Site {
    /// Takes the pages of a stretch out of the trace.
    pub(super) fn new(trace: &Trace, stretch: &Stretch, days: u32) -> Result<Site, TraceError> {
        let host = host(&trace.name);
        let mut pages = HashMap::new();
        let mut names = HashSet::new();
        for page in &stretch.pages {
            let blobs = (0..=days).map(|day| trace.blob(page, morning(stretch.began, day)));
            let blobs: Vec<&str> = blobs.flatten().collect();
            names.extend(blobs.iter().copied());
            let url = address(&trace.name, page).map(|url| url.fingerprint());
            let blobs = blobs.into_iter().map(str::to_owned).collect();
            pages.extend(url.map(|url| (url, blobs)));
        }
        let sent = vec![0; days as usize + 1];
        Ok(Site { host, began: stretch.began, pages, bodies: trace.bodies(&names)?, sent })
    }

    /// The body that a page has on a day.
    pub(super) fn body(&self, url: Fingerprint, day: u32) -> Option<&Bytes> {
        let blobs = self.pages.get(&url)?;
        self.bodies.get(blobs.get(day as usize)?)
    }

    /// What sending a page as a whole takes.
    pub(super) fn bytes_of_whole(&self, body: &Bytes) -> u64 {
        (head_bytes(&headers(body)) + body.len()) as u64
    }
}

/// The address of a page.
pub(super) fn address(site: &str, page: &str) -> Option<PageUrl> {
    let path = page.replace('%', "%25").replace('?', "%3F").replace('#', "%23");
    PageUrl::parse(&format!("http://{}/{path}", host(site))).ok()
}

/// The number of the day at a time.
pub(super) fn day_at(began: Timestamp, now: Timestamp) -> u32 {
    let days = now.since(began).as_secs() / DAY.as_secs();
    u32::try_from(days).unwrap_or(u32::MAX)
}

fn host(site: &str) -> String {
    let name = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    format!("{}.test", site.chars().map(name).collect::<String>().trim_matches('-'))
}

fn headers(body: &Bytes) -> Headers {
    let lines = [
        ("date", "Thu, 01 Jan 1970 00:00:00 GMT".to_owned()),
        ("server", "recorded".to_owned()),
        ("content-type", "text/html".to_owned()),
        ("content-length", body.len().to_string()),
        ("etag", etag(body)),
    ];
    lines.into_iter().collect()
}

fn etag(body: &Bytes) -> String {
    format!("\"{:016x}\"", xxh3_64(body))
}

/// Bytes of a status line and headers, with what stands between and behind them.
fn head_bytes(headers: &Headers) -> usize {
    let lines: usize = headers.iter().map(|(name, value)| name.len() + value.len() + 4).sum();
    "HTTP/1.1 200 OK\r\n\r\n".len() + lines
}

impl ReplayWeb for Site {
    fn resolve(&self, host: &Host) -> Result<IpAddr, Failure> {
        if host.name() == self.host {
            return Ok(Ipv4Addr::new(10, 0, 0, 1).into());
        }
        Err(Failure::NameNotFound)
    }

    fn answer(&mut self, url: &PageUrl, address: IpAddr, now: Timestamp) -> Reply {
        self.answer_again(url, address, &Validators::default(), now)
    }

    fn answer_again(
        &mut self,
        url: &PageUrl,
        address: IpAddr,
        held: &Validators,
        now: Timestamp,
    ) -> Reply {
        let day = day_at(self.began, now);
        let (status, headers, body) = match self.body(url.fingerprint(), day) {
            None => (404, Headers::default(), Bytes::new()),
            Some(body) if held.etag.as_ref() == Some(&etag(body)) => {
                (304, headers(body), Bytes::new())
            }
            Some(body) => (200, headers(body), body.clone()),
        };
        if status != 404
            && let Some(sent) = self.sent.get_mut(day as usize)
        {
            *sent += (head_bytes(&headers) + body.len()) as u64;
        }
        let response = Response {
            address,
            asked_at: now,
            timings: Timings { connect: Duration::ZERO, first_byte: TOOK, total: TOOK },
            ..Response::made(url.clone(), status, headers, body)
        };
        Reply { answer: Ok(response), took: TOOK }
    }

    fn is_relevant(&self, url: &PageUrl) -> bool {
        self.pages.contains_key(&url.fingerprint())
    }

    /// Nothing but the pages that are watched.
    fn leads_to(&self, url: &PageUrl) -> bool {
        self.pages.contains_key(&url.fingerprint())
    }
}
