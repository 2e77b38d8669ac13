//! The command line: what can be asked, and with which words.

use std::path::PathBuf;

use clap::{ArgAction, ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use gannet_engine::DataDir;

use crate::commands::{
    bench, changes, completions, config, crawl, demo, detect, diff, explain, export, freshness,
    history, init, lab, label, list, man, pages, plan, rejudge, seeds, show, sites, status, topic,
    watch,
};
use crate::exit;

const START_HERE: &str = "Start here:\n  gannet crawl --topic \"seabirds, plunge diving\" https://example.org/\n  \
                  gannet status\n  gannet pages --relevant\n\n`gannet help crawl` shows more. \
                  `gannet demo` crawls a web of its own, without any network.";

/// A focused, incremental web crawler: give it a topic and a few seeds, and it finds the pages on
/// that topic with as few requests as possible.
#[derive(Debug, Parser)]
#[command(
    name = "gannet",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = START_HERE,
    after_long_help = format!("{START_HERE}\n\n{}", exit::TABLE),
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command understands.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Globals {
    /// Use this config file; without it ./gannet.toml, then $XDG_CONFIG_HOME/gannet/gannet.toml
    #[arg(long, global = true, value_name = "FILE", env = "GANNET_CONFIG")]
    pub(crate) config: Option<PathBuf>,
    /// Keep the crawl's data here
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "GANNET_DATA_DIR",
        default_value = "gannet-data"
    )]
    pub(crate) data_dir: PathBuf,
    /// How log records are written to stderr
    #[arg(long, global = true, value_name = "FORMAT", value_enum, default_value = "text")]
    pub(crate) log_format: LogFormat,
    /// Log more; twice and thrice for yet more
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub(crate) verbose: u8,
    /// Say only what went wrong
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// When to use colours; NO_COLOR and CLICOLOR_FORCE are honoured by `auto`
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value = "auto")]
    pub(crate) color: Colour,
}

impl Globals {
    /// Where the crawl's data is.
    pub(crate) fn data(&self) -> DataDir {
        DataDir::new(&self.data_dir)
    }
}

/// How log records are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people
    Text,
    /// One JSON object per line
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal that can
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Colour {
    /// Makes it so for everything written from now on.
    pub(crate) fn write_global(self) {
        match self {
            Colour::Auto => anstream::ColorChoice::Auto,
            Colour::Always => anstream::ColorChoice::Always,
            Colour::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

/// How a command's data is written where a table and JSON are all there is to choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextOrJson {
    /// For people
    #[default]
    Text,
    /// One JSON document
    Json,
}

/// What can be asked.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a commented gannet.toml to start from
    Init(init::Args),
    /// Check the configuration, or print its JSON Schema
    Config(config::Args),
    /// Make, teach and test topics
    Topic(topic::Args),
    /// Find URLs to start from: search services, sitemaps, feeds, lists of links
    Seeds(Box<seeds::Args>),
    /// Start a crawl, or go on with the one in the data directory
    Crawl(Box<crawl::Args>),
    /// Find new pages and return to known ones when it is worth it, for months
    Watch(Box<watch::Args>),
    /// Show what a watch will fetch and why, and how fresh that keeps its pages
    Plan(plan::Args),
    /// Show how a crawl is doing, running or not
    Status(status::Args),
    /// Show everything known of one URL, fetched or not: how it was found, every score and rule,
    /// what happened, what is planned
    Explain(explain::Args),
    /// Show every version of a page, with what changed and whether it matters
    History(history::Args),
    /// Show a page as it was
    Show(show::Args),
    /// Show what changed between two versions of a page
    Diff(diff::Args),
    /// Show what is new, changed, gone, moved and back, the most significant first
    Changes(changes::Args),
    /// Look at every known page now, and tell what changed
    Freshness(Box<freshness::Args>),
    /// Show what every change detector says of two files
    Detect(detect::Args),
    /// List pages
    Pages(pages::Args),
    /// List sites
    Sites(sites::Args),
    /// Tell whether a page is about the topic: the model learns from it
    Label(label::Args),
    /// Judge every page that was kept anew, offline
    Rejudge(rejudge::Args),
    /// Write what was collected for other programs
    Export(export::Args),
    /// List every strategy, rule and exporter there is
    List(list::Args),
    /// Crawl a synthetic web on this machine and watch how it goes
    Demo(demo::Args),
    /// Measure how fast this machine crawls
    Bench(bench::Args),
    /// Measure strategies and models against each other
    Lab(lab::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
    /// Print the manual page, or write all of them to a directory
    Man(man::Args),
}

/// The command line as it was given, with the origin of every value.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) arguments: Arguments,
    /// The parser's own record: it knows which value came from the environment.
    matches: ArgMatches,
}

impl Invocation {
    /// Reads the command line, or tells what is wrong with it and ends.
    pub(crate) fn read() -> Invocation {
        let matches = Arguments::command().get_matches();
        match Arguments::from_arg_matches(&matches) {
            Ok(arguments) => Invocation { arguments, matches },
            Err(error) => error.exit(),
        }
    }

    pub(crate) fn globals(&self) -> &Globals {
        &self.arguments.globals
    }

    /// The record of the innermost command.
    pub(crate) fn matches(&self) -> &ArgMatches {
        let mut innermost = &self.matches;
        while let Some((_, matches)) = innermost.subcommand() {
            innermost = matches;
        }
        innermost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }
}
