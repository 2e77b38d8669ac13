//! What happened to pages, with edits of whole sites taken together.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use gannet_engine::first_visit_since;
use gannet_model::{Change, Fingerprint, Happening, Host, Significance, Timestamp};
use gannet_store::{Store, StoreError, VisitNumber, VisitRecord, Visited};
use serde::Serialize;

use crate::commands::history::in_words;

/// Which happenings are wanted.
pub(crate) struct Wanted {
    pub(crate) since: Timestamp,
    pub(crate) site: Option<Host>,
    /// The least change that is told.
    pub(crate) least: Significance,
}

/// Something that happened. The field names are stable.
#[derive(Debug, Serialize)]
pub(crate) struct Event {
    pub(crate) at: String,
    pub(crate) happening: &'static str,
    pub(crate) significance: &'static str,
    pub(crate) share: f32,
    pub(crate) site: String,
    /// The page, or one of those that an edit stands on.
    pub(crate) url: String,
    pub(crate) title: String,
    /// On how many pages.
    pub(crate) pages: usize,
    /// What changed, in words.
    pub(crate) changed: String,
    #[serde(skip)]
    pub(crate) page: Fingerprint,
    #[serde(skip)]
    pub(crate) visit: VisitNumber,
    #[serde(skip)]
    rank: (Significance, u32),
}

/// An edit on this many pages of a site is one event.
const SITE_WIDE: usize = 3;

/// A page that something happened to.
struct Happened {
    number: VisitNumber,
    visit: VisitRecord,
    happening: Happening,
    site: String,
    url: String,
}

/// All that is wanted, the most significant first, then the newest.
pub(crate) fn gather(store: &dyn Store, wanted: &Wanted) -> Result<Vec<Event>, StoreError> {
    let happened = happened(store, wanted)?;
    let shared = shared_edits(&happened);
    let mut events: Vec<Event> = Vec::new();
    let mut of_sites: BTreeMap<(String, u32), Vec<&Happened>> = BTreeMap::new();
    for page in &happened {
        let mut own = page.visit.change.clone();
        if let Some(change) = &mut own
            && !change.edits.is_empty()
        {
            let is_shared = |mark: u32| shared.contains_key(&(page.site.as_str(), mark));
            if let Some(first) = change.edits.iter().find(|edit| is_shared(edit.mark)) {
                // All that one page has in common with others is told once, by its first edit.
                of_sites.entry((page.site.clone(), first.mark)).or_default().push(page);
            }
            change.edits.retain(|edit| !is_shared(edit.mark));
            if change.edits.is_empty() {
                continue;
            }
        }
        events.push(event(page, own.as_ref(), 1));
    }
    for pages in of_sites.into_values() {
        let Some(first) = pages.first() else { continue };
        let mut event = event(first, first.visit.change.as_ref(), pages.len());
        event.changed = format!("the same edit on {} pages of the site", pages.len());
        events.push(event);
    }
    events.retain(|event| event.rank.0 >= wanted.least);
    events.sort_by_key(|event| std::cmp::Reverse((event.rank, event.visit)));
    Ok(events)
}

fn happened(store: &dyn Store, wanted: &Wanted) -> Result<Vec<Happened>, StoreError> {
    let from = first_visit_since(store, wanted.since)?;
    let mut happened = Vec::new();
    let mut failed = None;
    store.each_visit(from, &mut |number, visit| {
        let Some(happening) = visit.happening else { return ControlFlow::Continue(()) };
        match store.url(visit.url) {
            Ok(Some(record)) => {
                let host = record.url.host();
                if wanted.site.as_ref().is_none_or(|site| *site == host) {
                    let (site, url) = (host.to_string(), record.url.to_string());
                    happened.push(Happened { number, visit, happening, site, url });
                }
                ControlFlow::Continue(())
            }
            Ok(None) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    failed.map_or(Ok(happened), Err)
}

/// Edits that stand on several pages of a site.
fn shared_edits(happened: &[Happened]) -> HashMap<(&str, u32), usize> {
    let mut pages: HashMap<(&str, u32), usize> = HashMap::new();
    for page in happened {
        for edit in page.visit.change.iter().flat_map(|change| &change.edits) {
            *pages.entry((&page.site, edit.mark)).or_default() += 1;
        }
    }
    pages.retain(|_, pages| *pages >= SITE_WIDE);
    pages
}

fn event(page: &Happened, change: Option<&Change>, pages: usize) -> Event {
    let significance = match page.happening {
        Happening::Changed => change.map_or(Significance::Minor, |change| change.significance),
        Happening::Gone | Happening::Back => Significance::Major,
        Happening::New | Happening::Moved => Significance::Minor,
    };
    let share = change.map_or(0.0, |change| change.share);
    let (title, moved_to) = match &page.visit.outcome {
        Visited::Page(_, facts) => (facts.title.clone(), None),
        Visited::Redirected(_, target) => (String::new(), target.as_ref()),
        _ => (String::new(), None),
    };
    let changed = match (page.happening, moved_to) {
        (Happening::Moved, Some(target)) => format!("to {target}"),
        _ => change.map(in_words).unwrap_or_default(),
    };
    Event {
        at: page.visit.at.to_string(),
        happening: page.happening.name(),
        significance: significance.name(),
        share,
        site: page.site.clone(),
        url: page.url.clone(),
        title,
        pages,
        changed,
        page: page.visit.url,
        visit: page.number,
        // Among equals, what changed most, in thousandths.
        rank: (significance, (share * 1000.0) as u32),
    }
}
