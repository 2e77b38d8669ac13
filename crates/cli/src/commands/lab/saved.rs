//! `gannet lab saved`: what checking pages every day saves and misses, on a recorded site.

use std::path::PathBuf;
use std::process::ExitCode;

use gannet_lab::saved::{Plan, Report, Trace, measure};

use super::{Format, print_grids};
use crate::exit::Exit;
use crate::print;

/// Measure what checking pages every day saves and misses
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// What happened to a site: a folder or archive that holds trace.csv and blobs/
    #[arg(long, value_name = "FILE.tar.zst|DIR")]
    trace: PathBuf,
    /// How many pages are watched
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pages: u32,
    /// For how many days
    #[arg(
        long,
        value_name = "N",
        default_value_t = 30,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    days: u32,
    /// What fixes the draw of pages
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How the figures are written
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "table")]
    format: Format,
}

/// Measures and prints.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let trace = Trace::load(&args.trace)?;
    print::talk(format!("{}: {} pages", trace.name, trace.pages().count()));
    let plan = Plan { pages: args.pages as usize, days: args.days, seed: args.seed };
    let report = Report { trace: trace.name.clone(), measured: measure(&trace, &plan)? };
    match args.format {
        Format::Json => print::json(&report)?,
        Format::Html => print::data(report.html())?,
        Format::Table => print_grids(report.grids())?,
    }
    Ok(Exit::Done.into())
}
