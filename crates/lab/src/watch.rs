//! A month of watching a changing web on a virtual clock, with a kill at the end of every day.
//!
//! The whole crawl runs, with its real store: only sockets and the clock are virtual. Every day is
//! a run of its own, so that a process may run one and be killed in the middle of its requests;
//! the next goes on from what the store holds. What the web saw of it stands in a journal. When all
//! days are over, a [`Verdict`] compares what the store says with what the web did, and with the
//! same schedule in the lab of freshness.

mod observer;
mod verdict;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use gannet_engine::{Config, DailyBudget, WatchConfig};
use gannet_model::{PageUrl, Timestamp};
use gannet_relevance::{Topic, TopicError};
use gannet_store::{Embedded, Store, StoreError};
use gannet_testbed::{ChangeMix, Spec, Web};

pub use verdict::{Verdict, judge};

use crate::player::{Player, ReplayError};
use observer::Observer;

/// What is watched, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Month {
    /// Sites.
    pub sites: u32,
    /// Pages over all sites.
    pub pages: u64,
    /// Days that are watched.
    pub days: u32,
    /// Days at the beginning that are for learning.
    pub learning_days: u32,
    /// Requests a day.
    pub requests_per_day: f64,
    /// Another number makes another web.
    pub seed: u64,
}

/// Why a day could not be watched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WatchError {
    /// The crawl failed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The lab's own schedule could not be run.
    #[error(transparent)]
    Run(#[from] crate::freshness::RunError),
    /// The topic of the web makes no topic.
    #[error(transparent)]
    Topic(#[from] TopicError),
    /// The journal cannot be written or read.
    #[error("the journal of requests cannot be used")]
    Journal(#[source] io::Error),
}

/// The moment the watch begins: some time after the web does, so that pages have a past.
const BEGAN: Timestamp = Timestamp::from_secs(1_740_000_000);
const DAY: Duration = Duration::from_secs(24 * 3600);
/// Before it, everything is found: a crawl without a limit.
const FOUND_IN: Duration = Duration::from_secs(10 * 24 * 3600);
/// After a kill the next process begins.
const RESTARTED_IN: Duration = Duration::from_secs(60);
/// The least time between two requests to a host.
const DELAY: Duration = Duration::from_secs(10);

impl Month {
    /// The web that is watched.
    pub fn web(&self) -> Arc<Web> {
        let change = ChangeMix {
            yearly: 0.25,
            monthly: 0.3,
            weekly: 0.2,
            daily: 0.05,
            noisy_hosts: 0.1,
            ..ChangeMix::default()
        };
        Arc::new(Web::new(Spec {
            seed: self.seed,
            hosts: self.sites,
            pages: self.pages,
            topic_share: 0.5,
            page_bytes: 2_000,
            latency_micros: 50_000,
            change,
            ..Spec::default()
        }))
    }

    /// When a day begins, the first being 0.
    pub fn begins(&self, day: u32) -> Timestamp {
        BEGAN + DAY * day
    }

    /// What is found before the first day, and where all of it is kept.
    fn place(directory: &Path) -> (PathBuf, PathBuf) {
        (directory.join("store"), directory.join("journal.jsonl"))
    }

    fn config(&self, web: &Web) -> Result<Config, WatchError> {
        let mut config = Config::new(Topic::from_words(&web.topic().words.join(", "))?);
        config.seeds =
            (0..web.hosts()).filter_map(|host| PageUrl::parse(&home(web, host)).ok()).collect();
        config.order = gannet_engine::Chosen::named("breadth-first");
        config.pace.delay = DELAY;
        config.limits.idle = DAY;
        Ok(config)
    }

    /// Finds all pages, as `gannet crawl` would.
    pub fn find_all(&self, directory: &Path) -> Result<u64, WatchError> {
        let web = self.web();
        let (store, journal) = Month::place(directory);
        let mut observer = Observer::new(web.clone(), &journal).map_err(WatchError::Journal)?;
        let config = self.config(&web)?;
        let store = Box::new(Embedded::open(&store)?);
        let began = BEGAN.before(FOUND_IN);
        let mut player = Player::open(store, config, &mut observer, began)?;
        let reason = player.play()?;
        let pages = player.store().counters()?.fetched;
        player.close(reason)?;
        Ok(pages)
    }

    /// Watches one day, and stops in the middle of whatever is under way when it is over. The
    /// number of visits that the store has then.
    pub fn watch_day(&self, directory: &Path, day: u32) -> Result<u64, WatchError> {
        self.watch(directory, day, day + 1)
    }

    /// Watches from the beginning of one day to that of another.
    pub fn watch(&self, directory: &Path, day: u32, end: u32) -> Result<u64, WatchError> {
        let web = self.web();
        let (store, journal) = Month::place(directory);
        let mut observer = Observer::new(web.clone(), &journal).map_err(WatchError::Journal)?;
        let mut config = self.config(&web)?;
        config.watch = Some(WatchConfig {
            budget: DailyBudget::Requests(self.requests_per_day),
            ..WatchConfig::default()
        });
        let store = Box::new(Embedded::open(&store)?);
        let begins = self.begins(day) + RESTARTED_IN;
        let mut player = Player::open(store, config, &mut observer, begins)?;
        player.play_until(self.begins(end))?;
        Ok(player.store().last_visit()?.map_or(0, |last| last + 1))
    }

    /// The visits that the store has.
    pub fn stored_visits(&self, directory: &Path) -> Result<u64, WatchError> {
        let store = Embedded::open(&Month::place(directory).0)?;
        Ok(store.last_visit()?.map_or(0, |last| last + 1))
    }
}

/// The first page of a host.
fn home(web: &Web, host: u32) -> String {
    format!("http://{}/", web.host_name(host))
}
