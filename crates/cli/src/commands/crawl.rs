//! `gannet crawl`: starts a crawl, or goes on with the one in the data directory.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::SystemTime;

use clap::ArgMatches;
use gannet_engine::{DataDir, RobotsView, explain, read_store};
use gannet_model::Timestamp;
use gannet_store::{How, Store};

use crate::arguments::{Globals, TextOrJson};
use crate::commands::prepared::{Given, Prepared, prepare};
use crate::exit::{self, Exit};
use crate::flags::Flags;
use crate::progress_view::ProgressView;
use crate::summary::Summary;
use crate::{print, runner};

const EXAMPLES: &str = "Examples:\n  \
        gannet crawl --topic \"seabirds, plunge diving\" example.org https://example.net/birds\n  \
        gannet crawl --topic birds --seeds seeds.txt --max-pages 1000 --stay seed-domains\n  \
        gannet crawl --topic-file seabirds.topic.toml example.org\n  \
        gannet seeds --site example.org | gannet crawl --topic birds --seeds -\n  \
        gannet crawl                       go on where the last run ended\n\n\
        Ctrl-C once ends in good order, twice at once; nothing committed is ever lost.";

/// Arguments of `gannet crawl`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = EXAMPLES,
    after_long_help = format!("{EXAMPLES}\n\n{}", exit::TABLE),
)]
pub(crate) struct Args {
    /// Where to start: URLs or bare hosts; without any, the config file's or those of earlier runs
    #[arg(value_name = "SEED")]
    seeds: Vec<String>,
    /// A file with one seed per line, or - for standard input
    #[arg(long = "seeds", value_name = "FILE")]
    seeds_file: Option<PathBuf>,
    /// How the summary is written: text to stderr, JSON to stdout
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    flags: Flags,
}

/// Starts a crawl, or goes on with the one in the data directory.
pub(crate) fn run(
    args: &Args,
    globals: &Globals,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let overrides = args.flags.overrides(matches);
    let given = Given { seeds: &args.seeds, seeds_file: args.seeds_file.as_deref() };
    let Prepared { config, journey, data, answered, .. } = prepare(&given, overrides, globals)?;
    let mut view = match globals.quiet {
        true => ProgressView::silent(answered),
        false => ProgressView::new(config.limits.pages, answered),
    };
    let outcome = runner::run_in_view(config, &data, &mut view)?;
    let summary = Summary::new(&outcome, &data, view.rates());
    if !globals.quiet {
        summary.tell();
        if outcome.progress.counters.fetched == 0 {
            tell_why_nothing(&data, &journey)?;
        }
    }
    if args.format == TextOrJson::Json {
        print::json(&summary)?;
    }
    Ok(Exit::from(outcome.reason).into())
}

/// Seeds whose fate is told when nothing was fetched.
const SEEDS_TOLD: usize = 3;

/// Nothing was fetched: tells what became of the first seeds.
fn tell_why_nothing(data: &DataDir, journey: &gannet_engine::Journey) -> anyhow::Result<()> {
    let store = read_store(data)?;
    let mut seeds = Vec::new();
    store.each_url(&mut |_, record| {
        if record.found.how == How::Seed {
            seeds.push(record.url);
        }
        if seeds.len() < SEEDS_TOLD { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    for seed in seeds {
        let told = explain(&store, journey, &seed, Timestamp::from(SystemTime::now()))?;
        let because = told.record.as_ref().map(|record| record.because.clone());
        let because = match (&told.robots, because.filter(|because| !because.is_empty())) {
            (_, Some(because)) => because,
            (RobotsView::Disallowed(because), None) => because.clone(),
            _ => "it was not tried".to_owned(),
        };
        print::talk(format_args!("  {seed}: {because}"));
        if because.contains("private, local") {
            print::talk("    (--allow-address 127.0.0.0/8 allows a network of your own)");
        }
    }
    print::talk("  `gannet explain URL` tells everything about one of them.");
    Ok(())
}
