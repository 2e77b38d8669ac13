//! What was found so far: each URL once, in canonical form, as far as it is wanted.

use std::collections::HashSet;

use gannet_model::{Fingerprint, PageUrl};
use gannet_scope::Canonical;
use regex::Regex;
use serde::Serialize;

/// A URL to start from. The field names are stable.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Found {
    /// In canonical form.
    pub(super) url: String,
    /// What the source calls it.
    pub(super) title: Option<String>,
    /// What a search service gives it.
    pub(super) score: Option<f64>,
    /// When it was changed or published, as the source says.
    pub(super) lastmod: Option<String>,
    /// The search service, sitemap, feed or list it is from.
    pub(super) source: String,
}

/// What a source says of a URL.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Said {
    pub(super) title: Option<String>,
    pub(super) score: Option<f64>,
    pub(super) lastmod: Option<String>,
}

/// Gathers what is found.
pub(super) struct Finds {
    canonical: Canonical,
    patterns: Vec<Regex>,
    limit: usize,
    known: HashSet<Fingerprint>,
    found: Vec<Found>,
    unmatched: usize,
    is_cut: bool,
}

impl Finds {
    pub(super) fn new(canonical: Canonical, patterns: Vec<Regex>, limit: usize) -> Finds {
        Finds {
            canonical,
            patterns,
            limit,
            known: HashSet::new(),
            found: Vec::new(),
            unmatched: 0,
            is_cut: false,
        }
    }

    /// Takes a URL; true when it is new, wanted or not.
    pub(super) fn add(&mut self, url: PageUrl, said: Said, source: &str) -> bool {
        let url = self.canonical.apply(url);
        if !self.known.insert(url.fingerprint()) {
            return false;
        }
        let is_wanted = |pattern: &Regex| pattern.is_match(url.as_str());
        if !self.patterns.is_empty() && !self.patterns.iter().any(is_wanted) {
            self.unmatched += 1;
            return true;
        }
        if self.found.len() >= self.limit {
            self.is_cut = true;
            return true;
        }
        let Said { title, score, lastmod } = said;
        let title = title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
        self.found.push(Found {
            url: url.into(),
            title,
            score,
            lastmod,
            source: source.to_owned(),
        });
        true
    }

    /// What is wanted, in the order found.
    pub(super) fn found(&self) -> &[Found] {
        &self.found
    }

    /// True when there was more than may be kept.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// How many did not match, in words; empty when all did.
    pub(super) fn refused_in_words(&self) -> String {
        match self.unmatched {
            0 => String::new(),
            count => format!("; {count} did not match"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(patterns: &[&str], limit: usize) -> Finds {
        let patterns = patterns.iter().map(|text| Regex::new(text).unwrap()).collect();
        Finds::new(Canonical::default(), patterns, limit)
    }

    fn add(finds: &mut Finds, url: &str) -> bool {
        finds.add(PageUrl::parse(url).unwrap(), Said::default(), "test")
    }

    #[test]
    fn spellings_of_one_page_count_once() {
        let mut finds = finds(&[], 10);
        assert!(add(&mut finds, "https://example.org/a?utm_source=x"));
        assert!(!add(&mut finds, "https://EXAMPLE.org/a#top"));
        assert_eq!(finds.found().len(), 1);
        assert_eq!(finds.found()[0].url, "https://example.org/a");
    }

    #[test]
    fn only_what_matches_any_pattern_is_kept_and_the_rest_counted() {
        let mut finds = finds(&["/birds/", "gannet"], 10);
        for url in ["http://a.test/birds/1", "http://a.test/gannet", "http://a.test/cats"] {
            assert!(add(&mut finds, url));
        }
        assert_eq!(finds.found().len(), 2);
        assert_eq!(finds.refused_in_words(), "; 1 did not match");
    }

    #[test]
    fn beyond_the_limit_nothing_is_kept_and_that_is_known() {
        let mut finds = finds(&[], 1);
        add(&mut finds, "http://a.test/1");
        assert!(!finds.is_cut());
        add(&mut finds, "http://a.test/2");
        assert!(finds.is_cut() && finds.found().len() == 1);
    }
}
