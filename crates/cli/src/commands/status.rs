//! `gannet status`: how a crawl is doing, running or not.

use std::path::Path;
use std::process::ExitCode;

use gannet_engine::{DataDir, outlook, read_store};
use gannet_model::Timestamp;
use gannet_store::{CrawlRecord, CrawlState, ModelRecord, Status as UrlStatus, Store, StoreError};
use serde::Serialize;

use crate::arguments::{Globals, TextOrJson};
use crate::config::{self, rounded_size};
use crate::exit::Exit;
use crate::print;
use crate::status_file::{self, Freshness, SiteFreshness, Status};

/// Arguments of `gannet status`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "While a crawl runs, this reads the status.json that it writes every second."
)]
pub(crate) struct Args {
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// What `--format json` writes: the status, and what it takes on the disk.
#[derive(Debug, Serialize)]
struct Report {
    data_dir: String,
    #[serde(flatten)]
    status: Status,
    /// Bytes of the store on the disk.
    store_disk_bytes: u64,
    /// Bytes of the WARC files on the disk.
    archive_disk_bytes: u64,
}

/// Prints how the crawl is doing.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let data = globals.data();
    let report = Report {
        data_dir: data.path().display().to_string(),
        status: with_freshness(current(&data)?, globals)?,
        store_disk_bytes: disk_use(&data.store()),
        archive_disk_bytes: disk_use(&data.archive()),
    };
    match args.format {
        TextOrJson::Json => print::json(&report)?,
        TextOrJson::Text => tell(&report)?,
    }
    Ok(Exit::Done.into())
}

/// Adds how fresh copies are, where pages are watched and nobody runs.
fn with_freshness(mut status: Status, globals: &Globals) -> anyhow::Result<Status> {
    if status.pid.is_some() || status.freshness.is_some() {
        return Ok(status);
    }
    let path = config::find(globals.config.as_deref());
    // Settings that are wrong are no reason not to tell how a crawl is doing.
    let watch = config::load(path.as_deref(), Vec::new()).and_then(|loaded| config::watch(&loaded));
    let (Ok(watch), Ok(store)) = (watch, read_store(&globals.data())) else { return Ok(status) };
    let now = Timestamp::from(std::time::SystemTime::now());
    let outlook = outlook(&store, &watch, now, 0)?;
    status.freshness = (outlook.pages > 0).then(|| outlook.into());
    Ok(status)
}

/// From the running crawl if there is one, else from the store.
fn current(data: &DataDir) -> Result<Status, StoreError> {
    // Asking a running crawl's store for its lock could take it from a crawl about to start.
    if let Some(status) = status_file::running(data) {
        return Ok(status);
    }
    match read_store(data) {
        Ok(store) => from_store(&store),
        Err(error @ StoreError::InUse { .. }) => status_file::read(data).ok_or(error),
        Err(error) => Err(error),
    }
}

fn from_store(store: &dyn Store) -> Result<Status, StoreError> {
    let (mut queued, mut scheduled, mut known) = (0, 0, 0);
    let mut with_work = std::collections::HashSet::new();
    store.each_url_head(&mut |_, head| {
        known += 1;
        match head.status {
            UrlStatus::Queued { .. } => {
                queued += 1;
                with_work.insert(head.host);
            }
            UrlStatus::Scheduled { .. } => scheduled += 1,
            _ => {}
        }
    })?;
    let now = Timestamp::from(std::time::SystemTime::now());
    let (mut hosts, mut waiting) = (0, 0);
    store.each_host(&mut |id, host| {
        hosts += 1;
        waiting += u64::from(with_work.contains(&id) && host.pace.ready_at().0 > now);
    })?;
    let (state, at, reason) = ending(store.crawl()?);
    let holdback = match (&reason, queued + scheduled) {
        (_, 0) => "nothing is left to fetch".to_owned(),
        (Some(reason), left) => format!("the last run ended ({reason}); {left} URLs are left"),
        (None, left) => format!("the last run was killed; {left} URLs are left"),
    };
    Ok(Status {
        state: state.to_owned(),
        pid: None,
        at,
        finish_reason: reason,
        topic: store.crawl()?.map(|record| record.topic).unwrap_or_default(),
        model_version: newest_model(store)?,
        numbers: store.counters()?.into(),
        queued,
        scheduled,
        known_urls: known,
        hosts,
        hosts_with_work: with_work.len() as u64,
        hosts_waiting: waiting,
        under_way: 0,
        elapsed_seconds: None,
        pages_per_second: None,
        pages_per_second_now: None,
        holdback,
        freshness: None,
    })
}

