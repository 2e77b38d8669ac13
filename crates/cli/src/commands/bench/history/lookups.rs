//! How soon a version is found among a year of visits, and whether it is the right one.

use std::time::Instant;

use anyhow::Context;
use gannet_change::diff::{diff, lines};
use gannet_content::Limits;
use gannet_engine::{DataDir, Evidence, HistoryEntry, ReadVersion, history, kept_version};
use gannet_model::Response;
use gannet_store::Store;

use super::site::Site;

/// What came of looking versions up.
#[derive(Debug, Default)]
pub(super) struct Lookups {
    /// Pages that were looked up.
    pub(super) pages: u32,
    pub(super) median_millis: f64,
    pub(super) worst_millis: f64,
    /// Versions that came back byte for byte.
    pub(super) as_they_were: u32,
    /// Pairs of versions that were compared.
    pub(super) diffs: u32,
    /// Of those, where the diff makes the newer of the older.
    pub(super) diffs_that_apply: u32,
}

/// Looks up random versions of random pages, and compares them with random other versions.
pub(super) fn measure(
    site: &Site,
    store: &dyn Store,
    data: &DataDir,
    pages: u32,
) -> anyhow::Result<Lookups> {
    let evidence = Evidence::new(data, gannet_fetch::Limits::default());
    let mut draw = Draw(1);
    let mut found = Lookups { pages, ..Lookups::default() };
    let mut millis = Vec::new();
    for _ in 0..pages {
        let url = draw.one_of(site.urls()).context("there are no pages")?;
        let began = Instant::now();
        let entries = history(store, url.fingerprint())?;
        let versions: Vec<&HistoryEntry> =
            entries.iter().filter(|entry| entry.is_new_version()).collect();
        let entry = draw.one_of(&versions).context("a page was never fetched")?;
        let version = kept_version(&evidence, entry)?.context("a version was not kept")?;
        millis.push(began.elapsed().as_secs_f64() * 1e3);
        let expected = site.body_at(url, entry.visit.at);
        found.as_they_were += u32::from(expected.as_ref() == Some(&version.body));

        let other = draw.one_of(&versions).context("a page was never fetched")?;
        let other = kept_version(&evidence, other)?.context("a version was not kept")?;
        found.diffs += 1;
        found.diffs_that_apply += u32::from(is_made_of(&version, &other));
    }
    millis.sort_by(f64::total_cmp);
    found.median_millis = millis.get(millis.len() / 2).copied().unwrap_or_default();
    found.worst_millis = millis.last().copied().unwrap_or_default();
    Ok(found)
}

/// Whether the diff of two versions makes the one of the other.
fn is_made_of(old: &Response, new: &Response) -> bool {
    let read = |response| lines(ReadVersion::of(response, &Limits::default()).document());
    let (old, new) = (read(old), read(new));
    diff(&old, &new).apply(&old).is_ok_and(|made| made == new)
}

/// Numbers that are the same in every run (xorshift64).
struct Draw(u64);

impl Draw {
    fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let place = (self.0 >> 16) % all.len().max(1) as u64;
        all.get(usize::try_from(place).ok()?)
    }
}
