//! `gannet lab`: strategies and models measured against each other.

mod detect;
mod freshness;
mod harvest;
mod relevance;
mod saved;
mod watch;

use std::process::ExitCode;

use clap::ValueEnum;
use gannet_lab::relevance::Grid;

use crate::print;
use crate::table::Table;

/// Measure strategies and models against each other
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// How well each change detector tells edits from noise, on pairs of page versions
    Detect(detect::Args),
    /// How fresh each revisit policy keeps pages whose changes are known
    Freshness(freshness::Args),
    /// How much of a topic each ordering finds, and how soon, on one web for all
    Harvest(harvest::Args),
    /// How well each relevance model judges pages that people labelled
    Relevance(relevance::Args),
    /// What checking pages every day saves and misses, on the recorded history of a site
    Saved(saved::Args),
    /// A month of watching a changing web on a virtual clock, with a kill every day
    Watch(watch::Args),
}

/// Runs the experiment.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Detect(args) => detect::run(&args),
        What::Freshness(args) => freshness::run(&args),
        What::Harvest(args) => harvest::run(&args),
        What::Relevance(args) => relevance::run(&args),
        What::Saved(args) => saved::run(&args),
        What::Watch(args) => watch::run(&args),
    }
}

/// How figures are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// One JSON document
    Json,
    /// One page with tables and plots
    Html,
}

/// Prints tables below each other, with a line between.
fn print_grids(grids: Vec<Grid>) -> anyhow::Result<()> {
    for grid in grids {
        print::data(&grid.title)?;
        let head: Vec<&str> = grid.head.iter().map(String::as_str).collect();
        let mut table = Table::new(&head);
        for row in grid.rows {
            table.row(row);
        }
        table.print()?;
        print::data("")?;
    }
    Ok(())
}
