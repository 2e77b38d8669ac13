//! How fresh each revisit policy keeps known pages, with how many visits.
//!
//! A [`Source`] gives pages and the times at which they change: made up, or recorded on real
//! sites. A run drives the crawl's own schedule and policy on a virtual clock, one visit every so
//! often, and counts how long copies were stale. Beside the policies stands what could be reached
//! by whoever knew every rate.

mod chance;
mod contestant;
mod follow;
mod measure;
mod oracle;
mod plots;
mod population;
mod report;
mod run;
mod score;
mod signals;
mod source;
mod synthetic;
mod trace;

pub use contestant::{Contestant, ContestantError, ORACLE};
pub use follow::{follow, replay_schedule};
pub use measure::{Measured, Plan, Step, measure};
pub use population::{Known, Population};
pub use report::Report;
pub use run::RunError;
pub use score::Figures;
pub use signals::Signals;
pub use source::{Source, SourceError, SourceKind};

#[cfg(test)]
mod tests;
