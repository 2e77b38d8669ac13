//! How much may still be fetched.
//!
//! Limits hold exactly: what is in flight is counted as if it had come in at
//! its largest, so that nothing has to be thrown away or apologised for.

use std::time::Duration;

use gannet_model::Timestamp;
use gannet_store::Counters;

use crate::finish::FinishReason;

/// What a crawl may use.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Answers to page requests, over all runs of this data directory.
    pub pages: Option<u64>,
    /// Body bytes on the wire, over all runs of this data directory.
    pub bytes: Option<u64>,
    /// How long this run may take.
    pub time: Option<Duration>,
    /// When nothing can be done for longer than this, the run ends.
    pub idle: Duration,
    /// Requests under way at once, over all hosts.
    pub in_flight: usize,
    /// Redirects in a row before a chain is given up.
    pub redirects: u8,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            pages: None,
            bytes: None,
            time: None,
            // Longer than any ordinary politeness delay and a first back-off,
            // shorter than a person waits for a crawl that will do nothing.
            idle: Duration::from_secs(120),
            in_flight: 64,
            redirects: 10,
        }
    }
}

/// Whether another request fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// Yes, with a body of at most this many bytes.
    Yes(u64),
    /// Not before something in flight has ended.
    Later,
    /// No.
    Spent(FinishReason),
}

/// Keeps account of what is used and what is promised.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    limits: Limits,
    deadline: Timestamp,
    /// The largest body any request may bring.
    body_limit: u64,
    pages_in_flight: u64,
    bytes_promised: u64,
    /// A body did not fit into what was left: the rest is too little for anything.
    is_too_little_left: bool,
}

impl Budget {
    pub(crate) fn new(limits: Limits, body_limit: u64, started: Timestamp) -> Budget {
        let deadline = limits.time.map_or(Timestamp::NEVER, |time| started + time);
        Budget {
            limits,
            deadline,
            body_limit,
            pages_in_flight: 0,
            bytes_promised: 0,
            is_too_little_left: false,
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// When the time is up.
    pub(crate) fn deadline(&self) -> Timestamp {
        self.deadline
    }

    /// Whether another page request fits.
    pub(crate) fn room(&self, used: &Counters, now: Timestamp) -> Room {
        if now >= self.deadline {
            return Room::Spent(FinishReason::TimeLimit);
        }
        if let Some(pages) = self.limits.pages {
            if used.answered >= pages {
                return Room::Spent(FinishReason::PageLimit);
            }
            if used.answered + self.pages_in_flight >= pages {
                return Room::Later;
            }
        }
        let Some(bytes) = self.limits.bytes else {
            return Room::Yes(self.body_limit);
        };
        let left = bytes.saturating_sub(used.wire_bytes);
        if left == 0 || self.is_too_little_left {
            return Room::Spent(FinishReason::ByteLimit);
        }
        if self.bytes_promised == 0 {
            // The last stretch is used up by one request at a time.
            return Room::Yes(left.min(self.body_limit));
        }
        if left - left.min(self.bytes_promised) >= self.body_limit {
            return Room::Yes(self.body_limit);
        }
        Room::Later
    }

    /// A body was larger than this request was allowed: because of the budget, or by itself?
    /// If it was the budget, nothing more is begun.
    pub(crate) fn cut_short(&mut self, body_limit: u64) -> bool {
        let is_budget = body_limit < self.body_limit;
        self.is_too_little_left |= is_budget;
        is_budget
    }

    /// A page request begins.
    pub(crate) fn page_begins(&mut self, body_limit: u64) {
        self.pages_in_flight += 1;
        self.bytes_promised += body_limit;
    }

    /// A page request ended, whatever came of it.
    pub(crate) fn page_ends(&mut self, body_limit: u64) {
        self.pages_in_flight = self.pages_in_flight.saturating_sub(1);
        self.bytes_promised = self.bytes_promised.saturating_sub(body_limit);
    }

    /// A request for robots.txt begins.
    pub(crate) fn robots_begins(&mut self, body_limit: u64) {
        self.bytes_promised += body_limit;
    }

    /// A request for robots.txt ended.
    pub(crate) fn robots_ends(&mut self, body_limit: u64) {
        self.bytes_promised = self.bytes_promised.saturating_sub(body_limit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(100);

    fn used(answered: u64, wire_bytes: u64) -> Counters {
        Counters { answered, wire_bytes, ..Counters::default() }
    }

    #[test]
    fn pages_in_flight_count_as_if_they_had_been_answered() {
        let limits = Limits { pages: Some(10), ..Limits::default() };
        let mut budget = Budget::new(limits, 1000, NOW);
        assert_eq!(budget.room(&used(8, 0), NOW), Room::Yes(1000));
        budget.page_begins(1000);
        budget.page_begins(1000);
        assert_eq!(budget.room(&used(8, 0), NOW), Room::Later);
        budget.page_ends(1000);
        assert_eq!(budget.room(&used(8, 0), NOW), Room::Yes(1000), "one failed without an answer");
        assert_eq!(budget.room(&used(10, 0), NOW), Room::Spent(FinishReason::PageLimit));
    }

    #[test]
    fn bytes_promised_and_received_never_exceed_the_limit() {
        let limits = Limits { bytes: Some(2500), ..Limits::default() };
        let mut budget = Budget::new(limits, 1000, NOW);
        assert_eq!(budget.room(&used(0, 0), NOW), Room::Yes(1000));
        budget.page_begins(1000);
        assert_eq!(budget.room(&used(0, 0), NOW), Room::Yes(1000));
        budget.page_begins(1000);
        assert_eq!(budget.room(&used(0, 0), NOW), Room::Later, "500 left is less than a body");
        budget.page_ends(1000);
        budget.page_ends(1000);
        assert_eq!(budget.room(&used(0, 2000), NOW), Room::Yes(500));
        assert_eq!(budget.room(&used(0, 2500), NOW), Room::Spent(FinishReason::ByteLimit));
    }

    #[test]
    fn the_time_is_up_at_the_deadline() {
        let limits = Limits { time: Some(Duration::from_secs(5)), ..Limits::default() };
        let budget = Budget::new(limits, 1000, NOW);
        assert!(matches!(budget.room(&used(0, 0), NOW), Room::Yes(_)));
        let late = NOW + Duration::from_secs(5);
        assert_eq!(budget.room(&used(0, 0), late), Room::Spent(FinishReason::TimeLimit));
    }
}
