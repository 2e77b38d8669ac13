//! The topic's own words in a page: the only evidence before anything was learned.
//!
//! Keywords, their synonyms and simple plurals are looked for while the page's
//! words go by; patterns and word orders, which few topics have, in a pass of
//! their own. What is found is weighed as BM25 does, with the rarity of each
//! keyword among the pages met.

use std::collections::HashMap;

use gannet_model::Spread;
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::features::Place;
use crate::sight::Sight;
use crate::words;
use crate::{Topic, patterns};

/// The words, phrases and patterns of a topic, each with a number.
pub(super) struct Keywords {
    /// What each weighs; 1 on average.
    weights: Vec<f32>,
    /// How each is called.
    names: Vec<String>,
    /// Phrases by the hash of their last word: the words before it, last first, and the number.
    endings: HashMap<u64, Vec<(Vec<u64>, u32)>, Spread>,
    /// A bit for each last word, so that most words of a page are passed over at a glance.
    last_words: [u64; LAST_WORDS_BITS / 64],
    /// Patterns and word orders as expressions, with their numbers.
    patterns: Vec<(Regex, u32)>,
}

/// With fewer last words than a tenth of these, nine words in ten are passed over.
const LAST_WORDS_BITS: usize = 4096;

/// What was seen of the keywords on a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Sighting {
    /// How often each was found, weighed by where.
    pub(super) found: Vec<(u32, f32)>,
    /// How many words of text the page has, as far as they were read.
    pub(super) length: f32,
}

/// A keyword in the title counts as so many in the text; so do the other places.
const IN_TITLE: f32 = 3.0;
const IN_HEADING: f32 = 2.0;
const IN_ADDRESS: f32 = 2.0;
const IN_ANCHOR: f32 = 2.0;
/// BM25's saturation of repeated words, and how much a long text is to blame for them.
const SATURATION: f32 = 1.2;
const LENGTH_SHARE: f32 = 0.75;

impl Keywords {
    pub(super) fn new(topic: &Topic) -> Keywords {
        let mut keywords = Keywords {
            weights: Vec::new(),
            names: Vec::new(),
            endings: HashMap::default(),
            last_words: [0; LAST_WORDS_BITS / 64],
            patterns: Vec::new(),
        };
        let count = topic.keywords().len() as f32;
        for keyword in topic.keywords() {
            let number = keywords.number(&keyword.text, keyword.weight * count);
            for text in std::iter::once(&keyword.text).chain(&keyword.synonyms) {
                keywords.add_phrase(text, number);
                keywords.add_phrase(&plural(text), number);
            }
        }
        for pattern in topic.patterns() {
            // The topic holds only expressions that compile.
            if let Ok(regex) = patterns::compile(&pattern.regex) {
                let number = keywords.number(&format!("/{}/", pattern.regex), pattern.weight);
                keywords.patterns.push((regex, number));
            }
        }
        for order in topic.word_orders() {
            let (first, then) = (expression(&order.first), expression(&order.then));
            let between =
                format!(r"{first}\b(?:\W+\w+){{0,{}}}?\W+{then}\b", order.within.max(1) - 1);
            if let Ok(regex) = patterns::compile(&format!(r"\b{between}")) {
                let name = format!("{} … {}", order.first, order.then);
                let number = keywords.number(&name, order.weight);
                keywords.patterns.push((regex, number));
            }
        }
        keywords
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.weights.len()
    }

    /// What a keyword is called.
    pub(super) fn name(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    /// A look at the words as they go by.
    pub(super) fn follow(&self) -> Follower<'_> {
        Follower { keywords: self, recent: Vec::new() }
    }

    /// Adds what the patterns find, which words going by do not show.
    pub(super) fn match_patterns(&self, page: &Sight<'_>, seen: &mut Sighting) {
        for (regex, number) in &self.patterns {
            let found: usize = page.parts().map(|part| regex.find_iter(part.text).count()).sum();
            if found > 0 {
                seen.add(*number, found as f32);
            }
        }
    }

    /// Share of the page's words that are keywords, and how many different ones there are.
    pub(super) fn density(&self, seen: &Sighting) -> (f32, usize) {
        let found: f32 =
            seen.found.iter().map(|(number, count)| self.weights[*number as usize] * count).sum();
        (found / seen.length.max(SHORTEST), seen.found.len())
    }

