//! A topic as it is written: `[topic]` of `gannet.toml`, or a file of its own.
//!
//! One shape for both. Every field's comment is its reference documentation,
//! as for the rest of the config file; [`build`](super::build) is the second phase.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::Words;

/// The version of the format this program reads.
pub(crate) const FORMAT: u32 = 1;

/// What the collection is about.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Topic")]
pub(crate) struct WrittenTopic {
    /// The version of this format, for a topic file of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = FORMAT)]
    pub(crate) version: Option<u32>,
    /// A topic file, relative to this file, in place of all other keys here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = "seabirds.topic.toml")]
    pub(crate) file: Option<PathBuf>,
    /// Words and phrases of the topic: a list of equal weights such as
    /// `["seabirds", "plunge diving"]`, a table of weights such as
    /// `{ seabirds = 2, "plunge diving" = 1 }`, or text with commas.
    pub(crate) words: Words,
    /// What the threshold between relevant and irrelevant aims at: `"balance"` (the best F1),
    /// `{ precision = 0.9 }` (at least this share of what is called relevant is so),
    /// `{ recall = 0.9 }` (at least this share of the relevant pages is found), or
    /// `{ score = 0.6 }` (this score, whatever comes of it).
    pub(crate) aim: Aim,
    /// Other words for keywords, by keyword: `{ gannet = ["solan goose"] }`.
    /// `gannet topic synonyms` suggests some.
    pub(crate) synonyms: BTreeMap<String, Vec<String>>,
    /// Keywords that are regular expressions.
    pub(crate) pattern: Vec<WrittenPattern>,
    /// Words in a prescribed order.
    pub(crate) word_order: Vec<WrittenOrder>,
    /// Pages that show what is meant and what is not.
    pub(crate) examples: WrittenExamples,
    /// Parts of the topic: their pages are wanted.
    pub(crate) subtopic: Vec<WrittenRelative>,
    /// Topics near by: their pages are not wanted.
    pub(crate) neighbour: Vec<WrittenRelative>,
    /// What `gannet topic learn` found in the examples; written anew each time.
    pub(crate) learned: Learned,
}

/// A keyword that is a regular expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Pattern")]
pub(crate) struct WrittenPattern {
    /// The expression, matched without regard to case: `gannet(s|ry|ries)?`.
    pub(crate) regex: String,
    /// What it counts beside a word of weight 1.
    #[serde(default = "one")]
    pub(crate) weight: f64,
}

/// Words in a prescribed order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "WordOrder")]
pub(crate) struct WrittenOrder {
    /// This word or phrase first,
    pub(crate) first: String,
    /// then this one,
    pub(crate) then: String,
    /// beginning at most this many words after the first ends.
    #[serde(default = "near")]
    pub(crate) within: u32,
    /// What it counts beside a word of weight 1.
    #[serde(default = "one")]
    pub(crate) weight: f64,
}

/// Pages that show what is meant and what is not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "Examples")]
pub(crate) struct WrittenExamples {
    /// Pages about the topic: files of HTML or text, or directories of such, relative to this file.
    pub(crate) yes: Vec<PathBuf>,
    /// Pages that are not, the nearer the better.
    pub(crate) no: Vec<PathBuf>,
}

/// A part or a neighbour of the topic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Relative")]
pub(crate) struct WrittenRelative {
    /// What it is called; `gannet label --relative` refers to it by this.
    pub(crate) name: String,
    /// Words and phrases that are typical of it.
    #[serde(default)]
    pub(crate) words: Words,
    /// Pages about it: files or directories, relative to this file.
    #[serde(default)]
    pub(crate) examples: Vec<PathBuf>,
}

/// What was learned from the examples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Learned {
    /// Keywords with weights, the strongest 1; those that you wrote yourself keep your weight.
    pub(crate) keywords: BTreeMap<String, f64>,
}

/// What the threshold aims at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Aim {
    /// The best F1.
    #[default]
    Balance,
    /// At least this share of what is called relevant is so.
    Precision(f64),
    /// At least this share of the relevant pages is found.
    Recall(f64),
    /// This score, whatever comes of it.
    Score(f64),
}

impl WrittenTopic {
    /// True when nothing in it could tell a page on the topic from another.
    pub(crate) fn is_empty(&self) -> bool {
        self.has_no_keyword() && self.examples.yes.is_empty()
    }

    /// True when there are at most examples to go by.
    pub(crate) fn has_no_keyword(&self) -> bool {
        let is_written = !self.pattern.is_empty() || !self.word_order.is_empty();
        self.words.is_empty() && self.learned.keywords.is_empty() && !is_written
    }

    /// Everything but the name of another file.
    pub(crate) fn is_only_a_file(&self) -> bool {
        let bare = WrittenTopic { file: None, version: None, ..self.clone() };
        bare == WrittenTopic::default()
    }
}

/// What a pattern counts when nothing is said.
fn one() -> f64 {
    1.0
}

/// Within a clause or so.
fn near() -> u32 {
    5
}
