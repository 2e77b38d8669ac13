//! `gannet pages`: lists pages, newest or best first.

use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::ValueEnum;
use gannet_engine::read_store;
use gannet_model::Host;
use gannet_store::{Status, Store, StoreError, UrlRecord, VisitRecord, Visited};

use crate::arguments::Globals;
use crate::exit::{Exit, UsageError};
use crate::listing::{ArchiveFiles, PageRow, telling};
use crate::print;
use crate::table::{Table, csv_line};

/// Arguments of `gannet pages`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    gannet pages --relevant --sort score --limit 20\n  \
    gannet pages --failed --site example.org --format csv > failed.csv\n\n\
    JSON fields: url, state, fetched_at, status, title, language, score, relevant, depth, worth, \
    found_via, anchor, bytes, media_type, because, archive {file, offset, length, response_offset}.")]
pub(crate) struct Args {
    #[command(flatten)]
    which: Which,
    /// Only pages of this host
    #[arg(long, value_name = "HOST")]
    site: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// What comes first: the newest, or what is worth most
    #[arg(long, value_enum, default_value = "time")]
    sort: Sort,
    /// How they are written
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// Which pages; fetched ones when nothing is said.
#[derive(Debug, Default, clap::Args)]
#[group(multiple = false)]
struct Which {
    /// Fetched and about the topic
    #[arg(long)]
    relevant: bool,
    /// Fetched and not about the topic
    #[arg(long)]
    irrelevant: bool,
    /// Tried and given up
    #[arg(long)]
    failed: bool,
    /// Out of scope or forbidden
    #[arg(long)]
    skipped: bool,
    /// Waiting to be fetched
    #[arg(long)]
    queued: bool,
    /// Every URL known
    #[arg(long)]
    all: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// Newest visit first
    Time,
    /// Highest score first; for pages not fetched, highest worth
    Score,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One JSON document
    Json,
    /// One JSON object per line
    Jsonl,
    /// Comma-separated values
    Csv,
}

impl Which {
    fn wants(&self, record: &UrlRecord, visit: Option<&VisitRecord>) -> bool {
        let relevant = visit.and_then(|visit| match &visit.outcome {
            Visited::Page(_, facts) => Some(facts.judgement.is_relevant()),
            _ => None,
        });
        match record.head.status {
            _ if self.all => true,
            // What belongs to a page is no page.
            _ if record.found.how.file().is_some() => false,
            Status::Queued { .. } | Status::Scheduled { .. } => self.queued,
            Status::Failed => self.failed,
            Status::Skipped => self.skipped,
            Status::Redirected | Status::Gone => false,
            Status::Fetched if self.relevant => relevant == Some(true),
            Status::Fetched if self.irrelevant => relevant == Some(false),
            Status::Fetched => !(self.failed || self.skipped || self.queued),
        }
    }

