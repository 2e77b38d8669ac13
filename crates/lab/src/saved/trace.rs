//! What really happened to the pages of a site, version by version.
//!
//! A trace is a folder or archive with `trace.csv` and `blobs/`. The columns `unix_time`, `blob16`
//! and `path` count: from that time on the page at that path has the body `blobs/BLOB16`, or none
//! when no blob is named. The path is the last column and may hold commas.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use gannet_model::Timestamp;

use crate::relevance::LabelledError;
use crate::relevance::tree::{Tree, folder_of, last_of};

/// What happened to the pages of a site.
#[derive(Clone, Debug)]
pub struct Trace {
    /// What the site is called: the name of its folder or archive.
    pub name: String,
    source: PathBuf,
    /// Where `blobs/` lies in there.
    folder: String,
    pages: BTreeMap<String, Vec<Event>>,
}

/// A page took this body, or went.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Event {
    at: Timestamp,
    blob: Option<String>,
}

/// Why a trace could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// A folder, archive or file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] LabelledError),
    /// It is no trace.
    #[error("no trace.csv in {0:?}")]
    NoIndex(PathBuf),
    /// A column is not there.
    #[error("trace.csv has no column {0:?}")]
    NoColumn(&'static str),
    /// A line says nothing we understand.
    #[error("line {0} of trace.csv names no time, blob and path")]
    Line(usize),
    /// A version is not there.
    #[error("trace.csv names blob {0}, and there is none in blobs/")]
    NoBlob(String),
}

const INDEX: &str = "trace.csv";

impl Trace {
    /// Reads what happened when; bodies stay where they are.
    pub fn load(source: &Path) -> Result<Trace, TraceError> {
        let tree = open(source, &|path| last_of(path) == INDEX)?;
        let no_index = || TraceError::NoIndex(source.to_owned());
        let path = tree.paths().find(|path| last_of(path) == INDEX).ok_or_else(no_index)?;
        let index = tree.read(path)?.ok_or_else(no_index)?;
        Ok(Trace {
            name: tree.name.clone(),
            source: source.to_owned(),
            folder: folder_of(path).to_owned(),
            pages: read_index(&String::from_utf8_lossy(&index))?,
        })
    }

    /// The paths of all pages that ever were, in order.
    pub fn pages(&self) -> impl Iterator<Item = &str> {
        self.pages.keys().map(String::as_str)
    }

    /// When something happened first and last; `None` when nothing ever did.
    pub fn span(&self) -> Option<(Timestamp, Timestamp)> {
        let times = || self.pages.values().flatten().map(|event| event.at);
        Some((times().min()?, times().max()?))
    }

    /// The name of the body that a page has at a time; `None` while it is not there.
    pub fn blob(&self, page: &str, at: Timestamp) -> Option<&str> {
        let events = self.pages.get(page)?;
        let after = events.partition_point(|event| event.at <= at);
        events.get(after.checked_sub(1)?)?.blob.as_deref()
    }

    /// The bodies of these names.
    pub fn bodies(&self, names: &HashSet<&str>) -> Result<HashMap<String, Bytes>, TraceError> {
        let tree = open(&self.source, &|path| names.contains(last_of(path)))?;
        let body = |name: &&str| {
            let path = match self.folder.as_str() {
                "" => format!("blobs/{name}"),
                folder => format!("{folder}/blobs/{name}"),
            };
            match tree.read(&path)? {
                Some(body) => Ok(((*name).to_owned(), Bytes::from(body.into_owned()))),
                None => Err(TraceError::NoBlob((*name).to_owned())),
            }
        };
        names.iter().map(body).collect()
    }
}

fn open(source: &Path, wants: &dyn Fn(&str) -> bool) -> Result<Tree, TraceError> {
    if source.is_dir() {
        return Ok(Tree::of_folder(source)?.0);
    }
    Ok(Tree::of_archive_parts(source, wants)?)
}

fn read_index(index: &str) -> Result<BTreeMap<String, Vec<Event>>, TraceError> {
    let mut lines = index.lines().enumerate();
    let head: Vec<&str> =
        lines.next().map(|(_, line)| line.split(',').collect()).unwrap_or_default();
    let column = |name| head.iter().position(|column| *column == name);
    let time = column("unix_time").ok_or(TraceError::NoColumn("unix_time"))?;
    let blob = column("blob16").ok_or(TraceError::NoColumn("blob16"))?;
    let path = column("path").filter(|at| at + 1 == head.len());
    let path = path.ok_or(TraceError::NoColumn("path"))?;
    let mut pages: BTreeMap<String, Vec<Event>> = BTreeMap::new();
    for (number, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let cells: Vec<&str> = line.splitn(head.len(), ',').collect();
        let wrong = || TraceError::Line(number + 1);
        let &[.., page] = &cells[..] else { return Err(wrong()) };
        if cells.len() <= path {
            return Err(wrong());
        }
        let seconds: u64 = cells[time].parse().map_err(|_| wrong())?;
        let at = Timestamp::ZERO + Duration::from_secs(seconds);
        let blob = Some(cells[blob]).filter(|blob| !blob.is_empty()).map(str::to_owned);
        pages.entry(page.to_owned()).or_default().push(Event { at, blob });
    }
    // What happened at one moment stays in the order in which it is told: the last counts.
    pages.values_mut().for_each(|events| events.sort_by_key(|event| event.at));
    Ok(pages)
}
