//! What a finished crawl tells: a few lines for people, one JSON object for scripts.

use gannet_engine::{DataDir, Outcome};
use serde::Serialize;

use crate::config::rounded_size;
use crate::exit::Exit;
use crate::numbers::{Numbers, Rates};
use crate::print;

/// How a run ended. The field names are stable.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Summary {
    /// Why it ended, in one word.
    pub(crate) finish_reason: &'static str,
    /// Why it ended, as a sentence.
    pub(crate) because: String,
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
    /// How long this run lasted.
    pub(crate) elapsed_seconds: f64,
    /// Answers per second over this run.
    pub(crate) pages_per_second: f64,
    /// Where the data is.
    pub(crate) data_dir: String,
    /// The number with which the process ends.
    pub(crate) exit_code: u8,
    /// What that number means, in one word.
    pub(crate) exit: &'static str,
    /// True when work is left: running again goes on where this run ended, with a higher limit
    /// where one was reached.
    pub(crate) resumable: bool,
}

impl Summary {
    pub(crate) fn new(outcome: &Outcome, data: &DataDir, rates: &Rates) -> Summary {
        let progress = &outcome.progress;
        let mut rates = rates.clone();
        rates.observe(progress.at, progress.elapsed, progress.counters.answered);
        let exit = Exit::from(outcome.reason);
        Summary {
            finish_reason: outcome.reason.name(),
            because: outcome.reason.to_string(),
            numbers: progress.counters.into(),
            queued: progress.queued,
            scheduled: progress.scheduled,
            known_urls: progress.known as u64,
            hosts: progress.hosts as u64,
            elapsed_seconds: progress.elapsed.as_secs_f64(),
            pages_per_second: rates.average,
            data_dir: data.path().display().to_string(),
            exit_code: exit.number(),
            exit: exit.name(),
            resumable: exit.is_resumable() && progress.queued + progress.scheduled > 0,
        }
    }

    /// Tells people, on stderr.
    pub(crate) fn tell(&self) {
        let numbers = &self.numbers;
        let harvest = match numbers.harvest_rate {
            Some(rate) => format!("{:.1} %", rate * 100.0),
            None => "none".to_owned(),
        };
        print::talk(format_args!("The crawl ended: {}.", self.because));
        print::talk(format_args!(
            "  {} answers, {} pages, {} relevant (harvest rate {harvest})",
            numbers.answered, numbers.fetched, numbers.relevant
        ));
        print::talk(format_args!(
            "  {} redirects, {} error answers, {} failures, {} skipped",
            numbers.redirects, numbers.errors, numbers.failures, numbers.skipped
        ));
        print::talk(format_args!(
            "  {} received, {:.1} s, {:.1} pages/s; {} queued, {} scheduled, {} hosts",
            rounded_size(numbers.wire_bytes),
            self.elapsed_seconds,
            self.pages_per_second,
            self.queued,
            self.scheduled,
            self.hosts
        ));
        if self.resumable {
            print::talk(match self.finish_reason {
                "page-limit" => "  `gannet crawl` with a higher --max-pages goes on from here.",
                "byte-limit" => "  `gannet crawl` with a higher --max-bytes goes on from here.",
                _ => "  `gannet crawl` with the same data directory goes on from here.",
            });
        }
    }
}
