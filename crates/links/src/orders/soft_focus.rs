//! A link is worth as much as its page is relevant (Chakrabarti, van den Berg and Dom, 1999).
//!
//! `worth(u) = max over known parents p of R(p)`, where `R` is the score of
//! the crawl's relevance model.
//!
//! **Choose it when** the relevance model is trusted and nothing should be learned of links.
//! **Cost:** O(1), stateless. **Weakness:** every link of a page is worth the same.

use gannet_model::{Reason, Reasons, Worth};

use crate::order::{Entry, LinkSight, Order, Valued};

pub(crate) const ENTRY: Entry = Entry {
    name: "soft-focus",
    summary: "links of the most relevant pages come first, by the relevance model (soft focus)",
    build: |_, settings| {
        settings.read::<Config>()?;
        Ok(Box::new(SoftFocus))
    },
};

/// `[order.soft-focus]` takes no settings.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {}

struct SoftFocus;

impl Order for SoftFocus {
    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let worth = sight.judgement.score.get();
        let reason = Reason::new("parent relevance", worth);
        Some(Valued::new(Worth::new(worth), Reasons::one(reason)))
    }
}
