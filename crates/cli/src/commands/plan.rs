//! `gannet plan`: what a watch will fetch and why, and how fresh that keeps its pages.

use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use clap::ArgMatches;
use gannet_engine::{Measured, Outlook, PlannedVisit, SiteOutlook, outlook, read_store};
use gannet_model::Timestamp;
use serde::Serialize;

use crate::arguments::{Globals, TextOrJson};
use crate::config::{self, Span};
use crate::exit::Exit;
use crate::flags::WatchFlags;
use crate::print;
use crate::table::Table;

/// Arguments of `gannet plan`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    gannet plan\n  \
    gannet plan --requests-per-day 2000      what that budget would come to\n  \
    gannet plan --next 50 --format json\n\n\
    Freshness is the share of importance whose copies say what the pages say. `expected` is worked \
    out from how often pages were seen to change; `measured` is what the visits of the last 30 days \
    showed.\n\n\
    JSON fields: pages, due {hour, day, week}, expected, measured {visits, fresh}, budgets \
    [{times, expected}], sites [{site, pages, weight, expected, measured}], next [{url, due, seen, \
    rate, rate_low, rate_high, importance, fresh, value, price}].")]
pub(crate) struct Args {
    /// How many of the next visits are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    next: usize,
    /// How many sites are shown
    #[arg(long, value_name = "N", default_value_t = 10)]
    sites: usize,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    watch: WatchFlags,
}

/// What will be done. The field names are stable.
#[derive(Debug, Serialize)]
struct Report {
    pages: usize,
    due: DueReport,
    expected: f64,
    measured: Option<MeasuredReport>,
    budgets: Vec<BudgetReport>,
    sites: Vec<SiteReport>,
    next: Vec<VisitPlan>,
}

#[derive(Debug, Serialize)]
struct DueReport {
    hour: usize,
    day: usize,
    week: usize,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct MeasuredReport {
    pub(crate) visits: usize,
    pub(crate) fresh: f64,
}

#[derive(Debug, Serialize)]
struct BudgetReport {
    times: f64,
    expected: f64,
}

#[derive(Debug, Serialize)]
struct SiteReport {
    site: String,
    pages: usize,
    weight: f64,
    expected: f64,
    measured: Option<MeasuredReport>,
}

/// A visit that is planned, and why. The field names are stable.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct VisitPlan {
    pub(crate) url: String,
    pub(crate) due: String,
    pub(crate) seen: String,
    /// Changes a day, as estimated; null where the policy does not estimate.
    pub(crate) rate: Option<f64>,
    pub(crate) rate_low: Option<f64>,
    pub(crate) rate_high: Option<f64>,
    pub(crate) importance: f64,
    /// The chance that the copy is as the page is.
    pub(crate) fresh: Option<f64>,
    /// Weighted days of freshness that a visit now would bring.
    pub(crate) value: Option<f64>,
    pub(crate) price: Option<f64>,
}

impl From<Measured> for MeasuredReport {
    fn from(measured: Measured) -> MeasuredReport {
        MeasuredReport { visits: measured.visits, fresh: measured.fresh }
    }
}

impl From<SiteOutlook> for SiteReport {
    fn from(site: SiteOutlook) -> SiteReport {
        let SiteOutlook { site, pages, weight, expected, measured } = site;
        SiteReport { site, pages, weight, expected, measured: measured.map(Into::into) }
    }
}

impl From<PlannedVisit> for VisitPlan {
    fn from(planned: PlannedVisit) -> VisitPlan {
        let account = planned.account;
        VisitPlan {
            url: planned.url.into(),
            due: planned.due.to_string(),
            seen: planned.seen.to_string(),
            rate: account.rate,
            rate_low: account.rate_between.map(|(low, _)| low),
            rate_high: account.rate_between.map(|(_, high)| high),
            importance: account.importance,
            fresh: account.fresh,
            value: account.value,
            price: account.price,
        }
    }
}

impl From<Outlook> for Report {
    fn from(outlook: Outlook) -> Report {
        let within = |at: usize| outlook.due.get(at).map_or(0, |(_, visits)| *visits);
        let budget = |(times, expected)| BudgetReport { times, expected };
        Report {
            pages: outlook.pages,
            due: DueReport { hour: within(0), day: within(1), week: within(2) },
            expected: outlook.expected,
            measured: outlook.measured.map(Into::into),
            budgets: outlook.budgets.into_iter().map(budget).collect(),
            sites: outlook.sites.into_iter().map(Into::into).collect(),
            next: outlook.next.into_iter().map(Into::into).collect(),
        }
    }
}

