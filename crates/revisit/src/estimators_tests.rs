//! What each estimator makes of pages whose rate is known.

use gannet_model::spread;

use super::*;

/// A number above 0, up to 1.
fn draw(seed: u64) -> f64 {
    ((spread(spread(seed) ^ 0x9e37) >> 11) + 1) as f64 / (1_u64 << 53) as f64
}

/// Visits a day apart to a page that changes `ratio` times a day, with the date of the last change.
fn regular(ratio: f64, visits: u64, seed: u64) -> Vec<Gap> {
    (0..visits).map(|visit| gap(ratio, 1.0, draw(seed * 1_000_003 + visit))).collect()
}

/// Visits at random times, one a day in the mean.
fn random(ratio: f64, visits: u64, seed: u64) -> Vec<Gap> {
    let gaps = (0..visits).map(|visit| {
        let name = seed * 1_000_003 + visit;
        gap(ratio, -draw(name.wrapping_add(1 << 60)).ln(), draw(name))
    });
    gaps.collect()
}

/// Looking back from the visit, the last change is an exponential time ago.
fn gap(rate: f64, days: f64, draw: f64) -> Gap {
    let quiet = -draw.ln() / rate;
    let outcome = if quiet < days { Outcome::ChangedBefore(quiet as f32) } else { Outcome::Same };
    Gap { days: days as f32, outcome }
}

#[track_caller]
fn near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found} is not {expected}");
}

#[test]
fn the_naive_estimate_misses_what_happens_between_visits() {
    near(Estimator::Naive.rate(&regular(1.0, 40_000, 1)), 1.0 - 0.37, 0.01);
    near(Estimator::Naive.rate(&regular(3.0, 40_000, 2)) / 3.0, 1.0 - 0.68, 0.01);
}

#[test]
fn the_others_are_right_in_the_long_run() {
    for rate in [0.1, 0.5, 1.0, 3.0] {
        let even = regular(rate, 40_000, 3);
        for estimator in
            [Estimator::Cho, Estimator::Mle, Estimator::MomentMatch, Estimator::LastModified]
        {
            near(estimator.rate(&even) / rate, 1.0, 0.05);
        }
    }
    for rate in [0.5, 1.0, 3.0] {
        let random = random(rate, 40_000, 4);
        for estimator in [Estimator::Mle, Estimator::Lln, Estimator::MomentMatch] {
            near(estimator.rate(&random) / rate, 1.0, 0.05);
        }
        near(Estimator::Sa.rate(&random) / rate, 1.0, 0.25);
    }
}

#[test]
fn estimators_for_random_visits_are_wrong_for_even_ones() {
    let found = Estimator::Lln.rate(&regular(1.0, 40_000, 5));
    near(found, 1.0_f64.exp() - 1.0, 0.05);
}

/// Root of the mean square error in powers of two over many pages of twenty visits.
fn error(estimator: Estimator, ratio: f64) -> f64 {
    let pages = 4_000;
    let squares: f64 = (0..pages)
        .map(|page| (estimator.rate(&regular(ratio, 20, 7 + page)) / ratio).log2().powi(2))
        .sum();
    (squares / pages as f64).sqrt()
}

#[test]
fn errors_after_twenty_visits_are_those_published() {
    for (ratio, naive, cho, mle) in [(1.0, 0.72, 0.43, 0.41), (3.0, 1.66, 0.37, 0.36)] {
        near(error(Estimator::Naive, ratio), naive, 0.03);
        near(error(Estimator::Cho, ratio), cho, 0.03);
        near(error(Estimator::Mle, ratio), mle, 0.03);
    }
    // Among slower pages there are some of which no change was seen; without smoothing their error
    // depends on the least rate alone.
    near(error(Estimator::Mle, 0.5), 0.52, 0.03);
    near(error(Estimator::Mle, 0.1), 0.86, 0.06);
    let dated = error(Estimator::LastModified, 3.0);
    assert!(dated < 0.34, "dates make it better: {dated}");
}

#[test]
fn with_nothing_seen_the_smoothed_rate_is_that_of_the_gaps_thrown_in() {
    near(Estimator::Mle.rate(&[]), 2.0 * 2.0_f64.ln(), 1e-5);
    for estimator in [Estimator::Naive, Estimator::Cho, Estimator::Lln, Estimator::Sa] {
        assert_eq!(estimator.rate(&[]), LEAST_RATE);
    }
}

#[test]
fn worked_by_hand() {
    let gaps = |changed: usize, same: usize| -> Vec<Gap> {
        let changes = std::iter::repeat_n(Outcome::Changed, changed);
        let all = changes.chain(std::iter::repeat_n(Outcome::Same, same));
        all.map(|outcome| Gap { days: 2.0, outcome }).collect()
    };
    near(Estimator::Naive.rate(&gaps(6, 4)), 0.3, 1e-9);
    near(Estimator::Cho.rate(&gaps(6, 4)), -0.5 * (4.5_f64 / 10.5).ln(), 1e-9);
    near(Estimator::Lln.rate(&gaps(6, 4)), 0.5 * 6.0 / 5.0, 1e-9);
    near(Estimator::MomentMatch.rate(&gaps(6, 4)), -0.5 * 0.4_f64.ln(), 1e-5);
    // Quiet for 6·1 + 4·2 days; changes 5 − 6/(10·ln 0.4).
    near(Estimator::LastModified.rate(&gaps(6, 4)), (5.0 + 0.6 / 0.916_290_7) / 14.0, 1e-6);
    assert_eq!(Estimator::MomentMatch.rate(&gaps(0, 4)), LEAST_RATE);
    assert_eq!(Estimator::MomentMatch.rate(&gaps(4, 0)), GREATEST_RATE);
}

#[test]
fn a_long_quiet_gap_brings_the_smoothed_rate_down() {
    let quiet = [Gap { days: 80.0, outcome: Outcome::Same }];
    near(Estimator::Mle.rate(&quiet), 0.01238, 1e-4);
    let long = [Gap { days: 1e6, outcome: Outcome::Same }];
    assert_eq!(Estimator::Mle.rate(&long), LEAST_RATE);
}
