//! What an allocation does between two splits.

use gannet_model::HostId;

use super::*;

/// One visit a day for each page.
struct Daily;

impl Split for Daily {
    fn tariff(&self, pages: &[Demand], budget: f64, _before: Option<Tariff>) -> Tariff {
        Tariff::plain(pages.len() as f64 / budget)
    }

    fn visits(&self, _page: Demand, tariff: Tariff) -> f64 {
        1.0 / tariff.price
    }
}

const DAY: u64 = 86_400;

fn facts() -> Facts<'static> {
    Facts {
        host: HostId(1),
        host_name: "a.example",
        group: 1,
        importance: 1.0,
        known_rate: None,
        links: &[],
    }
}

fn visit(day: u64, saw: Saw) -> Visit {
    let at = Timestamp::from_secs(day * DAY);
    Visit { at, saw, modified: None, bytes: 1_000, took_ms: 100, new_links: 0 }
}

fn moved(policy: &mut dyn Policy, now: Timestamp) -> Vec<(PageNumber, Timestamp)> {
    let mut moved = Vec::new();
    policy.moved(now, &mut moved);
    moved
}

#[test]
fn a_larger_budget_brings_pages_forward_and_then_all_is_quiet() {
    let mut policy = Allocation::new(Daily, Manner::default());
    policy.set_budget(1.0);
    for page in 0..10 {
        policy.admit(PageNumber(page), &facts(), Timestamp::ZERO);
    }
    moved(&mut policy, Timestamp::ZERO);
    policy.visited(PageNumber(3), &visit(2, Saw::Same));
    let now = Timestamp::from_secs(2 * DAY);
    policy.set_budget(10.0);
    let forward = moved(&mut policy, now);
    assert!(forward.contains(&(PageNumber(3), later(now, 1.0))), "{forward:?}");
    assert!(moved(&mut policy, now).is_empty());
}

#[test]
fn random_waits_shrink_as_visits_become_more() {
    let manner = Manner { spacing: Spacing::Random, ..Manner::default() };
    let mut policy = Allocation::new(Daily, manner);
    policy.set_budget(1.0);
    policy.admit(PageNumber(0), &facts(), Timestamp::ZERO);
    moved(&mut policy, Timestamp::ZERO);
    let now = Timestamp::from_secs(DAY);
    let before = days_since(policy.visited(PageNumber(0), &visit(1, Saw::Same)), now);
    policy.set_budget(4.0);
    let [(_, due)] = moved(&mut policy, now)[..] else {
        panic!("one page moves");
    };
    assert!((days_since(due, now) - before / 4.0).abs() < 1e-6);
}

#[test]
fn random_waits_have_the_mean_that_was_asked_for() {
    let manner = Manner { spacing: Spacing::Random, ..Manner::default() };
    let mut policy = Allocation::new(Daily, manner);
    policy.set_budget(0.1);
    policy.admit(PageNumber(0), &facts(), Timestamp::ZERO);
    moved(&mut policy, Timestamp::ZERO);
    let now = visit(1, Saw::Same);
    let rounds = 4_000;
    let sum: f64 =
        (0..rounds).map(|_| days_since(policy.visited(PageNumber(0), &now), now.at)).sum();
    let mean = sum / f64::from(rounds);
    assert!((mean - 10.0).abs() < 0.5, "{mean}");
}

#[test]
fn a_date_within_the_gap_is_taken_and_another_is_not() {
    let seen = Timestamp::from_secs(DAY);
    let dated =
        |day| Visit { modified: Some(Timestamp::from_secs(day * DAY)), ..visit(5, Saw::Changed) };
    assert_eq!(outcome(&dated(3), seen), Outcome::ChangedBefore(2.0));
    assert_eq!(outcome(&dated(0), seen), Outcome::Changed);
    assert_eq!(outcome(&dated(9), seen), Outcome::Changed);
    assert_eq!(outcome(&visit(5, Saw::Noise), seen), Outcome::Same);
}

#[test]
fn a_failed_visit_leaves_the_rate_and_is_tried_again_within_a_day() {
    let mut policy = Allocation::new(Daily, Manner::default());
    policy.set_budget(0.1);
    policy.admit(PageNumber(0), &facts(), Timestamp::ZERO);
    moved(&mut policy, Timestamp::ZERO);
    let before = policy.account(PageNumber(0), Timestamp::ZERO).rate;
    let failed = visit(20, Saw::Failed);
    assert_eq!(policy.visited(PageNumber(0), &failed), later(failed.at, 1.0));
    assert!(moved(&mut policy, Timestamp::from_secs(40 * DAY)).is_empty());
    assert_eq!(policy.account(PageNumber(0), Timestamp::ZERO).rate, before);
}

#[test]
fn pages_that_never_change_or_weigh_nothing_leave_the_rest_their_numbers() {
    for name in ["cho-optimal", "harmonic-optimal", "azar", "lambda-crawl", "proportional"] {
        let even = "spacing = \"even\"";
        let pages = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (f64::NAN, 0.0)];
        let waits = crate::fixture::waits(name, even, &pages, 2.0);
        assert!(waits.iter().all(|wait| *wait > 0.0), "{name}: {waits:?}");
        assert!(waits[1] < 2.0 && waits[0] > waits[1], "{name}: {waits:?}");
    }
    let weightless = crate::fixture::waits("cho-optimal", "", &[(1.0, 0.0)], 1.0);
    assert_eq!(weightless, [f64::INFINITY]);
}

#[test]
fn random_waits_follow_visits_that_become_more_by_trifles() {
    let manner = Manner { spacing: Spacing::Random, ..Manner::default() };
    let mut policy = Allocation::new(Daily, manner);
    policy.set_budget(0.001);
    policy.admit(PageNumber(0), &facts(), Timestamp::ZERO);
    moved(&mut policy, Timestamp::ZERO);
    let now = Timestamp::from_secs(DAY);
    let wait = days_since(policy.visited(PageNumber(0), &visit(1, Saw::Same)), now);
    let mut due = Timestamp::NEVER;
    for step in 1..=1_000 {
        // Up to ten times as many visits, a little more each time; it is still the same day.
        policy.set_budget(0.001 * 10_f64.powf(f64::from(step) / 1_000.0));
        policy.epoch_ends = now;
        due = moved(&mut policy, now).first().map_or(due, |(_, due)| *due);
    }
    let left = days_since(due, now) / wait;
    assert!((0.0999..0.103).contains(&left), "{left}");
}
