//! Fish-Search with a finer nose: words of the link and around it, and what its ancestors were
//! worth (Hersovici and others, 1998).
//!
//! ```text
//! inherited(u)     = δ·sim(q, p)  if sim(q, p) > 0, else δ·inherited(p)
//! anchor(u)        = sim(q, anchor text)
//! context(u)       = 1 if anchor(u) > 0, else sim(q, text around the anchor)
//! neighbourhood(u) = β·anchor(u) + (1−β)·context(u)
//! worth(u)         = γ·inherited(u) + (1−γ)·neighbourhood(u)
//! ```
//!
//! with δ = 0.5, β = 0.8, γ = 0.5, and `sim` the cosine. As in Fish-Search a link
//! may go `D` steps beyond the last page that resembles the topic at all; then it
//! goes to the end. Of several ways to a link the best counts.
//!
//! **Choose it when** there are only keywords and links have telling texts. **Cost:** one count of
//! the page's words and of each link's surroundings. **Weakness:** any link that names a word of the
//! topic gets the full context term.

use gannet_model::{Reason, Reasons, SettingsError, Worth};
use serde::{Deserialize, Serialize};

use crate::interest::Interest;
use crate::order::{Entry, Finding, LinkSight, Order, Queued, Valued};
use crate::page;
use crate::traits::{pack, unpack};
use gannet_model::limits;

pub(crate) const ENTRY: Entry = Entry {
    name: "shark-search",
    summary: "likeness of the link's words, its surroundings and its ancestors to the topic",
    build: |interest, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(SharkSearch { interest: interest.clone(), config, similarity: 0.0 }))
    },
};

/// `[order.shark-search]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// What a page hands on of its likeness, and an unlike one of what it inherited (δ).
    decay: f32,
    /// Share of the link's own words against those around it (β).
    anchor: f32,
    /// Share of what is inherited against the link's neighbourhood (γ).
    inherited: f32,
    /// Bytes of text on either side of a link that are its surroundings.
    reach: u32,
    /// How many steps beyond the last page that resembles the topic links are valued (D).
    depth: u8,
}

impl Default for Config {
    fn default() -> Config {
        Config { decay: 0.5, anchor: 0.8, inherited: 0.5, reach: 100, depth: 3 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::share("decay", self.decay)?;
        limits::share("anchor", self.anchor)?;
        limits::share("inherited", self.inherited)
    }
}

/// What the worth of a link that went too deep is divided by.
const EXHAUSTED: f32 = 1024.0;
/// The least a link is worth: nobody knows where it leads.
const LEAST: f32 = 1.0 / 65536.0;

struct SharkSearch {
    interest: Interest,
    config: Config,
    /// Of the page that was just read.
    similarity: f32,
}

/// What is kept with a link.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Shark {
    worth: f32,
    inherited: f32,
    /// Steps it may still go beyond the last page that resembles the topic.
    depth: u8,
}

impl SharkSearch {
    /// The words of the link and around it.
    fn neighbourhood(&self, sight: &LinkSight<'_>) -> (f32, f32) {
        let anchor = self.interest.similarity([sight.link.anchor.as_str()]);
        let context = if anchor > 0.0 {
            1.0
        } else {
            let reach = self.config.reach as usize;
            self.interest.similarity([sight.document.context(sight.link, reach)])
        };
        (self.config.anchor * anchor, (1.0 - self.config.anchor) * context)
    }
}

impl Order for SharkSearch {
    fn value_seed(&mut self, _seed: &Queued<'_>) -> Valued {
        let shark = Shark { worth: 1.0, inherited: 0.0, depth: self.config.depth };
        let reason = Reason::new("seed", 1.0);
        Valued { traits: pack(&shark), ..Valued::new(Worth::new(1.0), Reasons::one(reason)) }
    }

