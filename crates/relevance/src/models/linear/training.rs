//! From remembered pages to a trained model.
//!
//! 1. Pages get targets: what people said; where they said nothing, pages
//!    dense with keywords stand for relevant ones and pages without any for
//!    the others.
//! 2. A line is fitted, and pages it is sure of become targets, too, with
//!    little weight: less, the more people have said.
//! 3. Each page is judged by lines fitted without it; from these distances
//!    come the probabilities and the threshold.
//!
//! The keywords have a say of their own beside the line, which fades as
//! examples come in.

use serde::{Deserialize, Serialize};

use super::calibration::{self, Curve};
use super::features::{Features, Place};
use super::fitting::{Table, Target, place_factor};
use super::keywords::{Keywords, Rarity, Sighting};
use super::samples::{Known, Sample, Samples};
use super::weights::Weights;
use crate::Wanted;

/// What was learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Learned {
    pub(super) weights: Weights,
    bias: f32,
    /// Mean and spread of line values over pages met.
    values: Spread,
    /// How rare keywords are, mean and spread of their evidence, and how much it counts.
    pub(super) rarity: Rarity,
    evidence: Spread,
    pull: f32,
    pub(super) curve: Curve,
    pub(super) threshold: f32,
}

/// What the training is told beside the pages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terms {
    /// Share of words that makes a page dense with keywords.
    pub(super) density: f32,
    /// Whether pages nobody labelled are learned from.
    pub(super) refine: bool,
    /// What the threshold aims at.
    pub(super) wanted: Wanted,
}

/// Mean and standard deviation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Spread {
    mean: f32,
    deviation: f32,
}

/// How much the keywords count beside the line, in standard deviations, and the number of relevant
/// examples at which it is half of that.
const PULL: f32 = 0.45;
const PULL_HALVED_BY: f32 = 20.0;
/// Fewer pages than this stand for no kind.
const LEAST_OF_A_KIND: usize = 3;
/// Without examples, at least this many pages must have been met.
const LEAST_MET: usize = 40;
/// A page that stands for a kind by its keywords needs so many different ones, if there are so many.
const DIFFERENT_KEYWORDS: usize = 2;
/// Weight of a page the line is sure of, and the number of relevant examples that halves it.
const SURE_WEIGHT: f32 = 0.1;
const SURE_HALVED_BY: f32 = 10.0;
/// Share of pages taken as relevant that are sure, and how far down the list the others begin, both
/// in multiples of the share of dense pages.
const SURE_SHARE: f32 = 0.7;
const OTHERS_BEGIN: f32 = 5.0;
/// What the share of relevant pages among those met may be taken for.
const SHARES: std::ops::RangeInclusive<f32> = 0.01..=0.15;
/// Parts into which the pages are dealt for judging each by the others.
const FOLDS: usize = 3;

/// Trains, if there is enough to learn from.
pub(super) fn train(samples: &Samples, keywords: &Keywords, terms: Terms) -> Option<Learned> {
    let pages: Vec<&Sample> = samples.iter().map(|(_, sample)| sample).collect();
    let rarity = Rarity::among(keywords, pages.iter().map(|page| &page.keywords));
    let evidence: Vec<f32> =
        pages.iter().map(|page| keywords.evidence(&page.keywords, &rarity)).collect();
    let class = Class { pages: &pages, keywords, evidence: &evidence, terms };
    let first = class.targets()?;
    let met: Vec<usize> =
        (0..pages.len()).filter(|at| pages[*at].known == Known::Nothing).collect();
    let met = if met.len() < LEAST_MET { (0..pages.len()).collect() } else { met };
    let examples = samples.count(Known::Relevant) as f32;
    let pull = PULL * PULL_HALVED_BY / (PULL_HALVED_BY + examples);
    let table = Table::new(&pages);
    let spread_of = |numbers: &[f32]| Spread::of(met.iter().map(|at| numbers[*at]));
    let evidence_spread = spread_of(&evidence);
    let mut targets = first.clone();
    if terms.refine {
        let values = table.values(&table.fit(&first));
        let spread = spread_of(&values);
        let distance =
            |at: usize| spread.standard(values[at]) + pull * evidence_spread.standard(evidence[at]);
        class.refine(&mut targets, examples, distance);
    }
    let line = table.fit(&targets);
    let held_out = held_out(&table, &targets);
    let values = spread_of(&held_out);
    let distances: Vec<f32> = (0..pages.len())
        .map(|at| values.standard(held_out[at]) + pull * evidence_spread.standard(evidence[at]))
        .collect();
    // Where nobody said anything, what the keywords say is only where it began.
    let trusted = if examples > 0.0 { &first } else { &targets };
    let (curve, threshold) = calibrate(&distances, trusted, &met, examples, terms.wanted);
    Some(Learned {
        weights: Weights::new(&table.features, &line),
        bias: line.bias,
        values,
        rarity,
        evidence: evidence_spread,
        pull,
        curve,
        threshold,
    })
}

