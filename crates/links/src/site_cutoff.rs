//! When is it time to leave a site? (S2.7)
//!
//! Goes around any order. A host of which enough pages were judged, and that is
//! almost surely much poorer than the crawl as a whole, is parked: its links
//! are worth next to nothing, in their old order, and the host comes back when the test no longer
//! holds. With `s` relevant of `n` pages and an even prior, the rate of the host
//! is distributed as `Beta(1 + s, 1 + n − s)`; it is parked when `n ≥ 30` and
//! `P(rate > τ) < 0.05`, where τ is a fifth of the rate over all hosts. As long as
//! nothing relevant was found anywhere, no host is parked.
//!
//! **Choose it when** some sites are large and off the topic, or traps. **Cost:** two numbers for a
//! host, four bytes with each link, and as many steps for a link as its host has relevant pages.
//! **Weakness:** a site whose relevant part is deep inside is left before it is found.

use std::collections::BTreeMap;

use gannet_model::{Fingerprint, HostId, Reason, Reasons, SettingsError, Worth};
use serde::{Deserialize, Serialize};

use crate::order::{Finding, LinkSight, Order, Queued, Risen, Valued};
use crate::traits::{pack, unpack};
use gannet_model::limits;

/// When a host is parked.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct SiteCutoffConfig {
    /// Pages of a host that must have been judged.
    pub pages: u32,
    /// The share of the rate of all hosts that a host must reach.
    pub share: f32,
    /// How likely it may be that it does, at most.
    pub doubt: f32,
}

impl Default for SiteCutoffConfig {
    fn default() -> SiteCutoffConfig {
        SiteCutoffConfig { pages: 30, share: 0.2, doubt: 0.05 }
    }
}

impl SiteCutoffConfig {
    /// Whether the numbers make sense.
    pub fn check(&self) -> Result<(), SettingsError> {
        limits::at_least_one("pages", self.pages)?;
        limits::share("share", self.share)?;
        limits::share("doubt", self.doubt)
    }
}

/// What the worth of a parked host's links is divided by: less than any that are not, and still
/// in their order.
const PARKED: f32 = 1_048_576.0;

/// An order that leaves poor sites.
pub struct SiteCutoff {
    inner: Box<dyn Order>,
    config: SiteCutoffConfig,
    hosts: BTreeMap<HostId, Judged>,
    all: Judged,
}

/// Pages that were judged, of a host or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Judged {
    relevant: u32,
    pages: u32,
}

impl Judged {
    fn count(&mut self, is_relevant: bool) {
        self.pages = self.pages.saturating_add(1);
        self.relevant = self.relevant.saturating_add(u32::from(is_relevant));
    }

    fn rate(self) -> f64 {
        f64::from(self.relevant) / f64::from(self.pages.max(1))
    }

    /// How likely it is that the rate is above `limit`: `P(Beta(1 + s, 1 + n − s) > limit)`.
    ///
    /// For whole numbers that is the chance of at most `s` hits in `n + 1` trials that hit with
    /// `limit`, a sum of `s + 1` terms; in logarithms, for the first is tiny when `n` is large.
    fn likely_above(self, limit: f64) -> f64 {
        if limit <= 0.0 {
            return 1.0;
        }
        if limit >= 1.0 {
            return 0.0;
        }
        let trials = f64::from(self.pages) + 1.0;
        let odds = (limit / (1.0 - limit)).ln();
        let mut term = trials * (-limit).ln_1p();
        let mut sum = term.exp();
        for hits in 1..=self.relevant {
            let hits = f64::from(hits);
            term += ((trials - hits + 1.0) / hits).ln() + odds;
            sum += term.exp();
        }
        sum.min(1.0)
    }
}

/// What is kept with a link: its worth when its host is not parked, and what the order inside keeps.
#[derive(Serialize, Deserialize)]
struct Kept<'a> {
    worth: f32,
    #[serde(borrow)]
    inner: &'a [u8],
}

/// Reads what is kept. What this did not write is the inner order's, from before it was wrapped.
fn kept(traits: &[u8]) -> Kept<'_> {
    unpack(traits).unwrap_or(Kept { worth: 0.0, inner: traits })
}