/// The version of the model made last; `None` in data of versions that kept none.
fn newest_model(store: &dyn Store) -> Result<Option<String>, StoreError> {
    let mut newest: Option<ModelRecord> = None;
    store.each_model(&mut |record| {
        if newest.as_ref().is_none_or(|newest| newest.made <= record.made) {
            newest = Some(record);
        }
    })?;
    Ok(newest.map(|record| status_file::hexadecimal(record.version)))
}

/// State, moment and reason of the last run, as the store has them.
fn ending(record: Option<CrawlRecord>) -> (&'static str, String, Option<String>) {
    match record.map(|record| record.state) {
        Some(CrawlState::Stopped { at, reason }) => ("stopped", at.to_string(), Some(reason)),
        // Whoever could open the store knows that nobody runs.
        Some(CrawlState::Running { since }) => ("interrupted", since.to_string(), None),
        None => ("stopped", String::new(), None),
    }
}

fn tell(report: &Report) -> anyhow::Result<()> {
    let (status, numbers) = (&report.status, &report.status.numbers);
    let state = match (&status.pid, &status.finish_reason) {
        (Some(pid), _) => format!("{} (process {pid}), as of {}", status.state, status.at),
        (None, Some(reason)) => format!("{} at {} ({reason})", status.state, status.at),
        (None, None) => format!("{}, begun at {}", status.state, status.at),
    };
    let harvest =
        numbers.harvest_rate.map_or("none".to_owned(), |rate| format!("{:.1} %", rate * 100.0));
    let pages = format!(
        "{} ({} answers, {} redirects)",
        numbers.fetched, numbers.answered, numbers.redirects
    );
    let trouble = format!(
        "{} error answers, {} failures, {} URLs skipped",
        numbers.errors, numbers.failures, numbers.skipped
    );
    let queue = format!(
        "{} queued, {} scheduled, of {} URLs known",
        status.queued, status.scheduled, status.known_urls
    );
    let hosts = format!(
        "{} known, {} with work, {} waiting",
        status.hosts, status.hosts_with_work, status.hosts_waiting
    );
    let disk = format!(
        "{} store, {} archive; {} received",
        rounded_size(report.store_disk_bytes),
        rounded_size(report.archive_disk_bytes),
        rounded_size(numbers.wire_bytes)
    );
    let mut lines = vec![
        ("state", state),
        ("topic", status.topic.clone()),
        (
            "model",
            status
                .model_version
                .clone()
                .map_or("none yet".to_owned(), |version| format!("version {version}")),
        ),
        ("pages", pages),
        ("relevant", format!("{} (harvest rate {harvest})", numbers.relevant)),
        ("trouble", trouble),
        ("queue", queue),
        ("hosts", hosts),
    ];
    lines.extend(told_pace(status));
    lines.push(("disk", disk));
    lines.push(("held by", status.holdback.clone()));
    for (name, text) in lines {
        print::data(format_args!("{name:9} {text}"))?;
    }
    Ok(())
}

/// How fast it goes, and how fresh copies are.
fn told_pace(status: &Status) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    if let (Some(average), Some(now)) = (status.pages_per_second, status.pages_per_second_now) {
        lines.push(("speed", format!("{now:.1} pages/s now, {average:.1} on average")));
    }
    if let Some(freshness) = &status.freshness {
        lines.push(("freshness", told_freshness(freshness)));
        for site in freshness.sites.iter().take(SITES_TOLD) {
            lines.push(("", told_site(site)));
        }
    }
    lines
}

/// Sites whose freshness is told.
const SITES_TOLD: usize = 5;

fn told_freshness(freshness: &Freshness) -> String {
    let measured = match freshness.measured {
        Some(fresh) => format!("{fresh:.3} measured by {} visits", freshness.visits),
        None => "nothing measured yet".to_owned(),
    };
    format!(
        "{:.3} expected, {measured}; {} pages, {} due",
        freshness.expected, freshness.pages, freshness.due
    )
}

fn told_site(site: &SiteFreshness) -> String {
    let measured = site.measured.map(|fresh| format!(", {fresh:.3} measured")).unwrap_or_default();
    format!("{}: {:.3} expected{measured}, {} pages", site.site, site.expected, site.pages)
}

/// Bytes of all files below a directory; what cannot be read counts as nothing.
fn disk_use(directory: &Path) -> u64 {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => disk_use(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}
