//! `gannet history`: every version of a page, with what changed, how much, and whether it matters.

use std::process::ExitCode;

use gannet_engine::HistoryEntry;
use gannet_model::{Change, EditKind, Significance};
use gannet_store::Visited;
use serde::Serialize;

use crate::arguments::{Globals, TextOrJson};
use crate::exit::Exit;
use crate::listing::answer_of;
use crate::page_history::PageHistory;
use crate::print;
use crate::table::Table;

/// Arguments of `gannet history`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    gannet history https://example.org/birds/gannets\n  \
    gannet history --all --format json https://example.org/\n\n\
    Redirected pages and those with another canonical address have one history. Versions are shown \
    by `gannet show URL --version N` and compared by `gannet diff URL N..M`.\n\n\
    JSON fields: url, versions, visits, entries [{visit, at, url, version, outcome, status, \
    happening, significance, channels {text, structure, links, images, style}, share, edits, \
    churned, persisted}].")]
pub(crate) struct Args {
    /// The page, in any spelling
    url: String,
    /// Also visits that found nothing new
    #[arg(long)]
    all: bool,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// The history of a page. The field names are stable.
#[derive(Debug, Serialize)]
struct Report {
    url: String,
    versions: usize,
    visits: usize,
    entries: Vec<EntryReport>,
}

/// One visit. The field names are stable.
#[derive(Debug, Serialize)]
pub(crate) struct EntryReport {
    visit: u64,
    at: String,
    url: String,
    version: Option<u32>,
    outcome: &'static str,
    status: Option<u16>,
    happening: Option<&'static str>,
    significance: &'static str,
    channels: Option<gannet_model::Channels>,
    share: Option<f32>,
    edits: usize,
    churned: u32,
    persisted: Option<bool>,
}

/// Prints the history.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let history = PageHistory::find(&args.url, globals)?;
    let told = history.entries.iter().filter(|entry| args.all || is_news(entry));
    let report = Report {
        url: history.url.to_string(),
        versions: history.versions().count(),
        visits: history.entries.len(),
        entries: told.map(entry_report).collect(),
    };
    if args.format == TextOrJson::Json {
        print::json(&report)?;
        return Ok(Exit::Done.into());
    }
    print::data(format_args!(
        "{}: {} versions in {} visits",
        report.url, report.versions, report.visits
    ))?;
    let mut table = Table::new(&["version", "seen at", "what", "significance", "changed"]);
    for (entry, row) in
        history.entries.iter().filter(|entry| args.all || is_news(entry)).zip(&report.entries)
    {
        table.row([
            row.version.map_or_else(|| "-".to_owned(), |version| version.to_string()),
            row.at.clone(),
            row.happening.unwrap_or(row.outcome).to_owned(),
            row.significance.to_owned(),
            entry.visit.change.as_ref().map(in_words).unwrap_or_default(),
        ]);
    }
    table.print()?;
    Ok(Exit::Done.into())
}

fn is_news(entry: &HistoryEntry) -> bool {
    entry.is_new_version() || entry.visit.happening.is_some()
}

pub(crate) fn entry_report(entry: &HistoryEntry) -> EntryReport {
    let visit = &entry.visit;
    let change = visit.change.as_ref();
    EntryReport {
        visit: entry.number,
        at: visit.at.to_string(),
        url: entry.url.to_string(),
        version: entry.version,
        outcome: outcome(&visit.outcome),
        status: answer_of(&visit.outcome).map(|answer| answer.status),
        happening: visit.happening.map(|happening| happening.name()),
        significance: change.map_or(Significance::Same, |change| change.significance).name(),
        channels: change.map(|change| change.channels),
        share: change.map(|change| change.share),
        edits: change.map_or(0, |change| change.edits.len()),
        churned: change.map_or(0, |change| change.churned),
        persisted: visit.persisted,
    }
}

fn outcome(outcome: &Visited) -> &'static str {
    match outcome {
        Visited::Page(..) => "page",
        Visited::File(_) => "file",
        Visited::Unchanged(_) => "unchanged",
        Visited::Answered(_) => "error",
        Visited::Redirected(..) => "redirect",
        Visited::Failed(..) => "failure",
    }
}

/// What changed, in a few words.
pub(crate) fn in_words(change: &Change) -> String {
    let mut parts = Vec::new();
    if change.channels.text.is_change() {
        parts.push(format!("{:.0} % of the text", (change.share * 100.0).max(1.0)));
    }
    for (kind, name) in [
        (EditKind::Added, "added"),
        (EditKind::Removed, "removed"),
        (EditKind::Edited, "edited"),
        (EditKind::Numbers, "with other numbers"),
    ] {
        let passages = change.edits.iter().filter(|edit| edit.kind == kind).count();
        if passages > 0 {
            parts.push(format!("{passages} {name}"));
        }
    }
    let others = change.channels.named().into_iter().skip(1);
    parts.extend(
        others.filter(|(_, kind)| *kind > Significance::Noise).map(|(name, _)| name.to_owned()),
    );
    if change.churned > 0 {
        parts.push(format!("{} that never stay", change.churned));
    }
    parts.join(", ")
}
