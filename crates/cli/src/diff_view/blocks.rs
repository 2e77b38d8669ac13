//! Lines removed after `-`, lines added after `+`, as in a unified diff.

use std::io::{self, Write};

use anstyle::Style;
use gannet_change::diff::{Diff, Line};

use super::sections::{Row, Section};
use super::{ADDED, REMOVED, View, shown, write_marker};

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
        for rows in section.rows.chunk_by(|one, next| one.is_change() == next.is_change()) {
            write_rows(rows, out)?;
        }
    }
    Ok(())
}

/// Writes kept rows, or changed ones: first all that is gone, then all that came instead.
fn write_rows(rows: &[Row<'_>], out: &mut dyn Write) -> io::Result<()> {
    for row in rows {
        match row {
            Row::Kept(line) => writeln!(out, "  {}", shown(line))?,
            Row::Removed(line) => write_line("- ", line, REMOVED, out)?,
            Row::Rewritten(rewrite) => write_line("- ", &rewrite.old_line(), REMOVED, out)?,
            Row::Added(_) => {}
        }
    }
    for row in rows {
        match row {
            Row::Added(line) => write_line("+ ", line, ADDED, out)?,
            Row::Rewritten(rewrite) => write_line("+ ", &rewrite.new_line(), ADDED, out)?,
            Row::Kept(_) | Row::Removed(_) => {}
        }
    }
    Ok(())
}

fn write_line(sign: &str, line: &Line, style: Style, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{style}{sign}{}{style:#}", shown(line))
}
