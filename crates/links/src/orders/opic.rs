//! On-line importance: every page holds cash and hands all of it to its links when it is read
//! (OPIC: Abiteboul, Preda and Cobena, 2003).
//!
//! The link with most cash is fetched: `C(j) += C(i) / outdegree(i)` for each of
//! its links `j`, then `C(i) = 0`. A page without links gives its cash to the
//! virtual root, which hands it to all links that wait, in equal parts, as soon
//! as it is the richest itself. Each seed starts with 1. The history of cash, which
//! estimates the importance of pages already fetched, is not kept: no
//! order asks for it.
//!
//! **Choose it when** important pages matter more than the topic and PageRank would be too slow.
//! **Cost:** O(1) for a link; about 50 bytes of memory for each link ever seen, all of it stored
//! with the crawl. **Weakness:** knows no topic.

use std::collections::HashMap;

use gannet_model::{Fingerprint, HostId, Reason, Reasons, Worth};
use serde::{Deserialize, Serialize};

use crate::order::{Entry, Finding, LinkSight, Order, Queued, Risen, Valued};
use crate::traits::{pack, unpack};

pub(crate) const ENTRY: Entry = Entry {
    name: "opic",
    summary: "links hold cash that pages hand on when they are read (on-line page importance)",
    build: |_, settings| {
        settings.read::<Config>()?;
        Ok(Box::new(Opic::default()))
    },
};

/// `[order.opic]` takes no settings.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {}

/// Worth of the cash of a seed. Cash is split at every step; this leaves room below.
const UNIT: f64 = 64.0;
/// What a seed starts with.
const SEED_CASH: f64 = 1.0;
/// Links that wait are told when the root has given each this share of what the richest had.
const WORTH_TELLING: f64 = 0.1;

#[derive(Default)]
struct Opic {
    purses: HashMap<Fingerprint, Purse>,
    bank: Bank,
    /// Whether the root has given so much that those who wait must be told.
    is_to_tell: bool,
}

/// The virtual root: it takes the cash of pages without links.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Bank {
    /// Not handed on yet.
    cash: f64,
    /// Handed to each link that waited all the time.
    given: f64,
    /// The part of `given` that those who wait were told of.
    told: f64,
    /// How many wait.
    waiting: u64,
    /// What the page that was read last had: the richest at that time.
    richest: f64,
}

impl Default for Bank {
    fn default() -> Bank {
        Bank { cash: 0.0, given: 0.0, told: 0.0, waiting: 0, richest: SEED_CASH }
    }
}

#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Purse {
    cash: f64,
    /// What the root had given before it waited.
    given_before: f64,
    /// Its host while it waits.
    waits_at: Option<HostId>,
}

impl Purse {
    fn holds(&self, bank: &Bank) -> f64 {
        let share = if self.waits_at.is_some() { bank.given - self.given_before } else { 0.0 };
        self.cash + share
    }
}

impl Opic {
    /// Makes the link one of those the root gives to.
    fn wait(&mut self, link: &Queued<'_>) -> f64 {
        let purse = self.purses.entry(link.fingerprint).or_default();
        if purse.waits_at.is_none() {
            purse.waits_at = Some(link.host);
            purse.given_before = self.bank.given;
            self.bank.waiting += 1;
        }
        purse.holds(&self.bank)
    }

    /// Takes all cash of a link that was followed. One that nobody announced, such as the target of
    /// a redirect, had its turn all the same: it is as rich as the page before it.
    fn empty(&mut self, link: Fingerprint) -> f64 {
        if let Some(purse) = self.purses.insert(link, Purse::default()) {
            self.bank.richest = purse.holds(&self.bank);
            self.bank.waiting -= u64::from(purse.waits_at.is_some());
        }
        self.bank.richest
    }

    /// Lets the root hand on what it has if it is richer than the page that was just read, which
    /// was the richest of all.
    fn spread(&mut self) {
        let richest = self.bank.richest;
        if self.bank.cash <= richest || self.bank.waiting == 0 {
            return;
        }
        self.bank.given += self.bank.cash / self.bank.waiting as f64;
        self.bank.cash = 0.0;
        self.is_to_tell = self.bank.given - self.bank.told > richest * WORTH_TELLING;
    }
}

fn valued(cash: f64) -> Valued {
    let worth = worth(cash);
    Valued::new(worth, Reasons::one(Reason::new("cash", worth.get())))
}

fn worth(cash: f64) -> Worth {
    Worth::new((cash * UNIT) as f32)
}

