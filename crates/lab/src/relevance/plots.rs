//! The plots of a measurement: mean F1, precision over recall, and calibration for each set.

use gannet_relevance::DEFAULT_MODEL;

use super::{Contender, Mean, Measured};
use crate::charts::{Chart, Content, Sheet};

/// How wide the chart of all models is,
const WIDE: f64 = 932.0;
/// and a chart of a few lines: three stand under it.
const NARROW: f64 = 300.0;

/// All plots, the sets below each other.
pub(super) fn sheet(measured: &Measured) -> Sheet {
    let means = measured.means();
    let mut rows = Vec::new();
    for data in distinct(means.iter().map(|mean| mean.data.as_str())) {
        let of_set: Vec<&Mean> = means.iter().filter(|mean| mean.data == data).collect();
        let mut positives = distinct(of_set.iter().map(|mean| mean.positives));
        positives.sort_unstable();
        rows.push(vec![f1_chart(data, &of_set, &positives)]);
        let each = |draw: fn(&str, &[&Mean]) -> Chart| -> Vec<Chart> {
            let duellists = |positives: &usize| duellists(&of_set, *positives);
            positives.iter().map(duellists).map(|means| draw(data, &means)).collect()
        };
        rows.push(each(precision_chart));
        rows.push(each(calibration_chart));
    }
    Sheet { title: "Relevance models on labelled pages".to_owned(), rows }
}

/// Mean F1 of all models by number of examples, the default first.
fn f1_chart(data: &str, means: &[&Mean], positives: &[usize]) -> Chart {
    let mut models = distinct(means.iter().map(|mean| mean.model.as_str()));
    models.sort_by_key(|model| *model != DEFAULT_MODEL);
    let of_model = |model: &str| {
        let value = |positives: &usize| {
            let is_meant = |mean: &&&Mean| mean.model == model && mean.positives == *positives;
            means.iter().find(is_meant).map(|mean| mean.f1)
        };
        (called(model), positives.iter().map(value).collect())
    };
    Chart {
        title: format!("{data}: mean F1 at each model's own threshold"),
        x_label: "relevant examples".to_owned(),
        y_label: "mean F1".to_owned(),
        least_end: 1.0,
        width: WIDE,
        content: Content::Bars {
            groups: positives.iter().map(usize::to_string).collect(),
            series: models.into_iter().map(of_model).collect(),
        },
    }
}

/// The default and the published model with the highest mean F1.
fn duellists<'a>(means: &[&'a Mean], positives: usize) -> Vec<&'a Mean> {
    let means = || means.iter().copied().filter(|mean| mean.positives == positives);
    let own = means().find(|mean| mean.model == DEFAULT_MODEL);
    let rival = means()
        .filter(|mean| mean.model != DEFAULT_MODEL && Contender::is_published(&mean.model))
        .max_by(|a, b| a.f1.total_cmp(&b.f1));
    own.into_iter().chain(rival).collect()
}

fn precision_chart(data: &str, means: &[&Mean]) -> Chart {
    let line = |mean: &&Mean| {
        let points = &mean.curves.precision_at;
        let last = points.len().saturating_sub(1).max(1) as f64;
        let place = |(at, precision): (usize, &f64)| (at as f64 / last, *precision);
        (called(&mean.model), points.iter().enumerate().map(place).collect())
    };
    Chart {
        title: titled(data, means, "precision"),
        x_label: "recall".to_owned(),
        y_label: "precision".to_owned(),
        least_end: 1.0,
        width: NARROW,
        content: Content::Lines { series: means.iter().map(line).collect(), has_diagonal: false },
    }
}

fn calibration_chart(data: &str, means: &[&Mean]) -> Chart {
    let line = |mean: &&Mean| {
        let bins = mean.curves.calibration.iter().filter(|(pages, ..)| *pages > 0.0);
        let points = bins.map(|(pages, scores, relevant)| (scores / pages, relevant / pages));
        (called(&mean.model), points.collect())
    };
    Chart {
        title: titled(data, means, "calibration"),
        x_label: "mean score".to_owned(),
        y_label: "share relevant".to_owned(),
        least_end: 1.0,
        width: NARROW,
        content: Content::Lines { series: means.iter().map(line).collect(), has_diagonal: true },
    }
}

fn titled(data: &str, means: &[&Mean], what: &str) -> String {
    let positives = means.first().map_or(0, |mean| mean.positives);
    format!("{data}, {positives} examples: {what}")
}

fn called(model: &str) -> String {
    if model == DEFAULT_MODEL { format!("{model} (default)") } else { model.to_owned() }
}

/// Each value once, in the order of first appearance.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut once = Vec::new();
    for value in values {
        if !once.contains(&value) {
            once.push(value);
        }
    }
    once
}
