//! First found, first fetched: the baseline every focused order must beat.
//!
//! **Choose it when** everything in scope is wanted anyway. **Cost:** none.

use gannet_model::{Reason, Reasons, Worth};

use crate::order::{Entry, LinkSight, Order, Valued};

pub(crate) const ENTRY: Entry = Entry {
    name: "breadth-first",
    summary: "first found, first fetched: links nearer to a seed come first, relevance is ignored",
    build: |_, settings| {
        settings.read::<Config>()?;
        Ok(Box::new(BreadthFirst))
    },
};

/// `[order.breadth-first]` takes no settings.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {}

struct BreadthFirst;

impl Order for BreadthFirst {
    /// Depth alone decides; among links of one depth the frontier keeps the order of discovery.
    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let depth = sight.target.depth;
        let worth = 1.0 / (1.0 + depth as f32);
        let reason = Reason::new("depth", worth).note(format!("{depth} links from a seed"));
        Some(Valued::new(Worth::new(worth), Reasons::one(reason)))
    }
}
