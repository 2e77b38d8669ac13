//! Millions of links into the queue: does the rate hold, and the memory?
//!
//! A web on which every page brings sixty links never seen before is crawled
//! in the lab with the real store: read, judge, value, queue, commit.

use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use bytes::Bytes;
use gannet_engine::Config;
use gannet_lab::{ReplayWeb, Reply, replay_in};
use gannet_model::{Failure, Headers, Host, PageUrl, Response, Timestamp};
use gannet_relevance::Topic;
use gannet_store::Embedded;
use serde::Serialize;

use super::machine::memory_now;
use crate::exit::Exit;
use crate::print;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// How many links to queue
    #[arg(long, default_value_t = 5_000_000)]
    links: u64,
}

/// How it stood when so many links were queued.
#[derive(Clone, Debug, Serialize)]
struct Mark {
    links: u64,
    links_per_second: f64,
    rss_bytes: u64,
}

const LINKS_PER_PAGE: u64 = 60;
const HOSTS: u64 = 5_000;
/// Rates are taken over stretches of so many links.
const STRETCH: u64 = 100_000;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let directory = std::env::temp_dir().join(format!("gannet-queue-{}", std::process::id()));
    let mut web = Fountain::new();
    let mut config = Config::new(Topic::from_words("gannet")?);
    config.seeds = vec![PageUrl::parse("http://h0.test/0")?];
    config.pace.delay = Duration::ZERO;
    config.limits.pages = Some(args.links.div_ceil(LINKS_PER_PAGE));
    let store = Embedded::open(&directory)?;
    let replayed = replay_in(Box::new(store), config, &mut web, Timestamp::ZERO);
    // The directory is ours and new; what cannot be removed is left to the system's cleaning.
    let _ = std::fs::remove_dir_all(&directory);
    replayed?;
    tell(&web.marks)?;
    Ok(Exit::Done.into())
}

fn tell(marks: &[Mark]) -> anyhow::Result<()> {
    let Some((first, last)) = marks.first().zip(marks.last()) else {
        return Ok(());
    };
    print::data("    links queued   links/s   RSS MiB")?;
    let every = (marks.len() / 10).max(1);
    for mark in marks.iter().step_by(every).chain(std::iter::once(last)) {
        let megabytes = mark.rss_bytes >> 20;
        print::data(format_args!(
            "{:>16} {:>9.0} {megabytes:>9}",
            mark.links, mark.links_per_second
        ))?;
    }
    let tail = &marks[marks.len().saturating_sub(10)..];
    let at_end = tail.iter().map(|mark| mark.links_per_second).sum::<f64>() / tail.len() as f64;
    let most = marks.iter().map(|mark| mark.rss_bytes).max().unwrap_or_default() >> 20;
    print::data(format_args!(
        "\nfirst {} links {:.0}/s, last million {at_end:.0}/s: {:.2} times as slow; most RSS {most} MiB",
        first.links,
        first.links_per_second,
        first.links_per_second / at_end
    ))?;
    Ok(())
}

/// A web without end: every page brings links never seen before.
struct Fountain {
    given: u64,
    marks: Vec<Mark>,
    last_mark: Instant,
}

impl Fountain {
    fn new() -> Fountain {
        Fountain { given: 0, marks: Vec::new(), last_mark: Instant::now() }
    }

    fn page(&mut self) -> String {
        let mut page = String::from("<html><title>A page</title><h1>Links</h1>");
        for number in self.given + 1..=self.given + LINKS_PER_PAGE {
            // Spread like a real web: a few large hosts, many small ones.
            let host = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let host = (host % HOSTS) * (host % 7) / 6;
            let _ = write!(
                page,
                "<a href=http://h{host}.test/section/page-{number}.html>{number}</a> "
            );
        }
        self.given += LINKS_PER_PAGE;
        if self.given / STRETCH > (self.given - LINKS_PER_PAGE) / STRETCH {
            let rate = STRETCH as f64 / self.last_mark.elapsed().as_secs_f64();
            self.last_mark = Instant::now();
            let rss_bytes = memory_now().unwrap_or_default();
            self.marks.push(Mark { links: self.given, links_per_second: rate, rss_bytes });
        }
        page
    }
}

impl ReplayWeb for Fountain {
    fn resolve(&self, host: &Host) -> Result<IpAddr, Failure> {
        let number: u32 = host.name()[1..].trim_end_matches(".test").parse().unwrap_or_default();
        let [_, b, c, d] = number.to_be_bytes();
        Ok(Ipv4Addr::new(10, b, c, d).into())
    }

    fn answer(&mut self, url: &PageUrl, address: IpAddr, now: Timestamp) -> Reply {
        let is_robots = url.path() == "/robots.txt";
        let body = if is_robots { Bytes::new() } else { Bytes::from(self.page()) };
        let headers: Headers = [("content-type", "text/html; charset=utf-8")].into_iter().collect();
        let response = Response {
            address,
            asked_at: now,
            ..Response::made(url.clone(), if is_robots { 404 } else { 200 }, headers, body)
        };
        Reply { answer: Ok(response), took: Duration::from_micros(100) }
    }

    fn is_relevant(&self, _url: &PageUrl) -> bool {
        false
    }
}
