//! How a crawl is doing, and what holds it back.

use std::fmt;
use std::time::Duration;

use gannet_frontier::Census;
use gannet_model::Timestamp;
use gannet_politeness::Hold;
use gannet_store::Counters;
use serde::Serialize;

use crate::crawl::Crawl;
use crate::outlook::Measured;
use crate::questions::Question;

/// How a crawl is doing at one moment.
#[derive(Clone, Debug)]
pub struct Progress {
    /// When this was taken.
    pub at: Timestamp,
    /// How long this run has lasted.
    pub elapsed: Duration,
    /// What was done so far, over all runs.
    pub counters: Counters,
    /// Links waiting in queues.
    pub queued: u64,
    /// Visits that have a time: retries.
    pub scheduled: u64,
    /// URLs known.
    pub known: usize,
    /// Requests under way.
    pub under_way: usize,
    /// Hosts known.
    pub hosts: usize,
    /// Hosts with work, by state.
    pub census: Census,
    /// What holds the crawl back.
    pub holdback: Holdback,
    /// The version of the model that judges now.
    pub model_version: u64,
    /// Pages whose labels would teach the model most, best first.
    pub questions: Vec<Question>,
    /// How fresh the copies of known pages are, in a watch.
    pub watch: Option<WatchProgress>,
}

/// How fresh the copies of known pages are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WatchProgress {
    /// Pages that are visited again and again.
    pub pages: usize,
    /// Pages that are due.
    pub due: usize,
    /// The share of weight whose copies are thought to be fresh, by a sample of pages.
    pub expected: f64,
    /// What the visits of this run showed.
    pub measured: Option<Measured>,
}

/// What holds a crawl back, as one sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Holdback {
    /// Nothing: hosts are ready to be asked.
    Nothing,
    /// As many requests are under way as the user allows.
    InFlight(usize),
    /// Every host with work is being asked, or there is no work before answers bring more.
    Answers(usize),
    /// Hosts must wait: how many of how many, and mostly for this.
    Hosts {
        /// Hosts that wait.
        waiting: usize,
        /// Hosts with work.
        with_work: usize,
        /// What most of them wait for.
        mostly: String,
    },
    /// Nothing is left.
    NoWork,
}

impl Crawl {
    /// How the crawl is doing. Walks all hosts: for status lines, not for every visit.
    pub fn progress(&self, now: Timestamp) -> Progress {
        let census = self.frontier.census();
        Progress {
            at: now,
            elapsed: now.since(self.started),
            counters: self.counters,
            queued: self.frontier.queued(),
            scheduled: self.frontier.scheduled(),
            known: self.known.len(),
            under_way: self.under_way,
            hosts: self.hosts.len(),
            census,
            holdback: self.holdback(census, now),
            model_version: self.journey().model().version(),
            questions: self.questions(),
            watch: self.watch_progress(now),
        }
    }

    fn holdback(&self, census: Census, now: Timestamp) -> Holdback {
        if self.under_way >= self.budget.limits().in_flight {
            return Holdback::InFlight(self.under_way);
        }
        if census.with_work == 0 {
            return match self.under_way {
                0 => Holdback::NoWork,
                answers => Holdback::Answers(answers),
            };
        }
        if census.ready > 0 {
            return Holdback::Nothing;
        }
        if census.waiting == 0 {
            return Holdback::Answers(self.under_way);
        }
        let mut holds: Vec<(Hold, usize)> = Vec::new();
        for (id, state) in self.hosts.iter() {
            if self.frontier.queued_of(id) == 0 {
                continue;
            }
            let (until, hold) = state.record.pace.ready_at();
            // Whoever may be contacted by its own pace and is not waits for its address.
            let hold = if until <= now { Hold::SharedAddress } else { hold };
            match holds.iter_mut().find(|(known, _)| *known == hold) {
                Some((_, count)) => *count += 1,
                None => holds.push((hold, 1)),
            }
        }
        let mostly = holds.into_iter().max_by_key(|(_, count)| *count);
        Holdback::Hosts {
            waiting: census.waiting,
            with_work: census.with_work,
            mostly: mostly
                .map_or_else(|| "about to be asked".to_owned(), |(hold, _)| hold.to_string()),
        }
    }
}

impl Progress {
    /// The share of fetched pages that are relevant.
    pub fn harvest_rate(&self) -> f64 {
        self.counters.relevant as f64 / self.counters.fetched.max(1) as f64
    }
}

impl fmt::Display for Holdback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Holdback::Nothing => f.write_str("nothing holds it back"),
            Holdback::InFlight(count) => write!(f, "all {count} requests allowed are under way"),
            Holdback::Answers(count) => {
                write!(f, "waiting for {count} answers")
            }
            Holdback::Hosts { waiting, with_work, mostly } => {
                write!(f, "{waiting} of {with_work} hosts are {mostly}")
            }
            Holdback::NoWork => f.write_str("nothing is left to fetch"),
        }
    }
}
