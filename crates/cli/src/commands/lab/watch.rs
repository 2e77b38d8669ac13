//! `gannet lab watch`: a month of `gannet watch` on a virtual clock, killed at the end of every day.
//!
//! Every day runs in a process of its own, which is killed while its requests are under way: it
//! tells how many visits it has stored, waits for the next line of its input, and never gets one.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, bail};
use gannet_lab::watch::{Month, Verdict, judge};

use crate::arguments::TextOrJson;
use crate::exit::Exit;
use crate::print;

/// Watch a changing web for a month of virtual time, with a kill every day
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Sites that are watched
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    sites: u32,
    /// Pages over all sites
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pages: u64,
    /// Days that are watched
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    days: u32,
    /// Days at the beginning that are for learning and not scored
    #[arg(long, value_name = "N", default_value_t = 10)]
    learning_days: u32,
    /// Requests a day
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    requests_per_day: u32,
    /// Another number makes another web
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How the figures are written
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text")]
    format: TextOrJson,
    /// Watch this day alone, tell the number of visits and wait for the end
    #[arg(long, hide = true, requires = "directory")]
    day: Option<u32>,
    /// Where the watch is kept
    #[arg(long, hide = true)]
    directory: Option<PathBuf>,
}

/// Watches, judges and prints.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let month = Month {
        sites: args.sites,
        pages: args.pages,
        days: args.days,
        learning_days: args.learning_days.min(args.days - 1),
        requests_per_day: f64::from(args.requests_per_day),
        seed: args.seed,
    };
    if let (Some(day), Some(directory)) = (args.day, &args.directory) {
        print::data(month.watch_day(directory, day)?)?;
        // Whoever asked kills us now; if they are gone, so is the wish.
        let _ = std::io::stdin().read_line(&mut String::new());
        return Ok(Exit::Done.into());
    }
    let directory = std::env::temp_dir().join(format!("gannet-watch-{}", std::process::id()));
    std::fs::create_dir_all(&directory)
        .with_context(|| format!("cannot make {}", directory.display()))?;
    let verdict = watch(&month, args, &directory);
    // The directory is ours; what cannot be removed is left to the system's cleaning.
    let _ = std::fs::remove_dir_all(&directory);
    let verdict = verdict?;
    match args.format {
        TextOrJson::Json => print::json(&verdict)?,
        TextOrJson::Text => tell(&verdict)?,
    }
    Ok(Exit::Done.into())
}

fn watch(month: &Month, args: &Args, directory: &Path) -> anyhow::Result<Verdict> {
    let found = month.find_all(directory)?;
    print::talk(format!("{found} pages found on {} sites", month.sites));
    let mut lost = 0;
    let mut told = 0;
    for day in 0..month.days {
        let stored = stored_visits(month, directory)?;
        lost += told.max(stored) - stored;
        told = watch_and_kill(args, directory, day)?;
        print::talk(format!("day {}: {told} visits stored, killed", day + 1));
    }
    let stored = stored_visits(month, directory)?;
    lost += told.max(stored) - stored;
    Ok(judge(month, directory, lost)?)
}

/// The visits that a new process finds.
fn stored_visits(month: &Month, directory: &Path) -> anyhow::Result<u64> {
    Ok(month.stored_visits(directory)?)
}

/// Lets a process watch one day and kills it; how many visits it had stored.
fn watch_and_kill(args: &Args, directory: &Path, day: u32) -> anyhow::Result<u64> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let mut child = Command::new(program)
        .args(["lab", "watch"])
        .args(["--sites", &args.sites.to_string(), "--pages", &args.pages.to_string()])
        .args(["--days", &args.days.to_string(), "--seed", &args.seed.to_string()])
        .args(["--requests-per-day", &args.requests_per_day.to_string()])
        .args(["--day", &day.to_string(), "--directory"])
        .arg(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start a process for the day")?;
    let output = child.stdout.take().context("the process has no output")?;
    let mut line = String::new();
    let read = BufReader::new(output).read_line(&mut line);
    // On Unix this is SIGKILL.
    child.kill().context("cannot kill the process of the day")?;
    child.wait().context("the process of the day does not end")?;
    read.context("the process of the day says nothing")?;
    match line.trim().parse() {
        Ok(visits) => Ok(visits),
        Err(_) => bail!("day {day} failed; its own message stands above"),
    }
}

/// Broken rules that are told one by one.
const VIOLATIONS_TOLD: usize = 3;

fn tell(verdict: &Verdict) -> anyhow::Result<()> {
    let Verdict { measured, lab, .. } = verdict;
    print::data(format_args!("{} pages, {} days", verdict.pages, verdict.days))?;
    print::data(format_args!(
        "requests    {} of {:.0} that the budget allowed ({:.1} %)",
        verdict.requests,
        verdict.allowed,
        100.0 * verdict.used
    ))?;
    print::data(format_args!("for pages   {}", verdict.page_requests))?;
    print::data(format_args!("impolite    {}", verdict.violations.len()))?;
    for violation in verdict.violations.iter().take(VIOLATIONS_TOLD) {
        print::data(format_args!("  {violation}"))?;
    }
    print::data(format_args!("lost        {} visits to kills", verdict.lost_visits))?;
    print::data(format_args!(
        "fresh       {:.4} measured, {:.4} in the lab of freshness",
        measured.fresh, lab.fresh
    ))?;
    print::data(format_args!(
        "unweighted  {:.4} measured, {:.4} in the lab of freshness",
        measured.fresh_unweighted, lab.fresh_unweighted
    ))?;
    Ok(())
}
