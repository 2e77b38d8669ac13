//! Which pages are watched, and when.
//!
//! The trace is cut into stretches of equal length. A stretch counts if enough pages are there all
//! the time and one of them changes. Of those two are taken: the one in the middle by changes and
//! the one with the most.

use std::time::Duration;

use gannet_model::Timestamp;
use serde::Serialize;

use super::trace::Trace;
use crate::relevance::draw::Draw;

/// How the experiment is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// So many pages are watched.
    pub pages: usize,
    /// For so many days.
    pub days: u32,
    /// What fixes the draw of pages.
    pub seed: u64,
}

/// A time in which pages are watched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stretch {
    /// What kind of time it is.
    pub kind: &'static str,
    /// When the pages are crawled first.
    #[serde(serialize_with = "in_words")]
    pub began: Timestamp,
    /// The pages that are watched, drawn from those that are there all the time.
    #[serde(skip)]
    pub pages: Vec<String>,
    /// How many those are.
    pub alive: usize,
    /// Changes of all of those, from one day to the next.
    pub changes_of_alive: usize,
}

fn in_words<S: serde::Serializer>(time: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(time)
}

/// A day of the experiment.
pub(super) const DAY: Duration = Duration::from_secs(24 * 3600);

/// The morning of a day; the first has the number 0.
pub(super) fn morning(began: Timestamp, day: u32) -> Timestamp {
    began + DAY * day
}

/// The typical stretch and the busiest one; one if they are the same, none when there are never
/// enough pages.
pub(super) fn choose(trace: &Trace, plan: &Plan) -> Vec<Stretch> {
    let mut all: Vec<Candidate<'_>> = cut(trace, plan);
    all.retain(|found| found.alive.len() >= plan.pages && found.changes > 0);
    all.sort_by_key(|found| (found.changes, found.began));
    let Some(last) = all.len().checked_sub(1) else { return Vec::new() };
    let mut chosen = vec![("typical", &all[last / 2])];
    if last / 2 != last {
        chosen.push(("busiest", &all[last]));
    }
    chosen.into_iter().map(|(kind, found)| found.drawn(kind, trace, plan)).collect()
}

/// The most pages that are there all through any one stretch.
pub(super) fn most_alive(trace: &Trace, plan: &Plan) -> usize {
    cut(trace, plan).iter().map(|found| found.alive.len()).max().unwrap_or(0)
}

struct Candidate<'t> {
    began: Timestamp,
    alive: Vec<&'t str>,
    changes: usize,
}

impl Candidate<'_> {
    fn drawn(&self, kind: &'static str, trace: &Trace, plan: &Plan) -> Stretch {
        let began = self.began.to_string();
        let mut draw = Draw::seeded(plan.seed, &[&trace.name, &began]);
        let mut pages = draw.sample(&self.alive, plan.pages);
        pages.sort_unstable();
        Stretch {
            kind,
            began: self.began,
            pages: pages.into_iter().map(str::to_owned).collect(),
            alive: self.alive.len(),
            changes_of_alive: self.changes,
        }
    }
}

fn cut<'t>(trace: &'t Trace, plan: &Plan) -> Vec<Candidate<'t>> {
    let mut found = Vec::new();
    let Some((mut began, last)) = trace.span() else { return found };
    while morning(began, plan.days) <= last {
        let mut candidate = Candidate { began, alive: Vec::new(), changes: 0 };
        for page in trace.pages() {
            if let Some(changes) = changes(trace, page, began, plan.days) {
                candidate.alive.push(page);
                candidate.changes += changes;
            }
        }
        found.push(candidate);
        began = morning(began, plan.days.max(1));
    }
    found
}

/// How often a page changes from one morning to the next; `None` when it is not there all the time.
fn changes(trace: &Trace, page: &str, began: Timestamp, days: u32) -> Option<usize> {
    let mut changes = 0;
    let mut before = trace.blob(page, began)?;
    for day in 1..=days {
        let blob = trace.blob(page, morning(began, day))?;
        changes += usize::from(blob != before);
        before = blob;
    }
    Some(changes)
}
