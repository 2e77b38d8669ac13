//! What is known of how often a page changes, and what a visit to it is worth.
//!
//! A page changes at random with an unknown rate. What is known of the rate is a Gamma
//! distribution with shape `a` and exposure `b` in days: about as much as `a` changes seen in `b`
//! days. All that a policy needs of it has a closed form: the chance that a copy is still fresh,
//! what a visit would bring, and how long to wait until that is enough.

mod special;

pub(crate) use special::{digamma, gamma_quantile};

/// A Gamma distribution of the changes a day.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Posterior {
    /// The shape: about the changes seen.
    pub(crate) a: f64,
    /// The exposure: about the days watched.
    pub(crate) b: f64,
}

/// Below this share of the exposure, time is so short that two terms of a series are exact, and
/// differences of nearly equal numbers are not.
const SHORT: f64 = 1e-4;
/// This near to 1 the shape counts as 1: the closed form divides by the difference.
const NEAR_ONE: f64 = 1e-5;
/// Steps of Newton's method at most; five are usual.
const MOST_STEPS: usize = 40;
/// The step after which a wait is known well enough: each leaves about the square of its error.
const NEAR_ENOUGH: f64 = 3e-3;
/// The furthest one step may go, in logarithms: far from the root the slope misleads.
const LONGEST_STEP: f64 = 4.0;
/// Waits are never looked for beyond this many days.
const LONGEST_WAIT: f64 = 1e7;
/// Fitted shapes lie in here: less has no moments to speak of, more says that all pages are alike.
const SHAPES: (f64, f64) = (0.08, 20.0);

impl Posterior {
    /// The mean of the rate, in changes a day.
    pub(crate) fn mean(&self) -> f64 {
        self.a / self.b
    }

    /// The mean of the rate's logarithm.
    pub(crate) fn mean_ln(&self) -> f64 {
        digamma(self.a) - self.b.ln()
    }

    /// The bounds that hold the rate with a chance of nine in ten.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        (gamma_quantile(self.a, 0.05) / self.b, gamma_quantile(self.a, 0.95) / self.b)
    }

    /// `L`: the chance that a copy is fresh after `t` days.
    pub(crate) fn fresh(&self, t: f64) -> f64 {
        (-self.a * (t / self.b).ln_1p()).exp()
    }

    /// `U`: what a visit after `t` days brings, in days of freshness. `theta` 0 counts whether the
    /// copy is stale, 1 how many changes it lacks (as harmonic numbers), between them a mix.
    pub(crate) fn value(&self, t: f64, theta: f64) -> f64 {
        self.value_and_slope(t, theta).0
    }

    /// `U` and its derivative.
    fn value_and_slope(&self, t: f64, theta: f64) -> (f64, f64) {
        let Posterior { a, b } = *self;
        let y = t / b;
        if y * (a + 1.0) < SHORT {
            let first = a * y / 2.0;
            let second = a * (a + 1.0) * y * y / 6.0;
            let value = t * (first - ((1.0 - theta) * 2.0 + theta) * second);
            return (value, a * y * (1.0 - (a + 1.0) * y * (1.0 - theta / 2.0)));
        }
        let log = y.ln_1p();
        let fresh = (-a * log).exp();
        let fresh_days = if (a - 1.0).abs() < NEAR_ONE {
            b * log
        } else {
            b / (a - 1.0) * (1.0 - fresh * (1.0 + y))
        };
        let value = (1.0 - theta) * (fresh_days - t * fresh) + theta * (t - fresh_days);
        let slope = (1.0 - theta) * a * t / (b + t) * fresh + theta * (1.0 - fresh);
        (value, slope)
    }

    /// `U` turned round: after how many days a visit brings this much. Without end where it never
    /// does.
    pub(crate) fn wait_for(&self, value: f64, theta: f64) -> f64 {
        if value <= 0.0 {
            return 0.0;
        }
        let most = if theta <= 0.0 && self.a > 1.0 { self.b / (self.a - 1.0) } else { f64::MAX };
        if value >= most {
            return LONGEST_WAIT;
        }
        // For short times U is a t² / 2b whatever theta is.
        let mut t = (2.0 * value * self.b / self.a).sqrt();
        for _ in 0..MOST_STEPS {
            let (found, slope) = self.value_and_slope(t, theta);
            if found <= 0.0 || slope <= 0.0 {
                break;
            }
            // Both axes in logarithms: there the curve is nearly straight, of slope 2, then 1.
            let step = (value / found).ln() * found / (t * slope);
            let step = step.clamp(-LONGEST_STEP, LONGEST_STEP);
            t = (t * step.exp()).min(LONGEST_WAIT);
            if step.abs() < NEAR_ENOUGH || t >= LONGEST_WAIT {
                break;
            }
        }
        t
    }

    /// Learns that nothing changed in `t` days. Exact.
    pub(crate) fn unchanged(&self, t: f64) -> Posterior {
        Posterior { a: self.a, b: self.b + t }
    }

    /// Learns that something changed in `t` days: the Gamma with the mean and the variance of what
    /// is then known (assumed density filtering).
    pub(crate) fn changed(&self, t: f64) -> Posterior {
        let Posterior { a, b } = *self;
        let log = (t / b).ln_1p();
        let q = |j: f64| -(-(a + j) * log).exp_m1();
        let q0 = q(0.0);
        if q0 <= 0.0 {
            return Posterior { a: a + 1.0, b };
        }
        let mean = a / b * q(1.0) / q0;
        let square = a * (a + 1.0) / (b * b) * q(2.0) / q0;
        let variance = square - mean * mean;
        if variance <= 0.0 || !variance.is_finite() {
            return Posterior { a: a + 1.0, b };
        }
        Posterior { a: mean * mean / variance, b: mean / variance }
    }

    /// Learns that the last change was `quiet` days ago, as a server's date tells. Exact.
    pub(crate) fn changed_last(&self, quiet: f64) -> Posterior {
        Posterior { a: self.a + 1.0, b: self.b + quiet }
    }

    /// The distribution that pages with these means of the rate and of its logarithm are drawn
    /// from (Minka's approximation of `ln a - psi(a)`, right to 1.5 %).
    pub(crate) fn fit(mean: f64, mean_ln: f64) -> Posterior {
        let s = (mean.ln() - mean_ln).max(1e-3);
        let a = (3.0 - s + ((s - 3.0) * (s - 3.0) + 24.0 * s).sqrt()) / (12.0 * s);
        let a = a.clamp(SHAPES.0, SHAPES.1);
        Posterior { a, b: a / mean }
    }
}

/// How many days what was learned of a page holds: what changed every day last year may rest now.
pub(crate) fn memory_days(rate: f64) -> f64 {
    (CHANGES_REMEMBERED / rate).clamp(SHORTEST_MEMORY, LONGEST_MEMORY)
}

/// A page is remembered for as long as it takes to change so often, within the bounds below.
const CHANGES_REMEMBERED: f64 = 30.0;
/// The shortest and the longest memory, in days.
const SHORTEST_MEMORY: f64 = 180.0;
const LONGEST_MEMORY: f64 = 1500.0;

#[cfg(test)]
mod tests;
