//! How much of a topic does each ordering find, and how soon? Measured on one web for all.
//!
//! [`Ground::load`] takes a web with the truth about it: synthetic, recorded,
//! or a tree of files. [`measure`] crawls it with every ordering, from the same
//! seeds, by the engine's own code on a virtual clock, and asks the truth what
//! each crawl was worth. The [oracle](Contestant) shows what could be had.
//! Same web, same protocol, same figures (but for the time they took).

mod contestant;
mod figures;
mod graph;
mod ground;
mod judge;
mod oracle;
mod plots;
mod protocol;
mod report;
mod results;
mod seeds;
mod tour;
mod webs;

pub use contestant::{Contestant, ContestantError, ORACLE};
pub use figures::{Fetched, Figures, Point, Trace};
pub use ground::{Ground, GroundTopic};
pub use protocol::{HarvestError, JudgeKind, Protocol, Step, Watch, measure};
pub use report::Report;
pub use results::{LeftOut, Mean, Measured, Run, Spread};
pub use seeds::SeedKind;
pub use tour::DeadLinks;
pub use webs::{SubjectIndexes, WebError, WebKind, WebKindError, WebOptions};

#[cfg(test)]
mod tests;
