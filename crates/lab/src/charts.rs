//! Charts as SVG: grouped bars and lines, with axes, legend and title.
//!
//! A [`Sheet`] of charts is one self-contained drawing that any browser shows.
//! Colours can be told apart by everyone (Okabe and Ito); where there are more
//! series than colours, bars are hatched and lines are dashed. All text is
//! escaped. What is drawn is the caller's business.

use std::fmt::Write;

mod axis;
mod legend;

use axis::Axis;

/// Charts in rows under a title.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// What all of it shows.
    pub title: String,
    /// Rows of charts.
    pub rows: Vec<Vec<Chart>>,
}

/// One chart.
#[derive(Clone, Debug)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What the axis to the right measures.
    pub x_label: String,
    /// What the axis upward measures.
    pub y_label: String,
    /// The axes of numbers reach at least this far: 1 for shares, so that charts can be compared.
    pub least_end: f64,
    /// How wide it is drawn.
    pub width: f64,
    /// What is drawn.
    pub content: Content,
}

/// What a chart draws.
#[derive(Clone, Debug)]
pub enum Content {
    /// A bar for each series in each group.
    Bars {
        /// Names of the groups, from left to right.
        groups: Vec<String>,
        /// What is measured in each group; `None` where nothing was.
        series: Vec<(String, Vec<Option<f64>>)>,
    },
    /// A line for each series.
    Lines {
        /// Points from left to right.
        series: Vec<(String, Vec<(f64, f64)>)>,
        /// Whether the line `y = x` is drawn for comparison.
        has_diagonal: bool,
    },
}

/// How high a chart is without its legend.
const HEIGHT: f64 = 280.0;
/// Room around the plot for title, numbers and labels.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 46.0;
/// Room between charts and above the first.
const GAP: f64 = 16.0;
const SHEET_TOP: f64 = 40.0;

/// Colours that people with any colour vision can tell apart (Okabe and Ito 2008), the strongest
/// first and yellow, which is weak on white, last.
const COLOURS: [&str; 8] =
    ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#f0e442"];

impl Sheet {
    /// The sheet as an SVG document.
    pub fn svg(&self) -> String {
        let row_width =
            |row: &Vec<Chart>| row.iter().map(|chart| chart.width + GAP).sum::<f64>() + GAP;
        let width = self.rows.iter().map(row_width).fold(320.0, f64::max);
        let mut drawn = String::new();
        let mut top = SHEET_TOP;
        for row in &self.rows {
            let mut left = GAP;
            for chart in row {
                chart.draw(&mut drawn, left, top);
                left += chart.width + GAP;
            }
            top += row.iter().map(Chart::height).fold(0.0, f64::max) + GAP;
        }
        let title = escaped(&self.title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{top:.0}\" \
             viewBox=\"0 0 {width:.0} {top:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <title>{title}</title>\n{HATCHES}\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <text x=\"{GAP}\" y=\"25\" font-size=\"17\" font-weight=\"bold\">{title}</text>\n\
             {drawn}</svg>\n"
        )
    }
}

/// White stripes over bars whose colour was used before.
const HATCHES: &str = "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" \
     patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
     <rect width=\"2\" height=\"5\" fill=\"#ffffff\"/></pattern></defs>\n";

/// Where the plot stands within a chart.
#[derive(Clone, Copy)]
struct Plot {
    width: f64,
    height: f64,
}

impl Plot {
    fn x(self, share: f64) -> f64 {
        LEFT + share * self.width
    }

    fn y(self, share: f64) -> f64 {
        TOP + (1.0 - share) * self.height
    }
}

impl Chart {
    fn height(&self) -> f64 {
        HEIGHT + legend::height(&self.names(), self.width - LEFT)
    }

    fn names(&self) -> Vec<&str> {
        match &self.content {
            Content::Bars { series, .. } => series.iter().map(|(name, _)| name.as_str()).collect(),
            Content::Lines { series, .. } => series.iter().map(|(name, _)| name.as_str()).collect(),
        }
    }

    fn draw(&self, out: &mut String, left: f64, top: f64) {
        let plot = Plot { width: self.width - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM };
        put(out, format_args!("<g transform=\"translate({left:.1},{top:.1})\">\n"));
        text(out, (LEFT, 20.0), "start", " font-size=\"13\" font-weight=\"bold\"", &self.title);
        let middle = TOP + plot.height / 2.0;
        let turned = format!(" transform=\"rotate(-90 14 {middle:.1})\"");
        text(out, (14.0, middle), "middle", &turned, &self.y_label);
        let under = (LEFT + plot.width / 2.0, HEIGHT - 10.0);
        text(out, under, "middle", "", &self.x_label);
        match &self.content {
            Content::Bars { groups, series } => {
                draw_bars(out, plot, groups, series, self.least_end);
            }
            Content::Lines { series, has_diagonal } => {
                draw_lines(out, plot, series, self.least_end, *has_diagonal);
            }
        }
        put(
            out,
            format_args!(
                "<path d=\"M{LEFT:.1} {TOP:.1}V{:.1}H{:.1}\" fill=\"none\" stroke=\"#333333\"/>\n",
                plot.y(0.0),
                plot.x(1.0)
            ),
        );
        legend::draw(
            out,
            &self.names(),
            self.width - LEFT,
            matches!(self.content, Content::Bars { .. }),
        );
        out.push_str("</g>\n");
    }
}

