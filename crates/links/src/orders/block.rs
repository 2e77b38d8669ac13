//! A link is worth as much as the heading block it stands in resembles the topic, on all pages that
//! hold it (S5.4 to S5.6; Aastha, 2012, after Peng and others, 2008, and Hati and Kumar, 2010).
//!
//! `worth(u) = μ·R(t, b) + (1−μ)·R(t, u) − ε·level(u)`, where `R(t, b)` is the
//! cosine of topic and block (the best block, when several pages hold the link),
//! `R(t, u)` the mean of the blocks that hold it over all known pages, μ = 0.5.
//!
//! Tunnelling in its corrected form: a link of a relevant page, or in a block
//! above the limit, has level 0; any other one more than its page. Beyond
//! `max_level` it is not followed. Of several ways the lowest level counts.
//!
//! **Choose it when** there are only keywords and pages mix topics under headings. **Cost:** one
//! count of each block's words; a look-up for each further way to a link. **Weakness:** pages
//! without headings are one block, and then this is best-first.

use gannet_model::{Block, Reason, Reasons, SettingsError, Worth};
use serde::{Deserialize, Serialize};

use crate::interest::Interest;
use crate::order::{Entry, Finding, LinkSight, Order, Queued, Valued};
use crate::traits::{pack, unpack};
use gannet_model::limits;

pub(crate) const ENTRY: Entry = Entry {
    name: "block",
    summary: "likeness of the heading blocks that hold a link, averaged over pages, with tunnelling",
    build: |interest, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(BlockOrder { interest: interest.clone(), config, blocks: Vec::new() }))
    },
};

/// `[order.block]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Share of the best block against the mean of all blocks that hold the link (μ).
    mu: f32,
    /// Likeness above which a block is relevant and its links have level 0.
    block_limit: f32,
    /// Steps a link may be beyond the last relevant page or block.
    max_level: u8,
    /// What each of these steps costs (ε).
    level_cost: f32,
}

impl Default for Config {
    /// The paper's; it leaves the block's limit to the user and gives no cost of a level. The limit
    /// is a tenth, which a block reaches that names the topic once among a hundred different words;
    /// the cost only breaks ties.
    fn default() -> Config {
        Config { mu: 0.5, block_limit: 0.1, max_level: 3, level_cost: 0.001 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::share("mu", self.mu)?;
        limits::share("block_limit", self.block_limit)?;
        limits::share("level_cost", self.level_cost)
    }
}

/// The least a link is worth that is followed at all; at higher levels less.
const LEAST: f32 = 1.0 / 65536.0;

struct BlockOrder {
    interest: Interest,
    config: Config,
    /// Likeness of each block of the page that was just read.
    blocks: Vec<f32>,
}

/// What is kept with a link.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Tunnel {
    /// Likeness of the best block that holds the link.
    best: f32,
    /// Sum over the blocks of all pages that do,
    sum: f32,
    /// and how many they are.
    ways: u32,
    /// Steps from the last relevant page or block.
    level: u8,
}

impl Tunnel {
    fn join(self, other: Tunnel) -> Tunnel {
        Tunnel {
            best: self.best.max(other.best),
            sum: self.sum + other.sum,
            ways: self.ways.saturating_add(other.ways),
            level: self.level.min(other.level),
        }
    }
}

impl BlockOrder {
    fn valued(&self, tunnel: Tunnel) -> Valued {
        let mean = tunnel.sum / tunnel.ways.max(1) as f32;
        let block = self.config.mu * tunnel.best;
        let parents = (1.0 - self.config.mu) * mean;
        let cost = self.config.level_cost * f32::from(tunnel.level);
        let least = LEAST / (1.0 + f32::from(tunnel.level));
        let reasons = [
            Reason::new("best block", block),
            Reason::new("mean of blocks", parents).note(format!("{} pages hold it", tunnel.ways)),
            Reason::new("level", -cost).note(format!("{} steps from relevance", tunnel.level)),
        ];
        Valued {
            traits: pack(&tunnel),
            is_news: true,
            ..Valued::new(
                Worth::new((block + parents - cost).max(least)),
                reasons.into_iter().collect(),
            )
        }
    }
}

