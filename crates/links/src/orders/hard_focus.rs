//! Only relevant pages hand on their links (Chakrabarti, van den Berg and Dom, 1999).
//!
//! `worth(u) = max over known relevant parents p of R(p)`; links of irrelevant
//! pages are not followed at all. Seeds are always fetched.
//!
//! **Choose it when** a small, pure harvest near the seeds is wanted. **Cost:** O(1), stateless.
//! **Weakness:** it stagnates: where no relevant page links to the next one, the crawl ends.

use gannet_model::{Reason, Reasons, Worth};

use crate::order::{Entry, LinkSight, Order, Valued};

pub(crate) const ENTRY: Entry = Entry {
    name: "hard-focus",
    summary: "only links of relevant pages are followed, best page first (hard focus)",
    build: |_, settings| {
        settings.read::<Config>()?;
        Ok(Box::new(HardFocus))
    },
};

/// `[order.hard-focus]` takes no settings.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {}

struct HardFocus;

impl Order for HardFocus {
    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        if !sight.judgement.is_relevant() {
            return None;
        }
        let worth = sight.judgement.score.get();
        let reason = Reason::new("relevant parent", worth);
        Some(Valued::new(Worth::new(worth), Reasons::one(reason)))
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, page};

    #[test]
    fn links_of_irrelevant_pages_are_not_followed() {
        let mut bench = Bench::new("hard-focus", "gannet");
        let mut show = |score| {
            let page = page("http://a.example/", score, "").link("http://b.example/", "x");
            bench.show(&page).remove(0).map(|valued| valued.worth.get())
        };
        assert_eq!(show(0.8), Some(0.8));
        assert_eq!(show(0.4), None);
    }
}
