//! Which known page is visited next, and when.
//!
//! A [`Schedule`] keeps the time of every known page in a queue in memory and asks its
//! [`Policy`] for each new one. It gives pages their numbers, which are dense and used again, so
//! that the policy can keep its notes in a table. It does not fetch, wait or look at a clock:
//! callers pass `now`, and come back with what the visit showed.

mod queue;

use gannet_model::Timestamp;

use crate::policy::{Account, Facts, Hint, PageNumber, Policy, Visit};
use queue::{DueQueue, Standing};

/// The times of all known pages, under one policy.
pub struct Schedule {
    /// What decides.
    policy: Box<dyn Policy>,
    /// The pages that wait, the earliest first.
    queue: DueQueue,
    /// The first number that was never given out.
    fresh: u32,
    /// Numbers of forgotten pages, to be given out again.
    free: Vec<PageNumber>,
    /// Room for what the policy says has moved.
    moved: Vec<(PageNumber, Timestamp)>,
    /// How often a page was given a time.
    reschedules: u64,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This page is to be visited now. It is out of the queue until the visit is told of.
    Visit {
        /// Which.
        page: PageNumber,
        /// When it was due.
        due: Timestamp,
    },
    /// Nothing is due before this time, unless something is told before.
    At(Timestamp),
    /// No page waits.
    Empty,
}

/// Pages that are put off in one go before the next is taken as it comes. A price that has risen
/// puts many off; the visit must not wait for all of them.
const MOST_PUT_OFF: usize = 6;

impl Schedule {
    /// An empty schedule.
    pub fn new(policy: Box<dyn Policy>) -> Schedule {
        Schedule {
            policy,
            queue: DueQueue::default(),
            fresh: 0,
            free: Vec::new(),
            moved: Vec::new(),
            reschedules: 0,
        }
    }

    /// Takes in a page that was just seen for the first time; tells its number and its time.
    pub fn admit(&mut self, facts: &Facts<'_>, now: Timestamp) -> (PageNumber, Timestamp) {
        let page = self.number();
        let due = self.policy.admit(page, facts, now);
        self.place(page, due);
        self.apply_moves(now);
        (page, due)
    }

    /// Takes in a page as an earlier run knew it: what was kept of it and when it was due. A page
    /// of which nothing readable was kept is admitted anew, as seen at `now`.
    pub fn restore(
        &mut self,
        facts: &Facts<'_>,
        state: &[u8],
        due: Timestamp,
        now: Timestamp,
    ) -> (PageNumber, Timestamp) {
        let page = self.number();
        let due = match self.policy.restore_page(page, facts, state) {
            true => due,
            false => self.policy.admit(page, facts, now),
        };
        self.place(page, due);
        (page, due)
    }

    /// Takes in a page as an earlier run knew it, under the number it had there: what the policy
    /// kept over all pages may name it. After the last one, call [`Schedule::restored`].
    pub fn restore_as(
        &mut self,
        page: PageNumber,
        facts: &Facts<'_>,
        state: &[u8],
        due: Timestamp,
        now: Timestamp,
    ) {
        self.fresh = self.fresh.max(page.0 + 1);
        let due = match self.policy.restore_page(page, facts, state) {
            true => due,
            false => self.policy.admit(page, facts, now),
        };
        self.place(page, due);
    }

    /// All pages of an earlier run are in: numbers that none of them has are free, and times are
    /// those of today.
    pub fn restored(&mut self) {
        for page in (0..self.fresh).map(PageNumber) {
            match self.queue.due(page) {
                Some(due) => self.place(page, self.policy.planned(page, from_seconds(due))),
                None => self.free.push(page),
            }
        }
    }

    /// When the first page is due; `None` when none waits.
    pub fn first(&self) -> Option<Timestamp> {
        self.queue.first().map(|(due, _)| from_seconds(due))
    }

    /// What is due. A page that is named is out of the queue until [`Schedule::visited`],
    /// [`Schedule::put_back`] or [`Schedule::forget`] tells what became of it.
    pub fn next(&mut self, now: Timestamp) -> Next {
        self.apply_moves(now);
        for tried in 0.. {
            let Some((due, page)) = self.queue.first() else {
                return Next::Empty;
            };
            let due = from_seconds(due);
            if due > now {
                return Next::At(due);
            }
            let confirmed = self.policy.confirm(page, due, now);
            if confirmed > now && tried < MOST_PUT_OFF {
                self.place(page, confirmed);
                continue;
            }
            self.queue.start(page);
            return Next::Visit { page, due };
        }
        Next::Empty
    }

    /// What a visit showed; tells when the page is due again. It need not have been asked for.
    pub fn visited(&mut self, page: PageNumber, visit: &Visit) -> Timestamp {
        if !self.knows(page) {
            return Timestamp::NEVER;
        }
        let due = self.policy.visited(page, visit);
        self.place(page, due);
        self.apply_moves(visit.at);
        due
    }

    /// A page that [`Schedule::next`] named could not be visited after all: it waits until `due`.
    pub fn put_back(&mut self, page: PageNumber, due: Timestamp) {
        if self.knows(page) {
            self.place(page, due);
        }
    }

    /// Something said that the page may have changed. `Some` when that moves its time.
    pub fn told(&mut self, page: PageNumber, hint: Hint, now: Timestamp) -> Option<Timestamp> {
        if !self.knows(page) {
            return None;
        }
        let due = self.policy.told(page, hint, now)?;
        self.shift(page, due, now);
        Some(due)
    }

