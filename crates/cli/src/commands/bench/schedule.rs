//! Millions of known pages in the schedule: what does it cost to keep each, and to move one?
//!
//! All pages are admitted on day 0; then visits are made at the rate of the budget, each with an
//! answer, and timed. Nothing is fetched.

use std::process::ExitCode;
use std::time::Instant;

use gannet_model::{HostId, Settings, Timestamp};
use gannet_revisit::{DEFAULT_POLICY, Facts, Next, PageNumber, Saw, Schedule, Visit, build_policy};

use super::machine::memory_now;
use crate::exit::Exit;
use crate::print;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// How many pages are known
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u32).range(1..))]
    pages: u32,
    /// How many visits are timed
    #[arg(long, default_value_t = 2_000_000)]
    visits: u64,
    /// The policy
    #[arg(long, default_value = DEFAULT_POLICY)]
    policy: String,
}

/// Pages of a host, and of a directory of it, on average.
const PAGES_PER_HOST: u32 = 2000;
const PAGES_PER_GROUP: u32 = 20;
/// Each page is visited once in so many days, on average.
const DAYS_PER_VISIT: f64 = 30.0;
/// One visit of so many finds a change.
const VISITS_PER_CHANGE: u64 = 4;
const MICROS_PER_DAY: f64 = 86_400e6;

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let policy = build_policy(&args.policy, &Settings::none())?;
    let before = memory_now()?;
    let mut schedule = Schedule::new(policy);
    let per_day = f64::from(args.pages) / DAYS_PER_VISIT;
    schedule.set_budget(per_day);
    schedule.expect(args.pages as usize);
    let began = Instant::now();
    for page in 0..args.pages {
        schedule.admit(&facts(page), Timestamp::ZERO);
    }
    let admitted = micros_each(began, args.pages.into());
    let bytes = |memory: u64| memory.saturating_sub(before) as f64 / f64::from(args.pages);
    let kept = bytes(memory_now()?);
    let (began, before_visits) = (Instant::now(), schedule.reschedules());
    let visits = visit(&mut schedule, args.visits, per_day);
    let reschedules = schedule.reschedules() - before_visits;
    let (per_visit, each) = (micros_each(began, visits), micros_each(began, reschedules));
    print::data(format_args!("policy                       {}", args.policy))?;
    print::data(format_args!("pages                        {}", schedule.len()))?;
    print::data(format_args!("µs to admit a page           {admitted:.2}"))?;
    print::data(format_args!("visits                       {visits}"))?;
    print::data(format_args!("times set, neighbours too    {reschedules}"))?;
    print::data(format_args!("µs per time set              {each:.2}"))?;
    print::data(format_args!("µs per visit, all included   {per_visit:.2}"))?;
    print::data(format_args!("bytes RAM per page, admitted {kept:.1}"))?;
    print::data(format_args!("bytes RAM per page, visited  {:.1}", bytes(memory_now()?)))?;
    Ok(Exit::Done.into())
}

/// Makes so many visits at the pace of the budget; tells how many there were pages for.
fn visit(schedule: &mut Schedule, visits: u64, per_day: f64) -> u64 {
    let mut made = 0;
    for slot in 1..=visits {
        let now = Timestamp::from_micros((slot as f64 / per_day * MICROS_PER_DAY) as u64);
        let page = match schedule.next(now) {
            Next::Visit { page, .. } => Some(page),
            Next::At(_) | Next::Empty => schedule.idle(now).map(|(page, _)| page),
        };
        if let Some(page) = page {
            schedule.visited(page, &answer(page, slot, now));
            made += 1;
        }
    }
    made
}

fn answer(page: PageNumber, slot: u64, at: Timestamp) -> Visit {
    let is_changed = mixed(u64::from(page.0) ^ slot << 32).is_multiple_of(VISITS_PER_CHANGE);
    let saw = if is_changed { Saw::Changed } else { Saw::Same };
    Visit { at, saw, modified: None, bytes: 20_000, took_ms: 50, new_links: 0 }
}

/// Pages of a directory come one after the other, as a crawl finds them; their importance falls as
/// in Zipf's law.
fn facts(page: u32) -> Facts<'static> {
    let place = mixed(page.into()) % 1_000_000 + 1;
    Facts {
        host: HostId(page / PAGES_PER_HOST),
        host_name: "host.example",
        group: mixed(u64::from(page / PAGES_PER_GROUP)),
        importance: 1000.0 / place as f32,
        known_rate: None,
        links: &[],
    }
}

/// A number that looks random.
fn mixed(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn micros_each(began: Instant, times: u64) -> f64 {
    began.elapsed().as_secs_f64() * 1e6 / times.max(1) as f64
}
