//! A crawl on a virtual clock: the same heart, another driver.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gannet_engine::{
    Answered, Approach, Config, Content, Crawl, CrawlError, FinishReason, Journey, Report,
    RobotsTask, SetupError, Step,
};
use gannet_model::{Failure, PageUrl, Response, Timestamp};
use gannet_politeness::{Contact, RobotsAnswer};
use gannet_relevance::Model;
use gannet_store::{InMemory, Store};

use crate::web::{ReplayWeb, Reply};

/// How a replayed crawl went.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Every page that was answered, in order.
    pub seen: Vec<Seen>,
    /// Why it ended.
    pub reason: FinishReason,
    /// How long it took on the virtual clock.
    pub elapsed: Duration,
    /// Every request that was sent: for pages and robots.txt, answered or not.
    pub requests: u64,
    /// Body bytes of all answers, as they came over the wire.
    pub bytes: u64,
    /// How long the heart and its store took on the real one: what all ordering, queueing and
    /// committing cost.
    pub heart: Duration,
}

/// A page that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Which.
    pub url: PageUrl,
    /// With what status.
    pub status: u16,
    /// Whether it is about the topic, by the truth of the web.
    pub is_relevant: bool,
    /// How many links from a seed it is, by the way it was found.
    pub depth: u32,
    /// Bytes of its body, as they came over the wire.
    pub bytes: u64,
}

/// Why a replay could not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The settings do not make a crawl.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The heart failed.
    #[error(transparent)]
    Crawl(#[from] CrawlError),
}

impl Replay {
    /// The share of pages with a 2xx answer that are about the topic, by the truth of the web.
    pub fn harvest_rate(&self) -> f64 {
        let pages = self.seen.iter().filter(|seen| (200..300).contains(&seen.status)).count();
        let relevant = self.seen.iter().filter(|seen| seen.is_relevant).count();
        relevant as f64 / pages.max(1) as f64
    }
}

/// Crawls `web` with `config` from the virtual moment `began`, remembering nothing afterwards.
pub fn replay(
    config: Config,
    web: &mut dyn ReplayWeb,
    began: Timestamp,
) -> Result<Replay, ReplayError> {
    replay_in(Box::new(InMemory::new()), config, web, began)
}

/// Crawls `web` with `config` from the virtual moment `began`, remembering it in `store`.
pub fn replay_in(
    store: Box<dyn Store>,
    config: Config,
    web: &mut dyn ReplayWeb,
    began: Timestamp,
) -> Result<Replay, ReplayError> {
    let journey = Journey::new(&config)?;
    play(store, config, journey, web, began)
}

/// Crawls `web` as [`replay`] does, with pages judged by `judge` and not by the model that the
/// config names: an experiment on orderings needs a judge whose faults are known.
pub fn replay_judged(
    config: Config,
    judge: Arc<dyn Model>,
    web: &mut dyn ReplayWeb,
    began: Timestamp,
) -> Result<Replay, ReplayError> {
    let journey = Journey::new(&config)?;
    journey.replace_model(judge);
    play(Box::new(InMemory::new()), config, journey, web, began)
}

fn play(
    store: Box<dyn Store>,
    config: Config,
    journey: Journey,
    web: &mut dyn ReplayWeb,
    began: Timestamp,
) -> Result<Replay, ReplayError> {
    let (config, journey) = (Arc::new(config), Arc::new(journey));
    let crawl = Crawl::open(config.clone(), journey.clone(), store, Vec::new(), began)?;
    let mut player = Player {
        crawl,
        journey,
        web,
        now: began,
        most_under_way: config.limits.in_flight.max(1),
        under_way: BinaryHeap::new(),
        begun: 0,
        seen: Vec::new(),
        bytes: 0,
        heart: Duration::ZERO,
    };
    let reason = player.play()?;
    Ok(Replay {
        reason,
        elapsed: player.now.since(began),
        requests: player.begun,
        bytes: player.bytes,
        heart: player.heart,
        seen: player.seen,
    })
}

