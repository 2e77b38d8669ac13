//! The figures as tables.

use serde::Serialize;

use super::measure::Measured;
use crate::relevance::Grid;
use crate::relevance::report::{html_page, html_table};

/// What was measured, for people and programs.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The name of the trace.
    pub trace: String,
    /// Its stretches.
    pub measured: Vec<Measured>,
}

const TITLE: &str = "What checking pages every day saves and misses";

impl Report {
    /// Every table.
    pub fn grids(&self) -> Vec<Grid> {
        let head = std::iter::once("stretch").chain(self.measured.iter().map(|of| of.stretch.kind));
        let row = |name: &str, cell: &dyn Fn(&Measured) -> String| {
            std::iter::once(name.to_owned()).chain(self.measured.iter().map(cell)).collect()
        };
        let percent = |of: &Measured| format!("{:.1} %", 100.0 * of.saved);
        let rows = vec![
            row("began", &|of| of.stretch.began.to_string()),
            row("days", &|of| of.days.to_string()),
            row("pages", &|of| of.pages.to_string()),
            row("pages that changed", &|of| of.pages_changed.to_string()),
            row("changes that happened", &|of| of.changes.to_string()),
            row("visits", &|of| of.visits.to_string()),
            row("visits, unchanged", &|of| of.unchanged.to_string()),
            row("recorded as noise", &|of| of.recorded.noise.to_string()),
            row("recorded as cosmetic", &|of| of.recorded.cosmetic.to_string()),
            row("recorded as minor", &|of| of.recorded.minor.to_string()),
            row("recorded as major", &|of| of.recorded.major.to_string()),
            row("told as changes", &|of| of.told.to_string()),
            row("changes missed", &|of| of.missed.to_string()),
            row("versions unfounded", &|of| of.unfounded.to_string()),
            row("bytes fetched", &|of| of.bytes.to_string()),
            row("bytes of all pages daily", &|of| of.bytes_of_all.to_string()),
            row("saved", &percent),
        ];
        let title = format!("{TITLE}: {}", self.trace);
        vec![Grid { title, head: head.map(str::to_owned).collect(), rows }]
    }

    /// The report as a page that needs no other file.
    pub fn html(&self) -> String {
        let tables: String = self.grids().iter().map(html_table).collect();
        html_page(TITLE, &format!("<h1>{TITLE}</h1>\n{tables}"))
    }
}