impl SiteCutoff {
    /// Puts the cut-off around an order.
    pub fn new(inner: Box<dyn Order>, config: SiteCutoffConfig) -> SiteCutoff {
        SiteCutoff { inner, config, hosts: BTreeMap::new(), all: Judged::default() }
    }

    /// What the host has shown, if it is parked for it.
    fn parked(&self, host: HostId) -> Option<Judged> {
        let judged = self.hosts.get(&host).copied()?;
        let limit = f64::from(self.config.share) * self.all.rate();
        if judged.pages < self.config.pages || judged.rate() >= limit {
            return None;
        }
        let is_poor = judged.likely_above(limit) < f64::from(self.config.doubt);
        is_poor.then_some(judged)
    }

    fn wrapped(&self, host: HostId, mut valued: Valued) -> Valued {
        let worth = valued.worth.get();
        valued.traits = pack(&Kept { worth, inner: &valued.traits });
        if let Some(judged) = self.parked(host) {
            let Judged { relevant, pages } = judged;
            let parked = worth / PARKED;
            valued.worth = Worth::new(parked);
            let note = format!("host parked: {relevant} of {pages} pages relevant");
            valued.reasons.push(Reason::new("site cut-off", parked - worth).note(note));
        }
        valued
    }
}

impl Order for SiteCutoff {
    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let (page, target) = (kept(sight.page.traits), kept(sight.target.traits));
        let valued = self.inner.value(&LinkSight {
            page: Queued { traits: page.inner, ..sight.page },
            target: Queued { traits: target.inner, ..sight.target },
            ..*sight
        })?;
        Some(self.wrapped(sight.target.host, valued))
    }

    /// Seeds are never parked: the user vouches for them.
    fn value_seed(&mut self, seed: &Queued<'_>) -> Valued {
        let valued = self.inner.value_seed(seed);
        let kept = Kept { worth: valued.worth.get(), inner: &valued.traits };
        Valued { traits: pack(&kept), ..valued }
    }

    fn observe(&mut self, finding: &Finding<'_>) {
        let is_gain = finding.is_gain();
        self.hosts.entry(finding.page.host).or_default().count(is_gain);
        self.all.count(is_gain);
        let page = kept(finding.page.traits);
        self.inner
            .observe(&Finding { page: Queued { traits: page.inner, ..finding.page }, ..*finding });
    }

    fn observe_miss(&mut self, link: &Queued<'_>) {
        let kept = kept(link.traits);
        self.inner.observe_miss(&Queued { traits: kept.inner, ..*link });
    }

    fn revalue(&mut self, link: &Queued<'_>) -> Option<Valued> {
        let kept = kept(link.traits);
        let valued = self.inner.revalue(&Queued { traits: kept.inner, ..*link });
        let is_seed = link.depth == 0;
        if let Some(valued) = valued {
            if !is_seed {
                return Some(self.wrapped(link.host, valued));
            }
            let kept = Kept { worth: valued.worth.get(), inner: &valued.traits };
            return Some(Valued { traits: pack(&kept), ..valued });
        }
        if is_seed || self.parked(link.host).is_none() {
            return None;
        }
        let reason = Reason::new("worth on a better host", kept.worth);
        let valued = Valued::new(Worth::new(kept.worth), Reasons::one(reason));
        Some(self.wrapped(link.host, Valued { traits: kept.inner.to_vec(), ..valued }))
    }

    fn glance(&mut self, link: Fingerprint, host: HostId) -> Option<Worth> {
        // Seeds are never parked, and only the store knows which links are.
        if self.parked(host).is_some() {
            return None;
        }
        self.inner.glance(link, host)
    }

    fn gives_way(&self, link: Worth, other: Worth) -> bool {
        self.inner.gives_way(link, other)
    }

    fn risen(&mut self) -> Vec<Risen> {
        let mut risen = self.inner.risen();
        risen.retain(|risen| self.parked(risen.host).is_none());
        risen
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(pack(&(&self.hosts, self.all, self.inner.state())))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        type State = (BTreeMap<HostId, Judged>, Judged, Option<Vec<u8>>);
        let Some((hosts, all, inner)) = unpack::<State>(state) else { return false };
        (self.hosts, self.all) = (hosts, all);
        inner.is_none_or(|inner| self.inner.restore(&inner))
    }
}

