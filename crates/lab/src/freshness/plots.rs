//! Freshness and delay over the budget, a line for each policy.

use super::measure::Mean;
use super::score::Figures;
use crate::charts::{Chart, Content, Sheet};

/// How wide each chart is.
const WIDTH: f64 = 760.0;

/// All plots.
pub(super) fn sheet(source: &str, means: &[Mean]) -> Sheet {
    let charts = [
        chart(source, "share of time stale", means, |figures| 1.0 - figures.fresh),
        chart(source, "harmonic staleness", means, |figures| figures.harmonic),
        chart(source, "days from change to visit", means, |figures| figures.delay_days),
    ];
    Sheet {
        title: "Staleness over visits per change".to_owned(),
        rows: charts.into_iter().map(|chart| vec![chart]).collect(),
    }
}

fn chart(source: &str, what: &str, means: &[Mean], figure: fn(&Figures) -> f64) -> Chart {
    let mut series: Vec<(String, Vec<(f64, f64)>)> = Vec::new();
    for mean in means {
        // Budgets differ tenfold: their logarithms are evenly spaced, from a hundredth on.
        let point = ((mean.budget * 100.0).max(1.0).log10(), figure(&mean.figures));
        match series.iter_mut().find(|(name, _)| *name == mean.policy) {
            Some((_, points)) => points.push(point),
            None => series.push((mean.policy.clone(), vec![point])),
        }
    }
    for (_, points) in &mut series {
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
    }
    Chart {
        title: format!("{source}: {what}"),
        x_label: "log10 of visits per hundred changes".to_owned(),
        y_label: what.to_owned(),
        least_end: 0.0,
        width: WIDTH,
        content: Content::Lines { series, has_diagonal: false },
    }
}
