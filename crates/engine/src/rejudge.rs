//! Every page that was kept, before the model of today.
//!
//! Walks the visits in their order, reads each page's newest version back from
//! the archive, judges it with topic, examples, labels and what was learned,
//! and commits the judgements in batches. Each batch is whole or not at all
//! with the counts it changes, so it may be killed at any moment and run
//! again: what is judged the same is not written.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use gannet_model::{Fingerprint, Host, HostId, Judgement, PageUrl};
use gannet_relevance::Sight;
use gannet_store::{
    ArchivedAt, Commit, Counters, CrawlRecord, Embedded, HostRecord, LearnedRecord, ModelRecord,
    Store, StoreError, UrlRecord, VisitNumber, VisitRecord, Visited,
};

use crate::config::Config;
use crate::crawler::{DataDir, RunError, read_store};
use crate::evidence::{Evidence, is_newest_page};
use crate::journey::Journey;
use crate::labels::Said;
use crate::templates::Templates;
use crate::today::Today;

/// What is judged again, and whether that is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct What {
    /// Only pages of this host.
    pub host: Option<Host>,
    /// Changes nothing: only tells what would change.
    pub dry_run: bool,
}

/// A page whose verdict is another now.
#[derive(Clone, Debug, PartialEq)]
pub struct Rejudged {
    /// The page.
    pub url: PageUrl,
    /// Its title.
    pub title: String,
    /// How it was judged.
    pub before: Judgement,
    /// How it is judged now.
    pub after: Judgement,
}

/// What judging again came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RejudgeSummary {
    /// The model's registered name.
    pub model: String,
    /// The version that judged.
    pub version: u64,
    /// Pages looked at.
    pub pages: u64,
    /// Of those: judged again, or spoken of by a person.
    pub judged: u64,
    /// Of those: relevant now.
    pub relevant: u64,
    /// Relevant now and not before.
    pub gained: u64,
    /// Relevant before and not now.
    pub lost: u64,
    /// Pages of which no evidence was kept; they stay as they were judged.
    pub without_archive: u64,
    /// Pages whose evidence cannot be read; they stay as they were judged.
    pub unreadable: u64,
    /// How long it took.
    pub elapsed: Duration,
}

