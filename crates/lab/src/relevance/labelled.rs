//! Pages of which somebody said what they are about.
//!
//! [`load`] finds the data sets in a folder, whatever their kind, and reads
//! their pages. Every set has a training half and a test half: its own if it
//! brings one, else by the hash of each page's name, so that it never moves.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use gannet_content::{Limits, SiteTemplate, prominence};
use gannet_model::{Document, Headers, Host, PageUrl, Prominence, Response};
use gannet_relevance::Sight;
use xxhash_rust::xxh3::xxh3_64;

use super::kinds;
use super::parallel::in_parallel;

/// A set of labelled pages.
#[derive(Debug)]
pub struct LabelledSet {
    /// What it is called.
    pub name: String,
    /// The classes that pages can have; a page refers to them by their place here.
    pub classes: Vec<LabelledClass>,
    /// The pages, by name.
    pub pages: Vec<LabelledPage>,
}

/// What a page can be about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledClass {
    /// Its name in the data.
    pub name: String,
    /// False for a class that says only what its pages are not, such as `other`.
    pub is_topic: bool,
}

/// A page and what it is about.
#[derive(Debug)]
pub struct LabelledPage {
    /// Its name in the data.
    pub name: String,
    /// What it says.
    pub document: Document,
    /// Where it was, if it was on the web.
    pub url: Option<PageUrl>,
    /// Its classes, by their places in the set.
    pub classes: Vec<usize>,
    /// Whether it belongs to the half that models are measured on.
    pub is_test: bool,
    /// How much each passage counts, by what the training half shows of its host.
    pub prominence: Option<Prominence>,
}

/// Why labelled pages could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelledError {
    /// The folder cannot be read.
    #[error("the folder {path:?} cannot be read")]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        cause: std::io::Error,
    },
    /// A file cannot be read.
    #[error("the file {path:?} cannot be read")]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        cause: std::io::Error,
    },
    /// An archive cannot be unpacked.
    #[error("the archive {path:?} cannot be unpacked")]
    Archive {
        /// Which.
        path: PathBuf,
        /// Why.
        #[source]
        cause: std::io::Error,
    },
    /// Nothing in the folder is labelled.
    #[error(
        "no labelled pages in {path:?}; put there newsgroups by folder, an index with the columns \
         class, url and path, categories of an encyclopedia, or folders CLASS/*.html|*.txt"
    )]
    NothingLabelled {
        /// Where.
        path: PathBuf,
    },
    /// No set of this name.
    #[error("no data set is called {wanted:?}; there are: {known}")]
    UnknownSet {
        /// What was asked for.
        wanted: String,
        /// What there is.
        known: String,
    },
    /// No topic of this name.
    #[error("no data set has a topic called {wanted:?}; there are: {known}")]
    UnknownTopic {
        /// What was asked for.
        wanted: String,
        /// What there is.
        known: String,
    },
}

/// A page before it is read.
pub(crate) struct RawPage {
    pub(crate) name: String,
    pub(crate) classes: Vec<usize>,
    /// The half that the data puts it in.
    pub(crate) is_test: Option<bool>,
    pub(crate) url: Option<PageUrl>,
    pub(crate) form: Form,
    pub(crate) headers: Headers,
    pub(crate) body: Vec<u8>,
}

/// How a page is written.
pub(crate) enum Form {
    Html,
    /// Plain text under this title.
    Plain(String),
}

/// A data set before its pages are read.
pub(crate) struct RawSet {
    pub(crate) name: String,
    pub(crate) classes: Vec<LabelledClass>,
    pub(crate) pages: Vec<RawPage>,
}

impl LabelledSet {
    /// The classes that make a topic, by their places.
    pub fn topics(&self) -> impl Iterator<Item = usize> {
        (0..self.classes.len()).filter(|class| self.classes[*class].is_topic)
    }

    /// The pages of one half, by their places.
    pub(crate) fn half(&self, is_test: bool) -> impl Iterator<Item = usize> {
        (0..self.pages.len()).filter(move |page| self.pages[*page].is_test == is_test)
    }
}

