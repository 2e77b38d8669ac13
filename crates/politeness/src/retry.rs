//! Is one URL worth another attempt, and when?
//!
//! A table by what happened. The host's own pace is a different matter: an
//! attempt granted here still waits for its [`Pace`](crate::Pace).
//!
//! | what happened | attempts | waits |
//! |---|---|---|
//! | host name has no address | 2 | 1 day |
//! | host name could not be looked up, refused, timed out | 5 | 1 min, 20 min, 7 h, 1 day |
//! | TLS handshake failed | 2 | 1 day |
//! | connection broke, 408, 425 | 4 | 1 min, 10 min, 100 min |
//! | not HTTP | 2 | 1 h |
//! | 5xx but 501, 503, 505 | 4 | 5 min, 1 h, 12 h |
//! | 429, 503 | 20, counted apart | none: the host backs off instead |
//! | other 4xx, 501, 505, too large, bad encoding, redirects astray, forbidden address | 1 | |
//!
//! The long last waits carry a page over an outage of its host of a day or so.

use std::time::Duration;

use gannet_model::{Failure, Timestamp};
use serde::{Deserialize, Serialize};

use crate::prose;

/// How often one URL was tried since it last worked. Stored with the URL's place in the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tries {
    /// Attempts that failed for any reason but throttling.
    pub failures: u32,
    /// Attempts that the host turned away with 429 or 503. Counted apart, since they say
    /// nothing about the page.
    pub throttles: u32,
}

/// How an attempt at a URL ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The server answered with this status.
    Answered(u16),
    /// No usable answer came.
    Failed(Failure),
}

/// Whether the URL is tried again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Retry {
    /// It worked: nothing to repeat.
    Done,
    /// Yes.
    Again {
        /// Not before this.
        at: Timestamp,
        /// Such as `the server took too long; attempt 2 of 5 in 1 min`.
        because: String,
    },
    /// No.
    GiveUp {
        /// Such as `answered 404, which another attempt would not change`.
        because: String,
    },
}

/// How often to try, and how long to wait in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Patience {
    /// Attempts in all; one means that the first failure is final.
    pub attempts: u32,
    /// The wait after the first.
    pub first: Duration,
    /// Each further wait is this many times the one before.
    pub factor: u32,
    /// The longest wait.
    pub longest: Duration,
}

/// The table: one row per kind of failure that may pass. All others are final.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetryRules {
    /// The host name has no address.
    pub name_not_found: Patience,
    /// The host could not be reached: lookup failed, refused, timed out.
    pub unreachable: Patience,
    /// The TLS handshake failed.
    pub tls: Patience,
    /// The connection broke, or the server says the moment was wrong (408, 425).
    pub broken: Patience,
    /// What came is not HTTP.
    pub not_http: Patience,
    /// The server failed: 5xx but 501, 503 and 505.
    pub server_error: Patience,
    /// How often one URL may be turned away with 429 or 503 before we let it go.
    pub most_throttles: u32,
}

impl Default for RetryRules {
    fn default() -> RetryRules {
        const MINUTE: Duration = Duration::from_secs(60);
        const HOUR: Duration = Duration::from_secs(3600);
        const DAY: Duration = Duration::from_secs(24 * 3600);
        let once_more = |first| Patience { attempts: 2, first, factor: 1, longest: DAY };
        RetryRules {
            name_not_found: once_more(DAY),
            unreachable: Patience { attempts: 5, first: MINUTE, factor: 20, longest: DAY },
            tls: once_more(DAY),
            broken: Patience { attempts: 4, first: MINUTE, factor: 10, longest: DAY },
            not_http: once_more(HOUR),
            server_error: Patience { attempts: 4, first: 5 * MINUTE, factor: 12, longest: DAY },
            most_throttles: 20,
        }
    }
}

impl Tries {
    /// Counts an attempt that ended at `now` and decides whether there is another.
    pub fn decide(&mut self, outcome: Outcome, rules: &RetryRules, now: Timestamp) -> Retry {
        match outcome {
            Outcome::Answered(status @ (429 | 503)) => self.turned_away(status, rules, now),
            Outcome::Answered(100..=399) => {
                *self = Tries::default();
                Retry::Done
            }
            Outcome::Answered(_) | Outcome::Failed(_) => self.failed(outcome, rules, now),
        }
    }

    fn turned_away(&mut self, status: u16, rules: &RetryRules, now: Timestamp) -> Retry {
        self.throttles = self.throttles.saturating_add(1);
        if self.throttles >= rules.most_throttles {
            let because = format!("turned away {} times, last with {status}", self.throttles);
            return Retry::GiveUp { because };
        }
        let because = format!("answered {status}; again when the host's back-off is over");
        Retry::Again { at: now, because }
    }

    fn failed(&mut self, outcome: Outcome, rules: &RetryRules, now: Timestamp) -> Retry {
        self.failures = self.failures.saturating_add(1);
        let what = describe(outcome);
        let Some(patience) = rules.patience(outcome) else {
            let because = format!("{what}, which another attempt would not change");
            return Retry::GiveUp { because };
        };
        if self.failures >= patience.attempts {
            return Retry::GiveUp { because: format!("{what}; {} attempts made", self.failures) };
        }
        let wait = patience.wait_after(self.failures);
        let (next, of, span) = (self.failures + 1, patience.attempts, prose::span(wait));
        let because = format!("{what}; attempt {next} of {of} in {span}");
        Retry::Again { at: now + wait, because }
    }
}

impl Patience {
    fn wait_after(&self, attempts: u32) -> Duration {
        let grown = self.factor.saturating_pow(attempts.saturating_sub(1));
        self.first.saturating_mul(grown).min(self.longest)
    }
}

impl RetryRules {
    /// The row for an outcome; none when it is final.
    fn patience(&self, outcome: Outcome) -> Option<Patience> {
        match outcome {
            Outcome::Answered(408 | 425) => Some(self.broken),
            Outcome::Answered(501 | 505) => None,
            Outcome::Answered(500..=599) => Some(self.server_error),
            Outcome::Answered(_) => None,
            Outcome::Failed(failure) => match failure {
                Failure::NameNotFound => Some(self.name_not_found),
                Failure::NameLookup | Failure::Refused | Failure::Timeout => Some(self.unreachable),
                Failure::Tls => Some(self.tls),
                Failure::Broken => Some(self.broken),
                Failure::NotHttp => Some(self.not_http),
                _ => None,
            },
        }
    }
}

fn describe(outcome: Outcome) -> String {
    match outcome {
        Outcome::Answered(status) => format!("answered {status}"),
        Outcome::Failed(failure) => failure.to_string(),
    }
}

#[cfg(test)]
mod tests;
