//! What a crawl's model is taught, when, and whether it may judge with that.
//!
//! The [`Teacher`] owns the newest model. It teaches examples and labels when
//! they come and pages of the crawl as the model's [appetite](Appetite) asks,
//! puts every model that has learned before the [guard], and says what is to
//! be stored. It reads no file and no clock; the heart commits what it says
//! and hands the new model to those who judge.

mod batch;
mod example;
pub(crate) mod guard;
mod kept_page;
pub(crate) mod margin;
mod opening;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use gannet_model::{Document, Fingerprint, Timestamp};
use gannet_relevance::{Appetite, Lesson, Model, Sight, Teaching, Topic};
use gannet_store::{LearnedRecord, LessonCounts, ModelRecord, TaughtLabel};
use serde::Serialize;

pub(crate) use example::key;
pub use example::{Example, Taught};
pub use guard::{Drift, Measure};
pub use kept_page::KeptPage;

use batch::Batch;
use guard::{Guard, is_held_out};

use crate::labels::Said;

/// Teaches one crawl's model.
pub(crate) struct Teacher {
    model: Arc<dyn Model>,
    /// The model's registered name.
    name: String,
    /// Stands for name, topic, settings and examples.
    key: u64,
    /// Whose relatives labels may name.
    topic: Topic,
    guard: Guard,
    batch: Batch,
    lessons: LessonCounts,
    /// What people said and the model was taught.
    labels: HashMap<Fingerprint, Said>,
    /// What people said and the guard refused: tried again with what they say next.
    refused: Vec<Spoken>,
    /// What people had said of pages that were fetched since: taught a few at a time.
    waiting: Vec<Spoken>,
    /// The model as it was last stored, for models that learn from every page.
    checkpoint: Arc<dyn Model>,
}

/// A page and what a person said of it.
#[derive(Clone, Debug)]
pub(crate) struct Spoken {
    pub(crate) url: Fingerprint,
    pub(crate) said: Said,
    pub(crate) page: KeptPage,
}

/// What came of teaching, for those who watch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Learned {
    /// What was taught, in words: `3 labels, 128 pages`.
    pub because: String,
    /// The version that judges from now on.
    pub version: u64,
    /// What came of it.
    pub outcome: Learning,
}

/// What can come of teaching.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Learning {
    /// The model that has learned judges from now on.
    Adopted,
    /// No judgement changes: the same version goes on, though it may remember more.
    Unmoved,
    /// The model that had learned was clearly worse: the same model goes on.
    Refused(Drift),
}

/// Whether a model remembers more than before: some judge as they did until they remember enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Memory {
    Same,
    New,
}

/// What a teaching changes.
pub(crate) struct Change {
    /// What is to be stored before the model judges; `None` when its predecessor's record will do.
    pub(crate) records: Option<(ModelRecord, Option<LearnedRecord>)>,
    /// What is told; `None` when it is not worth telling.
    pub(crate) news: Option<Learned>,
}

/// Labels whose teaching was refused and that are kept for another try.
const REFUSED_KEPT: usize = 256;
/// Labels of pages fetched since are taught when they are one for so many that were taught: a
/// list of ten thousand labelled URLs then costs a hundred teachings, not ten thousand.
const TAUGHT_FOR_ONE_WAITING: usize = 10;
/// Pages that a model which learns from each is first stored at; then at every doubling.
const FIRST_CHECKPOINT: u64 = 64;
/// Pages at the end of a run that are worth a last teaching: a batch of fewer is given up, as
/// the pages of a run that was killed are.
const LAST_BATCH: u64 = 16;

impl Teacher {
    /// The newest model.
    pub(crate) fn model(&self) -> Arc<dyn Model> {
        self.model.clone()
    }

    /// True when the newest model wants to learn from pages of the crawl.
    pub(crate) fn is_hungry(&self) -> bool {
        self.model.appetite() != Appetite::None
    }

