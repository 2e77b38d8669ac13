//! When one host may be contacted again, and why not sooner.
//!
//! The pace of a host is made of its delay (ours, or the `Crawl-delay` it asks
//! for), of what it told us to wait (`Retry-After`, 429, 503) and of how long
//! it has been down. It is stored with the host, so that no restart makes us
//! forget. What is in flight is for the [`Gate`](crate::Gate); whether one URL
//! is tried again is for [`Tries`](crate::Tries).
//!
//! One law holds throughout: the moment a host may be contacted again never
//! moves to an earlier time.

mod backoff;
mod hold;
mod rules;

#[cfg(test)]
mod tests;

use std::time::Duration;

use gannet_model::{Failure, HostId, Timestamp};
use serde::{Deserialize, Serialize};

pub use self::backoff::Doubling;
pub use self::hold::Hold;
pub use self::rules::PaceRules;
use crate::retry_after;

/// When one host may be contacted again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// Seeds the jitter of waits, so that hosts throttled together do not come back together.
    host: HostId,
    /// When the last response ended; the delay counts from there.
    last_end: Option<Timestamp>,
    /// No request before this.
    not_before: Timestamp,
    /// What set `not_before`.
    hold: Hold,
    /// The end of the plain delay, without waits that concern this host alone.
    spaced_until: Timestamp,
    /// How long the last response took, for delays in proportion to it.
    last_took: Duration,
    /// What robots.txt asks for.
    crawl_delay: Option<Duration>,
    /// How often the host throttled us lately; doubles the wait each time.
    throttles: u32,
    /// When it last did.
    last_throttled_at: Timestamp,
    /// How long we then stayed away; tells when to forgive.
    last_back_off: Duration,
    /// Contacts in a row that did not reach the host.
    failures_in_a_row: u32,
    /// When the first of these ended.
    down_since: Option<Timestamp>,
    /// Contacts in vain since the host lost its turn; more than none means that it is lost.
    lost_attempts: u32,
}

/// How a contact with the host ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contact<'a> {
    /// The server answered.
    Answered {
        /// Its status.
        status: u16,
        /// The `Retry-After` header, as it came.
        retry_after: Option<&'a str>,
        /// From sending the request to the end of the response.
        took: Duration,
    },
    /// No usable answer came.
    Failed(Failure),
}

/// What a contact says about the host as a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// It works.
    Up,
    /// It could not be reached.
    Down,
    /// Neither: one broken connection proves nothing.
    Unclear,
}

impl Pace {
    /// The pace of a host never contacted: ready at once.
    pub fn new(host: HostId) -> Pace {
        Pace {
            host,
            last_end: None,
            not_before: Timestamp::ZERO,
            hold: Hold::Nothing,
            spaced_until: Timestamp::ZERO,
            last_took: Duration::ZERO,
            crawl_delay: None,
            throttles: 0,
            last_throttled_at: Timestamp::ZERO,
            last_back_off: Duration::ZERO,
            failures_in_a_row: 0,
            down_since: None,
            lost_attempts: 0,
        }
    }

    /// Takes in a contact that ended at `now`.
    pub fn completed(&mut self, contact: Contact<'_>, rules: &PaceRules, now: Timestamp) {
        self.last_end = Some(now);
        self.last_took = match contact {
            Contact::Answered { took, .. } => took,
            Contact::Failed(_) => Duration::ZERO,
        };
        self.space(rules);
        self.forgive(rules, now);
        match sign(contact) {
            Sign::Up => self.recover(),
            Sign::Down => self.snooze(rules, now),
            Sign::Unclear => {}
        }
        if let Contact::Answered { status, retry_after, .. } = contact {
            self.heed_answer(status, retry_after, rules, now);
        }
    }

    /// Takes in what robots.txt asks for. It holds from the last contact on, which usually was
    /// the one that brought robots.txt.
    pub fn heed_crawl_delay(&mut self, asked: Option<Duration>, rules: &PaceRules) {
        self.crawl_delay = asked;
        self.space(rules);
    }

    /// After an unclean stop the host counts as contacted just now, for we may have been talking to it.
    pub fn restarted(&mut self, now: Timestamp, delay: Duration) {
        self.spaced_until = self.spaced_until.max(now + delay);
        self.wait_until(now + delay, Hold::JustRestarted);
    }

    /// From when on the host may be contacted, and what it waits for until then.
    pub fn ready_at(&self) -> (Timestamp, Hold) {
        (self.not_before, self.hold)
    }

