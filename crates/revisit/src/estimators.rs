//! How often does a page change? Seven published answers from what its visits showed.
//!
//! A visit shows at most one bit: changed since the last one or not. What happened in between,
//! however often, is not seen; estimators differ in what they make of that. None of them says how
//! sure it is.

use serde::{Deserialize, Serialize};

/// The time between two visits and what the later one showed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gap {
    /// How many days.
    pub days: f32,
    /// What was seen at the end.
    pub outcome: Outcome,
}

/// What was seen at the end of a gap.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// The page was as before.
    Same,
    /// It had changed, nobody knows when.
    Changed,
    /// It had changed, and for the last time this many days before the visit.
    ChangedBefore(f32),
}

impl Gap {
    fn has_changed(&self) -> bool {
        self.outcome != Outcome::Same
    }

    fn length(&self) -> f64 {
        f64::from(self.days)
    }
}

/// A way to estimate how often a page changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Estimator {
    /// Changes seen per day: `X / T`. Never above the rate of visits; a page that changes as often
    /// as it is visited is taken for one that changes 37 % less often.
    Naive,
    /// Cho and Garcia-Molina for regular visits: `−f·ln((n − X + 0.5) / (n + 0.5))`.
    Cho,
    /// The likeliest rate for gaps of any length, with one changed and one unchanged gap of half a
    /// day thrown in, as Kolobov and others (2019) do.
    #[default]
    Mle,
    /// Avrachenkov, Patil and Thoppe (2020): `p·X / (k + 1 − X)`. Right for visits at random times
    /// only.
    Lln,
    /// The same authors, step by step: `l += η·(z·(l + p) − l)`. Right for visits at random times.
    Sa,
    /// Upadhyay and others (2020): the rate with as many unchanged gaps as were seen.
    MomentMatch,
    /// Cho and Garcia-Molina where the server says when a page was last changed.
    LastModified,
}

/// The least rate that is told apart from none, in changes a day: one in some five years.
pub const LEAST_RATE: f64 = 0.0005;

/// The greatest rate that makes a difference, in changes a day.
pub const GREATEST_RATE: f64 = 7.0;

/// The length in days of the two gaps that are thrown in.
pub const SMOOTHING_DAYS: f32 = 0.5;

/// What [`Estimator::Lln`] adds to the visits lest it divides by nothing.
const LLN_OFFSET: f64 = 1.0;

/// How the steps of [`Estimator::Sa`] shrink: `k` to the power of minus this.
const STEP_DECAY: f64 = 0.75;

/// What Cho and Garcia-Molina add to counts against their bias.
const HALF_VISIT: f64 = 0.5;

impl Estimator {
    /// Changes a day, from [`LEAST_RATE`] to [`GREATEST_RATE`].
    pub fn rate(self, gaps: &[Gap]) -> f64 {
        let rate = match self {
            Estimator::Naive => naive(gaps),
            Estimator::Cho => cho(gaps),
            Estimator::Mle => return likeliest(gaps),
            Estimator::Lln => law_of_large_numbers(gaps),
            Estimator::Sa => step_by_step(gaps),
            Estimator::MomentMatch => return moment_match(gaps),
            Estimator::LastModified => last_modified(gaps),
        };
        rate.clamp(LEAST_RATE, GREATEST_RATE)
    }
}

/// Visits, changes and days.
struct Sums {
    visits: f64,
    changes: f64,
    days: f64,
}

/// `None` when there is nothing to go by.
fn sums(gaps: &[Gap]) -> Option<Sums> {
    let days: f64 = gaps.iter().map(Gap::length).sum();
    let changes = gaps.iter().filter(|gap| gap.has_changed()).count() as f64;
    (days > 0.0).then_some(Sums { visits: gaps.len() as f64, changes, days })
}

fn naive(gaps: &[Gap]) -> f64 {
    sums(gaps).map_or(0.0, |sums| sums.changes / sums.days)
}

fn cho(gaps: &[Gap]) -> f64 {
    sums(gaps).map_or(0.0, |sums| {
        let unchanged = sums.visits - sums.changes + HALF_VISIT;
        -(unchanged / (sums.visits + HALF_VISIT)).ln() * sums.visits / sums.days
    })
}

