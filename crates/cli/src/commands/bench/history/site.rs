//! Pages that change at different rates, day by day, on a virtual clock.
//!
//! Of a hundred pages two change every day, eight every week, twenty every month, forty twice a
//! year and thirty never. Every other page has an `ETag` and answers "not modified"; the rest send
//! the same bytes again. A change rewrites one paragraph of forty.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use bytes::Bytes;
use gannet_lab::{ReplayWeb, Reply};
use gannet_model::{
    Failure, Fingerprint, Headers, Host, PageUrl, Response, Timestamp, Timings, Validators,
};

/// A web of such pages.
pub(super) struct Site {
    /// The number of each page.
    pages: HashMap<Fingerprint, u32>,
    urls: Vec<PageUrl>,
    /// Nothing changes after this day.
    quiet_from: u32,
    /// The newest version of each page that was asked for.
    newest: HashMap<u32, (u32, Bytes)>,
}

/// When it begins: a day like any other.
pub(super) const BEGAN: Timestamp = Timestamp::from_secs(1_800_000_000);
const DAY: u64 = 24 * 3600;
const HOSTS: u32 = 20;
const PARAGRAPHS: u32 = 40;
/// Forty such paragraphs are some 20 KB.
const WORDS: u32 = 80;
const TOOK: Duration = Duration::from_millis(20);

/// The morning of a day.
pub(super) fn morning(day: u32) -> Timestamp {
    BEGAN + Duration::from_secs(DAY * u64::from(day))
}

impl Site {
    /// So many pages, which do not change any more after a day.
    pub(super) fn new(pages: u32, quiet_from: u32) -> anyhow::Result<Site> {
        let mut site =
            Site { pages: HashMap::new(), urls: Vec::new(), quiet_from, newest: HashMap::new() };
        for page in 0..pages {
            let host = page % HOSTS;
            let url = format!("http://www.site-{host}.test/articles/about-page-{page}.html");
            let url = PageUrl::parse(&url)?;
            site.pages.insert(url.fingerprint(), page);
            site.urls.push(url);
        }
        Ok(site)
    }

    /// The addresses of all pages.
    pub(super) fn urls(&self) -> &[PageUrl] {
        &self.urls
    }

    /// The version that a page has at a time; versions are counted from 0.
    fn version(&self, page: u32, now: Timestamp) -> u32 {
        let days = now.since(BEGAN).as_secs() / DAY;
        let day = u32::try_from(days).unwrap_or(u32::MAX).min(self.quiet_from);
        match period(page) {
            // Pages of one kind do not change on the same day.
            Some(period) => (day + page % period) / period,
            None => 0,
        }
    }

    /// What a page holds at a time.
    pub(super) fn body_at(&self, url: &PageUrl, now: Timestamp) -> Option<Bytes> {
        let page = *self.pages.get(&url.fingerprint())?;
        Some(body(page, self.version(page, now)))
    }

    fn newest(&mut self, page: u32, version: u32) -> Bytes {
        let newest = self.newest.entry(page).or_insert_with(|| (version, body(page, version)));
        if newest.0 != version {
            *newest = (version, body(page, version));
        }
        newest.1.clone()
    }
}

/// Every how many days a page changes; `None` for those that never do.
fn period(page: u32) -> Option<u32> {
    match page * 37 % 100 {
        0..2 => Some(1),
        2..10 => Some(7),
        10..30 => Some(30),
        30..70 => Some(180),
        _ => None,
    }
}

fn body(page: u32, version: u32) -> Bytes {
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><title>Page {page}</title></head>\n\
         <body><h1>About page {page}</h1>\n"
    );
    for paragraph in 0..PARAGRAPHS {
        // Version v rewrites paragraph v mod 40: this is the last that rewrote this one.
        let rewritten = version.checked_sub(paragraph);
        let written = rewritten.map_or(0, |since| version - since % PARAGRAPHS);
        append_paragraph(&mut html, u64::from(page) << 32 | u64::from(paragraph) << 16, written);
    }
    html.push_str("</body></html>\n");
    html.into()
}

/// Ordinary words in an order that the seed and the version fix.
fn append_paragraph(html: &mut String, seed: u64, version: u32) {
    let mut state = (seed + u64::from(version)).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    html.push_str("<p>");
    for _ in 0..WORDS {
        // xorshift64: any spread will do.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let [first, second] = [state >> 40, state >> 20]
            .map(|draw| SYLLABLES[(draw % SYLLABLES.len() as u64) as usize]);
        // Writing to a string cannot fail.
        let _ = write!(html, "{first}{second} ");
    }
    html.push_str("</p>\n");
}

