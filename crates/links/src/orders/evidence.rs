//! The default: one sum of evidence for every link, in log-odds, each part by its name.
//!
//! ```text
//! s(way) = Σ weight · evidence      s(link) = max over the ways to it      worth = 1 / (1 + e^−s)
//! ```
//!
//! Parts: what came of the link's directory, of links set alike on that site and
//! of the page's other links (`yields`); words of link, address, context and
//! heading that relevant pages have (`terms`); likeness of page, block, link and
//! address to the topic's words; how relevant the page is, how many relevant
//! pages link there, how far the last relevant page lies back (tunnelling); and a
//! logistic regression over all of it that learns with every page (`regression`).
//!
//! Everything starts sensibly with nothing learned, and is updated with every
//! page. What a link looked like is kept with it (`way`), so it is weighed anew
//! when its turn comes; links beside the one that was just judged, and a few
//! others in turn, are weighed at once (`waiting`).
//!
//! **Choose it when** nothing speaks against it. **Cost:** 0.2 to 1 ms a page, 17 MB, 200 bytes
//! of disk for each link. **Weakness:** what it learns in one crawl it does not carry to another.

mod page;
mod regression;
mod terms;
mod waiting;
mod way;
mod yields;

use gannet_model::{Fingerprint, PageUrl, Reason, SettingsError, Worth};
use serde::{Deserialize, Serialize};

use crate::interest::Interest;
use crate::order::{Entry, Finding, LinkSight, Order, Queued, Risen, Valued};
use page::PageView;
use regression::Regression;
use terms::Terms;
use waiting::{Held, Waiting};
use way::{Traits, Way};
use yields::{Place, Yields};

const NAME: &str = "evidence";

pub(crate) const ENTRY: Entry = Entry {
    name: NAME,
    summary: "one sum of learned evidence for each link: yields, words, likeness, tunnelling",
    build: |interest, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Evidence::new(interest, config)))
    },
};

/// `[order.evidence]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Let links far from the last relevant page wait, instead of treating all distances alike.
    tunnelling: bool,
    /// Look at the block that a link stands in.
    blocks: bool,
    /// Count what came of directories, of links set alike and of the page's other links.
    yields: bool,
    /// Learn words and the regression from pages.
    learning: bool,
    /// What share of the promise of its links a page brings that is not relevant itself.
    hubs: f32,
    /// Waiting links that are weighed anew after each page: those beside the one just judged,
    neighbours: usize,
    /// and others in turn.
    others: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            tunnelling: true,
            blocks: true,
            yields: true,
            learning: true,
            hubs: 0.5,
            neighbours: 64,
            others: 32,
        }
    }
}

/// More than this for each page would be all that the crawl does.
const MOST_WEIGHED: usize = 10_000;

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        crate::limits::share("hubs", self.hubs)?;
        for (name, number) in [("neighbours", self.neighbours), ("others", self.others)] {
            if number > MOST_WEIGHED {
                return Err(SettingsError::because(format!(
                    "`{name}` is {number}; write how many links to weigh anew after each page, up \
                     to {MOST_WEIGHED}"
                )));
            }
        }
        Ok(())
    }
}

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
    Distance,
    Learned,
    Crowd,
}

/// Every part with its name and what it is multiplied with. Most weights were found by replaying
/// crawls of a university's web; those of words, likeness and distance were changed in sight of
/// WebKB, Wikispeedia and a synthetic web, so figures on these flatter a little.
const PARTS: [(Part, &str, f32); 18] = [
    (Part::Bias, "to begin with", -0.5),
    (Part::Directory, "yield of its directory", 0.35),
    (Part::Alike, "yield of links set alike", 0.2),
    (Part::Siblings, "yield of the page's other links", 0.25),
    (Part::ParentRelevance, "parent relevance", 0.2),
    (Part::RelevantParents, "relevant pages linking there", 0.3),
    (Part::OtherParents, "other pages linking there", -0.05),
    (Part::AnchorWords, "words of the link", 0.4),
    (Part::AddressWords, "words of the address", 0.4),
    (Part::ContextWords, "words around the link", 0.2),
    (Part::HeadingWords, "words of the heading", 0.05),
    (Part::PageLikeness, "page's likeness to the topic", 2.2),
    (Part::BlockLikeness, "block's likeness to the topic", 0.5),
    (Part::AnchorLikeness, "link's likeness to the topic", 2.0),
    (Part::AddressLikeness, "address's likeness to the topic", 1.0),
    (Part::Distance, "steps since the last relevant page", -0.5),
    (Part::Learned, "learned", 0.8),
    (Part::Crowd, "many links on the page", -0.1),
];

