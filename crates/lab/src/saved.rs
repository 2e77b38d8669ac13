//! How much does it save to ask whether pages changed, and what is missed? On recorded histories.
//!
//! The experiment of the paper (S3.8): a hundred pages, looked at every day for a month. [`Trace`]
//! is what really happened to a site; a month of it is served to the crawl's own heart, which
//! crawls the pages once and then checks them every day. [`measure`] sets what the crawl recorded
//! beside what happened.
//!
//! Bytes are those of the answers, heads and bodies, without content coding; requests are the same
//! for all. Nobody's bandwidth is saved by looking less often here: that is for revisit policies.

mod measure;
mod report;
mod site;
mod stretch;
mod trace;

pub use measure::{BySignificance, Measured, SavedError, measure};
pub use report::Report;
pub use stretch::{Plan, Stretch};
pub use trace::{Trace, TraceError};

#[cfg(test)]
mod tests;