    /// What each keyword contributes to [`evidence`](Keywords::evidence).
    pub(super) fn contributions<'a>(
        &'a self,
        seen: &'a Sighting,
        rarity: &'a Rarity,
    ) -> impl Iterator<Item = (u32, f32)> + 'a {
        let long = 1.0 - LENGTH_SHARE + LENGTH_SHARE * seen.length / rarity.length;
        seen.found.iter().map(move |(number, count)| {
            let at = *number as usize;
            let saturated = count * (SATURATION + 1.0) / (count + SATURATION * long);
            (*number, self.weights[at] * rarity.of[at] * saturated)
        })
    }

    /// How strongly the keywords speak for a page, by BM25.
    pub(super) fn evidence(&self, seen: &Sighting, rarity: &Rarity) -> f32 {
        self.contributions(seen, rarity).map(|(_, value)| value).sum()
    }

    /// False for words that are no phrase's last one; true for those that are and a few others.
    #[inline]
    fn may_end(&self, hash: u64) -> bool {
        let (word, bit) = last_word_bit(hash);
        self.last_words[word] & bit != 0
    }

    fn number(&mut self, name: &str, weight: f32) -> u32 {
        self.weights.push(weight);
        self.names.push(name.to_owned());
        self.weights.len() as u32 - 1
    }

    fn add_phrase(&mut self, phrase: &str, number: u32) {
        let mut hashes: Vec<u64> = phrase.split(' ').map(words::number).collect();
        let Some(last) = hashes.pop() else { return };
        hashes.reverse();
        let (word, bit) = last_word_bit(last);
        self.last_words[word] |= bit;
        let ending = self.endings.entry(last).or_default();
        if !ending.iter().any(|(before, known)| *before == hashes && *known == number) {
            ending.push((hashes, number));
        }
    }
}

/// Where a last word's bit is.
#[inline]
fn last_word_bit(hash: u64) -> (usize, u64) {
    let number = (hash >> 32) as usize % LAST_WORDS_BITS;
    (number / 64, 1 << (number % 64))
}

/// A page is taken to have at least so many words: one keyword does not make a short page dense.
const SHORTEST: f32 = 30.0;

/// A page's words as they go by.
pub(super) struct Follower<'k> {
    keywords: &'k Keywords,
    /// The words of this part so far.
    recent: Vec<u64>,
}

impl Follower<'_> {
    /// Takes in a word; tells the one before it in the same part.
    #[inline]
    pub(super) fn word(
        &mut self,
        hash: u64,
        place: Place,
        weight: f32,
        seen: &mut Sighting,
    ) -> Option<u64> {
        if place == Place::Text {
            seen.length += weight;
        }
        if self.keywords.may_end(hash)
            && let Some(phrases) = self.keywords.endings.get(&hash)
        {
            for (before, number) in phrases {
                let stands = self.recent.len() >= before.len()
                    && self.recent.iter().rev().zip(before).all(|(found, wanted)| found == wanted);
                if stands {
                    seen.add(*number, counts_in(place) * weight);
                }
            }
        }
        let before = self.recent.last().copied();
        self.recent.push(hash);
        before
    }

    /// A part ends: no phrase runs over its edge.
    pub(super) fn part_ends(&mut self) {
        self.recent.clear();
    }
}

impl Sighting {
    fn add(&mut self, number: u32, count: f32) {
        match self.found.iter_mut().find(|(known, _)| *known == number) {
            Some((_, so_far)) => *so_far += count,
            None => self.found.push((number, count)),
        }
    }
}

fn counts_in(place: Place) -> f32 {
    match place {
        Place::Text | Place::Pair => 1.0,
        Place::Title => IN_TITLE,
        Place::Heading => IN_HEADING,
        Place::Address => IN_ADDRESS,
        Place::Anchor => IN_ANCHOR,
    }
}

/// The commonest other form of a word in the languages that part words by blanks: one more or one
/// less `s` at the end. Others are for synonyms and for learning.
fn plural(phrase: &str) -> String {
    match phrase.strip_suffix('s') {
        Some(single) if single.len() >= 3 && !single.ends_with('s') => single.to_owned(),
        _ => format!("{phrase}s"),
    }
}

/// A phrase as an expression.
fn expression(phrase: &str) -> String {
    let parts: Vec<String> = phrase.split(' ').map(regex::escape).collect();
    parts.join(r"\W+")
}

/// How rare each keyword is among the pages met, and how long those are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Rarity {
    of: Vec<f32>,
    length: f32,
}

impl Rarity {
    /// Among these pages.
    pub(super) fn among<'s>(
        keywords: &Keywords,
        pages: impl Iterator<Item = &'s Sighting>,
    ) -> Rarity {
        let mut holding = vec![0_u32; keywords.count()];
        let (mut count, mut length) = (0_u32, 0.0);
        for page in pages {
            count += 1;
            length += page.length;
            for (number, _) in &page.found {
                holding[*number as usize] += 1;
            }
        }
        let rarity = |with: &u32| {
            let (with, all) = (*with as f32, count as f32);
            (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
        };
        Rarity {
            of: holding.iter().map(rarity).collect(),
            length: (length / count.max(1) as f32).max(1.0),
        }
    }

    /// True when it is about this many keywords.
    pub(super) fn fits(&self, keywords: &Keywords) -> bool {
        self.of.len() == keywords.count()
    }
}

