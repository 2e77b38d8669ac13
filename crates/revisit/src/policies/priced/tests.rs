//! The policy does what it says.

use gannet_model::{HostId, Settings};

use super::*;
use crate::policy::Saw;
use crate::schedule::{Next, Schedule};

const DAY: u64 = 86_400;

fn facts(group: u64, importance: f32) -> Facts<'static> {
    let host = HostId(group as u32 % 3);
    Facts { host, host_name: "a.example", group, importance, known_rate: None, links: &[] }
}

fn policy() -> Priced {
    Priced::new(Config::default())
}

fn visit(at: Timestamp, saw: Saw) -> Visit {
    Visit { at, saw, modified: None, bytes: 10_000, took_ms: 10, new_links: 0 }
}

fn day(days: f64) -> Timestamp {
    later(Timestamp::ZERO, days)
}

/// Whether a page of the crawl below changed by then: the higher its number, the more often.
fn has_changed(page: PageNumber, since: f64, now: f64) -> bool {
    let every = 3.0 + 500.0 / (1.0 + f64::from(page.0));
    (now / every).floor() > (since / every).floor()
}

/// A crawl of many pages, up to a day, with what was visited when.
struct Crawl {
    schedule: Schedule,
    seen: Vec<f64>,
    trail: Vec<(u32, u64)>,
}

const PAGES: u32 = 300;
const BUDGET: f64 = 40.0;

impl Crawl {
    fn new() -> Crawl {
        let mut schedule = Schedule::new(Box::new(policy()));
        schedule.set_budget(BUDGET);
        for page in 0..PAGES {
            schedule.admit(&Crawl::facts(page), day(0.0));
        }
        Crawl { schedule, seen: vec![0.0; PAGES as usize], trail: Vec::new() }
    }

    fn facts(page: u32) -> Facts<'static> {
        facts((page / 10).into(), 1.0 / (1.0 + (page % 17) as f32))
    }

    fn run(&mut self, from: f64, to: f64) {
        for slot in (from * BUDGET) as u64..(to * BUDGET) as u64 {
            let now_days = slot as f64 / BUDGET;
            let now = day(now_days);
            if slot % 7 == 0 {
                let hint = Hint::Sitemap(now);
                self.schedule.told(PageNumber((slot % u64::from(PAGES)) as u32), hint, now);
            }
            let page = match self.schedule.next(now) {
                Next::Visit { page, .. } => Some(page),
                Next::At(_) | Next::Empty => self.schedule.idle(now).map(|(page, _)| page),
            };
            let Some(page) = page else {
                continue;
            };
            let seen = &mut self.seen[page.0 as usize];
            let saw = if has_changed(page, *seen, now_days) { Saw::Changed } else { Saw::Same };
            *seen = now_days;
            let new_links = u32::from(page.0 == 5);
            self.schedule.visited(page, &Visit { new_links, ..visit(now, saw) });
            self.trail.push((page.0, slot));
        }
    }

    /// The same crawl after a restart.
    fn restarted(self) -> Crawl {
        let mut schedule = Schedule::new(Box::new(policy()));
        assert!(schedule.restore_state(&self.schedule.state().unwrap()));
        for page in 0..PAGES {
            let mut state = Vec::new();
            self.schedule.page_state(PageNumber(page), &mut state);
            assert!(state.len() <= 24, "{} bytes", state.len());
            let due = self.schedule.due(PageNumber(page)).unwrap();
            schedule.restore(&Crawl::facts(page), &state, due, Timestamp::ZERO);
        }
        Crawl { schedule, ..self }
    }
}

#[test]
fn a_restart_goes_on_identically() {
    let mut whole = Crawl::new();
    whole.run(0.0, 120.0);
    let mut parted = Crawl::new();
    parted.run(0.0, 60.0);
    let mut parted = parted.restarted();
    parted.run(60.0, 120.0);
    assert!(whole.trail.len() > 4000, "{}", whole.trail.len());
    assert_eq!(whole.trail.len(), parted.trail.len());
    let parting = whole.trail.iter().zip(&parted.trail).position(|(one, other)| one != other);
    assert_eq!(parting, None);
}

