//! What a watch will do, and how fresh that keeps its pages: for people, without running it.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use gannet_model::{Fingerprint, HostId, PageUrl, Significance, Timestamp};
use gannet_revisit::{Account, Demand, Schedule, Spacing, freshness, harmonic_even, price_for};
use gannet_store::{Store, VisitRecord, Visited};

use crate::crawl::CrawlError;
use crate::history::first_visit_since;
use crate::returns::{Returns, WatchConfig};

/// What a watch will do.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// Pages that are visited again and again.
    pub pages: usize,
    /// Pages that are due.
    pub due_now: usize,
    /// Visits that fall due within each span.
    pub due: Vec<(Duration, usize)>,
    /// The share of weight whose copies are thought to be fresh now.
    pub expected: f64,
    /// What it will come to with other budgets: multiples of the present one, and freshness.
    /// Empty without a budget.
    pub budgets: Vec<(f64, f64)>,
    /// Sites, those with most weight first.
    pub sites: Vec<SiteOutlook>,
    /// What visits showed, over all sites.
    pub measured: Option<Measured>,
    /// The next visits, the soonest first.
    pub next: Vec<PlannedVisit>,
}

/// How fresh the pages of a site are.
#[derive(Clone, Debug)]
pub struct SiteOutlook {
    /// Which site.
    pub site: String,
    /// Its pages.
    pub pages: usize,
    /// Their weight, as a share of all.
    pub weight: f64,
    /// The share of it whose copies are thought to be fresh now.
    pub expected: f64,
    /// What visits showed.
    pub measured: Option<Measured>,
}

/// What visits showed of how fresh copies were.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measured {
    /// Visits that found a known page, changed or not.
    pub visits: usize,
    /// The share of the time between visits that copies were fresh. A change that nobody dates is
    /// taken to lie in the middle.
    pub fresh: f64,
}

/// Times between visits, and how long copies were fresh in them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SeenSpans {
    pub(crate) visits: usize,
    fresh: f64,
    whole: f64,
}

impl SeenSpans {
    pub(crate) fn add(&mut self, span: Duration, is_changed: bool) {
        let span = span.as_secs_f64();
        self.visits += 1;
        self.fresh += if is_changed { span / 2.0 } else { span };
        self.whole += span;
    }

    pub(crate) fn measured(&self) -> Measured {
        Measured { visits: self.visits, fresh: self.fresh / self.whole.max(f64::MIN_POSITIVE) }
    }
}

/// A visit that is planned.
#[derive(Clone, Debug)]
pub struct PlannedVisit {
    /// Which page.
    pub url: PageUrl,
    /// When.
    pub due: Timestamp,
    /// When it was last seen.
    pub seen: Timestamp,
    /// What the policy knows of it.
    pub account: Account,
}

/// How far back visits are measured.
const MEASURED_OVER: Duration = Duration::from_secs(30 * 24 * 3600);
/// Budgets that are told of, as multiples of the present one.
const MULTIPLES: [f64; 5] = [0.25, 0.5, 1.0, 2.0, 4.0];
/// Spans within which visits are counted: an hour, a day, a week.
const SPANS: [Duration; 3] =
    [Duration::from_secs(3600), Duration::from_secs(24 * 3600), Duration::from_secs(7 * 24 * 3600)];

/// What a watch will do from `now` on, with its `most` next visits.
pub fn outlook(
    store: &dyn Store,
    config: &WatchConfig,
    now: Timestamp,
    most: usize,
) -> Result<Outlook, CrawlError> {
    let names = names(store)?;
    let (returns, hosts) = load(store, config, &names, now)?;
    let schedule = returns.schedule();
    let measured = measured(store, &hosts, now)?;
    let mut sums: HashMap<HostId, Sums> = HashMap::new();
    let mut demands = Vec::with_capacity(returns.len());
    for (page, _) in schedule.dues() {
        let account = schedule.account(page, now);
        let host = returns.url(page).and_then(|url| hosts.get(&url)).copied();
        sums.entry(host.unwrap_or(HostId(0))).or_default().add(&account);
        if let Some(rate) = account.rate {
            demands.push(Demand { rate: rate.max(LEAST_RATE), weight: account.importance });
        }
    }
    let all = sums.values().fold(Sums::default(), |all, site| all.plus(site));
    let budget = returns.allowance.requests_per_day();
    Ok(Outlook {
        pages: returns.len(),
        due_now: schedule.due_by(now),
        due: SPANS.iter().map(|span| (*span, schedule.due_by(now + *span))).collect(),
        expected: all.fresh / all.weight.max(f64::MIN_POSITIVE),
        budgets: budget.map_or_else(Vec::new, |budget| at_budgets(&demands, budget)),
        sites: sites(&sums, &names, &measured, all.weight),
        measured: total(measured.values()),
        next: next(store, schedule, &returns, now, most)?,
    })
}

/// What is planned for one page; `None` when it is not visited again.
pub fn planned_visit(
    store: &dyn Store,
    config: &WatchConfig,
    url: &PageUrl,
    now: Timestamp,
) -> Result<Option<PlannedVisit>, CrawlError> {
    let fingerprint = url.fingerprint();
    let Some(mut record) = store.page_return(fingerprint)? else { return Ok(None) };
    // It is alone in this schedule.
    record.number = 0;
    let Some(host) = store.host(record.host)? else { return Ok(None) };
    let mut returns = Returns::open(config, store, now)?;
    let is_other = returns.is_other_policy(store)?;
    returns.restore(fingerprint, host.name.name(), &record, is_other);
    returns.restored();
    let Some(page) = returns.number(fingerprint) else { return Ok(None) };
    let account = returns.schedule().account(page, now);
    let due = returns.schedule().due(page).unwrap_or(record.due);
    Ok(Some(PlannedVisit { url: url.clone(), due, seen: record.seen, account }))
}

