//! A judge that knows the truth, and errs as often as it is told to.
//!
//! Orderings that learn from judgements are compared fairly only by a judge
//! that is the same for all. Which pages it gets wrong is fixed by their
//! addresses and a seed.

use std::collections::HashSet;

use gannet_model::{Fingerprint, Judgement, PageUrl, Reason, Reasons, Score};
use gannet_relevance::{Model, Sight};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::ground::{Ground, GroundTopic};

/// Says 1 of pages that are about the topic and 0 of all others, but for a share of them.
pub(super) struct TruthfulJudge {
    relevant: HashSet<Fingerprint>,
    /// The share of pages it gets wrong,
    flip: f64,
    /// and what fixes which.
    seed: u64,
}

impl TruthfulJudge {
    pub(super) fn new(ground: &Ground, topic: &GroundTopic, flip: f64, seed: u64) -> TruthfulJudge {
        let pages = ground.pages.iter().zip(&topic.relevant);
        let relevant = pages.filter(|(_, is_relevant)| **is_relevant);
        let relevant = relevant.map(|(page, _)| page.url.fingerprint()).collect();
        TruthfulJudge { relevant, flip, seed }
    }

    fn errs_on(&self, url: &PageUrl) -> bool {
        // 53 bits are what a number between 0 and 1 can hold.
        let place = xxh3_64_with_seed(url.as_str().as_bytes(), self.seed) >> 11;
        (place as f64) < self.flip * (1_u64 << 53) as f64
    }
}

impl Model for TruthfulJudge {
    fn judge(&self, page: &Sight<'_>) -> Judgement {
        let is_relevant = page
            .url
            .is_some_and(|url| self.relevant.contains(&url.fingerprint()) != self.errs_on(url));
        let score = if is_relevant { Score::ONE } else { Score::ZERO };
        Judgement {
            score,
            threshold: Score::clamped(0.5),
            model: "truth".to_owned(),
            version: self.version(),
            reasons: Reasons::one(Reason::new("label", score.get())),
        }
    }

    fn version(&self) -> u64 {
        1
    }
}
