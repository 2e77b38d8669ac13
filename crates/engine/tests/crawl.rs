//! Whole crawls over real sockets, on the synthetic web of `testbed`.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use gannet_engine::{
    Config, DataDir, Event, FinishReason, Outcome, Stop, read_store, run, stop_channel,
};
use gannet_fetch::Overrides;
use gannet_model::{Failure, PageUrl};
use gannet_relevance::Topic;
use gannet_store::{Status, Store, UrlRecord, Visited};
use gannet_testbed::politeness::{AuditRules, audit};
use gannet_testbed::{Behaviour, Hostility, Server, ServerOptions, Spec, Web};

/// A web on loopback and the config that crawls it without delay.
struct Site {
    server: Server,
    config: Config,
    data: DataDir,
    _directory: tempfile::TempDir,
}

impl Site {
    async fn new(spec: Spec) -> Site {
        let web = Arc::new(Web::new(spec));
        let server = Server::start(web.clone(), ServerOptions::default()).await.unwrap();
        let topic = Topic::from_words(&web.topic().words.join(", ")).unwrap();
        let mut config = Config::new(topic);
        config.seeds = web.seeds(5).iter().map(|seed| PageUrl::parse(seed).unwrap()).collect();
        config.fetch.overrides = Overrides::parse(&server.hosts_file()).unwrap();
        config.fetch.allow_addresses = vec!["127.0.0.0/8".parse().unwrap()];
        config.pace.delay = Duration::ZERO;
        config.pace.throttle.first = Duration::from_millis(50);
        config.retry.broken.first = Duration::from_millis(50);
        let directory = tempfile::tempdir().unwrap();
        let data = DataDir::new(directory.path());
        Site { server, config, data, _directory: directory }
    }

    async fn crawl(&self) -> Outcome {
        let (_keep, stop) = stop_channel();
        run(self.config.clone(), &self.data, stop, &mut |_| {}).await.unwrap()
    }

    fn urls(&self) -> HashMap<String, UrlRecord> {
        let store = read_store(&self.data).unwrap();
        let mut urls = HashMap::new();
        store
            .each_url(&mut |_, record| {
                urls.insert(record.url.to_string(), record);
                ControlFlow::Continue(())
            })
            .unwrap();
        urls
    }