impl RejudgeSummary {
    /// Pages looked at in a second.
    pub fn pages_per_second(&self) -> f64 {
        self.pages as f64 / self.elapsed.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

/// Visits looked at between two commits.
const AT_ONCE: usize = 256;

/// Judges every page of a data directory again, telling `report` of each whose verdict turns.
/// No crawl may run there.
pub fn rejudge(
    data: &DataDir,
    config: &Config,
    which: What,
    report: &mut dyn FnMut(Rejudged),
) -> Result<RejudgeSummary, RunError> {
    let began = Instant::now();
    let mut store = read_store(data)?;
    let Today { journey, said, records } = Today::of(data, &store, config)?;
    if !which.dry_run {
        begin(&mut store, config, records)?;
    }
    let version = journey.model().version();
    let mut bench = Bench {
        counters: store.counters()?,
        store,
        journey,
        evidence: Evidence::new(data, config.fetch.limits),
        said,
        templates: Templates::default(),
        hosts: HashMap::new(),
        which,
        summary: RejudgeSummary {
            model: config.model.name.clone(),
            version,
            ..RejudgeSummary::default()
        },
    };
    bench.judge_all(report)?;
    Ok(RejudgeSummary { elapsed: began.elapsed(), ..bench.summary })
}

/// Stores which model judges from now on, and what the crawl is about.
fn begin(
    store: &mut Embedded,
    config: &Config,
    records: Option<(ModelRecord, Option<LearnedRecord>)>,
) -> Result<(), StoreError> {
    let (model, learned) = records.map_or((None, None), |(model, learned)| (Some(model), learned));
    let is_known = match &model {
        Some(model) => store.model(model.version)?.is_some(),
        None => true,
    };
    let crawl = store.crawl()?.map(|crawl| CrawlRecord {
        topic: config.topic.to_string(),
        definition: serde_json::to_string(&config.topic).ok(),
        model: config.model.name.clone(),
        ..crawl
    });
    store.commit(Commit { model: model.filter(|_| !is_known), learned, crawl, ..Commit::default() })
}

/// Where pages are judged again.
struct Bench {
    store: Embedded,
    journey: Journey,
    evidence: Evidence,
    said: HashMap<Fingerprint, Said>,
    templates: Templates,
    counters: Counters,
    /// Hosts whose counts changed in this batch.
    hosts: HashMap<HostId, HostRecord>,
    which: What,
    summary: RejudgeSummary,
}

impl Bench {
    fn judge_all(&mut self, report: &mut dyn FnMut(Rejudged)) -> Result<(), RunError> {
        let mut next = Some(0);
        while let Some(from) = next {
            let stretch = self.stretch(from)?;
            next = stretch.last().map(|(number, _)| number + 1);
            let mut commit = Commit::default();
            let mut turned = Vec::new();
            for (number, visit) in stretch {
                turned.extend(self.judge(number, visit, &mut commit)?);
            }
            if !commit.visits.is_empty() && !self.which.dry_run {
                commit.counters = Some(self.counters);
                commit.hosts.extend(self.hosts.drain());
                self.store.commit(commit)?;
            }
            self.hosts.clear();
            turned.into_iter().for_each(&mut *report);
        }
        Ok(self.store.sync()?)
    }

    fn stretch(&self, from: VisitNumber) -> Result<Vec<(VisitNumber, VisitRecord)>, StoreError> {
        let mut stretch = Vec::with_capacity(AT_ONCE);
        self.store.each_visit(from, &mut |number, visit| {
            stretch.push((number, visit));
            match stretch.len() {
                AT_ONCE => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        })?;
        Ok(stretch)
    }

    /// Judges the page of a visit, if it is the newest version of a page that is asked for.
    fn judge(
        &mut self,
        number: VisitNumber,
        mut visit: VisitRecord,
        commit: &mut Commit,
    ) -> Result<Option<Rejudged>, StoreError> {
        let Visited::Page(_, facts) = &mut visit.outcome else { return Ok(None) };
        let Some(record) = self.store.url(visit.url)? else { return Ok(None) };
        let is_asked_for = self.which.host.as_ref().is_none_or(|host| *host == record.url.host());
        let is_newest = is_newest_page(&self.store, &record, number)?;
        if !is_asked_for || !is_newest {
            return Ok(None);
        }
        self.summary.pages += 1;
        let by_model = match visit.archived {
            Some(at) => self.by_model(&record, at),
            None => {
                self.summary.without_archive += 1;
                None
            }
        };
        let after = match self.said.get(&visit.url) {
            Some(said) => Some(said.judgement(by_model.as_ref().unwrap_or(&facts.judgement))),
            None => by_model,
        };
        let Some(after) = after else { return Ok(None) };
        self.summary.judged += 1;
        self.summary.relevant += u64::from(after.is_relevant());
        if after == facts.judgement {
            return Ok(None);
        }
        let before = std::mem::replace(&mut facts.judgement, after.clone());
        let title = facts.title.clone();
        commit.visits.push((number, visit));
        if before.verdict() == after.verdict() {
            return Ok(None);
        }
        self.turn(record.head.host, after.is_relevant())?;
        Ok(Some(Rejudged { url: record.url, title, before, after }))
    }

    /// What the model says of a page as it was kept.
    fn by_model(&mut self, record: &UrlRecord, at: ArchivedAt) -> Option<Judgement> {
        let response = match self.evidence.response(&record.url, at) {
            Ok(response) => response,
            Err(error) => {
                tracing::warn!(url = %record.url, %error, "a page cannot be read back");
                self.summary.unreadable += 1;
                return None;
            }
        };
        let template = self.templates.of(record.head.host);
        let (document, prominence) = self.journey.document(&response, template.as_deref());
        drop(template);
        self.templates.observe(record.head.host, &document);
        Some(self.journey.model().judge(&Sight {
            document: &document,
            url: Some(&record.url),
            anchor: &record.found.anchor,
            prominence: Some(&prominence),
        }))
    }

    /// Counts a page the other way.
    fn turn(&mut self, host: HostId, is_relevant: bool) -> Result<(), StoreError> {
        let (gained, lost) = (u64::from(is_relevant), u64::from(!is_relevant));
        self.summary.gained += gained;
        self.summary.lost += lost;
        self.counters.turn(is_relevant);
        if !self.hosts.contains_key(&host)
            && let Some(record) = self.store.host(host)?
        {
            self.hosts.insert(host, record);
        }
        if let Some(record) = self.hosts.get_mut(&host) {
            record.counters.turn(is_relevant);
        }
        Ok(())
    }
}