/// Parts told of a link that waits, the heaviest: millions may wait. When its turn comes, all are.
const REASONS_WAITING: usize = 3;
/// Parts that weigh less are not told.
const LEAST_REASON: f32 = 0.01;
/// Steps since the last relevant page beyond this count as this many.
const FARTHEST: u8 = 6;
/// A link is told to have risen when its log-odds rose by more than this.
const WORTH_TELLING: f32 = 0.05;

struct Evidence {
    config: Config,
    interest: Interest,
    yields: Yields,
    terms: Terms,
    regression: Regression,
    /// The page that was just observed.
    page: PageView,
    waiting: Waiting,
    /// The page that was observed last, until its links were valued.
    last: Option<Followed>,
    risen: Vec<Risen>,
}

/// A link that was followed.
struct Followed {
    fingerprint: Fingerprint,
    place: Place,
    traits: Traits,
    is_relevant: bool,
    /// What the links of its page are worth that were not fetched yet.
    prospects: Vec<f32>,
}

impl Followed {
    /// What it brought: a relevant page, or a share of what the best of its links promise. So a
    /// page that only leads to relevant ones is worth going to as well (after Rennie and McCallum,
    /// 1999).
    fn gain(&mut self, share: f32) -> f32 {
        self.prospects.sort_by(|a, b| b.total_cmp(a));
        self.prospects.truncate(BEST_PROSPECTS);
        let promised = self.prospects.iter().sum::<f32>() / BEST_PROSPECTS as f32;
        if self.is_relevant { 1.0 } else { share * promised }
    }
}

/// How many of a page's links make it a hub: fewer good ones are found by other ways, too.
const BEST_PROSPECTS: usize = 10;

impl Evidence {
    fn new(interest: &Interest, config: Config) -> Evidence {
        Evidence {
            config,
            terms: Terms::new(interest),
            interest: interest.clone(),
            yields: Yields::default(),
            regression: Regression::new(),
            page: PageView::default(),
            waiting: Waiting::default(),
            last: None,
            risen: Vec::new(),
        }
    }

    /// The way that a link on the page just observed opens.
    fn way(&self, sight: &LinkSight<'_>) -> Way {
        let is_relevant = sight.judgement.is_relevant();
        let steps = if is_relevant { 0 } else { self.page.distance.saturating_add(1) };
        let words = page::words_of(sight.document, sight.link, &self.interest);
        Way {
            parent: sight.page.fingerprint.0,
            alike: yields::alike(sight.page.host, sight.target.host, sight.link.trail),
            distance: steps.min(FARTHEST),
            is_parent_relevant: is_relevant,
            parent_score: sight.judgement.score.get(),
            page_likeness: self.page.likeness,
            block_likeness: self.page.block_likeness(sight.link.block),
            anchor_likeness: words.anchor_likeness,
            crowd: u16::try_from(sight.document.links.len()).unwrap_or(u16::MAX),
            is_same_host: sight.page.host == sight.target.host,
            anchor: words.anchor,
            context: words.context,
            heading: words.heading,
        }
    }

