//! The lab and a live crawl are one machine: over sockets and on the virtual clock, one request at
//! a time, the same pages come in the same order.

use std::sync::Arc;
use std::time::Duration;

use gannet_engine::{Config, DataDir, Event, run, stop_channel};
use gannet_fetch::Overrides;
use gannet_lab::{TestbedWeb, replay};
use gannet_model::{PageUrl, Timestamp};
use gannet_relevance::Topic;
use gannet_testbed::{Server, ServerOptions, Spec, Web};

/// Pages that are compared.
const PAGES: u64 = 250;

fn config(web: &Web) -> Config {
    let topic = Topic::from_words(&web.topic().words.join(", ")).unwrap();
    let mut config = Config::new(topic);
    config.seeds = web.seeds(3).iter().map(|seed| PageUrl::parse(seed).unwrap()).collect();
    config.pace.delay = Duration::ZERO;
    // What a server's speed does to its host's turn is not the same on two clocks.
    config.pace.response_factor = 0.0;
    config.limits.pages = Some(PAGES);
    config.limits.in_flight = 1;
    config
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn live_crawl_and_lab_fetch_the_same_pages_in_the_same_order() {
    let spec = Spec { hosts: 12, pages: 600, topic_share: 0.15, ..Spec::default() };
    let web = Arc::new(Web::new(spec));
    let replayed =
        replay(config(&web), &mut TestbedWeb::new(web.clone()), Timestamp::ZERO).unwrap();
    let in_lab: Vec<String> = replayed.seen.iter().map(|seen| seen.url.to_string()).collect();

    let server = Server::start(web.clone(), ServerOptions::default()).await.unwrap();
    let mut config = config(&web);
    config.fetch.overrides = Overrides::parse(&server.hosts_file()).unwrap();
    config.fetch.allow_addresses = vec!["127.0.0.0/8".parse().unwrap()];
    let directory = tempfile::tempdir().unwrap();
    let (_keep, stop) = stop_channel();
    let mut live = Vec::new();
    let mut watch = |event: Event<'_>| {
        if let Event::Answered { url, .. } = event {
            live.push(url.to_string());
        }
    };
    run(config, &DataDir::new(directory.path()), stop, &mut watch).await.unwrap();

    assert_eq!(in_lab.len() as u64, PAGES);
    assert_eq!(live, in_lab);
}
