//! Everything that was measured, as one document: JSON for programs, HTML for people.

use gannet_links::DEFAULT_ORDER;
use serde::Serialize;

use super::contestant::ORACLE;
use super::plots;
use super::results::{LeftOut, Mean, Measured, Run, Spread};
use crate::charts::escaped;
use crate::relevance::Grid;
use crate::relevance::report::{html_page, html_table, listed, share};

/// What was measured, and how.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How it was measured, in a few sentences.
    pub method: String,
    /// The figures.
    pub measured: Measured,
}

/// A report as it is written in JSON.
#[derive(Serialize)]
struct Written<'a> {
    default: &'static str,
    web: &'a str,
    method: &'a str,
    runs: &'a [Run],
    means: Vec<Mean>,
    left_out: &'a [LeftOut],
}

impl Serialize for Report {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = Written {
            default: DEFAULT_ORDER,
            web: &self.measured.web,
            method: &self.method,
            runs: &self.measured.runs,
            means: self.measured.means(),
            left_out: &self.measured.left_out,
        };
        written.serialize(serializer)
    }
}

const TITLE: &str = "How much of a topic each ordering finds";

impl Report {
    /// Of a measurement and how it was made.
    pub fn new(method: String, measured: Measured) -> Report {
        Report { method, measured }
    }

    /// Every table of the report.
    pub fn grids(&self) -> Vec<Grid> {
        let means = self.measured.means();
        vec![self.order_grid(&means), self.topic_grid(&means)]
    }

    /// Whether the default is ahead of every other ordering.
    pub fn verdict(&self) -> Option<String> {
        let (own, rival) = self.measured.duel()?;
        let ratio = own.nauc.mean / rival.nauc.mean;
        Some(format!(
            "the default ({}) {} every other ordering: nAUC {} to {} ({}), {ratio:.2} times as much",
            own.order,
            if ratio > 1.0 { "beats" } else { "does not beat" },
            share(own.nauc.mean),
            share(rival.nauc.mean),
            rival.order,
        ))
    }

    /// Which topics were left out, and why.
    pub fn omissions(&self) -> Vec<String> {
        let omission = |left: &LeftOut| {
            format!("left out: {} ({} pages), because {}", left.topic, left.pages, left.because)
        };
        self.measured.left_out.iter().map(omission).collect()
    }

    fn order_grid(&self, means: &[Mean]) -> Grid {
        let head = [
            "order",
            "nAUC",
            "harvest",
            "recall",
            "AUHC",
            "target length",
            "requests/relevant",
            "kB/relevant",
            "pages to 90 %",
            "ms/page",
        ];
        let row = |mean: &Mean| {
            vec![
                called(&mean.order),
                spread(mean.nauc),
                share(mean.harvest.mean),
                share(mean.recall.mean),
                share(mean.auhc.mean),
                format!("{:.1}", mean.target_length.mean),
                format!("{:.1}", mean.requests_per_relevant.mean),
                format!("{:.0}", mean.bytes_per_relevant.mean / 1000.0),
                to_90(mean),
                // The oracle's order is computed by other means; its time would say nothing.
                match mean.order.as_str() {
                    ORACLE => "-".to_owned(),
                    _ => format!("{:.2}", mean.ms_per_page.mean),
                },
            ]
        };
        let runs = means.first().map_or(0, |mean| mean.runs);
        Grid {
            title: format!("{}: means over {runs} crawls", self.measured.web),
            head: head.map(str::to_owned).to_vec(),
            rows: means.iter().map(row).collect(),
        }
    }

    /// nAUC by topic.
    fn topic_grid(&self, means: &[Mean]) -> Grid {
        let mut topics: Vec<&str> = Vec::new();
        for run in &self.measured.runs {
            if !topics.contains(&run.topic.as_str()) {
                topics.push(&run.topic);
            }
        }
        let cell = |order: &str, topic: &str| {
            let is_meant = |run: &&Run| run.order == order && run.topic == topic;
            let runs = self.measured.runs.iter().filter(is_meant);
            share(Spread::of(runs.map(|run| run.nauc)).mean)
        };
        let row = |mean: &Mean| {
            let cells = topics.iter().map(|topic| cell(&mean.order, topic));
            std::iter::once(called(&mean.order)).chain(cells).collect()
        };
        let head = std::iter::once("order").chain(topics.iter().copied());
        Grid {
            title: "nAUC by topic".to_owned(),
            head: head.map(str::to_owned).collect(),
            rows: means.iter().map(row).collect(),
        }
    }

    /// The report as a page that needs no other file.
    pub fn html(&self) -> String {
        let mut body = format!("<h1>{TITLE}</h1>\n<p>{}</p>\n", escaped(&self.method));
        let verdicts: Vec<String> = self.verdict().into_iter().collect();
        body.push_str(&listed("The default against the others", &verdicts));
        body.push_str(&format!("<h2>Plots</h2>\n{}", self.svg()));
        for grid in self.grids() {
            body.push_str(&html_table(&grid));
        }
        body.push_str(&listed("Left out", &self.omissions()));
        html_page(TITLE, &body)
    }

    /// The plots of the report as one SVG document.
    pub fn svg(&self) -> String {
        plots::sheet(&self.measured).svg()
    }
}

/// An order as people read it.
pub(super) fn called(order: &str) -> String {
    if order == DEFAULT_ORDER { format!("{order} (default)") } else { order.to_owned() }
}

fn spread(spread: Spread) -> String {
    format!("{} ± {}", share(spread.mean), share(spread.sd))
}

/// Pages to nine tenths, and how many crawls came so far if not all did.
fn to_90(mean: &Mean) -> String {
    match mean.runs_to_90 {
        0 => "-".to_owned(),
        all if all == mean.runs => format!("{:.0}", mean.pages_to_90.mean),
        some => format!("{:.0} ({some} of {})", mean.pages_to_90.mean, mean.runs),
    }
}
