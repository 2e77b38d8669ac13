//! The counts of a crawl as they stand in every JSON output, and their rates.

use std::time::Duration;

use gannet_model::Timestamp;
use gannet_store::Counters;
use serde::{Deserialize, Serialize};

/// What a crawl did so far, over all runs. The field names are stable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Numbers {
    /// Page requests that got an answer.
    pub(crate) answered: u64,
    /// Of those: pages with a 2xx status.
    pub(crate) fetched: u64,
    /// Of those: relevant.
    pub(crate) relevant: u64,
    /// `relevant / fetched`; null before the first page.
    pub(crate) harvest_rate: Option<f64>,
    /// Redirects.
    pub(crate) redirects: u64,
    /// Answers with an error status.
    pub(crate) errors: u64,
    /// Page requests without a usable answer.
    pub(crate) failures: u64,
    /// Requests for robots.txt.
    pub(crate) robots_requests: u64,
    /// URLs that will not be fetched: out of scope or forbidden.
    pub(crate) skipped: u64,
    /// Links seen on pages.
    pub(crate) links: u64,
    /// Body bytes on the wire.
    pub(crate) wire_bytes: u64,
    /// Body bytes unpacked.
    pub(crate) body_bytes: u64,
    /// Time spent crawling, over all runs.
    pub(crate) crawled_seconds: f64,
}

impl From<Counters> for Numbers {
    fn from(counters: Counters) -> Numbers {
        let has_pages = counters.fetched > 0;
        Numbers {
            answered: counters.answered,
            fetched: counters.fetched,
            relevant: counters.relevant,
            harvest_rate: has_pages.then(|| counters.relevant as f64 / counters.fetched as f64),
            redirects: counters.redirects,
            errors: counters.errors,
            failures: counters.failures,
            robots_requests: counters.robots,
            skipped: counters.skipped,
            links: counters.links,
            wire_bytes: counters.wire_bytes,
            body_bytes: counters.body_bytes,
            crawled_seconds: Duration::from_micros(counters.crawled_micros).as_secs_f64(),
        }
    }
}

/// Pages per second, on average over this run and over the last few seconds.
#[derive(Clone, Debug)]
pub(crate) struct Rates {
    /// Answers before this run.
    before: u64,
    /// Recent counts, oldest first.
    recent: Vec<(Timestamp, u64)>,
    pub(crate) average: f64,
    pub(crate) now: f64,
}

/// What "now" means: long enough for politeness delays to even out.
const WINDOW: Duration = Duration::from_secs(10);

impl Rates {
    /// Rates of a run that begins with this many answers.
    pub(crate) fn from(answered_before: u64) -> Rates {
        Rates { before: answered_before, recent: Vec::new(), average: 0.0, now: 0.0 }
    }

    /// Takes in a count.
    pub(crate) fn observe(&mut self, at: Timestamp, elapsed: Duration, answered: u64) {
        let per_second = |count: u64, span: Duration| match span.as_secs_f64() {
            seconds if seconds > 0.0 => count as f64 / seconds,
            _ => 0.0,
        };
        self.average = per_second(answered.saturating_sub(self.before), elapsed);
        self.recent.retain(|(then, _)| at.since(*then) <= WINDOW);
        self.now = match self.recent.first() {
            Some((then, count)) => per_second(answered.saturating_sub(*count), at.since(*then)),
            None => self.average,
        };
        self.recent.push((at, answered));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn now_is_the_last_seconds_and_average_the_whole_run() {
        let mut rates = Rates::from(100);
        for second in 0..=100 {
            let answered = 100 + if second <= 50 { 10 * second } else { 500 };
            rates.observe(Timestamp::from_secs(second), Duration::from_secs(second), answered);
        }
        assert_eq!(rates.average, 5.0);
        assert_eq!(rates.now, 0.0);
    }

    #[test]
    fn no_page_is_no_harvest_rate() {
        assert_eq!(Numbers::from(Counters::default()).harvest_rate, None);
        let counters = Counters { fetched: 4, relevant: 1, ..Counters::default() };
        assert_eq!(Numbers::from(counters).harvest_rate, Some(0.25));
    }
}
