//! `gannet config`: checks the configuration, or prints its JSON Schema.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{ArgMatches, Subcommand};
use serde::Serialize;

use crate::arguments::{Globals, TextOrJson};
use crate::config::{self, EffectiveValue, Loaded};
use crate::exit::Exit;
use crate::flags::Flags;
use crate::table::Table;
use crate::topic::{self, Described};
use crate::{print, seeds};

/// Arguments of `gannet config`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// Check the configuration and print every value in force with its origin
    #[command(
        after_help = "Mistakes are shown with file, line and what would be right; the exit code is 3 then."
    )]
    Check(Box<Check>),
    /// Print the JSON Schema of the config file, for editors and other checkers
    Schema {
        /// That of topic files instead
        #[arg(long)]
        topic: bool,
    },
}

#[derive(Debug, clap::Args)]
struct Check {
    /// The file to check; without it the one that `gannet crawl` would use
    file: Option<PathBuf>,
    /// How the values are written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    flags: Flags,
}

/// What `gannet config check --format json` writes.
#[derive(Debug, Serialize)]
struct Checked<'a> {
    /// The file in use; null without one.
    file: Option<String>,
    /// Every value in force.
    values: &'a [EffectiveValue],
}

/// Answers the question.
pub(crate) fn run(
    args: &Args,
    globals: &Globals,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    match &args.question {
        Question::Schema { topic: false } => print::json(&config::schema())?,
        Question::Schema { topic: true } => print::json(&topic::schema())?,
        Question::Check(check) => {
            let path = check.file.clone().or_else(|| config::find(globals.config.as_deref()));
            let loaded = config::load(path.as_deref(), check.flags.overrides(matches))?;
            check_whole(&loaded)?;
            show(&loaded, check.format)?;
        }
    }
    Ok(Exit::Done.into())
}

/// Builds everything that a crawl would build, and lets it go.
fn check_whole(loaded: &Loaded) -> anyhow::Result<()> {
    let sought = match Described::of_config(loaded)? {
        None => {
            print::warn(
                "no topic is set; `gannet crawl` takes it from --topic or from earlier runs",
            );
            gannet_relevance::Topic::from_words("anything")?.into()
        }
        Some(described) => described.sought(&config::content_limits(&loaded.file))?,
    };
    // Seeds may come from the command line.
    let seeds = seeds::gather(&[], None, loaded)?;
    let config = config::build_aside(loaded, sought, seeds)?;
    config::check(loaded, &config)?;
    Ok(())
}

fn show(loaded: &Loaded, format: TextOrJson) -> anyhow::Result<()> {
    let values = config::effective_values(loaded);
    let file = loaded.path().map(|path| path.display().to_string());
    if format == TextOrJson::Json {
        return print::json(&Checked { file, values: &values });
    }
    match file {
        Some(file) => print::talk(format_args!("{file} is right.")),
        None => {
            print::talk("There is no config file; these are the defaults, flags and environment.");
        }
    }
    let mut table = Table::new(&["key", "value", "origin"]);
    for value in values {
        let shown =
            if value.value.is_null() { "not set".to_owned() } else { value.value.to_string() };
        table.row([value.key, shown, value.origin]);
    }
    table.print()?;
    Ok(())
}
