//! A real crawl of a loopback web, everything on: parse, judge, store, WARC.
//!
//! The web is served by another process. What counts is pages per second of
//! the crawler's own processor time: it does not depend on how busy the
//! machine is, only on how fast it is, and the peers are measured in the same run.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use gannet_engine::{Config, DataDir};
use gannet_fetch::Overrides;
use gannet_model::PageUrl;
use gannet_relevance::Topic;
use serde::Serialize;

use super::machine::{cpu_time, peak_memory};
use super::serve::Announcement;
use super::stations::{self, Station};
use crate::exit::Exit;
use crate::{print, runner};

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// How many pages the web has
    #[arg(long, default_value_t = 20_000)]
    pages: u64,
    /// Do not run wget2 beside
    #[arg(long)]
    alone: bool,
    /// Run so many times and keep the best of each
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For scripts
    Json,
}

/// What was measured.
#[derive(Debug, Serialize)]
struct Measured {
    gannet: Run,
    peak_rss_bytes: u64,
    archive_bytes: u64,
    store_bytes: u64,
    stations: Vec<Station>,
    /// wget2, throwing away what it fetched.
    wget2: Option<Run>,
    /// wget2, writing what it fetched to files as it usually does.
    wget2_saving: Option<Run>,
    /// Gannet's pages per CPU-second as a multiple of wget2's when that throws everything away …
    ratio: Option<f64>,
    /// … and when it saves files.
    ratio_saving: Option<f64>,
}

/// What one crawl of the web took.
#[derive(Debug, Serialize)]
struct Run {
    pages: u64,
    seconds: f64,
    cpu_seconds: f64,
    pages_per_cpu_second: f64,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let directory = std::env::temp_dir().join(format!("gannet-bench-{}", std::process::id()));
    let measured = measure(args, &directory);
    // The directory is ours and new; what cannot be removed is left to the system's cleaning.
    let _ = std::fs::remove_dir_all(&directory);
    let measured = measured?;
    match args.format {
        Format::Json => print::data(serde_json::to_string_pretty(&measured)?)?,
        Format::Text => tell(&measured)?,
    }
    Ok(Exit::Done.into())
}

/// Runs everybody in turn, a few rounds, and keeps the best round of each: the machine may be
/// busy with other things, and that only ever costs time.
fn measure(args: &Args, directory: &std::path::Path) -> anyhow::Result<Measured> {
    let mut web = WebProcess::start(args.pages)?;
    let (mut best, mut discarding, mut saving) = (None, None, None);
    let mut kept = (0, 0);
    for round in 1..=args.rounds.max(1) {
        let data = DataDir::new(directory.join(format!("round-{round}")));
        keep_better(&mut best, Some(gannet(&web.announcement, &data)?));
        kept = (size_of(&data.archive())?, size_of(&data.store())?);
        if !args.alone {
            keep_better(
                &mut discarding,
                wget2(&mut web, directory, &["--output-document=/dev/null"])?,
            );
            keep_better(&mut saving, wget2(&mut web, directory, &["--force-directories"])?);
        }
    }
    let best: Run = best.context("no round was run")?;
    let per_page = Duration::from_secs_f64(best.cpu_seconds / best.pages.max(1) as f64);
    Ok(Measured {
        peak_rss_bytes: peak_memory()?,
        archive_bytes: kept.0,
        store_bytes: kept.1,
        stations: stations::measure(args.pages, per_page)?,
        ratio: ratio(&best, discarding.as_ref()),
        ratio_saving: ratio(&best, saving.as_ref()),
        gannet: best,
        wget2: discarding,
        wget2_saving: saving,
    })
}

fn keep_better(best: &mut Option<Run>, run: Option<Run>) {
    let is_better = |run: &Run| {
        best.as_ref().is_none_or(|best| run.pages_per_cpu_second > best.pages_per_cpu_second)
    };
    if let Some(run) = run.filter(is_better) {
        *best = Some(run);
    }
}

fn ratio(gannet: &Run, peer: Option<&Run>) -> Option<f64> {
    peer.map(|peer| gannet.pages_per_cpu_second / peer.pages_per_cpu_second)
}

fn gannet(web: &Announcement, data: &DataDir) -> anyhow::Result<Run> {
    let (before, began) = (cpu_time()?, Instant::now());
    let outcome = runner::run(config(web)?, data, &mut |_| {})?;
    let cpu = cpu_time()?.own - before.own;
    Ok(Run::new(outcome.progress.counters.answered, began.elapsed(), cpu))
}

