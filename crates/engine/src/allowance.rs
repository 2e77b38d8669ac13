//! What a day's budget allows at any moment.
//!
//! The budget flows evenly: a request is allowed when one more fits into what the time since the
//! beginning has brought. What could not be used, because hosts were resting, is kept up to an
//! hour's worth or a few requests, and no further: a watch that was down for a week does not make up for it.

use std::time::Duration;

use gannet_model::Timestamp;
use gannet_store::SpendingRecord;

/// What may be used in a day.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum DailyBudget {
    /// As much as politeness allows.
    #[default]
    Polite,
    /// So many requests.
    Requests(f64),
    /// So many bytes of bodies, as they come over the wire.
    Bytes(f64),
}

const DAY_SECONDS: f64 = 24.0 * 3600.0;
/// How much of the budget is kept when it cannot be used at once, as a share of a day's.
const KEPT_SHARE: f64 = 1.0 / 24.0;
/// Requests that are kept at least, however small the budget.
const KEPT_REQUESTS: f64 = 16.0;
/// What an answer is expected to bring before any came.
const EXPECTED_BYTES: f64 = 20_000.0;
/// The weight of one answer in the mean of their sizes.
const NEW_SIZE_WEIGHT: f64 = 0.01;

/// Keeps account of the daily budget.
#[derive(Clone, Debug)]
pub(crate) struct Allowance {
    budget: DailyBudget,
    since: Timestamp,
    spent: f64,
    /// Requests that a budget of bytes has promised and not paid yet.
    under_way: u32,
    /// What an answer brings in the mean.
    mean_bytes: f64,
}

impl Allowance {
    /// Goes on from what was kept; a budget that was never used begins now.
    pub(crate) fn new(
        budget: DailyBudget,
        kept: Option<SpendingRecord>,
        now: Timestamp,
    ) -> Allowance {
        let (since, spent) = kept.map_or((now, 0.0), |kept| (kept.since, kept.spent));
        Allowance { budget, since, spent, under_way: 0, mean_bytes: EXPECTED_BYTES }
    }

    /// How much was used, and since when.
    pub(crate) fn spent(&self) -> (Timestamp, f64) {
        (self.since, self.spent)
    }

    /// Requests that the budget pays for in a day; `None` when only politeness limits them.
    pub(crate) fn requests_per_day(&self) -> Option<f64> {
        match self.budget {
            DailyBudget::Polite => None,
            DailyBudget::Requests(requests) => Some(requests),
            DailyBudget::Bytes(bytes) => Some(bytes / self.mean_bytes.max(1.0)),
        }
    }

    /// When the next request may begin.
    pub(crate) fn ready_at(&mut self, now: Timestamp) -> Timestamp {
        let (per_day, price) = match self.budget {
            DailyBudget::Polite => return now,
            DailyBudget::Requests(requests) => (requests, 1.0),
            DailyBudget::Bytes(bytes) => (bytes, self.mean_bytes * f64::from(self.under_way + 1)),
        };
        let per_second = per_day / DAY_SECONDS;
        let earned = now.since(self.since).as_secs_f64() * per_second;
        let kept = (per_day * KEPT_SHARE).max(price * KEPT_REQUESTS);
        self.spent = self.spent.max(earned - kept);
        let missing = self.spent + price - earned;
        if missing <= 0.0 { now } else { now + seconds(missing / per_second) }
    }

    /// A request begins.
    pub(crate) fn begin(&mut self) {
        match self.budget {
            DailyBudget::Requests(_) => self.spent += 1.0,
            DailyBudget::Bytes(_) => self.under_way += 1,
            DailyBudget::Polite => {}
        }
    }

    /// A request ended and brought so much.
    pub(crate) fn end(&mut self, bytes: u64) {
        let bytes = bytes as f64;
        self.mean_bytes += NEW_SIZE_WEIGHT * (bytes - self.mean_bytes);
        if let DailyBudget::Bytes(_) = self.budget {
            self.under_way = self.under_way.saturating_sub(1);
            self.spent += bytes;
        }
    }
}

/// A span that a clock can wait for: at least a microsecond, so that time moves on.
fn seconds(span: f64) -> Duration {
    Duration::try_from_secs_f64(span).unwrap_or(Duration::MAX).max(Duration::from_micros(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEGAN: Timestamp = Timestamp::from_secs(1_000_000);
    const DAY: Duration = Duration::from_secs(24 * 3600);

    /// Uses all that is allowed until `until`, at `cost` bytes each; how many requests that were.
    fn use_up(allowance: &mut Allowance, from: Timestamp, until: Timestamp, cost: u64) -> u32 {
        let mut now = from;
        let mut requests = 0;
        while now < until {
            let ready = allowance.ready_at(now);
            if ready > now {
                now = ready;
                continue;
            }
            allowance.begin();
            allowance.end(cost);
            requests += 1;
            assert!(requests < 1_000_000, "the budget never ends");
        }
        requests
    }

    #[test]
    fn requests_flow_evenly_and_sum_up_to_the_budget() {
        let mut allowance = Allowance::new(DailyBudget::Requests(2400.0), None, BEGAN);
        let first = use_up(&mut allowance, BEGAN, BEGAN + DAY / 24, 1);
        let rest = use_up(&mut allowance, BEGAN + DAY / 24, BEGAN + DAY, 1);
        assert!((99..=101).contains(&first), "{first} in the first hour");
        assert!((2398..=2401).contains(&(first + rest)), "{} in a day", first + rest);
    }

    #[test]
    fn bytes_are_paid_for_when_they_have_come() {
        let mut allowance = Allowance::new(DailyBudget::Bytes(1e9), None, BEGAN);
        let requests = use_up(&mut allowance, BEGAN, BEGAN + DAY, 100_000);
        assert!((9_900..=10_001).contains(&requests), "{requests}");
    }

    #[test]
    fn a_week_of_rest_is_not_made_up_for() {
        let mut allowance = Allowance::new(DailyBudget::Requests(2400.0), None, BEGAN);
        let later = BEGAN + DAY * 7;
        let burst = use_up(&mut allowance, later, later + Duration::from_secs(1), 1);
        assert!((99..=102).contains(&burst), "{burst}");
    }

    #[test]
    fn a_restart_goes_on_where_the_budget_stood() {
        let mut first = Allowance::new(DailyBudget::Requests(24.0), None, BEGAN);
        use_up(&mut first, BEGAN, BEGAN + DAY / 2, 1);
        let (since, spent) = first.spent();
        let kept = SpendingRecord { since, spent, ..SpendingRecord::default() };
        let mut second = Allowance::new(DailyBudget::Requests(24.0), Some(kept), BEGAN + DAY / 2);
        let rest = use_up(&mut second, BEGAN + DAY / 2, BEGAN + DAY, 1);
        assert!((11..=13).contains(&rest), "{rest}");
    }

    #[test]
    fn politeness_alone_never_waits() {
        let mut allowance = Allowance::new(DailyBudget::Polite, None, BEGAN);
        assert_eq!(allowance.ready_at(BEGAN), BEGAN);
        assert_eq!(allowance.requests_per_day(), None);
    }
}
