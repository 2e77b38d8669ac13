//! The closed forms agree with sums over the distribution, with each other, and with the known
//! rate where all is known.

use super::*;

#[track_caller]
fn near(found: f64, expected: f64, share: f64) {
    assert!((found - expected).abs() <= share * expected.abs(), "{found} is not {expected}");
}

const SOME: [Posterior; 6] = [
    Posterior { a: 0.1, b: 3.0 },
    Posterior { a: 0.4, b: 24.0 },
    Posterior { a: 1.0, b: 10.0 },
    Posterior { a: 1.000_001, b: 10.0 },
    Posterior { a: 7.3, b: 0.5 },
    Posterior { a: 300.0, b: 1200.0 },
];

#[test]
fn a_wait_is_the_value_turned_round() {
    for posterior in SOME {
        for theta in [0.0, 0.25, 1.0] {
            for t in [1e-6, 1e-3, 0.1, 1.0, 30.0] {
                let value = posterior.value(t, theta);
                let found = posterior.wait_for(value, theta);
                // Where the binary value is flat, many waits bring the same.
                if posterior.value(t * 1.01, theta) > value * 1.001 {
                    near(found, t, 1e-3);
                }
            }
        }
    }
}

#[test]
fn for_short_times_the_value_is_half_rate_times_time_squared() {
    for posterior in SOME {
        for theta in [0.0, 0.5, 1.0] {
            let t = 1e-7 * posterior.b;
            near(posterior.value(t, theta), posterior.mean() * t * t / 2.0, 1e-3);
        }
    }
}

#[test]
fn the_value_has_no_step_where_the_series_ends() {
    for posterior in SOME {
        let edge = SHORT / (posterior.a + 1.0) * posterior.b;
        for theta in [0.0, 0.25, 1.0] {
            let value = |share: f64| posterior.value(edge * share, theta);
            near(value(0.999_999), value(1.000_001), 1e-4);
        }
    }
}

#[test]
fn a_rate_known_for_sure_gives_the_classic_forms() {
    let (rate, t) = (0.3, 5.0);
    let known = Posterior { a: 1e6 * rate, b: 1e6 };
    let x: f64 = rate * t;
    near(known.fresh(t), (-x).exp(), 1e-4);
    near(known.value(t, 0.0), (1.0 - (1.0 + x) * (-x).exp()) / rate, 1e-4);
    near(known.value(t, 1.0), (x - 1.0 + (-x).exp()) / rate, 1e-4);
}

#[test]
fn a_hopeless_page_is_never_worth_it_and_a_doubtful_one_always_is() {
    let hopeless = Posterior { a: 100.0, b: 1.0 };
    assert_eq!(hopeless.wait_for(1.0, 0.0), LONGEST_WAIT);
    assert!(hopeless.wait_for(1.0, 0.25) < 10.0);
    assert!(Posterior { a: 0.5, b: 1.0 }.wait_for(100.0, 0.0) < LONGEST_WAIT);
}

/// Mean and variance of `rate · P(seen | rate)` under the prior, by adding up.
fn moments(prior: Posterior, seen: impl Fn(f64) -> f64) -> (f64, f64) {
    let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
    for step in 0..400_000 {
        let ln = -40.0 + 45.0 * f64::from(step) / 400_000.0;
        let rate = ln.exp();
        let weight = (prior.a * ln - prior.b * rate).exp() * seen(rate);
        mass += weight;
        first += weight * rate;
        second += weight * rate * rate;
    }
    (first / mass, second / mass - (first / mass) * (first / mass))
}

#[test]
fn a_change_keeps_the_mean_and_the_variance() {
    for (a, b, t) in [(1.0, 1.0, 1.0), (0.4, 24.0, 7.0), (3.0, 2.0, 0.1)] {
        let prior = Posterior { a, b };
        let (mean, variance) = moments(prior, |rate| 1.0 - (-rate * t).exp());
        let found = prior.changed(t);
        near(found.mean(), mean, 1e-3);
        near(found.a / (found.b * found.b), variance, 1e-3);
    }
    let found = Posterior { a: 1.0, b: 1.0 }.changed(1.0);
    near(found.a, 1.8, 1e-9);
    near(found.b, 1.2, 1e-9);
}

#[test]
fn quiet_days_and_dates_of_change_are_exact() {
    let prior = Posterior { a: 0.5, b: 10.0 };
    assert_eq!(prior.unchanged(4.0), Posterior { a: 0.5, b: 14.0 });
    assert_eq!(prior.changed_last(1.5), Posterior { a: 1.5, b: 11.5 });
    // A change just now in no time at all is a whole change.
    assert_eq!(prior.changed(0.0), Posterior { a: 1.5, b: 10.0 });
}

#[test]
fn a_fit_finds_the_distribution_again() {
    for (a, b) in [(0.3, 10.0), (1.0, 2.0), (5.0, 40.0)] {
        let drawn = Posterior { a, b };
        let found = Posterior::fit(drawn.mean(), drawn.mean_ln());
        near(found.a, a, 0.02);
        near(found.mean(), drawn.mean(), 1e-9);
    }
}

#[test]
fn bounds_hold_the_mean_of_a_page_well_known() {
    let (low, high) = Posterior { a: 50.0, b: 100.0 }.bounds();
    assert!(low < 0.5 && 0.5 < high && high - low < 0.25, "{low} {high}");
}

#[test]
fn fast_pages_are_forgotten_sooner() {
    assert_eq!(memory_days(10.0), SHORTEST_MEMORY);
    assert_eq!(memory_days(0.05), 600.0);
    assert_eq!(memory_days(1e-6), LONGEST_MEMORY);
}
