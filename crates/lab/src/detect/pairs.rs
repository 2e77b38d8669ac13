//! Pairs of versions that somebody labelled.
//!
//! A collection is a folder or archive with `pairs.jsonl` and `html/ID.html`. A line of it names a
//! page, its address, the ids and times of the older and the newer version, what kind of change
//! lies between (`text`, `noise`, others) and whether the label is `supported`: whether the text it
//! speaks of is in the HTML at all.

use std::path::Path;

use bytes::Bytes;
use gannet_model::PageUrl;
use serde::Deserialize;

use crate::relevance::LabelledError;
use crate::relevance::tree::{Tree, folder_of, last_of};

/// Two versions of a page, and what lies between them.
#[derive(Clone, Debug)]
pub struct PagePair {
    /// The page's name within all collections.
    pub page: String,
    /// Its address.
    pub url: PageUrl,
    /// When the older version was seen, in seconds of the epoch.
    pub old_time: u64,
    /// What lies between.
    pub kind: PairKind,
    /// The bytes of both.
    pub old: Bytes,
    /// The newer one.
    pub new: Bytes,
}

impl PagePair {
    /// The site that the page belongs to: its host, or what its name begins with.
    pub fn site(&self) -> &str {
        let host = self.url.as_url().host_str().filter(|_| self.url.as_str() != NOWHERE);
        host.unwrap_or_else(|| self.page.rsplit_once('/').map_or(&self.page, |(site, _)| site))
    }
}

/// What lies between two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKind {
    /// An edit of the text.
    Edit,
    /// Bytes differ, and the text that somebody watches does not.
    Noise,
    /// Something else, or nobody knows: learned from, and not counted.
    Other,
}

/// Why pairs could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PairsError {
    /// A folder, archive or file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] LabelledError),
    /// A line says nothing we understand.
    #[error("line {line} of {file} is no pair of versions")]
    Line {
        /// Which file.
        file: String,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        #[source]
        cause: serde_json::Error,
    },
    /// An address is none.
    #[error("{url:?} in {file} is no address of a page")]
    Url {
        /// Which file.
        file: String,
        /// What stands there.
        url: String,
    },
    /// A version is not there.
    #[error("{file} names version {id}, and there is no html/{id}.html beside it")]
    Missing {
        /// Which file.
        file: String,
        /// Which version.
        id: String,
    },
    /// There is nothing to measure on.
    #[error("no pairs.jsonl in {folder}, nor in an archive (.tar.zst) there")]
    None {
        /// Where it was looked for.
        folder: String,
    },
}

const INDEX: &str = "pairs.jsonl";
/// Where a page without an address lies.
const NOWHERE: &str = "http://page.invalid/";

/// A line of the index.
#[derive(Deserialize)]
struct Line {
    #[serde(default)]
    collection: String,
    page: String,
    /// Not known of every page: then links lead from nowhere.
    url: Option<String>,
    old: String,
    new: String,
    old_time: u64,
    kind: String,
    #[serde(default = "yes")]
    supported: bool,
}

fn yes() -> bool {
    true
}

/// All pairs below a folder, each page's in the order of time.
pub fn load(folder: &Path) -> Result<Vec<PagePair>, PairsError> {
    let (loose, archives) = Tree::of_folder(folder)?;
    let mut trees = vec![loose];
    for archive in archives {
        trees.push(Tree::of_archive(&archive)?);
    }
    let mut pairs = Vec::new();
    for tree in &trees {
        for index in tree.paths().filter(|path| last_of(path) == INDEX) {
            read_index(tree, index, &mut pairs)?;
        }
    }
    if pairs.is_empty() {
        return Err(PairsError::None { folder: folder.display().to_string() });
    }
    pairs.sort_by(|a, b| (&a.page, a.old_time).cmp(&(&b.page, b.old_time)));
    Ok(pairs)
}

fn read_index(tree: &Tree, index: &str, pairs: &mut Vec<PagePair>) -> Result<(), PairsError> {
    let file = format!("{}/{index}", tree.name);
    let bytes = tree.read(index)?.unwrap_or_default();
    let version = |id: &str| {
        let folder = folder_of(index);
        let path = match folder {
            "" => format!("html/{id}.html"),
            folder => format!("{folder}/html/{id}.html"),
        };
        match tree.read(&path)? {
            Some(body) => Ok(Bytes::from(body.into_owned())),
            None => Err(PairsError::Missing { file: file.clone(), id: id.to_owned() }),
        }
    };
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    for (number, line) in lines.filter(|(_, line)| !line.trim_ascii().is_empty()) {
        let line: Line = serde_json::from_slice(line).map_err(|cause| PairsError::Line {
            file: file.clone(),
            line: number + 1,
            cause,
        })?;
        let url = line.url.as_deref().unwrap_or(NOWHERE);
        let url = PageUrl::parse(url)
            .map_err(|_| PairsError::Url { file: file.clone(), url: url.to_owned() })?;
        pairs.push(PagePair {
            kind: kind(&line),
            page: format!("{}/{}", line.collection, line.page),
            url,
            old_time: line.old_time,
            old: version(&line.old)?,
            new: version(&line.new)?,
        });
    }
    Ok(())
}

fn kind(line: &Line) -> PairKind {
    match (line.kind.as_str(), line.supported) {
        ("text", true) => PairKind::Edit,
        ("noise", true) => PairKind::Noise,
        _ => PairKind::Other,
    }
}
