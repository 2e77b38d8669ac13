//! The second phase: a topic as written becomes the topic that models judge by.

use gannet_relevance::{
    Kinship, Pattern, Relative, Topic, TopicError, TopicParts, Wanted, WordOrder,
};

use super::written::{Aim, WrittenRelative, WrittenTopic};
use crate::config::{Mistake, Words, suggest_help};

/// A mistake and the key it is in.
pub(super) struct Misplaced {
    pub(super) key: String,
    pub(super) message: String,
    pub(super) help: Option<String>,
}

impl Misplaced {
    fn new(key: impl Into<String>, message: impl ToString) -> Misplaced {
        Misplaced { key: key.into(), message: message.to_string(), help: None }
    }

    fn help(self, help: impl Into<String>) -> Misplaced {
        Misplaced { help: Some(help.into()), ..self }
    }

    /// The mistake itself, once the place of the key is known.
    pub(super) fn at(self, place: impl FnOnce(&str, &str) -> Mistake) -> Mistake {
        let mistake = place(&self.key, &self.message);
        match self.help {
            Some(help) => mistake.help(help),
            None => mistake,
        }
    }
}

/// Makes the topic; `learned` are keywords from the examples, for a topic that has no others.
pub(super) fn topic(
    written: &WrittenTopic,
    learned: Vec<(String, f32)>,
) -> Result<Topic, Misplaced> {
    let mut keywords = written.words.phrases().map_err(|error| misplaced(written, &error))?;
    let own: Vec<String> = keywords.iter().filter_map(|(word, _)| normal(word)).collect();
    let from_file =
        written.learned.keywords.iter().map(|(word, weight)| (word.clone(), *weight as f32));
    let is_new = |(word, _): &(String, f32)| normal(word).is_none_or(|word| !own.contains(&word));
    keywords.extend(from_file.chain(learned).filter(is_new));
    let parts = TopicParts {
        keywords,
        synonyms: written.synonyms.clone().into_iter().collect(),
        patterns: written
            .pattern
            .iter()
            .map(|pattern| Pattern { regex: pattern.regex.clone(), weight: pattern.weight as f32 })
            .collect(),
        word_orders: written
            .word_order
            .iter()
            .map(|order| WordOrder {
                first: order.first.clone(),
                then: order.then.clone(),
                within: order.within,
                weight: order.weight as f32,
            })
            .collect(),
        relatives: relatives(written)?,
        wanted: wanted(written.aim),
    };
    Topic::new(parts).map_err(|error| misplaced(written, &error))
}

/// A word as topics compare it; `None` for what is no word.
pub(crate) fn normal(word: &str) -> Option<String> {
    let topic = Topic::weighted([(word.to_owned(), 1.0)]).ok()?;
    topic.keywords().first().map(|keyword| keyword.text.clone())
}

fn relatives(written: &WrittenTopic) -> Result<Vec<Relative>, Misplaced> {
    let subtopics = written.subtopic.iter().map(|relative| (Kinship::Subtopic, relative));
    let neighbours = written.neighbour.iter().map(|relative| (Kinship::Neighbour, relative));
    let mut relatives = Vec::new();
    for (kinship, relative) in subtopics.chain(neighbours) {
        let key = relative_key(written, relative);
        if relative.words.is_empty() && relative.examples.is_empty() {
            let message =
                format!("{:?} has neither words nor examples to know it by", relative.name);
            return Err(Misplaced::new(key, message)
                .help("write `words = [\"…\"]` or `examples = [\"…\"]`"));
        }
        let words = relative
            .words
            .phrases()
            .map_err(|error| Misplaced::new(format!("{key}.words"), error))?;
        let keywords = words.into_iter().map(|(word, _)| word).collect();
        relatives.push(Relative { name: relative.name.clone(), kinship, keywords });
    }
    Ok(relatives)
}

/// The key of a relative, found by where it stands in memory: names may be given twice.
fn relative_key(written: &WrittenTopic, relative: &WrittenRelative) -> String {
    let place =
        |list: &[WrittenRelative]| list.iter().position(|known| std::ptr::eq(known, relative));
    match (place(&written.subtopic), place(&written.neighbour)) {
        (Some(index), _) => format!("subtopic[{index}]"),
        (None, Some(index)) => format!("neighbour[{index}]"),
        (None, None) => "subtopic".to_owned(),
    }
}

fn wanted(aim: Aim) -> Wanted {
    match aim {
        Aim::Balance => Wanted::Balance,
        Aim::Precision(share) => Wanted::Precision(share as f32),
        Aim::Recall(share) => Wanted::Recall(share as f32),
        Aim::Score(score) => Wanted::Score(score as f32),
    }
}

/// What the topic's own words are about: the key, and what would be right.
fn misplaced(written: &WrittenTopic, error: &TopicError) -> Misplaced {
    let wrong = |key: String| Misplaced::new(key, error);
    match error {
        TopicError::Empty | TopicError::AllZero => wrong("words".to_owned()),
        TopicError::NoWord(text) => wrong(key_of_text(written, text))
            .help("write letters or digits; signs alone are what `[[pattern]]` is for"),
        TopicError::BadWeight { text, .. } => {
            wrong(key_of_text(written, text)).help("write a number such as 2 or 0.5")
        }
        TopicError::StraySynonym(keyword) => {
            let known = written.words.phrases().unwrap_or_default();
            let known: Vec<&str> = known.iter().map(|(word, _)| word.as_str()).collect();
            let help = format!("{}, or add it to `words`", suggest_help(keyword, &known));
            wrong(format!("synonyms.{keyword}")).help(help)
        }
        TopicError::BadPattern { regex, .. } => {
            let index = written.pattern.iter().position(|pattern| pattern.regex == *regex);
            wrong(format!("pattern[{}].regex", index.unwrap_or(0)))
        }
        TopicError::BadRelative(name) => {
            let mut all = written.subtopic.iter().chain(&written.neighbour);
            // Of two alike the second is the one too many.
            let last = all.rfind(|relative| relative.name == *name);
            let key = last.map_or("subtopic".to_owned(), |last| relative_key(written, last));
            wrong(format!("{key}.name"))
        }
        TopicError::BadAim { .. } => wrong("aim".to_owned())
            .help("write `aim = { precision = 0.9 }`, or `aim = \"balance\"`"),
        _ => wrong("words".to_owned()),
    }
}

/// The key in which a word, phrase or expression is written, in the order in which they are checked.
fn key_of_text(written: &WrittenTopic, text: &str) -> String {
    let is_it = |word: &String| word == text;
    match &written.words {
        Words::List(words) => {
            if let Some(index) = words.iter().position(is_it) {
                return format!("words[{index}]");
            }
        }
        Words::Weights(weights) if weights.iter().any(|(word, _)| word == text) => {
            return format!("words.{text}");
        }
        Words::Weights(_) | Words::Text(_) => {}
    }
    if written.learned.keywords.contains_key(text) {
        return format!("learned.keywords.{text}");
    }
    if let Some((keyword, _)) = written.synonyms.iter().find(|(_, words)| words.iter().any(is_it)) {
        return format!("synonyms.{keyword}");
    }
    if let Some(index) = written.pattern.iter().position(|pattern| pattern.regex == *text) {
        return format!("pattern[{index}].weight");
    }
    for (index, order) in written.word_order.iter().enumerate() {
        match text {
            text if text == order.first => return format!("word_order[{index}].first"),
            text if text == order.then => return format!("word_order[{index}].then"),
            _ => {}
        }
    }
    "words".to_owned()
}