impl Learned {
    /// What the line and the keywords make of a page.
    pub(super) fn weigh(&self, page: &Features, keywords: &Keywords) -> Weighed {
        let mut sums = [(0.0_f32, 0.0_f32); Place::ALL.len()];
        let mut products = Vec::with_capacity(page.found.len());
        for (at, (feature, gain)) in page.found.iter().enumerate() {
            if let Some((scale, weight)) = self.weights.get(*feature) {
                let value = gain * scale;
                let product = value * weight;
                let sum = &mut sums[feature.place() as usize];
                sum.0 += product;
                sum.1 += value * value;
                products.push((at as u32, feature.place(), product));
            }
        }
        let mut factors = [0.0; Place::ALL.len()];
        let mut value = self.bias;
        for (place, (sum, squares)) in sums.into_iter().enumerate() {
            if squares > 0.0 {
                factors[place] = place_factor(place, squares);
                value += sum * factors[place];
            }
        }
        let evidence = keywords.evidence(&page.keywords, &self.rarity);
        let distance = self.values.standard(value) + self.pull * self.evidence.standard(evidence);
        let unit = self.curve.slope / self.values.deviation;
        Weighed { distance, products, factors: factors.map(|factor| factor * unit) }
    }

    /// What each keyword contributes to the log-odds of a page.
    pub(super) fn keyword_contributions<'a>(
        &'a self,
        seen: &'a Sighting,
        keywords: &'a Keywords,
    ) -> impl Iterator<Item = (u32, f32)> + 'a {
        let unit = self.pull * self.curve.slope / self.evidence.deviation;
        keywords
            .contributions(seen, &self.rarity)
            .map(move |(number, value)| (number, value * unit))
    }
}

/// A page that was weighed.
pub(super) struct Weighed {
    /// How far it lies from the line, keywords included.
    pub(super) distance: f32,
    /// The features that were learned, by their place among those found: weight times value,
    products: Vec<(u32, Place, f32)>,
    /// and what those of each place are multiplied with to give log-odds.
    factors: [f32; Place::ALL.len()],
}

impl Weighed {
    /// What each feature that was learned contributes to the log-odds, by its place among those
    /// found.
    pub(super) fn contributions(&self) -> impl Iterator<Item = (usize, f32)> + '_ {
        let factor = |place: Place| self.factors[place as usize];
        self.products.iter().map(move |(at, place, value)| (*at as usize, value * factor(*place)))
    }
}

impl Spread {
    fn of(numbers: impl Iterator<Item = f32> + Clone) -> Spread {
        let count = numbers.clone().count().max(1) as f32;
        let mean = numbers.clone().sum::<f32>() / count;
        let variance = numbers.map(|number| (number - mean).powi(2)).sum::<f32>() / count;
        Spread { mean, deviation: variance.sqrt().max(1e-3) }
    }

    fn standard(&self, number: f32) -> f32 {
        (number - self.mean) / self.deviation
    }
}

/// The pages to learn from and what is known beside them.
struct Class<'a> {
    pages: &'a [&'a Sample],
    keywords: &'a Keywords,
    evidence: &'a [f32],
    terms: Terms,
}