    /// The end of the plain delay: until then hosts at the same address wait as well. Waits that
    /// this host alone asked for are left out, or one throttling blog would stop a whole provider.
    pub fn spaced_until(&self) -> Timestamp {
        self.spaced_until
    }

    /// True when the host was down for so long that it lost its turn: its queue is parked and
    /// the host tried only now and then.
    pub fn is_lost(&self) -> bool {
        self.lost_attempts > 0
    }

    /// Since when the host cannot be reached.
    pub fn down_since(&self) -> Option<Timestamp> {
        self.down_since
    }

    /// When the last response ended.
    pub fn last_end(&self) -> Option<Timestamp> {
        self.last_end
    }

    /// How often the host throttled us and has not yet forgiven.
    pub fn throttles(&self) -> u32 {
        self.throttles
    }

    /// The delay in force, and where it comes from.
    pub fn delay(&self, rules: &PaceRules) -> (Duration, Hold) {
        let asked = self.crawl_delay.unwrap_or_default().min(rules.longest_crawl_delay);
        let in_proportion = rules.in_proportion_to(self.last_took);
        // The order decides among equals: our own delay first.
        let mut longest = (rules.delay, Hold::Delay);
        for candidate in [(asked, Hold::CrawlDelay), (in_proportion, Hold::SlowResponse)] {
            if candidate.0 > longest.0 {
                longest = candidate;
            }
        }
        longest
    }

    fn space(&mut self, rules: &PaceRules) {
        let Some(last_end) = self.last_end else {
            return;
        };
        let (delay, hold) = self.delay(rules);
        self.spaced_until = self.spaced_until.max(last_end + delay);
        self.wait_until(last_end + delay, hold);
    }

    fn wait_until(&mut self, moment: Timestamp, hold: Hold) {
        if moment > self.not_before {
            (self.not_before, self.hold) = (moment, hold);
        }
    }

    fn heed_answer(
        &mut self,
        status: u16,
        retry_after: Option<&str>,
        rules: &PaceRules,
        now: Timestamp,
    ) {
        let is_throttle = matches!(status, 429 | 503);
        let may_ask = is_throttle || matches!(status, 300..=399);
        let asked = retry_after.filter(|_| may_ask).and_then(|value| retry_after::wait(value, now));
        if is_throttle {
            self.throttles = self.throttles.saturating_add(1);
        }
        let (wait, hold) = match asked {
            Some(asked) => (asked.min(rules.longest_retry_after), Hold::RetryAfter),
            None if is_throttle => {
                (backoff::wait(&rules.throttle, self.throttles, self.host), Hold::Throttled)
            }
            None => return,
        };
        if is_throttle {
            (self.last_throttled_at, self.last_back_off) = (now, wait);
        }
        self.wait_until(now + wait, hold);
    }

    /// A host that has not throttled us for a while after we came back starts from the shortest wait again.
    fn forgive(&mut self, rules: &PaceRules, now: Timestamp) {
        let came_back_at = self.last_throttled_at + self.last_back_off;
        if self.throttles > 0 && now >= came_back_at + rules.forgiveness(self.last_back_off) {
            self.throttles = 0;
        }
    }

    fn recover(&mut self) {
        (self.failures_in_a_row, self.down_since, self.lost_attempts) = (0, None, 0);
    }

    fn snooze(&mut self, rules: &PaceRules, now: Timestamp) {
        self.failures_in_a_row = self.failures_in_a_row.saturating_add(1);
        let down_for = now.since(*self.down_since.get_or_insert(now));
        let has_lost_its_turn = self.is_lost()
            || (down_for >= rules.give_up_after
                && self.failures_in_a_row >= rules.give_up_attempts);
        if has_lost_its_turn {
            self.lost_attempts = self.lost_attempts.saturating_add(1);
            let wait = backoff::wait(&rules.lost, self.lost_attempts, self.host);
            self.wait_until(now + wait, Hold::Lost);
        } else {
            let wait = backoff::wait(&rules.outage, self.failures_in_a_row, self.host);
            self.wait_until(now + wait, Hold::Outage);
        }
    }
}

fn sign(contact: Contact<'_>) -> Sign {
    match contact {
        // A gateway that cannot reach its origin speaks for a host that is down; 503 is
        // a throttle and handled as such.
        Contact::Answered { status: 502 | 504 | 520..=524 | 530, .. } => Sign::Down,
        Contact::Answered { .. } => Sign::Up,
        Contact::Failed(failure) if failure.is_of_host() => Sign::Down,
        Contact::Failed(Failure::Broken | Failure::NotHttp) => Sign::Unclear,
        // The server spoke, if only too much or in riddles.
        Contact::Failed(_) => Sign::Up,
    }
}
