//! `gannet man`: the manual pages.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;

use crate::arguments::Arguments;
use crate::exit::Exit;
use crate::print;

/// Arguments of `gannet man`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  gannet man | man -l -\n  gannet man --output ~/.local/share/man/man1"
)]
pub(crate) struct Args {
    /// Write the pages of all commands to this directory
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Prints the page of the program, or writes all pages.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let command = Arguments::command();
    match &args.output {
        Some(directory) => {
            std::fs::create_dir_all(directory)
                .with_context(|| format!("cannot make {}", directory.display()))?;
            clap_mangen::generate_to(command, directory)
                .with_context(|| format!("cannot write to {}", directory.display()))?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            print::stdout().write_all(&page)?;
        }
    }
    Ok(Exit::Done.into())
}
