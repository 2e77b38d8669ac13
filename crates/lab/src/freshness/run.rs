//! One policy on one population, on a virtual clock.
//!
//! All pages are seen on day 0. From then on there is a moment for a visit every so often: the
//! schedule names a page, or none is due and the moment is lost.

use gannet_model::{HostId, Timestamp};
use gannet_revisit::{Facts, Hint, Next, PageNumber, Policy, PolicyError, Saw, Schedule, Visit};

use super::contestant::Contestant;
use super::population::Population;
use super::score::{Figures, Score};
use super::signals::Said;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The policy cannot be made.
    #[error(transparent)]
    Policy(#[from] PolicyError),
}

const SECONDS_PER_DAY: f64 = 86_400.0;
/// The host of all pages.
const HOST: &str = "site.example";
/// The rate of pages that were never seen to change: nobody knows that one never will.
const LEAST_RATE: f64 = 1e-4;
/// Bytes of a page, and of the answer that nothing changed.
const BYTES: u64 = 20_000;
const BYTES_OF_304: u64 = 300;

/// Runs a policy with so many visits a day.
pub(super) fn simulate(
    contestant: &Contestant,
    population: &Population,
    said: &[Said],
    visits_per_day: f64,
) -> Result<Figures, RunError> {
    Ok(run(contestant.build()?, population, said, visits_per_day))
}

fn run(
    policy: Box<dyn Policy>,
    population: &Population,
    said: &[Said],
    visits_per_day: f64,
) -> Figures {
    let mut schedule = Schedule::new(policy);
    schedule.set_budget(visits_per_day);
    let pages: Vec<PageNumber> =
        population.pages.iter().map(|page| admit(&mut schedule, page)).collect();
    let mut score = Score::new(population);
    let mut said = said.iter().peekable();
    let slots = (population.days * visits_per_day) as u64;
    for slot in 1..=slots {
        let day = slot as f64 / visits_per_day;
        let now = moment(day);
        while let Some(said) = said.next_if(|said| said.day <= day) {
            let at = moment(said.day);
            schedule.told(pages[said.page as usize], Hint::Sitemap(at), at);
        }
        score.slot(day);
        let page = match schedule.next(now) {
            Next::Visit { page, .. } => Some(page),
            Next::At(_) | Next::Empty => schedule.idle(now).map(|(page, _)| page),
        };
        let Some(page) = page else {
            continue;
        };
        let is_changed = score.visit(page.0, day).is_some();
        schedule.visited(page, &visit(now, is_changed));
    }
    score.finish()
}

fn admit(schedule: &mut Schedule, page: &super::population::Known) -> PageNumber {
    let facts = Facts {
        host: HostId(0),
        host_name: HOST,
        group: page.group,
        importance: page.importance as f32,
        known_rate: Some(page.rate.max(LEAST_RATE)),
        links: &[],
    };
    schedule.admit(&facts, Timestamp::ZERO).0
}

fn visit(at: Timestamp, is_changed: bool) -> Visit {
    let (saw, bytes) = if is_changed { (Saw::Changed, BYTES) } else { (Saw::Same, BYTES_OF_304) };
    Visit { at, saw, modified: None, bytes, took_ms: 0, new_links: 0 }
}

fn moment(day: f64) -> Timestamp {
    Timestamp::from_micros((day * SECONDS_PER_DAY * 1e6) as u64)
}
