//! The contract that every policy keeps, by its registered name alone.

use std::collections::{BTreeMap, BTreeSet};

use gannet_model::{HostId, Timestamp};
use proptest::prelude::*;

use super::*;
use crate::fixture::{Bench, settings, visit};
use crate::policy::{Facts, Hint, PageNumber, Saw, Visit};
use crate::span::{MINUTE, TEN_YEARS, days_since, later};

/// Days for which the lives below last.
const DAYS: u64 = 120;

/// Pages in the lives below.
const PAGES: u32 = 12;

/// Visits a day in the lives below.
const BUDGET: f64 = 3.0;

/// What happens in a life, told by a number.
#[derive(Clone, Copy, Debug)]
enum Event {
    Visit(Saw),
    Told,
    Weighed,
    Idle,
}

fn saws() -> impl Strategy<Value = Saw> {
    prop_oneof![
        4 => Just(Saw::Same),
        3 => Just(Saw::Changed),
        1 => Just(Saw::Noise),
        1 => Just(Saw::Failed),
    ]
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        12 => saws().prop_map(Event::Visit),
        1 => Just(Event::Told),
        1 => Just(Event::Weighed),
        1 => Just(Event::Idle),
    ];
    prop::collection::vec(event, 1..150)
}

fn policy(entry: &Entry) -> Box<dyn Policy> {
    (entry.build)(&Settings::none()).unwrap()
}

/// Hosts of different classes, importances over four powers of ten, some rates known.
fn page_facts<'a>(page: u32, links: &'a [PageNumber]) -> Facts<'a> {
    let hosts = ["a.com", "b.edu", "c.example"];
    Facts {
        host: HostId(page % 3),
        host_name: hosts[page as usize % 3],
        group: u64::from(page % 4),
        importance: 10_f32.powi(page as i32 % 5 - 3),
        known_rate: page.is_multiple_of(2).then(|| 0.01 * 3_f64.powi(page as i32 % 7)),
        links,
    }
}

/// A policy with its pages and the times it gave them, as a schedule keeps them.
struct Life {
    entry: Entry,
    policy: Box<dyn Policy>,
    due: BTreeMap<PageNumber, Timestamp>,
    seen: BTreeMap<PageNumber, Timestamp>,
    now: Timestamp,
}

impl Life {
    fn new(entry: &Entry) -> Life {
        Life::with(entry, policy(entry))
    }

    fn with(entry: &Entry, policy: Box<dyn Policy>) -> Life {
        let now = Timestamp::from_secs(1_700_000_000);
        let mut life =
            Life { entry: *entry, policy, due: BTreeMap::new(), seen: BTreeMap::new(), now };
        life.policy.set_budget(BUDGET);
        for page in 0..PAGES {
            life.admit(page);
        }
        life.take_moves();
        life
    }

    fn admit(&mut self, page: u32) {
        let links: Vec<_> = (1..4).map(|step| PageNumber((page + step) % PAGES)).collect();
        let due = self.policy.admit(PageNumber(page), &page_facts(page, &links), self.now);
        self.seen.insert(PageNumber(page), self.now);
        self.place(PageNumber(page), due, true);
    }

    #[track_caller]
    fn place(&mut self, page: PageNumber, due: Timestamp, is_wait: bool) {
        let name = self.entry.name;
        assert!(due >= self.now, "{name}: {page:?} is due in the past");
        if is_wait {
            assert!(due > self.now, "{name}: {page:?} is due at once");
        }
        if due == Timestamp::NEVER {
            assert!(self.entry.may_starve, "{name} starves {page:?} and does not say so");
        } else {
            let wait = days_since(due, self.now);
            assert!(wait <= TEN_YEARS * 1.001, "{name} lets {page:?} wait {wait} days");
        }
        self.due.insert(page, due);
    }

    fn take_moves(&mut self) {
        let mut moved = Vec::new();
        self.policy.moved(self.now, &mut moved);
        for (page, due) in moved {
            if self.due.contains_key(&page) {
                self.move_to(page, due);
            }
        }
    }

    /// A time that has passed means at once, and which of two such pages goes first; but no page is
    /// due before it was last seen.
    #[track_caller]
    fn move_to(&mut self, page: PageNumber, due: Timestamp) {
        assert!(due >= self.seen[&page], "{}: {page:?}", self.entry.name);
        self.place(page, due.max(self.now), false);
    }

    /// The page that is due first.
    fn next(&self) -> Option<(PageNumber, Timestamp)> {
        let waits = self.due.iter().filter(|(_, due)| **due != Timestamp::NEVER);
        waits.min_by_key(|(page, due)| (**due, **page)).map(|(page, due)| (*page, *due))
    }