const SYLLABLES: [&str; 32] = [
    "ban", "cor", "del", "fin", "gan", "hol", "in", "jar", "kel", "lum", "mor", "net", "or", "pel",
    "quin", "ras", "sol", "tern", "ul", "ver", "wing", "xen", "yar", "zel", "cliff", "dive",
    "fish", "gull", "nest", "sea", "tide", "wave",
];

impl ReplayWeb for Site {
    fn resolve(&self, host: &Host) -> Result<IpAddr, Failure> {
        let number = host.name().strip_prefix("www.site-").and_then(|name| name.split('.').next());
        let number: u8 = number.and_then(|n| n.parse().ok()).ok_or(Failure::NameNotFound)?;
        Ok(Ipv4Addr::new(10, 0, 0, number).into())
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
        let Some(page) = self.pages.get(&url.fingerprint()).copied() else {
            return reply(url, address, now, (404, Headers::default(), Bytes::new()));
        };
        let version = self.version(page, now);
        let etag = page.is_multiple_of(2).then(|| format!("\"{page:04x}-62a8c0d3e{version:04x}\""));
        let is_held = etag.is_some() && held.etag == etag;
        let body = self.newest(page, version);
        let answer = match is_held {
            true => (304, headers(now, etag, None), Bytes::new()),
            false => (200, headers(now, etag, Some(body.len())), body),
        };
        reply(url, address, now, answer)
    }

    fn is_relevant(&self, _url: &PageUrl) -> bool {
        true
    }
}

/// The headers that most servers send, and no more.
fn headers(now: Timestamp, etag: Option<String>, length: Option<usize>) -> Headers {
    let mut headers = Headers::new();
    headers.push("Date", http_date(now));
    headers.push("Server", "Apache/2.4.62 (Debian)");
    headers.push("Connection", "keep-alive");
    headers.push("Cache-Control", "max-age=3600, public");
    headers.push("Vary", "Accept-Encoding");
    headers.push("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
    headers.push("X-Content-Type-Options", "nosniff");
    if let Some(etag) = etag {
        headers.push("ETag", etag);
        headers.push("Last-Modified", http_date(BEGAN));
    }
    if let Some(length) = length {
        headers.push("Content-Type", "text/html; charset=utf-8");
        headers.push("Content-Length", length.to_string());
    }
    headers
}

/// As long as a date in a header is, and different at every visit.
fn http_date(now: Timestamp) -> String {
    let text = now.to_string();
    let (day, time) = text.split_once('T').unwrap_or((&text, ""));
    format!("Day, {day} {} GMT", time.trim_end_matches('Z'))
}

fn reply(
    url: &PageUrl,
    address: IpAddr,
    now: Timestamp,
    (status, headers, body): (u16, Headers, Bytes),
) -> Reply {
    let request_head = format!(
        "GET {} HTTP/1.1\r\nhost: {}\r\nuser-agent: gannet/0.1\r\naccept: text/html,*/*;q=0.8\r\n\
         accept-encoding: gzip, br, zstd\r\n\r\n",
        url.path_and_query(),
        url.host().name()
    );
    let response = Response {
        request_head: request_head.into(),
        status_text: if status == 304 { "Not Modified" } else { "OK" }.to_owned(),
        address,
        asked_at: now,
        timings: Timings { connect: Duration::ZERO, first_byte: TOOK, total: TOOK },
        ..Response::made(url.clone(), status, headers, body)
    };
    Reply { answer: Ok(response), took: TOOK }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_rewrites_one_paragraph_of_some_20_kilobytes() {
        for version in 1..100 {
            let [old, new] = [version - 1, version].map(|version| body(7, version));
            assert!((16_000..32_000).contains(&new.len()), "{} bytes", new.len());
            let (old, new) = (String::from_utf8_lossy(&old), String::from_utf8_lossy(&new));
            let differing = old.lines().zip(new.lines()).filter(|(old, new)| old != new);
            assert_eq!(differing.count(), 1, "version {version}");
        }
    }

    #[test]
    fn pages_change_at_their_rates_until_all_is_quiet() {
        let site = Site::new(100, 360).unwrap();
        let versions = |day| (0..100).map(|page| site.version(page, morning(day))).sum::<u32>();
        let changes = versions(360) - versions(0);
        // 2 daily, 8 weekly, 20 monthly and 40 twice a year, give or take where they begin.
        let expected = 2 * 360 + 8 * 360 / 7 + 20 * 12 + 40 * 2;
        assert!(changes.abs_diff(expected) < 40, "{changes} changes, not {expected}");
        assert_eq!(versions(360), versions(400));
    }
}
