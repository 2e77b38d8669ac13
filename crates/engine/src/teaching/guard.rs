//! Is a model that has learned clearly worse than the one it would replace?
//!
//! Pages whose answer is known are put to both: the user's examples, and one
//! in five of the labels, which is [held out](is_held_out) and never taught.
//! The guard knows nothing of how models learn. It compares what they answer,
//! page by page, and speaks up only when chance does not explain the
//! difference: a model may get a little worse here and better where nobody
//! looks yet.

use std::collections::VecDeque;
use std::fmt;

use gannet_model::Fingerprint;
use gannet_relevance::Model;
use serde::Serialize;

use super::kept_page::KeptPage;
use super::margin::probability;

/// One label in this many is held out.
const HELD_OUT_OF: u64 = 5;
/// Labels held at most; the oldest go first. Enough to tell a rise of a few pages in a hundred.
const LABELS_HELD: usize = 200;
/// Examples held at most, spread evenly over those given.
const EXAMPLES_HELD: usize = 100;
/// With fewer pages than this, wrong answers are counted: one sure mistake would rule a mean.
const FEW: usize = 20;
/// So many more wrong answers are let pass when there are few pages.
const FORGIVEN: usize = 1;
/// A mean log loss that rises by no more than this is no matter, however sure the rise: it is
/// what a page in fifty costs that was right and is now undecided.
const RISE_FORGIVEN: f32 = 0.05;
/// A rise counts when it is this many times its standard error: chance alone does that once in
/// forty times.
const STANDARD_ERRORS: f32 = 2.0;
/// No answer counts as surer than this, so that no single page decides.
const SUREST: f32 = 0.98;

/// True for the labels that are never taught.
pub(crate) fn is_held_out(url: Fingerprint) -> bool {
    url.0.is_multiple_of(HELD_OUT_OF)
}

/// Pages whose answer is known.
#[derive(Default)]
pub(crate) struct Guard {
    examples: Vec<(KeptPage, bool)>,
    labels: VecDeque<(Fingerprint, KeptPage, bool)>,
}

/// How a model was worse than the one it would have replaced.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Drift {
    /// Pages that were put to both.
    pub pages: usize,
    /// In what it was worse.
    pub measure: Measure,
    /// What the model that judges has of it.
    pub before: f32,
    /// What the refused one had.
    pub after: f32,
}

/// In what a model can be worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Wrong answers, for a handful of pages.
    WrongAnswers,
    /// Mean log loss, in nats.
    LogLoss,
}

impl Guard {
    /// Takes up examples, evenly spread over those given when there are many.
    pub(crate) fn hold_examples(&mut self, examples: Vec<(KeptPage, bool)>) {
        let step = examples.len().div_ceil(EXAMPLES_HELD).max(1);
        self.examples.extend(examples.into_iter().step_by(step));
    }

    /// Takes up a label, in place of an earlier one of the same page.
    pub(crate) fn hold_label(&mut self, url: Fingerprint, page: KeptPage, is_wanted: bool) {
        self.labels.retain(|(held, ..)| *held != url);
        if self.labels.len() >= LABELS_HELD {
            self.labels.pop_front();
        }
        self.labels.push_back((url, page, is_wanted));
    }

    /// Tells how `after` is clearly worse than `before`; `None` when it is not.
    pub(crate) fn drift(&self, before: &dyn Model, after: &dyn Model) -> Option<Drift> {
        let examples = self.examples.iter().map(|(page, is_wanted)| (page, *is_wanted));
        let labels = self.labels.iter().map(|(_, page, is_wanted)| (page, *is_wanted));
        let answers: Vec<Answers> = examples
            .chain(labels)
            .map(|(page, is_wanted)| Answers {
                before: probability(&before.judge(&page.sight())),
                after: probability(&after.judge(&page.sight())),
                is_wanted,
            })
            .collect();
        compare(&answers)
    }
}

/// What two models answer about one page: how probable it is that it is relevant.
#[derive(Clone, Copy, Debug)]
struct Answers {
    before: f32,
    after: f32,
    is_wanted: bool,
}

