//! Everything one step of the crawl changes, as one piece of data.

use gannet_frontier::{Due, QueueKey};
use gannet_model::{Fingerprint, HostId, Scheme, Timestamp};
use gannet_politeness::Access;

use crate::models::{LearnedRecord, ModelRecord, OrderRecord};
use crate::records::{Counters, CrawlRecord, HostRecord, UrlRecord, VisitNumber, VisitRecord};
use crate::returns::{ReturnRecord, SpendingRecord, WatchRecord};

/// Everything one step of the crawl changes. Applied as a whole or not at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Commit {
    /// Records written, new or changed.
    pub urls: Vec<(Fingerprint, UrlRecord)>,
    /// Rows put into host queues.
    pub queued: Vec<(HostId, QueueKey, Fingerprint)>,
    /// Rows taken out of host queues.
    pub dequeued: Vec<(HostId, QueueKey)>,
    /// Visits that got a time.
    pub scheduled: Vec<Due>,
    /// Visits whose time came or was called off.
    pub unscheduled: Vec<(Timestamp, Fingerprint)>,
    /// Hosts written, new or changed.
    pub hosts: Vec<(HostId, HostRecord)>,
    /// What was learned of hosts' robots.txt.
    pub access: Vec<(HostId, Scheme, Access)>,
    /// The visit itself, if the step was one; visits whose pages were judged again.
    pub visits: Vec<(VisitNumber, VisitRecord)>,
    /// What is remembered of pages' last versions, as `change` writes it.
    pub memories: Vec<(Fingerprint, Vec<u8>)>,
    /// What is known of the volatile places of hosts' pages, as `change` writes it.
    pub churn: Vec<(HostId, Vec<u8>)>,
    /// Pages that got a time of return; `None` for those that are not to be visited again.
    pub returns: Vec<(Fingerprint, Option<ReturnRecord>)>,
    /// What the watch learned over all pages, in place of what it had before.
    pub watch: Option<WatchRecord>,
    /// What was used of the daily budget.
    pub spending: Option<SpendingRecord>,
    /// The counts after this step.
    pub counters: Option<Counters>,
    /// The crawl's own record, when it starts and stops.
    pub crawl: Option<CrawlRecord>,
    /// The model that judges from now on.
    pub model: Option<ModelRecord>,
    /// What that model has learned, in place of what its predecessor had.
    pub learned: Option<LearnedRecord>,
    /// What the ordering has learned, in place of what it had before.
    pub order: Option<OrderRecord>,
}
