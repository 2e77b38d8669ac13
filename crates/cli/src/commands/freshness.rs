//! `gannet freshness`: looks at every known page now, and tells what changed (S3.3).

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::SystemTime;

use clap::ArgMatches;
use gannet_change::{DEFAULT_DETECTOR, DETECTORS};
use gannet_engine::{HistoryEntry, newest_page, read_store};
use gannet_model::{Happening, Host, Significance, Timestamp};
use gannet_scope::Canonical;
use gannet_store::{Store, UrlRecord, VisitNumber, VisitRecord, Visited};
use serde::Serialize;

use crate::arguments::{Globals, TextOrJson};
use crate::commands::earlier::Earlier;
use crate::exit::{Exit, UsageError};
use crate::flags::Flags;
use crate::page_history::Archive;
use crate::progress_view::ProgressView;
use crate::table::Table;
use crate::{config, kept_examples, print, runner};

/// Arguments of `gannet freshness`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    gannet freshness\n  \
    gannet freshness --site example.org --relevant\n\n\
    Hosts are treated as politely as in any crawl, and asked for pages that changed since. What \
    changed is kept as a new version: `gannet changes` ranks it.\n\n\
    JSON fields: checked, fresh, freshness, sites [{site, checked, same, noise, cosmetic, minor, \
    major, gone, moved, errors, freshness}], detectors [{detector, compared, changed}].")]
pub(crate) struct Args {
    /// Only pages of this host
    #[arg(long, value_name = "HOST")]
    site: Option<String>,
    /// Only pages that are about the topic
    #[arg(long)]
    relevant: bool,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    flags: Flags,
}

/// What came of it. The field names are stable.
#[derive(Debug, Default, Serialize)]
struct Report {
    checked: usize,
    fresh: usize,
    /// The share of pages whose kept copy still says what the page says.
    freshness: f64,
    sites: Vec<SiteRow>,
    detectors: Vec<DetectorRow>,
}

/// The pages of one site. The field names are stable.
#[derive(Clone, Debug, Default, Serialize)]
struct SiteRow {
    site: String,
    checked: usize,
    same: usize,
    noise: usize,
    cosmetic: usize,
    minor: usize,
    major: usize,
    gone: usize,
    moved: usize,
    errors: usize,
    freshness: f64,
}

/// What one detector says of the pages whose bytes changed.
#[derive(Debug, Serialize)]
struct DetectorRow {
    detector: &'static str,
    compared: usize,
    changed: usize,
}

/// Looks at the pages and tells what changed.
pub(crate) fn run(
    args: &Args,
    globals: &Globals,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let site = args.site.as_deref().map(Host::parse).transpose();
    let site = site.map_err(|error| UsageError(format!("--site: {error}")))?;
    let path = config::find(globals.config.as_deref());
    let mut loaded = config::load(path.as_deref(), args.flags.overrides(matches))?;
    let data = globals.data();
    let (first, wanted) = {
        let store = read_store(&data)?;
        let first = store.last_visit()?.map_or(0, |last| last + 1);
        (first, wanted(&store, site.as_ref(), args.relevant)?)
    };
    let earlier = Earlier::look(&data, &loaded.file)?;
    earlier.keep_strategies(&mut loaded);
    let sought = earlier.sought(&loaded)?;
    let examples = kept_examples::files(&sought.examples);
    let mut config = config::build(&loaded, sought, earlier.seeds.clone())?;
    config::check(&loaded, &config)?;
    kept_examples::write(&data, &examples)?;
    // Limits over all runs are for finding pages; these are known.
    config.limits.pages = None;
    let mut view = match globals.quiet {
        true => ProgressView::silent(earlier.answered),
        false => ProgressView::new(None, earlier.answered),
    };
    let mut wants = |record: &UrlRecord| wanted.contains(&record.url.fingerprint());
    let outcome = runner::check_in_view(config, &data, &mut view, &mut wants)?;
    let report = report(globals, first)?;
    match args.format {
        TextOrJson::Json => print::json(&report)?,
        TextOrJson::Text => tell(&report)?,
    }
    Ok(Exit::from(outcome.reason).into())
}

