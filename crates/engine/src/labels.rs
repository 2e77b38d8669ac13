//! `labels.jsonl` in the data directory: what people said of pages.
//!
//! One line for each thing said, in order; the last about a page holds. Other
//! processes append to it while a crawl runs, each line with one write, and
//! the crawl follows it. It is the only record of what people
//! said, and a file they may edit: a line that makes no sense is passed over
//! and told, and a last line that is not whole yet is waited for.
//!
//! ```text
//! {"url":"https://example.org/gannets","relevant":true,"at":"2026-01-31T12:00:00Z"}
//! {"url":"https://example.org/ferries","relevant":false,"at":1769860800000000,"relative":"boats"}
//! ```

mod following;
mod line;

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use gannet_model::{Fingerprint, Judgement, PageUrl, Reason, Reasons, Score, Timestamp};
use gannet_relevance::Topic;

pub(crate) use following::Following;

use crate::crawler::DataDir;
use crate::journey::Journey;
use crate::teaching::Taught;

/// What a person said of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The page, in any spelling.
    pub url: PageUrl,
    /// Whether it is about the topic.
    pub relevant: bool,
    /// When it was said.
    pub at: Timestamp,
    /// The relative of the topic that it is about, if the person named one.
    pub relative: Option<String>,
}

/// What was said, whoever it was said of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// Whether the page is about the topic.
    pub relevant: bool,
    /// The relative of the topic that it is about, if one was named.
    pub relative: Option<String>,
}

/// Everything that was said, by page.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// The last label of each page, in the order of the file; URLs are in canonical form.
    labels: Vec<Label>,
    places: HashMap<Fingerprint, usize>,
    problems: Vec<LabelProblem>,
}

/// A line that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelProblem {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// Why a label could not be written, or the labels not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabelError {
    /// The file cannot be used.
    #[error("cannot use {path}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
}

/// Who judged, in the judgement of a page that a person labelled.
pub const PERSON: &str = "person";

/// Appends a label with one write, so that those of other processes stay whole. The crawl that
/// runs in this data directory, if one does, takes it up within a second.
pub fn append(data: &DataDir, label: &Label) -> Result<(), LabelError> {
    let path = data.labels();
    write(&path, label).map_err(|cause| LabelError::Io { path, cause })
}

fn write(path: &std::path::Path, label: &Label) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
    let mut bytes = Vec::new();
    // A line that was torn, or edited by hand, must not swallow this one.
    if file.metadata()?.len() > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            bytes.push(b'\n');
        }
    }
    bytes.extend_from_slice(line::write(label).as_bytes());
    bytes.push(b'\n');
    let written = file.write(&bytes)?;
    if written < bytes.len() {
        return Err(io::ErrorKind::StorageFull.into());
    }
    file.sync_data()
}

impl Labels {
    /// Reads the labels of a data directory; a missing file holds none.
    pub fn read(data: &DataDir, journey: &Journey) -> Result<Labels, LabelError> {
        let path = data.labels();
        Labels::follow(&mut Following::new(path.clone()), &|url| journey.canonical(url))
            .map_err(|cause| LabelError::Io { path, cause })
    }

    /// Reads what was written so far; `following` goes on from there.
    pub(crate) fn follow(
        following: &mut Following,
        canonical: &dyn Fn(PageUrl) -> PageUrl,
    ) -> io::Result<Labels> {
        let mut labels = Labels::default();
        loop {
            let before = following.position();
            let (news, problems) = following.news()?;
            for label in news {
                labels.add(Label { url: canonical(label.url), ..label });
            }
            labels.problems.extend(problems);
            if following.position() == before {
                return Ok(labels);
            }
        }
    }

    /// Takes a label up, in place of an earlier one of the same page.
    fn add(&mut self, label: Label) {
        let url = label.url.fingerprint();
        match self.places.get(&url) {
            Some(place) => self.labels[*place] = label,
            None => {
                self.places.insert(url, self.labels.len());
                self.labels.push(label);
            }
        }
    }

    /// What was said of the page with this fingerprint, which is that of its canonical URL.
    pub fn get(&self, url: Fingerprint) -> Option<&Label> {
        self.places.get(&url).map(|place| &self.labels[*place])
    }

    /// The last label of each page, in order of their first mention.
    pub fn iter(&self) -> std::slice::Iter<'_, Label> {
        self.labels.iter()
    }

    /// How many pages were spoken of.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// True when nobody said anything.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// Lines that make no sense.
    pub fn problems(&self) -> &[LabelProblem] {
        &self.problems
    }
}

impl<'a> IntoIterator for &'a Labels {
    type Item = &'a Label;
    type IntoIter = std::slice::Iter<'a, Label>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Label {
    /// What was said.
    pub fn said(&self) -> Said {
        Said { relevant: self.relevant, relative: self.relative.clone() }
    }
}

impl Said {
    /// What it teaches. A relative that the topic does not have is passed over.
    pub(crate) fn taught(&self, topic: &Topic) -> Taught {
        let is_known =
            |name: &&String| topic.relatives().iter().any(|relative| relative.name == **name);
        match self.relative.as_ref().filter(is_known) {
            Some(name) => Taught::Relative(name.clone()),
            None if self.relevant => Taught::Relevant,
            None => Taught::Irrelevant,
        }
    }

    /// The person's word as a judgement: it wins over `by_model`, which is told beside it.
    pub(crate) fn judgement(&self, by_model: &Judgement) -> Judgement {
        let score = if self.relevant { Score::ONE } else { Score::ZERO };
        let mut reason = Reason::new("labelled by a person", score.get());
        if by_model.model != PERSON {
            let Judgement { model, score, threshold, .. } = by_model;
            reason = reason.note(format!("{model} gave {score} against {threshold}"));
        } else if let Some(earlier) = by_model.reasons.iter().next() {
            reason = reason.note(earlier.note.clone());
        }
        Judgement {
            score,
            threshold: Score::clamped(0.5),
            model: PERSON.to_owned(),
            version: 0,
            reasons: Reasons::one(reason),
        }
    }
}

#[cfg(test)]
mod tests;
