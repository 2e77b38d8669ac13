//! What is remembered of the crawl's relevance model (every version that
//! judged, and what the newest has learned) and of its ordering.
//!
//! The first two are apart because they differ in size and fate: a [`ModelRecord`]
//! is a few words and is kept for good, so that a judgement's version can
//! always be looked up; a [`LearnedRecord`] may be a megabyte, and only the
//! newest is of use.

use gannet_model::{Fingerprint, Score, Timestamp};
use serde::{Deserialize, Serialize};

use crate::bytes;

/// One version of the model, from the moment it began to judge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelRecord {
    /// The model's registered name.
    pub name: String,
    /// Its version, as judgements name it.
    pub version: u64,
    /// When it began to judge.
    pub made: Timestamp,
    /// What made it, in words: `3 labels, 128 pages`.
    pub because: String,
    /// Everything it was taught, from the beginning.
    pub lessons: LessonCounts,
    /// The score from which it calls a page relevant.
    pub threshold: Score,
}

/// How many pages a model was taught with, by what was known of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LessonCounts {
    /// Said to be about the topic.
    pub relevant: u64,
    /// Said not to be.
    pub irrelevant: u64,
    /// Said to be about a relative of the topic.
    pub relatives: u64,
    /// Pages of the crawl of which nobody said anything.
    pub pages: u64,
}

/// What the newest model has learned, and for what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnedRecord {
    /// Stands for name, topic, settings and examples: with others, nothing of this holds.
    pub key: u64,
    /// The version of the model that has learned it.
    pub version: u64,
    /// Everything it was taught.
    pub lessons: LessonCounts,
    /// Batches of pages it was taught: the next is due later than the last was.
    pub batches: u32,
    /// The labels it was taught. Those of pages that were not fetched yet, and
    /// those held out, are not among them.
    pub labels: Vec<TaughtLabel>,
    /// What it has learned, in its own form.
    #[serde(with = "bytes")]
    pub state: Vec<u8>,
}

/// What an ordering has learned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderRecord {
    /// The ordering's registered name: for another, nothing of this holds.
    pub name: String,
    /// What it has learned, in its own form.
    #[serde(with = "bytes")]
    pub state: Vec<u8>,
}

/// A label that a model was taught.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaughtLabel {
    /// The page.
    pub url: Fingerprint,
    /// What a person said of it.
    pub relevant: bool,
    /// The relative of the topic that they named, if any.
    pub relative: Option<String>,
}
