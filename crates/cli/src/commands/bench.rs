//! `gannet bench`: what a crawl costs, measured on this machine and beside its peers.

mod crawl;
mod detectors;
mod history;
mod machine;
mod queue;
mod schedule;
mod serve;
mod stations;

use std::process::ExitCode;

/// Measure what crawling costs on this machine
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand, Debug)]
enum What {
    /// A real crawl of a loopback web, everything on, beside wget2 if it is installed
    Crawl(crawl::Args),
    /// Change detectors on pages of twenty megabytes: does their time grow with the page?
    Detectors(detectors::Args),
    /// A year of daily visits: bytes per unchanged visit, and the time to find a version
    History(history::Args),
    /// Millions of links into the queue: rate and memory
    Queue(queue::Args),
    /// Millions of known pages in the schedule of returns: time per visit, memory per page
    Schedule(schedule::Args),
    /// Serve the web of `bench crawl` until stdin closes
    #[command(hide = true)]
    Serve(serve::Args),
}

/// Runs the measurement.
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Crawl(args) => crawl::run(&args),
        What::Detectors(args) => detectors::run(&args),
        What::History(args) => history::run(&args),
        What::Queue(args) => queue::run(&args),
        What::Schedule(args) => schedule::run(&args),
        What::Serve(args) => serve::run(&args),
    }
}