    fn observe(&mut self, finding: &Finding<'_>) {
        self.similarity = self.interest.similarity(page::texts(finding.document));
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let page: Option<Shark> = unpack(sight.page.traits);
        let page_depth = page.map_or(self.config.depth, |page| page.depth);
        let is_like = self.similarity > 0.0;
        let ancestry =
            if is_like { self.similarity } else { page.map_or(0.0, |page| page.inherited) };
        let inherited = self.config.decay * ancestry;
        let (anchor, context) = self.neighbourhood(sight);
        let from_ancestry = self.config.inherited * inherited;
        let rest = 1.0 - self.config.inherited;
        let is_exhausted = !is_like && page_depth == 0;
        let divisor = if is_exhausted { EXHAUSTED } else { 1.0 };
        let worth = ((from_ancestry + rest * (anchor + context)) / divisor).max(LEAST);
        let mut shark = Shark {
            worth,
            inherited,
            depth: if is_like { self.config.depth } else { page_depth.saturating_sub(1) },
        };
        let mut reasons: Reasons = [
            Reason::new("inherited", from_ancestry),
            Reason::new("anchor", rest * anchor),
            Reason::new("context", rest * context),
        ]
        .into_iter()
        .collect();
        if is_exhausted {
            reasons.push(Reason::new("too deep", worth).note("likeness ended too far above"));
        }
        if let Some(before) = unpack::<Shark>(sight.target.traits) {
            if before.worth > worth {
                reasons.push(Reason::new("another way", before.worth));
            }
            shark.worth = worth.max(before.worth);
            shark.inherited = inherited.max(before.inherited);
            shark.depth = shark.depth.max(before.depth);
        }
        Some(Valued {
            traits: pack(&shark),
            is_news: is_like,
            ..Valued::new(Worth::new(shark.worth), reasons)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, near, page};

    #[test]
    fn the_worth_is_the_formula_of_the_paper() {
        let mut bench = Bench::new("shark-search", "gannet");
        // sim = 1, the anchor says it: ½·(½·1) + ½·(0.8·1 + 0.2·1)
        let named = page("http://a.example/", 0.0, "gannet").link("http://b.example/", "gannet");
        near(bench.worths(&named)[0], 0.75);
        // The anchor says nothing; three words, one of them ours: sim = 1/√3 twice.
        let near_by = page("http://a.example/", 0.0, "gannet on").link("http://b.example/", "it");
        let sim = 1.0 / 3.0_f32.sqrt();
        near(bench.worths(&near_by)[0], 0.5 * 0.5 * sim + 0.5 * 0.2 * sim);
    }

    #[test]
    fn an_unlike_page_hands_on_half_of_what_it_inherited() {
        let mut bench = Bench::new("shark-search", "gannet");
        let like = page("http://a.example/", 0.0, "gannet").link("http://b.example/", "x");
        let mut valued = bench.show(&like).remove(0).unwrap();
        let unlike = || page("http://b.example/", 0.0, "sea").link("http://c.example/", "x");
        // The page resembles the topic by 1/√2: it has two words, the link's own among them.
        for inherited in [0.25, 0.125, 0.0625] {
            valued = bench.show(&unlike().valued(&valued)).remove(0).unwrap();
            near(valued.worth.get(), 0.5 * inherited / 2.0_f32.sqrt());
        }
        valued = bench.show(&unlike().valued(&valued)).remove(0).unwrap();
        assert!(valued.worth.get() < 1e-4, "three steps are enough: {}", valued.worth);
    }

    #[test]
    fn of_several_ways_the_best_counts() {
        let mut bench = Bench::new("shark-search", "gannet");
        let like = page("http://a.example/", 0.0, "gannet").link("http://b.example/", "gannet");
        let best = bench.show(&like).remove(0).unwrap();
        let unlike = page("http://c.example/", 0.0, "sea").link("http://b.example/", "x");
        bench.show(&unlike);
        let again = bench.value(&unlike, &unlike.document.links[0], &best.traits).unwrap();
        assert_eq!((again.worth, again.traits), (best.worth, best.traits));
    }

    #[test]
    fn shares_are_between_nothing_and_all() {
        assert!(Bench::refusal("shark-search", "decay = 2.0").contains("from 0 to 1"));
        assert!(Bench::refusal("shark-search", "anchor = -0.5").contains("`anchor`"));
    }
}
