//! A fragment of HTML with `<ins>` and `<del>`, such as an entry of a feed may hold.
//!
//! It needs no style sheet, is well-formed XML as well, and everything that
//! comes from a page is escaped. Headings are mere bold paragraphs: the
//! fragment must not disturb the outline of what it is put in.

use std::io::{self, Write};

use gannet_change::diff::{Diff, Line, Piece, Rewrite};

use super::sections::{Row, Section};
use super::{View, summary};

/// Writes titles and sections.
pub(super) fn write(
    view: &View<'_>,
    diff: &Diff,
    sections: &[Section<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    let (old, new) = (escaped(view.old_title), escaped(view.new_title));
    writeln!(out, "<div>")?;
    writeln!(out, "<p>From <b>{old}</b> to <b>{new}</b>: {}</p>", escaped(&summary(diff)))?;
    for section in sections {
        writeln!(out, "<hr/>")?;
        if let Some(heading) = &section.heading {
            writeln!(out, "<p><i>Under “{}”</i></p>", escaped(heading))?;
        }
        for row in &section.rows {
            writeln!(out, "<p>{}</p>", paragraph(row))?;
        }
    }
    writeln!(out, "</div>")
}

fn paragraph(row: &Row<'_>) -> String {
    match row {
        Row::Kept(line) => styled(line),
        Row::Removed(line) => format!("<del>{}</del>", styled(line)),
        Row::Added(line) => format!("<ins>{}</ins>", styled(line)),
        Row::Rewritten(rewrite) => rewritten(rewrite),
    }
}

fn styled(line: &Line) -> String {
    bold_if_heading(line.heading, escaped(&line.text))
}

fn bold_if_heading(level: Option<u8>, html: String) -> String {
    match level {
        Some(_) => format!("<b>{html}</b>"),
        None => html,
    }
}

fn rewritten(rewrite: &Rewrite) -> String {
    let pieces = rewrite.pieces.iter().map(|piece| match piece {
        Piece::Kept(text) => escaped(text),
        Piece::Removed(text) => format!("<del>{}</del>", escaped(text)),
        Piece::Added(text) => format!("<ins>{}</ins>", escaped(text)),
    });
    let line = bold_if_heading(rewrite.new_heading, pieces.collect());
    if rewrite.old_heading == rewrite.new_heading {
        return line;
    }
    let (old, new) = (called(rewrite.old_heading), called(rewrite.new_heading));
    format!("{line} <i>(was {old}, is {new})</i>")
}

fn called(heading: Option<u8>) -> String {
    match heading {
        Some(level) => format!("a heading of level {level}"),
        None => "no heading".to_owned(),
    }
}

/// Text that no reader takes for markup. What XML 1.0 does not allow at all, and an Atom feed
/// therefore cannot hold even as a number, becomes a replacement character.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            '\t' | '\n' | '\r' => html.push(c),
            '\u{fffe}' | '\u{ffff}' => html.push('\u{fffd}'),
            _ if c.is_control() => html.push('\u{fffd}'),
            _ => html.push(c),
        }
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup_or_breaks_xml() {
        let hostile = "<script>alert('&\"')</script>\u{0}\u{1b}\u{ffff}";
        let safe =
            "&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;\u{fffd}\u{fffd}\u{fffd}";
        assert_eq!(escaped(hostile), safe);
    }
}
