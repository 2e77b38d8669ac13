//! What a page that changes at random is worth at a given rate of visits: the formulas.
//!
//! `ratio` is changes per visit: the rate of change over the rate of visits. A page that is
//! visited evenly is visited every `1/f` days; one that is visited at random, at moments of a
//! Poisson process. Ages are in units of the mean time between visits.

/// How visits are spaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spacing {
    /// Always the same time apart.
    #[default]
    Even,
    /// At random, without memory.
    Random,
}

/// Below this the series are used, for the closed forms take differences of equal numbers.
const SMALL: f64 = 1e-4;

/// The share of time that the copy is as the page is.
pub fn freshness(ratio: f64, spacing: Spacing) -> f64 {
    match spacing {
        Spacing::Random => 1.0 / (1.0 + ratio),
        Spacing::Even if ratio < SMALL => 1.0 - ratio / 2.0,
        Spacing::Even if ratio.is_infinite() => 0.0,
        Spacing::Even => -(-ratio).exp_m1() / ratio,
    }
}

/// Mean time since the first unseen change, 0 while fresh, in mean times between visits.
pub fn age(ratio: f64, spacing: Spacing) -> f64 {
    match spacing {
        Spacing::Random => ratio / (1.0 + ratio),
        Spacing::Even if ratio < SMALL => ratio / 6.0,
        Spacing::Even => 0.5 - 1.0 / ratio - (-ratio).exp_m1() / (ratio * ratio),
    }
}

/// Mean of `1 + 1/2 + … + 1/N` over the `N` unseen changes.
pub fn harmonic_staleness(ratio: f64, spacing: Spacing) -> f64 {
    match spacing {
        Spacing::Random => ratio.ln_1p(),
        Spacing::Even if ratio < SMALL => ratio / 2.0,
        Spacing::Even => entire_exponential_integral(ratio) - 1.0 + freshness(ratio, spacing),
    }
}

/// The share of visits that find nothing new.
pub fn waste(ratio: f64, spacing: Spacing) -> f64 {
    match spacing {
        Spacing::Random => 1.0 / (1.0 + ratio),
        Spacing::Even => (-ratio).exp(),
    }
}

/// Euler's constant.
const EULER: f64 = 0.577_215_664_901_532_9;

/// From here on the continued fraction is the better way.
const SERIES_UP_TO: f64 = 4.0;

/// Terms of the series and of the continued fraction: more than double precision needs.
const TERMS: u32 = 60;

/// `Ein(x) = ∫₀ˣ (1 − e^−t)/t dt = γ + ln x + E₁(x)`.
pub fn entire_exponential_integral(x: f64) -> f64 {
    if x > SERIES_UP_TO {
        return EULER + x.ln() + exponential_integral(x);
    }
    let mut power = 1.0;
    let mut sum = 0.0;
    for term in (1..=TERMS).map(f64::from) {
        power *= -x / term;
        sum -= power / term;
    }
    sum
}

/// `E₁(x)` by its continued fraction, from the far end.
fn exponential_integral(x: f64) -> f64 {
    let mut tail = 0.0;
    for term in (1..=TERMS).rev().map(f64::from) {
        tail = term * term / (x + 2.0 * term + 1.0 - tail);
    }
    (-x).exp() / (x + 1.0 - tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
    }

    #[test]
    fn at_one_change_a_visit_even_visits_keep_the_copy_fresher() {
        near(freshness(1.0, Spacing::Even), 0.632_120_6);
        near(freshness(1.0, Spacing::Random), 0.5);
        near(waste(1.0, Spacing::Even), 0.367_879_4);
    }

    #[test]
    fn ages_are_the_integrals_they_stand_for() {
        near(age(1.0, Spacing::Even), 0.5 - 1.0 + 0.632_120_6);
        near(age(1.0, Spacing::Random), 0.5);
        near(age(2.0 * SMALL, Spacing::Even), SMALL / 3.0);
    }

    #[test]
    fn the_integral_is_the_same_both_ways() {
        near(entire_exponential_integral(1.0), 0.796_599_6);
        near(entire_exponential_integral(SERIES_UP_TO), EULER + 4.0_f64.ln() + 0.003_779_352_4);
        near(exponential_integral(5.0), 0.001_148_295_6);
        let jump = entire_exponential_integral(4.000_001) - entire_exponential_integral(4.0);
        assert!(jump > 0.0 && jump < 1e-6, "{jump}");
    }

    #[test]
    fn unseen_changes_weigh_less_when_visits_are_even() {
        near(harmonic_staleness(1.0, Spacing::Random), 2.0_f64.ln());
        near(harmonic_staleness(1.0, Spacing::Even), 0.796_599_6 - 1.0 + 0.632_120_6);
    }
}