/// The keyword at each place of a text: where it stands and its number.
pub(super) fn places(keywords: &Keywords, text: &str) -> Vec<(std::ops::Range<usize>, u32)> {
    let mut found = Vec::new();
    let mut follow = keywords.follow();
    let mut starts: Vec<usize> = Vec::new();
    words::each_word_at(text, |place, word| {
        starts.push(place.start);
        let hash = words::number(word);
        for (before, number) in keywords.endings.get(&hash).into_iter().flatten() {
            let stands = follow.recent.len() >= before.len()
                && follow.recent.iter().rev().zip(before).all(|(found, wanted)| found == wanted);
            if stands && starts.len() > before.len() {
                found.push((starts[starts.len() - 1 - before.len()]..place.end, *number));
            }
        }
        follow.word(hash, Place::Text, 1.0, &mut Sighting::default());
    });
    for (regex, number) in &keywords.patterns {
        found.extend(regex.find_iter(text).map(|hit| (hit.range(), *number)));
    }
    found.sort_by_key(|(place, _)| (place.start, place.end));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::linear::features::read;
    use crate::{Pattern, TopicParts, WordOrder};
    use gannet_model::{Block, Document};

    #[track_caller]
    fn check(topic: &Topic, text: &str, expected: &[(&str, f32)]) {
        let keywords = Keywords::new(topic);
        let block = Block { text: text.to_owned(), ..Block::default() };
        let document = Document { blocks: vec![block], ..Document::default() };
        let mut seen = read(&(&document).into(), &keywords).keywords;
        keywords.match_patterns(&(&document).into(), &mut seen);
        let mut found: Vec<(&str, f32)> =
            seen.found.iter().map(|(number, count)| (keywords.name(*number), *count)).collect();
        found.sort_by(|a, b| a.0.cmp(b.0));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn words_phrases_and_plurals_are_found() {
        let topic = Topic::from_words("gannet, plunge diving").unwrap();
        check(
            &topic,
            "Gannets: a gannet, plunge-diving",
            &[("gannet", 2.0), ("plunge diving", 1.0)],
        );
        check(&topic, "plunge deep diving", &[]);
    }

    #[test]
    fn synonyms_patterns_and_word_orders_are_found() {
        let topic = Topic::new(TopicParts {
            keywords: vec![("gannet".to_owned(), 1.0)],
            synonyms: vec![("gannet".to_owned(), vec!["solan goose".to_owned()])],
            patterns: vec![Pattern { regex: r"sul(a|idae)\b".to_owned(), weight: 1.0 }],
            word_orders: vec![WordOrder {
                first: "dive".to_owned(),
                then: "fish".to_owned(),
                within: 2,
                weight: 1.0,
            }],
            ..TopicParts::default()
        });
        let topic = topic.unwrap();
        check(
            &topic,
            "the Solan goose, of the Sulidae",
            &[(r"/sul(a|idae)\b/", 1.0), ("gannet", 1.0)],
        );
        check(&topic, "they dive for fish", &[("dive … fish", 1.0)]);
        check(&topic, "they dive far away for fish", &[]);
        check(&topic, "fish dive", &[]);
    }

    #[test]
    fn rare_keywords_speak_louder() {
        let topic = Topic::from_words("bird, gannet").unwrap();
        let keywords = Keywords::new(&topic);
        let page = |found: &[u32]| Sighting {
            found: found.iter().map(|number| (*number, 1.0)).collect(),
            length: 100.0,
        };
        let pages = [page(&[0]), page(&[0]), page(&[0, 1]), page(&[])];
        let rarity = Rarity::among(&keywords, pages.iter());
        let evidence = |found| keywords.evidence(&page(found), &rarity);
        assert!(evidence(&[1]) > 2.0 * evidence(&[0]));
        assert_eq!(evidence(&[]), 0.0);
    }

    #[test]
    fn keywords_are_shown_where_they_stand() {
        let topic = Topic::from_words("gannet, plunge diving").unwrap();
        let keywords = Keywords::new(&topic);
        let text = "A plunge-diving Gannet";
        let shown: Vec<_> = places(&keywords, text)
            .into_iter()
            .map(|(place, number)| (&text[place], keywords.name(number).to_owned()))
            .collect();
        assert_eq!(
            shown,
            [("plunge-diving", "plunge diving".to_owned()), ("Gannet", "gannet".to_owned())]
        );
    }
}
