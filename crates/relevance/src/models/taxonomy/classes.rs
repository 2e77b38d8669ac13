//! The classes of the taxonomy, which page teaches which, and the choices between them.
//!
//! The world is divided in up to three choices, each among fewer and nearer
//! classes, so that each can look at the words that matter for it:
//!
//! 1. the topic's family, or anything else;
//! 2. within the family: the topic, or one of its neighbours;
//! 3. within the topic: the topic itself, or one of its subtopics.
//!
//! A choice between fewer than two is none.

use std::collections::HashMap;

use crate::experience::{Experience, Label};
use crate::{Keyword, Kinship, Topic, words};

/// What a page can be about.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Class {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Words and phrases with their shares, which sum to 1.
    pub(super) keywords: Vec<(String, f32)>,
}

/// What a class is to the topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Topic,
    Subtopic,
    Neighbour,
    /// Everything else.
    Other,
}

impl Kind {
    /// Whether its pages are wanted.
    pub(super) fn is_good(self) -> bool {
        matches!(self, Kind::Topic | Kind::Subtopic)
    }
}

impl Class {
    /// The words of its keywords, each with its part of the keyword's share.
    pub(super) fn words(&self) -> impl Iterator<Item = (&str, f32)> {
        self.keywords.iter().flat_map(|(text, share)| {
            let words = text.split(' ');
            let part = share / words.clone().count() as f32;
            words.map(move |word| (word, part))
        })
    }
}

/// The topic first, everything else last.
pub(super) fn classes(topic: &Topic) -> Vec<Class> {
    let relatives = topic.relatives().iter().map(|relative| {
        let kind = match relative.kinship {
            Kinship::Subtopic => Kind::Subtopic,
            Kinship::Neighbour => Kind::Neighbour,
        };
        let share = 1.0 / relative.keywords.len().max(1) as f32;
        let keywords = relative.keywords.iter();
        let keywords = keywords.map(|text| (words::normal_form(text), share)).collect();
        Class { name: relative.name.clone(), kind, keywords }
    });
    let ways = |keyword: &Keyword| -> Vec<(String, f32)> {
        let ways = std::iter::once(&keyword.text).chain(&keyword.synonyms);
        let share = keyword.weight / (1 + keyword.synonyms.len()) as f32;
        ways.map(|text| (text.clone(), share)).collect()
    };
    let itself = Class {
        name: "the topic".to_owned(),
        kind: Kind::Topic,
        keywords: topic.keywords().iter().flat_map(ways).collect(),
    };
    let other = Class { name: "anything else".to_owned(), kind: Kind::Other, keywords: Vec::new() };
    std::iter::once(itself).chain(relatives).chain([other]).collect()
}

/// The class that each page of the experience teaches, if any.
///
/// Unlabelled pages teach what else there is only as long as no page is known to be irrelevant:
/// some of them are about the topic.
pub(super) fn teachers(classes: &[Class], experience: &Experience) -> Vec<Option<usize>> {
    let of_name: HashMap<&str, usize> =
        classes.iter().zip(0..).map(|(class, at)| (class.name.as_str(), at)).collect();
    let relatives = 1..classes.len() - 1;
    let other = classes.len() - 1;
    let has_irrelevant = experience.pages().iter().any(|page| page.label == Label::Irrelevant);
    let teaches = |label: &Label| match label {
        Label::Relevant => Some(0),
        Label::Irrelevant => Some(other),
        Label::Relative(name) => {
            of_name.get(name.as_str()).copied().filter(|class| relatives.contains(class))
        }
        Label::Nothing => (!has_irrelevant).then_some(other),
    };
    experience.pages().iter().map(|page| teaches(&page.label)).collect()
}

/// A choice between sets of classes.
pub(super) type Choice = Vec<Vec<usize>>;

