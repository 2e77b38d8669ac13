//! The model a run begins with: as it was left, or taught from the beginning.

use std::collections::HashMap;
use std::sync::Arc;

use gannet_model::Timestamp;
use gannet_relevance::{Lesson, MODELS, Model};
use gannet_store::{LearnedRecord, LessonCounts};

use super::batch::Batch;
use super::example::key;
use super::guard::{Guard, is_held_out};
use super::{Change, KeptPage, Learned, Learning, Spoken, Taught, Teacher, count, labels_in_words};
use crate::config::Config;
use crate::labels::Said;

impl Teacher {
    /// Makes the model that a run begins with. `base` is what topic and settings make, `learned`
    /// what the store holds, `spoken` everything that people said of pages at hand. The change
    /// is to be applied before anything is judged.
    pub(crate) fn open(
        config: &Config,
        base: Arc<dyn Model>,
        learned: Option<LearnedRecord>,
        spoken: Vec<Spoken>,
        now: Timestamp,
    ) -> (Teacher, Change) {
        let key = key(config);
        let mut teacher = Teacher {
            checkpoint: base.clone(),
            model: base,
            name: config.model.name.clone(),
            key,
            topic: config.topic.clone(),
            guard: Guard::default(),
            batch: Batch::new(key, 0),
            lessons: LessonCounts::default(),
            labels: HashMap::new(),
            refused: Vec::new(),
            waiting: Vec::new(),
        };
        let examples: Vec<_> = config.examples.iter().map(|one| one.kept()).collect();
        teacher.hold(config, &examples);
        let change = match learned.and_then(|learned| teacher.restore(config, learned)) {
            Some(version) => teacher.catch_up(version, spoken, now),
            None => teacher.begin(config, &examples, spoken, now),
        };
        (teacher, change)
    }

    /// Puts the examples whose answer is known before the guard.
    fn hold(&mut self, config: &Config, examples: &[KeptPage]) {
        let known = config.examples.iter().zip(examples).filter_map(|(example, page)| {
            Some((page.clone(), example.teaches.is_wanted(&config.topic)?))
        });
        self.guard.hold_examples(known.collect());
    }

    /// Goes on with what was learned, if it was learned for the same and can be read. Gives the
    /// version it had then.
    fn restore(&mut self, config: &Config, learned: LearnedRecord) -> Option<u64> {
        if learned.key != self.key {
            return None;
        }
        let entry = MODELS.iter().find(|entry| entry.name == self.name)?;
        let restored = (entry.restore?)(&config.topic, &config.model.settings, &learned.state);
        match restored {
            Ok(model) => self.model = model.into(),
            Err(error) => {
                tracing::warn!(model = self.name, %error, "the model is taught anew");
                return None;
            }
        }
        self.checkpoint = self.model.clone();
        self.lessons = learned.lessons;
        self.batch = Batch::new(self.key, learned.batches);
        self.labels = learned
            .labels
            .into_iter()
            .map(|label| (label.url, Said { relevant: label.relevant, relative: label.relative }))
            .collect();
        Some(learned.version)
    }

    /// Teaches what people said since the last run.
    fn catch_up(&mut self, version: u64, spoken: Vec<Spoken>, now: Timestamp) -> Change {
        let news: Vec<_> = spoken
            .into_iter()
            .filter(|one| is_held_out(one.url) || self.labels.get(&one.url) != Some(&one.said))
            .collect();
        let is_any_taught = news.iter().any(|one| !is_held_out(one.url));
        let mut change = self.hear(news, now);
        if !is_any_taught {
            // Labels that are held out were heard before: nothing to tell.
            change.news = None;
        }
        if change.records.is_none() && self.model.version() != version {
            // Another release makes another model of what was learned.
            change.records = Some(self.records("what was learned before", now));
        }
        change
    }

    /// Teaches examples and labels together, and falls back on the examples alone when the
    /// labels make the model clearly worse.
    fn begin(
        &mut self,
        config: &Config,
        examples: &[KeptPage],
        spoken: Vec<Spoken>,
        now: Timestamp,
    ) -> Change {
        let base = self.model.clone();
        let given: Vec<Taught> = config.examples.iter().map(|one| one.teaches.clone()).collect();
        let lessons = lessons(examples.iter().zip(&given));
        if let Some(model) = taught(base.as_ref(), &lessons) {
            self.model = model;
            count(&mut self.lessons, &given);
        }
        let (held, fresh): (Vec<_>, Vec<_>) =
            spoken.into_iter().partition(|spoken| is_held_out(spoken.url));
        for spoken in held {
            self.guard.hold_label(spoken.url, spoken.page, spoken.said.relevant);
        }
        let refused = self.add_labels(base.as_ref(), lessons, fresh);
        self.checkpoint = self.model.clone();
        let because = origin(given.len(), self.labels.len());
        let (version, is_new) = (self.model.version(), self.model.version() != base.version());
        let adopted = || Learned { because: because.clone(), version, outcome: Learning::Adopted };
        let news = refused.or_else(|| is_new.then(adopted));
        Change { records: Some(self.records(&because, now)), news }
    }

    /// Adds labels to the lessons of the examples; tells how the model would be worse for them.
    fn add_labels<'a>(
        &mut self,
        base: &dyn Model,
        examples: Vec<Lesson<'a>>,
        fresh: Vec<Spoken>,
    ) -> Option<Learned> {
        let said: Vec<Taught> = fresh.iter().map(|one| one.said.taught(&self.topic)).collect();
        let mut together: Vec<Lesson<'_>> = examples;
        together.extend(lessons(fresh.iter().map(|one| &one.page).zip(&said)));
        let model = if fresh.is_empty() { None } else { taught(base, &together) }?;
        let Some(drift) = self.guard.drift(self.model.as_ref(), model.as_ref()) else {
            self.model = model;
            count(&mut self.lessons, &said);
            self.labels = fresh.iter().map(|one| (one.url, one.said.clone())).collect();
            return None;
        };
        let because = labels_in_words(fresh.len(), 0);
        self.refused = fresh;
        let version = self.model.version();
        Some(Learned { because, version, outcome: Learning::Refused(drift) })
    }
}

/// The model that has learned these lessons; `None` when it is the same.
fn taught(base: &dyn Model, lessons: &[Lesson<'_>]) -> Option<Arc<dyn Model>> {
    if lessons.is_empty() { None } else { base.taught(lessons).map(Arc::from) }
}

fn lessons<'a>(pages: impl Iterator<Item = (&'a KeptPage, &'a Taught)>) -> Vec<Lesson<'a>> {
    pages.map(|(page, taught)| Lesson { page: page.sight(), teaches: taught.teaching() }).collect()
}

/// What a model is made of when a crawl begins.
fn origin(examples: usize, labels: usize) -> String {
    match (examples, labels) {
        (0, 0) => "the topic alone".to_owned(),
        (examples, 0) => examples_in_words(examples),
        (0, labels) => labels_in_words(labels, 0),
        (examples, labels) => {
            format!("{}, {}", examples_in_words(examples), labels_in_words(labels, 0))
        }
    }
}

fn examples_in_words(count: usize) -> String {
    if count == 1 { "1 example".to_owned() } else { format!("{count} examples") }
}
