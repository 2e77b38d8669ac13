//! The timetable of a page's journey.
//!
//! ```text
//! scope      is this URL ours?            (a link, before it is queued)
//! frontier   which URL next?
//! politeness may we contact its host?     (gate, pace, robots)
//! fetch      bring the bytes
//! content    what does the page say?      ┐
//! relevance  is it about our topic?       ├ Journey::read: pure, on a worker
//! scope      which of its links are ours? ┘
//! archive    keep the evidence
//! links      what is each link worth?     ┐
//! store      one visit, one commit        ┘ Crawl::visited
//! ```
//!
//! [`Journey::read`] is the stretch from an answer to a [`Reading`]. It is
//! pure: the same answer gives the same reading by the same model, whoever asks
//! and however often. The model may be replaced between two readings, never
//! within one.

use std::collections::HashSet;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use gannet_change::{FileCode, Look, Version};
use gannet_content::{Limits as ContentLimits, SiteTemplate, prominence};
use gannet_model::{
    Document, FileKind, Fingerprint, Judgement, PageUrl, Prominence, Response, Spread, Timestamp,
};
use gannet_relevance::{Model, Sight, build_model};
use gannet_revisit::Hint;
use gannet_scope::traps::refuse;
use gannet_scope::{Candidate as ScopeCandidate, Canonical, Scope, TrapConfig};
use gannet_store::{Answer, How};

use crate::attachments::Wishes;
use crate::config::{Config, SetupError};
use crate::copies::Sketch;
use crate::lists::listed;

/// The pure stations between an answer and the commit.
pub struct Journey {
    canonical: Canonical,
    scope: Scope,
    /// The model of the moment: whoever reads a page takes it once and keeps it to the end.
    model: RwLock<Arc<dyn Model>>,
    traps: TrapConfig,
    limits: ContentLimits,
    wishes: Wishes,
    /// Whether feeds and sitemaps are read for what they name.
    reads_lists: bool,
}

/// What is known of a page before it is read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Approach<'a> {
    /// How many links from a seed it is.
    pub depth: u32,
    /// The words of the link that led to it.
    pub anchor: &'a str,
    /// What repeats over the pages of its host, as far as it was seen.
    pub template: Option<&'a SiteTemplate>,
    /// What it is to the page that shows it; `None` for pages.
    pub file: Option<FileKind>,
}

/// What an answer amounts to.
#[derive(Debug)]
pub struct Answered {
    /// The bare facts.
    pub answer: Answer,
    /// When the request was sent.
    pub asked_at: Timestamp,
    /// How long the exchange took.
    pub took: Duration,
    /// What `Retry-After` says.
    pub retry_after: Option<String>,
    /// What it brought.
    pub content: Content,
}

/// What an answer brought.
#[derive(Debug)]
pub enum Content {
    /// A page.
    Page(Box<Reading>),
    /// A redirect; `None` when it leads nowhere we can go.
    Redirect(Option<Box<Candidate>>),
    /// A file that belongs to a page, as it is told from others.
    File(FileCode),
    /// Neither: an error, or "not modified".
    Nothing,
}

/// A page, read and judged.
#[derive(Debug)]
pub struct Reading {
    /// What it says.
    pub document: Document,
    /// What tells its text from others.
    pub sketch: Sketch,
    /// What its versions are compared by.
    pub look: Look,
    /// How much each of its passages counts.
    pub prominence: Prominence,
    /// Whether it is about the topic.
    pub judgement: Judgement,
    /// Where it leads, each URL once.
    pub candidates: Vec<Candidate>,
    /// Files that it shows and that are to be watched.
    pub files: Vec<Candidate>,
    /// What it says of changes of other pages, when it is a feed or a sitemap.
    pub hints: Vec<(Fingerprint, Hint)>,
}

/// A URL that was found, in canonical form, with the scope's word on it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The URL.
    pub url: PageUrl,
    /// The 64 bits that stand for it.
    pub fingerprint: Fingerprint,
    /// What led to it.
    pub how: How,
    /// Its place in the document's links, if it is one of them.
    pub link: Option<usize>,
    /// Why it is not ours; `None` when it is.
    pub refusal: Option<String>,
}

