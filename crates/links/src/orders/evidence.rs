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
//! pages link there; and a logistic regression over all of it that learns with
//! every page (`regression`).
//!
//! Everything starts sensibly with nothing learned, and is updated with every
//! page. What a link looked like is kept with it (`way`), so it is weighed anew
//! when its turn comes; links beside the one that was just judged, and a few
//! others in turn, are weighed at once (`waiting`).
//!
//! **Choose it when** nothing speaks against it. **Cost:** 0.1 to 0.5 ms a page, 17 MB, 200 bytes
//! of disk for each link. **Weakness:** what it learns in one crawl it does not carry to another.

mod learned;
mod page;
mod regression;
mod terms;
mod waiting;
mod way;
mod yields;

use gannet_model::{Fingerprint, HostId, Reason, Reasons, SettingsError, Worth};
use serde::Deserialize;

use crate::interest::Interest;
use crate::order::{Entry, Finding, LinkSight, Order, Queued, Risen, Valued};
use learned::Learned;
use page::PageView;
use waiting::{Held, Waiting};
use way::{Traits, Way};
use yields::{Outcome, Place};

const NAME: &str = "evidence";

pub(crate) const ENTRY: Entry = Entry {
    name: NAME,
    summary: "one sum of learned evidence for each link: yields, words, likeness",
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
        Config { blocks: true, yields: true, learning: true, hubs: 0.4, neighbours: 16, others: 8 }
    }
}

/// More than this for each page would be all that the crawl does.
const MOST_WEIGHED: usize = 10_000;

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        gannet_model::limits::share("hubs", self.hubs)?;
        for (name, number) in [("neighbours", self.neighbours), ("others", self.others)] {
            let right = format!("how many links to weigh anew, up to {MOST_WEIGHED}");
            gannet_model::limits::refuse_unless(number <= MOST_WEIGHED, name, number, &right)?;
        }
        Ok(())
    }
}

/// Parts told of a link that waits, the heaviest: millions may wait. When its turn comes, all are.
const REASONS_WAITING: usize = 3;
/// Parts that weigh less are not told.
const LEAST_REASON: f32 = 0.01;
/// A link is told to have risen when its log-odds rose by more than this.
const WORTH_TELLING: f32 = 0.05;

/// A link whose odds are this share of another's is as good: a fifth is less than odds are known by,
/// and a third fewer links are put back than with none.
const AS_GOOD: f32 = 0.8;

struct Evidence {
    config: Config,
    interest: Interest,
    learned: Learned,
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
    brought: Brought,
}

/// What came of it.
enum Brought {
    /// A relevant page.
    Itself,
    /// Another page, whose links are worth this much as far as they were not fetched yet.
    Links(Vec<f32>),
    /// A page that says what another has said.
    Copy,
    /// No page.
    Nothing,
}

impl Brought {
    /// What that is, 0 to 1: of a page that is not relevant, a share of what the best of its links
    /// promise. So a page that only leads to relevant ones is worth going to as well (after Rennie
    /// and McCallum, 1999).
    fn gain(&mut self, share: f32) -> f32 {
        match self {
            Brought::Itself => 1.0,
            Brought::Copy | Brought::Nothing => 0.0,
            Brought::Links(worths) => {
                worths.sort_by(|a, b| b.total_cmp(a));
                worths.truncate(BEST_PROSPECTS);
                share * worths.iter().sum::<f32>() / BEST_PROSPECTS as f32
            }
        }
    }
}

/// How many of a page's links make it a hub: fewer good ones are found by other ways, too.
const BEST_PROSPECTS: usize = 10;

impl Evidence {
    fn new(interest: &Interest, config: Config) -> Evidence {
        Evidence {
            learned: Learned::new(interest, config.clone()),
            config,
            interest: interest.clone(),
            page: PageView::default(),
            waiting: Waiting::default(),
            last: None,
            risen: Vec::new(),
        }
    }

