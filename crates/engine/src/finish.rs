//! Why a crawl ended.

use std::fmt;

use gannet_model::Timestamp;

/// Why a crawl ended. Its [`name`](FinishReason::name) is stable: scripts read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FinishReason {
    /// Nothing is left to fetch.
    Exhausted,
    /// The page limit was reached.
    PageLimit,
    /// The byte limit was reached.
    ByteLimit,
    /// The time limit was reached.
    TimeLimit,
    /// Everything left must wait longer than the crawl is willing to.
    Idle {
        /// The next thing that could be done.
        until: Timestamp,
    },
    /// No page could be fetched at all.
    NothingFetched,
    /// All pages that were to be looked at again were.
    Checked,
    /// The user stopped it.
    Interrupted,
}

impl FinishReason {
    /// The name in summaries and in the store.
    pub fn name(self) -> &'static str {
        match self {
            FinishReason::Exhausted => "exhausted",
            FinishReason::PageLimit => "page-limit",
            FinishReason::ByteLimit => "byte-limit",
            FinishReason::TimeLimit => "time-limit",
            FinishReason::Idle { .. } => "idle",
            FinishReason::NothingFetched => "nothing-fetched",
            FinishReason::Checked => "checked",
            FinishReason::Interrupted => "interrupted",
        }
    }
}

impl fmt::Display for FinishReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FinishReason::Exhausted => f.write_str("nothing is left to fetch"),
            FinishReason::PageLimit => f.write_str("the page limit was reached"),
            FinishReason::ByteLimit => {
                f.write_str("the byte limit was reached, or too little is left for the next page")
            }
            FinishReason::TimeLimit => f.write_str("the time limit was reached"),
            FinishReason::Idle { until } => {
                write!(f, "everything left must wait, the first of it until {until}")
            }
            FinishReason::NothingFetched => f.write_str("no page could be fetched"),
            FinishReason::Checked => f.write_str("all pages were looked at"),
            FinishReason::Interrupted => f.write_str("it was interrupted"),
        }
    }
}
