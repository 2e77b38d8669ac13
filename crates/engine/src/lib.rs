//! Composes the stations of a page's journey into a crawl.
//!
//! [`Journey`] is the pure part of a visit: from an answer to a reading.
//! [`Crawl`] is the state machine at the heart: what to do next, and what a
//! finished visit changes. It reads no clock and opens no socket; the lab
//! drives it with a synthetic web, [`run`] with the real one.

mod budget;
mod config;
mod crawl;
mod crawler;
mod dispatch;
mod explain;
mod finish;
mod hosts;
mod journey;
mod progress;
mod step;

pub use budget::Limits;
pub use config::{ArchiveConfig, Chosen, Config, HostRule, SetupError};
pub use crawl::{Crawl, CrawlError};
pub use crawler::{DataDir, Opened, RunError, read_store, run};
pub use dispatch::{Event, Outcome, Stop, StopHandle, stop_channel};
pub use explain::{Ancestor, Explanation, RobotsView, ScopeView, explain};
pub use finish::FinishReason;
pub use journey::{Answered, Candidate, Content, Journey, Reading};
pub use progress::{Holdback, Progress};
pub use step::{Report, RobotsTask, Step, Visit};
