//! The history of a page: its visits and versions, under all addresses it had.

use gannet_model::{Fingerprint, PageUrl, Response, Timestamp};
use gannet_store::{How, Store, StoreError, VisitNumber, VisitRecord, Visited};

use crate::evidence::{Evidence, EvidenceError};

/// One visit in the history of a page.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryEntry {
    /// The number of the visit.
    pub number: VisitNumber,
    /// Under which address.
    pub url: PageUrl,
    /// What came of it.
    pub visit: VisitRecord,
    /// The version of the page that was there, from 1; `None` before the first.
    pub version: Option<u32>,
}

impl HistoryEntry {
    /// True when it brought a version that was not there before.
    pub fn is_new_version(&self) -> bool {
        matches!(self.visit.outcome, Visited::Page(..) | Visited::File(_))
    }
}

/// No page had more addresses than this one after the other.
const MOST_ADDRESSES: usize = 16;
/// No more visits to one page are told.
const MOST_VISITS: usize = 100_000;

/// All visits to a page in the order of time, those to its former and later addresses included;
/// empty when it was never visited.
pub fn history(store: &dyn Store, url: Fingerprint) -> Result<Vec<HistoryEntry>, StoreError> {
    let mut entries = Vec::new();
    for url in addresses(store, url)? {
        visits(store, url, &mut entries)?;
    }
    entries.sort_by_key(|entry| entry.number);
    let mut version = 0;
    for entry in &mut entries {
        version += u32::from(entry.is_new_version());
        entry.version = Some(version).filter(|version| *version > 0);
    }
    Ok(entries)
}

/// The addresses of a page: where it moved to, and where it moved from.
fn addresses(store: &dyn Store, url: Fingerprint) -> Result<Vec<Fingerprint>, StoreError> {
    let mut all = vec![url];
    let mut at = 0;
    while at < all.len() && all.len() < MOST_ADDRESSES {
        let url = all[at];
        at += 1;
        let Some(record) = store.url(url)? else { continue };
        let mut add = |other: Fingerprint| {
            if !all.contains(&other) {
                all.push(other);
            }
        };
        if let (How::Redirect | How::Canonical, Some(source)) =
            (record.found.how, record.found.parent)
        {
            add(source);
        }
        let last = record.last_visit.map(|number| store.visit(number)).transpose()?.flatten();
        match last.map(|last| last.outcome) {
            Some(Visited::Redirected(_, Some(target))) => add(target.fingerprint()),
            Some(Visited::Page(_, facts)) => {
                if let Some(canonical) = facts.canonical {
                    add(canonical.fingerprint());
                }
            }
            _ => {}
        }
    }
    Ok(all)
}

fn visits(
    store: &dyn Store,
    url: Fingerprint,
    entries: &mut Vec<HistoryEntry>,
) -> Result<(), StoreError> {
    let Some(record) = store.url(url)? else { return Ok(()) };
    let mut next = record.last_visit;
    while let Some(number) = next.filter(|_| entries.len() < MOST_VISITS) {
        let Some(visit) = store.visit(number)? else { break };
        next = visit.previous;
        entries.push(HistoryEntry { number, url: record.url.clone(), visit, version: None });
    }
    Ok(())
}

/// The version that was there at a time: the last one seen by then.
pub fn version_at(entries: &[HistoryEntry], time: Timestamp) -> Option<&HistoryEntry> {
    entries.iter().rev().find(|entry| entry.is_new_version() && entry.visit.at <= time)
}

/// The version of this number.
pub fn version(entries: &[HistoryEntry], number: u32) -> Option<&HistoryEntry> {
    entries.iter().find(|entry| entry.is_new_version() && entry.version == Some(number))
}

/// The bytes of a version, as they came.
pub fn kept_version(
    evidence: &Evidence,
    entry: &HistoryEntry,
) -> Result<Option<Response>, EvidenceError> {
    match entry.visit.archived {
        Some(at) => evidence.response(&entry.url, at).map(Some),
        None => Ok(None),
    }
}

/// The first visit that ended at or after a time; visits are numbered in the order of their ends.
pub fn first_visit_since(store: &dyn Store, time: Timestamp) -> Result<VisitNumber, StoreError> {
    let (mut low, mut high) = (0, store.last_visit()?.map_or(0, |last| last + 1));
    while low < high {
        let middle = low + (high - low) / 2;
        match store.visit(middle)? {
            Some(visit) if visit.ended < time => low = middle + 1,
            _ => high = middle,
        }
    }
    Ok(low)
}