#[cfg(test)]
mod tests {
    use gannet_model::Settings;

    use super::*;
    use crate::fixture::{Bench, page};
    use crate::interest::Interest;
    use crate::orders::{ORDERS, build_order};

    fn around(name: &str) -> Bench {
        let inner =
            build_order(name, &Interest::new([("gannet", 1.0)]), &Settings::none()).unwrap();
        Bench { order: Box::new(SiteCutoff::new(inner, SiteCutoffConfig::default())) }
    }

    #[track_caller]
    fn check(relevant: u32, pages: u32, limit: f64, expected: f64) {
        let found = Judged { relevant, pages }.likely_above(limit);
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn the_beta_tail_is_exact() {
        // Beta(1, 1) is even, Beta(1, 2) falls to (1−x)², Beta(2, 1) rises as x².
        check(0, 0, 0.25, 0.75);
        check(0, 1, 0.25, 0.5625);
        check(1, 1, 0.25, 1.0 - 0.0625);
        check(5, 10, 0.5, 0.5);
        check(0, 5, 0.0, 1.0);
        check(3, 5, 1.0, 0.0);
        check(0, 1_000_000, 0.5, 0.0);
    }

    /// Shows so many pages of a host.
    fn show(bench: &mut Bench, host: &str, score: f32, pages: u32) {
        for number in 0..pages {
            bench.show(&page(&format!("http://{host}/{number}"), score, "gannet"));
        }
    }

    fn worth(bench: &mut Bench, target: &str) -> Valued {
        let page = page("http://p.example/", 0.9, "gannet").link(target, "x");
        bench.show(&page).remove(0).unwrap()
    }

    #[test]
    fn a_host_far_below_the_others_is_parked_after_thirty_pages() {
        let mut bench = around("soft-focus");
        show(&mut bench, "good.example", 0.9, 100);
        show(&mut bench, "poor.example", 0.1, 29);
        let target = "http://poor.example/x";
        let before = worth(&mut bench, target);
        assert_eq!(before.worth.get(), 0.9);
        assert_eq!(bench.revalue(target, &before), None);
        show(&mut bench, "poor.example", 0.1, 1);
        let parked = bench.revalue(target, &before).unwrap();
        assert_eq!(parked.worth.get(), 0.9 / PARKED);
        assert_eq!(parked.traits, before.traits);
        assert_eq!(worth(&mut bench, target).worth, parked.worth);
        assert_eq!(worth(&mut bench, "http://good.example/x").worth, before.worth);

        let mut next = around("soft-focus");
        assert!(next.order.restore(&bench.order.state().unwrap()));
        assert_eq!(next.revalue(target, &before), Some(parked));
    }

    #[test]
    fn it_comes_back_when_the_others_are_no_better() {
        let mut bench = around("soft-focus");
        show(&mut bench, "good.example", 0.9, 100);
        show(&mut bench, "poor.example", 0.1, 30);
        show(&mut bench, "poor.example", 0.9, 5);
        assert_eq!(worth(&mut bench, "http://poor.example/x").worth.get(), 0.9);
    }

    #[test]
    fn as_long_as_nothing_was_found_no_host_is_parked() {
        let mut bench = around("breadth-first");
        show(&mut bench, "poor.example", 0.1, 500);
        let page = page("http://p.example/", 0.1, "").link("http://poor.example/x", "x");
        assert!(bench.worths(&page)[0] > 0.1);
    }

    #[test]
    fn every_order_is_the_same_on_hosts_that_are_not_parked() {
        for entry in ORDERS {
            let (mut bare, mut wrapped) = (Bench::new(entry.name, "gannet"), around(entry.name));
            let (seed, wrapped_seed) =
                (bare.seed("http://a.example/"), wrapped.seed("http://a.example/"));
            let page = |valued: &Valued| {
                page("http://a.example/", 0.9, "sea")
                    .link("http://c.example/", "gannet")
                    .valued(valued)
            };
            let (expected, found) =
                (bare.worths(&page(&seed)), wrapped.worths(&page(&wrapped_seed)));
            assert_eq!(found, expected, "{}", entry.name);
        }
    }
}
