//! `status.json` in the data directory: how a running crawl tells other processes how it does.
//!
//! The store is locked while a crawl runs. So the crawl writes this file about
//! once a second, whole or not at all, and `gannet status` reads it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gannet_engine::{DataDir, Outcome, Progress};
use gannet_model::Timestamp;
use serde::{Deserialize, Serialize};

use crate::numbers::{Numbers, Rates};

const NAME: &str = "status.json";
const WRITE_EVERY: Duration = Duration::from_secs(1);

/// How a crawl is doing. The field names are stable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Status {
    /// `running`, `stopped` or `interrupted` (killed, and resumable).
    pub(crate) state: String,
    /// The process that runs it.
    pub(crate) pid: Option<u32>,
    /// When this was written, in RFC 3339.
    pub(crate) at: String,
    /// How the last run ended; null while one runs.
    pub(crate) finish_reason: Option<String>,
    /// What the crawl looks for.
    pub(crate) topic: String,
    #[serde(flatten)]
    pub(crate) numbers: Numbers,
    /// Links waiting in queues.
    pub(crate) queued: u64,
    /// Visits that have a time: retries.
    pub(crate) scheduled: u64,
    /// URLs known.
    pub(crate) known_urls: u64,
    /// Hosts known.
    pub(crate) hosts: u64,
    /// Hosts with links in their queue.
    pub(crate) hosts_with_work: u64,
    /// Of those: waiting for a time.
    pub(crate) hosts_waiting: u64,
    /// Requests under way.
    pub(crate) under_way: u64,
    /// How long this run has lasted; null when none runs.
    pub(crate) elapsed_seconds: Option<f64>,
    /// Answers per second over this run; null when none runs.
    pub(crate) pages_per_second: Option<f64>,
    /// Answers per second over the last ten seconds; null when none runs.
    pub(crate) pages_per_second_now: Option<f64>,
    /// What holds the crawl back, as a sentence.
    pub(crate) holdback: String,
}

/// Writes the status of one run.
pub(crate) struct StatusFile {
    path: PathBuf,
    topic: String,
    last: Option<Timestamp>,
}

impl StatusFile {
    pub(crate) fn new(data: &DataDir, topic: String) -> StatusFile {
        StatusFile { path: data.path().join(NAME), topic, last: None }
    }

    /// Writes how the crawl is doing, if the last time was a while ago.
    pub(crate) fn running(&mut self, progress: &Progress, rates: &Rates) -> io::Result<()> {
        if self.last.is_some_and(|last| progress.at.since(last) < WRITE_EVERY) {
            return Ok(());
        }
        self.last = Some(progress.at);
        write(&self.path, &self.status(progress, rates))
    }

    /// Writes how the crawl ended.
    pub(crate) fn ended(&self, outcome: &Outcome, rates: &Rates) -> io::Result<()> {
        let mut status = self.status(&outcome.progress, rates);
        status.state = "stopped".to_owned();
        status.pid = None;
        status.finish_reason = Some(outcome.reason.name().to_owned());
        status.holdback = outcome.reason.to_string();
        (status.elapsed_seconds, status.pages_per_second, status.pages_per_second_now) =
            (None, None, None);
        write(&self.path, &status)
    }

    fn status(&self, progress: &Progress, rates: &Rates) -> Status {
        Status {
            state: "running".to_owned(),
            pid: Some(std::process::id()),
            at: progress.at.to_string(),
            finish_reason: None,
            topic: self.topic.clone(),
            numbers: progress.counters.into(),
            queued: progress.queued,
            scheduled: progress.scheduled,
            known_urls: progress.known as u64,
            hosts: progress.hosts as u64,
            hosts_with_work: progress.census.with_work as u64,
            hosts_waiting: progress.census.waiting as u64,
            under_way: progress.under_way as u64,
            elapsed_seconds: Some(progress.elapsed.as_secs_f64()),
            pages_per_second: Some(rates.average),
            pages_per_second_now: Some(rates.now),
            holdback: progress.holdback.to_string(),
        }
    }
}

/// What the last run wrote; `None` when there is nothing that reads as a status.
pub(crate) fn read(data: &DataDir) -> Option<Status> {
    let text = std::fs::read_to_string(data.path().join(NAME)).ok()?;
    serde_json::from_str(&text).ok()
}

/// A reader sees the old file or the new one, never half of either.
fn write(path: &Path, status: &Status) -> io::Result<()> {
    let new = path.with_extension("json.new");
    std::fs::write(&new, serde_json::to_vec_pretty(status)?)?;
    std::fs::rename(&new, path)
}