impl Run {
    fn new(pages: u64, time: Duration, cpu: Duration) -> Run {
        let cpu_seconds = cpu.as_secs_f64();
        Run {
            pages,
            seconds: time.as_secs_f64(),
            cpu_seconds,
            pages_per_cpu_second: pages as f64 / cpu_seconds.max(0.01),
        }
    }
}

fn config(web: &Announcement) -> anyhow::Result<Config> {
    let mut config = Config::new(Topic::from_words(&web.topic)?);
    config.seeds = web.seeds.iter().map(|seed| PageUrl::parse(seed)).collect::<Result<_, _>>()?;
    config.fetch.overrides = Overrides::parse(&web.hosts_file)?;
    config.fetch.allow_addresses = vec!["127.0.0.0/8".parse()?];
    config.pace.delay = Duration::ZERO;
    Ok(config)
}

/// Runs wget2 over the same web; `None` when it is not installed.
fn wget2(
    web: &mut WebProcess,
    directory: &std::path::Path,
    how: &[&str],
) -> anyhow::Result<Option<Run>> {
    let into = directory.join("wget2");
    std::fs::create_dir_all(&into)?;
    let before = web.served()?;
    let (cpu, began) = (cpu_time()?, Instant::now());
    let ended = Command::new("wget2")
        .args(["--recursive", "--level=inf", "--span-hosts", "--no-robots", "--quiet", "--tries=1"])
        .arg("--max-threads=64")
        .args(how)
        .args(&web.announcement.foreign_seeds)
        .current_dir(&into)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    match ended {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            print::talk(
                "wget2 is not installed: no peer to compare with (Debian: apt install wget2)",
            );
            Ok(None)
        }
        Err(error) => Err(error).context("cannot run wget2"),
        Ok(_) => {
            let used = cpu_time()?.children - cpu.children;
            let time = began.elapsed();
            // What was saved is not needed any more.
            std::fs::remove_dir_all(&into)?;
            Ok(Some(Run::new(web.served()? - before, time, used)))
        }
    }
}

/// The web in a process of its own; ends with this value.
struct WebProcess {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    announcement: Announcement,
}

impl WebProcess {
    fn start(pages: u64) -> anyhow::Result<WebProcess> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["bench", "serve", "--pages", &pages.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the web")?;
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().context("the web has no stdout")?);
        let mut line = String::new();
        stdout.read_line(&mut line)?;
        let announcement = serde_json::from_str(&line).context("the web did not come up")?;
        Ok(WebProcess { child, stdin, stdout, announcement })
    }

    /// How many pages it has served.
    fn served(&mut self) -> anyhow::Result<u64> {
        let stdin = self.stdin.as_mut().context("the web has no stdin")?;
        stdin.write_all(b"\n")?;
        let mut line = String::new();
        self.stdout.read_line(&mut line)?;
        Ok(line.trim().parse()?)
    }
}

impl Drop for WebProcess {
    fn drop(&mut self) {
        // Closing its stdin ends it; waiting leaves nothing behind.
        self.stdin = None;
        let _ = self.child.wait();
    }
}

/// The bytes of all files below a folder.
pub(super) fn size_of(path: &std::path::Path) -> anyhow::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        let kind = entry.metadata()?;
        bytes += if kind.is_dir() { size_of(&entry.path())? } else { kind.len() };
    }
    Ok(bytes)
}

fn tell(measured: &Measured) -> anyhow::Result<()> {
    let megabytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    tell_run("gannet", &measured.gannet, None)?;
    if let Some(run) = &measured.wget2 {
        tell_run("wget2, throwing all away", run, measured.ratio)?;
    }
    if let Some(run) = &measured.wget2_saving {
        tell_run("wget2, saving files", run, measured.ratio_saving)?;
    }
    print::data(format_args!(
        "peak RSS {:.0} MiB; kept {:.1} MiB of WARC, {:.1} MiB of store",
        megabytes(measured.peak_rss_bytes),
        megabytes(measured.archive_bytes),
        megabytes(measured.store_bytes)
    ))?;
    print::data("\nwhere the time goes, µs of CPU per page:")?;
    for station in &measured.stations {
        print::data(format_args!("  {:<44} {:>7.1}", station.name, station.micros))?;
    }
    Ok(())
}

fn tell_run(name: &str, run: &Run, ratio: Option<f64>) -> anyhow::Result<()> {
    let ratio = ratio.map_or(String::new(), |ratio| format!("; gannet reaches {ratio:.2} of it"));
    print::data(format_args!(
        "{name:<25} {:>5.0} pages per CPU-second ({} pages, {:.1} s CPU, {:.1} s){ratio}",
        run.pages_per_cpu_second, run.pages, run.cpu_seconds, run.seconds
    ))?;
    Ok(())
}