struct Player<'w> {
    crawl: Crawl,
    journey: Arc<Journey>,
    web: &'w mut dyn ReplayWeb,
    now: Timestamp,
    most_under_way: usize,
    /// What will be answered when, soonest first.
    under_way: BinaryHeap<Reverse<Exchange>>,
    /// Requests so far. Breaks ties: of two answers at one moment the first asked comes first.
    begun: u64,
    seen: Vec<Seen>,
    bytes: u64,
    heart: Duration,
}

/// A request under way on the virtual clock.
struct Exchange {
    ends: Timestamp,
    number: u64,
    step: Step,
    answer: Result<Response, Failure>,
}

impl PartialEq for Exchange {
    fn eq(&self, other: &Exchange) -> bool {
        (self.ends, self.number) == (other.ends, other.number)
    }
}

impl Eq for Exchange {}

impl PartialOrd for Exchange {
    fn partial_cmp(&self, other: &Exchange) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exchange {
    fn cmp(&self, other: &Exchange) -> std::cmp::Ordering {
        (self.ends, self.number).cmp(&(other.ends, other.number))
    }
}

/// How long an address holds: longer than any replay asks again.
const ADDRESS_HOLDS: Duration = Duration::from_secs(3600);

impl Player<'_> {
    fn play(&mut self) -> Result<FinishReason, ReplayError> {
        loop {
            let wake = match self.begin_steps()? {
                Ok(wake) => wake,
                Err(reason) => return Ok(reason),
            };
            let soonest = self.under_way.peek().map(|Reverse(exchange)| exchange.ends);
            match soonest {
                Some(ends) if ends <= wake => {
                    self.now = self.now.max(ends);
                    if let Some(Reverse(exchange)) = self.under_way.pop() {
                        self.take_in(exchange)?;
                    }
                }
                _ => self.now = self.now.max(wake),
            }
        }
    }

    /// Begins what can be begun; tells when to look again, or why it is over.
    fn begin_steps(&mut self) -> Result<Result<Timestamp, FinishReason>, ReplayError> {
        while self.under_way.len() < self.most_under_way {
            let asked = Instant::now();
            let step = self.crawl.next(self.now)?;
            self.heart += asked.elapsed();
            let (url, address) = match &step {
                Step::Wait(until) => return Ok(Ok(*until)),
                Step::Done(reason) => return Ok(Err(*reason)),
                Step::Resolve(host, name) => {
                    let address = self.web.resolve(name);
                    let expires = self.now + ADDRESS_HOLDS;
                    self.crawl.resolved(*host, address.map(|ip| (ip, expires)), self.now)?;
                    continue;
                }
                Step::Robots(task) => (&task.url, task.address),
                Step::Visit(visit) => (&visit.url, visit.address),
            };
            let reply = match address {
                Some(address) => self.web.answer(url, address, self.now),
                None => Reply { answer: Err(Failure::NameNotFound), took: Duration::ZERO },
            };
            self.begun += 1;
            self.under_way.push(Reverse(Exchange {
                ends: self.now + reply.took,
                number: self.begun,
                step,
                answer: reply.answer,
            }));
        }
        Ok(Ok(Timestamp::NEVER))
    }

    fn take_in(&mut self, exchange: Exchange) -> Result<(), ReplayError> {
        self.bytes += exchange.answer.as_ref().map_or(0, |answer| answer.wire_body.len() as u64);
        match exchange.step {
            Step::Robots(task) => self.take_in_robots(task, &exchange.answer)?,
            Step::Visit(visit) => {
                let report = match &exchange.answer {
                    Ok(response) => {
                        self.see(response, visit.depth);
                        Report::Answered(Box::new(self.read(response, &visit.approach())))
                    }
                    Err(failure) => Report::Failed {
                        failure: *failure,
                        message: failure.to_string(),
                        asked_at: self.now,
                    },
                };
                let told = Instant::now();
                self.crawl.visited(*visit, report, None, self.now)?;
                self.heart += told.elapsed();
            }
            Step::Resolve(..) | Step::Wait(_) | Step::Done(_) => {}
        }
        Ok(())
    }