/// Numbers and faint lines across the plot.
fn draw_upward_axis(out: &mut String, plot: Plot, axis: &Axis) {
    for tick in axis.ticks() {
        let y = plot.y(axis.share(tick));
        put(
            out,
            format_args!("<path d=\"M{LEFT:.1} {y:.1}H{:.1}\" stroke=\"#e3e3e3\"/>\n", plot.x(1.0)),
        );
        text(out, (LEFT - 6.0, y + 4.0), "end", "", &axis.label(tick));
    }
}

fn draw_bars(
    out: &mut String,
    plot: Plot,
    groups: &[String],
    series: &[(String, Vec<Option<f64>>)],
    least_end: f64,
) {
    let values = series.iter().flat_map(|(_, values)| values.iter().flatten().copied());
    let axis = Axis::holding(values.chain([least_end]));
    draw_upward_axis(out, plot, &axis);
    let group_width = plot.width / groups.len().max(1) as f64;
    // A bar's width stays free between groups.
    let bar = group_width / (series.len() as f64 + 1.0);
    for (at, group) in groups.iter().enumerate() {
        let start = LEFT + group_width * at as f64 + bar / 2.0;
        let middle = LEFT + group_width * (at as f64 + 0.5);
        text(out, (middle, HEIGHT - BOTTOM + 16.0), "middle", "", group);
        for (nth, (name, values)) in series.iter().enumerate() {
            let Some(value) = values.get(at).copied().flatten().filter(|value| value.is_finite())
            else {
                continue;
            };
            let y = plot.y(axis.share(value));
            let place = format!(
                "x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\"",
                start + bar * nth as f64,
                bar * 0.92,
                plot.y(0.0) - y
            );
            put(
                out,
                format_args!(
                    "<rect {place} fill=\"{}\"><title>{}: {value:.3}</title></rect>\n",
                    colour(nth),
                    escaped(name)
                ),
            );
            if is_repeated(nth) {
                put(out, format_args!("<rect {place} fill=\"url(#hatch)\"/>\n"));
            }
        }
    }
}

fn draw_lines(
    out: &mut String,
    plot: Plot,
    series: &[(String, Vec<(f64, f64)>)],
    least_end: f64,
    has_diagonal: bool,
) {
    let points = || series.iter().flat_map(|(_, points)| points.iter().copied());
    let across = Axis::holding(points().map(|at| at.0).chain([least_end]));
    let up = Axis::holding(points().map(|at| at.1).chain([least_end]));
    draw_upward_axis(out, plot, &up);
    for tick in across.ticks() {
        let x = plot.x(across.share(tick));
        text(out, (x, HEIGHT - BOTTOM + 16.0), "middle", "", &across.label(tick));
    }
    if has_diagonal {
        let end = across.end().min(up.end());
        put(
            out,
            format_args!(
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#888888\" \
                 stroke-dasharray=\"2 3\"/>\n",
                plot.x(0.0),
                plot.y(0.0),
                plot.x(across.share(end)),
                plot.y(up.share(end))
            ),
        );
    }
    for (nth, (_, points)) in series.iter().enumerate() {
        let is_drawable = |at: &&(f64, f64)| at.0.is_finite() && at.1.is_finite();
        let place = |at: &(f64, f64)| (plot.x(across.share(at.0)), plot.y(up.share(at.1)));
        let places: Vec<_> = points.iter().filter(is_drawable).map(place).collect();
        draw_line(out, &places, nth);
    }
}

/// Points of a line that are marked one by one, at most; more would hide the line.
const MOST_MARKED: usize = 20;

fn draw_line(out: &mut String, places: &[(f64, f64)], nth: usize) {
    let (colour, dashes) = (colour(nth), dashes(nth));
    let mut path = String::new();
    for (x, y) in places {
        let step = if path.is_empty() { 'M' } else { 'L' };
        put(&mut path, format_args!("{step}{x:.1} {y:.1}"));
    }
    if places.len() > 1 {
        put(
            out,
            format_args!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>\n"
            ),
        );
    }
    if places.len() <= MOST_MARKED {
        for (x, y) in places {
            let place = format!("cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"");
            put(out, format_args!("<circle {place} fill=\"{colour}\"/>\n"));
        }
    }
}

fn colour(series: usize) -> &'static str {
    COLOURS[series % COLOURS.len()]
}

/// Whether an earlier series has the same colour.
fn is_repeated(series: usize) -> bool {
    series >= COLOURS.len()
}

fn dashes(series: usize) -> &'static str {
    if is_repeated(series) { " stroke-dasharray=\"6 3\"" } else { "" }
}

fn text(out: &mut String, (x, y): (f64, f64), anchor: &str, more: &str, words: &str) {
    let words = escaped(words);
    put(
        out,
        format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{more}>{words}</text>\n"
        ),
    );
}

fn put(out: &mut String, what: std::fmt::Arguments<'_>) {
    out.write_fmt(what).expect("a string takes everything");
}

/// Text that is safe in SVG and HTML, in attributes too. Characters that XML forbids are left out.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests;
