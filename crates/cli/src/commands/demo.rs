//! `gannet demo`: the main job on a web of our own, with nothing installed and no network.
//!
//! The synthetic web of `testbed` is served on loopback and crawled over real
//! HTTP; the same web is then crawled breadth-first in the lab, so that the
//! two harvest rates can be compared. Both are judged by the web's own truth,
//! not by the crawler's opinion.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ArgMatches;
use clap::parser::ValueSource;
use gannet_engine::{Config, DataDir, Outcome, read_store};
use gannet_fetch::Overrides;
use gannet_lab::{TestbedWeb, replay};
use gannet_model::{PageUrl, Timestamp};
use gannet_relevance::Topic;
use gannet_store::{Status, Store, Visited};
use gannet_testbed::{Server, ServerOptions, Spec, Web};

use crate::arguments::Globals;
use crate::exit::Exit;
use crate::print;
use crate::progress_view::ProgressView;
use crate::runner;

/// Try Gannet on a synthetic web: nothing to install, no network
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Stop after this many answers
    #[arg(long, value_name = "N", default_value_t = 3000)]
    max_pages: u64,
    /// Keep the web up afterwards, so that other tools can crawl it too
    #[arg(long)]
    serve: bool,
    /// Another number makes another web
    #[arg(long, value_name = "NUMBER", default_value_t = 2026)]
    web: u64,
}

/// Where the demo keeps its data when nobody says otherwise.
const DATA_DIR: &str = "gannet-demo";
const CONFIG_FILE: &str = "gannet.toml";
const HOSTS_FILE: &str = "hosts";
/// Keeps other demos out, and marks a directory as the demo's own: only such a one is emptied.
const LOCK: &str = "demo.lock";
const SEEDS: usize = 5;
/// Few enough that the order of links decides what is fetched, many enough to be quick.
const IN_FLIGHT: usize = 16;
/// The demo's web misbehaves; waiting a minute for each broken connection would teach nobody.
const RETRY_AFTER: Duration = Duration::from_millis(200);

/// Runs the demo.
pub(crate) fn run(
    args: &Args,
    globals: &Globals,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let is_default = matches.value_source("data_dir") == Some(ValueSource::DefaultValue);
    let directory = if is_default { PathBuf::from(DATA_DIR) } else { globals.data_dir.clone() };
    let _lock = prepare(&directory)?;
    let web = Arc::new(Web::new(Spec { seed: args.web, ..Spec::demo() }));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("testbed")
        .enable_all()
        .build()?;
    let server = runtime
        .block_on(Server::start(web.clone(), ServerOptions::default()))
        .context("cannot put the demo's web on loopback")?;
    let config = config(&web, &server, args)?;
    write_files(&directory, &server, &web)?;
    introduce(&web, args);

    let data = DataDir::new(&directory);
    let mut view = ProgressView::new(Some(args.max_pages), 0);
    let outcome = runner::run_in_view(config.clone(), &data, &mut view)?;
    let found = found(&data, &web)?;
    let baseline = baseline(&config, &web)?;
    conclude(&outcome, &found, baseline, &directory)?;
    if args.serve {
        serve(&server, &runtime)?;
    }
    runtime.block_on(server.stop());
    Ok(Exit::from(outcome.reason).into())
}

/// Makes the directory, or empties it if an earlier demo left its data there. The lock returned
/// keeps other demos out as long as this one runs or serves.
fn prepare(directory: &Path) -> anyhow::Result<fs::File> {
    let is_ours = directory.join(LOCK).is_file();
    let is_empty = fs::read_dir(directory).map_or(true, |mut entries| entries.next().is_none());
    if !is_ours && !is_empty {
        bail!(
            "{} holds something that is not a demo's; choose another --data-dir",
            directory.display()
        );
    }
    let make = || format!("cannot make {}", directory.display());
    fs::create_dir_all(directory).with_context(make)?;
    let lock = fs::File::create(directory.join(LOCK)).with_context(make)?;
    if lock.try_lock().is_err() {
        bail!("another demo uses {}; choose another --data-dir", directory.display());
    }
    for part in ["store", "archive"] {
        let part = directory.join(part);
        if part.exists() {
            fs::remove_dir_all(&part)
                .with_context(|| format!("cannot empty {}", part.display()))?;
        }
    }
    Ok(lock)
}

fn config(web: &Web, server: &Server, args: &Args) -> anyhow::Result<Config> {
    let mut config = Config::new(Topic::from_words(&topic(web))?);
    config.seeds =
        web.seeds(SEEDS).iter().map(|seed| PageUrl::parse(seed)).collect::<Result<_, _>>()?;
    config.fetch.overrides = Overrides::parse(&server.hosts_file())?;
    config.fetch.allow_addresses = vec!["127.0.0.0/8".parse()?];
    config.limits.pages = Some(args.max_pages);
    config.limits.in_flight = IN_FLIGHT;
    config.limits.idle = Duration::from_secs(2);
    // The web is ours, so nobody minds; on the open web the delay is 10 seconds.
    config.pace.delay = Duration::ZERO;
    config.pace.throttle.first = RETRY_AFTER;
    config.retry.broken.first = RETRY_AFTER;
    Ok(config)
}

fn topic(web: &Web) -> String {
    web.topic().words.join(", ")
}

