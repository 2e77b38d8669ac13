//! `status.json` and `questions.json` in the data directory: what a running crawl tells others.
//!
//! The store is locked while a crawl runs. So the crawl writes these files about
//! once a second, whole or not at all; `gannet status` and `gannet label next`
//! read them.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gannet_engine::{DataDir, Outcome, Outlook, Progress, Question, SiteOutlook, WatchProgress};
use gannet_model::Timestamp;
use serde::{Deserialize, Serialize};

use crate::numbers::{Numbers, Rates};

const NAME: &str = "status.json";
const QUESTIONS: &str = "questions.json";
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
    /// The version of the model that judges, in hexadecimal.
    #[serde(default)]
    pub(crate) model_version: Option<String>,
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
    /// How fresh the copies of known pages are; null when nobody watches.
    #[serde(default)]
    pub(crate) freshness: Option<Freshness>,
}

/// How fresh the copies of known pages are. The field names are stable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Freshness {
    /// Pages that are visited again and again.
    pub(crate) pages: usize,
    /// Pages that are due now.
    pub(crate) due: usize,
    /// The share of importance whose copies are thought to be as the pages are.
    pub(crate) expected: f64,
    /// What visits showed; null before any did.
    pub(crate) measured: Option<f64>,
    /// How many visits showed it.
    pub(crate) visits: usize,
    /// Sites, the weightiest first; empty while a watch runs.
    #[serde(default)]
    pub(crate) sites: Vec<SiteFreshness>,
}

/// How fresh the copies of a site's pages are. The field names are stable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SiteFreshness {
    pub(crate) site: String,
    pub(crate) pages: usize,
    pub(crate) expected: f64,
    pub(crate) measured: Option<f64>,
}

impl From<WatchProgress> for Freshness {
    fn from(watch: WatchProgress) -> Freshness {
        Freshness {
            pages: watch.pages,
            due: watch.due,
            expected: watch.expected,
            measured: watch.measured.map(|measured| measured.fresh),
            visits: watch.measured.map_or(0, |measured| measured.visits),
            sites: Vec::new(),
        }
    }
}

impl From<Outlook> for Freshness {
    fn from(outlook: Outlook) -> Freshness {
        let site = |site: SiteOutlook| SiteFreshness {
            site: site.site,
            pages: site.pages,
            expected: site.expected,
            measured: site.measured.map(|measured| measured.fresh),
        };
        Freshness {
            pages: outlook.pages,
            due: outlook.due_now,
            expected: outlook.expected,
            measured: outlook.measured.map(|measured| measured.fresh),
            visits: outlook.measured.map_or(0, |measured| measured.visits),
            sites: outlook.sites.into_iter().map(site).collect(),
        }
    }
}

/// Writes the status of one run.
pub(crate) struct StatusFile {
    path: PathBuf,
    questions_path: PathBuf,
    topic: String,
    last: Option<Timestamp>,
    /// The questions that were written last: they change rarely.
    questions: Option<Vec<Question>>,
}

impl StatusFile {
    pub(crate) fn new(data: &DataDir, topic: String) -> StatusFile {
        let questions_path = data.path().join(QUESTIONS);
        StatusFile {
            path: data.path().join(NAME),
            questions_path,
            topic,
            last: None,
            questions: None,
        }
    }

    /// Writes how the crawl is doing, if the last time was a while ago.
    pub(crate) fn running(&mut self, progress: &Progress, rates: &Rates) -> io::Result<()> {
        if self.last.is_some_and(|last| progress.at.since(last) < WRITE_EVERY) {
            return Ok(());
        }
        self.last = Some(progress.at);
        if self.questions.as_ref() != Some(&progress.questions) {
            write(&self.questions_path, &progress.questions)?;
            self.questions = Some(progress.questions.clone());
        }
        write(&self.path, &self.status(progress, rates))
    }

    /// Writes how the crawl ended. Its questions are then asked of the store.
    pub(crate) fn ended(&self, outcome: &Outcome, rates: &Rates) -> io::Result<()> {
        let mut status = self.status(&outcome.progress, rates);
        status.state = "stopped".to_owned();
        status.pid = None;
        status.finish_reason = Some(outcome.reason.name().to_owned());
        status.holdback = outcome.reason.to_string();
        (status.elapsed_seconds, status.pages_per_second, status.pages_per_second_now) =
            (None, None, None);
        match std::fs::remove_file(&self.questions_path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        write(&self.path, &status)
    }

    fn status(&self, progress: &Progress, rates: &Rates) -> Status {
        Status {
            state: "running".to_owned(),
            pid: Some(std::process::id()),
            at: progress.at.to_string(),
            finish_reason: None,
            topic: self.topic.clone(),
            model_version: Some(hexadecimal(progress.model_version)),
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
            freshness: progress.watch.map(Into::into),
        }
    }
}

/// What the last run wrote; `None` when there is nothing that reads as a status.
pub(crate) fn read(data: &DataDir) -> Option<Status> {
    let text = std::fs::read_to_string(data.path().join(NAME)).ok()?;
    serde_json::from_str(&text).ok()
}

/// The status of the crawl that runs in this data directory; `None` when none does.
pub(crate) fn running(data: &DataDir) -> Option<Status> {
    read(data).filter(|status| status.pid.is_some_and(is_alive))
}

/// What the running crawl would ask a person, best first.
pub(crate) fn questions(data: &DataDir) -> Option<Vec<Question>> {
    let text = std::fs::read_to_string(data.path().join(QUESTIONS)).ok()?;
    serde_json::from_str(&text).ok()
}

/// A version as it is shown: JSON's numbers are too small for it.
pub(crate) fn hexadecimal(version: u64) -> String {
    format!("{version:016x}")
}

#[cfg(unix)]
fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    // A process of another user may not be signalled, but it is there.
    pid.is_some_and(|pid| match rustix::process::test_kill_process(pid) {
        Ok(()) => true,
        Err(error) => error == rustix::io::Errno::PERM,
    })
}

#[cfg(not(unix))]
fn is_alive(_pid: u32) -> bool {
    false
}

/// A reader sees the old file or the new one, never half of either.
fn write(path: &Path, content: &impl Serialize) -> io::Result<()> {
    let new = path.with_extension("json.new");
    std::fs::write(&new, serde_json::to_vec_pretty(content)?)?;
    std::fs::rename(&new, path)
}
