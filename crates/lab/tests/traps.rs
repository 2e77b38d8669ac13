//! Calendars without end, mazes of session ids and mirrors: how many requests do they get?

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use gannet_engine::Config;
use gannet_lab::{TestbedWeb, replay};
use gannet_model::{PageUrl, Timestamp};
use gannet_relevance::Topic;
use gannet_testbed::{Behaviour, Spec, Web};

/// Requests of the crawl: fewer than the web has honest pages, so there is always better to do.
const REQUESTS: u64 = 6_000;
/// The share of them that traps may take.
const MOST_WASTED: f64 = 0.01;

/// Which room of the maze an address shows.
fn room(url: &str) -> Option<&str> {
    url.split_once("/guide/").and_then(|(_, room)| room.split('?').next())
}

#[test]
fn traps_that_promise_the_topic_get_one_request_in_a_hundred_at_most() {
    let web = Arc::new(Web::new(Spec::traps()));
    let topic = Topic::from_words(&web.topic().words.join(", ")).unwrap();
    let mut config = Config::new(topic);
    config.seeds = web.seeds(10).iter().map(|seed| PageUrl::parse(seed).unwrap()).collect();
    config.pace.delay = Duration::ZERO;
    config.pace.response_factor = 0.0;
    config.limits.pages = Some(REQUESTS);
    config.limits.in_flight = 1;
    let replayed = replay(config, &mut TestbedWeb::new(web.clone()), Timestamp::ZERO).unwrap();
    assert_eq!(replayed.seen.len() as u64, REQUESTS);

    let behaviour = |url: &str| web.truth(url).map(|truth| truth.behaviour);
    let urls = replayed.seen.iter().map(|seen| seen.url.to_string());
    let trapped: Vec<String> = urls.filter(|url| behaviour(url) == Some(Behaviour::Trap)).collect();
    let of = |part: &str| trapped.iter().filter(|url| url.contains(part)).count();
    // A room of the maze under its first address, and one page of the mirror, are not wasted.
    let rooms: BTreeSet<&str> = trapped.iter().filter_map(|url| room(url)).collect();
    let counts = [of("/calendar/"), of("/guide/") - rooms.len(), of("/library/") - 1];
    // Calendars promise nothing; those that do were met, else nothing was shown.
    assert!(counts[1] > 0 && counts[2] > 0, "{counts:?}");
    let wasted = counts.iter().sum::<usize>() as f64 / REQUESTS as f64;
    assert!(wasted <= MOST_WASTED, "{counts:?}: {wasted}");
}