    fn take_in_robots(
        &mut self,
        task: RobotsTask,
        answer: &Result<Response, Failure>,
    ) -> Result<(), ReplayError> {
        let response = match answer {
            Ok(response) => response,
            Err(failure) => {
                let (answer, contact) = (RobotsAnswer::Failed(*failure), Contact::Failed(*failure));
                return Ok(self.crawl.robots_answered(task, answer, contact, 0, self.now)?);
            }
        };
        let location = response.redirect_target();
        let answer = RobotsAnswer::Fetched {
            status: response.status,
            body: &response.body,
            location: location.as_ref().map(PageUrl::as_str),
            max_age: None,
        };
        let retry_after = response.headers.text("retry-after");
        let contact = Contact::Answered {
            status: response.status,
            retry_after: retry_after.as_deref(),
            took: response.timings.total,
        };
        let wire_bytes = response.wire_body.len() as u64;
        Ok(self.crawl.robots_answered(task, answer, contact, wire_bytes, self.now)?)
    }

    fn read(&self, response: &Response, approach: &Approach<'_>) -> Answered {
        let mut answered = match self.web.document(&response.url) {
            Some(document) => self.journey.read_again(response, document, approach),
            None => self.journey.read(response, approach),
        };
        if let Content::Page(reading) = &mut answered.content {
            reading.candidates.retain(|candidate| self.web.leads_to(&candidate.url));
        }
        answered
    }

