//! What a measurement found, run by run and order by order.

use gannet_links::DEFAULT_ORDER;
use serde::Serialize;

use super::contestant::ORACLE;
use super::figures::{Figures, Point, Trace};

/// Everything that was measured on one web.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// The web.
    pub web: String,
    /// One for each topic, set of seeds and order.
    pub runs: Vec<Run>,
    /// Topics that could not be measured.
    pub left_out: Vec<LeftOut>,
}

/// One crawl.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Run {
    /// The order.
    pub order: String,
    /// The topic.
    pub topic: String,
    /// The number of the set of seeds.
    pub seed: usize,
    /// How many pages it may fetch.
    pub budget: u64,
    /// Relevant pages fetched, of all pages fetched.
    pub harvest: f64,
    /// Relevant pages fetched, of all that can be reached from the seeds.
    pub recall: f64,
    /// Mean over the budget of relevant pages so far, of as many as could be had so far.
    pub nauc: f64,
    /// Mean over the budget of the harvest so far.
    pub auhc: f64,
    /// Mean number of links from a seed to relevant pages.
    pub target_length: Option<f64>,
    /// Pages fetched when nine tenths of what can be reached was found.
    pub pages_to_90: Option<u64>,
    /// Relevant pages that can be reached from the seeds.
    pub reachable: u64,
    /// Relevant pages fetched.
    pub relevant: u64,
    /// Pages fetched, errors and redirects among them.
    pub pages: u64,
    /// All requests, robots.txt among them.
    pub requests: u64,
    /// Bytes of all answers.
    pub bytes: u64,
    /// Requests for each relevant page.
    pub requests_per_relevant: Option<f64>,
    /// Bytes for each relevant page.
    pub bytes_per_relevant: Option<f64>,
    /// Milliseconds of ordering, queueing and committing for each page.
    pub ms_per_page: f64,
    /// How it went.
    #[serde(skip)]
    pub curve: Vec<Point>,
}

/// A topic that could not be measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeftOut {
    /// Which.
    pub topic: String,
    /// Pages about it.
    pub pages: usize,
    /// Why.
    pub because: String,
}

/// A mean with its standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of a sample; 0 of a single value.
    pub sd: f64,
}

/// Means of one order over topics and sets of seeds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Mean {
    /// The order.
    pub order: String,
    /// How many runs.
    pub runs: usize,
    /// See [`Run::nauc`].
    pub nauc: Spread,
    /// See [`Run::harvest`].
    pub harvest: Spread,
    /// See [`Run::recall`].
    pub recall: Spread,
    /// See [`Run::auhc`].
    pub auhc: Spread,
    /// See [`Run::target_length`]; over runs that found anything.
    pub target_length: Spread,
    /// See [`Run::requests_per_relevant`]; over runs that found anything.
    pub requests_per_relevant: Spread,
    /// See [`Run::bytes_per_relevant`]; over runs that found anything.
    pub bytes_per_relevant: Spread,
    /// See [`Run::pages_to_90`]; over runs that came so far,
    pub pages_to_90: Spread,
    /// of which there are so many.
    pub runs_to_90: usize,
    /// See [`Run::ms_per_page`].
    pub ms_per_page: Spread,
}

impl Run {
    /// The run of this trace.
    pub(super) fn of(trace: &Trace, budget: u64, reachable: u64) -> Run {
        let figures: Figures = trace.figures(budget, reachable);
        let pages = trace.steps.len() as u64;
        let per_relevant =
            |total: u64| (figures.relevant > 0).then(|| total as f64 / figures.relevant as f64);
        Run {
            budget,
            harvest: figures.harvest,
            recall: figures.recall,
            nauc: figures.nauc,
            auhc: figures.auhc,
            target_length: figures.target_length,
            pages_to_90: figures.pages_to_90,
            reachable,
            relevant: figures.relevant,
            pages,
            requests: trace.requests,
            bytes: trace.bytes,
            requests_per_relevant: per_relevant(trace.requests),
            bytes_per_relevant: per_relevant(trace.bytes),
            ms_per_page: trace.heart.as_secs_f64() * 1000.0 / pages.max(1) as f64,
            curve: figures.curve,
            ..Run::default()
        }
    }

    pub(super) fn named(self, order: &str, topic: &str, seed: usize) -> Run {
        Run { order: order.to_owned(), topic: topic.to_owned(), seed, ..self }
    }
}

impl Spread {
    /// Of some values.
    pub fn of(values: impl Iterator<Item = f64>) -> Spread {
        let values: Vec<f64> = values.collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count.max(1.0);
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Spread { mean, sd: (squares / (count - 1.0).max(1.0)).sqrt() }
    }
}

impl Measured {
    /// Means of each order, best first.
    pub fn means(&self) -> Vec<Mean> {
        let mut means: Vec<Mean> = Vec::new();
        for run in &self.runs {
            if !means.iter().any(|mean| mean.order == run.order) {
                means.push(self.mean(&run.order));
            }
        }
        means.sort_by(|a, b| b.nauc.mean.total_cmp(&a.nauc.mean));
        means
    }

    fn mean(&self, order: &str) -> Mean {
        let runs: Vec<&Run> = self.runs.iter().filter(|run| run.order == order).collect();
        let of = |figure: fn(&Run) -> f64| Spread::of(runs.iter().map(|run| figure(run)));
        let of_some =
            |figure: fn(&Run) -> Option<f64>| Spread::of(runs.iter().filter_map(|run| figure(run)));
        Mean {
            order: order.to_owned(),
            runs: runs.len(),
            nauc: of(|run| run.nauc),
            harvest: of(|run| run.harvest),
            recall: of(|run| run.recall),
            auhc: of(|run| run.auhc),
            target_length: of_some(|run| run.target_length),
            requests_per_relevant: of_some(|run| run.requests_per_relevant),
            bytes_per_relevant: of_some(|run| run.bytes_per_relevant),
            pages_to_90: of_some(|run| run.pages_to_90.map(|pages| pages as f64)),
            runs_to_90: runs.iter().filter(|run| run.pages_to_90.is_some()).count(),
            ms_per_page: of(|run| run.ms_per_page),
        }
    }

    /// The default and the best other order that does not know the truth.
    pub fn duel(&self) -> Option<(Mean, Mean)> {
        let means = self.means();
        let own = means.iter().find(|mean| mean.order == DEFAULT_ORDER)?;
        // The default with other settings is no rival.
        let is_rival = |mean: &&Mean| {
            let name = mean.order.split(':').next().unwrap_or_default();
            name != DEFAULT_ORDER && name != ORACLE
        };
        let rival = means.iter().find(is_rival)?;
        Some((own.clone(), rival.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_is_mean_and_deviation_of_the_sample() {
        let spread = Spread::of([1.0, 2.0, 3.0].into_iter());
        assert_eq!(spread, Spread { mean: 2.0, sd: 1.0 });
        assert_eq!(Spread::of([4.0].into_iter()), Spread { mean: 4.0, sd: 0.0 });
        assert_eq!(Spread::of(std::iter::empty()), Spread::default());
    }
}