    /// What speaks for and against a link by one way, part by part.
    fn parts(&self, place: &Place, traits: &Traits, way: &Way) -> [f32; PARTS.len()] {
        let yields = |chain: f32| if self.config.yields { chain } else { 0.0 };
        let learned = |value: f32| if self.config.learning { value } else { 0.0 };
        let blocks = |value: f32| if self.config.blocks { value } else { 0.0 };
        let directory = self.yields.directory(place);
        let terms = |words: &[u32]| learned(self.terms.evidence(words));
        PARTS.map(|(part, _, weight)| {
            weight
                * match part {
                    Part::Bias => 1.0,
                    Part::Directory => yields(logit(directory)),
                    Part::Alike => yields(logit(self.yields.alike(way.alike, directory))),
                    Part::Siblings => yields(logit(self.yields.siblings(way.parent, directory))),
                    Part::ParentRelevance => way.parent_score,
                    Part::RelevantParents => f32::from(traits.relevant_parents).ln_1p(),
                    Part::OtherParents => f32::from(traits.other_parents).ln_1p(),
                    Part::AnchorWords => terms(&way.anchor),
                    Part::AddressWords => terms(&place.words),
                    Part::ContextWords => terms(&way.context),
                    Part::HeadingWords => blocks(terms(&way.heading)),
                    Part::PageLikeness => way.page_likeness.sqrt(),
                    Part::BlockLikeness => blocks(way.block_likeness.sqrt()),
                    Part::AnchorLikeness => way.anchor_likeness.sqrt(),
                    Part::AddressLikeness => place.likeness.sqrt(),
                    Part::Distance if self.config.tunnelling => f32::from(way.distance) / 3.0,
                    Part::Distance => 0.0,
                    Part::Learned => learned(self.regression.log_odds(&way.features(place))),
                    Part::Crowd => f32::from(way.crowd).ln_1p() / 3.0,
                }
        })
    }

    /// The best way's log-odds, part by part.
    fn weigh(&self, place: &Place, traits: &Traits) -> ([f32; PARTS.len()], f32) {
        let weighed = traits.ways.iter().map(|way| {
            let parts = self.parts(place, traits, way);
            (parts, parts.iter().sum::<f32>())
        });
        let best = weighed.max_by(|a, b| a.1.total_cmp(&b.1));
        best.unwrap_or(([0.0; PARTS.len()], 0.0))
    }

    /// Weighs a link that waits with these traits, and remembers it.
    fn valued(&mut self, link: &Queued<'_>, traits: Traits, reasons_told: usize) -> Valued {
        let held = self.waiting.get(link.fingerprint).map(|held| held.place.clone());
        let place = held.unwrap_or_else(|| self.place(link.url, link.host));
        let (parts, log_odds) = self.weigh(&place, &traits);
        let mut reasons: Vec<Reason> = PARTS
            .iter()
            .zip(parts)
            .filter(|(_, value)| value.abs() >= LEAST_REASON)
            .map(|((_, name, _), value)| Reason::new(*name, value))
            .collect();
        reasons.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        reasons.truncate(reasons_told);
        let valued = Valued {
            traits: traits.to_bytes(),
            ..Valued::new(Worth::new(probability(log_odds)), reasons.into_iter().collect())
        };
        self.waiting.note(link.fingerprint, Held { host: link.host, place, traits, log_odds });
        valued
    }

    /// What is known of a link that waits: what memory holds is newer than what the store does.
    fn traits_of(&self, link: &Queued<'_>) -> Option<Traits> {
        let held = self.waiting.get(link.fingerprint).map(|held| held.traits.clone());
        held.or_else(|| Traits::from_bytes(link.traits))
    }

    fn place(&self, url: &PageUrl, host: gannet_model::HostId) -> Place {
        Place::new(url, host, &self.interest)
    }

    /// Learns what a link that was followed brought, 0 to 1.
    fn learn(&mut self, followed: &Followed, gain: f32) {
        let Followed { fingerprint, place, traits, .. } = followed;
        if self.config.learning {
            let weight = 1.0 / (traits.ways.len().max(1) as f32).sqrt();
            for way in &traits.ways {
                self.regression.learn(&way.features(place), gain, weight);
            }
        }
        self.yields.learn(place, &traits.ways, gain);
        self.weigh_others(*fingerprint, traits);
    }

