//! What every revisit policy can do, and what it gets to see.

use gannet_model::{HostId, Timestamp};
use serde::{Deserialize, Serialize};

/// The number of a page in a schedule: dense, so that a policy can keep its notes in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PageNumber(pub u32);

/// Decides when known pages are visited again.
///
/// A page is [admitted](Policy::admit) once, when it was seen for the first time. From then on
/// every visit is [observed](Policy::visited). Both give the time of the next one, which the
/// schedule keeps. When that time has come the policy is asked to [confirm](Policy::confirm) it.
pub trait Policy: Send {
    /// A page was seen for the first time: when to come back.
    fn admit(&mut self, page: PageNumber, facts: &Facts<'_>, now: Timestamp) -> Timestamp;

    /// A known page was visited: when to come back.
    fn visited(&mut self, page: PageNumber, visit: &Visit) -> Timestamp;

    /// The page's time has come. A later time puts it off: what it is worth may have fallen, or
    /// the price risen, since the time was set.
    fn confirm(&mut self, page: PageNumber, due: Timestamp, now: Timestamp) -> Timestamp {
        let _ = (page, now);
        due
    }

    /// When a page that an earlier run left is due, by what is known now: times move while pages
    /// wait, and are not all kept.
    fn planned(&self, page: PageNumber, due: Timestamp) -> Timestamp {
        let _ = page;
        due
    }

    /// Something said that the page may have changed. `Some` when that moves its time.
    fn told(&mut self, page: PageNumber, hint: Hint, now: Timestamp) -> Option<Timestamp> {
        let _ = (page, hint, now);
        None
    }

    /// Pages whose time moved since this was last asked, other than those just visited.
    fn moved(&mut self, now: Timestamp, moved: &mut Vec<(PageNumber, Timestamp)>) {
        let _ = (now, moved);
    }

    /// A visit could have been made and no page was due: the price may fall. To be told once for
    /// every visit that the budget had room for.
    fn idle(&mut self, now: Timestamp) {
        let _ = now;
    }

    /// No page is due and a visit could be made: whether this page, the next one, may be visited
    /// before its time. One that says so is as good as due.
    fn may_advance(&mut self, page: PageNumber, due: Timestamp, now: Timestamp) -> bool {
        let _ = (page, due, now);
        false
    }

    /// How many visits a day there are for returns.
    fn set_budget(&mut self, visits_per_day: f64) {
        let _ = visits_per_day;
    }

    /// About so many pages will be known: tables that grow step by step leave holes in memory.
    fn expect(&mut self, pages: usize) {
        let _ = pages;
    }

    /// The page's importance is another by now.
    fn weigh(&mut self, page: PageNumber, importance: f32) {
        let _ = (page, importance);
    }

    /// The page is not to be visited again; its number may be given to another.
    fn forget(&mut self, page: PageNumber);

    /// What the policy knows of a page at `now`, for people.
    fn account(&self, page: PageNumber, now: Timestamp) -> Account;

    /// What is kept of a page with the crawl: a few bytes.
    fn page_state(&self, page: PageNumber, state: &mut Vec<u8>);

    /// Takes a page up from what was kept of it; `false` when that cannot be read, and the page is
    /// to be admitted anew.
    fn restore_page(&mut self, page: PageNumber, facts: &Facts<'_>, state: &[u8]) -> bool;

    /// What was learned over all pages, to be kept with the crawl.
    fn state(&self) -> Option<Vec<u8>> {
        None
    }

    /// Takes up what an earlier run learned over all pages. What cannot be read is passed over.
    fn restore(&mut self, state: &[u8]) -> bool {
        let _ = state;
        false
    }
}

/// What is known of a page besides its visits.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// The number of its host.
    pub host: HostId,
    /// The name of its host: its last label tells its class.
    pub host_name: &'a str,
    /// Pages that are made alike and tend to change together: a number for host and directory.
    pub group: u64,
    /// How much it matters that the copy is fresh, 0 or more.
    pub importance: f32,
    /// How often it changes in a day, where that is known for sure: in experiments only.
    pub known_rate: Option<f64>,
    /// Known pages of the same site that it links to.
    pub links: &'a [PageNumber],
}

/// What a visit to a known page showed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Visit {
    /// When.
    pub at: Timestamp,
    /// What was seen.
    pub saw: Saw,
    /// When the server says that the page was changed, if it says so.
    pub modified: Option<Timestamp>,
    /// Bytes that were received.
    pub bytes: u64,
    /// How long the server took, in milliseconds.
    pub took_ms: u32,
    /// Relevant new links that it brought.
    pub new_links: u32,
}

/// What was seen of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saw {
    /// The server said so, or the bytes are the same.
    Same,
    /// The bytes differ, but nothing that counts.
    Noise,
    /// The page says something else.
    Changed,
    /// The page could not be had; nothing is known of it.
    Failed,
}

/// What may tell that a page changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A sitemap gives this date of change.
    Sitemap(Timestamp),
    /// A feed names the page with this date.
    Feed(Timestamp),
    /// Something else said so: a push, a person.
    Told,
}

/// What a policy knows of a page, for people. `None` where the policy does not work that out.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Account {
    /// Changes a day, as estimated.
    pub rate: Option<f64>,
    /// The bounds that hold the rate with a chance of nine in ten.
    pub rate_between: Option<(f64, f64)>,
    /// How much its freshness matters.
    pub importance: f64,
    /// The chance that the copy is still as the page is.
    pub fresh: Option<f64>,
    /// What a visit now would bring, in weighted days of freshness.
    pub value: Option<f64>,
    /// The least a visit must bring.
    pub price: Option<f64>,
}