impl Order for Opic {
    fn value_seed(&mut self, seed: &Queued<'_>) -> Valued {
        self.wait(seed);
        let purse = self.purses.entry(seed.fingerprint).or_default();
        purse.cash = purse.cash.max(SEED_CASH);
        valued(purse.cash)
    }

    fn observe(&mut self, finding: &Finding<'_>) {
        let cash = self.empty(finding.page.fingerprint);
        if finding.links.is_empty() {
            self.bank.cash += cash;
        }
        let share = cash / finding.links.len().max(1) as f64;
        for link in finding.links {
            self.purses.entry(*link).or_default().cash += share;
        }
        self.spread();
    }

    fn observe_miss(&mut self, link: &Queued<'_>) {
        let cash = self.empty(link.fingerprint);
        self.bank.cash += cash;
        self.spread();
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        Some(valued(self.wait(&sight.target)))
    }

    fn revalue(&mut self, link: &Queued<'_>) -> Option<Valued> {
        self.purses.get(&link.fingerprint).map(|purse| valued(purse.holds(&self.bank)))
    }

    fn risen(&mut self) -> Vec<Risen> {
        if !std::mem::take(&mut self.is_to_tell) {
            return Vec::new();
        }
        self.bank.told = self.bank.given;
        let each = self.purses.iter().filter_map(|(fingerprint, purse)| {
            let host = purse.waits_at?;
            Some(Risen { fingerprint: *fingerprint, host, worth: worth(purse.holds(&self.bank)) })
        });
        let mut risen: Vec<Risen> = each.collect();
        risen.sort_by_key(|risen| risen.fingerprint);
        risen
    }

    fn state(&self) -> Option<Vec<u8>> {
        let mut purses: Vec<(&Fingerprint, &Purse)> = self.purses.iter().collect();
        purses.sort_by_key(|(fingerprint, _)| **fingerprint);
        Some(pack(&(self.bank, purses)))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let Some((bank, purses)) = unpack::<(Bank, Vec<(Fingerprint, Purse)>)>(state) else {
            return false;
        };
        self.bank = bank;
        self.purses = purses.into_iter().collect();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Bench, page};

    #[track_caller]
    fn near(found: f32, expected: f64) {
        assert!((f64::from(found) - expected * UNIT).abs() < 1e-4, "{found} is not {expected}");
    }

    #[test]
    fn a_page_hands_all_its_cash_to_its_links_in_equal_parts() {
        let mut bench = Bench::new("opic", "gannet");
        near(bench.seed("http://a.example/").worth.get(), 1.0);
        let seed = page("http://a.example/", 0.0, "")
            .link("http://b.example/", "x")
            .link("http://c.example/", "x");
        for worth in bench.worths(&seed) {
            near(worth, 0.5);
        }
        let next = page("http://b.example/", 0.0, "").link("http://c.example/", "x");
        near(bench.worths(&next)[0], 1.0);
        // Cash is neither made nor lost: a has given all it had.
        let again = page("http://a.example/", 0.0, "").link("http://d.example/", "x");
        near(bench.worths(&again)[0], 0.0);
    }

    #[test]
    fn the_cash_of_pages_without_links_comes_back_to_all_who_wait() {
        let mut bench = Bench::new("opic", "gannet");
        bench.seed("http://a.example/");
        bench.seed("http://z.example/");
        let seed = (0..4).fold(page("http://a.example/", 0.0, ""), |page, number| {
            page.link(&format!("http://b.example/{number}"), "x")
        });
        bench.worths(&seed);
        bench.worths(&page("http://z.example/", 0.0, ""));
        assert!(bench.order.risen().is_empty(), "the root is as rich as the richest, not richer");
        bench.miss("http://b.example/0");
        let risen = bench.order.risen();
        assert_eq!(risen.len(), 3);
        for risen in risen {
            near(risen.worth.get(), 0.25 + 1.25 / 3.0);
        }
    }

    #[test]
    fn the_purses_survive_a_restart() {
        let mut first = Bench::new("opic", "gannet");
        first.seed("http://a.example/");
        first.worths(&page("http://a.example/", 0.0, "").link("http://b.example/", "x"));
        let mut second = Bench::new("opic", "gannet");
        assert!(second.order.restore(&first.order.state().unwrap()));
        let valued = valued(0.0);
        near(second.revalue("http://b.example/", &valued).unwrap().worth.get(), 1.0);
        assert!(!second.order.restore(&[1, 2, 3]));
    }
}