    fn fetched(&self) -> BTreeSet<String> {
        let urls = self.urls().into_iter();
        urls.filter(|(_, record)| record.head.status == Status::Fetched)
            .map(|(url, _)| url)
            .collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finite_web_is_crawled_whole_and_each_page_once() {
    let site = Site::new(Spec::small(1)).await;
    let outcome = site.crawl().await;
    assert_eq!(outcome.reason, FinishReason::Exhausted);
    let fetched = site.fetched();
    assert!(fetched.len() > 300, "only {} pages", fetched.len());

    // Every link of every fetched page is known, whatever became of it.
    let urls = site.urls();
    for url in &fetched {
        let links = site.server.web().truth(url).map(|truth| truth.links).unwrap_or_default();
        for link in links {
            assert!(urls.contains_key(&link), "{link} on {url} was lost");
        }
    }
    // And the server was asked for each of them once.
    let mut asked: HashMap<String, u32> = HashMap::new();
    for entry in site.server.log().iter().filter(|entry| entry.status == 200) {
        *asked.entry(format!("http://{}{}", entry.host, entry.path)).or_default() += 1;
    }
    for url in &fetched {
        let behaviour = site.server.web().truth(url).map(|truth| truth.behaviour);
        // The first answer of a flaky page says 200 and breaks off.
        let times = if matches!(behaviour, Some(Behaviour::Flaky { .. })) { 2 } else { 1 };
        assert_eq!(asked.get(url), Some(&times), "{url}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopping_and_resuming_ends_with_the_same_pages() {
    let whole = Site::new(Spec::small(2)).await;
    whole.crawl().await;

    let pieces = Site::new(Spec::small(2)).await;
    let mut runs = 0;
    for how in [Stop::Gently, Stop::Now, Stop::Gently, Stop::Now] {
        let (sender, stop) = stop_channel();
        let mut answered = 0;
        let mut watch = |event: Event<'_>| {
            answered += u32::from(matches!(event, Event::Answered { .. }));
            if answered == 40 {
                sender.send_replace(Some(how));
            }
        };
        let outcome = run(pieces.config.clone(), &pieces.data, stop, &mut watch).await.unwrap();
        runs += u32::from(outcome.reason == FinishReason::Interrupted);
    }
    assert_eq!(runs, 4, "every run was interrupted");
    assert_eq!(pieces.crawl().await.reason, FinishReason::Exhausted);
    assert_eq!(pieces.fetched(), whole.fetched());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_and_byte_limits_hold_exactly() {
    let mut site = Site::new(Spec::small(3)).await;
    site.config.limits.pages = Some(37);
    let outcome = site.crawl().await;
    assert_eq!(outcome.reason, FinishReason::PageLimit);
    assert_eq!(outcome.progress.counters.answered, 37);
    let is_page = |path: &str| path != "/robots.txt";
    let pages = site.server.log().iter().filter(|entry| is_page(&entry.path)).count();
    assert!((37..=37 + 3).contains(&pages), "{pages} asked for; only broken ones may be extra");

    site.config.limits.pages = None;
    site.config.limits.bytes = Some(outcome.progress.counters.wire_bytes + 20_000);
    let outcome = site.crawl().await;
    assert!(outcome.progress.counters.wire_bytes <= site.config.limits.bytes.unwrap());
    assert_eq!(outcome.reason, FinishReason::ByteLimit);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_limit_does_not_wait_for_a_server_that_never_answers() {
    let mut site = Site::new(Spec::hostile()).await;
    let silent = site.server.web().hostile_url(Hostility::Silence);
    site.config.seeds = vec![PageUrl::parse(&silent).unwrap()];
    site.config.limits.time = Some(Duration::from_millis(300));
    let outcome = site.crawl().await;
    assert_eq!(outcome.reason, FinishReason::TimeLimit);
    assert!(outcome.progress.elapsed < site.config.fetch.timeouts.first_byte);
    let records = site.urls();
    assert!(matches!(records[&silent].head.status, Status::Queued { .. }), "it stays queued");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hosts_at_one_address_are_spaced_over_a_stop_and_a_start() {
    let mut site = Site::new(Spec::small(6)).await;
    let options = ServerOptions { max_addresses: 1, ..ServerOptions::default() };
    site.server = Server::start(site.server.web().clone(), options).await.unwrap();
    site.config.fetch.overrides = Overrides::parse(&site.server.hosts_file()).unwrap();
    site.config.pace.delay = Duration::from_millis(150);
    for pages in 1..=3 {
        site.config.limits.pages = Some(pages);
        assert_eq!(site.crawl().await.reason, FinishReason::PageLimit);
    }
    let delay = site.config.pace.delay;
    let rules = AuditRules { web: site.server.web(), delay, per_host: true, per_address: true };
    let violations = audit(&site.server.log(), &rules);
    assert!(violations.is_empty(), "{} violations, first {:?}", violations.len(), violations[0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_servers_log_shows_no_impolite_request() {
    let mut site = Site::new(Spec::polite(1)).await;
    site.config.pace.delay = Duration::from_millis(20);
    site.config.limits.pages = Some(600);
    let outcome = site.crawl().await;
    assert_eq!(outcome.progress.counters.answered, 600);
    let log = site.server.log();
    let rules = AuditRules {
        web: site.server.web(),
        delay: Duration::from_millis(20),
        per_host: true,
        per_address: true,
    };
    let violations = audit(&log, &rules);
    assert!(violations.is_empty(), "{} violations, first {:?}", violations.len(), violations[0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hosts_at_one_address_are_asked_one_at_a_time() {
    let web = Arc::new(Web::new(Spec::small(4)));
    let mut site = Site::new(Spec::small(4)).await;
    let options = ServerOptions { max_addresses: 3, ..ServerOptions::default() };
    site.server = Server::start(web, options).await.unwrap();
    site.config.fetch.overrides = Overrides::parse(&site.server.hosts_file()).unwrap();
    site.config.pace.delay = Duration::from_millis(5);
    site.config.limits.pages = Some(120);
    site.crawl().await;
    let rules = AuditRules {
        web: site.server.web(),
        delay: Duration::from_millis(5),
        per_host: true,
        per_address: true,
    };
    let violations = audit(&site.server.log(), &rules);
    assert!(violations.is_empty(), "{} violations, first {:?}", violations.len(), violations[0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_attack_gets_a_reason_and_the_crawl_goes_on() {
    let mut site = Site::new(Spec::hostile()).await;
    site.config.fetch.timeouts.first_byte = Duration::from_millis(400);
    site.config.fetch.timeouts.whole = Duration::from_millis(1500);
    site.config.fetch.limits.max_body_bytes = 4 << 20;
    site.config.fetch.limits.max_unpacked_bytes = 8 << 20;
    site.config.retry.unreachable.attempts = 1;
    site.config.retry.broken.attempts = 1;
    site.config.retry.not_http.attempts = 1;
    site.config.retry.name_not_found.attempts = 1;
    site.config.limits.idle = Duration::from_millis(100);
    site.config.pace.outage.first = Duration::from_millis(20);
    site.config.pace.outage.longest = Duration::from_millis(20);
    site.crawl().await;
    let urls = site.urls();
    let store = read_store(&site.data).unwrap();
    for hostility in Hostility::ALL {
        let url = site.server.web().hostile_url(*hostility);
        let record = urls.get(&url).unwrap_or_else(|| panic!("{hostility:?}: {url} was lost"));
        assert!(!record.because.is_empty(), "{hostility:?} has no reason");
        let visit = store.visit(record.last_visit.unwrap()).unwrap().unwrap();
        let failure = match &visit.outcome {
            Visited::Failed(failure, message) => {
                assert!(!message.is_empty(), "{hostility:?}");
                Some(*failure)
            }
            _ => None,
        };
        assert_eq!(failure, expected_failure(*hostility), "{hostility:?}: {}", record.because);
        let expected = match (failure, redirects(*hostility)) {
            (Some(_), _) => Status::Failed,
            (None, true) => Status::Redirected,
            (None, false) => Status::Fetched,
        };
        assert_eq!(record.head.status, expected, "{hostility:?}: {}", record.because);
    }
    // Nobody was led astray by a redirect.
    for forbidden in ["http://169.254.169.254/", "http://10.0.0.1/"] {
        let record = urls.iter().find(|(url, _)| url.starts_with(forbidden)).unwrap().1;
        assert_eq!(record.head.status, Status::Failed, "{forbidden}");
        assert!(record.because.contains("not allowed"), "{}", record.because);
    }
    let too_far = urls.values().find(|record| record.because.contains("redirects in a row"));
    assert!(too_far.is_some(), "the chain of thirty was cut");
    drop(store);
    let good = site.fetched().len();
    assert!(good > 100, "the crawl went on: {good} pages");
}

/// Why no page came of an attack; `None` when one did, however odd.
fn expected_failure(hostility: Hostility) -> Option<Failure> {
    match hostility {
        Hostility::GzipBomb => Some(Failure::UnpacksTooLarge),
        Hostility::EndlessBody => Some(Failure::BodyTooLarge),
        Hostility::HeaderBomb => Some(Failure::HeadTooLarge),
        Hostility::WrongLength => Some(Failure::Broken),
        Hostility::SlowDrip | Hostility::Silence => Some(Failure::Timeout),
        _ => None,
    }
}

fn redirects(hostility: Hostility) -> bool {
    matches!(
        hostility,
        Hostility::RedirectLoop
            | Hostility::RedirectChain
            | Hostility::RedirectToMetadata
            | Hostility::RedirectToPrivate
    )
}
