//! The closed forms against published examples and against what they solve.

use super::*;
use crate::theory::{Spacing, freshness, harmonic_staleness};

/// Pages that change one to five times a day, five visits a day for all (Cho and Garcia-Molina).
fn five() -> Vec<Demand> {
    (1..=5).map(|rate| Demand { rate: f64::from(rate), weight: 1.0 }).collect()
}

#[track_caller]
fn split(visits: impl Fn(Demand, f64) -> f64 + Copy, expected: [f64; 5]) {
    let pages = five();
    let price = price_for(&pages, 5.0, None, visits);
    let found: Vec<f64> = pages.iter().map(|page| visits(*page, price)).collect();
    assert!((found.iter().sum::<f64>() - 5.0).abs() < 1e-5, "{found:?}");
    for (one, other) in found.iter().zip(expected) {
        assert!((one - other).abs() < 0.0051, "{found:?} is not {expected:?}");
    }
}

#[test]
fn the_published_example_gives_the_fastest_page_nothing() {
    split(binary_even, [1.15, 1.36, 1.35, 1.14, 0.0]);
}

#[test]
fn the_harmonic_optimum_gives_every_page_something() {
    split(harmonic_even, [0.72, 0.92, 1.04, 1.13, 1.19]);
}

#[test]
fn waits_solve_what_they_are_said_to_solve() {
    for claim in [1e-12, 1e-8, 1e-4, 0.1, 0.5, 0.9, 0.999_999] {
        let wait = binary_wait(claim);
        let back = -(-wait).exp_m1() - wait * (-wait).exp();
        assert!((back - claim).abs() <= 1e-7 * claim + 1e-16, "{claim}: {wait} {back}");
    }
    for claim in [1e-8, 1e-4, 0.1, 1.0, 1.999, 2.001, 50.0] {
        let wait = harmonic_wait(claim);
        let back = wait + (-wait).exp_m1();
        assert!((back - claim).abs() <= 1e-7 * claim, "{claim}: {wait} {back}");
    }
}

#[test]
fn the_exact_price_of_random_visits_spends_the_budget() {
    let pages = five();
    for (budget, floor) in [(0.5, 0.0), (5.0, 0.0), (5.0, 0.4), (50.0, 0.4)] {
        let price = binary_random_price(&pages, budget, floor);
        let spent: f64 = pages.iter().map(|page| binary_random(*page, price, floor)).sum();
        assert!((spent - budget).abs() < 1e-9, "{budget} {floor}: {spent}");
    }
    let searched = price_for(&pages, 5.0, None, |page, price| binary_random(page, price, 0.0));
    let exact = binary_random_price(&pages, 5.0, 0.0);
    assert!((searched / exact - 1.0).abs() < 1e-5, "{searched} {exact}");
}

#[test]
fn a_floor_that_takes_the_whole_budget_leaves_everyone_on_it() {
    let price = binary_random_price(&five(), 5.0, 1.0);
    assert!(five().iter().all(|page| (binary_random(*page, price, 1.0) - 1.0).abs() < 1e-9));
}

#[test]
fn a_good_guess_finds_the_same_price() {
    let pages = five();
    let cold = price_for(&pages, 5.0, None, harmonic_random);
    for guess in [1e-9, cold * 0.9, cold, cold * 1.1, 1e9, f64::NAN] {
        let warm = price_for(&pages, 5.0, Some(guess), harmonic_random);
        assert!((warm / cold - 1.0).abs() < 1e-5, "{guess}: {warm} {cold}");
    }
}

/// The pages of the published figures, if they are at hand: `$GANNET_DATA`, then beside the
/// repository.
fn synthetic() -> Option<Vec<(Demand, [f64; 6])>> {
    let folder = std::env::var_os("GANNET_DATA").map_or_else(
        || std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        std::path::PathBuf::from,
    );
    let text = std::fs::read_to_string(folder.join("revisit/synth_ln2_zipf_oracle.tsv")).ok()?;
    let rows = text.lines().skip(1).map(|line| {
        let cells: Vec<f64> = line.split('\t').map(|cell| cell.parse().unwrap()).collect();
        let visits = std::array::from_fn(|place| cells[3 + place]);
        (Demand { rate: cells[1], weight: cells[2] }, visits)
    });
    Some(rows.collect())
}