impl LabelledPage {
    /// Whether it is about this class.
    pub fn is_about(&self, class: usize) -> bool {
        self.classes.contains(&class)
    }

    /// The page as a model sees it.
    pub fn sight(&self) -> Sight<'_> {
        Sight {
            document: &self.document,
            url: self.url.as_ref(),
            anchor: "",
            prominence: self.prominence.as_ref(),
        }
    }
}

/// Reads the data sets in a folder whose names contain one of `wanted`, or all of them.
///
/// Folders of classes are taken for a data set where nothing better is found, or when named.
pub fn load(
    folder: &Path,
    wanted: &[String],
    threads: usize,
) -> Result<Vec<LabelledSet>, LabelledError> {
    let mut found = kinds::find(folder, wanted)?;
    if found.is_empty() {
        return Err(LabelledError::NothingLabelled { path: folder.to_owned() });
    }
    let names: Vec<String> = found.iter().map(|set| set.name.clone()).collect();
    for wanted in wanted {
        if !names.iter().any(|name| is_named(name, wanted)) {
            return Err(LabelledError::UnknownSet {
                wanted: wanted.clone(),
                known: names.join(", "),
            });
        }
    }
    found.retain(|set| wanted.is_empty() || wanted.iter().any(|name| is_named(&set.name, name)));
    Ok(found.into_iter().map(|set| read_set(set, threads)).collect())
}

/// Whether a set is meant by a name: part of its own will do, in any case.
pub(crate) fn is_named(name: &str, wanted: &str) -> bool {
    name.to_lowercase().contains(&wanted.to_lowercase())
}

/// Reads every page of a set.
pub(crate) fn read_set(raw: RawSet, threads: usize) -> LabelledSet {
    let limits = Limits::default();
    let mut pages = in_parallel(&raw.pages, threads, |page| read_page(page, &limits));
    pages.sort_by(|a, b| a.name.cmp(&b.name));
    let templates = templates(&pages);
    let prominences = in_parallel(&pages, threads, |page| {
        let site = host(page).and_then(|host| templates.get(&host));
        prominence(&page.document, site)
    });
    for (page, prominence) in pages.iter_mut().zip(prominences) {
        page.prominence = Some(prominence);
    }
    LabelledSet { name: raw.name, classes: raw.classes, pages }
}

/// What the pages of each host have in common, as seen in the training half.
fn templates(pages: &[LabelledPage]) -> HashMap<Host, SiteTemplate> {
    let mut templates: HashMap<Host, SiteTemplate> = HashMap::new();
    for page in pages.iter().filter(|page| !page.is_test) {
        if let Some(host) = host(page) {
            templates.entry(host).or_default().observe(&page.document);
        }
    }
    templates
}

fn host(page: &LabelledPage) -> Option<Host> {
    page.url.as_ref().map(PageUrl::host)
}

fn read_page(raw: &RawPage, limits: &Limits) -> LabelledPage {
    let url = raw.url.clone().unwrap_or_else(nowhere);
    let document = match &raw.form {
        Form::Html => gannet_content::read_html(&url, &raw.headers, &raw.body, limits),
        Form::Plain(title) => read_plain(url, title, &raw.body, limits),
    };
    LabelledPage {
        name: raw.name.clone(),
        document,
        url: raw.url.clone(),
        classes: raw.classes.clone(),
        is_test: raw.is_test.unwrap_or_else(|| xxh3_64(raw.name.as_bytes()) % 2 == 1),
        prominence: None,
    }
}

/// Reads a text as if a server had sent it.
fn read_plain(url: PageUrl, title: &str, body: &[u8], limits: &Limits) -> Document {
    let body = Bytes::copy_from_slice(body);
    let response =
        Response::made(url, 200, [("content-type", "text/plain")].into_iter().collect(), body);
    Document { title: title.to_owned(), ..gannet_content::read(&response, limits) }
}

/// Where a page is said to be that is not on the web.
fn nowhere() -> PageUrl {
    PageUrl::parse("http://nowhere.example/").expect("it is an address")
}
