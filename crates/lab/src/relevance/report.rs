//! Everything that was measured, as one document: JSON for programs, HTML for people.

use std::fmt::Write;

use gannet_relevance::DEFAULT_MODEL;
use serde::Serialize;

use super::{Ablated, LeftOut, Mean, Measured, Mixed, Run, plots};
use crate::charts::escaped;

/// What was measured, and how.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How it was measured, in a sentence.
    pub method: String,
    /// The models on the data sets.
    pub measured: Measured,
    /// The models on pages that mix topics, if that was asked for.
    pub mixed: Option<Vec<Mixed>>,
    /// The default without its parts, if that was asked for.
    pub ablation: Option<Vec<Ablated>>,
}

/// A report as it is written in JSON.
#[derive(Serialize)]
struct Written<'a> {
    default: &'static str,
    runs: &'a [Run],
    means: Vec<Mean>,
    left_out: &'a [LeftOut],
    #[serde(skip_serializing_if = "Option::is_none")]
    mixed: Option<&'a [Mixed]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ablation: Option<&'a [Ablated]>,
}

impl Serialize for Report {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = Written {
            default: DEFAULT_MODEL,
            runs: &self.measured.runs,
            means: self.measured.means(),
            left_out: &self.measured.left_out,
            mixed: self.mixed.as_deref(),
            ablation: self.ablation.as_deref(),
        };
        written.serialize(serializer)
    }
}

/// A table of text: the report's, and the terminal's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// What it shows.
    pub title: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// Cells, row by row.
    pub rows: Vec<Vec<String>>,
}

impl Report {
    /// Every table of the report.
    pub fn grids(&self) -> Vec<Grid> {
        let mut grids = vec![self.grid()];
        grids.extend(self.mixed.as_deref().map(mixed_grid));
        grids.extend(self.ablation.as_deref().map(ablation_grid));
        grids
    }

    /// For each set and number of examples, whether the default beats every published model.
    pub fn verdicts(&self) -> Vec<String> {
        let verdict = |duel: super::Duel| {
            format!(
                "{} with {} examples: the default ({}) {} every published model (best {}, {}), {:+.3}",
                duel.data,
                duel.positives,
                share(duel.default),
                if duel.lead() > 0.0 { "beats" } else { "does not beat" },
                duel.rival,
                share(duel.best_published),
                duel.lead()
            )
        };
        self.measured.duels().into_iter().map(verdict).collect()
    }

    /// Which topics were left out, and why.
    pub fn omissions(&self) -> Vec<String> {
        let omission = |left: &LeftOut| {
            format!(
                "left out with {} examples: {} {}, which has {} pages to learn from and needs {}",
                left.positives, left.data, left.topic, left.found, left.needed
            )
        };
        self.measured.left_out.iter().map(omission).collect()
    }

    /// One row for each data set and model; within a cell one figure for each number of examples.
    fn grid(&self) -> Grid {
        let means = self.measured.means();
        let mut positives: Vec<usize> = means.iter().map(|mean| mean.positives).collect();
        positives.sort_unstable();
        positives.dedup();
        let each: Vec<String> = positives.iter().map(usize::to_string).collect();
        let each = each.join("/");
        let mut head = vec!["data".to_owned(), "model".to_owned()];
        let figures = ["F1", "max F1", "AP", "ECE", "pages/CPU-s"];
        head.extend(figures.map(|name| format!("{name} {each}")));
        let mut rows: Vec<Vec<String>> = Vec::new();
        let mut done: Vec<(&str, &str)> = Vec::new();
        for mean in &means {
            let key = (mean.data.as_str(), mean.model.as_str());
            if !done.contains(&key) {
                done.push(key);
                rows.push(row(&means, key, &positives));
            }
        }
        Grid { title: "Models on labelled pages, means over topics".to_owned(), head, rows }
    }

    /// The report as a page that needs no other file.
    pub fn html(&self) -> String {
        let mut body = String::new();
        let mut put = |text: &str| body.push_str(text);
        put(&format!("<h1>{TITLE}</h1>\n<p>{}</p>\n", escaped(&self.method)));
        put(&listed("The default against the published models", &self.verdicts()));
        for grid in self.grids() {
            put(&html_table(&grid));
        }
        put(&listed("Left out", &self.omissions()));
        put(&format!("<h2>Plots</h2>\n{}", plots::sheet(&self.measured).svg()));
        html_page(TITLE, &body)
    }

