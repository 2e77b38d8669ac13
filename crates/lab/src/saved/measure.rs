//! A crawl of recorded pages, checked every day, beside what really happened.

use std::time::Duration;

use gannet_engine::{Config, HistoryEntry, history};
use gannet_model::{Happening, PageUrl, Significance};
use gannet_relevance::{Topic, TopicError};
use gannet_store::{InMemory, StoreError, Visited};
use serde::Serialize;

use super::site::{Site, address, day_at};
use super::stretch::{Plan, Stretch, choose, morning, most_alive};
use super::trace::{Trace, TraceError};
use crate::player::{Player, ReplayError};

/// What came of watching the pages of one stretch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// When, and which pages.
    pub stretch: Stretch,
    /// Pages that were watched.
    pub pages: usize,
    /// Days on which they were checked.
    pub days: u32,
    /// Visits of the checks; the first crawl is not counted in this nor below.
    pub visits: usize,
    /// Of those, found the page unchanged.
    pub unchanged: usize,
    /// Pages whose body changed from one morning to another.
    pub pages_changed: usize,
    /// How often that happened.
    pub changes: usize,
    /// New versions that the crawl recorded, by what it says of them.
    pub recorded: BySignificance,
    /// Of those, told as a change of the page: noise is not.
    pub told: usize,
    /// Changes of the body that the crawl took for none, or did not look at.
    pub missed: usize,
    /// New versions that were recorded and are none.
    pub unfounded: usize,
    /// Bytes of all answers to the checks.
    pub bytes: u64,
    /// What fetching every page as a whole every day would have taken.
    pub bytes_of_all: u64,
    /// The share of these that was saved.
    pub saved: f64,
}

/// Versions by how much they matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BySignificance {
    /// Bytes that nobody sees.
    pub noise: usize,
    /// The look.
    pub cosmetic: usize,
    /// Some of the text.
    pub minor: usize,
    /// Much of the text.
    pub major: usize,
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SavedError {
    /// The trace cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// It has too few pages.
    #[error(
        "no {days} days of the trace have {wanted} pages that are there all the time, of which one \
         changes; at most {most} are there"
    )]
    TooFew {
        /// The length of a stretch.
        days: u32,
        /// Pages asked for.
        wanted: usize,
        /// Pages that some stretch has.
        most: usize,
    },
    /// The crawl failed.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// Its memory failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No topic can be made of the trace's name.
    #[error(transparent)]
    Topic(#[from] TopicError),
}

impl BySignificance {
    fn count(&mut self, significance: Significance) {
        match significance {
            // A new version always differs; one that says so cannot be told from noise.
            Significance::Same | Significance::Noise => self.noise += 1,
            Significance::Cosmetic => self.cosmetic += 1,
            Significance::Minor => self.minor += 1,
            Significance::Major => self.major += 1,
        }
    }
}

/// Watches the pages of a typical and of the busiest stretch of a trace.
pub fn measure(trace: &Trace, plan: &Plan) -> Result<Vec<Measured>, SavedError> {
    let stretches = choose(trace, plan);
    if stretches.is_empty() {
        let most = most_alive(trace, plan);
        return Err(SavedError::TooFew { days: plan.days, wanted: plan.pages, most });
    }
    stretches.into_iter().map(|stretch| watch(trace, stretch, plan.days)).collect()
}

fn watch(trace: &Trace, stretch: Stretch, days: u32) -> Result<Measured, SavedError> {
    let mut site = Site::new(trace, &stretch, days)?;
    let seeds: Vec<PageUrl> =
        stretch.pages.iter().filter_map(|page| address(&trace.name, page)).collect();
    let mut config = Config::new(Topic::from_words("page")?);
    config.seeds.clone_from(&seeds);
    // Nobody is bothered, and a round must not last longer than its day.
    config.pace.delay = Duration::ZERO;
    let store = Box::new(InMemory::new());
    let mut player = Player::open(store, config, &mut site, stretch.began)?;
    player.play()?;
    for day in 1..=days {
        player.check(morning(stretch.began, day))?;
    }
    let histories: Vec<(PageUrl, Vec<HistoryEntry>)> = seeds
        .into_iter()
        .map(|url| history(player.store(), url.fingerprint()).map(|entries| (url, entries)))
        .collect::<Result<_, _>>()?;
    drop(player);
    Ok(compare(&site, stretch, days, &histories))
}

/// Sets what was recorded beside what happened.
fn compare(
    site: &Site,
    stretch: Stretch,
    days: u32,
    histories: &[(PageUrl, Vec<HistoryEntry>)],
) -> Measured {
    let mut found = Measured {
        pages: histories.len(),
        days,
        visits: 0,
        unchanged: 0,
        pages_changed: 0,
        changes: 0,
        recorded: BySignificance::default(),
        told: 0,
        missed: 0,
        unfounded: 0,
        bytes: site.sent.iter().skip(1).sum(),
        bytes_of_all: 0,
        saved: 0.0,
        stretch,
    };
    for (url, entries) in histories {
        let changes_before = found.changes;
        for day in 1..=days {
            let body = |day| site.body(url.fingerprint(), day);
            let is_changed = body(day) != body(day - 1);
            found.changes += usize::from(is_changed);
            found.bytes_of_all += body(day).map_or(0, |body| site.bytes_of_whole(body));
            let of_day = |entry: &&HistoryEntry| day_at(found.stretch.began, entry.visit.at) == day;
            let visits: Vec<&HistoryEntry> = entries.iter().filter(of_day).collect();
            found.count_day(&visits, is_changed);
        }
        found.pages_changed += usize::from(found.changes > changes_before);
    }
    found.saved = 1.0 - found.bytes as f64 / found.bytes_of_all.max(1) as f64;
    found
}

impl Measured {
    /// Counts the visits to a page on one day.
    fn count_day(&mut self, visits: &[&HistoryEntry], is_changed: bool) {
        let mut is_recorded = false;
        for entry in visits {
            self.visits += 1;
            self.unchanged += usize::from(matches!(entry.visit.outcome, Visited::Unchanged(_)));
            if !entry.is_new_version() {
                continue;
            }
            is_recorded = true;
            let change = entry.visit.change.as_ref();
            self.recorded.count(change.map_or(Significance::Same, |change| change.significance));
            self.told += usize::from(entry.visit.happening == Some(Happening::Changed));
        }
        self.missed += usize::from(is_changed && !is_recorded);
        self.unfounded += usize::from(is_recorded && !is_changed);
    }
}
