//! A link is worth as much as the page it stands on resembles the topic's words (S2.10, S5.9).
//!
//! `worth(u) = max over known parents p of cos(q, p)`, on plain word counts: a
//! queued link moves up when a better parent links to it, which makes the
//! maximum. What the relevance model thinks of the page is not asked;
//! `soft-focus` does that.
//!
//! **Choose it when** a baseline is wanted that everybody knows. **Cost:** one count of the page's
//! words. **Weakness:** every link of a page is worth the same, navigation and footer included.

use gannet_model::{Reason, Reasons, Worth};

use crate::interest::Interest;
use crate::order::{Entry, Finding, LinkSight, Order, Valued};
use crate::page;

pub(crate) const ENTRY: Entry = Entry {
    name: "best-first",
    summary: "links of pages that resemble the topic's words most come first (naive best-first)",
    build: |interest, settings| {
        settings.read::<Config>()?;
        Ok(Box::new(BestFirst { interest: interest.clone(), similarity: 0.0 }))
    },
};

/// `[order.best-first]` takes no settings.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {}

struct BestFirst {
    interest: Interest,
    /// Of the page that was just read.
    similarity: f32,
}

impl Order for BestFirst {
    fn observe(&mut self, finding: &Finding<'_>) {
        self.similarity = self.interest.similarity(page::texts(finding.document));
    }

    fn value(&mut self, _sight: &LinkSight<'_>) -> Option<Valued> {
        let reason = Reason::new("parent's likeness to the topic", self.similarity);
        Some(Valued::new(Worth::new(self.similarity), Reasons::one(reason)))
    }
}