    /// The way that a link on the page just observed opens.
    fn way(&mut self, sight: &LinkSight<'_>) -> Way {
        let is_relevant = sight.judgement.is_relevant();
        let words = self.page.words_of(sight.document, sight.link, &self.interest);
        Way {
            parent: sight.page.fingerprint.0,
            alike: yields::alike(sight.page.host, sight.target.host, sight.link.trail),
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

    /// All that is to say of a link with these traits, of which it is told that much; it is
    /// remembered.
    fn valued(&mut self, link: &Queued<'_>, known: Known, reasons_told: usize) -> Valued {
        let Known { place, traits } = known;
        let (log_odds, parts) = self.learned.explained(&place, &traits);
        let mut reasons: Vec<Reason> = parts
            .into_iter()
            .filter(|(_, value)| value.abs() >= LEAST_REASON)
            .map(|(name, value)| Reason::new(name, value))
            .collect();
        reasons.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        reasons.truncate(reasons_told);
        let valued = Valued {
            traits: traits.to_bytes(),
            ..Valued::new(worth(log_odds), reasons.into_iter().collect())
        };
        self.waiting.note(link.fingerprint, Held { host: link.host, place, traits, log_odds });
        valued
    }

    /// What is known of a link that waits: what memory holds is newer than what the store does.
    fn known(&mut self, link: &Queued<'_>) -> Option<Known> {
        if let Some(held) = self.waiting.get_mut(link.fingerprint) {
            let place = std::mem::take(&mut held.place);
            return Some(Known { place, traits: std::mem::take(&mut held.traits) });
        }
        let traits = Traits::from_bytes(link.traits)?;
        Some(Known { place: self.place(link), traits })
    }

    fn place(&self, link: &Queued<'_>) -> Place {
        Place::new(link.url, link.host, &self.interest)
    }

    /// A link that many pages lead to was found on one more that is not relevant: it is counted, and
    /// no way that is known gives place to it.
    fn found_once_more(&mut self, sight: &LinkSight<'_>) -> Option<Worth> {
        let held = self.waiting.get_mut(sight.target.fingerprint)?;
        if sight.judgement.is_relevant() || !held.traits.is_full() {
            return None;
        }
        held.traits.count_parent(false);
        Some(worth(held.log_odds))
    }

    /// Another way to a link that memory holds was found: what it is worth now, if it is held.
    fn found_again(&mut self, link: Fingerprint, way: Way) -> Option<Worth> {
        let held = self.waiting.get_mut(link)?;
        held.traits.add(way);
        // The ways found before are weighed again when its turn comes.
        let newest = held.traits.ways.last()?;
        let by_it = self.learned.log_odds_by(&held.place, &held.traits, newest);
        held.log_odds = held.log_odds.max(by_it);
        Some(worth(held.log_odds))
    }

    /// Learns what a link that was followed brought.
    fn learn(&mut self, followed: Followed) {
        let Followed { fingerprint, place, traits, mut brought } = followed;
        let gain = brought.gain(self.config.hubs);
        let outcome = Outcome { gain, is_copy: matches!(brought, Brought::Copy) };
        self.learned.learn(&place, &traits.ways, outcome);
        self.weigh_beside(fingerprint, &traits.ways);
        self.weigh_in_turn();
    }

    /// Learns from the page that was observed last, now that its links were valued.
    fn learn_last(&mut self) {
        if let Some(last) = self.last.take() {
            self.learn(last);
        }
    }

    fn followed(&mut self, link: &Queued<'_>, brought: Brought) -> Followed {
        let held = self.waiting.forget(link.fingerprint);
        Followed {
            fingerprint: link.fingerprint,
            place: held.map_or_else(|| self.place(link), |held| held.place),
            traits: Traits::from_bytes(link.traits).unwrap_or_default(),
            brought,
        }
    }

    /// Weighs the links beside the one just judged, each by the way they have in common.
    fn weigh_beside(&mut self, judged: Fingerprint, ways: &[Way]) {
        let mut room = self.config.neighbours;
        for way in ways {
            let beside = self.waiting.beside(judged, way.parent, room);
            room -= beside.len();
            for link in beside {
                let Some(held) = self.waiting.get_mut(link) else { continue };
                let shared = held.traits.ways.iter().find(|other| other.parent == way.parent);
                if let Some(shared) = shared {
                    let odds = self.learned.log_odds_by(&held.place, &held.traits, shared);
                    self.risen.extend(held.rise_to(odds).then(|| held.risen(link)));
                }
            }
        }
    }

    /// Weighs a few of all links that wait.
    fn weigh_in_turn(&mut self) {
        for link in self.waiting.in_turn(self.config.others) {
            let Some(held) = self.waiting.get_mut(link) else { continue };
            let odds = self.learned.log_odds(&held.place, &held.traits);
            self.risen.extend(held.rise_to(odds).then(|| held.risen(link)));
        }
    }
}

/// What is known of a link.
struct Known {
    place: Place,
    traits: Traits,
}

impl Held {
    /// Takes in what it was weighed at; true when it rose so far that its place must change. Where
    /// it fell, it is found out when its turn comes.
    fn rise_to(&mut self, log_odds: f32) -> bool {
        let has_risen = log_odds > self.log_odds + WORTH_TELLING;
        if has_risen {
            self.log_odds = log_odds;
        }
        has_risen
    }

    fn risen(&self, link: Fingerprint) -> Risen {
        Risen { fingerprint: link, host: self.host, worth: worth(self.log_odds) }
    }
}

impl Order for Evidence {
    fn observe(&mut self, finding: &Finding<'_>) {
        self.learn_last();
        let is_relevant = finding.judgement.is_relevant();
        let brought = match (finding.is_copy, is_relevant) {
            (true, _) => Brought::Copy,
            (false, true) => Brought::Itself,
            (false, false) => Brought::Links(Vec::new()),
        };
        let followed = self.followed(&finding.page, brought);
        self.page.read(finding.document, &self.interest);
        self.last = Some(followed);
        if !finding.is_copy {
            self.learned.learn_words(self.page.words(), is_relevant);
        }
    }

    fn observe_miss(&mut self, link: &Queued<'_>) {
        let followed = self.followed(link, Brought::Nothing);
        self.learn(followed);
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let link = sight.target.fingerprint;
        let is_held = self.waiting.get(link).is_some();
        if is_held && sight.is_again {
            // It was told of this way when it was first asked.
            let known = self.known(&sight.target)?;
            return Some(self.valued(&sight.target, known, REASONS_WAITING));
        }
        self.waiting.stands_on(sight.page.fingerprint.0, link);
        let valued = if let Some(worth) = self.found_once_more(sight) {
            Valued::new(worth, Reasons::none())
        } else if is_held {
            let way = self.way(sight);
            Valued::new(self.found_again(link, way)?, Reasons::none())
        } else {
            let way = self.way(sight);
            let place = self.place(&sight.target);
            let mut traits = Traits::from_bytes(sight.target.traits).unwrap_or_default();
            traits.add(way);
            let known = Known { place, traits };
            // What only the store knows must be put together with this way.
            let is_news = sight.judgement.is_relevant();
            Valued { is_news, ..self.valued(&sight.target, known, REASONS_WAITING) }
        };
        if !sight.is_again
            && let Some(Followed { brought: Brought::Links(worths), .. }) = &mut self.last
        {
            worths.push(valued.worth.get());
        }
        Some(valued)
    }

    fn revalue(&mut self, link: &Queued<'_>) -> Option<Valued> {
        let known = self.known(link)?;
        Some(self.valued(link, known, usize::MAX))
    }

    fn glance(&mut self, link: Fingerprint, _host: HostId) -> Option<Worth> {
        let held = self.waiting.get_mut(link)?;
        held.log_odds = self.learned.log_odds(&held.place, &held.traits);
        Some(worth(held.log_odds))
    }

    fn gives_way(&self, link: Worth, other: Worth) -> bool {
        let odds = |worth: Worth| worth.get() / (1.0 - worth.get()).max(f32::EPSILON);
        odds(link) < odds(other) * AS_GOOD
    }

    fn risen(&mut self) -> Vec<Risen> {
        self.learn_last();
        std::mem::take(&mut self.risen)
    }

    fn state(&self) -> Option<Vec<u8>> {
        self.learned.to_bytes()
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        self.learned.restore(state)
    }
}

fn worth(log_odds: f32) -> Worth {
    Worth::new(probability(log_odds))
}

fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests;