    /// Teaches what people say of these pages, at once.
    pub(crate) fn hear(&mut self, spoken: Vec<Spoken>, now: Timestamp) -> Change {
        let count = spoken.len() + self.waiting.len();
        let (held, new): (Vec<_>, Vec<_>) =
            spoken.into_iter().partition(|spoken| is_held_out(spoken.url));
        let held_out = held.len();
        for spoken in held {
            self.guard.hold_label(spoken.url, spoken.page, spoken.said.relevant);
        }
        let is_older = |old: &Spoken| new.iter().all(|new| new.url != old.url);
        self.refused.retain(is_older);
        self.waiting.retain(is_older);
        let mut fresh = std::mem::take(&mut self.waiting);
        fresh.extend(new);
        let because = labels_in_words(count, held_out);
        if fresh.is_empty() {
            return self.change(because, (Learning::Unmoved, Memory::Same), now);
        }
        let again = std::mem::take(&mut self.refused);
        let together: Vec<&Spoken> = again.iter().chain(&fresh).collect();
        let mut taught = self.try_labels(&together);
        if matches!(taught.0, Learning::Refused(_)) && !again.is_empty() {
            // What was refused before must not stand in the way of what is new.
            let alone: Vec<&Spoken> = fresh.iter().collect();
            taught = self.try_labels(&alone);
        }
        if matches!(taught.0, Learning::Refused(_)) {
            self.refused = again;
            self.refused.extend(fresh);
            let surplus = self.refused.len().saturating_sub(REFUSED_KEPT);
            self.refused.drain(..surplus);
        }
        self.change(because, taught, now)
    }

    /// Takes in what people had said of a page that is fetched now: taught with others, unless
    /// few were.
    pub(crate) fn recall(&mut self, spoken: Spoken, now: Timestamp) -> Option<Change> {
        if is_held_out(spoken.url) {
            self.guard.hold_label(spoken.url, spoken.page, spoken.said.relevant);
            return None;
        }
        self.waiting.push(spoken);
        let is_due = self.waiting.len() * TAUGHT_FOR_ONE_WAITING > self.labels.len();
        is_due.then(|| self.hear(Vec::new(), now))
    }

    /// Teaches a page of the crawl of which nobody said anything, at once or with others.
    pub(crate) fn meet(&mut self, page: KeptPage, now: Timestamp) -> Option<Change> {
        match self.model.appetite() {
            Appetite::None => None,
            Appetite::EveryPage => self.teach_page(&page, now),
            Appetite::Batches => {
                self.batch.meet(page);
                self.batch.is_due().then(|| self.teach_batch(now))
            }
        }
    }

    /// What is still to be taught and stored at the end of a run.
    pub(crate) fn close(&mut self, now: Timestamp) -> Vec<Change> {
        let mut changes = Vec::new();
        if !self.waiting.is_empty() {
            changes.push(self.hear(Vec::new(), now));
        }
        changes.extend(match self.model.appetite() {
            Appetite::None => None,
            Appetite::EveryPage if self.model.version() == self.checkpoint.version() => None,
            Appetite::EveryPage => Some(self.reach_checkpoint(now)),
            Appetite::Batches => (self.batch.met() >= LAST_BATCH).then(|| self.teach_batch(now)),
        });
        changes
    }

    fn teach_page(&mut self, page: &KeptPage, now: Timestamp) -> Option<Change> {
        let lesson = Lesson { page: page.sight(), teaches: Teaching::Nothing };
        self.model = self.model.taught(&[lesson])?.into();
        self.lessons.pages += 1;
        let is_stored = self.lessons.pages >= FIRST_CHECKPOINT
            && (self.lessons.pages / FIRST_CHECKPOINT).is_power_of_two()
            && self.lessons.pages.is_multiple_of(FIRST_CHECKPOINT);
        if is_stored {
            return Some(self.reach_checkpoint(now));
        }
        Some(Change { records: None, news: None })
    }

    /// A model that learns from every page is put before the guard now and then: asking it each
    /// time would cost more than the learning.
    fn reach_checkpoint(&mut self, now: Timestamp) -> Change {
        let because = format!("{} pages", self.lessons.pages);
        if let Some(drift) = self.guard.drift(self.checkpoint.as_ref(), self.model.as_ref()) {
            self.model = self.checkpoint.clone();
            return self.change(because, (Learning::Refused(drift), Memory::Same), now);
        }
        self.checkpoint = self.model.clone();
        self.change(because, (Learning::Adopted, Memory::New), now)
    }

