//! A crawl on a virtual clock: the same heart, another driver.

use std::sync::Arc;
use std::time::Duration;

use gannet_engine::{Config, FinishReason, Journey};
use gannet_model::{PageUrl, Timestamp};
use gannet_relevance::Model;
use gannet_store::{InMemory, Store};

use crate::player::{Player, ReplayError};
use crate::web::ReplayWeb;

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
    let mut player = Player::with_journey(store, config, journey, web, began)?;
    let reason = player.play()?;
    Ok(Replay {
        reason,
        elapsed: player.now().since(began),
        requests: player.requests(),
        bytes: player.bytes(),
        heart: player.heart(),
        seen: player.take_seen(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testbed_web::TestbedWeb;
    use crate::web::Reply;
    use bytes::Bytes;
    use gannet_model::{Failure, Response};
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
                address,
                asked_at: now,
                ..Response::made(url.clone(), status, headers.into_iter().collect(), body)
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
