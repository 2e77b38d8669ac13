//! How far beyond relevance may a path go? (S5.6 in its corrected form; Bergmark and others, 2002)
//!
//! Goes around any order. Every link has a level: 0 when its page is relevant or
//! the heading block it stands in resembles the topic, else one more than its
//! page's; of several ways the lowest counts. A link beyond the highest level is not followed.
//! The paper's own pseudo-code keeps one level for the whole crawl, raises it at a find
//! and never drops a link; here the level belongs to the path.
//!
//! **Choose it when** a crawl wanders off and the order has no such limit of its own. **Cost:** a
//! count of the words of irrelevant pages, one byte with each link, and a look-up for each further
//! way to a link. **Weakness:** what lies behind a longer tunnel is never found.

use gannet_model::{Block, Fingerprint, HostId, Reason, SettingsError, Worth};
use serde::{Deserialize, Serialize};

use crate::interest::Interest;
use crate::order::{Finding, LinkSight, Order, Queued, Risen, Valued};
use crate::traits::{pack, unpack};
use gannet_model::limits;

/// How far a path may go.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct TunnellingConfig {
    /// Steps a link may be beyond the last relevant page or block.
    pub max_level: u8,
    /// Likeness to the topic above which a block of an irrelevant page is relevant itself.
    pub block_limit: f32,
}

impl Default for TunnellingConfig {
    /// As the ordering `block`, which has the same rule built in.
    fn default() -> TunnellingConfig {
        TunnellingConfig { max_level: 3, block_limit: 0.1 }
    }
}

impl TunnellingConfig {
    /// Whether the numbers make sense.
    pub fn check(&self) -> Result<(), SettingsError> {
        limits::share("block_limit", self.block_limit)
    }
}

/// An order whose paths end some steps beyond relevance.
pub struct Tunnelling {
    inner: Box<dyn Order>,
    interest: Interest,
    config: TunnellingConfig,
    /// Which blocks of the page that was just read are relevant; empty when the whole page is.
    is_lit: Vec<bool>,
}

/// What is kept with a link: its level, and what the order inside keeps.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    level: u8,
    inner: Vec<u8>,
}

/// Reads what is kept. What this did not write is the inner order's, from before it was wrapped.
fn kept(traits: &[u8]) -> Kept {
    unpack(traits).unwrap_or_else(|| Kept { level: 0, inner: traits.to_vec() })
}

fn wrapped(level: u8, valued: Valued) -> Valued {
    Valued { traits: pack(&Kept { level, inner: valued.traits }), ..valued }
}

impl Tunnelling {
    /// Puts the limit around an order.
    pub fn new(inner: Box<dyn Order>, interest: &Interest, config: TunnellingConfig) -> Tunnelling {
        Tunnelling { inner, interest: interest.clone(), config, is_lit: Vec::new() }
    }

    fn is_block_relevant(&self, block: &Block) -> bool {
        let heading = block.heading.as_ref().map(|heading| heading.text.as_str());
        let texts = heading.into_iter().chain([block.text.as_str()]);
        self.interest.similarity(texts) > self.config.block_limit
    }

    /// The level of a link, by way of this page.
    fn level(&self, sight: &LinkSight<'_>, page_level: u8) -> u8 {
        let is_block_lit = self.is_lit.get(sight.link.block).copied().unwrap_or(false);
        if sight.judgement.is_relevant() || is_block_lit { 0 } else { page_level.saturating_add(1) }
    }
}

