//! `gannet completions`: a completion script for a shell.

use std::io::Write;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::exit::Exit;
use crate::print;

/// Arguments of `gannet completions`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  gannet completions bash > ~/.local/share/bash-completion/completions/gannet"
)]
pub(crate) struct Args {
    /// Whose script
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // The generator panics when it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "gannet", &mut script);
    print::stdout().write_all(&script)?;
    Ok(Exit::Done.into())
}
