//! Every detector on every pair.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gannet_change::{Churn, DEFAULT_DETECTOR, DETECTORS, Look, Memory, build_detector, compare};
use gannet_content::Limits;
use gannet_engine::ReadVersion;
use gannet_model::Change;
use serde::Serialize;

use super::pairs::{PagePair, PairKind};
use crate::relevance::parallel::in_parallel;

/// What one detector made of the pairs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// Its name.
    pub detector: String,
    /// Pairs with an edit of the text.
    pub positives: usize,
    /// Of those, taken for the same.
    pub missed: usize,
    /// The share of missed ones lies in here, with 95 % confidence (Wilson).
    pub missed_interval: (f64, f64),
    /// Pairs with noise alone.
    pub negatives: usize,
    /// Of those, taken for a change.
    pub false_alarms: usize,
    /// The same for the share of false alarms.
    pub false_alarm_interval: (f64, f64),
    /// What it costs to look at one version, in microseconds, the reading of the page left out.
    pub us_per_page: f64,
}

/// What the default says once it knows a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Learned {
    /// Visits to the page before those that are counted.
    pub after_visits: u32,
    /// Its figures.
    #[serde(flatten)]
    pub run: Run,
}

/// A pair that the default judged against its label.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Case {
    /// The page.
    pub page: String,
    /// When its older version was seen.
    pub old_time: u64,
    /// True for an edit that was taken for the same, false for noise taken for a change.
    pub is_missed: bool,
    /// True when the text of the two versions differs at all.
    pub is_text_different: bool,
    /// What the default says.
    pub because: String,
}

/// All figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// The detector that decides in a crawl.
    pub default: String,
    /// Every detector at first sight.
    pub runs: Vec<Run>,
    /// The default on pages it knows.
    pub learned: Vec<Learned>,
    /// Pairs that the default judged against their labels at first sight.
    pub cases: Vec<Case>,
    /// What it costs to read one version before any detector looks at it, in microseconds.
    pub us_to_read: f64,
}

/// Visits after which the default is counted.
const AFTER_VISITS: [u32; 3] = [2, 4, 8];

/// Shows all pairs to all detectors of these names.
pub fn measure(pairs: &[PagePair], detectors: &[&str], threads: usize) -> Measured {
    let mut sites: BTreeMap<&str, Vec<&PagePair>> = BTreeMap::new();
    for pair in pairs {
        sites.entry(pair.site()).or_default().push(pair);
    }
    let mut sites: Vec<Vec<&PagePair>> = sites.into_values().collect();
    sites.iter_mut().for_each(|pairs| pairs.sort_by_key(|pair| pair.old_time));
    let found = in_parallel(&sites, threads, |pairs| of_site(pairs, detectors));
    let mut all = Found::new(detectors);
    found.into_iter().for_each(|page| all.add(page));
    Measured {
        default: DEFAULT_DETECTOR.to_owned(),
        runs: all.runs.into_iter().map(Tally::finish).collect(),
        learned: AFTER_VISITS
            .into_iter()
            .zip(all.learned)
            .map(|(after_visits, tally)| Learned { after_visits, run: tally.finish() })
            .collect(),
        cases: all.cases,
        us_to_read: all.reading.as_secs_f64() * 1e6 / (2 * pairs.len()).max(1) as f64,
    }
}

/// The names of all detectors.
pub fn all_detectors() -> Vec<&'static str> {
    DETECTORS.iter().map(|entry| entry.name).collect()
}

/// Figures while they are gathered.
struct Found {
    runs: Vec<Tally>,
    learned: Vec<Tally>,
    cases: Vec<Case>,
    reading: Duration,
}

#[derive(Clone)]
struct Tally {
    detector: String,
    positives: usize,
    missed: usize,
    negatives: usize,
    false_alarms: usize,
    time: Duration,
    looks: usize,
}

impl Tally {
    fn new(detector: &str) -> Tally {
        let detector = detector.to_owned();
        let time = Duration::ZERO;
        Tally { detector, positives: 0, missed: 0, negatives: 0, false_alarms: 0, time, looks: 0 }
    }

    fn count(&mut self, kind: PairKind, is_change: bool) {
        match kind {
            PairKind::Edit => {
                self.positives += 1;
                self.missed += usize::from(!is_change);
            }
            PairKind::Noise => {
                self.negatives += 1;
                self.false_alarms += usize::from(is_change);
            }
            PairKind::Other => {}
        }
    }

    fn add(&mut self, other: Tally) {
        self.positives += other.positives;
        self.missed += other.missed;
        self.negatives += other.negatives;
        self.false_alarms += other.false_alarms;
        self.time += other.time;
        self.looks += other.looks;
    }

