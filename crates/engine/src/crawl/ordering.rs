//! The ordering in the heart: links are valued again when their turn comes, and hastened when
//! their worth has risen.
//!
//! What an ordering thinks of a link changes while the link waits. One that fell
//! is found out when its turn comes: it is put back at its new place and others
//! go first. One that rose is told by the ordering and gets a second, better
//! place in memory; its row in the store stays, so nothing is lost when memory
//! is. Whichever place comes last finds the link gone.

use gannet_frontier::{Entry, Mark, QueueKey};
use gannet_links::{Interest, Queued};
use gannet_model::{Fingerprint, HostId, Timestamp};
use gannet_relevance::Topic;
use gannet_store::{OrderRecord, Status, UrlRecord};

use super::{Crawl, CrawlError};

/// A link whose turn has come.
pub(super) struct Chosen {
    /// The place it was taken from.
    pub(super) taken: Entry,
    /// The place it has in the store.
    pub(super) stored: Entry,
    pub(super) record: UrlRecord,
}

/// How many links may be put back before one is fetched all the same: enough to find the best, few
/// enough that a turn stays short.
const MOST_PUT_BACK: u32 = 64;
/// Pages after which what the ordering learned is stored.
const STORED_EVERY: u64 = 2000;

impl Crawl {
    /// The best link of `host`; `None` when it was overtaken, or when others go first.
    pub(super) fn choose(
        &mut self,
        host: HostId,
        now: Timestamp,
    ) -> Result<Option<Chosen>, CrawlError> {
        let Some(taken) = self.frontier.take(host) else { return Ok(None) };
        if self.lowered.urls.iter().any(|(url, _)| *url == taken.url) {
            self.store_lowered()?;
        }
        let Some((key, mut record)) = self.current(taken)? else { return Ok(None) };
        let stored = Entry { key, url: taken.url };
        let Some(valued) = self.order.revalue(&queued(taken.url, &record)) else {
            return Ok(Some(Chosen { taken, stored, record }));
        };
        record.worth = valued.worth;
        record.reasons = valued.reasons;
        record.traits = valued.traits;
        let has_fallen = self.order.gives_way(valued.worth, taken.key.worth());
        let next = if has_fallen { self.frontier.best_worth(now) } else { None };
        let is_beaten = next.is_some_and(|next| self.order.gives_way(valued.worth, next));
        if !is_beaten || self.put_back >= MOST_PUT_BACK {
            self.put_back = 0;
            return Ok(Some(Chosen { taken, stored, record }));
        }
        self.put_back += 1;
        self.lower(host, Chosen { taken, stored, record });
        Ok(None)
    }

    /// Puts a link back at the place that its worth of today gives it.
    fn lower(&mut self, host: HostId, chosen: Chosen) {
        let Chosen { taken, stored, mut record } = chosen;
        let key = QueueKey::new(record.worth, stored.key.sequence());
        let entry = Entry { key, url: stored.url };
        if taken.key != stored.key {
            // Its row in the store still stands at the place it had before it was hastened.
            if key < stored.key {
                self.frontier.hasten(host, entry);
            }
            return;
        }
        record.head.status = Status::Queued { key };
        self.known.set(stored.url, Mark::queued(record.worth));
        self.lowered.dequeued.push((host, stored.key));
        self.lowered.queued.push((host, key, stored.url));
        self.lowered.urls.push((stored.url, record));
        self.frontier.put_back(host, entry);
    }

    /// Tells the store which links were put back: all at once, before it is asked for queues again
    /// and before the turn ends. Were they lost, their old places would stand.
    pub(super) fn store_lowered(&mut self) -> Result<(), CrawlError> {
        if !self.lowered.urls.is_empty() {
            self.store.commit(std::mem::take(&mut self.lowered))?;
        }
        Ok(())
    }

    /// The record of an entry and its place in the store, unless the entry was overtaken: moved up,
    /// fetched or skipped.
    pub(super) fn current(
        &self,
        entry: Entry,
    ) -> Result<Option<(QueueKey, UrlRecord)>, CrawlError> {
        if self.leased.contains(&entry.url) || self.known.get(entry.url) == Some(Mark::SETTLED) {
            return Ok(None);
        }
        let Some(record) = self.store.url(entry.url)? else { return Ok(None) };
        Ok(match record.head.status {
            // A place from before the link was queued last is of no account.
            Status::Queued { key } if entry.key.sequence() >= key.sequence() => Some((key, record)),
            _ => None,
        })
    }

    /// Gives the links whose worth has risen their better places.
    pub(super) fn hasten_risen(&mut self) {
        for risen in self.order.risen() {
            let mark = self.known.get(risen.fingerprint);
            if mark.is_some_and(|mark| mark != Mark::SETTLED) {
                self.known.set(risen.fingerprint, Mark::queued(risen.worth));
                let key = self.queue_key(risen.worth);
                self.frontier.hasten(risen.host, Entry { key, url: risen.fingerprint });
            }
        }
    }

    /// Takes up what the ordering learned in earlier runs.
    pub(super) fn resume_order(&mut self) -> Result<(), CrawlError> {
        let kept = self.store.order()?.filter(|kept| kept.name == self.config.order.name);
        if let Some(kept) = kept
            && !self.order.restore(&kept.state)
        {
            tracing::warn!(order = kept.name, "what the ordering learned cannot be read");
        }
        self.order_stored_at = self.counters.fetched;
        Ok(())
    }

    /// What the ordering has learned, if it is time to store it.
    pub(super) fn order_to_store(&mut self, is_end: bool) -> Option<OrderRecord> {
        if !is_end && self.counters.fetched < self.order_stored_at + STORED_EVERY {
            return None;
        }
        self.order_stored_at = self.counters.fetched;
        let state = self.order.state()?;
        Some(OrderRecord { name: self.config.order.name.clone(), state })
    }
}

/// A link as the ordering sees it.
pub(super) fn queued(fingerprint: Fingerprint, record: &UrlRecord) -> Queued<'_> {
    Queued {
        fingerprint,
        url: &record.url,
        host: record.head.host,
        depth: record.found.depth,
        traits: &record.traits,
    }
}

/// What a topic's keywords are to an ordering.
pub(crate) fn interest(topic: &Topic) -> Interest {
    Interest::new(topic.keywords().iter().flat_map(|keyword| {
        let texts = std::iter::once(&keyword.text).chain(&keyword.synonyms);
        texts.map(|text| (text.as_str(), keyword.weight))
    }))
}
