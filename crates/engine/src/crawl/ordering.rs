//! The ordering in the heart: links are valued again when their turn comes, and hastened when
//! their worth has risen.
//!
//! What an ordering thinks of a link changes while the link waits. One that fell
//! is found out when its turn comes: it is put back at its new place and others
//! go first. One that rose is told by the ordering and gets a second, better
//! place. Both happen in memory as far as it goes; the link's row in the store
//! stays, so nothing is lost when memory is. Whichever place comes last finds
//! the link gone.

use gannet_frontier::{Entry, Mark, QueueKey};
use gannet_links::{Interest, Queued};
use gannet_model::{Fingerprint, HostId, Timestamp, Worth};
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
/// Links whose places are told to the store in one go when a crawl ends.
const SPILLED_AT_ONCE: usize = 1024;
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
        if self.is_overtaken(taken.url) {
            return Ok(None);
        }
        let is_checked = self.is_checked(taken.url) || self.is_returning(taken.url);
        if !is_checked
            && let Some(worth) = self.order.glance(taken.url, host)
            && self.lets_others_go_first(taken, worth, now)
        {
            self.lower(host, taken, worth)?;
            return Ok(None);
        }
        if self.is_being_lowered(taken.url) {
            self.store_lowered()?;
        }
        let Some((key, mut record)) = self.current(taken)? else { return Ok(None) };
        let stored = Entry { key, url: taken.url };
        // A file is worth what its page is, whatever the ordering thinks of links.
        if is_checked || record.found.how.file().is_some() {
            return Ok(Some(Chosen { taken, stored, record }));
        }
        let Some(valued) = self.order.revalue(&queued(taken.url, &record)) else {
            return Ok(Some(Chosen { taken, stored, record }));
        };
        record.worth = valued.worth;
        record.reasons = valued.reasons;
        record.traits = valued.traits;
        if self.lets_others_go_first(taken, record.worth, now) {
            self.lower_stored(host, Chosen { taken, stored, record });
            return Ok(None);
        }
        self.put_back = 0;
        Ok(Some(Chosen { taken, stored, record }))
    }

    /// Whether a link that is worth this today has lost its turn.
    fn lets_others_go_first(&mut self, taken: Entry, worth: Worth, now: Timestamp) -> bool {
        if self.put_back >= MOST_PUT_BACK || !self.order.gives_way(worth, taken.key.worth()) {
            return false;
        }
        let next = self.frontier.best_worth(now);
        next.is_some_and(|next| self.order.gives_way(worth, next))
    }

    /// Puts a link back at the place that its worth of today gives it, in memory. Its row in the
    /// store stays: were memory lost, it would come too early and be put back again.
    fn lower(&mut self, host: HostId, taken: Entry, worth: Worth) -> Result<(), CrawlError> {
        self.put_back += 1;
        self.known.set(taken.url, Mark::queued(worth));
        let key = QueueKey::new(worth, taken.key.sequence());
        match self.frontier.lower(host, Entry { key, url: taken.url }) {
            Some(spilled) => self.spill(host, spilled),
            None => Ok(()),
        }
    }

    /// Tells the store the place of a link that memory has no room for.
    fn spill(&mut self, host: HostId, spilled: Entry) -> Result<(), CrawlError> {
        if self.is_overtaken(spilled.url) {
            return Ok(());
        }
        if self.is_being_lowered(spilled.url) {
            self.store_lowered()?;
        }
        let Some((stored, mut record)) = self.current(spilled)? else { return Ok(()) };
        if spilled.key < stored {
            // It was hastened: its row is further back in the same queue.
            return Ok(());
        }
        record.worth = spilled.key.worth();
        if let Some(valued) = self.order.revalue(&queued(spilled.url, &record)) {
            record.worth = valued.worth;
            record.reasons = valued.reasons;
            record.traits = valued.traits;
        }
        self.move_stored(host, Entry { key: stored, url: spilled.url }, record);
        Ok(())
    }

    /// Tells the store the places of all links that stand lower than it knows.
    pub(super) fn spill_all(&mut self) -> Result<(), CrawlError> {
        while let Some((host, spilled)) = self.frontier.spill_any() {
            self.spill(host, spilled)?;
            if self.lowered.urls.len() >= SPILLED_AT_ONCE {
                self.store_lowered()?;
            }
        }
        self.store_lowered()
    }

    /// The same for a link that only the store knows.
    fn lower_stored(&mut self, host: HostId, chosen: Chosen) {
        let Chosen { taken, stored, record } = chosen;
        self.put_back += 1;
        if taken.key == stored.key {
            self.move_stored(host, stored, record);
            return;
        }
        // Its row in the store still stands at the place it had before it was moved in memory.
        let key = QueueKey::new(record.worth, stored.key.sequence());
        if key < stored.key {
            self.frontier.hasten(host, Entry { key, url: stored.url });
        } else {
            self.move_stored(host, stored, record);
        }
    }

    /// Gives a link the place in the store that its worth of today gives it.
    fn move_stored(&mut self, host: HostId, stored: Entry, mut record: UrlRecord) {
        let key = QueueKey::new(record.worth, stored.key.sequence());
        record.head.status = Status::Queued { key };
        self.known.set(stored.url, Mark::queued(record.worth));
        self.lowered.dequeued.push((host, stored.key));
        self.lowered.queued.push((host, key, stored.url));
        self.lowered.urls.push((stored.url, record));
        self.frontier.put_back(host, Entry { key, url: stored.url });
    }

    fn is_being_lowered(&self, url: Fingerprint) -> bool {
        self.lowered.urls.iter().any(|(other, _)| *other == url)
    }

    /// Whether another place of a link came first.
    fn is_overtaken(&self, url: Fingerprint) -> bool {
        self.leased.contains(&url) || self.known.get(url) == Some(Mark::SETTLED)
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
        if self.is_overtaken(entry.url) {
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