    /// The page's importance is another by now. Its time follows when it is next looked at.
    pub fn weigh(&mut self, page: PageNumber, importance: f32) {
        if self.knows(page) {
            self.policy.weigh(page, importance);
        }
    }

    /// The page is not to be visited again. Its number will be given to another.
    pub fn forget(&mut self, page: PageNumber) {
        if !self.knows(page) {
            return;
        }
        self.queue.forget(page);
        self.policy.forget(page);
        self.free.push(page);
    }

    /// A visit could have been made, within the budget, and nothing was due. Some policies rather
    /// name a page before its time, with that time, than let the visit go unused; it is then out of
    /// the queue as one that [`Schedule::next`] names.
    pub fn idle(&mut self, now: Timestamp) -> Option<(PageNumber, Timestamp)> {
        self.policy.idle(now);
        let (due, page) = self.queue.first()?;
        let due = from_seconds(due);
        if !self.policy.may_advance(page, due, now) {
            return None;
        }
        self.queue.start(page);
        Some((page, due))
    }

    /// How many visits a day there are for returns.
    pub fn set_budget(&mut self, visits_per_day: f64) {
        self.policy.set_budget(visits_per_day);
    }

    /// About so many pages will be known. Whoever knows saves memory by saying so.
    pub fn expect(&mut self, pages: usize) {
        self.queue.expect(pages);
        self.policy.expect(pages);
    }

    /// How many pages are known, those included that are being visited.
    pub fn len(&self) -> usize {
        self.fresh as usize - self.free.len()
    }

    /// True when no page is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How often a page was given a time, for measurements.
    pub fn reschedules(&self) -> u64 {
        self.reschedules
    }

    /// When a page is due; `None` while it is being visited, or when it is not known.
    pub fn due(&self, page: PageNumber) -> Option<Timestamp> {
        self.queue.due(page).map(from_seconds)
    }

    /// How many pages are due at or before a time.
    pub fn due_by(&self, time: Timestamp) -> usize {
        self.queue.count_by(to_seconds(time))
    }

    /// Every page that waits, with its time, in no order.
    pub fn dues(&self) -> impl Iterator<Item = (PageNumber, Timestamp)> {
        self.queue.iter().map(|(due, page)| (page, from_seconds(due)))
    }

    /// The pages that are due first, at most so many, the earliest first.
    pub fn first_due(&self, most: usize) -> Vec<(PageNumber, Timestamp)> {
        let mut first: Vec<(PageNumber, Timestamp)> = self.dues().collect();
        let key = |(page, due): &(PageNumber, Timestamp)| (*due, *page);
        if most < first.len() {
            first.select_nth_unstable_by_key(most, key);
            first.truncate(most);
        }
        first.sort_unstable_by_key(key);
        first
    }

    /// What the policy knows of a page, for people.
    pub fn account(&self, page: PageNumber, now: Timestamp) -> Account {
        self.policy.account(page, now)
    }

    /// What is kept of a page with the crawl.
    pub fn page_state(&self, page: PageNumber, state: &mut Vec<u8>) {
        self.policy.page_state(page, state);
    }

    /// What the policy learned over all pages, to be kept with the crawl.
    pub fn state(&self) -> Option<Vec<u8>> {
        self.policy.state()
    }

    /// Takes up what an earlier run learned over all pages, before any page is restored.
    pub fn restore_state(&mut self, state: &[u8]) -> bool {
        self.policy.restore(state)
    }

    fn number(&mut self) -> PageNumber {
        self.free.pop().unwrap_or_else(|| {
            let number = PageNumber(self.fresh);
            self.fresh += 1;
            number
        })
    }

    fn knows(&self, page: PageNumber) -> bool {
        self.queue.standing(page) != Standing::Unknown
    }

    fn place(&mut self, page: PageNumber, due: Timestamp) {
        self.reschedules += 1;
        self.queue.put(page, to_seconds(due));
    }

    /// Moves the pages that the policy says have moved.
    fn apply_moves(&mut self, now: Timestamp) {
        let mut moved = std::mem::take(&mut self.moved);
        self.policy.moved(now, &mut moved);
        for (page, due) in moved.drain(..) {
            self.shift(page, due, now);
        }
        self.moved = moved;
    }

    /// Moves a page that waits. One that is due already keeps its place among those that are: each
    /// further reason to visit it must not send it to the end of the line.
    fn shift(&mut self, page: PageNumber, due: Timestamp, now: Timestamp) {
        if self.queue.due(page).is_some_and(|before| from_seconds(before) > now) {
            self.place(page, due);
        }
    }
}

/// Seconds since 1970 hold until 2106 in four bytes; what is later is never.
const NEVER: u32 = u32::MAX;

/// Rounded up, so that nothing is due before its time.
fn to_seconds(time: Timestamp) -> u32 {
    const MICROS: u64 = 1_000_000;
    u32::try_from(time.as_micros().div_ceil(MICROS)).unwrap_or(NEVER)
}

fn from_seconds(seconds: u32) -> Timestamp {
    if seconds == NEVER { Timestamp::NEVER } else { Timestamp::from_secs(seconds.into()) }
}

#[cfg(test)]
mod tests;
