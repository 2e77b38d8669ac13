//! Which colour is which series: the lines of names below a chart.

use super::{HEIGHT, LEFT, colour, dashes, is_repeated, put, text};

/// How high a line of names is.
const LINE: f64 = 16.0;
/// How wide a letter is, about: a legend must not need to measure type.
const LETTER: f64 = 6.2;
/// The sample of the colour and the room around it.
const SAMPLE: f64 = 14.0;
const ROOM: f64 = 18.0;

/// How much room the names take below a chart of this width.
pub(super) fn height(names: &[&str], width: f64) -> f64 {
    places(names, width).last().map_or(0.0, |(_, line)| (*line as f64 + 1.0) * LINE + 4.0)
}

/// Draws the names below the chart.
pub(super) fn draw(out: &mut String, names: &[&str], width: f64, is_bars: bool) {
    for (nth, (name, (x, line))) in names.iter().zip(places(names, width)).enumerate() {
        let y = HEIGHT + line as f64 * LINE + 8.0;
        let (x, colour) = (x + LEFT, colour(nth));
        if is_bars {
            let place =
                format!("x=\"{x:.1}\" y=\"{:.1}\" width=\"{SAMPLE}\" height=\"9\"", y - 8.0);
            put(out, format_args!("<rect {place} fill=\"{colour}\"/>\n"));
            if is_repeated(nth) {
                put(out, format_args!("<rect {place} fill=\"url(#hatch)\"/>\n"));
            }
        } else {
            let (y, dashes) = (y - 4.0, dashes(nth));
            put(
                out,
                format_args!(
                    "<path d=\"M{x:.1} {y:.1}h{SAMPLE}\" stroke=\"{colour}\" \
                     stroke-width=\"2\"{dashes}/>\n"
                ),
            );
        }
        text(out, (x + ROOM, y), "start", "", name);
    }
}

/// Where each name begins: how far from the left, on which line.
fn places(names: &[&str], width: f64) -> Vec<(f64, usize)> {
    let (mut x, mut line) = (0.0, 0);
    let place = |name: &&str| {
        let wide = ROOM + name.chars().count() as f64 * LETTER + ROOM;
        if x > 0.0 && x + wide > width {
            (x, line) = (0.0, line + 1);
        }
        let place = (x, line);
        x += wide;
        place
    };
    names.iter().map(place).collect()
}
