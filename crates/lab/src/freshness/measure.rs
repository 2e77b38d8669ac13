//! Every policy with every budget on every seed.

use gannet_revisit::DEFAULT_POLICY;
use serde::Serialize;

use super::contestant::Contestant;
use super::oracle::oracle;
use super::population::Population;
use super::run::{RunError, simulate};
use super::score::Figures;
use super::signals::{Said, Signals};
use super::source::Source;
use crate::relevance::parallel::in_parallel;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who.
    pub contestants: Vec<Contestant>,
    /// Visits, in multiples of the changes that there are.
    pub budgets: Vec<f64>,
    /// How many seeds, from 1.
    pub seeds: u64,
    /// What sitemaps say.
    pub signals: Signals,
    /// How many runs at a time.
    pub threads: usize,
}

/// One policy with one budget on one seed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run {
    /// The policy.
    pub policy: String,
    /// The budget, in visits per change.
    pub budget: f64,
    /// What fixed chance.
    pub seed: u64,
    /// What it came to.
    #[serde(flatten)]
    pub figures: Figures,
}

/// All figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// The policy that a crawl uses.
    pub default: String,
    /// Every run.
    pub runs: Vec<Run>,
}

/// A run that is done.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// How many runs there are in all.
    pub of: usize,
}

/// Runs all, telling of each.
pub fn measure(
    source: &Source,
    plan: &Plan,
    watch: &(dyn Fn(Step) + Sync),
) -> Result<Measured, RunError> {
    let of = plan.seeds as usize * plan.contestants.len() * plan.budgets.len();
    let mut runs = Vec::with_capacity(of);
    for seed in 1..=plan.seeds {
        let population = source.draw(seed);
        let said = plan.signals.draw(&population, seed);
        let tasks: Vec<(&Contestant, f64)> = plan
            .contestants
            .iter()
            .flat_map(|contestant| plan.budgets.iter().map(move |budget| (contestant, *budget)))
            .collect();
        let done = in_parallel(&tasks, plan.threads, |(contestant, budget)| {
            let figures = one(contestant, &population, &said, *budget);
            watch(Step { of });
            let policy = contestant.name.clone();
            figures.map(|figures| Run { policy, budget: *budget, seed, figures })
        });
        for run in done {
            runs.push(run?);
        }
    }
    Ok(Measured { default: DEFAULT_POLICY.to_owned(), runs })
}

fn one(
    contestant: &Contestant,
    population: &Population,
    said: &[Said],
    budget: f64,
) -> Result<Figures, RunError> {
    let visits_per_day = budget * population.mean_rate * population.pages.len() as f64;
    match contestant.is_oracle() {
        true => Ok(oracle(population, visits_per_day)),
        false => simulate(contestant, population, said, visits_per_day),
    }
}

/// Means over seeds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mean {
    pub(super) policy: String,
    pub(super) budget: f64,
    pub(super) figures: Figures,
}

impl Measured {
    /// Means over seeds, in the order of the runs.
    pub(super) fn means(&self) -> Vec<Mean> {
        let mut means: Vec<Mean> = Vec::new();
        for run in &self.runs {
            let is_known = |mean: &Mean| mean.policy == run.policy && mean.budget == run.budget;
            if means.iter().any(is_known) {
                continue;
            }
            let alike: Vec<&Figures> = self
                .runs
                .iter()
                .filter(|other| other.policy == run.policy && other.budget == run.budget)
                .map(|run| &run.figures)
                .collect();
            let (policy, budget) = (run.policy.clone(), run.budget);
            means.push(Mean { policy, budget, figures: mean(&alike) });
        }
        means
    }
}

fn mean(runs: &[&Figures]) -> Figures {
    let of = |figure: fn(&Figures) -> f64| {
        runs.iter().map(|run| figure(run)).sum::<f64>() / runs.len().max(1) as f64
    };
    Figures {
        fresh: of(|run| run.fresh),
        harmonic: of(|run| run.harmonic),
        age_days: of(|run| run.age_days),
        delay_days: of(|run| run.delay_days),
        wasted: of(|run| run.wasted),
        used: of(|run| run.used),
        starved: of(|run| run.starved),
        fresh_unweighted: of(|run| run.fresh_unweighted),
    }
}