fn law_of_large_numbers(gaps: &[Gap]) -> f64 {
    sums(gaps).map_or(0.0, |sums| {
        let visit_rate = sums.visits / sums.days;
        visit_rate * sums.changes / (sums.visits + LLN_OFFSET - sums.changes)
    })
}

fn step_by_step(gaps: &[Gap]) -> f64 {
    let Some(sums) = sums(gaps) else {
        return 0.0;
    };
    let visit_rate = sums.visits / sums.days;
    let mut rate = visit_rate;
    for (count, gap) in (1_u32..).zip(gaps) {
        let step = f64::from(count).powf(-STEP_DECAY);
        let target = if gap.has_changed() { rate + visit_rate } else { 0.0 };
        rate += step * (target - rate);
    }
    rate
}

/// A change that no date is known of is taken to have happened in the middle of its gap.
fn last_modified(gaps: &[Gap]) -> f64 {
    let Some(sums) = sums(gaps) else {
        return 0.0;
    };
    if sums.changes == 0.0 {
        return 0.0;
    }
    let quiet: f64 = gaps.iter().map(quiet_days).sum();
    let missed = sums.changes / (sums.visits * (-sums.changes / sums.visits).ln_1p());
    let changes = sums.changes - 1.0 - missed;
    if quiet > 0.0 { changes / quiet } else { GREATEST_RATE }
}

fn quiet_days(gap: &Gap) -> f64 {
    match gap.outcome {
        Outcome::Same => gap.length(),
        Outcome::Changed => gap.length() / 2.0,
        Outcome::ChangedBefore(days) => f64::from(days).clamp(0.0, gap.length()),
    }
}

/// Solves `Σ changed τ/(e^{lτ} − 1) = Σ unchanged τ`.
fn likeliest(gaps: &[Gap]) -> f64 {
    let changed: Vec<f64> = gaps.iter().filter(|gap| gap.has_changed()).map(Gap::length).collect();
    let unchanged: f64 = gaps.iter().filter(|gap| !gap.has_changed()).map(Gap::length).sum();
    let thrown_in = f64::from(SMOOTHING_DAYS);
    falling_root(|rate| {
        let pull = |days: f64| days / (rate * days).exp_m1();
        let slope = |days: f64| {
            let grown = (rate * days).exp_m1();
            if grown.is_finite() { -days * days * (grown + 1.0) / (grown * grown) } else { 0.0 }
        };
        let mut value = pull(thrown_in) - thrown_in - unchanged;
        let mut steepness = slope(thrown_in);
        for &days in changed.iter().filter(|days| **days > 0.0) {
            value += pull(days);
            steepness += slope(days);
        }
        (value, steepness)
    })
}

/// Solves `Σ e^{−lτ} = number of unchanged gaps`.
fn moment_match(gaps: &[Gap]) -> f64 {
    let unchanged = gaps.iter().filter(|gap| !gap.has_changed()).count() as f64;
    falling_root(|rate| {
        let mut value = -unchanged;
        let mut steepness = 0.0;
        for gap in gaps {
            let chance = (-rate * gap.length()).exp();
            value += chance;
            steepness -= gap.length() * chance;
        }
        (value, steepness)
    })
}

/// Steps of the search for a root; halving alone reaches its end after fewer.
const MOST_STEPS: u32 = 60;

/// A root is good enough when another step moves it by less than this share.
const GOOD_ENOUGH: f64 = 1e-6;

/// Where a falling function, given with its slope, is zero between the least and the greatest
/// rate; the nearer end where it is not. Newton's steps, halving where they lead astray.
fn falling_root(function: impl Fn(f64) -> (f64, f64)) -> f64 {
    let (mut low, mut high) = (LEAST_RATE, GREATEST_RATE);
    if function(low).0 <= 0.0 {
        return low;
    }
    if function(high).0 >= 0.0 {
        return high;
    }
    let mut rate = (low * high).sqrt();
    for _ in 0..MOST_STEPS {
        let (value, slope) = function(rate);
        if value > 0.0 {
            low = rate;
        } else {
            high = rate;
        }
        // In the logarithm of the rate the function is nearly straight where it matters.
        let step = rate * (-value / (slope * rate)).exp();
        let next = if step > low && step < high { step } else { (low * high).sqrt() };
        if (next - rate).abs() <= GOOD_ENOUGH * rate {
            return next;
        }
        rate = next;
    }
    rate
}

#[cfg(test)]
#[path = "estimators_tests.rs"]
mod tests;
