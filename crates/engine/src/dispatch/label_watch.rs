//! What people say while a crawl runs: from the file to the heart.
//!
//! The file is looked at a few times a second, by its length. The pages of new
//! labels are read back from the archive a few at each look, for reading them
//! is the driver's time, which fetches wait for; they are handed on together,
//! for each teaching costs as much again.

use std::collections::VecDeque;

use gannet_store::StoreError;

use crate::crawl::Crawl;
use crate::evidence::Evidence;
use crate::labelled::{Labelled, PageFinder};
use crate::labels::{Following, Label};

/// Labels whose pages are read at one look: some 30 ms.
const AT_ONE_LOOK: usize = 32;
/// Labels handed on together while more are waiting.
const TOGETHER: usize = 512;

/// Watches the file of labels.
pub(crate) struct LabelWatch {
    following: Following,
    evidence: Evidence,
    /// Redirects in a row that are followed from a label to its page.
    redirects: u8,
    /// Labels whose pages are to be read.
    waiting: VecDeque<Label>,
    /// Labels that are to be handed on, with their pages.
    ready: Vec<Labelled>,
    /// The last look failed, and that was told.
    is_blind: bool,
}

impl LabelWatch {
    pub(crate) fn new(following: Following, evidence: Evidence, redirects: u8) -> LabelWatch {
        LabelWatch {
            following,
            evidence,
            redirects,
            waiting: VecDeque::new(),
            ready: Vec::new(),
            is_blind: false,
        }
    }

    /// What is new, with the pages as far as they are at hand.
    pub(super) fn look(&mut self, crawl: &Crawl) -> Result<Vec<Labelled>, StoreError> {
        match self.following.news() {
            Ok((labels, problems)) => {
                self.is_blind = false;
                self.waiting.extend(labels);
                for problem in problems {
                    tracing::warn!(line = problem.line, what = problem.what, "no label");
                }
            }
            // The crawl matters more than what is said of it; the file may come back.
            Err(error) if !self.is_blind => {
                self.is_blind = true;
                tracing::warn!(path = %self.following.path().display(), %error, "no labels");
            }
            Err(_) => {}
        }
        let journey = crawl.journey();
        let finder = PageFinder {
            store: crawl.store(),
            journey: &journey,
            evidence: &self.evidence,
            redirects: self.redirects,
        };
        let count = self.waiting.len().min(AT_ONE_LOOK);
        for label in self.waiting.drain(..count) {
            let (url, said) = (finder.page_of(&label)?, label.said());
            if crawl.said(url) != Some(&said) {
                self.ready.push(Labelled { url, said, page: finder.read(url)? });
            }
        }
        let is_time = self.waiting.is_empty() || self.ready.len() >= TOGETHER;
        Ok(if is_time { std::mem::take(&mut self.ready) } else { Vec::new() })
    }
}
