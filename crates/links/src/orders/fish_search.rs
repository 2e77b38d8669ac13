//! A school of fish: finds of food breed many, hunger kills (De Bra and Post, 1994).
//!
//! A link carries the depth it may still go without food. A relevant page gives
//! its links the full depth `D`, and its first `⌊1.5·W⌋` links go to the front
//! (worth 1); an irrelevant page gives its own depth less one, and its first `W`
//! links go to the middle (0.5). All other links, and those of a page whose depth
//! is used up, go to the end: they are followed when nothing else is left.
//! Of several ways to a link the best place and the greatest depth count.
//!
//! **Choose it when** the relevance model is good and nothing should be learned of links.
//! **Cost:** O(1) for a link. **Weakness:** which links of a page come first is chance, mostly
//! menus. The original puts new finds before older ones; here, equals go in order of discovery.

use std::collections::HashMap;

use gannet_model::{Fingerprint, Reason, Reasons, SettingsError, Worth};
use serde::{Deserialize, Serialize};

use crate::order::{Entry, Finding, LinkSight, Order, Queued, Valued};
use crate::traits::{pack, unpack};
use gannet_model::limits;

pub(crate) const ENTRY: Entry = Entry {
    name: "fish-search",
    summary: "relevant pages send many of their links ahead, others few, for so many steps",
    build: |_, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(FishSearch { config, children: HashMap::new() }))
    },
};

/// `[order.fish-search]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// How many links an irrelevant page sends ahead (W).
    width: u32,
    /// How many times as many a relevant page does.
    offspring: f32,
    /// How many steps beyond the last relevant page links are sent ahead (D).
    depth: u8,
}

impl Default for Config {
    fn default() -> Config {
        Config { width: 10, offspring: 1.5, depth: 3 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::at_least_one("width", self.width)?;
        limits::not_negative("offspring", self.offspring)
    }
}

/// The front, the middle and the end of the list.
const FRONT: f32 = 1.0;
const MIDDLE: f32 = 0.5;
const END: f32 = 1.0 / 1024.0;

struct FishSearch {
    config: Config,
    /// The links of the page that was just read, numbered in document order.
    children: HashMap<Fingerprint, u32>,
}

/// What is kept with a link.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Fish {
    place: f32,
    /// Steps it may still go without food.
    depth: u8,
}

impl FishSearch {
    fn place(&self, sight: &LinkSight<'_>, depth: u8) -> (f32, &'static str) {
        let child = self.children.get(&sight.link.url.fingerprint()).copied().unwrap_or(u32::MAX);
        let is_relevant = sight.judgement.is_relevant();
        let many = (self.config.offspring * self.config.width as f32) as u32;
        match (is_relevant, depth) {
            (false, 0) => (END, "no food for too long"),
            (true, _) if child < many => (FRONT, "among the first links of a relevant page"),
            (false, _) if child < self.config.width => {
                (MIDDLE, "among the first links of an irrelevant page")
            }
            _ => (END, "not among the first links of its page"),
        }
    }
}

impl Order for FishSearch {
    fn value_seed(&mut self, _seed: &Queued<'_>) -> Valued {
        let fish = Fish { place: FRONT, depth: self.config.depth };
        let reason = Reason::new("seed", FRONT);
        Valued { traits: pack(&fish), ..Valued::new(Worth::new(FRONT), Reasons::one(reason)) }
    }

    fn observe(&mut self, finding: &Finding<'_>) {
        self.children.clear();
        for link in &finding.document.links {
            let next = self.children.len() as u32;
            self.children.entry(link.url.fingerprint()).or_insert(next);
        }
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let page: Option<Fish> = unpack(sight.page.traits);
        let page_depth = page.map_or(self.config.depth, |fish| fish.depth);
        let (mut place, note) = self.place(sight, page_depth);
        let is_relevant = sight.judgement.is_relevant();
        let mut depth = if is_relevant { self.config.depth } else { page_depth.saturating_sub(1) };
        if let Some(before) = unpack::<Fish>(sight.target.traits) {
            place = place.max(before.place);
            depth = depth.max(before.depth);
        }
        let reason = Reason::new("place", place).note(format!("{note}; {depth} steps to go"));
        Some(Valued {
            traits: pack(&Fish { place, depth }),
            is_news: is_relevant,
            ..Valued::new(Worth::new(place), Reasons::one(reason))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Bench, Page, page};

    /// A page with six links.
    fn parent(score: f32) -> Page {
        let parent = page("http://a.example/", score, "");
        (0..6).fold(parent, |page, number| page.link(&format!("http://b.example/{number}"), "x"))
    }

    fn bench() -> Bench {
        Bench::with("fish-search", "gannet", "width = 2")
    }

    #[test]
    fn relevant_pages_send_one_and_a_half_times_as_many_links_to_the_front() {
        let relevant = bench().worths(&parent(0.9));
        assert_eq!(relevant, [FRONT, FRONT, FRONT, END, END, END]);
        let irrelevant = bench().worths(&parent(0.1));
        assert_eq!(irrelevant, [MIDDLE, MIDDLE, END, END, END, END]);
    }

    #[test]
    fn three_steps_without_food_and_the_fish_is_dead() {
        let mut bench = bench();
        let mut valued = bench.seed("http://a.example/");
        for expected in [MIDDLE, MIDDLE, MIDDLE, END, END] {
            valued = bench.show(&parent(0.1).valued(&valued)).remove(0).unwrap();
            assert_eq!(valued.worth.get(), expected);
        }
        valued = bench.show(&parent(0.9).valued(&valued)).remove(0).unwrap();
        assert_eq!(valued.worth.get(), FRONT, "food gives all its strength back");
        let child = bench.show(&parent(0.1).valued(&valued)).remove(0).unwrap();
        assert_eq!(child.worth.get(), MIDDLE);
    }

    #[test]
    fn of_several_ways_the_best_place_and_the_greatest_depth_count() {
        let mut bench = bench();
        let good = bench.show(&parent(0.9)).remove(0).unwrap();
        let poor = parent(0.1);
        bench.show(&poor);
        let again = bench.value(&poor, &poor.document.links[5], &good.traits).unwrap();
        assert_eq!((again.worth, &again.traits), (good.worth, &good.traits));
    }

    #[test]
    fn a_school_without_fish_is_refused() {
        assert!(Bench::refusal("fish-search", "width = 0").contains("`width` is 0; write"));
        assert!(Bench::refusal("fish-search", "offspring = -1.0").contains("`offspring`"));
    }
}
