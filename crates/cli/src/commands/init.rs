//! `gannet init`: writes a commented `gannet.toml` to start from.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use crate::config::{FILE_NAME, template};
use crate::exit::{Exit, UsageError};
use crate::print;

/// Arguments of `gannet init`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  gannet init\n  gannet init seabirds && cd seabirds && gannet crawl"
)]
pub(crate) struct Args {
    /// The directory, made if there is none
    #[arg(value_name = "DIR", default_value = ".")]
    directory: PathBuf,
    /// Write over a gannet.toml that is there
    #[arg(long)]
    force: bool,
}

/// Writes the file.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let path = args.directory.join(FILE_NAME);
    if path.exists() && !args.force {
        let message = format!("{} is there already; --force writes over it", path.display());
        return Err(UsageError(message).into());
    }
    std::fs::create_dir_all(&args.directory)
        .with_context(|| format!("cannot make {}", args.directory.display()))?;
    std::fs::write(&path, template())
        .with_context(|| format!("cannot write {}", path.display()))?;
    print::talk(format_args!("Wrote {}: name your topic and seeds there.", path.display()));
    Ok(Exit::Done.into())
}
