//! Line by line, with `[-words removed-]` and `{+words added+}`.

use std::io::{self, Write};

use gannet_change::diff::{Diff, Piece, Rewrite};

use super::sections::{Row, Section};
use super::{ADDED, HEAD, STRUCK, View, heading_mark, shown, write_marker};
use crate::table::one_line;

/// Writes titles and sections.
pub(super) fn write(
    view: &View<'_>,
    diff: &Diff,
    sections: &[Section<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    view.write_head(diff, out)?;
    for section in sections {
        write_marker(section, out)?;
        for row in &section.rows {
            writeln!(out, "  {}", inline(row))?;
        }
    }
    Ok(())
}

fn inline(row: &Row<'_>) -> String {
    match row {
        Row::Kept(line) if line.heading.is_some() => format!("{HEAD}{}{HEAD:#}", shown(line)),
        Row::Kept(line) => shown(line),
        Row::Removed(line) => removed(&shown(line)),
        Row::Added(line) => added(&shown(line)),
        Row::Rewritten(rewrite) => rewritten(rewrite),
    }
}

fn rewritten(rewrite: &Rewrite) -> String {
    let (old, new) = (heading_mark(rewrite.old_heading), heading_mark(rewrite.new_heading));
    let mark = if old == new { new } else { removed(&old) + &added(&new) };
    let pieces = rewrite.pieces.iter().map(|piece| match piece {
        Piece::Kept(text) => one_line(text),
        Piece::Removed(text) => removed(&one_line(text)),
        Piece::Added(text) => added(&one_line(text)),
    });
    mark + &pieces.collect::<String>()
}

fn removed(text: &str) -> String {
    match text {
        "" => String::new(),
        _ => format!("{STRUCK}[-{text}-]{STRUCK:#}"),
    }
}

fn added(text: &str) -> String {
    match text {
        "" => String::new(),
        _ => format!("{ADDED}{{+{text}+}}{ADDED:#}"),
    }
}