/// The pages to look at.
fn wanted(
    store: &dyn Store,
    site: Option<&Host>,
    only_relevant: bool,
) -> anyhow::Result<std::collections::HashSet<gannet_model::Fingerprint>> {
    let mut wanted = std::collections::HashSet::new();
    let mut failed = None;
    store.each_url(&mut |url, record| {
        if site.is_some_and(|site| *site != record.url.host()) {
            return ControlFlow::Continue(());
        }
        match newest_page(store, &record) {
            Ok(Some((_, VisitRecord { outcome: Visited::Page(_, facts), .. }))) => {
                if !only_relevant || facts.judgement.is_relevant() {
                    wanted.insert(url);
                }
                ControlFlow::Continue(())
            }
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    failed.map_or(Ok(wanted), |error| Err(error.into()))
}

/// What the visits from `first` on found.
fn report(globals: &Globals, first: VisitNumber) -> anyhow::Result<Report> {
    let (archive, store, canonical) = Archive::open(globals)?;
    let mut sites: BTreeMap<String, SiteRow> = BTreeMap::new();
    let mut changed: Vec<(VisitNumber, VisitRecord)> = Vec::new();
    let mut visits = Vec::new();
    store.each_visit(first, &mut |number, visit| {
        visits.push((number, visit));
        ControlFlow::Continue(())
    })?;
    for (number, visit) in visits {
        let Some(record) = store.url(visit.url)? else { continue };
        if visit.ordinal < 2 || record.found.how.file().is_some() {
            continue;
        }
        let site = record.url.host().to_string();
        let row =
            sites.entry(site.clone()).or_insert_with(|| SiteRow { site, ..SiteRow::default() });
        row.count(&visit);
        if visit.change.is_some() {
            changed.push((number, visit));
        }
    }
    let detectors = detectors(&store, &archive, &canonical, &changed)?;
    let mut report = Report { detectors, ..Report::default() };
    for mut row in sites.into_values() {
        row.freshness = share(row.fresh(), row.checked);
        report.checked += row.checked;
        report.fresh += row.fresh();
        report.sites.push(row);
    }
    report.freshness = share(report.fresh, report.checked);
    Ok(report)
}

impl SiteRow {
    fn count(&mut self, visit: &VisitRecord) {
        self.checked += 1;
        let significance = visit.change.as_ref().map(|change| change.significance);
        let place = match (&visit.outcome, visit.happening, significance) {
            (_, Some(Happening::Gone), _) => &mut self.gone,
            (Visited::Redirected(..), ..) => &mut self.moved,
            (Visited::Answered(_) | Visited::Failed(..), ..) => &mut self.errors,
            (_, _, Some(Significance::Noise)) => &mut self.noise,
            (_, _, Some(Significance::Cosmetic)) => &mut self.cosmetic,
            (_, _, Some(Significance::Minor)) => &mut self.minor,
            (_, _, Some(Significance::Major)) => &mut self.major,
            (_, _, Some(Significance::Same) | None) => &mut self.same,
        };
        *place += 1;
    }

    fn fresh(&self) -> usize {
        self.same + self.noise + self.cosmetic
    }
}

fn share(part: usize, all: usize) -> f64 {
    part as f64 / all.max(1) as f64
}

/// The version that a visit saw.
fn seen_at(entries: &[HistoryEntry], at: usize) -> Option<&HistoryEntry> {
    entries[..=at].iter().rev().find(|entry| entry.is_new_version())
}

/// The version that the visit before saw.
fn seen_before(entries: &[HistoryEntry], at: usize) -> Option<&HistoryEntry> {
    seen_at(entries, at.checked_sub(1)?)
}

/// What every detector says of the pages whose bytes changed.
fn detectors(
    store: &dyn Store,
    archive: &Archive,
    canonical: &Canonical,
    changed: &[(VisitNumber, VisitRecord)],
) -> anyhow::Result<Vec<DetectorRow>> {
    let mut rows: Vec<DetectorRow> = DETECTORS
        .iter()
        .map(|entry| DetectorRow { detector: entry.name, compared: 0, changed: 0 })
        .collect();
    for (number, visit) in changed {
        let entries = gannet_engine::history(store, visit.url)?;
        let Some(at) = entries.iter().position(|entry| entry.number == *number) else { continue };
        let (Some(new), Some(old)) = (seen_at(&entries, at), seen_before(&entries, at)) else {
            continue;
        };
        // A version that cannot be read back is not compared; the counts say so.
        let read = |version, seen| archive.read_with_files(store, canonical, version, seen);
        let Ok(old) = read(old, entries[at - 1].visit.at) else { continue };
        let Ok(new) = read(new, visit.at) else { continue };
        for (row, entry) in rows.iter_mut().zip(DETECTORS) {
            row.compared += 1;
            let verdict = (entry.build)().compare(&old.version(), &new.version());
            row.changed += usize::from(verdict.is_change);
        }
    }
    Ok(rows)
}

fn tell(report: &Report) -> anyhow::Result<()> {
    let now = Timestamp::from(SystemTime::now());
    print::data(format_args!(
        "{} pages looked at by {now}: {} still say what was kept of them ({:.1} %)",
        report.checked,
        report.fresh,
        report.freshness * 100.0
    ))?;
    let mut table = Table::new(&[
        "site", "pages", "same", "noise", "cosmetic", "minor", "major", "gone", "moved", "errors",
    ]);
    for row in &report.sites {
        let counts = [
            row.checked,
            row.same,
            row.noise,
            row.cosmetic,
            row.minor,
            row.major,
            row.gone,
            row.moved,
            row.errors,
        ];
        table.row([row.site.clone()].into_iter().chain(counts.map(|count| count.to_string())));
    }
    table.print()?;
    if report.detectors.iter().all(|row| row.compared == 0) {
        return Ok(());
    }
    print::data("")?;
    let mut table = Table::new(&["detector", "pages with other bytes", "said to have changed"]);
    for row in &report.detectors {
        let mark = if row.detector == DEFAULT_DETECTOR { " (at first sight)" } else { "" };
        let name = format!("{}{mark}", row.detector);
        table.row([name, row.compared.to_string(), row.changed.to_string()]);
    }
    table.print()?;
    Ok(())
}