    fn live(&mut self, event: Event) {
        let Some((page, due)) = self.next() else {
            return;
        };
        match event {
            Event::Visit(saw) => {
                self.now = self.now.max(due);
                self.serve(page, due, saw);
            }
            Event::Told => {
                let told = self.policy.told(page, Hint::Told, self.now);
                if let Some(due) = told {
                    self.move_to(page, due);
                }
            }
            Event::Weighed => self.policy.weigh(page, 0.7),
            Event::Idle => self.policy.idle(self.now),
        }
        self.take_moves();
    }

    /// Visits a page whose time has come, unless the policy puts it off.
    fn serve(&mut self, page: PageNumber, due: Timestamp, saw: Saw) -> bool {
        let again = self.policy.confirm(page, due, self.now);
        let is_visit = again <= self.now;
        let next = if is_visit { self.policy.visited(page, &visit(self.now, saw)) } else { again };
        if is_visit && saw != Saw::Failed {
            self.seen.insert(page, self.now);
        }
        self.place(page, next, true);
        self.take_moves();
        is_visit
    }

    /// The same policy after a restart: made anew, and told what was kept.
    fn restarted(&self) -> Life {
        let mut fresh = policy(&self.entry);
        if let Some(state) = self.policy.state() {
            assert!(fresh.restore(&state), "{} cannot read its own state", self.entry.name);
        }
        fresh.set_budget(BUDGET);
        for page in self.due.keys() {
            let mut state = Vec::new();
            self.policy.page_state(*page, &mut state);
            let links: Vec<_> = (1..4).map(|step| PageNumber((page.0 + step) % PAGES)).collect();
            // The crawl knows what a page matters by now; here that is what the policy says.
            let importance = self.policy.account(*page, self.now).importance as f32;
            let facts = Facts { importance, ..page_facts(page.0, &links) };
            assert!(fresh.restore_page(*page, &facts, &state), "{}", self.entry.name);
        }
        Life {
            entry: self.entry,
            policy: fresh,
            due: self.due.clone(),
            seen: self.seen.clone(),
            now: self.now,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn plans_lie_in_the_future_whatever_happens(events in events()) {
        for entry in POLICIES {
            let mut life = Life::new(entry);
            for event in &events {
                life.live(*event);
            }
        }
    }

    #[test]
    fn a_restart_changes_no_plan(events in events(), saw in saws()) {
        for entry in POLICIES {
            let mut life = Life::new(entry);
            for event in &events {
                life.live(*event);
            }
            let mut other = life.restarted();
            for page in 0..PAGES {
                let at = later(life.now, 0.5 + f64::from(page));
                let seen = visit(at, saw);
                let plan = life.policy.visited(PageNumber(page), &seen);
                let again = other.policy.visited(PageNumber(page), &seen);
                let apart = days_since(plan, again) + days_since(again, plan);
                prop_assert!(
                    apart <= 1e-3 * days_since(plan, at),
                    "{}: {:?} is {plan}, after a restart {again}", entry.name, page
                );
            }
        }
    }

    #[test]
    fn waits_keep_within_bounds_that_are_set(events in events()) {
        for entry in POLICIES.iter().filter(|entry| entry.settings.contains("longest_days")) {
            let table = settings("shortest_days = 2.0\nlongest_days = 5.0");
            let mut policy = (entry.build)(&table).unwrap();
            policy.set_budget(1.0);
            let mut now = Timestamp::from_secs(1_700_000_000);
            policy.admit(PageNumber(0), &page_facts(0, &[]), now);
            for event in &events {
                let Event::Visit(saw) = event else {
                    continue;
                };
                let due = policy.visited(PageNumber(0), &visit(now, *saw));
                if due != Timestamp::NEVER {
                    let wait = days_since(due, now);
                    prop_assert!((2.0 - MINUTE..=5.0 + MINUTE).contains(&wait), "{}: {wait}", entry.name);
                }
                now = later(now, 3.0);
            }
        }
    }
}

#[test]
fn no_page_starves_unless_the_registry_says_so() {
    for entry in POLICIES.iter().filter(|entry| !entry.may_starve) {
        let mut life = Life::new(entry);
        let mut unseen: BTreeSet<PageNumber> = life.due.keys().copied().collect();
        // As in a crawl: a visit every so often, to the page that is most overdue.
        let begin = life.now;
        let slots = (1.2 * TEN_YEARS * BUDGET) as u32;
        for slot in 1..=slots {
            life.now = later(begin, f64::from(slot) / BUDGET);
            let Some((page, due)) = life.next().filter(|(_, due)| *due <= life.now) else {
                life.live(Event::Idle);
                continue;
            };
            if life.serve(page, due, Saw::Changed) {
                unseen.remove(&page);
            }
            if unseen.is_empty() {
                break;
            }
        }
        assert!(unseen.is_empty(), "{} never saw {unseen:?}", entry.name);
    }
}

#[test]
fn a_number_is_given_to_another_page_with_nothing_left_of_the_first() {
    for entry in POLICIES {
        let mut life = Life::new(entry);
        for round in 0..40 {
            let saw = if round % 2 == 0 { Saw::Changed } else { Saw::Same };
            life.live(Event::Visit(saw));
        }
        let page = PageNumber(3);
        life.policy.forget(page);
        life.due.remove(&page);
        let mut state = Vec::new();
        life.policy.page_state(page, &mut state);
        assert!(state.is_empty(), "{} keeps something of a forgotten page", entry.name);
        life.take_moves();
        life.admit(3);
        life.policy.page_state(page, &mut state);
        assert!(!state.is_empty(), "{}", entry.name);
        life.live(Event::Visit(Saw::Same));
    }
}

#[test]
fn a_failed_visit_is_no_sign_of_change() {
    for entry in POLICIES {
        let rate_after = |saw: &[Saw]| {
            let mut life = Life::new(entry);
            for saw in saw {
                // A page whose rate is nowhere told.
                life.now = later(life.now, 10.0);
                let next = life.policy.visited(PageNumber(1), &visit(life.now, *saw));
                life.place(PageNumber(1), next, true);
            }
            life.now = later(life.now, 5.0);
            life.policy.moved(life.now, &mut Vec::new());
            life.policy.account(PageNumber(1), life.now).rate
        };
        let (Some(before), Some(failed), Some(changed)) = (
            rate_after(&[]),
            rate_after(&[Saw::Failed, Saw::Failed]),
            rate_after(&[Saw::Changed, Saw::Changed]),
        ) else {
            continue;
        };
        assert!((failed - before).abs() <= 1e-9, "{}: {before} {failed}", entry.name);
        assert!(failed != changed, "{}: {changed}", entry.name);
    }
}

#[test]
fn what_another_policy_kept_is_not_taken_for_ones_own() {
    for entry in POLICIES {
        let mut policy = policy(entry);
        let odd = [255_u8; 3];
        assert!(!policy.restore_page(PageNumber(0), &page_facts(0, &[]), &odd), "{}", entry.name);
    }
}

#[test]
fn every_run_is_the_same() {
    for entry in POLICIES {
        let run = || {
            let mut life = Life::new(entry);
            for round in 0..DAYS {
                let saw = if round % 3 == 0 { Saw::Changed } else { Saw::Same };
                life.live(Event::Visit(saw));
            }
            life.due
        };
        assert_eq!(run(), run(), "{}", entry.name);
    }
}

#[test]
fn an_unknown_page_is_no_reason_to_fall_over() {
    for entry in POLICIES {
        let mut policy = policy(entry);
        let page = PageNumber(77);
        let now = Timestamp::from_secs(1_000);
        let seen = Visit { modified: Some(now), ..visit(now, Saw::Changed) };
        assert!(policy.visited(page, &seen) > now, "{}", entry.name);
        policy.weigh(page, 1.0);
        policy.forget(page);
        policy.told(page, Hint::Feed(now), now);
        policy.confirm(page, now, now);
        policy.account(page, now);
        assert!(!policy.restore(&[9, 9, 9]) || policy.state().is_some());
    }
}

#[test]
fn documented_settings_are_the_ones_that_are_taken() {
    for entry in POLICIES {
        let table: toml::Table = entry.settings.parse().unwrap();
        assert!(!table.is_empty() && !entry.summary.is_empty(), "{}", entry.name);
        let all = (entry.build)(&Settings::from(table.clone()));
        assert!(all.is_ok(), "{}: {:?}", entry.name, all.err());
        for (key, value) in table {
            let one = toml::Table::from_iter([(key.clone(), value)]);
            let built = (entry.build)(&Settings::from(one));
            assert!(built.is_ok(), "{}: {key}: {:?}", entry.name, built.err());
        }
        let refusal = Bench::refusal(entry.name, "no_such_key = 1");
        assert!(refusal.contains("no_such_key"), "{}: {refusal}", entry.name);
    }
}

#[test]
fn documented_defaults_are_the_defaults() {
    for entry in POLICIES {
        let run = |settings: &Settings| {
            let mut life = Life::with(entry, (entry.build)(settings).unwrap());
            for round in 0..DAYS {
                let saw = if round % 3 == 0 { Saw::Changed } else { Saw::Same };
                life.live(Event::Visit(saw));
            }
            life.due
        };
        let written = settings(entry.settings);
        assert_eq!(run(&written), run(&Settings::none()), "{}", entry.name);
    }
}

#[test]
fn the_default_is_registered_and_an_unknown_name_lists_the_known_ones() {
    assert!(build_policy(DEFAULT_POLICY, &Settings::none()).is_ok());
    let Err(error) = build_policy("hourly", &Settings::none()) else {
        panic!("there is no such policy");
    };
    assert!(error.to_string().contains("lambda-learn"));
    assert!(POLICIES.is_sorted_by_key(|entry| entry.name), "listed as they are read");
}
