//! What was learned so far, and what it makes of a link: the sum of evidence, part by part.

use serde::{Deserialize, Serialize};

use super::Config;
use super::regression::{self, Regression};
use super::terms::{self, Terms};
use super::way::{Traits, Way};
use super::yields::{Outcome, Place, Yields};
use crate::interest::Interest;

/// The parts of the sum, in log-odds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Bias,
    Directory,
    Alike,
    Siblings,
    ParentRelevance,
    RelevantParents,
    OtherParents,
    AnchorWords,
    AddressWords,
    ContextWords,
    HeadingWords,
    PageLikeness,
    BlockLikeness,
    AnchorLikeness,
    AddressLikeness,
    Learned,
    Crowd,
    Copies,
}

/// Every part, in their order, with its name and what it is multiplied with.
///
/// Found by replaying crawls of WebKB, Wikispeedia and the testbed's webs, one weight at a time; a
/// weight half or twice as large costs about a hundredth of nAUC. Figures on these webs flatter.
const PARTS: [(Part, &str, f32); 18] = [
    (Part::Bias, "to begin with", -0.5),
    (Part::Directory, "yield of its directory", 0.2),
    (Part::Alike, "yield of links set alike", 0.1),
    (Part::Siblings, "yield of the page's other links", 0.1),
    (Part::ParentRelevance, "parent relevance", 0.2),
    (Part::RelevantParents, "relevant pages linking there", 0.3),
    (Part::OtherParents, "other pages linking there", -0.05),
    (Part::AnchorWords, "words of the link", 0.6),
    (Part::AddressWords, "words of the address", 0.45),
    (Part::ContextWords, "words around the link", 0.1),
    (Part::HeadingWords, "words of the heading", 0.05),
    (Part::PageLikeness, "page's likeness to the topic", 2.5),
    (Part::BlockLikeness, "block's likeness to the topic", 0.5),
    (Part::AnchorLikeness, "link's likeness to the topic", 2.6),
    (Part::AddressLikeness, "address's likeness to the topic", 1.0),
    (Part::Learned, "learned", 1.0),
    (Part::Crowd, "many links on the page", -0.1),
    (Part::Copies, "copies in its directory", 4.0),
];

