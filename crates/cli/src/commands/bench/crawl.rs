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
    pages: u64,
    seconds: f64,
    cpu_seconds: f64,
    pages_per_cpu_second: f64,
    peak_rss_bytes: u64,
    archive_bytes: u64,
    store_bytes: u64,
    stations: Vec<Station>,
    /// wget2, throwing away what it fetched.
    wget2: Option<Peer>,
    /// wget2, writing what it fetched to files as it usually does.
    wget2_saving: Option<Peer>,
    /// Gannet's pages per CPU-second as a multiple of wget2's when that throws everything away.
    ratio: Option<f64>,
}

/// What a peer did on the same web.
#[derive(Debug, Serialize)]
struct Peer {
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

fn measure(args: &Args, directory: &std::path::Path) -> anyhow::Result<Measured> {
    let mut web = WebProcess::start(args.pages)?;
    let data = DataDir::new(directory);
    let (before, began) = (cpu_time()?, Instant::now());
    let outcome = runner::run(config(&web.announcement)?, &data, &mut |_| {})?;
    let (seconds, cpu) = (began.elapsed().as_secs_f64(), cpu_time()?.own - before.own);
    let peak_rss_bytes = peak_memory()?;
    let counters = outcome.progress.counters;
    web.served()?;
    let (mut discarding, mut saving) = (None, None);
    if !args.alone {
        discarding = wget2(&mut web, directory, &["--output-document=/dev/null"])?;
        saving = wget2(&mut web, directory, &["--force-directories"])?;
    }
    let pages_per_cpu_second = counters.answered as f64 / cpu.as_secs_f64();
    Ok(Measured {
        pages: counters.answered,
        seconds,
        cpu_seconds: cpu.as_secs_f64(),
        pages_per_cpu_second,
        peak_rss_bytes,
        archive_bytes: size_of(&data.archive())?,
        store_bytes: size_of(&data.store())?,
        stations: stations::measure(args.pages, cpu.div_f64(counters.answered.max(1) as f64))?,
        ratio: discarding.as_ref().map(|peer| pages_per_cpu_second / peer.pages_per_cpu_second),
        wget2: discarding,
        wget2_saving: saving,
    })
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
) -> anyhow::Result<Option<Peer>> {
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
            let seconds = began.elapsed().as_secs_f64();
            let cpu_seconds = (cpu_time()?.children - cpu.children).as_secs_f64();
            let pages = web.served()? - before;
            let pages_per_cpu_second = pages as f64 / cpu_seconds.max(0.01);
            Ok(Some(Peer { pages, seconds, cpu_seconds, pages_per_cpu_second }))
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

fn size_of(path: &std::path::Path) -> anyhow::Result<u64> {
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
    print::data(format_args!(
        "gannet  {:.0} pages per CPU-second ({} pages, {:.1} s CPU, {:.1} s, peak RSS {:.0} MiB)",
        measured.pages_per_cpu_second,
        measured.pages,
        measured.cpu_seconds,
        measured.seconds,
        megabytes(measured.peak_rss_bytes)
    ))?;
    let peers = [("throwing away", &measured.wget2), ("saving files", &measured.wget2_saving)];
    for (how, peer) in peers {
        let Some(peer) = peer else { continue };
        let ratio = measured.pages_per_cpu_second / peer.pages_per_cpu_second;
        print::data(format_args!(
            "wget2   {:.0} pages per CPU-second {how} ({} pages, {:.1} s CPU, {:.1} s): gannet reaches {ratio:.2} of it",
            peer.pages_per_cpu_second, peer.pages, peer.cpu_seconds, peer.seconds
        ))?;
    }
    print::data(format_args!(
        "kept    {:.1} MiB of WARC, {:.1} MiB of store",
        megabytes(measured.archive_bytes),
        megabytes(measured.store_bytes)
    ))?;
    print::data(format_args!("\nwhere the time goes, µs of CPU per page:"))?;
    for station in &measured.stations {
        print::data(format_args!("  {:<44} {:>7.1}", station.name, station.micros))?;
    }
    Ok(())
}
