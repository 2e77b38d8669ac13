//! The schedule keeps its promises under a policy that does as it is told.

use std::time::Duration;

use gannet_model::HostId;

use super::*;
use crate::policy::Saw;

/// Waits as many seconds as the page is important; puts off what it is told to.
#[derive(Default)]
struct Plain {
    put_off: Vec<(PageNumber, Timestamp)>,
    moves: Vec<(PageNumber, Timestamp)>,
    waits: Vec<f32>,
}

impl Policy for Plain {
    fn admit(&mut self, page: PageNumber, facts: &Facts<'_>, now: Timestamp) -> Timestamp {
        self.waits.resize(self.waits.len().max(page.0 as usize + 1), 0.0);
        self.waits[page.0 as usize] = facts.importance;
        now + Duration::from_secs_f32(facts.importance)
    }

    fn visited(&mut self, page: PageNumber, visit: &Visit) -> Timestamp {
        visit.at + Duration::from_secs_f32(self.waits[page.0 as usize])
    }

    fn confirm(&mut self, page: PageNumber, due: Timestamp, _now: Timestamp) -> Timestamp {
        self.put_off.iter().find(|(other, _)| *other == page).map_or(due, |(_, later)| *later)
    }

    fn told(&mut self, _page: PageNumber, _hint: Hint, now: Timestamp) -> Option<Timestamp> {
        Some(now)
    }

    fn moved(&mut self, _now: Timestamp, moved: &mut Vec<(PageNumber, Timestamp)>) {
        moved.append(&mut self.moves);
    }

    fn forget(&mut self, page: PageNumber) {
        self.waits[page.0 as usize] = 0.0;
    }

    fn account(&self, _page: PageNumber, _now: Timestamp) -> Account {
        Account::default()
    }

    fn page_state(&self, page: PageNumber, state: &mut Vec<u8>) {
        state.push(self.waits[page.0 as usize] as u8);
    }

    fn restore_page(&mut self, page: PageNumber, _facts: &Facts<'_>, state: &[u8]) -> bool {
        self.waits.resize(self.waits.len().max(page.0 as usize + 1), 0.0);
        state.first().inspect(|wait| self.waits[page.0 as usize] = f32::from(**wait)).is_some()
    }
}

fn facts(importance: f32) -> Facts<'static> {
    let host = HostId(0);
    Facts { host, host_name: "a.example", group: 0, importance, known_rate: None, links: &[] }
}

fn at(seconds: u64) -> Timestamp {
    Timestamp::from_secs(seconds)
}

fn visit(seconds: u64) -> Visit {
    let (modified, bytes, took_ms, new_links) = (None, 0, 0, 0);
    Visit { at: at(seconds), saw: Saw::Same, modified, bytes, took_ms, new_links }
}

fn schedule(waits: &[f32]) -> Schedule {
    let mut schedule = Schedule::new(Box::new(Plain::default()));
    for (number, wait) in (0..).zip(waits) {
        assert_eq!(schedule.admit(&facts(*wait), at(0)).0, PageNumber(number));
    }
    schedule
}

fn visit_of(page: u32, due: u64) -> Next {
    Next::Visit { page: PageNumber(page), due: at(due) }
}

#[test]
fn the_earliest_comes_first_and_nothing_before_its_time() {
    let mut schedule = schedule(&[20.0, 10.0, 30.0]);
    assert_eq!(schedule.next(at(9)), Next::At(at(10)));
    assert_eq!(schedule.next(at(10)), visit_of(1, 10));
    assert_eq!(schedule.next(at(25)), visit_of(0, 20));
    assert_eq!(schedule.due_by(at(30)), 1);
    assert_eq!(Schedule::new(Box::new(Plain::default())).next(at(0)), Next::Empty);
}

