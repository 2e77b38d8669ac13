//! What a month of watching came to.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use gannet_model::{Fingerprint, PageUrl, Timestamp};
use gannet_store::{Embedded, ReturnRecord, Store, VisitRecord, Visited};
use gannet_testbed::politeness::{AuditRules, audit};
use gannet_testbed::{LogEntry, PageId, Web, is_robots_path};
use serde::Serialize;

use super::{DAY, DELAY, Month, WatchError};
use crate::freshness::{Figures, Known, Population, follow, replay_schedule};

/// What a month of watching came to. The field names are stable.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// Pages that were known when the watch began.
    pub pages: usize,
    /// Days that were watched.
    pub days: u32,
    /// Requests that the web saw.
    pub requests: u64,
    /// Requests that the budget allowed.
    pub allowed: f64,
    /// The first as a share of the second.
    pub used: f64,
    /// Requests of those that were for pages; the others were for robots.txt.
    pub page_requests: u64,
    /// Requests that broke a rule of politeness, in words.
    pub violations: Vec<String>,
    /// Visits that one day's process had told of and the next did not find: must be 0.
    pub lost_visits: u64,
    /// How fresh the copies were in truth.
    pub measured: Figures,
    /// How fresh the same policy keeps the same pages with as many visits in the lab of freshness.
    pub lab: Figures,
}

/// Judges the month that was watched in a directory.
pub fn judge(month: &Month, directory: &Path, lost_visits: u64) -> Result<Verdict, WatchError> {
    let web = month.web();
    let (store, journal) = Month::place(directory);
    let log = read_journal(&journal)?;
    let began = month.begins(0).as_micros();
    let watched: Vec<LogEntry> =
        log.into_iter().filter(|entry| entry.received_at >= began).collect();
    let rules = AuditRules { web: &web, delay: DELAY, per_host: true, per_address: true };
    let violations = audit(&watched, &rules).iter().map(|broken| format!("{broken:?}")).collect();
    let page_requests = watched.iter().filter(|entry| !is_robots_path(&entry.path)).count();
    let store = Embedded::open_existing(&store)?;
    let (population, visits) = population(month, &web, &store)?;
    let allowed = month.requests_per_day * f64::from(month.days);
    Ok(Verdict {
        pages: population.pages.len(),
        days: month.days,
        requests: watched.len() as u64,
        allowed,
        used: watched.len() as f64 / allowed,
        page_requests: page_requests as u64,
        violations,
        lost_visits,
        measured: follow(&population, &visits),
        lab: replay_schedule(&population, page_requests as f64 / f64::from(month.days))?,
    })
}

fn read_journal(path: &Path) -> Result<Vec<LogEntry>, WatchError> {
    let file = File::open(path).map_err(WatchError::Journal)?;
    let mut log = Vec::new();
    for line in BufReader::new(file).lines() {
        let line = line.map_err(WatchError::Journal)?;
        let entry =
            serde_json::from_str(&line).map_err(|error| WatchError::Journal(error.into()))?;
        log.push(entry);
    }
    Ok(log)
}

/// The known pages with their true changes, and when each was visited, in days.
fn population(
    month: &Month,
    web: &Web,
    store: &dyn Store,
) -> Result<(Population, Vec<(u32, f64)>), WatchError> {
    let mut kept: Vec<(Fingerprint, ReturnRecord)> = Vec::new();
    store.each_return(&mut |url, record| kept.push((url, record)))?;
    let ends = month.begins(month.days);
    let mut numbers: HashMap<Fingerprint, u32> = HashMap::new();
    let mut pages = Vec::new();
    for (url, record) in kept {
        let Some(known) = store.url(url)? else { continue };
        let Some(page) = page_of(web, &known.url) else { continue };
        numbers.insert(url, pages.len() as u32);
        let rate = web.pace(page).interval().map_or(0.0, |gap| DAY.as_micros() as f64 / gap as f64);
        pages.push(Known {
            importance: f64::from(record.importance),
            rate,
            group: record.group,
            changes: changes(web, page, month.begins(0), ends),
        });
    }
    let mut visits = Vec::new();
    store.each_visit(0, &mut |_, visit| {
        if let (Some(number), Some(day)) = (numbers.get(&visit.url), seen_on(month, &visit)) {
            visits.push((*number, day));
        }
        ControlFlow::Continue(())
    })?;
    let mean_rate = pages.iter().map(|page| page.rate).sum::<f64>() / pages.len().max(1) as f64;
    let population = Population {
        pages,
        days: f64::from(month.days),
        counted_from: f64::from(month.learning_days),
        mean_rate,
    };
    Ok((population, visits))
}

fn page_of(web: &Web, url: &PageUrl) -> Option<PageId> {
    web.truth(url.as_str())?.page
}

/// When a page changed in a stretch of time, in days since its beginning.
fn changes(web: &Web, page: PageId, from: Timestamp, to: Timestamp) -> Vec<f64> {
    let mut changes = Vec::new();
    let mut at = to.as_micros();
    loop {
        let since = web.version(page, at).since;
        if since <= from.as_micros() || since > at {
            break;
        }
        changes.push(days(Duration::from_micros(since - from.as_micros())));
        at = since - 1;
    }
    changes.reverse();
    changes
}

/// The day on which a visit saw its page; 0 for what came before the watch.
fn seen_on(month: &Month, visit: &VisitRecord) -> Option<f64> {
    let is_seen = matches!(visit.outcome, Visited::Page(..) | Visited::Unchanged(_));
    is_seen.then(|| days(visit.at.since(month.begins(0))))
}

fn days(span: Duration) -> f64 {
    span.as_secs_f64() / DAY.as_secs_f64()
}