    /// The plots of the report as one SVG document.
    pub fn svg(&self) -> String {
        plots::sheet(&self.measured).svg()
    }
}

const TITLE: &str = "How well relevance models judge";

const STYLE: &str = "body{font-family:sans-serif;margin:2em;color:#222}\
    table{border-collapse:collapse;font-size:85%}\
    td,th{padding:.25em .7em;border-bottom:1px solid #ddd;text-align:left;\
    font-variant-numeric:tabular-nums}svg{max-width:100%;height:auto}";

/// A page that needs no other file.
pub(crate) fn html_page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

/// The figures of one model on one set.
fn row(means: &[Mean], (data, model): (&str, &str), positives: &[usize]) -> Vec<String> {
    let of = |figure: fn(&Mean) -> String| -> String {
        let cell = |positives: &usize| {
            let found = means.iter().find(|mean| {
                (mean.data.as_str(), mean.model.as_str(), mean.positives)
                    == (data, model, *positives)
            });
            found.map_or_else(|| "-".to_owned(), figure)
        };
        positives.iter().map(cell).collect::<Vec<_>>().join(" ")
    };
    let mark = if model == DEFAULT_MODEL { " (default)" } else { "" };
    vec![
        data.to_owned(),
        format!("{model}{mark}"),
        of(|mean| share(mean.f1)),
        of(|mean| share(mean.max_f1)),
        of(|mean| share(mean.pr_auc)),
        of(|mean| share(mean.ece)),
        of(|mean| format!("{:.0}", mean.pages_per_cpu_s)),
    ]
}

fn mixed_grid(mixed: &[Mixed]) -> Grid {
    let head =
        ["data", "model", "page recall", "block recall", "page AP", "block AP", "best block right"];
    let row = |mixed: &Mixed| {
        let figures = [
            mixed.page_recall,
            mixed.block_recall,
            mixed.page_ap,
            mixed.block_ap,
            mixed.best_block_is_relevant,
        ];
        let names = [mixed.data.clone(), mixed.model.clone()];
        names.into_iter().chain(figures.map(share)).collect()
    };
    Grid {
        title: "Pages that mix topics, recalls where one in twenty others passes".to_owned(),
        head: head.map(str::to_owned).to_vec(),
        rows: mixed.iter().map(row).collect(),
    }
}

fn ablation_grid(ablation: &[Ablated]) -> Grid {
    let row = |ablated: &Ablated| {
        vec![
            ablated.data.clone(),
            ablated.positives.to_string(),
            ablated.without.clone(),
            share(ablated.f1),
            format!("{:+.3}", ablated.difference),
            share(ablated.pr_auc),
        ]
    };
    Grid {
        title: format!("The default ({DEFAULT_MODEL}) without its parts"),
        head: ["data", "examples", "without", "F1", "difference", "AP"].map(str::to_owned).to_vec(),
        rows: ablation.iter().map(row).collect(),
    }
}

/// Three digits after the point, as papers write them: `.873`.
pub(crate) fn share(value: f64) -> String {
    let text = format!("{value:.3}");
    text.strip_prefix('0').map_or(text.clone(), str::to_owned)
}

pub(crate) fn html_table(grid: &Grid) -> String {
    let mut html = format!("<h2>{}</h2>\n<table>\n<tr>", escaped(&grid.title));
    for name in &grid.head {
        write!(html, "<th>{}</th>", escaped(name)).expect("a string takes everything");
    }
    html.push_str("</tr>\n");
    for row in &grid.rows {
        let cells: String = row.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
        writeln!(html, "<tr>{cells}</tr>").expect("a string takes everything");
    }
    html.push_str("</table>\n");
    html
}

pub(crate) fn listed(title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items: String = lines.iter().map(|line| format!("<li>{}</li>\n", escaped(line))).collect();
    format!("<h2>{title}</h2>\n<ul>\n{items}</ul>\n")
}
