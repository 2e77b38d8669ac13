//! `gannet lab freshness`: how fresh each revisit policy keeps known pages.

use std::process::ExitCode;

use gannet_lab::freshness::{Contestant, Plan, Report, Signals, Source, SourceKind, Step, measure};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Format, print_grids};
use crate::exit::{Exit, UsageError};
use crate::{print, screen};

/// Measure revisit policies on pages whose changes are known
#[derive(clap::Args, Debug)]
#[command(group(clap::ArgGroup::new("pages_from").required(true)))]
pub(crate) struct Args {
    /// A file of pages and the times of their changes, or synthetic:NAME
    #[arg(long, value_name = "FILE|synthetic:NAME", group = "pages_from")]
    trace: Option<SourceKind>,
    /// Made-up pages: ln2-zipf, ln2-flat, buckets or mix
    #[arg(long, value_name = "NAME", group = "pages_from")]
    synthetic: Option<String>,
    /// The policies to measure, or `all`; `oracle` is what could be reached. Settings are written
    /// NAME:KEY=VALUE+KEY=VALUE
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "all")]
    policies: Vec<String>,
    /// How many visits there are for each change, each number measured apart
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        default_value = "0.1,0.3,1,3,10",
        value_parser = read_budget
    )]
    budgets: Vec<f64>,
    /// How many draws; figures are means over them
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    seeds: u16,
    /// How many made-up pages; 10000 without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pages: Option<u32>,
    /// A sitemap tells of this share of changes, 0 to 1
    #[arg(long, value_name = "SHARE", requires = "precision", value_parser = read_share)]
    recall: Option<f64>,
    /// This share of what the sitemap tells is so, above 0 to 1
    #[arg(long, value_name = "SHARE", requires = "recall", value_parser = read_share)]
    precision: Option<f64>,
    /// A sitemap says every day that every page was changed today
    #[arg(long, conflicts_with = "recall")]
    lying: bool,
    /// How many runs at the same time; as many as there are cores without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// How the figures are written
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "table")]
    format: Format,
}

/// Measures and prints.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let plan = plan(args)?;
    let source = Source::open(&kind(args)?, args.pages.map(|pages| pages as usize))?;
    print::talk(format!("{}: {} runs", source.name, runs(&plan)));
    let measured = watched(|watch| measure(&source, &plan, watch))?;
    let report = Report::new(source.name, measured);
    match args.format {
        Format::Json => print::json(&report)?,
        Format::Html => print::data(report.html())?,
        Format::Table => print_grids(report.grids())?,
    }
    Ok(Exit::Done.into())
}

fn kind(args: &Args) -> anyhow::Result<SourceKind> {
    match (&args.trace, &args.synthetic) {
        (Some(kind), _) => Ok(kind.clone()),
        (None, Some(name)) => Ok(SourceKind::synthetic(name)?),
        (None, None) => {
            Err(UsageError("say which pages: --trace or --synthetic".to_owned()).into())
        }
    }
}

fn plan(args: &Args) -> anyhow::Result<Plan> {
    let mut contestants: Vec<Contestant> = Vec::new();
    for name in &args.policies {
        let named = match name.as_str() {
            "all" => Contestant::all(),
            name => vec![Contestant::parse(name)?],
        };
        for contestant in named {
            if !contestants.contains(&contestant) {
                contestants.push(contestant);
            }
        }
    }
    let signals = match (args.recall, args.precision) {
        _ if args.lying => Signals::Lying,
        (Some(recall), Some(precision)) if precision > 0.0 => {
            Signals::Sitemap { recall, precision }
        }
        (Some(_), Some(_)) => {
            return Err(UsageError("--precision is 0; write a share above 0".to_owned()).into());
        }
        _ => Signals::None,
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Plan {
        contestants,
        budgets: args.budgets.clone(),
        seeds: args.seeds.into(),
        signals,
        threads: args.threads.map_or(cores, usize::from),
    })
}

fn runs(plan: &Plan) -> u64 {
    plan.seeds * (plan.contestants.len() * plan.budgets.len()) as u64
}

/// Measures with a bar that shows how many runs are done.
fn watched<T>(measure: impl FnOnce(&(dyn Fn(Step) + Sync)) -> T) -> T {
    let style = ProgressStyle::with_template("{pos}/{len} runs {wide_bar} {elapsed}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(0).with_style(style);
    screen::show(bar.clone());
    let measured = measure(&|step: Step| {
        bar.set_length(step.of as u64);
        bar.inc(1);
    });
    screen::clear();
    measured
}

fn read_budget(text: &str) -> Result<f64, String> {
    let budget = text.parse::<f64>().ok().filter(|budget| *budget > 0.0 && budget.is_finite());
    budget.ok_or_else(|| "write how many visits for each change, above 0, such as 0.3".to_owned())
}

fn read_share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a share from 0 to 1, such as 0.2".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_above_0_and_shares_from_0_to_1() {
        assert_eq!(read_budget("0.3"), Ok(0.3));
        assert_eq!(read_share("0.2"), Ok(0.2));
        for wrong in ["0", "-1", "inf", "much"] {
            assert!(read_budget(wrong).is_err(), "{wrong}");
        }
        for wrong in ["-0.1", "1.1", "NaN"] {
            assert!(read_share(wrong).is_err(), "{wrong}");
        }
    }
}
