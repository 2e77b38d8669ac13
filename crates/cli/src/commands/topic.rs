//! `gannet topic`: makes, teaches and tests topics.

mod chosen;
mod learn;
mod new;
mod synonyms;
mod test;
mod versions;

use std::process::ExitCode;

use clap::{ArgMatches, Subcommand};

use crate::arguments::Globals;

/// Arguments of `gannet topic`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    errand: Errand,
}

#[derive(Debug, Subcommand)]
enum Errand {
    /// Write a topic file from words, example pages or both
    New(Box<new::Args>),
    /// Learn keywords from the example pages, and measure how well each model tells them apart
    Learn(learn::Args),
    /// Suggest other words for the keywords, from WordNet
    Synonyms(synonyms::Args),
    /// Judge pages by the topic, and show why
    Test(Box<test::Args>),
    /// List the versions of the model that judged the crawl
    Versions(versions::Args),
}

/// Does what was asked.
pub(crate) fn run(args: Args, globals: &Globals, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
    match args.errand {
        Errand::New(args) => new::run(&args, globals, matches),
        Errand::Learn(args) => learn::run(&args, globals),
        Errand::Synonyms(args) => synonyms::run(&args, globals),
        Errand::Test(args) => test::run(&args, globals, matches),
        Errand::Versions(args) => versions::run(&args, globals),
    }
}
