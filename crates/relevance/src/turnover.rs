//! How well each keyword tells relevant pages from others: which to keep, which to drop (S2.5).

use serde::{Deserialize, Serialize};

/// What a keyword has turned out to be worth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Turnover {
    /// The keyword as it was given, `/expression/` or `first … then`.
    pub keyword: String,
    /// Its weight: positive when it speaks for the topic.
    pub weight: f32,
    /// What follows from that.
    pub standing: Standing,
    /// In how many of the pages judged so far it was found.
    pub pages: u64,
    /// True when it does harm and has been seen often enough to say so: it may be dropped and
    /// another word put in its place.
    pub is_droppable: bool,
}

/// What a keyword speaks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// For the topic.
    Relevant,
    /// For nothing: it stands about as often in relevant pages as in others.
    Neutral,
    /// Against the topic.
    Irrelevant,
}

impl std::fmt::Display for Standing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Standing::Relevant => "relevant",
            Standing::Neutral => "neutral",
            Standing::Irrelevant => "irrelevant",
        })
    }
}
