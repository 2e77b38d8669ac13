//! The figures as tables.

use serde::Serialize;

use super::measure::{Case, Measured, Run};
use crate::relevance::Grid;
use crate::relevance::report::{html_page, html_table};

/// What was measured, for people and programs.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Report(pub Measured);

const TITLE: &str = "How well change detectors tell edits from noise";

impl Report {
    /// Every table.
    pub fn grids(&self) -> Vec<Grid> {
        let Measured { runs, learned, default, us_to_read, .. } = &self.0;
        let named = |run: &Run| {
            let mark = if run.detector == *default { " (default)" } else { "" };
            format!("{}{mark}", run.detector)
        };
        let mut grids = vec![Grid {
            title: format!(
                "At first sight: two versions and nothing else. Reading a page takes {us_to_read:.0} µs"
            ),
            head: head("detector"),
            rows: runs.iter().map(|run| row(named(run), run)).collect(),
        }];
        let after = learned.iter().filter(|learned| learned.run.negatives > 0);
        let rows: Vec<_> = after
            .map(|learned| row(format!("after {} visits", learned.after_visits), &learned.run))
            .collect();
        if !rows.is_empty() {
            let title = format!("{default} on pages it has visited before");
            grids.push(Grid { title, head: head("visits"), rows });
        }
        for (title, is_missed) in
            [("Edits taken for none", true), ("Noise taken for an edit", false)]
        {
            let cases: Vec<_> =
                self.0.cases.iter().filter(|case| case.is_missed == is_missed).collect();
            if !cases.is_empty() {
                let head = ["page", "seen at", "text", "because"].map(str::to_owned).to_vec();
                let rows = cases.into_iter().map(case_row).collect();
                grids.push(Grid {
                    title: format!("{title}, by {default} at first sight"),
                    head,
                    rows,
                });
            }
        }
        grids
    }

    /// The report as a page that needs no other file.
    pub fn html(&self) -> String {
        let tables: String = self.grids().iter().map(html_table).collect();
        html_page(TITLE, &format!("<h1>{TITLE}</h1>\n{tables}"))
    }
}

fn head(first: &str) -> Vec<String> {
    [first, "edits", "missed", "%", "95 %", "noise", "false alarms", "%", "95 %", "µs/page"]
        .map(str::to_owned)
        .to_vec()
}

fn row(name: String, run: &Run) -> Vec<String> {
    let percent =
        |hits: usize, all: usize| format!("{:.1}", 100.0 * hits as f64 / all.max(1) as f64);
    let interval = |(low, high): (f64, f64)| format!("{:.1}–{:.1}", 100.0 * low, 100.0 * high);
    vec![
        name,
        run.positives.to_string(),
        run.missed.to_string(),
        percent(run.missed, run.positives),
        interval(run.missed_interval),
        run.negatives.to_string(),
        run.false_alarms.to_string(),
        percent(run.false_alarms, run.negatives),
        interval(run.false_alarm_interval),
        format!("{:.0}", run.us_per_page),
    ]
}

fn case_row(case: &Case) -> Vec<String> {
    let text = if case.is_text_different { "differs" } else { "is the same" };
    vec![case.page.clone(), case.old_time.to_string(), text.to_owned(), case.because.clone()]
}