    fn teach_batch(&mut self, now: Timestamp) -> Change {
        let met = self.batch.met();
        let pages = self.batch.take();
        let lessons: Vec<_> = pages
            .iter()
            .map(|page| Lesson { page: page.sight(), teaches: Teaching::Nothing })
            .collect();
        let taught = self.teach(&lessons);
        if taught.1 == Memory::New {
            self.lessons.pages += lessons.len() as u64;
        }
        let because = match lessons.len() as u64 {
            kept if kept == met => format!("{met} pages"),
            kept => format!("{kept} of {met} pages"),
        };
        self.change(because, taught, now)
    }

    fn try_labels(&mut self, spoken: &[&Spoken]) -> (Learning, Memory) {
        let said: Vec<Taught> = spoken.iter().map(|one| one.said.taught(&self.topic)).collect();
        let lessons: Vec<_> = spoken
            .iter()
            .zip(&said)
            .map(|(one, taught)| Lesson { page: one.page.sight(), teaches: taught.teaching() })
            .collect();
        let taught = self.teach(&lessons);
        if taught.1 == Memory::New {
            count(&mut self.lessons, &said);
            self.labels.extend(spoken.iter().map(|one| (one.url, one.said.clone())));
        }
        taught
    }

    /// Teaches, and adopts what has learned unless it is clearly worse.
    fn teach(&mut self, lessons: &[Lesson<'_>]) -> (Learning, Memory) {
        let Some(next) = self.model.taught(lessons) else {
            return (Learning::Unmoved, Memory::Same);
        };
        let is_moved = next.version() != self.model.version();
        if is_moved && let Some(drift) = self.guard.drift(self.model.as_ref(), next.as_ref()) {
            return (Learning::Refused(drift), Memory::Same);
        }
        self.model = next.into();
        self.checkpoint = self.model.clone();
        (if is_moved { Learning::Adopted } else { Learning::Unmoved }, Memory::New)
    }

    fn change(
        &self,
        because: String,
        (outcome, memory): (Learning, Memory),
        now: Timestamp,
    ) -> Change {
        let records = (memory == Memory::New).then(|| self.records(&because, now));
        let version = self.model.version();
        Change { records, news: Some(Learned { because, version, outcome }) }
    }

    /// The records of the newest model.
    fn records(&self, because: &str, now: Timestamp) -> (ModelRecord, Option<LearnedRecord>) {
        let version = self.model.version();
        let blank = Document::default();
        let record = ModelRecord {
            name: self.name.clone(),
            version,
            made: now,
            because: because.to_owned(),
            lessons: self.lessons,
            // Models keep one threshold for all pages, and tell it with every judgement.
            threshold: self.model.judge(&Sight::from(&blank)).threshold,
        };
        let learned = self.model.state().map(|state| LearnedRecord {
            key: self.key,
            version,
            lessons: self.lessons,
            batches: self.batch.taught(),
            labels: self.labels_taught(),
            state,
        });
        (record, learned)
    }

    /// In the order of their pages, so that the same learning is the same record.
    fn labels_taught(&self) -> Vec<TaughtLabel> {
        let mut labels: Vec<_> = self
            .labels
            .iter()
            .map(|(url, said)| TaughtLabel {
                url: *url,
                relevant: said.relevant,
                relative: said.relative.clone(),
            })
            .collect();
        labels.sort_unstable_by_key(|label| label.url);
        labels
    }
}

fn count(lessons: &mut LessonCounts, taught: &[Taught]) {
    for taught in taught {
        match taught {
            Taught::Relevant => lessons.relevant += 1,
            Taught::Irrelevant => lessons.irrelevant += 1,
            Taught::Relative(_) => lessons.relatives += 1,
            Taught::Nothing => lessons.pages += 1,
        }
    }
}

fn labels_in_words(count: usize, held_out: usize) -> String {
    let labels = if count == 1 { "1 label".to_owned() } else { format!("{count} labels") };
    match held_out {
        0 => labels,
        held if held == count => format!("{labels}, held out to check the model"),
        held => format!("{labels}, {held} of them held out to check the model"),
    }
}

impl fmt::Display for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Learned { because, version, .. } = self;
        match &self.outcome {
            Learning::Adopted => write!(f, "learned from {because}: model {version:016x}"),
            Learning::Unmoved => {
                write!(f, "no judgement changes by {because}: model {version:016x} stays")
            }
            Learning::Refused(drift) => write!(
                f,
                "drift: what was learned from {because} is refused, for it gives {drift}; model \
                 {version:016x} stays"
            ),
        }
    }
}

#[cfg(test)]
mod tests;