/// Parts by name, with what each adds to the sum.
pub(super) type Parts = [(&'static str, f32); PARTS.len()];

pub(super) struct Learned {
    config: Config,
    yields: Yields,
    terms: Terms,
    regression: Regression,
}

/// What all ways to a link have in common.
#[derive(Clone, Copy)]
struct Shared {
    /// What its directory brought so far.
    directory: f32,
    /// What the regression makes of its address.
    learned: f32,
}

impl Learned {
    pub(super) fn new(interest: &Interest, config: Config) -> Learned {
        Learned {
            config,
            yields: Yields::default(),
            terms: Terms::new(interest),
            regression: Regression::new(),
        }
    }

    /// The log-odds of a link: those of the best way to it.
    pub(super) fn log_odds(&self, place: &Place, traits: &Traits) -> f32 {
        self.best(place, traits, &traits.ways).map_or(0.0, |(_, sum)| sum)
    }

    /// The log-odds of a link by one of the ways to it.
    pub(super) fn log_odds_by(&self, place: &Place, traits: &Traits, way: &Way) -> f32 {
        self.best(place, traits, std::slice::from_ref(way)).map_or(0.0, |(_, sum)| sum)
    }

    /// The same with the parts that it is the sum of.
    pub(super) fn explained(&self, place: &Place, traits: &Traits) -> (f32, Parts) {
        let mut parts = PARTS.map(|(_, name, _)| (name, 0.0));
        let Some((way, log_odds)) = self.best(place, traits, &traits.ways) else {
            return (0.0, parts);
        };
        let mut tell = |part: Part, value: f32| parts[part as usize].1 = value;
        let shared = self.of_link(place, traits, &mut tell);
        self.of_way(way, shared, &mut tell);
        (log_odds, parts)
    }

    fn best<'a>(&self, place: &Place, traits: &Traits, ways: &'a [Way]) -> Option<(&'a Way, f32)> {
        let mut of_link = 0.0;
        let shared = self.of_link(place, traits, &mut |_, value| of_link += value);
        let weighed = ways.iter().map(|way| {
            let mut sum = of_link;
            self.of_way(way, shared, &mut |_, value| sum += value);
            (way, sum)
        });
        weighed.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Tells the parts that are the same by every way.
    #[inline]
    fn of_link(&self, place: &Place, traits: &Traits, tell: &mut impl FnMut(Part, f32)) -> Shared {
        let mut tell = |part: Part, value: f32| tell(part, PARTS[part as usize].2 * value);
        tell(Part::Bias, 1.0);
        let directory = self.yields.directory(place);
        if self.config.yields {
            tell(Part::Directory, logit(directory));
            // The chance that it says anything new, in logarithms.
            tell(Part::Copies, (1.0 - self.yields.copies(place)).ln());
        }
        tell(Part::RelevantParents, f32::from(traits.relevant_parents).ln_1p());
        tell(Part::OtherParents, f32::from(traits.other_parents).ln_1p());
        tell(Part::AddressLikeness, place.likeness.sqrt());
        let mut learned = 0.0;
        if self.config.learning {
            tell(Part::AddressWords, self.terms.evidence(&place.words));
            learned = self.regression.sum(place.features(&self.config));
        }
        Shared { directory, learned }
    }

    /// Tells the parts that one way adds.
    #[inline]
    fn of_way(&self, way: &Way, shared: Shared, tell: &mut impl FnMut(Part, f32)) {
        let mut tell = |part: Part, value: f32| tell(part, PARTS[part as usize].2 * value);
        tell(Part::ParentRelevance, way.parent_score);
        tell(Part::PageLikeness, way.page_likeness.sqrt());
        tell(Part::AnchorLikeness, way.anchor_likeness.sqrt());
        tell(Part::Crowd, f32::from(way.crowd).ln_1p() / 3.0);
        if self.config.yields {
            tell(Part::Alike, logit(self.yields.alike(way.alike, shared.directory)));
            tell(Part::Siblings, logit(self.yields.siblings(way.parent, shared.directory)));
        }
        if self.config.blocks {
            tell(Part::BlockLikeness, way.block_likeness.sqrt());
        }
        if self.config.learning {
            tell(Part::AnchorWords, self.terms.evidence(&way.anchor));
            tell(Part::ContextWords, self.terms.evidence(&way.context));
            if self.config.blocks {
                tell(Part::HeadingWords, self.terms.evidence(&way.heading));
            }
            let learned = shared.learned + self.regression.sum(way.features(&self.config));
            tell(Part::Learned, regression::trusted(learned));
        }
    }

    /// Takes in the different words of a page.
    pub(super) fn learn_words(&mut self, words: impl Iterator<Item = u32>, is_relevant: bool) {
        if self.config.learning {
            self.terms.learn(words, is_relevant);
        }
    }

    /// Takes in what became of a link that was followed.
    pub(super) fn learn(&mut self, place: &Place, ways: &[Way], outcome: Outcome) {
        if self.config.learning {
            let weight = 1.0 / (ways.len().max(1) as f32).sqrt();
            for way in ways {
                self.regression.learn(
                    place.features(&self.config).chain(way.features(&self.config)),
                    outcome.gain,
                    weight,
                );
            }
        }
        self.yields.learn(place, ways, outcome);
    }

    pub(super) fn to_bytes(&self) -> Option<Vec<u8>> {
        let kept = Kept {
            yields: self.yields.clone(),
            terms: self.terms.to_kept(),
            regression: self.regression.to_kept(),
        };
        postcard::to_extend(&kept, vec![FORMAT]).ok()
    }

    pub(super) fn restore(&mut self, bytes: &[u8]) -> bool {
        let Some((&FORMAT, body)) = bytes.split_first() else { return false };
        let Ok(kept) = postcard::from_bytes::<Kept>(body) else { return false };
        self.yields = kept.yields;
        self.terms.restore(kept.terms);
        self.regression.restore(kept.regression);
        true
    }
}

/// The format of [`Kept`].
const FORMAT: u8 = 2;

/// What is kept with the crawl.
#[derive(Serialize, Deserialize)]
struct Kept {
    yields: Yields,
    terms: terms::Kept,
    regression: regression::Kept,
}

/// Log-odds of a share, which is never taken as quite nothing or all.
fn logit(share: f32) -> f32 {
    let share = share.clamp(0.001, 0.999);
    (share / (1.0 - share)).ln()
}
