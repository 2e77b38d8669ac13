//! A page that did not change is passed over unless enough of the pages it links to have changed.
//!
//! After the selective incremental algorithm of Pallavi and Sharma (2015). Every page has its turn
//! once a round. One that was found changed the last time is visited. Of another the pages of the
//! same site that it links to are looked at: when at least a share of them (40 % at first) was found
//! changed since it was last seen, it is visited; otherwise its turn passes. The share is the page's
//! own and moves each time: up with the part of its links that changed, down with the part that did
//! not.
//!
//! What the paper leaves open: a site on which no page is visited shows no changes, so that all turns
//! would pass for ever. After some turns (`most_passed`) a page is visited anyway.
//!
//! **Choose it when** pages of a site change together, as lists and their entries do. **Cost:** a look
//! at each link at each turn. **Weakness:** knows neither budget nor importance.

use gannet_model::{SettingsError, Timestamp};
use serde::{Deserialize, Serialize};

use crate::entry::Entry;
use crate::kept::{pack, unpack};
use crate::limits;
use crate::policy::{Account, Facts, PageNumber, Policy, Saw, Visit};
use crate::span::later;
use crate::table::Table;

pub(crate) const ENTRY: Entry = Entry {
    name: "selective",
    summary: "unchanged pages are passed over unless enough pages they link to have changed",
    settings: "round_days = 7.0\nshare = 0.4\nstep = 0.05\nmost_passed = 12",
    may_starve: false,
    build: |settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Selective { config, pages: Table::default() }))
    },
};

/// `[revisit.selective]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Days from one turn of a page to the next.
    round_days: f64,
    /// Which share of its links must have changed at first.
    share: f64,
    /// How far the share moves at a turn when all links changed, or none.
    step: f64,
    /// After how many turns that passed a page is visited anyway.
    most_passed: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config { round_days: 7.0, share: 0.4, step: 0.05, most_passed: 12 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::positive("round_days", self.round_days)?;
        limits::share("share", self.share)?;
        limits::share("step", self.step)
    }
}

/// The share moves between these: at 0 every turn would be a visit, at 1 hardly any.
const SHARES: (f64, f64) = (0.05, 0.95);

struct Selective {
    config: Config,
    pages: Table<Page>,
}

/// What is known of a page.
struct Page {
    kept: Kept,
    /// Known pages of the same site that it links to. Not kept: numbers are given anew.
    links: Vec<PageNumber>,
    importance: f32,
}

/// What is kept of a page.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Kept {
    /// When it was last seen.
    seen: Timestamp,
    /// The last visit that found it changed.
    changed: Option<Timestamp>,
    /// The share of its links that must have changed.
    share: f64,
    /// Turns that passed since it was last seen.
    passed: u32,
}

impl Kept {
    /// A page that was found changed the last time is visited, and one that was passed over enough.
    fn is_due_itself(&self, most_passed: u32) -> bool {
        self.changed == Some(self.seen) || self.passed >= most_passed
    }
}

impl Selective {
    fn next_turn(&self, now: Timestamp) -> Timestamp {
        later(now, self.config.round_days)
    }

    /// Which part of its links was found changed since the page was last seen; `None` without links.
    fn changed_part(&self, page: &Page) -> Option<f64> {
        let known = page.links.iter().filter_map(|link| self.pages.get(*link));
        let (mut changed, mut all) = (0_u32, 0_u32);
        for link in known {
            all += 1;
            let is_news = link.kept.changed.is_some_and(|at| at > page.kept.seen);
            changed += u32::from(is_news);
        }
        (all > 0).then(|| f64::from(changed) / f64::from(all))
    }
}

impl Policy for Selective {
    fn admit(&mut self, page: PageNumber, facts: &Facts<'_>, now: Timestamp) -> Timestamp {
        let kept = Kept { seen: now, changed: None, share: self.config.share, passed: 0 };
        let links = facts.links.to_vec();
        self.pages.put(page, Page { kept, links, importance: facts.importance });
        self.next_turn(now)
    }

    fn visited(&mut self, page: PageNumber, visit: &Visit) -> Timestamp {
        let next = self.next_turn(visit.at);
        let Some(known) = self.pages.get_mut(page) else {
            return next;
        };
        if visit.saw == Saw::Failed {
            return next;
        }
        known.kept.seen = visit.at;
        known.kept.passed = 0;
        if visit.saw == Saw::Changed {
            known.kept.changed = Some(visit.at);
        }
        next
    }

