//! The project's own chores: `cargo xtask setup | test | lint | tidy | docs`.
//!
//! `test` is all a fresh machine needs: it installs the few tools that some
//! tests ask for, then makes every check that a change must pass.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to who started it")]

mod counts;
mod setup;
mod step;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use counts::Counts;
use setup::Tools;
use step::{Steps, cargo};

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Does the chore named on the command line; false when it found fault.
fn run() -> Result<bool> {
    let root = root()?;
    let chore = std::env::args().nth(1).unwrap_or_default();
    let mut steps = Steps::default();
    match chore.as_str() {
        "setup" => {
            steps.run("setup", || setup::prepare(&root).map(|_| ()));
        }
        "lint" => lint(&root, &mut steps),
        "tidy" => check_tidiness(&root, &mut steps),
        "docs" => docs(&root, &mut steps),
        "test" => return test(&root, &mut steps),
        _ => bail!("say one of: cargo xtask setup | test | lint | tidy | docs"),
    }
    Ok(steps.report())
}

/// Everything, in the order in which faults are cheapest to find.
fn test(root: &Path, steps: &mut Steps) -> Result<bool> {
    let mut tools = Tools::default();
    steps.run("setup", || {
        tools = setup::prepare(root)?;
        Ok(())
    });
    lint(root, steps);
    check_tidiness(root, steps);
    let mut counts = Counts::default();
    steps.run("cargo test", || {
        let mut command = cargo(root, &["test", "--workspace", "--no-fail-fast"]);
        // Tests that cannot be made say so in their output, which is hidden otherwise.
        command.args(["--", "--show-output"]);
        if let Some(warcio) = &tools.warcio {
            command.env("GANNET_WARCIO", warcio);
        }
        counts = counts::run_counting(command)?;
        match counts.failed {
            0 => Ok(()),
            failed => bail!("{failed} failed"),
        }
    });
    docs(root, steps);
    let is_good = steps.report();
    println!("{counts}");
    Ok(is_good)
}

fn lint(root: &Path, steps: &mut Steps) {
    steps.run("cargo fmt --check", || step::call(cargo(root, &["fmt", "--all", "--check"])));
    steps.run("cargo clippy", || {
        let arguments = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
        step::call(cargo(root, &arguments))
    });
}

fn check_tidiness(root: &Path, steps: &mut Steps) {
    steps.run("tidy", || {
        let faults = tidy::check(root)?;
        for fault in &faults {
            println!("{fault}");
        }
        match faults.len() {
            0 => Ok(()),
            count => bail!("{count} places are not as CONTRIBUTING.md asks"),
        }
    });
}

fn docs(root: &Path, steps: &mut Steps) {
    steps.run("cargo doc", || {
        let mut command = cargo(root, &["doc", "--workspace", "--no-deps"]);
        command.env("RUSTDOCFLAGS", "-D warnings");
        step::call(command)
    });
}

/// The folder that holds the workspace.
fn root() -> Result<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().map(Path::to_owned).context("xtask lies in no workspace")
}
