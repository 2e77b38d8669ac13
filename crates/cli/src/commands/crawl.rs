//! `gannet crawl`: starts a crawl, or goes on with the one in the data directory.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::ArgMatches;
use gannet_engine::DataDir;

use crate::arguments::{Globals, TextOrJson};
use crate::commands::earlier::Earlier;
use crate::config::{self, Loaded};
use crate::exit::{self, Exit, UsageError};
use crate::flags::Flags;
use crate::progress_view::ProgressView;
use crate::summary::Summary;
use crate::{print, runner, seeds};

const EXAMPLES: &str = "Examples:\n  \
        gannet crawl --topic \"seabirds, plunge diving\" example.org https://example.net/birds\n  \
        gannet crawl --topic birds --seeds seeds.txt --max-pages 1000 --stay seed-domains\n  \
        cat seeds.txt | gannet crawl --seeds -\n  \
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
    let topic = earlier.topic(&loaded)?;
    let mut seeds = seeds::gather(&args.seeds, args.seeds_file.as_deref(), &loaded)?;
    if seeds.is_empty() && earlier.record.is_none() {
        return Err(no_seeds(&data).into());
    }
    seeds.extend(earlier.seeds);
    let config = config::build(&loaded, topic, seeds)?;
    config::check(&loaded, &config)?;
    if !globals.quiet {
        announce(&loaded, &config, earlier.record.is_some());
    }
    make_directory(&data)?;
    let mut view = match globals.quiet {
        true => ProgressView::silent(earlier.answered),
        false => ProgressView::new(config.limits.pages, earlier.answered),
    };
    let outcome = runner::run_in_view(config, &data, &mut view)?;
    let summary = Summary::new(&outcome, &data, view.rates());
    if !globals.quiet {
        summary.tell();
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

fn announce(loaded: &Loaded, config: &gannet_engine::Config, is_resuming: bool) {
    let politeness = &loaded.file.politeness;
    let is_open_web = config.fetch.allow_addresses.is_empty();
    if is_open_web && politeness.contact.is_none() && politeness.user_agent.is_none() {
        print::warn(
            "no contact is set, so operators of sites cannot reach you; set `politeness.contact` \
             or --contact to a page or an address of mail",
        );
    }
    let begins = if is_resuming { "Going on" } else { "Starting" };
    print::talk(format_args!(
        "{begins}: {} about {} ({} order, {} model).",
        match config.seeds.len() {
            0 => "seeds of earlier runs".to_owned(),
            1 => "1 seed".to_owned(),
            count => format!("{count} seeds"),
        },
        config.topic,
        config.order.name,
        config.model.name,
    ));
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
