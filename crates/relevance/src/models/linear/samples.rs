//! What the linear model remembers of its lessons: a bounded, fair sample of pages as features.
//!
//! It does not depend on the order of lessons: of too many pages of a kind,
//! those with the smallest mixed fingerprints stay. A page taught again
//! replaces what was known of it, so a label wins over none.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::features::{self, Feature};
use super::keywords::{Keywords, Sighting};
use crate::fingerprint;
use crate::{Kinship, Lesson, Teaching, Topic};

/// Labelled pages of each kind that are remembered; people do not label more.
const MOST_LABELLED: usize = 2000;
/// Unlabelled pages that are remembered: enough to tell rare words from common ones and to see how
/// scores spread, few enough to be stored with every version of the model.
const MOST_UNLABELLED: usize = 1500;
/// Features remembered of a page, the heaviest ones.
const MOST_FEATURES: usize = 1000;

/// Pages that were taught.
#[derive(Clone, Debug, Default)]
pub(super) struct Samples {
    /// By mixed fingerprint of their text.
    pages: BTreeMap<u64, Arc<Sample>>,
}

/// A page that was taught.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Sample {
    /// What is known of it.
    pub(super) known: Known,
    /// Its features with what each counts, by number.
    pub(super) features: Vec<(Feature, f32)>,
    /// The topic's keywords on it.
    pub(super) keywords: Sighting,
}

/// What is known of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Known {
    /// A person says it is relevant.
    Relevant,
    /// A person says it is not.
    Irrelevant,
    /// It was met in the crawl.
    Nothing,
}

impl Samples {
    /// With these lessons too.
    pub(super) fn with(
        &self,
        lessons: &[Lesson<'_>],
        topic: &Topic,
        keywords: &Keywords,
    ) -> Samples {
        let mut samples = self.clone();
        for lesson in lessons {
            // A page without words teaches nothing.
            let Some(print) = fingerprint::of_text(&lesson.page) else { continue };
            let known = known(lesson.teaches, topic);
            let place = mixed(print.get());
            let has_label = samples.pages.get(&place).is_some_and(|s| s.known != Known::Nothing);
            if known == Known::Nothing && has_label {
                continue;
            }
            samples.pages.insert(place, Arc::new(sample(lesson, known, keywords)));
        }
        for (kind, most) in [
            (Known::Relevant, MOST_LABELLED),
            (Known::Irrelevant, MOST_LABELLED),
            (Known::Nothing, MOST_UNLABELLED),
        ] {
            samples.keep(kind, most);
        }
        samples
    }

    /// The pages, in an order that depends on nothing but them.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &Sample)> {
        self.pages.iter().map(|(place, sample)| (*place, sample.as_ref()))
    }

    /// How many of a kind there are.
    pub(super) fn count(&self, kind: Known) -> usize {
        self.pages.values().filter(|sample| sample.known == kind).count()
    }

    /// Forgets all but `most` of a kind.
    fn keep(&mut self, kind: Known, most: usize) {
        let of_kind = self.pages.iter().filter(|(_, sample)| sample.known == kind);
        let surplus: Vec<u64> = of_kind.skip(most).map(|(place, _)| *place).collect();
        for place in surplus {
            self.pages.remove(&place);
        }
    }

    /// For keeping.
    pub(super) fn to_kept(&self) -> Vec<(u64, Sample)> {
        self.pages.iter().map(|(place, sample)| (*place, sample.as_ref().clone())).collect()
    }

    /// As kept.
    pub(super) fn from_kept(kept: Vec<(u64, Sample)>) -> Samples {
        Samples { pages: kept.into_iter().map(|(place, s)| (place, Arc::new(s))).collect() }
    }
}

fn known(teaches: Teaching<'_>, topic: &Topic) -> Known {
    match teaches {
        Teaching::Relevant => Known::Relevant,
        Teaching::Irrelevant => Known::Irrelevant,
        Teaching::Nothing => Known::Nothing,
        Teaching::Relative(name) => {
            match topic.relatives().iter().find(|relative| relative.name == name) {
                Some(relative) if relative.kinship == Kinship::Subtopic => Known::Relevant,
                Some(_) => Known::Irrelevant,
                None => Known::Nothing,
            }
        }
    }
}

fn sample(lesson: &Lesson<'_>, known: Known, keywords: &Keywords) -> Sample {
    let read = features::read(&lesson.page, keywords);
    let mut seen = read.keywords;
    keywords.match_patterns(&lesson.page, &mut seen);
    seen.found.sort_by_key(|(number, _)| *number);
    let mut features = read.found;
    if features.len() > MOST_FEATURES {
        features.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        features.truncate(MOST_FEATURES);
    }
    features.sort_by_key(|(feature, _)| *feature);
    Sample { known, features, keywords: seen }
}

/// Fingerprints in an order that has nothing to do with what they stand for.
fn mixed(fingerprint: u64) -> u64 {
    (fingerprint ^ (fingerprint >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::{Block, Document};

    fn page(text: &str) -> Document {
        let block = Block { text: text.to_owned(), ..Block::default() };
        Document { blocks: vec![block], ..Document::default() }
    }

    #[test]
    fn a_label_wins_over_none_and_the_last_over_the_first() {
        let topic = Topic::from_words("gannet").unwrap();
        let keywords = Keywords::new(&topic);
        let page = page("a gannet");
        let taught = |teachings: &[Teaching<'_>]| {
            let lessons: Vec<_> =
                teachings.iter().map(|teaches| Lesson::new(&page, *teaches)).collect();
            let samples = Samples::default().with(&lessons, &topic, &keywords);
            samples.iter().map(|(_, sample)| sample.known).collect::<Vec<_>>()
        };
        assert_eq!(taught(&[Teaching::Relevant, Teaching::Nothing]), [Known::Relevant]);
        assert_eq!(taught(&[Teaching::Nothing, Teaching::Irrelevant]), [Known::Irrelevant]);
        assert_eq!(taught(&[Teaching::Relevant, Teaching::Irrelevant]), [Known::Irrelevant]);
    }

    #[test]
    fn what_is_remembered_is_bounded_and_does_not_depend_on_the_order() {
        let topic = Topic::from_words("gannet").unwrap();
        let keywords = Keywords::new(&topic);
        let pages: Vec<_> =
            (0..MOST_UNLABELLED + 200).map(|number| page(&format!("page {number}"))).collect();
        let lessons: Vec<_> =
            pages.iter().map(|page| Lesson::new(page, Teaching::Nothing)).collect();
        let once = Samples::default().with(&lessons, &topic, &keywords);
        let mut twice = Samples::default();
        for part in lessons.chunks(100).rev() {
            twice = twice.with(part, &topic, &keywords);
        }
        assert_eq!(once.count(Known::Nothing), MOST_UNLABELLED);
        assert_eq!(once.to_kept(), twice.to_kept());
    }
}
