//! What people said, with the pages they said it of.
//!
//! The file of labels knows URLs; teaching needs pages. Between the two stand
//! the store, which knows where a page's newest evidence is, and the archive.

use std::collections::{HashMap, HashSet};

use gannet_model::Fingerprint;
use gannet_store::{Store, StoreError};

use crate::config::Config;
use crate::evidence::{Evidence, behind_redirects, newest_page};
use crate::journey::Journey;
use crate::labels::{Label, Labels, Said};
use crate::teaching::guard::is_held_out;
use crate::teaching::{KeptPage, Spoken, key};

/// What a person said, and the page if it is at hand.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The page: the canonical URL's fingerprint, redirects followed.
    pub url: Fingerprint,
    /// What was said of it.
    pub said: Said,
    /// The page itself; `None` when it was not fetched yet, or no evidence was kept of it.
    pub page: Option<KeptPage>,
}

/// Finds the pages of labels.
pub(crate) struct PageFinder<'a> {
    pub(crate) store: &'a dyn Store,
    pub(crate) journey: &'a Journey,
    pub(crate) evidence: &'a Evidence,
    /// Redirects in a row that are followed.
    pub(crate) redirects: u8,
}

/// Pages of labels that are read when a run begins, those of the newest labels: a few seconds of
/// reading, and more than a person gives in a year.
const MOST_READ: usize = 5000;

impl PageFinder<'_> {
    /// Everything that people said so far, with the pages that have something to teach: those
    /// that the learned state has in it already are not read again.
    pub(crate) fn all(
        &self,
        labels: &Labels,
        config: &Config,
    ) -> Result<Vec<Labelled>, StoreError> {
        let learned = self.store.learned()?.filter(|learned| learned.key == key(config));
        let taught: HashMap<Fingerprint, Said> = learned
            .into_iter()
            .flat_map(|learned| learned.labels)
            .map(|label| (label.url, Said { relevant: label.relevant, relative: label.relative }))
            .collect();
        let mut found = Vec::new();
        for (at, label) in labels.iter().enumerate() {
            let (url, said) = (self.page_of(label)?, label.said());
            let is_taught = taught.get(&url) == Some(&said) && !is_held_out(url);
            let is_too_old = at + MOST_READ < labels.len();
            let page = if is_taught || is_too_old { None } else { self.read(url)? };
            found.push(Labelled { url, said, page });
        }
        Ok(last_of_each(found))
    }

    /// The page that a label is about, without reading it.
    pub(crate) fn page_of(&self, label: &Label) -> Result<Fingerprint, StoreError> {
        let url = self.journey.canonical(label.url.clone()).fingerprint();
        behind_redirects(self.store, url, self.redirects)
    }

    /// Reads the newest version of a page.
    pub(crate) fn read(&self, url: Fingerprint) -> Result<Option<KeptPage>, StoreError> {
        let Some(record) = self.store.url(url)? else { return Ok(None) };
        let Some((_, visit)) = newest_page(self.store, &record)? else { return Ok(None) };
        let Some(at) = visit.archived else { return Ok(None) };
        let response = match self.evidence.response(&record.url, at) {
            Ok(response) => response,
            Err(error) => {
                tracing::warn!(url = %record.url, %error, "a labelled page cannot be read back");
                return Ok(None);
            }
        };
        let (document, prominence) = self.journey.document(&response, None);
        let anchor = record.found.anchor;
        Ok(Some(KeptPage::new(document, Some(record.url), anchor, Some(prominence))))
    }
}

/// The last of several labels of one page, which may have several URLs.
pub(crate) fn last_of_each(labels: Vec<Labelled>) -> Vec<Labelled> {
    let mut seen = HashSet::new();
    let mut last: Vec<_> =
        labels.into_iter().rev().filter(|label| seen.insert(label.url)).collect();
    last.reverse();
    last
}

/// What was said of pages at hand.
pub(crate) fn with_pages(labels: Vec<Labelled>) -> Vec<Spoken> {
    let with_page =
        |label: Labelled| label.page.map(|page| Spoken { url: label.url, said: label.said, page });
    labels.into_iter().filter_map(with_page).collect()
}
