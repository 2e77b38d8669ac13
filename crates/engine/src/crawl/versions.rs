//! A page that was fetched before: what changed since, and is it still there?
//!
//! Gone needs evidence: 410, or 404 on two visits two days apart, or a page
//! that says what other pages of its site say which were something else before.
//! No other failure counts: the copy stays, and the page is thought to be there.

use std::time::Duration;

use gannet_change::{Churn, Look, Memory, compare};
use gannet_frontier::{Due, Entry};
use gannet_model::{Change, Happening, HostId, Significance, Timestamp, Validators};
use gannet_store::{Answer, How, Status, UrlRecord, VisitNumber, VisitRecord, Visited};

use super::{Crawl, CrawlError};
use crate::evidence::newest_page;
use crate::step::EarlierVersion;

/// A page that answers 404 is asked again after this, and gone if it still does.
const ABSENT_FOR: Duration = Duration::from_secs(2 * 24 * 3600);
/// No run of failures is followed further back than this.
const MOST_ABSENCES: usize = 64;

/// What earlier visits to a page found.
#[derive(Debug, Default)]
pub(crate) struct Past {
    /// The last one.
    last: Option<VisitRecord>,
    /// The last one that brought a page.
    page: Option<(VisitNumber, VisitRecord)>,
}

/// What a visit adds to the history of its page.
#[derive(Debug, Default)]
pub(super) struct Versioned {
    pub(super) happening: Option<Happening>,
    pub(super) change: Option<Change>,
    pub(super) persisted: Option<bool>,
    /// The visit that brought what this one found unchanged.
    pub(super) same_as: Option<VisitNumber>,
    /// What is to be remembered of the page and of its host, if that is new.
    pub(super) memory: Option<Vec<u8>>,
    pub(super) churn: Option<Vec<u8>>,
    /// True when the page is a stand-in for one that is gone.
    pub(super) is_stand_in: bool,
}

impl Past {
    /// How many visits there will be with the next one.
    pub(super) fn next_ordinal(&self) -> u32 {
        self.last.as_ref().map_or(1, |last| last.ordinal.saturating_add(1))
    }

    /// True when the page was there once.
    pub(super) fn has_page(&self) -> bool {
        self.page.is_some()
    }

    /// The version that was seen last.
    pub(super) fn version(&self) -> Option<EarlierVersion> {
        let (number, visit) = self.page.as_ref()?;
        Some(EarlierVersion { number: *number, at: visit.at, digest: visit.digest })
    }

    /// What to send so that the server may answer "not modified": what came last with the version
    /// that was seen last.
    pub(super) fn validators(&self) -> Validators {
        match self.last.as_ref().map(|last| &last.outcome) {
            Some(Visited::Unchanged(answer)) if !answer.validators.is_empty() => {
                answer.validators.clone()
            }
            _ => self.version_validators().cloned().unwrap_or_default(),
        }
    }

    /// What came with the version that was seen last.
    fn version_validators(&self) -> Option<&Validators> {
        match &self.page.as_ref()?.1.outcome {
            Visited::Page(answer, _) | Visited::File(answer) => Some(&answer.validators),
            _ => None,
        }
    }

    /// A visit that found the version that was seen last. What that says already is not kept
    /// again: there are hundreds of such visits to one version.
    pub(super) fn unchanged(&self, mut answer: Answer) -> Visited {
        if self.version_validators() == Some(&answer.validators) {
            answer.validators = Validators::default();
        }
        Visited::Unchanged(answer)
    }

    /// True when the version that was seen last stands in for a page that is gone.
    pub(super) fn is_stand_in(&self) -> bool {
        self.page.as_ref().is_some_and(|(_, page)| page.happening == Some(Happening::Gone))
    }

    pub(super) fn was_absent(&self) -> bool {
        self.is_stand_in() || self.last.as_ref().is_some_and(is_absence)
    }
}

fn is_absence(visit: &VisitRecord) -> bool {
    matches!(&visit.outcome, Visited::Answered(answer) if matches!(answer.status, 404 | 410))
}

impl Crawl {
    /// What earlier visits to a page found.
    pub(super) fn past(&self, record: &UrlRecord) -> Result<Past, CrawlError> {
        let Some(number) = record.last_visit else { return Ok(Past::default()) };
        let last = self.store.visit(number)?;
        let page = newest_page(self.store.as_ref(), record)?;
        Ok(Past { last, page })
    }