#[test]
fn what_cannot_be_read_is_passed_over() {
    let mut policy = policy();
    assert!(!policy.restore(b"?") && !policy.restore(&[]));
    assert!(!policy.restore_page(PageNumber(0), &facts(0, 1.0), b"?"));
}

#[test]
fn the_budget_is_used_and_not_more() {
    let mut crawl = Crawl::new();
    crawl.run(0.0, 200.0);
    let used = crawl.trail.iter().filter(|(_, slot)| *slot >= 100 * BUDGET as u64).count();
    assert!(used as f64 > 0.97 * 100.0 * BUDGET, "{used}");
    let late = crawl.schedule.due_by(day(199.0));
    assert!(late < 10, "{late} pages are a day late");
}

#[test]
fn the_rate_is_learned_and_told_with_its_bounds() {
    let mut policy = policy();
    policy.admit(PageNumber(0), &facts(0, 1.0), day(0.0));
    for visited in 1..=100_u32 {
        let saw = if visited % 2 == 0 { Saw::Changed } else { Saw::Same };
        policy.visited(PageNumber(0), &visit(day(f64::from(visited) * 2.0), saw));
    }
    let account = policy.account(PageNumber(0), day(203.0));
    // Half of all stretches of two days without a change.
    let truth = 2_f64.ln() / 2.0;
    let (low, high) = account.rate_between.unwrap();
    assert!(low < truth && truth < high && high < 2.0 * low, "{truth} is not in {low}..{high}");
    assert!((account.fresh.unwrap() - (-truth * 3.0).exp()).abs() < 0.1, "{account:?}");
    assert!(account.value.unwrap() > 0.0 && account.price.unwrap() > 0.0);
}

#[test]
fn an_unimportant_page_is_visited_in_the_end() {
    let mut policy = policy();
    policy.set_budget(10.0);
    let due = policy.admit(PageNumber(0), &facts(0, 0.0), day(0.0));
    assert!(due > day(340.0) && due < day(390.0), "{due}");
}

#[test]
fn a_hub_is_visited_sooner_than_a_page_without_new_links() {
    let mut policy = policy();
    policy.set_budget(1.0);
    for page in 0..20 {
        policy.admit(PageNumber(page), &facts(page.into(), 1.0), day(0.0));
    }
    let links = |new_links| Visit { new_links, ..visit(day(10.0), Saw::Changed) };
    let hub = policy.visited(PageNumber(0), &links(40));
    let plain = policy.visited(PageNumber(1), &links(0));
    assert!(hub.since(day(10.0)) < plain.since(day(10.0)), "{hub} {plain}");
}

#[test]
fn a_page_that_cannot_be_had_is_tried_again_soon_and_nothing_is_learned() {
    let mut policy = policy();
    let due = policy.admit(PageNumber(0), &facts(0, 1.0), day(0.0));
    let before = policy.account(PageNumber(0), due).rate;
    let again = policy.visited(PageNumber(0), &visit(due, Saw::Failed));
    assert!(again > due && again.since(due) < due.since(day(0.0)));
    assert_eq!(policy.account(PageNumber(0), due).rate, before);
}

#[test]
fn a_change_makes_neighbours_due_sooner_and_strangers_not() {
    let mut policy = policy();
    for page in 0..10 {
        let group = if page < 5 { 1 } else { 2 };
        policy.admit(PageNumber(page), &facts(group, 1.0), day(0.0));
    }
    policy.visited(PageNumber(0), &visit(day(20.0), Saw::Changed));
    let mut moved = Vec::new();
    policy.moved(day(20.0), &mut moved);
    let mut pages: Vec<u32> = moved.iter().map(|(page, _)| page.0).collect();
    pages.sort_unstable();
    assert_eq!(pages, [1, 2, 3, 4]);
    let fresh = |page: u32| policy.account(PageNumber(page), day(20.0)).fresh.unwrap();
    assert!(fresh(1) < fresh(6), "{} {}", fresh(1), fresh(6));
}

#[test]
fn what_a_sitemap_says_of_a_time_before_the_last_visit_is_no_news() {
    let mut policy = policy();
    let due = policy.admit(PageNumber(0), &facts(0, 1e-4), day(10.0));
    assert_eq!(policy.told(PageNumber(0), Hint::Sitemap(day(9.0)), day(11.0)), None);
    let sooner = policy.told(PageNumber(0), Hint::Sitemap(day(11.0)), day(11.0)).unwrap();
    assert!(sooner < due);
    assert_eq!(
        policy.told(PageNumber(0), Hint::Sitemap(day(12.0)), day(12.0)),
        None,
        "said before"
    );
}