/// Rates below this a day are told apart by nobody.
const LEAST_RATE: f64 = 1e-9;

/// What pages of a site come to.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    pages: usize,
    weight: f64,
    fresh: f64,
}

impl Sums {
    fn add(&mut self, account: &Account) {
        self.pages += 1;
        self.weight += account.importance;
        self.fresh += account.importance * account.fresh.unwrap_or(0.0);
    }

    fn plus(self, other: &Sums) -> Sums {
        Sums {
            pages: self.pages + other.pages,
            weight: self.weight + other.weight,
            fresh: self.fresh + other.fresh,
        }
    }
}

type Names = HashMap<HostId, String>;

fn names(store: &dyn Store) -> Result<Names, CrawlError> {
    let mut names = Names::new();
    store.each_host(&mut |host, record| {
        names.insert(host, record.name.name().to_owned());
    })?;
    Ok(names)
}

/// The schedule as the store holds it, and the host of every page.
fn load(
    store: &dyn Store,
    config: &WatchConfig,
    names: &Names,
    now: Timestamp,
) -> Result<(Returns, HashMap<Fingerprint, HostId>), CrawlError> {
    let mut returns = Returns::open(config, store, now)?;
    let is_other = returns.is_other_policy(store)?;
    let mut hosts = HashMap::new();
    store.each_return(&mut |url, record| {
        let name = names.get(&record.host).map_or("", String::as_str);
        returns.restore(url, name, &record, is_other);
        hosts.insert(url, record.host);
    })?;
    returns.restored();
    returns.tell_budget();
    Ok((returns, hosts))
}

/// What the best schedule comes to with multiples of a budget, by the rates as estimated.
fn at_budgets(demands: &[Demand], budget: f64) -> Vec<(f64, f64)> {
    let whole: f64 = demands.iter().map(|page| page.weight).sum();
    if demands.is_empty() || whole <= 0.0 {
        return Vec::new();
    }
    let fresh_at = |multiple: f64| {
        let price = price_for(demands, budget * multiple, None, harmonic_even);
        let fresh = demands.iter().map(|page| {
            let visits = harmonic_even(*page, price);
            page.weight * freshness(page.rate / visits.max(f64::MIN_POSITIVE), Spacing::Even)
        });
        fresh.sum::<f64>() / whole
    };
    MULTIPLES.iter().map(|multiple| (*multiple, fresh_at(*multiple))).collect()
}

fn sites(
    sums: &HashMap<HostId, Sums>,
    names: &Names,
    measured: &HashMap<HostId, Measured>,
    whole: f64,
) -> Vec<SiteOutlook> {
    let mut sites: Vec<SiteOutlook> = sums
        .iter()
        .map(|(host, sums)| SiteOutlook {
            site: names.get(host).cloned().unwrap_or_default(),
            pages: sums.pages,
            weight: sums.weight / whole.max(f64::MIN_POSITIVE),
            expected: sums.fresh / sums.weight.max(f64::MIN_POSITIVE),
            measured: measured.get(host).copied(),
        })
        .collect();
    sites.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.site.cmp(&b.site)));
    sites
}

fn total<'a>(all: impl Iterator<Item = &'a Measured>) -> Option<Measured> {
    let (visits, fresh) = all.fold((0, 0.0), |(visits, fresh), site| {
        (visits + site.visits, fresh + site.fresh * site.visits as f64)
    });
    (visits > 0).then(|| Measured { visits, fresh: fresh / visits as f64 })
}

/// What the visits of the last month showed, by host.
fn measured(
    store: &dyn Store,
    hosts: &HashMap<Fingerprint, HostId>,
    now: Timestamp,
) -> Result<HashMap<HostId, Measured>, CrawlError> {
    let first = first_visit_since(store, now.before(MEASURED_OVER))?;
    let mut seen: Vec<VisitRecord> = Vec::new();
    store.each_visit(first, &mut |_, visit| {
        let is_page = matches!(visit.outcome, Visited::Page(..) | Visited::Unchanged(_));
        if is_page && visit.ordinal > 1 && hosts.contains_key(&visit.url) {
            seen.push(visit);
        }
        ControlFlow::Continue(())
    })?;
    let mut spans: HashMap<HostId, SeenSpans> = HashMap::new();
    for visit in seen {
        let Some(before) = visit.previous.map(|number| store.visit(number)).transpose()?.flatten()
        else {
            continue;
        };
        let Some(host) = hosts.get(&visit.url) else { continue };
        let span = visit.at.since(before.at);
        let is_changed =
            visit.change.as_ref().is_some_and(|change| change.significance >= Significance::Minor);
        spans.entry(*host).or_default().add(span, is_changed);
    }
    Ok(spans.into_iter().map(|(host, seen)| (host, seen.measured())).collect())
}

fn next(
    store: &dyn Store,
    schedule: &Schedule,
    returns: &Returns,
    now: Timestamp,
    most: usize,
) -> Result<Vec<PlannedVisit>, CrawlError> {
    let mut next = Vec::new();
    for (page, due) in schedule.first_due(most) {
        let Some(url) = returns.url(page) else { continue };
        let (Some(record), Some(kept)) = (store.url(url)?, store.page_return(url)?) else {
            continue;
        };
        let account = schedule.account(page, now);
        next.push(PlannedVisit { url: record.url, due, seen: kept.seen, account });
    }
    Ok(next)
}