impl Journey {
    /// Builds the stations.
    pub fn new(config: &Config) -> Result<Journey, SetupError> {
        let canonical = Canonical::new(&config.canonical)?;
        let seeds: Vec<_> =
            config.seeds.iter().cloned().map(|seed| canonical.apply(seed)).collect();
        let scope = Scope::build(&config.scope, &seeds)?;
        let model = build_model(&config.model.name, &config.topic, &config.model.settings)?;
        let model = RwLock::new(Arc::from(model));
        let (traps, limits) = (config.traps.clone(), config.content.clone());
        let wishes = Wishes::new(config.attachments, &config.hosts);
        let reads_lists = config.watch.is_some();
        Ok(Journey { canonical, scope, model, traps, limits, wishes, reads_lists })
    }

    /// The model that judges now.
    pub fn model(&self) -> Arc<dyn Model> {
        self.model.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Judges with another model from the next page on.
    pub fn replace_model(&self, model: Arc<dyn Model>) {
        *self.model.write().unwrap_or_else(PoisonError::into_inner) = model;
    }

    /// Reads an answer to a request for a page.
    pub fn read(&self, response: &Response, approach: &Approach<'_>) -> Answered {
        self.read_by(response, approach, || gannet_content::read(response, &self.limits))
    }

    /// Reads an answer whose page says what it said before: what is known of that is not worked
    /// out again. For those who crawl one web many times.
    pub fn read_again(
        &self,
        response: &Response,
        document: &Document,
        approach: &Approach<'_>,
    ) -> Answered {
        self.read_by(response, approach, || document.clone())
    }

    fn read_by(
        &self,
        response: &Response,
        approach: &Approach<'_>,
        document: impl FnOnce() -> Document,
    ) -> Answered {
        let content = if let (true, Some(kind)) = (response.is_success(), approach.file) {
            Content::File(FileCode::of(kind, &response.body))
        } else if response.is_success() {
            Content::Page(Box::new(self.read_page(response, approach, document())))
        } else if (300..400).contains(&response.status) && !response.is_not_modified() {
            let target = response.redirect_target();
            let target = target.map(|url| self.target(url, &response.url, approach.depth));
            Content::Redirect(target.map(Box::new))
        } else {
            Content::Nothing
        };
        Answered {
            answer: Answer {
                status: response.status,
                media_type: response.media_type(),
                wire_bytes: response.wire_body.len() as u64,
                body_bytes: response.body.len() as u64,
                validators: response.validators(),
            },
            asked_at: response.asked_at,
            took: response.timings.total,
            retry_after: response.headers.text("retry-after"),
            content,
        }
    }

    /// Where a redirect leads. The target takes the page's place: it is no further from a seed.
    fn target(&self, url: PageUrl, page: &PageUrl, depth: u32) -> Candidate {
        let candidate = self.candidate(url.clone(), How::Redirect, None, depth);
        if candidate.fingerprint != page.fingerprint() {
            return candidate;
        }
        // A server that insists on its session id sends us to a spelling of the same page:
        // that spelling is the only one it answers, so it is taken as it is.
        Candidate { fingerprint: url.fingerprint(), url, ..candidate }
    }

    fn read_page(
        &self,
        response: &Response,
        approach: &Approach<'_>,
        document: Document,
    ) -> Reading {
        let prominence = prominence(&document, approach.template);
        let judgement = self.model().judge(&Sight {
            document: &document,
            url: Some(&response.url),
            anchor: approach.anchor,
            prominence: Some(&prominence),
        });
        let mut candidates = self.candidates(&document, &response.url, approach.depth + 1);
        let hints = self.list(response, approach.depth + 1, &mut candidates);
        let sketch = Sketch::new(&document, &prominence);
        let look = Look::at(&Version {
            body: &response.body,
            html: "",
            document: &document,
            prominence: &prominence,
            styles: &[],
            images: &[],
        });
        let files = self.files(&document, &response.url, judgement.is_relevant());
        Reading { sketch, look, document, prominence, judgement, candidates, files, hints }
    }

    /// Adds the pages that a feed or a sitemap names; what it says of their changes.
    fn list(
        &self,
        response: &Response,
        depth: u32,
        candidates: &mut Vec<Candidate>,
    ) -> Vec<(Fingerprint, Hint)> {
        if !self.reads_lists {
            return Vec::new();
        }
        let mut hints = Vec::new();
        let mut seen: Seen = candidates.iter().map(|candidate| candidate.fingerprint).collect();
        for (url, hint) in listed(response) {
            let candidate = self.candidate(url, How::Listed, None, depth);
            hints.extend(hint.map(|hint| (candidate.fingerprint, hint)));
            if seen.insert(candidate.fingerprint) {
                candidates.push(candidate);
            }
        }
        hints
    }

    /// The files of a page that are to be watched, each once. They are fetched because the page is
    /// ours, wherever they lie.
    fn files(&self, document: &Document, page: &PageUrl, is_relevant: bool) -> Vec<Candidate> {
        let mut seen = Seen::default();
        let files = self.wishes.files(page, document, is_relevant).into_iter();
        let candidates = files.map(|(kind, url)| {
            let url = self.canonical.apply(url);
            let refusal = refuse(&self.traps, &url).map(|reason| format!("trap: {reason}"));
            let how = How::Attached(kind);
            Candidate { fingerprint: url.fingerprint(), url, how, link: None, refusal }
        });
        candidates.filter(|candidate| seen.insert(candidate.fingerprint)).collect()
    }

    /// Which files of pages are wanted.
    pub(crate) fn wishes(&self) -> &Wishes {
        &self.wishes
    }

    /// What a page says, and how much each passage of it counts.
    pub(crate) fn document(
        &self,
        response: &Response,
        template: Option<&SiteTemplate>,
    ) -> (Document, Prominence) {
        let document = gannet_content::read(response, &self.limits);
        let prominence = prominence(&document, template);
        (document, prominence)
    }

    /// Where a page leads, each URL once. A page or link that asks not to be
    /// followed is not: such a URL stays unknown, so that another page may still lead to it.
    fn candidates(&self, document: &Document, page: &PageUrl, depth: u32) -> Vec<Candidate> {
        let mut seen = Seen::default();
        let mut found = Vec::new();
        seen.insert(page.fingerprint());
        let mut add = |candidate: Candidate| {
            if seen.insert(candidate.fingerprint) {
                found.push(candidate);
            }
        };
        let canonical = document.canonical.clone();
        for (how, url) in [(How::Refresh, document.refresh.clone()), (How::Canonical, canonical)] {
            if let Some(url) = url {
                add(self.candidate(url, how, None, depth));
            }
        }
        if !document.robots.nofollow {
            for (at, link) in document.links.iter().enumerate() {
                if !link.rel.nofollow {
                    add(self.candidate(link.url.clone(), How::Link(link.kind), Some(at), depth));
                }
            }
        }
        let ancestors: Vec<_> = found
            .iter()
            .filter(|candidate| candidate.refusal.is_none())
            .flat_map(|candidate| self.scope.ascend(&candidate.url))
            .collect();
        for url in ancestors {
            let candidate = self.candidate(url, How::Ancestor, None, depth);
            if seen.insert(candidate.fingerprint) {
                found.push(candidate);
            }
        }
        found
    }

    /// The spelling that stands for all spellings of a page.
    pub fn canonical(&self, url: PageUrl) -> PageUrl {
        self.canonical.apply(url)
    }

    /// A URL in canonical form with the scope's word on it.
    pub fn candidate(&self, url: PageUrl, how: How, link: Option<usize>, depth: u32) -> Candidate {
        let url = self.canonical.apply(url);
        let decision = self.scope.decide(&ScopeCandidate { url: &url, depth });
        let refusal = (!decision.is_accepted()).then(|| decision.because.to_string());
        let refusal =
            refusal.or_else(|| refuse(&self.traps, &url).map(|reason| format!("trap: {reason}")));
        Candidate { fingerprint: url.fingerprint(), url, how, link, refusal }
    }

    /// The scope, for those who want to print it.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }
}

/// Fingerprints of one page's links. They are spread already, so their hash is themselves.
type Seen = HashSet<Fingerprint, Spread>;