    /// True when all that are wanted have been visited, so that visits can be walked newest first.
    fn is_of_visited(&self) -> bool {
        !(self.failed || self.skipped || self.queued || self.all)
    }
}

/// Prints the list.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let site = args.site.as_deref().map(Host::parse).transpose();
    let site = site.map_err(|error| UsageError(format!("--site: {error}")))?;
    let data = globals.data();
    let store = read_store(&data)?;
    let mut files = ArchiveFiles::new(&data);
    let mut printer = Printer::new(args.format);
    let mut chosen = Chosen::new(args);
    let mut failed = None;
    let walked = walk(args, &store, &mut |record, visit| {
        let is_of_site = site.as_ref().is_none_or(|site| *site == record.url.host());
        if !is_of_site || !args.which.wants(&record, visit.as_ref()) {
            return ControlFlow::Continue(());
        }
        let row = PageRow::new(&store, record, visit, &mut files);
        match row.map_err(Into::into).and_then(|row| chosen.add(row, &mut printer)) {
            Ok(flow) => flow,
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    });
    walked?;
    if let Some(error) = failed {
        return Err(error);
    }
    chosen.finish(&mut printer)?;
    printer.finish()?;
    Ok(Exit::Done.into())
}

type Visit<'a> = dyn FnMut(UrlRecord, Option<VisitRecord>) -> ControlFlow<()> + 'a;

/// Calls `visit` with every URL that could be wanted, newest visits first where that is cheap.
fn walk(args: &Args, store: &dyn Store, visit: &mut Visit<'_>) -> Result<(), StoreError> {
    if !args.which.is_of_visited() {
        return walk_urls(store, visit);
    }
    let mut next = store.last_visit()?;
    while let Some(number) = next {
        next = number.checked_sub(1);
        let Some(seen) = store.visit(number)? else { continue };
        let Some(record) = store.url(seen.url)? else { continue };
        if record.last_visit != Some(number) {
            continue;
        }
        let seen = telling(store, seen)?;
        if visit(record, Some(seen)).is_break() {
            break;
        }
    }
    Ok(())
}

fn walk_urls(store: &dyn Store, visit: &mut Visit<'_>) -> Result<(), StoreError> {
    let mut failed = None;
    store.each_url(&mut |_, record| {
        let seen = record.last_visit.map(|number| store.visit(number)).transpose();
        let seen =
            seen.and_then(|seen| seen.flatten().map(|seen| telling(store, seen)).transpose());
        match seen {
            Ok(seen) => visit(record, seen),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    failed.map_or(Ok(()), Err)
}

/// The rows to show: passed on as they come, or held until the best are known.
struct Chosen {
    rows: Vec<PageRow>,
    sort: Sort,
    limit: usize,
    /// Rows come in the order wanted.
    is_ordered: bool,
    shown: usize,
}

impl Chosen {
    fn new(args: &Args) -> Chosen {
        let is_ordered = args.sort == Sort::Time && args.which.is_of_visited();
        let limit = args.limit.unwrap_or(usize::MAX);
        Chosen { rows: Vec::new(), sort: args.sort, limit, is_ordered, shown: 0 }
    }

    fn add(&mut self, row: PageRow, printer: &mut Printer) -> anyhow::Result<ControlFlow<()>> {
        if self.shown >= self.limit {
            return Ok(ControlFlow::Break(()));
        }
        if self.is_ordered {
            self.shown += 1;
            printer.row(row)?;
            return Ok(ControlFlow::Continue(()));
        }
        self.rows.push(row);
        // Twice the limit is held at most, whatever the size of the crawl.
        if self.rows.len() >= self.limit.saturating_mul(2).max(1024) {
            self.keep_best();
        }
        Ok(ControlFlow::Continue(()))
    }

    fn keep_best(&mut self) {
        let score = |row: &PageRow| row.score.unwrap_or(row.worth);
        match self.sort {
            Sort::Time => self.rows.sort_by(|a, b| b.fetched_at.cmp(&a.fetched_at)),
            Sort::Score => self.rows.sort_by(|a, b| score(b).total_cmp(&score(a))),
        }
        self.rows.truncate(self.limit);
    }

    fn finish(mut self, printer: &mut Printer) -> anyhow::Result<()> {
        self.keep_best();
        for row in self.rows {
            printer.row(row)?;
        }
        Ok(())
    }
}

/// Writes rows in the format asked for.
struct Printer {
    format: Format,
    table: Table,
    rows: Vec<PageRow>,
    count: usize,
}

const CSV_HEAD: &str = "url,state,fetched_at,status,relevant,score,depth,bytes,media_type,language,\
                        title,worth,found_via,anchor,because";

impl Printer {
    fn new(format: Format) -> Printer {
        let table = Table::new(&["state", "status", "relevant", "score", "title", "url"]);
        Printer { format, table, rows: Vec::new(), count: 0 }
    }

    fn row(&mut self, row: PageRow) -> anyhow::Result<()> {
        self.count += 1;
        match self.format {
            Format::Table => self.table.row(cells(&row)),
            Format::Json => self.rows.push(row),
            Format::Jsonl => print::data(serde_json::to_string(&row)?)?,
            Format::Csv => {
                if self.count == 1 {
                    print::data(CSV_HEAD)?;
                }
                print::data(csv_line(&csv_cells(&row)))?;
            }
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        match self.format {
            Format::Table => Ok(self.table.print()?),
            Format::Json => print::json(&self.rows),
            Format::Csv if self.count == 0 => print::data(CSV_HEAD),
            Format::Csv | Format::Jsonl => Ok(()),
        }
    }
}

fn cells(row: &PageRow) -> [String; 6] {
    [
        row.state.to_owned(),
        shown(row.status),
        shown(row.relevant.map(|relevant| if relevant { "yes" } else { "no" })),
        shown(row.score.map(|score| format!("{score:.4}"))),
        row.title.clone().unwrap_or_default(),
        row.url.clone(),
    ]
}

fn csv_cells(row: &PageRow) -> [String; 15] {
    [
        row.url.clone(),
        row.state.to_owned(),
        shown(row.fetched_at.as_ref()),
        shown(row.status),
        shown(row.relevant),
        shown(row.score),
        row.depth.to_string(),
        shown(row.bytes),
        shown(row.media_type.as_ref()),
        shown(row.language.as_ref()),
        shown(row.title.as_ref()),
        row.worth.to_string(),
        shown(row.found_via.as_ref()),
        row.anchor.clone(),
        row.because.clone(),
    ]
}

fn shown(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
