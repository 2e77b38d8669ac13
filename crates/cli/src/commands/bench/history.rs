//! A year of daily visits: what an unchanged visit takes on the disk, and how soon a version is found.
//!
//! The crawl's own heart, the real store and the real archive are driven without sockets on a
//! virtual clock. The last month nothing changes, and what grows then is counted, divided by its
//! visits: in the archive the bytes of its files, in the store those of its tables, merged before
//! and after so that rows written over do not count. The journal of the store is left out: it is cut
//! back at a fixed size.

mod lookups;
mod site;

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use gannet_archive::Writer;
use gannet_engine::{Config, DataDir, FinishReason, read_store};
use gannet_lab::Player;
use gannet_relevance::Topic;
use gannet_store::{Embedded, Store, Visited};

use self::lookups::Lookups;
use self::site::{Site, morning};
use super::crawl::size_of;
use crate::exit::Exit;
use crate::print;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// How many pages are visited every day
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pages: u32,
    /// For how many days; on the last twelfth of them nothing changes
    #[arg(long, default_value_t = 365, value_parser = clap::value_parser!(u32).range(2..))]
    days: u32,
}

/// What was measured.
#[derive(Debug)]
struct Measured {
    year: Visits,
    /// What the archive keeps of the unchanged visits of the year, record by record.
    unchanged_archive_bytes: u64,
    /// The last month, in which nothing changes.
    quiet: Growth,
    archive_bytes: u64,
    /// Tables, merged, and the whole directory with its journal as the crawl left it.
    store_bytes: u64,
    store_bytes_as_left: u64,
    lookups: Lookups,
    took: Duration,
}

/// What came of all visits.
#[derive(Clone, Copy, Debug, Default)]
struct Visits {
    all: u64,
    unchanged: u64,
    versions: u64,
}

/// What a stretch of unchanged visits added.
#[derive(Debug)]
struct Growth {
    visits: u64,
    archive_bytes: i64,
    store_bytes: Vec<(&'static str, i64)>,
}

/// What an unchanged visit may take, and a lookup.
const MOST_BYTES: f64 = 400.0;
const MOST_MILLIS: f64 = 50.0;
/// Pages looked up, and pairs of versions compared.
const LOOKUPS: u32 = 200;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let directory = std::env::temp_dir().join(format!("gannet-history-{}", std::process::id()));
    let measured = measure(args, &directory);
    // The directory is ours and new; what cannot be removed is left to the system's cleaning.
    let _ = std::fs::remove_dir_all(&directory);
    tell(&measured?)?;
    Ok(Exit::Done.into())
}

fn measure(args: &Args, directory: &Path) -> anyhow::Result<Measured> {
    let began = Instant::now();
    let data = DataDir::new(directory.to_owned());
    let quiet_from = args.days - (args.days / 12).max(1);
    let mut site = Site::new(args.pages, quiet_from)?;
    visit_daily(&mut site, &data, 0, quiet_from)?;
    let before = sizes(&data)?;
    visit_daily(&mut site, &data, quiet_from + 1, args.days)?;
    let store_bytes_as_left = size_of(&data.store())?;
    let after = sizes(&data)?;
    let took = began.elapsed();
    let store = read_store(&data)?;
    let (year, unchanged_archive_bytes) = count(&store)?;
    Ok(Measured {
        year,
        unchanged_archive_bytes,
        quiet: before.growth_to(&after, u64::from(args.pages * (args.days - quiet_from))),
        archive_bytes: after.archive,
        store_bytes: after.store.iter().map(|(_, bytes)| bytes).sum(),
        store_bytes_as_left,
        lookups: lookups::measure(&site, &store, &data, LOOKUPS)?,
        took,
    })
}

/// Opens the crawl as every run does, and visits all pages on these days.
fn visit_daily(site: &mut Site, data: &DataDir, first: u32, last: u32) -> anyhow::Result<()> {
    let mut config = Config::new(Topic::from_words("gannet")?);
    config.seeds = site.urls().to_vec();
    config.pace.delay = Duration::ZERO;
    let store = Embedded::open(&data.store())?;
    let archive = Writer::open(&data.archive(), gannet_archive::Config::default(), None)?;
    let mut player = Player::open(Box::new(store), config, site, morning(first))?;
    player.keep_in(archive)?;
    for day in first..=last {
        if day == 0 {
            player.play()?;
        } else {
            player.check(morning(day))?;
        }
        player.take_seen();
    }
    Ok(player.close(FinishReason::Checked)?)
}

