//! Which webs can be crawled in the lab, and how each is taken in.
//!
//! Each kind is one file below: it gathers pages and what they are about. The
//! rest is the same for all (see `ground`).

mod captures;
mod encyclopedia;
mod folder;
mod labels;
mod page_index;
mod synthetic;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use gannet_archive::ReadError;
use gannet_engine::{Config, Journey, SetupError};
use gannet_model::PageUrl;
use gannet_relevance::{Topic, TopicError};

use super::ground::{Gathered, Ground};
use crate::relevance::LabelledError;
use crate::relevance::tree::Tree;
use crate::relevance::words::topic_of;

/// Which web to crawl.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebKind {
    /// A synthetic web by the name of its preset.
    Testbed(String),
    /// What a crawler recorded: a WARC file, or a folder of them.
    Warc(PathBuf),
    /// A tree of HTML files, one host for each top folder.
    Folder(PathBuf),
    /// Pages of universities with an index of classes.
    WebKb(PathBuf),
    /// An encyclopedia with categories.
    Wikispeedia(PathBuf),
}

/// Whether an encyclopedia's indexes of subjects are served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SubjectIndexes {
    /// Yes, as a visitor meets them.
    #[default]
    Serve,
    /// No, nor the links to them: they list which pages are on which topic.
    LeaveOut,
}

/// What is to be said of a web besides where it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WebOptions {
    /// What the pages of a recorded web or of a tree of files are about; other webs know it
    /// themselves.
    pub labels: Option<PathBuf>,
    /// Whether an encyclopedia's indexes of subjects are served.
    pub subject_indexes: SubjectIndexes,
}

/// Why a web cannot be named so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names no web; write testbed:NAME, warc:FILE, dir:DIR, webkb:DIR or wikispeedia:DIR")]
pub struct WebKindError(String);

/// Why a web could not be taken in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WebError {
    /// Files cannot be read.
    #[error(transparent)]
    Files(#[from] LabelledError),
    /// A recorded web cannot be read.
    #[error("the recorded web {path:?} cannot be read")]
    Recorded {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: ReadError,
    },
    /// No preset of this name.
    #[error("no testbed web is called {wanted:?}; there are: {known}")]
    UnknownPreset {
        /// What was asked for.
        wanted: String,
        /// What there is.
        known: String,
    },
    /// Nothing of the wanted kind is there.
    #[error("{path:?} holds {what}")]
    NotThere {
        /// Where it was looked for.
        path: PathBuf,
        /// What is missing.
        what: &'static str,
    },
    /// The labels cannot be read.
    #[error("the labels {path:?} cannot be read")]
    Labels {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: std::io::Error,
    },
    /// A line of the labels is not one.
    #[error("{path:?} line {line}: write TOPIC, a tab, and the page's path or address")]
    BadLabel {
        /// Which file.
        path: PathBuf,
        /// Where in it.
        line: usize,
    },
    /// No label is of a page that is there.
    #[error("no label in {path:?} is of a page in the web; the first is of {first:?}")]
    StrangeLabels {
        /// Which file.
        path: PathBuf,
        /// The page of the first label.
        first: String,
    },
    /// A topic's name makes no topic.
    #[error("the class {class:?} makes no topic")]
    Topic {
        /// Which.
        class: String,
        /// Why.
        #[source]
        cause: TopicError,
    },
    /// The engine's settings do not hold together.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl FromStr for WebKind {
    type Err = WebKindError;

    fn from_str(text: &str) -> Result<WebKind, WebKindError> {
        let error = || WebKindError(text.to_owned());
        let (kind, what) = text.split_once(':').ok_or_else(error)?;
        if what.is_empty() {
            return Err(error());
        }
        match kind {
            "testbed" => Ok(WebKind::Testbed(what.to_owned())),
            "warc" => Ok(WebKind::Warc(what.into())),
            "dir" => Ok(WebKind::Folder(what.into())),
            "webkb" => Ok(WebKind::WebKb(what.into())),
            "wikispeedia" => Ok(WebKind::Wikispeedia(what.into())),
            _ => Err(error()),
        }
    }
}

impl Ground {
    /// Takes in a web.
    pub fn load(kind: &WebKind, options: &WebOptions) -> Result<Ground, WebError> {
        let labels = options.labels.as_deref();
        match kind {
            WebKind::Testbed(name) => synthetic::load(name),
            WebKind::Warc(path) => captures::load(path, labels),
            WebKind::Folder(path) => folder::load(path, labels),
            WebKind::WebKb(path) => page_index::load(path),
            WebKind::Wikispeedia(path) => encyclopedia::load(path, options.subject_indexes),
        }
    }
}

/// Finds the one spelling of each address, as a crawl with standard settings does.
struct Spelling(Journey);

impl Spelling {
    fn new() -> Result<Spelling, WebError> {
        let topic = topic_of("anything").expect("a word makes a topic");
        Ok(Spelling(Journey::new(&Config::new(topic))?))
    }

    fn of(&self, url: PageUrl) -> PageUrl {
        self.0.canonical(url)
    }
}

/// A ground whose topics are described by their names.
fn ground(name: String, usual_pages: u64, pages: Vec<Gathered>) -> Result<Ground, WebError> {
    let words = |class: &str| -> Result<Topic, WebError> {
        topic_of(class).map_err(|cause| WebError::Topic { class: class.to_owned(), cause })
    };
    Ground::new(name, usual_pages, pages, words)
}

/// The trees in which a web may lie: the path itself, then the archives in it, those whose name
/// contains `hint` first. What is read of them is up to the caller, who may stop early.
fn trees<'a>(
    path: &'a Path,
    hint: &str,
) -> Result<impl Iterator<Item = Result<Tree, LabelledError>> + use<'a>, LabelledError> {
    let (loose, mut archives) = if path.is_file() {
        (None, vec![path.to_owned()])
    } else {
        let (loose, archives) = Tree::of_folder(path)?;
        (Some(loose), archives)
    };
    archives.sort_by_key(|archive| {
        let name = archive.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        !name.contains(hint)
    });
    let unpacked = archives.into_iter().map(|archive| Tree::of_archive(&archive));
    Ok(loose.map(Ok).into_iter().chain(unpacked))
}

/// The address of a file in a tree. Signs that mean something in an address stand for themselves
/// in the name of a file.
fn address(host: &str, path: &str) -> Option<PageUrl> {
    let mut escaped = String::with_capacity(path.len());
    for letter in path.chars() {
        match letter {
            '%' => escaped.push_str("%25"),
            '?' => escaped.push_str("%3F"),
            '#' => escaped.push_str("%23"),
            '\\' => escaped.push_str("%5C"),
            letter => escaped.push(letter),
        }
    }
    PageUrl::parse(&format!("http://{host}/{escaped}")).ok()
}

/// A name that can stand in an address as a host: as it is if it can, else made so.
fn host_named(name: &str) -> String {
    let is_kept = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
    let letters = name.chars().map(|c| if is_kept(c) { c.to_ascii_lowercase() } else { '-' });
    let host = letters.collect::<String>();
    let host = host.trim_matches(['-', '.']);
    if host.is_empty() { "web".to_owned() } else { host.to_owned() }
}

#[cfg(test)]
mod tests;
