//! What the web answers to a request.

use std::time::Duration;

use bytes::Bytes;

use crate::behaviour::Behaviour;
use crate::change::Life;
use crate::date;
use crate::draw::{Draw, Purpose};
use crate::layout::PageId;
use crate::markup::{self, Sheet};
use crate::naming;
use crate::reply::{Ask, Ending, Reply};
use crate::robots::{self, Robots};
use crate::web::{Place, Web};

const NOT_FOUND: &str = "<title>Not found</title><h1>Not found</h1><p>There is no such page.</p>";

impl Web {
    /// Answers a request. Pure: the same ask gets the same reply.
    pub fn respond(&self, ask: &Ask<'_>) -> Reply {
        let Some(host) = self.host_number(ask.host) else {
            return Reply::error(421, "<title>Misdirected</title><p>No such host here.</p>");
        };
        let mut reply = match self.place(host, ask.path_and_query) {
            None => Reply::error(404, NOT_FOUND),
            Some(Place::Robots) => self.respond_robots(host),
            Some(Place::MovedRobots) => {
                Reply::ok("text/plain; charset=utf-8", Robots::Redirected.text())
            }
            Some(Place::Trap(trap)) => {
                Reply::ok("text/html; charset=utf-8", trap.html(&self.layout))
            }
            Some(Place::Hostile(hostility, step)) => hostility.reply(step),
            Some(Place::Page(page, hop)) => self.respond_page(page, hop, ask),
        };
        reply.latency = self.latency(host);
        reply
    }

    fn latency(&self, host: u32) -> Duration {
        let faults = &self.spec.faults;
        let mut draw = Draw::new(self.spec.seed, Purpose::HostTraits, u64::from(host), 3);
        let is_slow = faults.slow_hosts > 0.0 && draw.chance(faults.slow_hosts);
        Duration::from_micros(if is_slow { faults.slow_micros } else { self.spec.latency_micros })
    }

    fn respond_robots(&self, host: u32) -> Reply {
        let robots = self.robots(host);
        match robots {
            Robots::Missing => Reply::error(404, NOT_FOUND),
            Robots::ServerError => Reply::error(503, "<title>Down</title><p>Come back later.</p>"),
            Robots::Redirected => Reply::redirect(301, robots::MOVED_PATH),
            Robots::AllowAll
            | Robots::Private
            | Robots::CrawlDelay(_)
            | Robots::AgentGroup
            | Robots::Closed => Reply::ok("text/plain; charset=utf-8", robots.text()),
        }
    }

    fn respond_page(&self, page: PageId, hop: u32, ask: &Ask<'_>) -> Reply {
        match self.life(page, ask.at) {
            Life::Unborn => return Reply::error(404, NOT_FOUND),
            Life::Vanished if page.page.is_multiple_of(2) => return Reply::error(404, NOT_FOUND),
            Life::Vanished => return Reply::error(410, "<title>Gone</title><p>Gone for good.</p>"),
            Life::Alive => {}
        }
        match self.behaviour(page) {
            Behaviour::Serve => self.article(page, ask),
            Behaviour::Unavailable { attempts } if ask.attempt < attempts => self.busy(503),
            Behaviour::TooMany { attempts } if ask.attempt < attempts => self.busy(429),
            Behaviour::Flaky { attempts } if ask.attempt < attempts => cut(self.article(page, ask)),
            Behaviour::Unavailable { .. } | Behaviour::TooMany { .. } | Behaviour::Flaky { .. } => {
                self.article(page, ask)
            }
            Behaviour::Redirect { to } => self.lead_to(to, None, ask),
            Behaviour::RedirectChain { hops, to } if hop + 1 >= hops => self.lead_to(to, None, ask),
            Behaviour::RedirectChain { .. } => self.lead_to(page, Some(hop + 1), ask),
            Behaviour::RedirectLoop => self.lead_to(page, Some(1 - hop.min(1)), ask),
            Behaviour::NotFound => Reply::error(404, NOT_FOUND),
            Behaviour::Gone => Reply::error(410, "<title>Gone</title><p>Gone for good.</p>"),
            Behaviour::ServerError => {
                Reply::error(500, "<title>Error</title><p>Something broke.</p>")
            }
            Behaviour::PlainText => self.plain_text(page),
            Behaviour::Binary => Reply::ok("application/pdf", binary(self.spec.seed, page)),
            Behaviour::Json => self.json(page),
            Behaviour::Duplicate { of } => self.article(of, ask),
            // The last three are never drawn for a page of the web.
            Behaviour::Empty | Behaviour::Trap | Behaviour::Robots | Behaviour::Hostile(_) => {
                Reply::ok("text/html; charset=utf-8", Bytes::new())
            }
        }
    }