impl Order for BlockOrder {
    fn value_seed(&mut self, _seed: &Queued<'_>) -> Valued {
        let traits = pack(&Tunnel { best: 1.0, sum: 1.0, ways: 1, level: 0 });
        Valued { traits, ..Valued::new(Worth::new(1.0), Reasons::one(Reason::new("seed", 1.0))) }
    }

    fn observe(&mut self, finding: &Finding<'_>) {
        let likeness = |block: &Block| {
            let heading = block.heading.as_ref().map(|heading| heading.text.as_str());
            self.interest.similarity(heading.into_iter().chain([block.text.as_str()]))
        };
        self.blocks = finding.document.blocks.iter().map(likeness).collect();
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let block = self.blocks.get(sight.link.block).copied().unwrap_or(0.0);
        let page: Option<Tunnel> = unpack(sight.page.traits);
        let page_level = page.map_or(0, |page| page.level);
        let is_lit = sight.judgement.is_relevant() || block > self.config.block_limit;
        let level = if is_lit { 0 } else { page_level.saturating_add(1) };
        if level > self.config.max_level {
            return None;
        }
        let way = Tunnel { best: block, sum: block, ways: 1, level };
        let tunnel = unpack::<Tunnel>(sight.target.traits).map_or(way, |before| before.join(way));
        Some(self.valued(tunnel))
    }

    /// The mean falls when poorer pages are found to hold the link.
    fn revalue(&mut self, link: &Queued<'_>) -> Option<Valued> {
        unpack(link.traits).map(|tunnel| self.valued(tunnel)).filter(|_| link.depth > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Bench, Page, near, page};

    #[test]
    fn a_link_has_the_likeness_of_its_block_not_of_its_page() {
        let page = page("http://a.example/", 0.9, "gannet gannet")
            .heading(2, "gannet")
            .link("http://b.example/1", "here")
            .heading(2, "weather")
            .link("http://b.example/2", "here");
        let worths = Bench::new("block", "gannet").worths(&page);
        near(worths[0], 1.0 / 2.0_f32.sqrt());
        assert_eq!(worths[1], LEAST);
    }

    #[test]
    fn the_score_is_half_the_best_block_and_half_the_mean_over_all_pages() {
        let mut bench = Bench::new("block", "gannet");
        let link = "http://b.example/";
        let good = page("http://a.example/1", 0.9, "").heading(1, "gannet").link(link, "");
        let poor = page("http://a.example/2", 0.9, "").heading(1, "sea").link(link, "");
        let first = bench.show(&good).remove(0).unwrap();
        near(first.worth.get(), 1.0);
        bench.show(&poor);
        let both = bench.value(&poor, &poor.document.links[0], &first.traits).unwrap();
        near(both.worth.get(), 0.5 * 1.0 + 0.5 * 0.5);
        near(bench.revalue(link, &both).unwrap().worth.get(), 0.75);
    }

    /// A page of this relevance that says nothing of the topic, and its link.
    fn dark(score: f32) -> Page {
        page("http://a.example/", score, "sea").link("http://b.example/", "x")
    }

    #[test]
    fn beyond_the_highest_level_nothing_is_followed_and_a_relevant_page_resets_it() {
        let mut bench = Bench::new("block", "gannet");
        let mut valued = bench.seed("http://a.example/");
        let mut worths = Vec::new();
        for _ in 0..3 {
            valued = bench.show(&dark(0.1).valued(&valued)).remove(0).unwrap();
            worths.push(valued.worth);
        }
        assert!(worths.is_sorted_by(|a, b| a > b), "each level is worth less: {worths:?}");
        assert_eq!(bench.show(&dark(0.1).valued(&valued)), [None]);
        let lit = bench.show(&dark(0.9).valued(&valued)).remove(0).unwrap();
        assert!(bench.show(&dark(0.1).valued(&lit))[0].is_some());
    }

    #[test]
    fn of_several_ways_the_lowest_level_counts() {
        let mut bench = Bench::new("block", "gannet");
        let seed = bench.seed("http://a.example/");
        let deep = bench.show(&dark(0.1).valued(&seed)).remove(0).unwrap();
        let lit = dark(0.9);
        bench.show(&lit);
        let both = bench.value(&lit, &lit.document.links[0], &deep.traits).unwrap();
        assert!(both.worth > deep.worth);
    }

    #[test]
    fn what_is_no_share_is_refused() {
        assert!(Bench::refusal("block", "mu = 1.5").contains("`mu` is 1.5; write"));
    }
}
