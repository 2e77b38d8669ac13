//! `gannet lab detect`: how well each change detector tells edits from noise.

use std::path::PathBuf;
use std::process::ExitCode;

use gannet_lab::detect::{Report, all_detectors, load, measure};

use super::{Format, print_grids};
use crate::exit::{Exit, UsageError};
use crate::print;

/// Measure change detectors on pairs of page versions
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Where pairs lie, in folders or archives that hold pairs.jsonl and html/ID.html
    #[arg(long, value_name = "DIR")]
    pairs: PathBuf,
    /// The detectors to measure, or `all`
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "all")]
    detectors: Vec<String>,
    /// How many sites are measured at the same time; one without it, so that times can be compared
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    threads: u16,
    /// How the figures are written
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "table")]
    format: Format,
}

/// Measures and prints.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let detectors = chosen(&args.detectors)?;
    let pairs = load(&args.pairs)?;
    print::talk(format!("{} pairs of versions", pairs.len()));
    let report = Report(measure(&pairs, &detectors, args.threads.into()));
    match args.format {
        Format::Json => print::json(&report)?,
        Format::Html => print::data(report.html())?,
        Format::Table => print_grids(report.grids())?,
    }
    Ok(Exit::Done.into())
}

fn chosen(names: &[String]) -> Result<Vec<&'static str>, UsageError> {
    let all = all_detectors();
    if names.iter().any(|name| name == "all") {
        return Ok(all);
    }
    let find = |name: &String| {
        all.iter().copied().find(|known| known == name).ok_or_else(|| {
            UsageError(format!(
                "no change detector is called {name:?}; there are: {}",
                all.join(", ")
            ))
        })
    };
    names.iter().map(find).collect()
}