/// The choices from the widest to the narrowest. The first set of each is what the next divides.
pub(super) fn choices(classes: &[Class]) -> Vec<Choice> {
    let of_kind = |wanted: &dyn Fn(Kind) -> bool| -> Vec<usize> {
        (0..classes.len()).filter(|class| wanted(classes[*class].kind)).collect()
    };
    let good = of_kind(&Kind::is_good);
    let neighbours = of_kind(&|kind| kind == Kind::Neighbour);
    let apart = |classes: &[usize]| classes.iter().map(|class| vec![*class]).collect::<Vec<_>>();
    let family = [good.clone(), neighbours.clone()].concat();
    let world = vec![family, of_kind(&|kind| kind == Kind::Other)];
    let within_family = [vec![good.clone()], apart(&neighbours)].concat();
    let within_topic = apart(&good);
    let choices = [world, within_family, within_topic].into_iter();
    choices.filter(|choice| choice.len() > 1).collect()
}

/// The probability that a page is about the topic: `R = Σ Pr[c]` over the good classes.
///
/// All good classes are in the first set of every choice that has others, so the sum is a product.
pub(super) fn relevance(classes: &[Class], plan: &[Choice], posteriors: &[Vec<f32>]) -> f32 {
    let telling = plan.iter().zip(posteriors).filter(|(choice, _)| is_telling(classes, choice));
    telling.map(|(_, shares)| shares[0]).product()
}

/// True for a choice that parts good classes from others.
pub(super) fn is_telling(classes: &[Class], choice: &Choice) -> bool {
    choice[1..].iter().flatten().any(|class| !classes[*class].kind.is_good())
}

/// The probability of each class.
pub(super) fn of_classes(classes: &[Class], plan: &[Choice], posteriors: &[Vec<f32>]) -> Vec<f32> {
    let mut shares = vec![1.0; classes.len()];
    for (choice, posteriors) in plan.iter().zip(posteriors) {
        for (set, share) in choice.iter().zip(posteriors) {
            for class in set {
                shares[*class] *= share;
            }
        }
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Relative, TopicParts};

    fn topic(relatives: &[(&str, Kinship)]) -> Topic {
        let relatives = relatives.iter().map(|(name, kinship)| Relative {
            name: (*name).to_owned(),
            kinship: *kinship,
            keywords: vec![format!("{name} Bird")],
        });
        let keywords = vec![("gannet".to_owned(), 1.0)];
        Topic::new(TopicParts { keywords, relatives: relatives.collect(), ..TopicParts::default() })
            .unwrap()
    }

    #[track_caller]
    fn check(relatives: &[(&str, Kinship)], expected: &[&[&[usize]]]) {
        let plan = choices(&classes(&topic(relatives)));
        assert_eq!(plan, expected);
    }

    #[test]
    fn choices_narrow_from_the_world_to_the_topic() {
        let (part, near) = (("a", Kinship::Subtopic), ("b", Kinship::Neighbour));
        check(&[], &[&[&[0], &[1]]]);
        check(&[part], &[&[&[0, 1], &[2]], &[&[0], &[1]]]);
        check(&[near], &[&[&[0, 1], &[2]], &[&[0], &[1]]]);
        check(&[near, part], &[&[&[0, 2, 1], &[3]], &[&[0, 2], &[1]], &[&[0], &[2]]]);
    }

    #[test]
    fn the_sum_over_good_classes_is_the_product_of_their_choices() {
        let classes = classes(&topic(&[("b", Kinship::Neighbour), ("a", Kinship::Subtopic)]));
        let plan = choices(&classes);
        let posteriors = [vec![0.8, 0.2], vec![0.75, 0.25], vec![0.5, 0.5]];
        let shares = of_classes(&classes, &plan, &posteriors);
        assert_eq!(shares, [0.3, 0.2, 0.3, 0.2].map(|share: f32| share));
        assert_eq!(relevance(&classes, &plan, &posteriors), 0.8 * 0.75);
    }

    #[test]
    fn keywords_share_what_their_class_says() {
        let classes = classes(&topic(&[("Booby", Kinship::Subtopic)]));
        let words: Vec<_> = classes[1].words().collect();
        assert_eq!(words, [("booby", 0.5), ("bird", 0.5)]);
        assert_eq!(classes[2].words().count(), 0);
    }
}
