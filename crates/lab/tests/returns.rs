//! When a watch returns: sooner where a sitemap tells of changes, and also without a budget.

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use gannet_engine::{Config, DailyBudget, WatchConfig, history};
use gannet_lab::{Player, ReplayWeb, Reply};
use gannet_model::{Failure, Happening, Headers, Host, PageUrl, Response, Timestamp};
use gannet_relevance::Topic;
use gannet_store::InMemory;

const DAY: Duration = Duration::from_secs(24 * 3600);
const BEGAN: Timestamp = Timestamp::from_secs(1_800_000_000);
const PAGES: u32 = 40;

/// Forty pages. One of them changes every forty days; the sitemap tells of it, or there is none.
struct Site {
    has_sitemap: bool,
}

/// Days between two changes of the lively page.
const CHANGES_EVERY: u32 = 40;

/// The page that changes.
const LIVELY: u32 = 7;

/// How often the lively page had changed by then, and when the last time.
fn changes(now: Timestamp) -> (u64, Timestamp) {
    let count = now.since(BEGAN).as_secs() / (DAY.as_secs() * u64::from(CHANGES_EVERY));
    (count, BEGAN + DAY * CHANGES_EVERY * count as u32)
}

impl Site {
    fn body(&self, path: &str, now: Timestamp) -> Option<(&'static str, String)> {
        let (count, last) = changes(now);
        match path {
            "/robots.txt" if self.has_sitemap => {
                Some(("text/plain", "Sitemap: http://a.example/sitemap.xml".to_owned()))
            }
            "/sitemap.xml" if self.has_sitemap => {
                let entry = |page: u32| {
                    let changed = if page == LIVELY { last } else { BEGAN };
                    format!(
                        "<url><loc>http://a.example/{page}</loc><lastmod>{changed}</lastmod></url>"
                    )
                };
                let entries: String = (0..PAGES).map(entry).collect();
                Some(("application/xml", format!("<urlset>{entries}</urlset>")))
            }
            "/" => {
                let links = (0..PAGES).map(|page| format!("<p><a href=/{page}>gannet {page}</a>"));
                Some(("text/html", format!("<h1>gannets</h1>{}", links.collect::<String>())))
            }
            _ => {
                let page: u32 = path[1..].parse().ok().filter(|page| *page < PAGES)?;
                let news = if page == LIVELY { count } else { 0 };
                let words: Vec<String> = (0..60).map(|word| format!("word{page}x{word}")).collect();
                let words = words.join(" ");
                Some((
                    "text/html",
                    format!(
                        "<h1>gannet {page}</h1><p>{words}</p><p>gannet news number{news} came</p>"
                    ),
                ))
            }
        }
    }
}

impl ReplayWeb for Site {
    fn resolve(&self, _host: &Host) -> Result<IpAddr, Failure> {
        Ok(IpAddr::from([10, 0, 0, 1]))
    }

    fn answer(&mut self, url: &PageUrl, address: IpAddr, now: Timestamp) -> Reply {
        let found = self.body(url.path(), now);
        let status = if found.is_some() { 200 } else { 404 };
        let (kind, body) = found.unwrap_or(("text/html", String::new()));
        let mut headers = Headers::new();
        headers.push("content-type", kind);
        let body = Bytes::from(body);
        let response = Response {
            address,
            asked_at: now,
            ..Response::made(url.clone(), status, headers, body)
        };
        Reply { answer: Ok(response), took: Duration::from_millis(20) }
    }

    fn is_relevant(&self, _url: &PageUrl) -> bool {
        true
    }
}

fn config(budget: DailyBudget, delay: Duration) -> Config {
    let mut config = Config::new(Topic::from_words("gannet").unwrap());
    config.seeds = vec![PageUrl::parse("http://a.example/").unwrap()];
    config.pace.delay = delay;
    config.watch = Some(WatchConfig { budget, ..WatchConfig::default() });
    config
}

/// Days from each change of the lively page to the visit that saw it, in the mean.
fn delay(has_sitemap: bool) -> f64 {
    let mut site = Site { has_sitemap };
    let config = config(DailyBudget::Requests(5.0), Duration::from_secs(10));
    let store = Box::new(InMemory::new());
    let mut player = Player::open(store, config, &mut site, BEGAN).unwrap();
    player.play_until(BEGAN + DAY * 400).unwrap();
    let url = PageUrl::parse(&format!("http://a.example/{LIVELY}")).unwrap();
    let visits = history(player.store(), url.fingerprint()).unwrap();
    let seen = visits.iter().filter(|entry| entry.visit.happening == Some(Happening::Changed));
    let delays: Vec<f64> = seen
        .map(|entry| entry.visit.at.since(changes(entry.visit.at).1).as_secs_f64())
        .map(|seconds| seconds / DAY.as_secs_f64())
        .collect();
    assert!(delays.len() >= 3, "only {} changes were seen", delays.len());
    delays.iter().sum::<f64>() / delays.len() as f64
}

#[test]
fn a_sitemap_that_tells_the_truth_makes_changes_be_seen_sooner() {
    let (with, without) = (delay(true), delay(false));
    assert!(with < without, "{with} days with a sitemap, {without} without");
}

#[test]
fn a_watch_without_a_budget_returns_to_what_it_has_just_found() {
    let mut site = Site { has_sitemap: false };
    let config = config(DailyBudget::Polite, Duration::from_secs(600));
    let store = Box::new(InMemory::new());
    let mut player = Player::open(store, config, &mut site, BEGAN).unwrap();
    player.play_until(BEGAN + DAY * 6).unwrap();
    // The host allows 144 requests a day; forty pages are found in the first.
    let visits = player.store().last_visit().unwrap().unwrap();
    assert!(visits > 400, "only {visits} visits");
}
