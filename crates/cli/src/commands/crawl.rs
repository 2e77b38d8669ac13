//! `gannet crawl`: starts a crawl, or goes on with the one in the data directory.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::SystemTime;

use anyhow::Context;
use clap::ArgMatches;
use gannet_engine::{DataDir, RobotsView, explain, read_store};
use gannet_model::Timestamp;
use gannet_store::{How, Store};

use crate::arguments::{Globals, TextOrJson};
use crate::asking::warn_without_contact;
use crate::commands::earlier::Earlier;
use crate::config::{self, Loaded};
use crate::exit::{self, Exit, UsageError};
use crate::flags::Flags;
use crate::progress_view::ProgressView;
use crate::summary::Summary;
use crate::{kept_examples, print, runner, seeds};

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
    let path = config::find(globals.config.as_deref());
    let mut loaded = config::load(path.as_deref(), args.flags.overrides(matches))?;
    let data = globals.data();
    let earlier = Earlier::look(&data, &loaded.file)?;
    earlier.keep_strategies(&mut loaded);
    let sought = earlier.sought(&loaded)?;
    let mut seeds = seeds::gather(&args.seeds, args.seeds_file.as_deref(), &loaded)?;
    if seeds.is_empty() && earlier.record.is_none() {
        return Err(no_seeds(&data).into());
    }
    seeds.extend(earlier.seeds.iter().cloned());
    let examples = kept_examples::files(&sought.examples);
    let config = config::build(&loaded, sought, seeds)?;
    let journey = config::check(&loaded, &config)?;
    if !globals.quiet {
        announce(&loaded, &config, &earlier);
    }
    make_directory(&data)?;
    kept_examples::write(&data, &examples)
        .with_context(|| format!("cannot keep the example pages in {}", data.path().display()))?;
    let mut view = match globals.quiet {
        true => ProgressView::silent(earlier.answered),
        false => ProgressView::new(config.limits.pages, earlier.answered),
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

fn no_seeds(data: &DataDir) -> UsageError {
    let directory = data.path().display();
    UsageError(format!(
        "nowhere to start: {directory} holds no crawl to go on with; name a seed \
         (`gannet crawl example.org`), a list (`--seeds FILE`), or write `crawl.seeds` in gannet.toml"
    ))
}

fn announce(loaded: &Loaded, config: &gannet_engine::Config, earlier: &Earlier) {
    warn_without_contact(loaded);
    if let Some(before) = earlier.record.as_ref().filter(|b| b.topic != config.topic.to_string()) {
        print::warn(format_args!(
            "this data directory was about {}; what was judged by that stays as it was judged",
            before.topic
        ));
    }
    let begins = if earlier.record.is_some() { "Going on" } else { "Starting" };
    print::talk(format_args!(
        "{begins}: {} about {}{} ({} order, {} model).",
        match config.seeds.len() {
            0 => "seeds of earlier runs".to_owned(),
            1 => "1 seed".to_owned(),
            count => format!("{count} seeds"),
        },
        config.topic,
        match config.examples.len() {
            0 => String::new(),
            1 => ", with 1 example page".to_owned(),
            count => format!(", with {count} example pages"),
        },
        config.order.name,
        config.model.name,
    ));
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

/// Says early and clearly when the data directory cannot be used.
fn make_directory(data: &DataDir) -> anyhow::Result<()> {
    std::fs::create_dir_all(data.path()).with_context(|| {
        format!(
            "cannot make the data directory {}; choose another with --data-dir",
            data.path().display()
        )
    })
}
