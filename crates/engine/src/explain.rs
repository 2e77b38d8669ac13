//! Everything known of one URL, fetched or not: how it was found, every score
//! and rule, what happened, what is planned.

use gannet_model::{Host, PageUrl, Timestamp};
use gannet_politeness::{Access, Permission};
use gannet_store::{
    Found, HostRecord, How, ModelRecord, Status, Store, StoreError, UrlRecord, VisitNumber,
    VisitRecord, Visited,
};

use crate::journey::Journey;
use crate::labels::{Label, Labels};

/// Everything known of one URL.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The URL in canonical form.
    pub url: PageUrl,
    /// What the store holds; `None` when the crawl never came across it.
    pub record: Option<UrlRecord>,
    /// The pages that led to it, from its parent up to a seed.
    pub ancestry: Vec<Ancestor>,
    /// Every visit, newest first.
    pub visits: Vec<(VisitNumber, VisitRecord)>,
    /// The host, if it is known.
    pub host: Option<HostRecord>,
    /// What the scope says of it now.
    pub scope: ScopeView,
    /// What robots.txt says of it, as far as it was read.
    pub robots: RobotsView,
    /// The model that judged it last, if its version is recorded.
    pub model: Option<ModelRecord>,
    /// What a person said of it, if [labels were looked up](Explanation::with_labels). A page
    /// that was fetched is judged by it from the next run or `rejudge` on.
    pub label: Option<Label>,
}

/// A page that led to another.
#[derive(Clone, Debug)]
pub struct Ancestor {
    /// The page.
    pub url: PageUrl,
    /// How it was found itself.
    pub found: Found,
}

/// What the scope says of a URL now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScopeView {
    /// It is ours.
    Accepted,
    /// It is not, by this rule.
    Refused(String),
}

/// What robots.txt says of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RobotsView {
    /// It was never asked for, or must be asked for again.
    Unknown,
    /// Fetching is allowed, by this line if one speaks of it.
    Allowed(Option<String>),
    /// Fetching is not allowed, for this reason.
    Disallowed(String),
}

/// No chain of pages is followed further up than this.
const MOST_ANCESTORS: usize = 64;
/// No more visits than this are listed.
const MOST_VISITS: usize = 100;

/// Gathers everything known of `url`.
pub fn explain(
    store: &dyn Store,
    journey: &Journey,
    url: &PageUrl,
    now: Timestamp,
) -> Result<Explanation, StoreError> {
    let candidate = journey.candidate(url.clone(), How::Seed, None, 0);
    let record = store.url(candidate.fingerprint)?;
    // Depth counts for the scope, and only a URL that was found has one.
    let depth = record.as_ref().map_or(0, |record| record.found.depth);
    let candidate = journey.candidate(candidate.url, How::Seed, None, depth);
    let host = host_of(store, &candidate.url.host(), record.as_ref())?;
    let robots = match &host {
        Some((id, _)) => {
            let access = store.access(*id, candidate.url.scheme())?.unwrap_or_default();
            robots_view(&access, &candidate.url, now)
        }
        None => RobotsView::Unknown,
    };
    let visits = visits(store, record.as_ref())?;
    Ok(Explanation {
        ancestry: ancestry(store, record.as_ref())?,
        model: model(store, &visits)?,
        label: None,
        visits,
        host: host.map(|(_, record)| record),
        scope: candidate.refusal.map_or(ScopeView::Accepted, ScopeView::Refused),
        robots,
        url: candidate.url,
        record,
    })
}

impl Explanation {
    /// Adds what a person said of the page.
    #[must_use]
    pub fn with_labels(self, labels: &Labels) -> Explanation {
        let label = labels.get(self.url.fingerprint()).cloned();
        Explanation { label, ..self }
    }

    /// One word for how the URL stands.
    pub fn status(&self) -> &'static str {
        match self.record.as_ref().map(|record| record.head.status) {
            None => "unknown",
            Some(Status::Queued { .. }) => "queued",
            Some(Status::Scheduled { .. }) => "scheduled",
            Some(Status::Fetched) => "fetched",
            Some(Status::Redirected) => "redirected",
            Some(Status::Failed) => "failed",
            Some(Status::Skipped) => "skipped",
            Some(Status::Gone) => "gone",
        }
    }
}

fn host_of(
    store: &dyn Store,
    name: &Host,
    record: Option<&UrlRecord>,
) -> Result<Option<(gannet_model::HostId, HostRecord)>, StoreError> {
    if let Some(record) = record {
        let id = record.head.host;
        return Ok(store.host(id)?.map(|host| (id, host)));
    }
    let mut found = None;
    store.each_host(&mut |id, host| {
        if host.name == *name {
            found = Some((id, host));
        }
    })?;
    Ok(found)
}

fn model(
    store: &dyn Store,
    visits: &[(VisitNumber, VisitRecord)],
) -> Result<Option<ModelRecord>, StoreError> {
    let judged = visits.iter().find_map(|(_, visit)| match &visit.outcome {
        Visited::Page(_, facts) => Some(facts.judgement.version),
        _ => None,
    });
    judged.map_or(Ok(None), |version| store.model(version))
}

fn robots_view(access: &Access, url: &PageUrl, now: Timestamp) -> RobotsView {
    match access.permits(url.path_and_query(), now) {
        Permission::Allowed { rule } => RobotsView::Allowed(rule),
        Permission::Disallowed { because } => RobotsView::Disallowed(because),
        Permission::AskFirst => match access.last_known_ruling(url.path_and_query()) {
            Some(ruling) if ruling.allowed => RobotsView::Allowed(ruling.rule),
            Some(ruling) => RobotsView::Disallowed(ruling.rule.unwrap_or_default()),
            None => RobotsView::Unknown,
        },
    }
}

fn ancestry(store: &dyn Store, record: Option<&UrlRecord>) -> Result<Vec<Ancestor>, StoreError> {
    let mut chain = Vec::new();
    let mut next = record.and_then(|record| record.found.parent);
    while let Some(parent) = next.filter(|_| chain.len() < MOST_ANCESTORS) {
        let Some(record) = store.url(parent)? else {
            break;
        };
        next = record.found.parent;
        chain.push(Ancestor { url: record.url, found: record.found });
    }
    Ok(chain)
}

fn visits(
    store: &dyn Store,
    record: Option<&UrlRecord>,
) -> Result<Vec<(VisitNumber, VisitRecord)>, StoreError> {
    let mut visits = Vec::new();
    let mut next = record.and_then(|record| record.last_visit);
    while let Some(number) = next.filter(|_| visits.len() < MOST_VISITS) {
        let Some(visit) = store.visit(number)? else {
            break;
        };
        next = visit.previous;
        visits.push((number, visit));
    }
    Ok(visits)
}