fn compare(answers: &[Answers]) -> Option<Drift> {
    let pages = answers.len();
    if pages < FEW {
        let wrong = |answer: fn(&Answers) -> f32| {
            answers.iter().filter(|page| (answer(page) >= 0.5) != page.is_wanted).count()
        };
        let (before, after) = (wrong(|page| page.before), wrong(|page| page.after));
        let (measure, is_worse) = (Measure::WrongAnswers, after > before + FORGIVEN);
        return is_worse.then_some(Drift {
            pages,
            measure,
            before: before as f32,
            after: after as f32,
        });
    }
    let losses = answers
        .iter()
        .map(|page| (loss(page.before, page.is_wanted), loss(page.after, page.is_wanted)));
    let (mut before, mut after, mut rise, mut squares) = (0.0, 0.0, 0.0, 0.0);
    for (loss_before, loss_after) in losses {
        before += loss_before;
        after += loss_after;
        rise += loss_after - loss_before;
        squares += (loss_after - loss_before).powi(2);
    }
    let count = pages as f32;
    let mean = rise / count;
    // The pages are the same, so their differences are what varies, not the pages.
    let variance = (squares / count - mean * mean).max(0.0) / (count - 1.0);
    let is_worse = mean > RISE_FORGIVEN && mean > STANDARD_ERRORS * variance.sqrt();
    let measure = Measure::LogLoss;
    is_worse.then_some(Drift { pages, measure, before: before / count, after: after / count })
}

/// What an answer costs: little when it is sure and right, much when it is sure and wrong.
fn loss(probability: f32, is_wanted: bool) -> f32 {
    let right = if is_wanted { probability } else { 1.0 - probability };
    -right.clamp(1.0 - SUREST, SUREST).ln()
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Drift { pages, before, after, .. } = self;
        match self.measure {
            Measure::WrongAnswers => {
                write!(f, "{after} wrong answers instead of {before} on {pages} pages")
            }
            Measure::LogLoss => {
                write!(f, "log loss {after:.3} instead of {before:.3} on {pages} pages")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of so many pages, what was answered before and after, and the truth.
    #[track_caller]
    fn check(rows: &[(usize, f32, f32, bool)], expected: Option<Measure>) {
        let answers: Vec<_> = rows
            .iter()
            .flat_map(|(count, before, after, is_wanted)| {
                let page = Answers { before: *before, after: *after, is_wanted: *is_wanted };
                std::iter::repeat_n(page, *count)
            })
            .collect();
        let drift = compare(&answers);
        assert_eq!(drift.map(|drift| drift.measure), expected, "{drift:?}");
    }

    #[test]
    fn without_pages_nothing_is_refused() {
        check(&[], None);
    }

    #[test]
    fn of_few_pages_one_may_go_wrong_and_two_may_not() {
        check(&[(5, 0.9, 0.9, true), (1, 0.9, 0.1, true)], None);
        check(&[(5, 0.9, 0.9, true), (2, 0.9, 0.1, true)], Some(Measure::WrongAnswers));
        check(&[(3, 0.2, 0.8, false)], Some(Measure::WrongAnswers));
        check(&[(3, 0.8, 0.2, false)], None);
    }

    #[test]
    fn of_many_pages_the_log_loss_decides_when_the_rise_is_no_chance() {
        check(&[(20, 0.9, 0.6, true)], Some(Measure::LogLoss));
        check(&[(20, 0.90, 0.88, true)], None);
        // One page turned over among many, the others a little better.
        check(&[(30, 0.80, 0.83, true), (1, 0.9, 0.1, true)], None);
        check(&[(30, 0.8, 0.8, true), (15, 0.2, 0.9, false)], Some(Measure::LogLoss));
    }

    #[test]
    fn a_better_model_is_never_refused() {
        check(&[(40, 0.5, 0.9, true), (40, 0.5, 0.1, false)], None);
    }

    #[test]
    fn about_one_label_in_five_is_held_out_and_always_the_same() {
        let urls = (0..1000).map(|number| {
            gannet_model::PageUrl::parse(&format!("http://a.example/{number}")).unwrap()
        });
        let held = urls.filter(|url| is_held_out(url.fingerprint())).count();
        assert!((150..250).contains(&held), "{held} of 1000");
    }
}
