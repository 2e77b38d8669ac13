//! The default: every passage of text by its hash, in its place; what never stays is no news.
//!
//! See [`compare`]. On two versions alone nothing is known of how the page
//! behaves, so this is what it says at first sight; in a crawl it learns with every visit.
//!
//! **Choose it when** nothing speaks against it. **Cost:** one pass over the text, 14 bytes a
//! passage. **Weakness:** at first sight it takes a changing offer or date for an edit.

use crate::churn::Churn;
use crate::comparison::compare;
use crate::detector::{Detector, Entry, Verdict};
use crate::look::Look;
use crate::memory::Memory;
use crate::version::Version;

pub(crate) const ENTRY: Entry = Entry {
    name: super::DEFAULT_DETECTOR,
    summary: "the text passage by passage, without places that change at almost every visit",
    build: || Box::new(Passages),
};

struct Passages;

impl Detector for Passages {
    fn compare(&self, old: &Version<'_>, new: &Version<'_>) -> Verdict {
        let memory = Memory::first(&Look::at(old), 1);
        let change = compare(&memory, &Look::at(new), &mut Churn::default(), 2).change;
        let channels: Vec<String> = change
            .channels
            .named()
            .iter()
            .filter(|(_, kind)| *kind != Default::default())
            .map(|(name, kind)| format!("{name} {}", kind.name()))
            .collect();
        let because = match channels.as_slice() {
            [] => change.significance.name().to_owned(),
            channels => format!("{}: {}", change.significance.name(), channels.join(", ")),
        };
        Verdict { is_change: change.significance.is_change(), because }
    }
}