    fn busy(&self, status: u16) -> Reply {
        Reply::error(status, "<title>Busy</title><p>Please come back later.</p>")
            .header("retry-after", self.spec.faults.retry_after_seconds.to_string())
    }

    fn lead_to(&self, to: PageId, hop: Option<u32>, ask: &Ask<'_>) -> Reply {
        let mut location = String::new();
        naming::write_url(&self.layout, to, ask.naming, &mut location);
        if let Some(hop) = hop {
            location.push(if location.contains('?') { '&' } else { '?' });
            location.push_str("hop=");
            naming::write_number(u64::from(hop), &mut location);
        }
        let status = [301, 302, 307, 308][(to.page % 4) as usize];
        Reply::redirect(status, location)
    }

    fn plain_text(&self, page: PageId) -> Reply {
        let mut text = String::new();
        naming::title(&self.layout, page).write_text(&mut text);
        text.push_str("\n\nThis is a plain text file; it has no links.\n");
        Reply::ok("text/plain; charset=utf-8", text)
    }

    fn json(&self, page: PageId) -> Reply {
        let mut text = String::from("{\"title\":\"");
        naming::title(&self.layout, page).write_text(&mut text);
        text.push_str("\",\"items\":[1,2,3]}\n");
        Reply::ok("application/json", text)
    }

    /// The page as HTML, or 304 if the client has this version.
    fn article(&self, page: PageId, ask: &Ask<'_>) -> Reply {
        let version = self.version(page, ask.at);
        let is_noisy = markup::is_noisy(self.spec.seed, &self.spec, page.host);
        // A page made anew for each visitor has nothing to validate by.
        let reply = if is_noisy {
            Reply::status(200)
        } else {
            let tag = entity_tag(page, version.number);
            let modified = date::http_date(version.since);
            if is_unmodified(ask, &tag, version.since) {
                return Reply::status(304).header("etag", tag).header("last-modified", modified);
            }
            Reply::status(200).header("etag", tag).header("last-modified", modified)
        };
        let sheet = Sheet {
            layout: &self.layout,
            spec: &self.spec,
            page,
            version: version.number,
            at: ask.at,
            naming: ask.naming,
        };
        reply.header("content-type", "text/html; charset=utf-8").body(markup::html(&sheet))
    }
}

fn entity_tag(page: PageId, version: u64) -> String {
    let mut tag = String::from("\"");
    for number in [u64::from(page.host), page.page, version] {
        naming::write_number(number, &mut tag);
        tag.push('-');
    }
    tag.pop();
    tag.push('"');
    tag
}

/// RFC 9110, section 13.2.2: `If-None-Match` decides alone where it is present.
fn is_unmodified(ask: &Ask<'_>, tag: &str, since: u64) -> bool {
    if let Some(tags) = ask.if_none_match {
        return tags
            .split(',')
            .map(|known| known.trim().trim_start_matches("W/"))
            .any(|known| known == "*" || known == tag);
    }
    // HTTP dates have whole seconds.
    let modified = since / 1_000_000 * 1_000_000;
    ask.if_modified_since.and_then(date::read_http_date).is_some_and(|known| modified <= known)
}

/// Spoils an answer: the connection closes in the middle of the body.
fn cut(reply: Reply) -> Reply {
    let half = reply.body.len() / 2;
    reply.ending(Ending::CutAfter(half))
}

fn binary(seed: u64, page: PageId) -> Bytes {
    let mut draw = Draw::new(seed, Purpose::Block, u64::from(page.host), page.page);
    let mut body = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
    for _ in 0..256 {
        body.extend(draw.bits().to_le_bytes());
    }
    body.into()
}
