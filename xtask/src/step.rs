//! A check with a headline, a duration and a verdict.
//!
//! A failed step does not stop the next: one run should tell everything.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};

/// The steps made so far.
#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<Step>,
}

struct Step {
    name: &'static str,
    seconds: f64,
    is_good: bool,
}

impl Steps {
    /// Makes a step, telling its name before and its verdict after.
    pub(crate) fn run(&mut self, name: &'static str, action: impl FnOnce() -> Result<()>) {
        println!("== {name}");
        let begun = Instant::now();
        let outcome = action();
        let seconds = begun.elapsed().as_secs_f64();
        match &outcome {
            Ok(()) => println!("== {name}: good, {seconds:.1} s\n"),
            Err(error) => println!("== {name}: FAILED, {seconds:.1} s: {error:#}\n"),
        }
        self.done.push(Step { name, seconds, is_good: outcome.is_ok() });
    }

    /// Tells all steps again, in brief; true when all were good.
    pub(crate) fn report(&self) -> bool {
        for step in &self.done {
            let verdict = if step.is_good { "good" } else { "FAILED" };
            println!("{:20} {verdict:7} {:7.1} s", step.name, step.seconds);
        }
        self.done.iter().all(|step| step.is_good)
    }
}

/// The cargo that runs us, at the root of the workspace.
pub(crate) fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root);
    command
}

/// Runs a command to its end; its failure is ours.
pub(crate) fn call(mut command: Command) -> Result<()> {
    let shown = format!("{command:?}");
    let status = command.status().with_context(|| format!("cannot start {shown}"))?;
    if !status.success() {
        bail!("{status}");
    }
    Ok(())
}
