//! Looking at known pages again, now: the freshness checker (S3.3).
//!
//! The pages are queued before everything else, and nothing else is fetched; hosts are treated as
//! politely as in any crawl. What a kill leaves unchecked stays queued.

use std::collections::HashSet;
use std::ops::ControlFlow;

use gannet_frontier::{Entry, Mark};
use gannet_model::{Fingerprint, HostId, Timestamp, Worth};
use gannet_store::{Commit, Status, UrlRecord};

use super::ordering::Chosen;
use super::{Crawl, CrawlError};

/// Pages queued in one commit.
const QUEUED_AT_ONCE: usize = 1024;

/// The pages that are still to be looked at.
#[derive(Debug, Default)]
pub(super) struct Checks(HashSet<Fingerprint>);

impl Checks {
    pub(super) fn is_done(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn contains(&self, url: Fingerprint) -> bool {
        self.0.contains(&url)
    }

    pub(super) fn done(&mut self, url: Fingerprint) {
        self.0.remove(&url);
    }
}

impl Crawl {
    /// From now on looks at nothing but those known pages that `wants` names; how many there are.
    pub fn check(
        &mut self,
        wants: &mut dyn FnMut(&UrlRecord) -> bool,
    ) -> Result<usize, CrawlError> {
        let mut found: Vec<Fingerprint> = Vec::new();
        self.store.each_url(&mut |url, record| {
            if record.last_visit.is_some() && is_known(&record) && wants(&record) {
                found.push(url);
            }
            ControlFlow::Continue(())
        })?;
        let number = found.len();
        let found = self.with_files(found)?;
        for stretch in found.chunks(QUEUED_AT_ONCE) {
            self.queue_again(stretch)?;
        }
        let checks = Checks(found.into_iter().collect());
        self.checks = Some(checks);
        Ok(number)
    }

    /// The pages, each after the files that belong to it and were fetched before.
    fn with_files(&mut self, pages: Vec<Fingerprint>) -> Result<Vec<Fingerprint>, CrawlError> {
        if self.journey.wishes().is_empty() {
            return Ok(pages);
        }
        let mut listed = HashSet::new();
        let mut all = Vec::new();
        for page in pages {
            let mut commit = Commit::default();
            let files = self.files_to_ask(page, &mut commit)?;
            self.store.commit(commit)?;
            for file in files {
                if self.store.url(file)?.is_some_and(|file| is_known(&file)) && listed.insert(file)
                {
                    all.push(file);
                }
            }
            if listed.insert(page) {
                all.push(page);
            }
        }
        Ok(all)
    }

    fn queue_again(&mut self, urls: &[Fingerprint]) -> Result<(), CrawlError> {
        let mut commit = Commit::default();
        let mut queued = Vec::new();
        for url in urls {
            let Some(mut record) = self.store.url(*url)? else { continue };
            let host = record.head.host;
            match record.head.status {
                Status::Queued { .. } => continue,
                Status::Scheduled { due } => commit.unscheduled.push((due, *url)),
                _ => {}
            }
            let key = self.queue_key(Worth::new(1.0));
            record.head.status = Status::Queued { key };
            commit.queued.push((host, key, *url));
            commit.urls.push((*url, record));
            queued.push((host, Entry { key, url: *url }));
        }
        self.store.commit(commit)?;
        for (host, entry) in queued {
            self.known.set(entry.url, Mark::queued(entry.key.worth()));
            self.frontier.push(host, entry);
            // An earlier check may have left the host aside; the gate still has its say.
            self.frontier.release(host);
        }
        Ok(())
    }

    /// A page was looked at, as well as could be.
    pub(super) fn checked(&mut self, url: Fingerprint) {
        if let Some(checks) = &mut self.checks {
            checks.done(url);
        }
    }

    /// Whether a page is to be looked at whatever it is worth.
    pub(super) fn is_checked(&self, url: Fingerprint) -> bool {
        self.checks.as_ref().is_some_and(|checks| checks.contains(url))
    }

    /// Puts back what is not to be looked at; its host has nothing else.
    pub(super) fn leave_unchecked(&mut self, host: HostId, chosen: &Chosen) -> bool {
        let is_left =
            self.checks.as_ref().is_some_and(|checks| !checks.contains(chosen.stored.url));
        if is_left {
            self.frontier.put_back(host, chosen.taken);
            self.frontier.hold(host, Timestamp::NEVER);
        }
        is_left
    }
}

/// Whether a page was there when it was last looked at, or may come back.
fn is_known(record: &UrlRecord) -> bool {
    matches!(
        record.head.status,
        Status::Fetched | Status::Gone | Status::Scheduled { .. } | Status::Queued { .. }
    )
}
