//! A link is worth as much as the page it stands on (S2.10, S5.9).
//!
//! `worth(u) = max over known parents p of R(p)`: the frontier moves a queued
//! link up when a better parent links to it, which makes the maximum.
//!
//! **Choose it when** nothing is known beyond the topic's words. **Cost:** O(1), stateless.
//! **Weakness:** every link of a page is worth the same, navigation and footer included.

use gannet_model::{Reason, Reasons, Worth};

use crate::order::{Entry, LinkSight, Order, Valued};

pub(crate) const ENTRY: Entry = Entry {
    name: "best-first",
    summary: "links of the most relevant pages come first (naive best-first)",
    build: |settings| {
        settings.read::<Config>()?;
        Ok(Box::new(BestFirst))
    },
};

/// `[order.best-first]` takes no settings.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {}

struct BestFirst;

impl Order for BestFirst {
    fn worth(&self, sight: &LinkSight<'_>) -> Valued {
        let worth = sight.judgement.score.get();
        Valued {
            worth: Worth::new(worth),
            reasons: Reasons::one(Reason::new("parent relevance", worth)),
        }
    }
}
