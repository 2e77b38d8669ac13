//! Going on where the last run stopped, or was killed.

use std::collections::HashMap;
use std::time::Duration;

use gannet_frontier::{Mark, QueueKey};
use gannet_model::{HostId, Timestamp};
use gannet_store::{CrawlState, Status};

use super::{Crawl, CrawlError};

impl Crawl {
    /// Rebuilds what is kept in memory from what the store holds: one pass over all URLs.
    pub(super) fn resume(&mut self, now: Timestamp) -> Result<(), CrawlError> {
        let Some(before) = self.store.crawl()? else {
            return Ok(());
        };
        self.record.created = before.created;
        self.next_visit = self.store.last_visit()?.map_or(0, |last| last + 1);
        let hosts = &mut self.hosts;
        self.store.each_host(&mut |id, record| hosts.add(id, record))?;
        self.resume_urls()?;
        // Addresses are not stored: whoever was contacted last may live at any of them.
        let spaced = self.hosts.iter().map(|(_, state)| state.record.pace.spaced_until()).max();
        self.gate.restarted(spaced.unwrap_or(Timestamp::ZERO), Duration::ZERO);
        // A run that did not say goodbye may have been talking to anybody.
        if matches!(before.state, CrawlState::Running { .. }) {
            self.gate.restarted(now, self.config.pace.delay);
            self.hosts.restarted(now);
        }
        Ok(())
    }

    fn resume_urls(&mut self) -> Result<(), CrawlError> {
        let mut queues: HashMap<HostId, (QueueKey, u64)> = HashMap::new();
        let (mut soonest, mut scheduled) = (Timestamp::NEVER, 0);
        let (known, next_sequence) = (&mut self.known, &mut self.next_sequence);
        self.store.each_url_head(&mut |url, head| match head.status {
            Status::Queued { key } => {
                known.set(url, Mark::queued(key.worth()));
                *next_sequence = (*next_sequence).max(key.sequence() + 1);
                let (best, count) = queues.entry(head.host).or_insert((key, 0));
                *best = key.min(*best);
                *count += 1;
            }
            Status::Scheduled { due } => {
                known.set(url, Mark::SETTLED);
                soonest = soonest.min(due);
                scheduled += 1;
            }
            Status::Fetched
            | Status::Redirected
            | Status::Failed
            | Status::Skipped
            | Status::Gone => {
                known.set(url, Mark::SETTLED);
            }
        })?;
        let mut queues: Vec<_> = queues.into_iter().collect();
        queues.sort_unstable_by_key(|(host, _)| *host);
        for (host, (best, count)) in queues {
            self.frontier.resume_host(host, best, count);
        }
        if scheduled > 0 {
            self.frontier.resume_later(soonest, scheduled);
        }
        Ok(())
    }
}