/// Freshness by importance of a split.
fn fresh(pages: &[Demand], spacing: Spacing, visits: impl Fn(Demand) -> f64) -> f64 {
    let total: f64 = pages.iter().map(|page| page.weight).sum();
    let sum: f64 =
        pages.iter().map(|page| page.weight * freshness(page.rate / visits(*page), spacing)).sum();
    sum / total
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn the_table_of_analytic_figures_is_reproduced() {
    let Some(rows) = synthetic() else {
        eprintln!("skipped: no data");
        return;
    };
    let pages: Vec<Demand> = rows.iter().map(|(page, _)| *page).collect();
    let count = pages.len() as f64;
    let rates: f64 = pages.iter().map(|page| page.rate).sum();
    let weights: f64 = pages.iter().map(|page| page.weight).sum();
    // By share of the mean rate: uniform, proportional, by importance, the binary optimum, Azar's at
    // random and even, LambdaCrawl's at random and even, the harmonic optimum.
    let table = [
        (0.1, [0.565, 0.100, 0.759, 0.8125, 0.767, 0.809, 0.738, 0.793, 0.786]),
        (0.3, [0.736, 0.289, 0.839, 0.890, 0.852, 0.887, 0.837, 0.883, 0.879]),
        (1.0, [0.869, 0.632, 0.907, 0.950, 0.923, 0.948, 0.919, 0.949, 0.948]),
    ];
    for (number, (share, expected)) in table.into_iter().enumerate() {
        let budget = share * rates;
        let binary = price_for(&pages, budget, None, binary_even);
        let harmonic = price_for(&pages, budget, None, harmonic_even);
        let azar = binary_random_price(&pages, budget, 0.0);
        let lambda = price_for(&pages, budget, None, harmonic_random);
        let by_azar = |page| binary_random(page, azar, 0.0);
        let by_lambda = |page| harmonic_random(page, lambda);
        let found = [
            fresh(&pages, Spacing::Even, |_| budget / count),
            fresh(&pages, Spacing::Even, |page| page.rate * share),
            fresh(&pages, Spacing::Even, |page| page.weight * budget / weights),
            fresh(&pages, Spacing::Even, |page| binary_even(page, binary)),
            fresh(&pages, Spacing::Random, by_azar),
            fresh(&pages, Spacing::Even, by_azar),
            fresh(&pages, Spacing::Random, by_lambda),
            fresh(&pages, Spacing::Even, by_lambda),
            fresh(&pages, Spacing::Even, |page| harmonic_even(page, harmonic)),
        ];
        for (one, other) in found.iter().zip(expected) {
            assert!((one - other).abs() < 0.0011, "{share}: {found:?} is not {expected:?}");
        }
        for (page, visits) in &rows {
            let own = [binary_even(*page, binary), harmonic_even(*page, harmonic)];
            for (one, other) in own.iter().zip(&visits[number * 2..]) {
                assert!((one - other).abs() < 1e-3 * other + 1e-6, "{page:?}: {one} {other}");
            }
        }
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn the_harmonic_figures_and_the_share_of_starved_pages_are_reproduced() {
    let Some(rows) = synthetic() else {
        eprintln!("skipped: no data");
        return;
    };
    let pages: Vec<Demand> = rows.iter().map(|(page, _)| *page).collect();
    let rates: f64 = pages.iter().map(|page| page.rate).sum();
    let weights: f64 = pages.iter().map(|page| page.weight).sum();
    for (share, staleness, starved) in [(0.1, 0.342, 0.33), (0.3, 0.160, 0.14), (1.0, 0.059, 0.03)]
    {
        let price = price_for(&pages, share * rates, None, harmonic_even);
        let sum: f64 = pages
            .iter()
            .map(|page| {
                let ratio = page.rate / harmonic_even(*page, price);
                page.weight * harmonic_staleness(ratio, Spacing::Even)
            })
            .sum();
        assert!((sum / weights - staleness).abs() < 0.0011, "{share}: {}", sum / weights);
        let price = price_for(&pages, share * rates, None, binary_even);
        let left = pages.iter().filter(|page| binary_even(**page, price) == 0.0).count();
        let left = left as f64 / pages.len() as f64;
        assert!((left - starved).abs() < 0.006, "{share}: {left}");
    }
}
