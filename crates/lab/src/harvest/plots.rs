//! The plots of a measurement: harvest and recall over pages, recall over bytes.
//!
//! Lines are means over all crawls of an order. The oracle's is drawn first:
//! the upper line.

use super::contestant::ORACLE;
use super::report::called;
use super::results::{Measured, Run};
use crate::charts::{Chart, Content, Sheet};

/// How wide each chart is.
const WIDTH: f64 = 760.0;
/// How many points a line over bytes has.
const BYTE_POINTS: usize = 100;
/// Bytes in a megabyte, the unit of the axis.
const MEGABYTE: f64 = 1e6;

/// Points from left to right.
type Points = Vec<(f64, f64)>;

/// All plots, below each other.
pub(super) fn sheet(measured: &Measured) -> Sheet {
    let mut orders: Vec<String> = measured.means().into_iter().map(|mean| mean.order).collect();
    orders.sort_by_key(|order| order != ORACLE);
    let of = |order: &String| -> Vec<&Run> {
        measured.runs.iter().filter(|run| run.order == *order).collect()
    };
    let lines = |line: &dyn Fn(&[&Run]) -> Points| -> Vec<(String, Points)> {
        orders.iter().map(|order| (called(order), line(&of(order)))).collect()
    };
    let last_bytes = |order: &String| mean(&of(order), |run| last_bytes(run) as f64);
    let most_bytes = orders.iter().map(last_bytes).fold(0.0, f64::max);
    let web = &measured.web;
    let charts = [
        chart(web, "harvest rate", "pages fetched", lines(&harvest_over_pages)),
        chart(web, "recall", "pages fetched", lines(&recall_over_pages)),
        chart(web, "recall", "megabytes", lines(&|runs| recall_over_bytes(runs, most_bytes))),
    ];
    Sheet {
        title: "Orderings on one web".to_owned(),
        rows: charts.into_iter().map(|chart| vec![chart]).collect(),
    }
}

fn chart(web: &str, what: &str, over: &str, series: Vec<(String, Points)>) -> Chart {
    Chart {
        title: format!("{web}: {what} over {over}"),
        x_label: over.to_owned(),
        y_label: what.to_owned(),
        least_end: 1.0,
        width: WIDTH,
        content: Content::Lines { series, has_diagonal: false },
    }
}

fn harvest_over_pages(runs: &[&Run]) -> Points {
    over_pages(runs, |run, at| {
        let point = run.curve[at];
        point.relevant as f64 / point.pages.max(1) as f64
    })
}

fn recall_over_pages(runs: &[&Run]) -> Points {
    over_pages(runs, |run, at| run.curve[at].relevant as f64 / run.reachable.max(1) as f64)
}

/// Means of a figure at each point of the curves, but for the beginning, where all is 0. Curves of
/// one measurement have one budget, and so the same points.
fn over_pages(runs: &[&Run], figure: impl Fn(&Run, usize) -> f64) -> Points {
    let points = runs.iter().map(|run| run.curve.len()).min().unwrap_or(0);
    let point = |at: usize| (runs[0].curve[at].pages as f64, mean(runs, |run| figure(run, at)));
    (1..points).map(point).collect()
}

/// Mean recall for the same bytes.
fn recall_over_bytes(runs: &[&Run], most: f64) -> Points {
    let point = |at: usize| {
        let bytes = most * at as f64 / BYTE_POINTS as f64;
        let recall = |run: &Run| {
            let reached = run.curve.iter().take_while(|point| point.bytes as f64 <= bytes);
            reached.last().map_or(0.0, |point| point.relevant as f64 / run.reachable.max(1) as f64)
        };
        (bytes / MEGABYTE, mean(runs, recall))
    };
    (0..=BYTE_POINTS).map(point).collect()
}

fn last_bytes(run: &Run) -> u64 {
    run.curve.last().map_or(0, |point| point.bytes)
}

fn mean(runs: &[&Run], figure: impl Fn(&Run) -> f64) -> f64 {
    runs.iter().map(|run| figure(run)).sum::<f64>() / runs.len().max(1) as f64
}
