//! How well a model tells the examples apart when it has not seen them.
//!
//! Examples are dealt into folds; each fold is judged by a model that learned
//! from all others and from every lesson without a label.

use std::collections::HashMap;

use gannet_model::{Judgement, Settings, SettingsError};

use super::folds::Folds;
use crate::experience::Label;
use crate::metrics::{self, Confusion};
use crate::tuning::Judged;
use crate::{Entry, Lesson, Model, Topic, fingerprint};

/// How well a model tells held-out examples apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Separation {
    /// Relevant examples judged.
    pub relevant: usize,
    /// Irrelevant examples judged.
    pub irrelevant: usize,
    /// How many folds there were.
    pub folds: usize,
    /// The share of what was called relevant that is so.
    pub precision: f64,
    /// The share of the relevant that was called so.
    pub recall: f64,
    /// The harmonic mean of both.
    pub f1: f64,
    /// The area under the curve of precision over recall, as the average precision.
    pub pr_auc: f64,
    /// How far scores are from being probabilities, in ten stretches.
    pub calibration_error: f64,
}

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ValidationError {
    /// There are too few examples of a kind.
    #[error(
        "nothing can be measured with {relevant} relevant and {irrelevant} irrelevant examples \
         that differ; give at least 2 of each"
    )]
    TooFew {
        /// Relevant examples of different texts.
        relevant: usize,
        /// Irrelevant examples of different texts.
        irrelevant: usize,
    },
    /// The model cannot be made.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

/// Stretches of 0..1 over which calibration is measured.
const BINS: usize = 10;

/// Measures how well a model separates the labelled lessons, over at most `folds` folds and at
/// least two; how they are dealt the seed fixes.
///
/// Lessons on subtopics count as relevant, those on neighbours as irrelevant. Verdicts are the
/// model's own, by the threshold that it chose without the held-out examples.
pub fn cross_validate(
    entry: &Entry,
    topic: &Topic,
    settings: &Settings,
    lessons: &[Lesson<'_>],
    folds: usize,
    seed: u64,
) -> Result<Separation, ValidationError> {
    let untaught = (entry.build)(topic, settings)?;
    let truth = |lesson: &Lesson<'_>| Label::of(lesson.teaches).truth(topic);
    let (labelled, others): (Vec<_>, Vec<_>) =
        lessons.iter().partition(|lesson| truth(lesson).is_some());
    let truths: Vec<bool> = labelled.iter().filter_map(truth).collect();
    let texts = labelled.iter().map(|lesson| fingerprint::of_text(&lesson.page));
    let texts = texts.map(|text| text.unwrap_or(fingerprint::Fingerprint::EMPTY).get());
    let pages: Vec<(bool, u64)> = truths.iter().copied().zip(texts).collect();
    let Some(folds) = Folds::deal(&pages, folds.max(2), seed) else {
        return Err(too_few(&pages));
    };
    let judgements = folds.each_held_out(
        |is_taught| {
            let taught = labelled.iter().enumerate().filter(|(page, _)| is_taught(*page));
            let lessons: Vec<Lesson<'_>> =
                taught.map(|(_, lesson)| *lesson).chain(others.iter().copied()).collect();
            untaught.taught(&lessons)
        },
        |taught: &Option<Box<dyn Model>>, page| {
            taught.as_ref().unwrap_or(&untaught).judge(&labelled[page].page)
        },
    );
    let judged = judgements.iter().map(|judgement| judgement.score.get()).zip(truths.clone());
    let verdicts = judgements.iter().map(Judgement::is_relevant).zip(truths);
    Ok(separation(&judged.collect::<Vec<_>>(), &Confusion::of(verdicts), folds.count))
}

fn separation(judged: &[Judged], counts: &Confusion, folds: usize) -> Separation {
    Separation {
        relevant: counts.tp + counts.fn_,
        irrelevant: counts.fp + counts.tn,
        folds,
        precision: counts.precision(),
        recall: counts.recall(),
        f1: counts.f1(),
        pr_auc: metrics::average_precision(judged),
        calibration_error: metrics::expected_calibration_error(judged, BINS),
    }
}

fn too_few(pages: &[(bool, u64)]) -> ValidationError {
    let kinds: HashMap<u64, bool> = pages.iter().map(|(truth, text)| (*text, *truth)).collect();
    let relevant = kinds.values().filter(|truth| **truth).count();
    ValidationError::TooFew { relevant, irrelevant: kinds.len() - relevant }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MODELS, Teaching, TopicParts};
    use gannet_model::{Block, Document};

    fn page(text: &str) -> Document {
        let block = Block { text: text.to_owned(), ..Block::default() };
        Document { blocks: vec![block], ..Document::default() }
    }

    fn measure(given: &[(&str, Teaching<'_>)]) -> Result<Separation, ValidationError> {
        let entry = MODELS.iter().find(|entry| entry.name == "topic-vector").unwrap();
        let keywords = vec![("gannet".to_owned(), 1.0)];
        let topic = Topic::new(TopicParts { keywords, ..TopicParts::default() }).unwrap();
        let pages: Vec<Document> = given.iter().map(|(text, _)| page(text)).collect();
        let lessons = pages.iter().zip(given);
        let lessons: Vec<_> =
            lessons.map(|(page, (_, teaches))| Lesson::new(page, *teaches)).collect();
        cross_validate(entry, &topic, &Settings::none(), &lessons, 5, 1)
    }

    const YES: Teaching<'_> = Teaching::Relevant;
    const NO: Teaching<'_> = Teaching::Irrelevant;

    #[test]
    fn what_is_told_apart_and_what_is_not_shows() {
        let measured = measure(&[
            ("a gannet dives", YES),
            ("the gannet", YES),
            ("a booby dives", YES),
            ("cheap flights", NO),
            ("gannet tours", NO),
            ("unlabelled", Teaching::Nothing),
        ])
        .unwrap();
        assert_eq!((measured.relevant, measured.irrelevant, measured.folds), (3, 2, 2));
        assert_eq!(measured.precision, 2.0 / 3.0);
        assert_eq!(measured.recall, 2.0 / 3.0);
        assert!(measured.pr_auc > 0.5 && measured.pr_auc < 1.0, "{measured:?}");
    }

    #[test]
    fn nothing_is_measured_with_too_few_examples() {
        let one = measure(&[("gannet", YES), ("Gannet!", YES), ("flights", NO), ("hotels", NO)]);
        let error = one.unwrap_err().to_string();
        assert!(error.contains("1 relevant and 2 irrelevant"), "{error}");
        assert!(measure(&[]).is_err());
    }
}