/// Prints the plan.
pub(crate) fn run(
    args: &Args,
    globals: &Globals,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let path = config::find(globals.config.as_deref());
    let loaded = config::load(path.as_deref(), args.watch.overrides(matches))?;
    let watch = config::watch(&loaded)?;
    let store = read_store(&globals.data())?;
    let now = Timestamp::from(SystemTime::now());
    let outlook = outlook(&store, &watch, now, args.next)?;
    if outlook.pages == 0 {
        print::talk("no page is watched yet: `gannet watch` begins");
    }
    let mut report = Report::from(outlook);
    if args.format == TextOrJson::Json {
        print::json(&report)?;
        return Ok(Exit::Done.into());
    }
    report.sites.truncate(args.sites);
    tell(&report, now)?;
    Ok(Exit::Done.into())
}

fn tell(report: &Report, now: Timestamp) -> anyhow::Result<()> {
    let DueReport { hour, day, week } = report.due;
    print::data(format_args!("{} pages are watched", report.pages))?;
    print::data(format_args!("due within an hour {hour}, a day {day}, a week {week}"))?;
    let measured = report.measured.map_or_else(
        || "nothing measured yet".to_owned(),
        |measured| format!("{:.3} measured by {} visits", measured.fresh, measured.visits),
    );
    print::data(format_args!("freshness {:.3} expected now, {measured}", report.expected))?;
    let budgets: Vec<String> =
        report.budgets.iter().map(|at| format!("{}× {:.3}", at.times, at.expected)).collect();
    if budgets.is_empty() {
        print::data("no daily budget is set, so other budgets cannot be compared")?;
    } else {
        print::data(format_args!("with other budgets: {}", budgets.join(", ")))?;
    }
    tell_sites(&report.sites)?;
    tell_next(&report.next, now)
}

fn tell_sites(sites: &[SiteReport]) -> anyhow::Result<()> {
    if sites.is_empty() {
        return Ok(());
    }
    print::data("")?;
    let mut table = Table::new(&["site", "pages", "weight", "expected", "measured", "visits"]);
    for site in sites {
        let measured = site.measured.map(|measured| format!("{:.3}", measured.fresh));
        let visits = site.measured.map(|measured| measured.visits.to_string());
        table.row([
            site.site.clone(),
            site.pages.to_string(),
            format!("{:.1} %", 100.0 * site.weight),
            format!("{:.3}", site.expected),
            measured.unwrap_or_default(),
            visits.unwrap_or_default(),
        ]);
    }
    table.print()?;
    Ok(())
}

fn tell_next(next: &[VisitPlan], now: Timestamp) -> anyhow::Result<()> {
    if next.is_empty() {
        return Ok(());
    }
    print::data("")?;
    let mut table =
        Table::new(&["due", "page", "changes a day", "importance", "fresh", "value", "price"]);
    for visit in next {
        table.row([
            due_in(&visit.due, now),
            visit.url.clone(),
            rate(visit),
            format!("{:.3}", visit.importance),
            number(visit.fresh),
            number(visit.value),
            number(visit.price),
        ]);
    }
    table.print()?;
    Ok(())
}

/// How long until a visit is due.
pub(crate) fn due_in(due: &str, now: Timestamp) -> String {
    let Ok(due) = due.parse::<Timestamp>() else { return due.to_owned() };
    if due <= now {
        return "now".to_owned();
    }
    let seconds = due.since(now).as_secs();
    format!("in {}", Span::from(Duration::from_secs(seconds)))
}

/// A rate with its bounds.
pub(crate) fn rate(visit: &VisitPlan) -> String {
    match (visit.rate, visit.rate_low, visit.rate_high) {
        (Some(rate), Some(low), Some(high)) => format!("{rate:.3} ({low:.3}–{high:.3})"),
        (Some(rate), ..) => format!("{rate:.3}"),
        _ => String::new(),
    }
}

/// A figure, or nothing where there is none.
pub(crate) fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.3}"))
}