    fn see(&mut self, response: &Response, depth: u32) {
        let is_relevant = response.is_success() && self.web.is_relevant(&response.url);
        let (url, status) = (response.url.clone(), response.status);
        let bytes = response.wire_body.len() as u64;
        self.seen.push(Seen { url, status, is_relevant, depth, bytes });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testbed_web::TestbedWeb;
    use bytes::Bytes;
    use gannet_relevance::Topic;
    use gannet_testbed::{Spec, Web};

    fn config(web: &Web, order: &str, pages: u64) -> Config {
        let topic = Topic::from_words(&web.topic().words.join(", ")).unwrap();
        let mut config = Config::new(topic);
        config.order.name = order.to_owned();
        config.limits.pages = Some(pages);
        config.seeds = web.seeds(5).iter().map(|seed| PageUrl::parse(seed).unwrap()).collect();
        config
    }

    fn run(spec: Spec, order: &str, pages: u64) -> Replay {
        let web = Arc::new(Web::new(spec));
        let mut config = config(&web, order, pages);
        // One request at a time and no delay: the order alone decides.
        config.limits.in_flight = 1;
        config.pace.delay = Duration::ZERO;
        replay(config, &mut TestbedWeb::new(web), Timestamp::from_secs(1_800_000_000)).unwrap()
    }

    #[test]
    fn the_same_web_and_config_give_the_same_crawl() {
        let first = run(Spec::easy(), "best-first", 300);
        let second = run(Spec::easy(), "best-first", 300);
        assert_eq!(first.seen, second.seen);
        assert_eq!(first.elapsed, second.elapsed);
        assert_eq!(first.seen.len(), 300, "the page limit holds exactly");
    }

    #[test]
    fn a_model_that_learns_on_the_way_gives_the_same_crawl_too() {
        let learned = |_| {
            let web = Arc::new(Web::new(Spec::easy()));
            let mut config = config(&web, "best-first", 300);
            config.model.name = "rocchio".to_owned();
            let directory = tempfile::tempdir().unwrap();
            let open = || gannet_store::Embedded::open(&directory.path().join("store")).unwrap();
            let began = Timestamp::from_secs(1_800_000_000);
            let mut web = TestbedWeb::new(web);
            let replayed = replay_in(Box::new(open()), config, &mut web, began).unwrap();
            (replayed.seen, open().learned().unwrap().unwrap())
        };
        let [first, second] = [1, 2].map(learned);
        assert!(first.1.batches > 0, "it learned from pages on the way");
        assert!(first == second, "the same pages and the same learning");
    }

    #[test]
    fn best_first_finds_more_of_the_topic_than_breadth_first() {
        let best = run(Spec::demo(), "best-first", 1500).harvest_rate();
        let breadth = run(Spec::demo(), "breadth-first", 1500).harvest_rate();
        assert!(best > 1.3 * breadth, "best-first {best:.3}, breadth-first {breadth:.3}");
    }

    /// A web of one page on `a.test`, with this robots.txt and nothing else.
    struct OnePage {
        robots: (u16, &'static str, Bytes),
    }

    impl ReplayWeb for OnePage {
        fn resolve(&self, host: &gannet_model::Host) -> Result<std::net::IpAddr, Failure> {
            match host.name() {
                "a.test" => Ok(std::net::Ipv4Addr::new(10, 0, 0, 1).into()),
                _ => Err(Failure::ForbiddenAddress),
            }
        }

        fn answer(&mut self, url: &PageUrl, address: std::net::IpAddr, now: Timestamp) -> Reply {
            let (status, location, body) = match url.path() {
                "/robots.txt" => self.robots.clone(),
                _ => (200, "", Bytes::from_static(b"<a href=/next>next</a>")),
            };
            let headers = [("content-type", "text/html"), ("location", location)];
            let response = Response {
                url: url.clone(),
                request_head: Bytes::new(),
                version: gannet_model::HttpVersion::Http11,
                status,
                status_text: String::new(),
                headers: headers.into_iter().collect(),
                wire_body: body.clone(),
                body,
                address,
                asked_at: now,
                timings: gannet_model::Timings::default(),
            };
            Reply { answer: Ok(response), took: Duration::from_millis(1) }
        }

        fn is_relevant(&self, _url: &PageUrl) -> bool {
            false
        }
    }

    fn crawl_one_page(robots: (u16, &'static str, Bytes), change: impl Fn(&mut Config)) -> Replay {
        let mut config = Config::new(Topic::from_words("birds").unwrap());
        config.seeds = vec![PageUrl::parse("http://a.test/").unwrap()];
        change(&mut config);
        replay(config, &mut OnePage { robots }, Timestamp::from_secs(1_800_000_000)).unwrap()
    }

    #[test]
    fn a_robots_txt_that_redirects_to_where_we_never_go_ends_the_host_not_the_patience() {
        let robots = (301, "http://elsewhere.test/robots.txt", Bytes::new());
        let replayed = crawl_one_page(robots, |_| {});
        assert!(replayed.seen.is_empty());
        assert_eq!(replayed.reason, FinishReason::NothingFetched);
    }

    #[test]
    fn a_crawl_whose_only_host_keeps_its_rules_to_itself_says_at_once_that_nothing_was_fetched() {
        let replayed = crawl_one_page((500, "", Bytes::new()), |_| {});
        assert_eq!(replayed.reason, FinishReason::NothingFetched);
        assert!(replayed.elapsed < Duration::from_secs(60), "it waited {:?}", replayed.elapsed);
    }

    #[test]
    fn a_crawl_waits_out_the_delay_before_its_first_page() {
        let replayed = crawl_one_page((404, "", Bytes::new()), |config| {
            config.pace.delay = Duration::from_secs(100);
        });
        assert_eq!(replayed.seen.len(), 2);
        assert_eq!(replayed.reason, FinishReason::Exhausted);
    }

    #[test]
    fn a_large_robots_txt_is_read_as_far_as_the_rule_says() {
        let mut text = String::from("User-agent: *\nDisallow: /next\n");
        text.push_str(&"# padding\n".repeat(100_000));
        let replayed = crawl_one_page((200, "", text.into()), |_| {});
        assert_eq!(replayed.seen.len(), 1, "the page, and not what is disallowed");
    }

    #[test]
    fn a_reached_limit_ends_the_crawl_before_any_wait() {
        let replayed = crawl_one_page((404, "", Bytes::new()), |config| {
            config.limits.pages = Some(1);
            config.pace.delay = Duration::from_secs(100);
        });
        assert_eq!(replayed.reason, FinishReason::PageLimit);
        assert!(replayed.elapsed < Duration::from_secs(110), "it waited {:?}", replayed.elapsed);
    }

    #[test]
    fn the_byte_limit_counts_robots_txt_too() {
        let robots = (200, "", Bytes::from(vec![b'#'; 50_000]));
        let replayed = crawl_one_page(robots, |config| config.limits.bytes = Some(20_000));
        assert!(replayed.seen.is_empty(), "robots.txt alone is more than may be fetched");
    }
}
