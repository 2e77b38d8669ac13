//! `gannet watch`: finds new pages and returns to known ones, for months.
//!
//! A change of the config file or of the topic file ends the run in good order and begins the next
//! with the new settings, in the same process.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use clap::ArgMatches;
use gannet_engine::{DailyBudget, WatchConfig};

use crate::arguments::{Globals, TextOrJson};
use crate::commands::prepared::{Given, Prepared, prepare};
use crate::config::{self, Override, rounded_size};
use crate::exit::{self, Exit};
use crate::flags::{Flags, WatchFlags};
use crate::progress_view::ProgressView;
use crate::summary::Summary;
use crate::{print, runner};

const EXAMPLES: &str = "Examples:\n  \
        gannet watch --topic seabirds example.org --requests-per-day 5000\n  \
        gannet watch --bytes-per-day 500MiB\n  \
        gannet watch                       go on, as politely as hosts allow\n\n\
        `gannet plan` shows what it will do and how fresh that keeps its pages. Ctrl-C ends in good \
        order; whenever it begins again, it goes on. A change of gannet.toml or of the topic file \
        takes effect while it runs.";

/// Arguments of `gannet watch`.
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
    #[command(flatten)]
    watch: WatchFlags,
    /// How the summary is written: text to stderr, JSON to stdout
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    flags: Flags,
}

fn overrides(args: &Args, matches: &ArgMatches) -> Vec<Override> {
    let mut set = args.watch.overrides(matches);
    set.extend(args.flags.overrides(matches));
    set
}

/// Watches until it is told to stop.
pub(crate) fn run(
    args: &Args,
    globals: &Globals,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let given = Given { seeds: &args.seeds, seeds_file: args.seeds_file.as_deref() };
    let mut prepared = prepare(&given, overrides(args, matches), globals)?;
    let mut watch = config::watch(&prepared.loaded)?;
    loop {
        let Prepared { mut config, data, answered, loaded, path, .. } = prepared;
        if !globals.quiet {
            print::talk(format_args!("Watching {} ({} policy).", told(&watch), watch.policy.name));
        }
        config.watch = Some(watch.clone());
        let mut view = match globals.quiet {
            true => ProgressView::silent(answered),
            false => ProgressView::new(None, answered),
        };
        let files = Files::new(path.iter().cloned().chain(topic_file(&loaded)));
        let (outcome, is_changed) =
            runner::watch_in_view(config, &data, &mut view, &|| files.are_changed())?;
        if !is_changed {
            let summary = Summary::new(&outcome, &data, view.rates());
            if !globals.quiet {
                summary.tell();
            }
            if args.format == TextOrJson::Json {
                print::json(&summary)?;
            }
            return Ok(Exit::from(outcome.reason).into());
        }
        (prepared, watch) = again(args, &given, globals, matches, &files)?;
    }
}

/// What the day's budget is, in words.
fn told(watch: &WatchConfig) -> String {
    match watch.budget {
        DailyBudget::Polite => "as politeness allows".to_owned(),
        DailyBudget::Requests(requests) => format!("with {requests} requests a day"),
        DailyBudget::Bytes(bytes) => format!("with {} a day", rounded_size(bytes as u64)),
    }
}

/// The settings after a change; what is wrong is told, and waited for.
fn again(
    args: &Args,
    given: &Given<'_>,
    globals: &Globals,
    matches: &ArgMatches,
    files: &Files,
) -> anyhow::Result<(Prepared, WatchConfig)> {
    let mut files = Files::new(files.paths());
    loop {
        let prepared = prepare(given, overrides(args, matches), globals);
        let ready = prepared.and_then(|prepared| {
            let watch = config::watch(&prepared.loaded)?;
            Ok((prepared, watch))
        });
        match ready {
            Ok(ready) => return Ok(ready),
            Err(error) => {
                print::warn(format_args!("the new settings are wrong: {error:#}"));
                print::warn("waiting for them to be mended; Ctrl-C ends the watch");
                files.wait_for_change();
                files = Files::new(files.paths());
            }
        }
    }
}

fn topic_file(loaded: &config::Loaded) -> Option<PathBuf> {
    loaded.file.topic.file.as_ref().map(|path| loaded.resolve(path))
}

/// Files whose change is a change of settings.
struct Files(Vec<(PathBuf, Stamp)>);

/// When a file was written and how long it is; `None` while it cannot be seen.
type Stamp = Option<(SystemTime, u64)>;

fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

impl Files {
    fn new(paths: impl IntoIterator<Item = PathBuf>) -> Files {
        Files(paths.into_iter().map(|path| (path.clone(), stamp(&path))).collect())
    }

    fn paths(&self) -> Vec<PathBuf> {
        self.0.iter().map(|(path, _)| path.clone()).collect()
    }

    /// True when one is another than it was. One that is gone may be about to be replaced.
    fn are_changed(&self) -> bool {
        self.0.iter().any(|(path, before)| {
            let now = stamp(path);
            now.is_some() && now != *before
        })
    }

    fn wait_for_change(&self) {
        while !self.are_changed() {
            std::thread::sleep(runner::LOOKED_AT_EVERY);
        }
    }
}
