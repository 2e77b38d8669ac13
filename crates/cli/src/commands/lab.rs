//! `gannet lab`: strategies and models measured against each other.

mod relevance;

use std::process::ExitCode;

/// Measure strategies and models against each other
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// How well each relevance model judges pages that people labelled
    Relevance(relevance::Args),
}

/// Runs the experiment.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Relevance(args) => relevance::run(&args),
    }
}