/// Bytes on the disk.
struct Sizes {
    archive: u64,
    store: Vec<(&'static str, u64)>,
}

fn sizes(data: &DataDir) -> anyhow::Result<Sizes> {
    let store = read_store(data)?;
    store.compact()?;
    Ok(Sizes { archive: size_of(&data.archive())?, store: store.table_bytes() })
}

impl Sizes {
    fn growth_to(&self, after: &Sizes, visits: u64) -> Growth {
        let pairs = self.store.iter().zip(&after.store);
        let store_bytes = pairs.map(|((name, a), (_, b))| (*name, difference(*a, *b))).collect();
        Growth { visits, archive_bytes: difference(self.archive, after.archive), store_bytes }
    }
}

fn difference(before: u64, after: u64) -> i64 {
    after.cast_signed() - before.cast_signed()
}

/// What came of all visits, and the archive's bytes of those that found nothing new.
fn count(store: &dyn Store) -> anyhow::Result<(Visits, u64)> {
    let (mut visits, mut bytes) = (Visits::default(), 0);
    store.each_visit(0, &mut |_, visit| {
        visits.all += 1;
        match visit.outcome {
            Visited::Unchanged(_) => {
                visits.unchanged += 1;
                bytes += visit.archived.map_or(0, |at| at.length);
            }
            Visited::Page(..) => visits.versions += 1,
            _ => {}
        }
        std::ops::ControlFlow::Continue(())
    })?;
    Ok((visits, bytes))
}

fn tell(measured: &Measured) -> anyhow::Result<()> {
    let Measured { year, quiet, lookups, .. } = measured;
    print::data(format_args!(
        "{} visits, {} of them unchanged, {} versions ({:.0} s)",
        year.all,
        year.unchanged,
        year.versions,
        measured.took.as_secs_f64()
    ))?;
    let megabytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    print::data(format_args!(
        "archive {:.1} MiB; store {:.1} MiB merged, {:.1} MiB with its journal as the crawl left it",
        megabytes(measured.archive_bytes),
        megabytes(measured.store_bytes),
        megabytes(measured.store_bytes_as_left)
    ))?;
    let per_visit = |bytes: i64| bytes as f64 / quiet.visits.max(1) as f64;
    let store: i64 = quiet.store_bytes.iter().map(|(_, bytes)| bytes).sum();
    let together = per_visit(quiet.archive_bytes + store);
    print::data(format_args!(
        "bytes per unchanged visit: {:.1} archive + {:.1} store = {together:.1}; {}",
        per_visit(quiet.archive_bytes),
        per_visit(store),
        verdict(together, MOST_BYTES)
    ))?;
    for (name, bytes) in quiet.store_bytes.iter().filter(|(_, bytes)| *bytes != 0) {
        print::data(format_args!("  store, {name:<12} {:>6.1}", per_visit(*bytes)))?;
    }
    let record = measured.unchanged_archive_bytes as f64 / year.unchanged.max(1) as f64;
    let rest = per_visit(quiet.archive_bytes) - record;
    print::data(format_args!("  archive, its record {record:>6.1} (mean of the year)"))?;
    print::data(format_args!("  archive, robots.txt {rest:>6.1} (once a day and host)"))?;
    print::data(format_args!(
        "history and a version read back, {} pages: median {:.2} ms, worst {:.2} ms; {}",
        lookups.pages,
        lookups.median_millis,
        lookups.worst_millis,
        verdict(lookups.worst_millis, MOST_MILLIS)
    ))?;
    print::data(format_args!(
        "{} of {} versions came back as they were; {} of {} diffs make the newer of the older",
        lookups.as_they_were, lookups.pages, lookups.diffs_that_apply, lookups.diffs
    ))?;
    Ok(())
}

fn verdict(found: f64, most: f64) -> String {
    let verdict = if found < most { "met" } else { "missed" };
    format!("below {most:.0}: {verdict}")
}