#[test]
fn a_page_being_visited_is_not_named_again_until_the_visit_is_told_of() {
    let mut schedule = schedule(&[10.0]);
    assert_eq!(schedule.next(at(10)), visit_of(0, 10));
    assert_eq!(schedule.next(at(1000)), Next::Empty);
    assert_eq!((schedule.len(), schedule.due(PageNumber(0))), (1, None));
    assert_eq!(schedule.told(PageNumber(0), Hint::Told, at(12)), Some(at(12)));
    assert_eq!(schedule.next(at(1000)), Next::Empty, "what is under way is not begun again");
    assert_eq!(schedule.visited(PageNumber(0), &visit(15)), at(25));
    assert_eq!(schedule.next(at(15)), Next::At(at(25)));
    assert_eq!(schedule.next(at(26)), visit_of(0, 25));
    schedule.put_back(PageNumber(0), at(40));
    assert_eq!(schedule.due(PageNumber(0)), Some(at(40)));
}

#[test]
fn what_is_told_moves_a_page() {
    let mut schedule = schedule(&[100.0, 50.0]);
    schedule.told(PageNumber(0), Hint::Told, at(5));
    assert_eq!(schedule.next(at(5)), visit_of(0, 5));
    assert_eq!(schedule.told(PageNumber(9), Hint::Told, at(5)), None, "of no such page");
}

#[test]
fn the_policy_may_put_a_page_off_but_not_without_end() {
    let mut policy = Plain::default();
    policy.put_off.push((PageNumber(0), at(60)));
    let mut schedule = Schedule::new(Box::new(policy));
    schedule.admit(&facts(10.0), at(0));
    schedule.admit(&facts(20.0), at(0));
    assert_eq!(schedule.next(at(30)), visit_of(1, 20));
    assert_eq!(schedule.next(at(30)), Next::At(at(60)));
    let mut policy = Plain::default();
    policy.put_off.extend((0..20).map(|page| (PageNumber(page), at(60))));
    let mut schedule = Schedule::new(Box::new(policy));
    for _ in 0..20 {
        schedule.admit(&facts(10.0), at(0));
    }
    assert_eq!(schedule.next(at(30)), visit_of(MOST_PUT_OFF as u32, 10));
}

#[test]
fn what_the_policy_moves_is_moved_unless_it_is_being_visited() {
    let mut policy = Plain::default();
    policy.moves.extend([(PageNumber(0), at(1)), (PageNumber(7), at(1))]);
    let mut schedule = Schedule::new(Box::new(policy));
    schedule.admit(&facts(10.0), at(0));
    assert_eq!(schedule.next(at(1)), visit_of(0, 1));
}

#[test]
fn what_is_due_keeps_its_place_whatever_more_is_said() {
    let mut schedule = schedule(&[10.0, 20.0]);
    schedule.told(PageNumber(0), Hint::Told, at(30));
    assert_eq!(schedule.next(at(30)), visit_of(0, 10));
}

#[test]
fn numbers_of_forgotten_pages_are_used_again() {
    let mut schedule = schedule(&[10.0, 20.0]);
    schedule.forget(PageNumber(0));
    schedule.forget(PageNumber(0));
    assert_eq!(schedule.len(), 1);
    assert_eq!(schedule.visited(PageNumber(0), &visit(5)), Timestamp::NEVER);
    assert_eq!(schedule.admit(&facts(30.0), at(0)).0, PageNumber(0));
    assert_eq!(schedule.admit(&facts(30.0), at(0)).0, PageNumber(2));
    assert_eq!(schedule.first_due(2), [(PageNumber(1), at(20)), (PageNumber(0), at(30))]);
}

#[test]
fn what_was_kept_is_taken_up_and_the_unreadable_admitted_anew() {
    let mut before = schedule(&[10.0]);
    before.visited(PageNumber(0), &visit(3));
    let mut state = Vec::new();
    before.page_state(PageNumber(0), &mut state);
    let mut after = Schedule::new(Box::new(Plain::default()));
    assert_eq!(after.restore(&facts(10.0), &state, at(13), at(5)).1, at(13));
    assert_eq!(after.restore(&facts(10.0), &[], at(13), at(5)).1, at(15));
}

#[test]
fn never_stays_never_and_times_are_rounded_up() {
    assert_eq!(from_seconds(to_seconds(Timestamp::NEVER)), Timestamp::NEVER);
    assert_eq!(to_seconds(Timestamp::from_micros(1_000_001)), 2);
}
