//! What was measured, and means of it.

use gannet_relevance::{DEFAULT_MODEL, Judged};
use serde::Serialize;

use super::Contender;

/// Everything that was measured.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// One for each model, set, topic and number of examples, means over draws.
    pub runs: Vec<Run>,
    /// Topics that were left out, and why.
    pub left_out: Vec<LeftOut>,
}

/// One model on one topic.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Run {
    /// The model.
    pub model: String,
    /// The data set.
    pub data: String,
    /// The topic.
    pub topic: String,
    /// How many relevant examples it was given.
    pub positives: usize,
    /// Harmonic mean of precision and recall, at the model's own threshold.
    pub f1: f64,
    /// The share of what it calls relevant that is so.
    pub precision: f64,
    /// The share of the relevant that it calls so.
    pub recall: f64,
    /// Average precision: the area under the curve of precision over recall.
    pub pr_auc: f64,
    /// Expected calibration error over ten bins.
    pub ece: f64,
    /// Parsed pages judged in a second of one core.
    pub pages_per_cpu_s: f64,
    /// F1 at the threshold that turns out to be the best.
    pub max_f1: f64,
    /// How many draws of examples these are means of.
    pub draws: usize,
    /// For plots.
    #[serde(skip)]
    pub curves: Curves,
}

/// Means over the topics of a set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// The model.
    pub model: String,
    /// The data set.
    pub data: String,
    /// How many relevant examples it was given.
    pub positives: usize,
    /// How many topics were measured.
    pub topics: usize,
    /// See [`Run::f1`].
    pub f1: f64,
    /// See [`Run::precision`].
    pub precision: f64,
    /// See [`Run::recall`].
    pub recall: f64,
    /// See [`Run::pr_auc`].
    pub pr_auc: f64,
    /// See [`Run::ece`].
    pub ece: f64,
    /// See [`Run::pages_per_cpu_s`]; all pages over all seconds.
    pub pages_per_cpu_s: f64,
    /// See [`Run::max_f1`].
    pub max_f1: f64,
    /// For plots.
    #[serde(skip)]
    pub curves: Curves,
}

/// A topic that was not measured at a number of examples.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The data set.
    pub data: String,
    /// The topic.
    pub topic: String,
    /// At so many relevant examples.
    pub positives: usize,
    /// Relevant training pages there are.
    pub found: usize,
    /// Relevant training pages there would have to be.
    pub needed: usize,
}

/// The default against the best published model, on one set with one number of examples.
#[derive(Clone, Debug, PartialEq)]
pub struct Duel {
    /// The data set.
    pub data: String,
    /// How many relevant examples they were given.
    pub positives: usize,
    /// Mean F1 of the default.
    pub default: f64,
    /// The best published model
    pub rival: String,
    /// and its mean F1.
    pub best_published: f64,
}

/// Stretches of 0..1 in which scores and truth are compared.
pub(super) const CALIBRATION_BINS: usize = 10;

/// Places of recall at which precision is kept: 0, 1 %, … 100 %.
const RECALL_STEPS: usize = 100;

/// What plots are made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    /// The best precision at this recall or more, for recalls 0, 0.01, … 1.
    pub precision_at: Vec<f64>,
    /// For each stretch of scores: pages, sum of their scores, relevant ones among them.
    pub calibration: Vec<(f64, f64, f64)>,
}

impl Run {
    /// The mean of several draws.
    pub(crate) fn mean_of(draws: &[Run]) -> Run {
        let mean = |of: fn(&Run) -> f64| mean(draws.iter().map(of));
        Run {
            f1: mean(|run| run.f1),
            precision: mean(|run| run.precision),
            recall: mean(|run| run.recall),
            pr_auc: mean(|run| run.pr_auc),
            ece: mean(|run| run.ece),
            // All pages over all seconds: each draw judges the same pages.
            pages_per_cpu_s: 1.0 / mean(|run| 1.0 / run.pages_per_cpu_s),
            max_f1: mean(|run| run.max_f1),
            draws: draws.len(),
            curves: Curves::mean_of(draws.iter().map(|run| &run.curves)),
            ..Run::default()
        }
    }

    pub(crate) fn named(self, model: &str, data: &str, topic: &str, positives: usize) -> Run {
        let (model, data, topic) = (model.to_owned(), data.to_owned(), topic.to_owned());
        Run { model, data, topic, positives, ..self }
    }
}

