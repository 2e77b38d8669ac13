//! A store that lasts as long as the process: for the lab and for tests.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use gannet_frontier::{Due, Entry, QueueKey};
use gannet_model::{Fingerprint, HostId, Scheme, Timestamp, Worth};
use gannet_politeness::Access;

use crate::commit::Commit;
use crate::error::StoreError;
use crate::models::{LearnedRecord, ModelRecord, OrderRecord};
use crate::records::{
    Counters, CrawlRecord, HostRecord, UrlHead, UrlRecord, VisitNumber, VisitRecord,
};
use crate::returns::{ReturnRecord, SpendingRecord, WatchRecord};
use crate::store::Store;

/// A store in maps.
#[derive(Clone, Debug, Default)]
pub struct InMemory {
    urls: HashMap<Fingerprint, UrlRecord>,
    hosts: BTreeMap<HostId, HostRecord>,
    access: HashMap<(HostId, Scheme), Access>,
    queue: BTreeMap<(HostId, QueueKey), Fingerprint>,
    later: BTreeMap<(Timestamp, Fingerprint), (HostId, Worth)>,
    visits: BTreeMap<VisitNumber, VisitRecord>,
    memories: HashMap<Fingerprint, Vec<u8>>,
    churn: HashMap<HostId, Vec<u8>>,
    counters: Counters,
    crawl: Option<CrawlRecord>,
    models: BTreeMap<u64, ModelRecord>,
    learned: Option<LearnedRecord>,
    order: Option<OrderRecord>,
    returns: BTreeMap<Fingerprint, ReturnRecord>,
    watch: Option<WatchRecord>,
    spending: Option<SpendingRecord>,
}

impl InMemory {
    /// An empty store.
    pub fn new() -> InMemory {
        InMemory::default()
    }
}

impl Store for InMemory {
    fn commit(&mut self, commit: Commit) -> Result<(), StoreError> {
        self.urls.extend(commit.urls);
        for (host, key) in commit.dequeued {
            self.queue.remove(&(host, key));
        }
        self.queue.extend(commit.queued.into_iter().map(|(host, key, url)| ((host, key), url)));
        for key in commit.unscheduled {
            self.later.remove(&key);
        }
        let scheduled = commit.scheduled.into_iter();
        self.later.extend(scheduled.map(|due| ((due.at, due.url), (due.host, due.worth))));
        self.hosts.extend(commit.hosts);
        let learned = commit.access.into_iter();
        self.access.extend(learned.map(|(host, scheme, access)| ((host, scheme), access)));
        self.visits.extend(commit.visits);
        self.memories.extend(commit.memories);
        self.churn.extend(commit.churn);
        self.counters = commit.counters.unwrap_or(self.counters);
        self.crawl = commit.crawl.or(self.crawl.take());
        self.models.extend(commit.model.map(|model| (model.version, model)));
        self.learned = commit.learned.or(self.learned.take());
        self.order = commit.order.or(self.order.take());
        for (url, record) in commit.returns {
            match record {
                Some(record) => self.returns.insert(url, record),
                None => self.returns.remove(&url),
            };
        }
        self.watch = commit.watch.or(self.watch.take());
        self.spending = commit.spending.or(self.spending);
        Ok(())
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn url(&self, url: Fingerprint) -> Result<Option<UrlRecord>, StoreError> {
        Ok(self.urls.get(&url).cloned())
    }

    fn host(&self, host: HostId) -> Result<Option<HostRecord>, StoreError> {
        Ok(self.hosts.get(&host).cloned())
    }

    fn access(&self, host: HostId, scheme: Scheme) -> Result<Option<Access>, StoreError> {
        Ok(self.access.get(&(host, scheme)).cloned())
    }

    fn visit(&self, number: VisitNumber) -> Result<Option<VisitRecord>, StoreError> {
        Ok(self.visits.get(&number).cloned())
    }

    fn memory(&self, url: Fingerprint) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.memories.get(&url).cloned())
    }

    fn churn(&self, host: HostId) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.churn.get(&host).cloned())
    }

    fn last_visit(&self) -> Result<Option<VisitNumber>, StoreError> {
        Ok(self.visits.last_key_value().map(|(number, _)| *number))
    }

    fn queue(&self, host: HostId, from: QueueKey, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let rows = self.queue.range((host, from)..).take_while(|((owner, _), _)| *owner == host);
        Ok(rows.take(limit).map(|((_, key), url)| Entry { key: *key, url: *url }).collect())
    }

    fn scheduled(
        &self,
        from: (Timestamp, Fingerprint),
        limit: usize,
    ) -> Result<Vec<Due>, StoreError> {
        let rows = self.later.range(from..).take(limit);
        Ok(rows
            .map(|((at, url), (host, worth))| Due {
                at: *at,
                url: *url,
                host: *host,
                worth: *worth,
            })
            .collect())
    }

    fn each_url_head(&self, visit: &mut dyn FnMut(Fingerprint, UrlHead)) -> Result<(), StoreError> {
        for (url, record) in &self.urls {
            visit(*url, record.head);
        }
        Ok(())
    }

    fn each_url(
        &self,
        visit: &mut dyn FnMut(Fingerprint, UrlRecord) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let mut rows: Vec<_> = self.urls.iter().collect();
        rows.sort_by_key(|(url, _)| **url);
        let _ = rows.into_iter().try_for_each(|(url, record)| visit(*url, record.clone()));
        Ok(())
    }

    fn each_host(&self, visit: &mut dyn FnMut(HostId, HostRecord)) -> Result<(), StoreError> {
        for (host, record) in &self.hosts {
            visit(*host, record.clone());
        }
        Ok(())
    }

    fn each_visit(
        &self,
        from: VisitNumber,
        visit: &mut dyn FnMut(VisitNumber, VisitRecord) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let mut rows = self.visits.range(from..);
        let _ = rows.try_for_each(|(number, record)| visit(*number, record.clone()));
        Ok(())
    }

    fn counters(&self) -> Result<Counters, StoreError> {
        Ok(self.counters)
    }

    fn crawl(&self) -> Result<Option<CrawlRecord>, StoreError> {
        Ok(self.crawl.clone())
    }

    fn model(&self, version: u64) -> Result<Option<ModelRecord>, StoreError> {
        Ok(self.models.get(&version).cloned())
    }

    fn each_model(&self, visit: &mut dyn FnMut(ModelRecord)) -> Result<(), StoreError> {
        self.models.values().cloned().for_each(visit);
        Ok(())
    }

    fn learned(&self) -> Result<Option<LearnedRecord>, StoreError> {
        Ok(self.learned.clone())
    }

    fn page_return(&self, url: Fingerprint) -> Result<Option<ReturnRecord>, StoreError> {
        Ok(self.returns.get(&url).cloned())
    }

    fn each_return(
        &self,
        visit: &mut dyn FnMut(Fingerprint, ReturnRecord),
    ) -> Result<(), StoreError> {
        for (url, record) in &self.returns {
            visit(*url, record.clone());
        }
        Ok(())
    }

    fn watch(&self) -> Result<Option<WatchRecord>, StoreError> {
        Ok(self.watch.clone())
    }

    fn spending(&self) -> Result<Option<SpendingRecord>, StoreError> {
        Ok(self.spending)
    }

    fn order(&self) -> Result<Option<OrderRecord>, StoreError> {
        Ok(self.order.clone())
    }
}
