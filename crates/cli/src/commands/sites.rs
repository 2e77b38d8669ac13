//! `gannet sites`: lists hosts with what they gave and what waits there.

use std::collections::HashMap;
use std::process::ExitCode;

use clap::ValueEnum;
use gannet_engine::read_store;
use gannet_model::HostId;
use gannet_store::{HostRecord, Status, Store, StoreError};
use serde::Serialize;

use crate::arguments::{Globals, TextOrJson};
use crate::config::rounded_size;
use crate::exit::Exit;
use crate::print;
use crate::table::Table;

/// Arguments of `gannet sites`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "JSON fields: host, pages, relevant, harvest_rate, errors, failures, bytes, \
    queued, scheduled, skipped, ready_at, hold, throttles, down_since, lost."
)]
pub(crate) struct Args {
    /// What comes first
    #[arg(long, value_enum, default_value = "pages")]
    sort: Sort,
    /// At most this many
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// How they are written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// Most pages
    Pages,
    /// Most relevant pages
    Relevant,
    /// Longest queue
    Queued,
    /// Most error answers and failures
    Errors,
}

/// One host. The field names are stable.
#[derive(Debug, Serialize)]
struct SiteRow {
    host: String,
    /// Pages fetched with a 2xx answer.
    pages: u64,
    relevant: u64,
    harvest_rate: Option<f64>,
    errors: u64,
    failures: u64,
    bytes: u64,
    queued: u64,
    scheduled: u64,
    skipped: u64,
    /// When it may be contacted again, in RFC 3339.
    ready_at: String,
    /// Why not sooner.
    hold: String,
    /// How often it throttled us lately.
    throttles: u32,
    down_since: Option<String>,
    /// True when it was down for so long that it lost its turn.
    lost: bool,
}

/// URLs of one host that were not fetched.
#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    queued: u64,
    scheduled: u64,
    skipped: u64,
}

/// Prints the list.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let store = read_store(&globals.data())?;
    let mut rows = rows(&store)?;
    rows.sort_by_key(|row| {
        std::cmp::Reverse(match args.sort {
            Sort::Pages => row.pages,
            Sort::Relevant => row.relevant,
            Sort::Queued => row.queued,
            Sort::Errors => row.errors + row.failures,
        })
    });
    rows.truncate(args.limit.unwrap_or(usize::MAX));
    if args.format == TextOrJson::Json {
        print::json(&rows)?;
        return Ok(Exit::Done.into());
    }
    let head = ["host", "pages", "relevant", "errors", "failures", "queued", "received", "state"];
    let mut table = Table::new(&head);
    for row in rows {
        table.row([
            row.host,
            row.pages.to_string(),
            row.relevant.to_string(),
            row.errors.to_string(),
            row.failures.to_string(),
            (row.queued + row.scheduled).to_string(),
            rounded_size(row.bytes),
            row.hold,
        ]);
    }
    table.print()?;
    Ok(Exit::Done.into())
}

fn rows(store: &dyn Store) -> Result<Vec<SiteRow>, StoreError> {
    let mut waiting: HashMap<HostId, Waiting> = HashMap::new();
    store.each_url_head(&mut |_, head| {
        let counts = waiting.entry(head.host).or_default();
        match head.status {
            Status::Queued { .. } => counts.queued += 1,
            Status::Scheduled { .. } => counts.scheduled += 1,
            Status::Skipped => counts.skipped += 1,
            Status::Fetched | Status::Redirected | Status::Failed | Status::Gone => {}
        }
    })?;
    let mut rows = Vec::new();
    store.each_host(&mut |id, host| {
        rows.push(row(host, waiting.get(&id).copied().unwrap_or_default()));
    })?;
    Ok(rows)
}

fn row(host: HostRecord, waiting: Waiting) -> SiteRow {
    let counters = host.counters;
    let (ready_at, hold) = host.pace.ready_at();
    let now = gannet_model::Timestamp::from(std::time::SystemTime::now());
    let has_pages = counters.fetched > 0;
    SiteRow {
        pages: counters.fetched,
        relevant: counters.relevant,
        harvest_rate: has_pages.then(|| counters.relevant as f64 / counters.fetched as f64),
        errors: counters.errors,
        failures: counters.failures,
        bytes: counters.bytes,
        queued: waiting.queued,
        scheduled: waiting.scheduled,
        skipped: waiting.skipped,
        ready_at: ready_at.to_string(),
        hold: if ready_at <= now { "ready".to_owned() } else { hold.to_string() },
        throttles: host.pace.throttles(),
        down_since: host.pace.down_since().map(|at| at.to_string()),
        lost: host.pace.is_lost(),
        host: host.name.into(),
    }
}