impl Measured {
    /// Means over topics, for each model, set and number of examples, in the order of the runs.
    pub fn means(&self) -> Vec<Mean> {
        let mut means: Vec<Mean> = Vec::new();
        for run in &self.runs {
            let is_known = means.iter().any(|mean| {
                (&mean.model, &mean.data, mean.positives) == (&run.model, &run.data, run.positives)
            });
            if !is_known {
                means.push(self.mean_like(run));
            }
        }
        means
    }

    fn mean_like(&self, like: &Run) -> Mean {
        let is_alike = |run: &&Run| {
            (&run.model, &run.data, run.positives) == (&like.model, &like.data, like.positives)
        };
        let runs: Vec<Run> = self.runs.iter().filter(is_alike).cloned().collect();
        let mean = Run::mean_of(&runs);
        Mean {
            model: like.model.clone(),
            data: like.data.clone(),
            positives: like.positives,
            topics: runs.len(),
            f1: mean.f1,
            precision: mean.precision,
            recall: mean.recall,
            pr_auc: mean.pr_auc,
            ece: mean.ece,
            pages_per_cpu_s: mean.pages_per_cpu_s,
            max_f1: mean.max_f1,
            curves: mean.curves,
        }
    }

    /// The default against the best published model, for each set and number of examples.
    pub fn duels(&self) -> Vec<Duel> {
        let means = self.means();
        let published =
            |mean: &&Mean| mean.model != DEFAULT_MODEL && Contender::is_published(&mean.model);
        means
            .iter()
            .filter(|mean| mean.model == DEFAULT_MODEL)
            .filter_map(|own| {
                let rival = means
                    .iter()
                    .filter(published)
                    .filter(|mean| (&mean.data, mean.positives) == (&own.data, own.positives))
                    .max_by(|a, b| a.f1.total_cmp(&b.f1))?;
                Some(Duel {
                    data: own.data.clone(),
                    positives: own.positives,
                    default: own.f1,
                    rival: rival.model.clone(),
                    best_published: rival.f1,
                })
            })
            .collect()
    }
}

impl Duel {
    /// By how much the default is ahead; negative when it is not.
    pub fn lead(&self) -> f64 {
        self.default - self.best_published
    }
}

impl Curves {
    /// The curves of judged pages.
    pub(crate) fn of(judged: &[Judged]) -> Curves {
        Curves { precision_at: precision_at(judged), calibration: calibration(judged) }
    }

    fn mean_of<'a>(curves: impl Iterator<Item = &'a Curves> + Clone) -> Curves {
        let place = |at: usize| {
            mean(curves.clone().map(|curve| curve.precision_at.get(at).copied().unwrap_or(0.0)))
        };
        let mut calibration = vec![(0.0, 0.0, 0.0); CALIBRATION_BINS];
        for curve in curves.clone() {
            for (sum, bin) in calibration.iter_mut().zip(&curve.calibration) {
                *sum = (sum.0 + bin.0, sum.1 + bin.1, sum.2 + bin.2);
            }
        }
        Curves { precision_at: (0..=RECALL_STEPS).map(place).collect(), calibration }
    }
}

/// Precision over recall, each recall with the best precision that it or a higher one comes with.
fn precision_at(judged: &[Judged]) -> Vec<f64> {
    let relevant = judged.iter().filter(|(_, truth)| *truth).count();
    let mut sorted = judged.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut at = vec![0.0_f64; RECALL_STEPS + 1];
    let mut found = 0;
    for (seen, (score, truth)) in sorted.iter().enumerate() {
        found += usize::from(*truth);
        let is_last_of_its_score = sorted.get(seen + 1).is_none_or(|next| next.0 < *score);
        if is_last_of_its_score {
            let step = found * RECALL_STEPS / relevant.max(1);
            at[step] = at[step].max(found as f64 / (seen + 1) as f64);
        }
    }
    for step in (0..RECALL_STEPS).rev() {
        at[step] = at[step].max(at[step + 1]);
    }
    at
}

fn calibration(judged: &[Judged]) -> Vec<(f64, f64, f64)> {
    let mut bins = vec![(0.0, 0.0, 0.0); CALIBRATION_BINS];
    for (score, truth) in judged {
        let score = f64::from(*score);
        let bin = &mut bins[((score * CALIBRATION_BINS as f64) as usize).min(CALIBRATION_BINS - 1)];
        *bin = (bin.0 + 1.0, bin.1 + score, bin.2 + f64::from(u8::from(*truth)));
    }
    bins
}

/// The mean; 0 of nothing.
pub(crate) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    sum / count.max(1) as f64
}