    fn confirm(&mut self, page: PageNumber, due: Timestamp, now: Timestamp) -> Timestamp {
        let Some(known) = self.pages.get(page) else {
            return due;
        };
        let is_due_itself = known.kept.is_due_itself(self.config.most_passed);
        let part = self.changed_part(known);
        let is_due = is_due_itself || part.is_some_and(|part| part >= known.kept.share);
        let step = self.config.step;
        let Some(known) = self.pages.get_mut(page) else {
            return due;
        };
        if let Some(part) = part {
            // Up with the part that changed, down with the part that did not.
            let share = known.kept.share + step * (part - (1.0 - part));
            known.kept.share = share.clamp(SHARES.0, SHARES.1);
        }
        if is_due {
            return due;
        }
        known.kept.passed = known.kept.passed.saturating_add(1);
        self.next_turn(now)
    }

    fn weigh(&mut self, page: PageNumber, importance: f32) {
        if let Some(known) = self.pages.get_mut(page) {
            known.importance = importance;
        }
    }

    fn forget(&mut self, page: PageNumber) {
        self.pages.forget(page);
    }

    fn account(&self, page: PageNumber, _now: Timestamp) -> Account {
        let importance = self.pages.get(page).map_or(0.0, |known| f64::from(known.importance));
        Account { importance, ..Account::default() }
    }

    fn page_state(&self, page: PageNumber, state: &mut Vec<u8>) {
        if let Some(known) = self.pages.get(page) {
            state.extend(pack(&known.kept));
        }
    }

    fn restore_page(&mut self, page: PageNumber, facts: &Facts<'_>, state: &[u8]) -> bool {
        let Some(kept) = unpack::<Kept>(state) else {
            return false;
        };
        let links = facts.links.to_vec();
        self.pages.put(page, Page { kept, links, importance: facts.importance });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{facts, visit};

    const DAY: u64 = 86_400;

    fn day(day: u64) -> Timestamp {
        Timestamp::from_secs(day * DAY)
    }

    /// A page A that links to five others; of these, so many were found changed on day 3.
    fn site(changed: u32) -> Selective {
        let mut policy = Selective { config: Config::default(), pages: Table::default() };
        let links: Vec<_> = (1..=5).map(PageNumber).collect();
        policy.admit(PageNumber(0), &Facts { links: &links, ..facts() }, day(0));
        for link in links {
            policy.admit(link, &facts(), day(0));
            let saw = if link.0 <= changed { Saw::Changed } else { Saw::Same };
            policy.visited(link, &visit(day(3), saw));
        }
        policy
    }

    #[test]
    fn the_worked_example_with_two_of_five_links_is_visited_and_with_one_is_not() {
        let (now, next) = (day(7), day(14));
        assert_eq!(site(2).confirm(PageNumber(0), now, now), now);
        assert_eq!(site(1).confirm(PageNumber(0), now, now), next);
    }

    #[test]
    fn the_share_moves_with_what_the_links_did() {
        for (changed, share) in [(0, 0.35), (2, 0.39), (5, 0.45)] {
            let mut policy = site(changed);
            policy.confirm(PageNumber(0), day(7), day(7));
            let found = policy.pages.get(PageNumber(0)).unwrap().kept.share;
            assert!((found - share).abs() < 1e-12, "{changed}: {found} is not {share}");
        }
    }

    #[test]
    fn a_page_that_changed_itself_is_visited_whatever_its_links_do() {
        let mut policy = site(0);
        policy.visited(PageNumber(0), &visit(day(7), Saw::Changed));
        assert_eq!(policy.confirm(PageNumber(0), day(14), day(14)), day(14));
        policy.visited(PageNumber(0), &visit(day(14), Saw::Same));
        assert_eq!(policy.confirm(PageNumber(0), day(21), day(21)), day(28));
    }

    #[test]
    fn no_page_is_passed_over_for_ever() {
        let mut policy = site(0);
        let mut now = day(7);
        let mut turns = 0;
        loop {
            let next = policy.confirm(PageNumber(0), now, now);
            if next == now {
                break;
            }
            turns += 1;
            now = next;
        }
        assert_eq!(turns, Config::default().most_passed);
    }
}
