//! Pages of real sites and when they changed, from a file.
//!
//! A line is a page: path, when it was made, when it was removed (0 while it is there), and when it
//! changed, in seconds of the epoch, with commas between. Pages that are there all through the last
//! four years are replayed: the first two are for learning, the last two are counted. A file whose
//! first line begins with `id` gives rates and importance instead, and pages change at random.

use std::fs;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::chance::Chance;
use super::population::{Importance, Known, Population};
use super::source::SourceError;
use super::synthetic::of_rates;

/// What a file holds.
#[derive(Clone, Debug)]
pub(super) enum Recorded {
    /// Pages and their changes.
    Changes(Vec<Line>),
    /// Rates and importance.
    Rates(Vec<(f64, f64)>),
}

/// A page of a trace.
#[derive(Clone, Debug)]
pub(super) struct Line {
    path: String,
    created: u64,
    deleted: u64,
    changes: Vec<u64>,
}

const SECONDS_PER_DAY: f64 = 86_400.0;
/// Days that are replayed, and of those, days that are counted.
const REPLAYED: u64 = 1460;
const COUNTED: u64 = 730;
/// How the first line of a file of rates begins.
const RATES_BEGIN: &str = "id\t";

impl Recorded {
    pub(super) fn read(file: &Path) -> Result<Recorded, SourceError> {
        let name = || file.display().to_string();
        let text = fs::read_to_string(file)
            .map_err(|cause| SourceError::Unreadable { file: name(), cause })?;
        let error = |line: usize, why: &'static str| SourceError::Line { file: name(), line, why };
        if text.starts_with(RATES_BEGIN) {
            let rates = text.lines().enumerate().skip(1).map(|(at, line)| {
                read_rate(line).ok_or_else(|| error(at + 1, "no id, rate and importance"))
            });
            return rates.collect::<Result<_, _>>().map(Recorded::Rates);
        }
        let lines = text.lines().enumerate().map(|(at, line)| {
            let right = "no path, creation, removal and changes with tabs between";
            read_line(line).ok_or_else(|| error(at + 1, right))
        });
        lines.collect::<Result<_, _>>().map(Recorded::Changes)
    }

    /// The pages, with importance and chance by a seed.
    pub(super) fn draw(&self, seed: u64) -> Option<Population> {
        match self {
            Recorded::Rates(rates) => {
                Some(of_rates(rates, seed)).filter(|all| !all.pages.is_empty())
            }
            Recorded::Changes(lines) => replay(lines, seed),
        }
    }
}

fn read_rate(line: &str) -> Option<(f64, f64)> {
    let mut fields = line.split('\t').skip(1);
    let mut number = || fields.next()?.trim().parse::<f64>().ok().filter(|number| *number >= 0.0);
    let rate = number().filter(|rate| *rate > 0.0)?;
    Some((rate, number()?))
}

fn read_line(line: &str) -> Option<Line> {
    let mut fields = line.split('\t');
    let path = fields.next()?.to_owned();
    let created = fields.next()?.trim().parse().ok()?;
    let deleted = fields.next()?.trim().parse().ok()?;
    let changes = fields.next().unwrap_or("").trim();
    let changes = changes.split(',').filter(|change| !change.is_empty());
    let mut changes: Vec<u64> = changes.map(|change| change.parse().ok()).collect::<Option<_>>()?;
    changes.sort_unstable();
    Some(Line { path, created, deleted, changes })
}

fn replay(lines: &[Line], seed: u64) -> Option<Population> {
    let end = lines.iter().filter_map(|line| line.changes.last()).max().copied()?;
    let day = SECONDS_PER_DAY as u64;
    let start = end.saturating_sub(REPLAYED * day);
    let is_there =
        |line: &&Line| line.created <= start && (line.deleted == 0 || line.deleted >= end);
    let page = |line: &Line| {
        let since = line.changes.iter().filter(|change| **change > start);
        let changes: Vec<f64> =
            since.map(|change| (change - start) as f64 / SECONDS_PER_DAY).collect();
        let rate = changes.len() as f64 / REPLAYED as f64;
        Known { importance: 1.0, rate, group: group(&line.path), changes }
    };
    let pages: Vec<Known> = lines.iter().filter(is_there).map(page).collect();
    let mean_rate = pages.iter().map(|page| page.rate).sum::<f64>() / pages.len().max(1) as f64;
    if mean_rate <= 0.0 {
        return None;
    }
    let counted_from = (REPLAYED - COUNTED) as f64;
    let mut population = Population { pages, days: REPLAYED as f64, counted_from, mean_rate };
    population.weigh(Importance::Zipf, &mut Chance::seeded(seed, "importance"));
    Some(population)
}

/// The directory that a page lies in. The index of a directory is served as the directory itself
/// and lies in the one above.
fn group(path: &str) -> u64 {
    let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
    let directory = match name.split('.').next() {
        Some("index") => directory.rsplit_once('/').map_or("", |(above, _)| above),
        _ => directory,
    };
    xxh3_64(directory.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_of_a_directory_lies_in_the_one_above() {
        assert_eq!(group("a/b/index.md"), group("a/c/index.html"));
        assert_eq!(group("a/b/index.md"), group("a/page.html"));
        assert_ne!(group("a/b/page.md"), group("a/page.html"));
        assert_eq!(group("index.html"), group("about.html"));
    }

    #[test]
    fn only_pages_that_are_there_all_the_time_are_replayed() {
        let end = 2_000_000_000;
        let line = |path: &str, created, deleted, changes: &[u64]| Line {
            path: path.to_owned(),
            created,
            deleted,
            changes: changes.to_vec(),
        };
        let lines = [
            line("old", 1, 0, &[5, end - 86_400, end]),
            line("gone", 1, end - 100, &[]),
            line("new", end - 86_400, 0, &[end - 10]),
        ];
        let population = replay(&lines, 1).unwrap();
        assert_eq!(population.pages.len(), 1);
        assert_eq!(population.pages[0].changes, [1459.0, 1460.0]);
        assert!(replay(&[], 1).is_none());
    }

    #[test]
    fn a_wrong_line_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("trace.tsv");
        let error = |text: &str| {
            fs::write(&file, text).unwrap();
            Recorded::read(&file).unwrap_err().to_string()
        };
        assert!(error("a\t1\t0\t5\nb\tx\t0\t5\n").contains("line 2"));
        assert!(error("id\trate\n1\t-1\t1\n").contains("line 2"));
        assert!(Recorded::read(&folder.path().join("none.tsv")).is_err());
    }
}