    fn finish(self) -> Run {
        Run {
            missed_interval: wilson(self.missed, self.positives),
            false_alarm_interval: wilson(self.false_alarms, self.negatives),
            us_per_page: self.time.as_secs_f64() * 1e6 / self.looks.max(1) as f64,
            detector: self.detector,
            positives: self.positives,
            missed: self.missed,
            negatives: self.negatives,
            false_alarms: self.false_alarms,
        }
    }
}

impl Found {
    fn new(detectors: &[&str]) -> Found {
        Found {
            runs: detectors.iter().map(|name| Tally::new(name)).collect(),
            learned: AFTER_VISITS.map(|_| Tally::new(DEFAULT_DETECTOR)).to_vec(),
            cases: Vec::new(),
            reading: Duration::ZERO,
        }
    }

    fn add(&mut self, other: Found) {
        for (run, tally) in self.runs.iter_mut().zip(other.runs) {
            run.add(tally);
        }
        for (run, tally) in self.learned.iter_mut().zip(other.learned) {
            run.add(tally);
        }
        self.cases.extend(other.cases);
        self.reading += other.reading;
    }
}

/// All pairs of one site, in the order of time.
fn of_site(pairs: &[&PagePair], detectors: &[&str]) -> Found {
    let mut found = Found::new(detectors);
    let limits = Limits::default();
    let mut known: BTreeMap<&str, Acquaintance> = BTreeMap::new();
    let mut churn = Churn::default();
    for pair in pairs {
        let began = Instant::now();
        let old = ReadVersion::of_html(&pair.url, pair.old.clone(), &limits);
        let new = ReadVersion::of_html(&pair.url, pair.new.clone(), &limits);
        found.reading += began.elapsed();
        for (name, tally) in detectors.iter().zip(&mut found.runs) {
            let Some(detector) = build_detector(name) else { continue };
            let began = Instant::now();
            let verdict = detector.compare(&old.version(), &new.version());
            tally.time += began.elapsed();
            tally.looks += 2;
            tally.count(pair.kind, verdict.is_change);
            if *name == DEFAULT_DETECTOR {
                found.cases.extend(case(pair, verdict, &old, &new));
            }
        }
        let began = Instant::now();
        let acquaintance = known.entry(&pair.page).or_default();
        let (change, visits) = acquaintance.meet(&old, &new, &mut churn);
        let took = began.elapsed();
        for (after, tally) in AFTER_VISITS.iter().zip(&mut found.learned) {
            if visits >= *after {
                tally.count(pair.kind, change.significance.is_change());
                tally.time += took;
                tally.looks += 2;
            }
        }
    }
    found
}

/// The pair, if it was judged against its label.
fn case(
    pair: &PagePair,
    verdict: gannet_change::Verdict,
    old: &ReadVersion,
    new: &ReadVersion,
) -> Option<Case> {
    let is_missed = pair.kind == PairKind::Edit && !verdict.is_change;
    let is_alarm = pair.kind == PairKind::Noise && verdict.is_change;
    (is_missed || is_alarm).then(|| Case {
        page: pair.page.clone(),
        old_time: pair.old_time,
        is_missed,
        is_text_different: !old.document().text().eq(new.document().text()),
        because: verdict.because,
    })
}

/// A page that is visited again and again.
#[derive(Default)]
struct Acquaintance {
    memory: Option<Memory>,
    visits: u32,
}

impl Acquaintance {
    /// Sees both versions of a pair, and says what changed between them and how often the page had
    /// been visited before.
    fn meet(&mut self, old: &ReadVersion, new: &ReadVersion, churn: &mut Churn) -> (Change, u32) {
        let before = self.visits;
        self.visit(old, churn);
        (self.visit(new, churn), before)
    }

    fn visit(&mut self, version: &ReadVersion, churn: &mut Churn) -> Change {
        self.visits += 1;
        let look = Look::at(&version.version());
        let Some(memory) = &self.memory else {
            self.memory = Some(Memory::first(&look, self.visits));
            return Change::default();
        };
        let comparison = compare(memory, &look, churn, self.visits);
        if let Some(memory) = comparison.memory {
            self.memory = Some(memory);
        }
        comparison.change
    }
}

/// Wilson's interval for a share, 95 % confidence.
fn wilson(hits: usize, all: usize) -> (f64, f64) {
    if all == 0 {
        return (0.0, 1.0);
    }
    const Z: f64 = 1.96;
    let (n, share) = (all as f64, hits as f64 / all as f64);
    let middle = share + Z * Z / (2.0 * n);
    let reach = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    (((middle - reach) / scale).max(0.0), ((middle + reach) / scale).min(1.0))
}
