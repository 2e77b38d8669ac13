//! Forward links less backward links (S1.3; Mali and Meshram, 2011).
//!
//! `P(u) = FwdLK(u) − BkLK(u)`: the links on the page less the pages known to
//! link to it, highest first. The paper lets the server count the links of a
//! page before it is fetched. No server does, so `FwdLK` of a page not yet fetched is
//! the mean over the pages of its host, a broken one counting 0 as in the
//! paper, drawn to the mean of all hosts by one page's weight. `worth` is `1 + ln(1 + P)`, and
//! below zero `1 / (1 + ln(1 − P))`: the order of `P`, never negative.
//!
//! **Choose it when** the paper is to be repeated. **Cost:** the count of back-links is kept with the
//! link, so each further way to it costs one look-up; two numbers for a host. **Weakness:** knows no
//! topic, and the pages that most others point to come last.

use std::collections::BTreeMap;

use gannet_model::{HostId, Reason, Worth};
use serde::{Deserialize, Serialize};

use crate::order::{Entry, Finding, LinkSight, Order, Queued, Valued};
use crate::traits::{pack, unpack};

pub(crate) const ENTRY: Entry = Entry {
    name: "p-value",
    summary: "expected forward links less backward links of a page (P-value)",
    build: |_, settings| {
        settings.read::<Config>()?;
        Ok(Box::new(PValue::default()))
    },
};

/// `[order.p-value]` takes no settings.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {}

#[derive(Default, Serialize, Deserialize)]
struct PValue {
    hosts: BTreeMap<HostId, Fetched>,
    all: Fetched,
}

/// What was fetched of a host, or of all.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Fetched {
    pages: u32,
    links: u64,
}

impl PValue {
    fn count(&mut self, host: HostId, links: usize) {
        for fetched in [self.hosts.entry(host).or_default(), &mut self.all] {
            fetched.pages = fetched.pages.saturating_add(1);
            fetched.links += links as u64;
        }
    }

    /// Links expected on a page of the host.
    fn forward(&self, host: HostId) -> f32 {
        let all = self.all.links as f32 / self.all.pages.max(1) as f32;
        let fetched = self.hosts.get(&host).copied().unwrap_or_default();
        (fetched.links as f32 + all) / (fetched.pages as f32 + 1.0)
    }

    fn valued(&self, host: HostId, back: u32) -> Valued {
        let forward = self.forward(host);
        let difference = forward - back as f32;
        let worth = if difference >= 0.0 {
            1.0 + difference.ln_1p()
        } else {
            1.0 / (1.0 + (-difference).ln_1p())
        };
        let reasons = [
            Reason::new("forward links", forward).note("expected of a page of this host"),
            Reason::new("backward links", -(back as f32)),
        ];
        Valued {
            traits: pack(&back),
            is_news: true,
            ..Valued::new(Worth::new(worth), reasons.into_iter().collect())
        }
    }
}

impl Order for PValue {
    fn observe(&mut self, finding: &Finding<'_>) {
        self.count(finding.page.host, finding.links.len());
    }

    fn observe_miss(&mut self, link: &Queued<'_>) {
        self.count(link.host, 0);
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let before: u32 = unpack(sight.target.traits).unwrap_or(0);
        Some(self.valued(sight.target.host, before.saturating_add(1)))
    }

    fn revalue(&mut self, link: &Queued<'_>) -> Option<Valued> {
        unpack(link.traits).map(|back| self.valued(link.host, back))
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(pack(self))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let Some(kept) = unpack(state) else { return false };
        *self = kept;
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, Page, page};

    fn with_links(address: &str, links: u32) -> Page {
        (0..links).fold(page(address, 0.0, ""), |page, number| {
            page.link(&format!("http://b.example/{number}"), "x")
        })
    }

    #[test]
    fn the_difference_decides_and_each_way_to_a_link_costs_one() {
        let mut bench = Bench::new("p-value", "gannet");
        let page = with_links("http://b.example/", 3);
        let first = bench.show(&page).remove(0).unwrap();
        // Three links on the only page of the host, one page that links to it.
        assert_eq!(first.worth.get(), 1.0 + 2.0_f32.ln_1p());
        let mut traits = first.traits;
        let mut worths = vec![first.worth];
        for _ in 0..4 {
            let again = bench.value(&page, &page.document.links[0], &traits).unwrap();
            worths.push(again.worth);
            traits = again.traits;
        }
        assert!(worths.is_sorted_by(|a, b| a > b), "{worths:?}");
        assert!(worths[4].get() < 1.0 && worths[4].get() > 0.0, "below zero by then: {worths:?}");
    }

    #[test]
    fn a_host_of_broken_pages_sinks() {
        let mut bench = Bench::new("p-value", "gannet");
        let valued = bench.show(&with_links("http://a.example/", 9)).remove(0).unwrap();
        let before = bench.revalue("http://b.example/0", &valued).unwrap();
        for _ in 0..3 {
            bench.miss("http://b.example/9");
        }
        let after = bench.revalue("http://b.example/0", &valued).unwrap();
        assert!(after.worth < before.worth);
        let mut other = Bench::new("p-value", "gannet");
        assert!(other.order.restore(&bench.order.state().unwrap()));
        assert_eq!(other.revalue("http://b.example/0", &valued), Some(after));
    }
}