#[test]
fn a_sitemap_that_lies_is_soon_not_listened_to() {
    let mut policy = policy();
    for page in 0..60 {
        policy.admit(PageNumber(page), &facts(page.into(), 1.0), day(0.0));
    }
    let lie = |policy: &mut Priced, page: u32, now: f64| {
        policy.told(PageNumber(page), Hint::Sitemap(day(now)), day(now))
    };
    for page in (0..150).map(|page| page % 60) {
        lie(&mut policy, page, 5.0);
        policy.visited(PageNumber(page), &visit(day(5.0), Saw::Same));
    }
    assert!((0..60).all(|page| lie(&mut policy, page, 6.0).is_none()));
}

#[test]
fn dates_of_change_are_used_once_they_have_proved_right() {
    let rate = |modified: Option<f64>| {
        let mut policy = policy();
        policy.admit(PageNumber(0), &facts(0, 1.0), day(0.0));
        for visited in 1..20_u32 {
            let at = f64::from(visited) * 10.0;
            let modified = modified.map(|quiet| day(at - quiet));
            policy.visited(PageNumber(0), &Visit { modified, ..visit(day(at), Saw::Changed) });
        }
        policy.account(PageNumber(0), day(190.0)).rate.unwrap()
    };
    // Ten days without a date could hide any number of changes; five quiet days hide none.
    assert!(rate(Some(5.0)) < rate(None));
    // A server that always says "now" is not believed.
    assert_eq!(rate(Some(0.0)), rate(None));
}

#[test]
fn a_slow_host_does_not_fill_the_queue() {
    let mut policy = policy();
    policy.set_budget(20.0);
    for page in 0..100 {
        policy.admit(PageNumber(page), &facts((page % 2).into(), 1.0), day(0.0));
    }
    let price = |policy: &Priced| policy.kin.hosts[0].surcharge;
    for round in 1..20_u32 {
        for page in 0..100 {
            let known = *policy.pages.get(PageNumber(page)).unwrap();
            let wait = policy.wait(PageNumber(page), &known, policy.price.ln());
            // Pages of the slow host come at twice the time that was planned.
            let wait = if page % 2 == 0 { wait * 2.0 } else { wait };
            let at = later(Timestamp::from_secs(known.last.into()), wait);
            policy.visited(PageNumber(page), &visit(at, Saw::Same));
        }
        assert!(price(&policy) > 0.0, "round {round}");
    }
    assert_eq!(policy.kin.hosts[1].surcharge, 0.0);
    assert!(price(&policy) > 0.5, "{}", price(&policy));
}

#[test]
fn large_pages_wait_longer_where_bytes_count() {
    let wait = |by_bytes: f64, bytes: u64| {
        let mut policy = Priced::new(Config { by_bytes, ..Config::default() });
        for page in 0..10 {
            policy.admit(PageNumber(page), &facts(page.into(), 1.0), day(0.0));
            policy.visited(PageNumber(page), &visit(day(1.0), Saw::Changed));
        }
        let visit = Visit { bytes, ..visit(day(2.0), Saw::Changed) };
        policy.visited(PageNumber(0), &visit).since(day(2.0))
    };
    assert_eq!(wait(0.0, 1_000), wait(0.0, 1_000_000));
    assert!(wait(1.0, 1_000) < wait(1.0, 1_000_000));
}

#[test]
fn settings_are_checked_and_the_reference_is_what_holds() {
    let read = |text: &str| {
        let table: toml::Table = text.parse().unwrap();
        (ENTRY.build)(&Settings::from(table)).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(read(SETTINGS), Ok(()));
    for (wrong, word) in
        [("theta = 2.0", "theta"), ("max_age = 0.001", "min_gap"), ("colour = 1", "colour")]
    {
        assert!(read(wrong).unwrap_err().contains(word), "{wrong}");
    }
}

#[test]
fn days_are_days() {
    assert_eq!(day(2.0), Timestamp::from_secs(2 * DAY));
}
