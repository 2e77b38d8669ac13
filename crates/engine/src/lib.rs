//! Composes the stations of a page's journey into a crawl.
//!
//! [`Journey`] is the pure part of a visit: from an answer to a reading.
//! [`Crawl`] is the state machine at the heart: what to do next, and what a
//! finished visit changes. It reads no clock and opens no socket; the lab
//! drives it with a synthetic web, [`run`] with the real one. What it learns
//! while it runs is in [`teaching`](Learned) and [`labels`]; [`rejudge`] puts
//! what was kept before the model of today.

mod allowance;
mod attachments;
mod budget;
mod called;
mod config;
mod copies;
mod crawl;
mod crawler;
mod dispatch;
mod evidence;
mod explain;
mod finish;
mod history;
mod hosts;
mod journey;
mod keeping;
mod labelled;
pub mod labels;
mod lists;
mod outlook;
mod page_numbers;
mod progress;
mod questions;
mod rejudge;
mod returns;
mod step;
mod teaching;
mod templates;
mod today;
mod version;

pub use allowance::DailyBudget;
pub use attachments::{Attachments, Wanted};
pub use budget::Limits;
pub use config::{ArchiveConfig, Chosen, Config, HostRule, SetupError};
pub use crawl::{Crawl, CrawlError};
pub use crawler::{DataDir, Opened, RunError, read_store, run};
pub use dispatch::{Event, Outcome, Stop, StopHandle, stop_channel};
pub use evidence::{Evidence, EvidenceError, is_newest_page, newest_page};
pub use explain::{Ancestor, Explanation, RobotsView, ScopeView, explain};
pub use finish::FinishReason;
pub use history::{HistoryEntry, first_visit_since, history, kept_version, version, version_at};
pub use journey::{Answered, Approach, Candidate, Content, Journey, Reading};
pub use keeping::{encode_visit, keep};
pub use labelled::Labelled;
pub use labels::{Label, Labels};
pub use outlook::{Measured, Outlook, PlannedVisit, SiteOutlook, outlook, planned_visit};
pub use progress::{Holdback, Progress, WatchProgress};
pub use questions::{Question, questions};
pub use rejudge::{RejudgeSummary, Rejudged, What, rejudge};
pub use returns::WatchConfig;
pub use step::{EarlierVersion, Kept, Report, RobotsTask, Step, Visit};
pub use teaching::{Drift, Example, KeptPage, Learned, Learning, Measure, Taught};
pub use today::todays_model;
pub use version::ReadVersion;
