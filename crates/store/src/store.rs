//! What the engine asks of a store.

use std::ops::ControlFlow;

use gannet_frontier::{Due, Entry, QueueKey};
use gannet_model::{Fingerprint, HostId, Scheme, Timestamp};
use gannet_politeness::Access;

use crate::commit::Commit;
use crate::error::StoreError;
use crate::models::{LearnedRecord, ModelRecord, OrderRecord};
use crate::records::{
    Counters, CrawlRecord, HostRecord, UrlHead, UrlRecord, VisitNumber, VisitRecord,
};
use crate::returns::{ReturnRecord, SpendingRecord, WatchRecord};

/// The memory of a crawl.
pub trait Store: Send {
    /// Applies a step as a whole. When this returns, `kill -9` cannot undo it;
    /// [`Store::sync`] makes it outlast a power cut too.
    fn commit(&mut self, commit: Commit) -> Result<(), StoreError>;

    /// Makes everything committed outlast a power cut.
    fn sync(&mut self) -> Result<(), StoreError>;

    /// What is known of a URL.
    fn url(&self, url: Fingerprint) -> Result<Option<UrlRecord>, StoreError>;

    /// What is known of a host.
    fn host(&self, host: HostId) -> Result<Option<HostRecord>, StoreError>;

    /// What is known of a host's robots.txt.
    fn access(&self, host: HostId, scheme: Scheme) -> Result<Option<Access>, StoreError>;

    /// A visit by its number.
    fn visit(&self, number: VisitNumber) -> Result<Option<VisitRecord>, StoreError>;

    /// What is remembered of a page's last version.
    fn memory(&self, url: Fingerprint) -> Result<Option<Vec<u8>>, StoreError>;

    /// What is known of the volatile places of a host's pages.
    fn churn(&self, host: HostId) -> Result<Option<Vec<u8>>, StoreError>;

    /// The number of the newest visit.
    fn last_visit(&self) -> Result<Option<VisitNumber>, StoreError>;

    /// At most `limit` rows of a host's queue from `from` on, best first.
    fn queue(&self, host: HostId, from: QueueKey, limit: usize) -> Result<Vec<Entry>, StoreError>;

    /// At most `limit` scheduled visits from this time and URL on, soonest first.
    fn scheduled(
        &self,
        from: (Timestamp, Fingerprint),
        limit: usize,
    ) -> Result<Vec<Due>, StoreError>;

    /// Calls `visit` with the head of every URL.
    fn each_url_head(&self, visit: &mut dyn FnMut(Fingerprint, UrlHead)) -> Result<(), StoreError>;

    /// Calls `visit` with every URL until it breaks off.
    fn each_url(
        &self,
        visit: &mut dyn FnMut(Fingerprint, UrlRecord) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;

    /// Calls `visit` with every host, in order of discovery.
    fn each_host(&self, visit: &mut dyn FnMut(HostId, HostRecord)) -> Result<(), StoreError>;

    /// Calls `visit` with every visit from `from` on, in order, until it breaks off.
    fn each_visit(
        &self,
        from: VisitNumber,
        visit: &mut dyn FnMut(VisitNumber, VisitRecord) -> ControlFlow<()>,
    ) -> Result<(), StoreError>;

    /// The counts after the last commit.
    fn counters(&self) -> Result<Counters, StoreError>;

    /// The crawl's own record; `None` in a new store.
    fn crawl(&self) -> Result<Option<CrawlRecord>, StoreError>;

    /// The model of this version.
    fn model(&self, version: u64) -> Result<Option<ModelRecord>, StoreError>;

    /// Calls `visit` with every model that judged, in no order that means anything.
    fn each_model(&self, visit: &mut dyn FnMut(ModelRecord)) -> Result<(), StoreError>;

    /// What the newest model has learned.
    fn learned(&self) -> Result<Option<LearnedRecord>, StoreError>;

    /// When a page is due, if it is to be visited again.
    fn page_return(&self, url: Fingerprint) -> Result<Option<ReturnRecord>, StoreError>;

    /// Calls `visit` with every page that is to be visited again, in the order of their numbers.
    fn each_return(
        &self,
        visit: &mut dyn FnMut(Fingerprint, ReturnRecord),
    ) -> Result<(), StoreError>;

    /// What the watch learned over all pages.
    fn watch(&self) -> Result<Option<WatchRecord>, StoreError>;

    /// What was used of the daily budget.
    fn spending(&self) -> Result<Option<SpendingRecord>, StoreError>;

    /// What the ordering has learned.
    fn order(&self) -> Result<Option<OrderRecord>, StoreError>;
}
