//! The figures as tables and plots.

use serde::Serialize;

use super::measure::{Mean, Measured};
use super::plots::sheet;
use crate::relevance::Grid;
use crate::relevance::report::{html_page, html_table};

/// What was measured, for people and programs.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// On what.
    #[serde(skip)]
    source: String,
    /// The figures.
    #[serde(flatten)]
    measured: Measured,
}

const TITLE: &str = "How fresh revisit policies keep pages";

impl Report {
    /// The report on a source.
    pub fn new(source: String, measured: Measured) -> Report {
        Report { source, measured }
    }

    /// Every table: one for each budget, the freshest first.
    pub fn grids(&self) -> Vec<Grid> {
        let means = self.measured.means();
        let mut budgets: Vec<f64> = Vec::new();
        for mean in &means {
            if !budgets.contains(&mean.budget) {
                budgets.push(mean.budget);
            }
        }
        budgets.into_iter().map(|budget| self.grid(budget, &means)).collect()
    }

    fn grid(&self, budget: f64, means: &[Mean]) -> Grid {
        let mut of: Vec<&Mean> = means.iter().filter(|mean| mean.budget == budget).collect();
        of.sort_by(|one, other| other.figures.fresh.total_cmp(&one.figures.fresh));
        let head = ["policy", "F", "H", "age d", "delay d", "wasted", "used", "starved", "F plain"];
        Grid {
            title: format!("{}: {budget} visits per change", self.source),
            head: head.map(str::to_owned).to_vec(),
            rows: of.into_iter().map(|mean| self.row(mean)).collect(),
        }
    }

    fn row(&self, mean: &Mean) -> Vec<String> {
        let figures = &mean.figures;
        let mark = if mean.policy == self.measured.default { " (default)" } else { "" };
        let number = |value: f64, digits: usize| match value.is_finite() {
            true => format!("{value:.digits$}"),
            false => "–".to_owned(),
        };
        vec![
            format!("{}{mark}", mean.policy),
            number(figures.fresh, 4),
            number(figures.harmonic, 4),
            number(figures.age_days, 2),
            number(figures.delay_days, 2),
            number(figures.wasted, 3),
            number(figures.used, 3),
            number(figures.starved, 3),
            number(figures.fresh_unweighted, 4),
        ]
    }

    /// The report as a page that needs no other file.
    pub fn html(&self) -> String {
        let tables: String = self.grids().iter().map(html_table).collect();
        let plots = sheet(&self.source, &self.measured.means()).svg();
        html_page(TITLE, &format!("<h1>{TITLE}</h1>\n{plots}\n{tables}"))
    }
}