    /// Compares a page with what is remembered of it.
    pub(super) fn compare_version(
        &mut self,
        host: HostId,
        record: &UrlRecord,
        look: &Look,
        past: &Past,
    ) -> Result<Versioned, CrawlError> {
        let visit = past.next_ordinal();
        let Some(memory) = self.remembered(record, past)? else {
            let memory = Some(Memory::first(look, visit).to_bytes());
            let happening = Some(if past.has_page() { Happening::Changed } else { Happening::New });
            return Ok(Versioned { happening, memory, ..Versioned::default() });
        };
        let before = self.store.churn(host)?;
        let mut churn = before.as_deref().and_then(Churn::from_bytes).unwrap_or_default();
        let compared = compare(&memory, look, &mut churn, visit);
        let churn = Some(churn.to_bytes()).filter(|churn| before.as_ref() != Some(churn));
        let significance = compared.change.significance;
        let is_same = compared.is_same_bytes && past.has_page();
        let is_still_gone = past.is_stand_in() && significance <= Significance::Noise;
        let happening = match significance {
            _ if is_still_gone => None,
            _ if compared.is_stand_in => Some(Happening::Gone),
            _ if past.was_absent() => Some(Happening::Back),
            Significance::Same | Significance::Noise => None,
            _ => Some(Happening::Changed),
        };
        // A page that moved here brings what is remembered of it along.
        let memory = match compared.memory {
            None if !past.has_page() => Some(memory.to_bytes()),
            memory => memory.map(|memory| memory.to_bytes()),
        };
        Ok(Versioned {
            happening: happening.or_else(|| (!past.has_page()).then_some(Happening::Moved)),
            same_as: past.page.as_ref().filter(|_| is_same).map(|(number, _)| *number),
            change: (significance != Significance::Same).then_some(compared.change),
            persisted: compared.persisted,
            memory,
            churn,
            is_stand_in: compared.is_stand_in || is_still_gone,
        })
    }

    /// What is remembered of a page: its own, or that of the page which led here as its new address.
    fn remembered(&self, record: &UrlRecord, past: &Past) -> Result<Option<Memory>, CrawlError> {
        let mut memory = self.store.memory(record.url.fingerprint())?;
        if memory.is_none()
            && !past.has_page()
            && matches!(record.found.how, How::Redirect | How::Canonical)
            && let Some(source) = record.found.parent
        {
            memory = self.store.memory(source)?;
        }
        Ok(memory.as_deref().and_then(Memory::from_bytes))
    }

    /// Decides how a known page stands that answered with an error.
    pub(super) fn missed(
        &self,
        host: HostId,
        entry: Entry,
        record: &mut UrlRecord,
        status: u16,
        past: &Past,
        now: Timestamp,
    ) -> Result<Missed, CrawlError> {
        let Some((_, page)) = &past.page else { return Ok(Missed::Unknown) };
        let kept = format!("; the copy of {} stays", page.at);
        let since = self.absent_since(past)?;
        let is_absent = match (status, since) {
            (410, _) => true,
            (404, Some(since)) => now.since(since) >= ABSENT_FOR,
            _ => false,
        };
        if is_absent {
            record.because = format!("answered {status}: gone{kept}");
            record.head.status = Status::Gone;
            let was_gone = past.last.as_ref().and_then(|last| last.happening);
            let is_news = was_gone != Some(Happening::Gone);
            return Ok(Missed::Gone { is_news });
        }
        if status == 404 {
            let at = since.unwrap_or(now) + ABSENT_FOR;
            record.because = format!("answered 404, to be confirmed{kept}");
            record.head.status = Status::Scheduled { due: at };
            return Ok(Missed::Doubtful(Due { at, url: entry.url, host, worth: record.worth }));
        }
        record.because = format!("answered {status}{kept}");
        record.head.status = Status::Fetched;
        Ok(Missed::Kept)
    }

    /// Since when the page has answered nothing but 404 and 410.
    fn absent_since(&self, past: &Past) -> Result<Option<Timestamp>, CrawlError> {
        let mut since = None;
        let mut visit = past.last.clone();
        for _ in 0..MOST_ABSENCES {
            let Some(absence) = visit.filter(is_absence) else { break };
            since = Some(absence.at);
            visit = match absence.previous {
                Some(number) => self.store.visit(number)?,
                None => None,
            };
        }
        Ok(since)
    }
}

/// How a page stands that answered with an error.
pub(super) enum Missed {
    /// It was never there.
    Unknown,
    /// It is gone.
    Gone {
        /// False when that was known.
        is_news: bool,
    },
    /// It may be gone; it is asked again at this time.
    Doubtful(Due),
    /// That says nothing about the page.
    Kept,
}