    /// Learns from the page that was observed last, now that its links were valued.
    fn learn_last(&mut self) {
        if let Some(mut last) = self.last.take() {
            let gain = last.gain(self.config.hubs);
            self.learn(&last, gain);
        }
    }

    fn followed(&mut self, link: &Queued<'_>, is_relevant: bool) -> Followed {
        self.waiting.forget(link.fingerprint);
        Followed {
            fingerprint: link.fingerprint,
            place: self.place(link.url, link.host),
            traits: Traits::from_bytes(link.traits).unwrap_or_default(),
            is_relevant,
            prospects: Vec::new(),
        }
    }

    /// Weighs links beside the one just judged, and others in turn, and notes those that rose.
    fn weigh_others(&mut self, judged: Fingerprint, traits: &Traits) {
        let mut due = Vec::with_capacity(self.config.neighbours + self.config.others);
        for way in &traits.ways {
            let room = self.config.neighbours.saturating_sub(due.len());
            self.waiting.beside(judged, way.parent, room, &mut due);
        }
        self.waiting.in_turn(self.config.others, &mut due);
        for link in due {
            let Some(held) = self.waiting.get(link) else { continue };
            let (_, log_odds) = self.weigh(&held.place, &held.traits);
            let (host, before) = (held.host, held.log_odds);
            if log_odds > before + WORTH_TELLING {
                let worth = Worth::new(probability(log_odds));
                self.risen.push(Risen { fingerprint: link, host, worth });
            }
            self.waiting.reweighed(link, log_odds);
        }
    }
}

impl Order for Evidence {
    fn observe(&mut self, finding: &Finding<'_>) {
        self.learn_last();
        let is_relevant = finding.judgement.is_relevant();
        self.last = Some(self.followed(&finding.page, is_relevant));
        let traits = Traits::from_bytes(finding.page.traits);
        self.page = PageView::new(finding.document, &self.interest);
        self.page.distance = traits.map_or(0, |traits| traits.distance());
        if self.config.learning {
            self.terms.learn(self.page.words(), is_relevant);
        }
    }

    fn observe_miss(&mut self, link: &Queued<'_>) {
        let followed = self.followed(link, false);
        self.learn(&followed, 0.0);
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let way = self.way(sight);
        let is_held = self.waiting.get(sight.target.fingerprint).is_some();
        let mut traits = self.traits_of(&sight.target).unwrap_or_default();
        // What memory holds was told of this way when it was first asked.
        if !(is_held && sight.is_again) {
            self.waiting.stands_on(way.parent, sight.target.fingerprint);
            traits.add(way);
        }
        let valued = self.valued(&sight.target, traits, REASONS_WAITING);
        if let Some(last) = self.last.as_mut().filter(|_| !sight.is_again) {
            last.prospects.push(valued.worth.get());
        }
        // What only the store knows must be put together with this way.
        Some(Valued { is_news: !is_held && sight.judgement.is_relevant(), ..valued })
    }

    fn revalue(&mut self, link: &Queued<'_>) -> Option<Valued> {
        let traits = self.traits_of(link)?;
        Some(self.valued(link, traits, PARTS.len()))
    }

    fn risen(&mut self) -> Vec<Risen> {
        self.learn_last();
        std::mem::take(&mut self.risen)
    }

    fn state(&self) -> Option<Vec<u8>> {
        let kept = Kept {
            yields: self.yields.clone(),
            terms: self.terms.to_kept(),
            regression: self.regression.to_kept(),
        };
        let body = postcard::to_stdvec(&kept).ok()?;
        Some([&[FORMAT], body.as_slice()].concat())
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let Some((&FORMAT, body)) = state.split_first() else { return false };
        let Ok(kept) = postcard::from_bytes::<Kept>(body) else { return false };
        self.yields = kept.yields;
        self.terms.restore(kept.terms);
        self.regression.restore(kept.regression);
        true
    }
}

/// The format of [`Kept`].
const FORMAT: u8 = 1;

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

fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests;