impl Class<'_> {
    /// What people said, filled up by the keywords where they said nothing of a kind; `None` when
    /// one kind stays empty.
    fn targets(&self) -> Option<Vec<Target>> {
        let of_kind = |kind| -> Vec<usize> {
            (0..self.pages.len()).filter(|at| self.pages[*at].known == kind).collect()
        };
        let (mut relevant, mut others) = (of_kind(Known::Relevant), of_kind(Known::Irrelevant));
        let met = of_kind(Known::Nothing);
        if (relevant.is_empty() || others.is_empty()) && met.len() < LEAST_MET {
            return None;
        }
        let dense = self.dense(&met);
        if others.is_empty() {
            others = self.plain(&met, &dense);
        }
        if relevant.is_empty() {
            relevant = dense;
        }
        let is_enough = |kind: &Vec<usize>| {
            kind.len() >= LEAST_OF_A_KIND || !kind.is_empty() && self.is_labelled(kind)
        };
        if !is_enough(&relevant) || !is_enough(&others) {
            return None;
        }
        let mut targets = vec![Target::default(); self.pages.len()];
        // Both kinds weigh the same together, and the smaller one's pages weigh at least 1.
        let balance = others.len() as f32 / relevant.len() as f32;
        for at in relevant {
            targets[at] = Target { is_relevant: true, weight: balance.max(1.0) };
        }
        for at in others {
            targets[at] = Target { is_relevant: false, weight: (1.0 / balance).max(1.0) };
        }
        Some(targets)
    }

    fn is_labelled(&self, kind: &[usize]) -> bool {
        kind.iter().all(|at| self.pages[*at].known != Known::Nothing)
    }

    /// Pages that keywords alone call relevant.
    fn dense(&self, met: &[usize]) -> Vec<usize> {
        let different = DIFFERENT_KEYWORDS.min(self.keywords.count());
        let is_dense = |at: &usize| {
            let (density, found) = self.keywords.density(&self.pages[*at].keywords);
            density >= self.terms.density && found >= different
        };
        let dense: Vec<usize> = met.iter().copied().filter(is_dense).collect();
        if dense.len() >= LEAST_OF_A_KIND {
            return dense;
        }
        let mut by_evidence: Vec<usize> =
            met.iter().copied().filter(|at| self.evidence[*at] > 0.0).collect();
        by_evidence.sort_by(|a, b| self.evidence[*b].total_cmp(&self.evidence[*a]));
        by_evidence.truncate(LEAST_OF_A_KIND);
        by_evidence
    }

    /// Pages that keywords alone call irrelevant: those without any, or the half with the fewest.
    fn plain(&self, met: &[usize], dense: &[usize]) -> Vec<usize> {
        let mut rest: Vec<usize> = met.iter().copied().filter(|at| !dense.contains(at)).collect();
        rest.sort_by(|a, b| self.evidence[*a].total_cmp(&self.evidence[*b]).then(a.cmp(b)));
        let without = rest.iter().take_while(|at| self.evidence[**at] <= 0.0).count();
        rest.truncate(without.max(rest.len() / 2));
        rest
    }

    /// Makes targets of the pages that are far enough from the line, relevant examples being so many.
    fn refine(&self, targets: &mut [Target], examples: f32, distance: impl Fn(usize) -> f32) {
        let mut met: Vec<usize> =
            (0..self.pages.len()).filter(|at| self.pages[*at].known == Known::Nothing).collect();
        if met.len() < LEAST_MET {
            return;
        }
        let share = self.dense(&met).len() as f32 / met.len() as f32;
        let share = share.clamp(*SHARES.start(), *SHARES.end());
        met.sort_by(|a, b| distance(*b).total_cmp(&distance(*a)).then(a.cmp(b)));
        let place = |multiple: f32| ((met.len() as f32 * share * multiple) as usize).min(met.len());
        let (sure, others) = (place(SURE_SHARE).max(1), place(OTHERS_BEGIN));
        let weight = SURE_WEIGHT * SURE_HALVED_BY / (SURE_HALVED_BY + examples);
        let heaviest = targets.iter().filter(|target| target.is_relevant).map(|t| t.weight);
        let balance = heaviest.fold(1.0, f32::max);
        let is_weak = examples == 0.0;
        for (rank, at) in met.into_iter().enumerate() {
            targets[at] = if rank < sure {
                Target {
                    is_relevant: true,
                    weight: if is_weak { balance } else { weight * balance },
                }
            } else if rank < others {
                Target::default()
            } else {
                Target { is_relevant: false, weight: if is_weak { 1.0 } else { weight * 0.5 } }
            };
        }
    }
}

/// The value of each page on a line fitted without it.
fn held_out(table: &Table, targets: &[Target]) -> Vec<f32> {
    let mut dealt = [0_usize; 3];
    let folds: Vec<usize> = targets
        .iter()
        .map(|target| {
            let kind = if target.weight == 0.0 { 2 } else { usize::from(target.is_relevant) };
            dealt[kind] += 1;
            dealt[kind] % FOLDS
        })
        .collect();
    let mut held_out = vec![0.0; targets.len()];
    for fold in 0..FOLDS {
        let mut others = targets.to_vec();
        for (at, target) in others.iter_mut().enumerate() {
            if folds[at] == fold {
                *target = Target::default();
            }
        }
        let values = table.values(&table.fit(&others));
        for (at, value) in values.into_iter().enumerate().filter(|(at, _)| folds[*at] == fold) {
            held_out[at] = value;
        }
    }
    held_out
}

/// The curve and threshold from the distances of pages held out.
fn calibrate(
    distances: &[f32],
    targets: &[Target],
    met: &[usize],
    examples: f32,
    wanted: Wanted,
) -> (Curve, f32) {
    let trusted: Vec<(f32, bool, f32)> = distances
        .iter()
        .zip(targets)
        .filter(|(_, target)| target.weight > 0.0)
        .map(|(distance, target)| (*distance, target.is_relevant, 1.0))
        .collect();
    let relevant = trusted.iter().filter(|(_, is_relevant, _)| *is_relevant).count();
    let share = relevant as f64 / trusted.len().max(1) as f64;
    let pages: Vec<f32> = met.iter().map(|at| distances[*at]).collect();
    let curve = Curve::fit(&trusted).shifted(share, &pages, examples);
    let probabilities: Vec<f32> = pages.iter().map(|d| curve.probability(*d)).collect();
    let threshold = calibration::expected_threshold(&probabilities, wanted).unwrap_or_else(|| {
        let judged: Vec<_> = trusted
            .iter()
            .map(|(d, is_relevant, _)| (curve.probability(*d), *is_relevant))
            .collect();
        calibration::example_threshold(&judged, wanted)
    });
    (curve, threshold)
}
