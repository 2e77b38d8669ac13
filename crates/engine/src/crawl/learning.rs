//! What the heart learns: from pages as they come, and from what people say.

use std::sync::Arc;

use gannet_content::SiteTemplate;
use gannet_model::{Fingerprint, HostId, PageUrl, Timestamp};
use gannet_store::{Commit, UrlRecord, VisitNumber, VisitRecord, Visited};

use super::{Crawl, CrawlError};
use crate::evidence::newest_page;
use crate::journey::Reading;
use crate::labelled::{Labelled, last_of_each, with_pages};
use crate::labels::Said;
use crate::questions::Question;
use crate::teaching::{Change, KeptPage, Learned, Spoken};

/// Questions that [`Progress`](crate::Progress) shows.
pub(super) const QUESTIONS: usize = 20;
/// Pages corrected in one commit.
const CORRECTED_AT_ONCE: usize = 256;

/// A page that was read and committed, as far as there is something to learn from it.
pub(super) struct Read {
    pub(super) host: HostId,
    pub(super) fingerprint: Fingerprint,
    pub(super) url: PageUrl,
    /// The words of the link that led to it.
    pub(super) anchor: String,
    pub(super) reading: Box<Reading>,
}

impl Crawl {
    /// Takes in what people said of pages: their word wins over the model's from now on, and
    /// the model learns from it before the next page is judged.
    pub fn labelled(&mut self, labels: Vec<Labelled>, now: Timestamp) -> Result<(), CrawlError> {
        let labels: Vec<Labelled> = last_of_each(labels)
            .into_iter()
            .filter(|label| self.said.get(&label.url) != Some(&label.said))
            .collect();
        if labels.is_empty() {
            return Ok(());
        }
        let said: Vec<_> = labels.iter().map(|label| (label.url, label.said.clone())).collect();
        self.note(&said)?;
        let spoken = with_pages(labels);
        if spoken.is_empty() {
            return Ok(());
        }
        let change = self.teacher.hear(spoken, now);
        self.adopt(change)
    }

    /// What a person said of the page with this fingerprint.
    pub fn said(&self, url: Fingerprint) -> Option<&Said> {
        self.said.get(&url)
    }

    /// What was learned since this was last asked.
    pub fn take_news(&mut self) -> Vec<Learned> {
        std::mem::take(&mut self.news)
    }

    /// What repeats over the pages of a host, as far as it was seen.
    pub fn template(&self, host: HostId) -> Option<Arc<SiteTemplate>> {
        self.templates.of(host)
    }

    /// The pages a person should be asked about, best first.
    pub(crate) fn questions(&self) -> Vec<Question> {
        self.candidates.best(QUESTIONS)
    }

    /// Remembers what was said, and corrects the judgements of pages that were fetched already.
    pub(super) fn note(&mut self, labels: &[(Fingerprint, Said)]) -> Result<(), CrawlError> {
        for stretch in labels.chunks(CORRECTED_AT_ONCE) {
            let mut commit = Commit::default();
            for (url, said) in stretch {
                self.said.insert(*url, said.clone());
                self.candidates.forget(*url);
                if let Some(record) = self.store.url(*url)?
                    && let Some((number, visit)) = newest_page(self.store.as_ref(), &record)?
                {
                    self.correct(&record, number, visit, said, &mut commit);
                }
            }
            if !commit.visits.is_empty() {
                commit.counters = Some(self.counters);
                self.store.commit(commit)?;
            }
        }
        Ok(())
    }

    fn correct(
        &mut self,
        record: &UrlRecord,
        number: VisitNumber,
        mut visit: VisitRecord,
        said: &Said,
        commit: &mut Commit,
    ) {
        let Visited::Page(_, facts) = &mut visit.outcome else { return };
        let judgement = said.judgement(&facts.judgement);
        if judgement == facts.judgement {
            return;
        }
        let (before, after) = (facts.judgement.is_relevant(), judgement.is_relevant());
        facts.judgement = judgement;
        commit.visits.push((number, visit));
        if before == after {
            return;
        }
        let host = record.head.host;
        self.counters.turn(after);
        let kept = &mut self.hosts.get_mut(host).record;
        kept.counters.turn(after);
        let kept = kept.clone();
        commit.hosts.retain(|(other, _)| *other != host);
        commit.hosts.push((host, kept));
    }

    /// Learns from a page whose visit is committed.
    pub(super) fn study(&mut self, read: Read, now: Timestamp) -> Result<(), CrawlError> {
        let Read { host, fingerprint, url, anchor, reading } = read;
        let Reading { document, prominence, judgement, .. } = *reading;
        self.templates.observe(host, &document);
        let said = self.said.get(&fingerprint).cloned();
        if said.is_none() {
            self.candidates.offer(fingerprint, &url, &document.title, &judgement);
        }
        // Nothing can be learned from a page that says nothing.
        if document.is_blank() || (said.is_none() && !self.teacher.is_hungry()) {
            return Ok(());
        }
        let page = KeptPage::new(document, Some(url), anchor, Some(prominence));
        let change = match said {
            Some(said) => self.teacher.recall(Spoken { url: fingerprint, said, page }, now),
            None => self.teacher.meet(page, now),
        };
        change.map_or(Ok(()), |change| self.adopt(change))
    }

    /// Stores what a teaching changed, then lets the new model judge: a version that is worth a
    /// record has one before the first page is judged by it.
    pub(super) fn adopt(&mut self, change: Change) -> Result<(), CrawlError> {
        if let Some((model, learned)) = change.records {
            let is_known = self.store.model(model.version)?.is_some();
            let model = (!is_known).then_some(model);
            if model.is_some() || learned.is_some() {
                self.store.commit(Commit { model, learned, ..Commit::default() })?;
            }
        }
        let model = self.teacher.model();
        self.candidates.renew(model.version());
        self.journey.replace_model(model);
        self.news.extend(change.news);
        Ok(())
    }
}