impl Order for Tunnelling {
    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let page = kept(sight.page.traits);
        let way = self.level(sight, page.level);
        if way > self.config.max_level {
            return None;
        }
        let target = kept(sight.target.traits);
        let level = if sight.is_again { target.level.min(way) } else { way };
        let mut valued = self.inner.value(&LinkSight {
            page: Queued { traits: &page.inner, ..sight.page },
            target: Queued { traits: &target.inner, ..sight.target },
            ..*sight
        })?;
        valued.reasons.push(
            Reason::new("level", 0.0).note(format!("{level} steps from the last relevant page")),
        );
        // A way at the highest level cannot lower the level of a link that waits.
        valued.is_news |= way < self.config.max_level;
        Some(wrapped(level, valued))
    }

    fn value_seed(&mut self, seed: &Queued<'_>) -> Valued {
        wrapped(0, self.inner.value_seed(seed))
    }

    fn observe(&mut self, finding: &Finding<'_>) {
        let page = kept(finding.page.traits);
        self.inner
            .observe(&Finding { page: Queued { traits: &page.inner, ..finding.page }, ..*finding });
        self.is_lit.clear();
        if !finding.judgement.is_relevant() {
            let blocks = finding.document.blocks.iter();
            self.is_lit = blocks.map(|block| self.is_block_relevant(block)).collect();
        }
    }

    fn observe_miss(&mut self, link: &Queued<'_>) {
        let kept = kept(link.traits);
        self.inner.observe_miss(&Queued { traits: &kept.inner, ..*link });
    }

    fn revalue(&mut self, link: &Queued<'_>) -> Option<Valued> {
        let kept = kept(link.traits);
        let valued = self.inner.revalue(&Queued { traits: &kept.inner, ..*link })?;
        Some(wrapped(kept.level, valued))
    }

    fn glance(&mut self, link: Fingerprint, host: HostId) -> Option<Worth> {
        self.inner.glance(link, host)
    }

    fn gives_way(&self, link: Worth, other: Worth) -> bool {
        self.inner.gives_way(link, other)
    }

    fn risen(&mut self) -> Vec<Risen> {
        self.inner.risen()
    }

    fn state(&self) -> Option<Vec<u8>> {
        self.inner.state()
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        self.inner.restore(state)
    }
}

#[cfg(test)]
mod tests {
    use gannet_model::Settings;

    use super::*;
    use crate::fixture::{Bench, Page, page};
    use crate::orders::{ORDERS, build_order};

    fn around(name: &str) -> Bench {
        let interest = Interest::new([("gannet", 1.0)]);
        let inner = build_order(name, &interest, &Settings::none()).unwrap();
        let order = Tunnelling::new(inner, &interest, TunnellingConfig::default());
        Bench { order: Box::new(order) }
    }

    fn step(score: f32) -> Page {
        page("http://a.example/", score, "sea").link("http://b.example/", "x")
    }

    #[test]
    fn a_path_ends_three_steps_beyond_relevance_and_a_find_starts_it_anew() {
        let mut bench = around("breadth-first");
        let mut valued = bench.seed("http://a.example/");
        for _ in 0..3 {
            valued = bench.show(&step(0.1).valued(&valued)).remove(0).unwrap();
        }
        assert_eq!(bench.show(&step(0.1).valued(&valued)), [None]);
        valued = bench.show(&step(0.9).valued(&valued)).remove(0).unwrap();
        assert!(bench.show(&step(0.1).valued(&valued))[0].is_some());
    }

    #[test]
    fn a_block_on_the_topic_lights_up_an_irrelevant_page() {
        let mut bench = around("breadth-first");
        let mut valued = bench.seed("http://a.example/");
        for _ in 0..3 {
            valued = bench.show(&step(0.1).valued(&valued)).remove(0).unwrap();
        }
        let mixed = page("http://a.example/", 0.1, "sea")
            .link("http://b.example/", "x")
            .heading(2, "gannet")
            .link("http://c.example/", "x");
        let links = bench.show(&mixed.valued(&valued));
        assert!(links[0].is_none() && links[1].is_some());
    }

    #[test]
    fn of_several_ways_the_lowest_level_counts() {
        let mut bench = around("breadth-first");
        let seed = bench.seed("http://a.example/");
        let deep = bench.show(&step(0.1).valued(&seed)).remove(0).unwrap();
        let deeper = bench.show(&step(0.1).valued(&deep)).remove(0).unwrap();
        let lit = step(0.9);
        bench.show(&lit);
        let both = bench.value(&lit, &lit.document.links[0], &deeper.traits).unwrap();
        assert_eq!((kept(&deeper.traits).level, kept(&both.traits).level), (2, 0));
    }

    #[test]
    fn every_order_is_the_same_within_its_limits() {
        for entry in ORDERS {
            let (mut bare, mut wrapped) = (Bench::new(entry.name, "gannet"), around(entry.name));
            let (seed, wrapped_seed) =
                (bare.seed("http://a.example/"), wrapped.seed("http://a.example/"));
            let page =
                |valued: &Valued| step(0.9).link("http://c.example/", "gannet").valued(valued);
            let (expected, found) =
                (bare.worths(&page(&seed)), wrapped.worths(&page(&wrapped_seed)));
            assert_eq!(found, expected, "{}", entry.name);
        }
    }
}