/// Leaves a config behind with which the follow-up commands understand the data.
fn write_files(directory: &Path, server: &Server, web: &Web) -> anyhow::Result<()> {
    let words: Vec<_> = web.topic().words.iter().map(|word| format!("{word:?}")).collect();
    let text = format!(
        "# Written by `gannet demo`; works while `gannet demo --serve` keeps the web up.\n\
         version = 1\n\n[topic]\nwords = [{}]\n\n[politeness]\ndelay = \"0s\"\n\n\
         [fetch]\nhosts_file = \"{HOSTS_FILE}\"\nallow_addresses = [\"127.0.0.0/8\"]\n",
        words.join(", ")
    );
    fs::write(directory.join(CONFIG_FILE), text)?;
    fs::write(directory.join(HOSTS_FILE), server.hosts_file())?;
    Ok(())
}

fn introduce(web: &Web, args: &Args) {
    let pages = web.pages().count();
    let share = 100.0 * web.relevant_count() as f64 / pages as f64;
    print::talk(format_args!(
        "A synthetic web on loopback: {} hosts, {pages} pages, {share:.1} % of them about {}.",
        web.hosts(),
        web.topic().name
    ));
    print::talk("It has navigation, tunnels, redirects, errors, slow hosts and a trap.");
    print::talk(format_args!(
        "Crawling up to {} answers over real HTTP, from {SEEDS} seeds, best links first.\n",
        args.max_pages
    ));
}

/// What the crawl found, judged by the web's own truth.
struct Found {
    pages: u64,
    relevant: u64,
    best: Option<(f32, PageUrl)>,
    skipped: Option<PageUrl>,
}

fn found(data: &DataDir, web: &Web) -> anyhow::Result<Found> {
    let store = read_store(data)?;
    let mut found = Found { pages: 0, relevant: 0, best: None, skipped: None };
    let mut trouble = None;
    store.each_url(&mut |_, record| {
        match record.head.status {
            Status::Skipped if found.skipped.is_none() => found.skipped = Some(record.url),
            Status::Fetched => {
                let truth = web.truth(record.url.as_str());
                found.pages += 1;
                found.relevant += u64::from(truth.is_some_and(|truth| truth.is_relevant));
                match record.last_visit.map(|number| store.visit(number)).transpose() {
                    Ok(visit) => note_best(&mut found, record.url, visit.flatten()),
                    Err(error) => trouble = Some(error),
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    trouble.map_or(Ok(found), |error| Err(error.into()))
}

fn note_best(found: &mut Found, url: PageUrl, visit: Option<gannet_store::VisitRecord>) {
    if let Some(Visited::Page(_, facts)) = visit.map(|visit| visit.outcome) {
        let score = facts.judgement.score.get();
        if found.best.as_ref().is_none_or(|(best, _)| score > *best) {
            found.best = Some((score, url));
        }
    }
}

/// The harvest rate of a breadth-first crawl of the same web with the same limits, in the lab.
fn baseline(config: &Config, web: &Arc<Web>) -> anyhow::Result<f64> {
    let mut config = config.clone();
    config.order = gannet_engine::Chosen::named("breadth-first");
    let now = Timestamp::from(std::time::SystemTime::now());
    Ok(replay(config, &mut TestbedWeb::new(web.clone()), now)?.harvest_rate())
}

fn conclude(
    outcome: &Outcome,
    found: &Found,
    baseline: f64,
    directory: &Path,
) -> anyhow::Result<()> {
    let counters = &outcome.progress.counters;
    let seconds = outcome.progress.elapsed.as_secs_f64();
    let harvest = found.relevant as f64 / found.pages.max(1) as f64;
    let path = directory.display();
    print::data(format_args!(
        "finish_reason: {} ({} answers in {seconds:.1} s, {:.0} per second)",
        outcome.reason.name(),
        counters.answered,
        counters.answered as f64 / seconds.max(0.001)
    ))?;
    print::data(format_args!(
        "pages:         {} fetched, {} about the topic by the truth of this web",
        found.pages, found.relevant
    ))?;
    print::data(format_args!(
        "harvest rate:  {:.1} % best links first, {:.1} % breadth-first on the same web: {:.1} times as much",
        100.0 * harvest,
        100.0 * baseline,
        harvest / baseline.max(f64::EPSILON)
    ))?;
    print::data(format_args!(
        "data:          {path}/store (what is known), {path}/archive (WARC, every answer as it came)\n"
    ))?;
    print::data(format_args!("Try next:"))?;
    let common = format!("--config {path}/{CONFIG_FILE} --data-dir {path}");
    // As the user started it: `cargo run` puts nothing on the path.
    let program = std::env::args().next().unwrap_or_else(|| "gannet".to_owned());
    print::data(format_args!("  {program} pages {common} --relevant --sort score --limit 10"))?;
    if let Some((_, url)) = &found.best {
        print::data(format_args!("  {program} explain {common} '{url}'"))?;
    }
    match &found.skipped {
        Some(url) => {
            print::data(format_args!(
                "  {program} explain {common} '{url}'   # not fetched: why?"
            ))?;
        }
        None => print::data(format_args!("  {program} sites {common} --sort relevant"))?,
    }
    Ok(())
}

/// Keeps the web up until Ctrl-C.
fn serve(server: &Server, runtime: &tokio::runtime::Runtime) -> anyhow::Result<()> {
    print::data(format_args!("\nThe web stays up until Ctrl-C. Other tools can start from:"))?;
    for seed in server.seed_urls_for_foreign_tools(SEEDS) {
        print::data(format_args!("  {seed}"))?;
    }
    runtime.block_on(tokio::signal::ctrl_c()).context("cannot wait for Ctrl-C")
}
