//! Where pages come from: made up, or a file.

use std::path::PathBuf;
use std::str::FromStr;

use super::population::Population;
use super::synthetic::{NAMES, Synthetic, USUAL_PAGES};
use super::trace::Recorded;

/// Where pages come from, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// Made up.
    Synthetic(Synthetic),
    /// A file.
    Trace(PathBuf),
}

/// A source that has been read.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it is called.
    pub name: String,
    pages: Pages,
}

#[derive(Clone, Debug)]
enum Pages {
    Synthetic(Synthetic, usize),
    Recorded(Recorded),
}

/// Why there are no pages.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// No such made-up population.
    #[error("no made-up pages are called {name:?}; there are: {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The file cannot be read.
    #[error("cannot read {file}")]
    Unreadable {
        /// Which.
        file: String,
        /// Why.
        #[source]
        cause: std::io::Error,
    },
    /// A line says nothing we understand.
    #[error("line {line} of {file} has {why}")]
    Line {
        /// Which file.
        file: String,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        why: &'static str,
    },
    /// Nothing can be replayed.
    #[error("{file} has no page that is there all through its last four years and changes")]
    Empty {
        /// Which file.
        file: String,
    },
}

/// What made-up pages are called with on the command line.
const PREFIX: &str = "synthetic:";

impl FromStr for SourceKind {
    type Err = SourceError;

    /// `synthetic:NAME`, or the name of a file.
    fn from_str(text: &str) -> Result<SourceKind, SourceError> {
        match text.strip_prefix(PREFIX) {
            Some(name) => SourceKind::synthetic(name),
            None => Ok(SourceKind::Trace(text.into())),
        }
    }
}

impl SourceKind {
    /// Made-up pages by name.
    pub fn synthetic(name: &str) -> Result<SourceKind, SourceError> {
        let known = NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, kind)| SourceKind::Synthetic(*kind)).ok_or_else(|| {
            let known: Vec<&str> = NAMES.iter().map(|(known, _)| *known).collect();
            SourceError::Unknown { name: name.to_owned(), known: known.join(", ") }
        })
    }
}

impl Source {
    /// Reads what there is to read. `pages` is for made-up pages.
    pub fn open(kind: &SourceKind, pages: Option<usize>) -> Result<Source, SourceError> {
        match kind {
            SourceKind::Synthetic(kind) => {
                let name =
                    NAMES.iter().find(|(_, known)| known == kind).map_or("", |(name, _)| name);
                let pages = pages.unwrap_or(USUAL_PAGES);
                let name = format!("{PREFIX}{name}, {pages} pages");
                Ok(Source { name, pages: Pages::Synthetic(*kind, pages) })
            }
            SourceKind::Trace(file) => {
                let recorded = Recorded::read(file)?;
                let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                if recorded.draw(0).is_none() {
                    return Err(SourceError::Empty { file: file.display().to_string() });
                }
                Ok(Source { name, pages: Pages::Recorded(recorded) })
            }
        }
    }

    /// The pages of a seed.
    pub fn draw(&self, seed: u64) -> Population {
        match &self.pages {
            Pages::Synthetic(kind, pages) => kind.draw(*pages, seed),
            Pages::Recorded(recorded) => {
                recorded.draw(seed).expect("the source was opened, so it has pages")
            }
        }
    }
}
