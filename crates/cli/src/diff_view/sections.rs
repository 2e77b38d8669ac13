//! Which lines to show: those that changed, and a few around them.

use std::ops::Range;

use gannet_change::diff::{Diff, Hunk, Line, Rewrite};

/// One line of one or both versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row<'a> {
    /// In both.
    Kept(&'a Line),
    /// In the older alone.
    Removed(&'a Line),
    /// In the newer alone.
    Added(&'a Line),
    /// One of each.
    Rewritten(&'a Rewrite),
}

/// Changes close to each other, with the lines around them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section<'a> {
    /// The heading of the newer version under which the first change stands.
    pub(super) heading: Option<String>,
    /// Which lines of the older version, the first being 1.
    pub(super) old_lines: Range<usize>,
    /// Which lines of the newer version, the first being 1.
    pub(super) new_lines: Range<usize>,
    /// The lines, in order.
    pub(super) rows: Vec<Row<'a>>,
}

/// The sections of a diff, each change with `context` lines before and after.
pub(super) fn cut(diff: &Diff, context: usize) -> Vec<Section<'_>> {
    let rows: Vec<Row<'_>> = diff.hunks().iter().flat_map(rows_of).collect();
    let mut sections = Vec::new();
    let mut reader = Reader::default();
    let mut at = 0;
    for range in ranges(&rows, context) {
        reader.pass(&rows[at..range.start]);
        at = range.end;
        sections.push(reader.section(&rows[range]));
    }
    sections
}

fn rows_of(hunk: &Hunk) -> Vec<Row<'_>> {
    match hunk {
        Hunk::Kept { lines } => lines.iter().map(Row::Kept).collect(),
        Hunk::Removed { lines } => lines.iter().map(Row::Removed).collect(),
        Hunk::Added { lines } => lines.iter().map(Row::Added).collect(),
        Hunk::Replaced { rewrites } => rewrites.iter().map(Row::Rewritten).collect(),
    }
}

/// Where sections begin and end. Those that touch are one.
fn ranges(rows: &[Row<'_>], context: usize) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for at in (0..rows.len()).filter(|at| rows[*at].is_change()) {
        let start = at.saturating_sub(context);
        let end = at.saturating_add(context).saturating_add(1).min(rows.len());
        match ranges.last_mut() {
            Some(last) if start <= last.end => last.end = end,
            _ => ranges.push(start..end),
        }
    }
    ranges
}

impl Row<'_> {
    /// True for all but kept lines.
    pub(super) fn is_change(&self) -> bool {
        !matches!(self, Row::Kept(_))
    }
}

/// Reads rows from the first to the last, and knows where it is.
#[derive(Default)]
struct Reader {
    /// Lines of the older version passed.
    old: usize,
    /// Lines of the newer version passed.
    new: usize,
    /// The last heading of the newer version passed.
    heading: Option<String>,
}

impl Reader {
    fn pass(&mut self, rows: &[Row<'_>]) {
        for row in rows {
            self.old += usize::from(!matches!(row, Row::Added(_)));
            self.new += usize::from(!matches!(row, Row::Removed(_)));
            match row {
                Row::Kept(line) | Row::Added(line) if line.heading.is_some() => {
                    self.heading = Some(line.text.clone());
                }
                Row::Rewritten(rewrite) if rewrite.new_heading.is_some() => {
                    self.heading = Some(rewrite.new_line().text);
                }
                Row::Kept(_) | Row::Added(_) | Row::Rewritten(_) | Row::Removed(_) => {}
            }
        }
    }

    fn section<'a>(&mut self, rows: &[Row<'a>]) -> Section<'a> {
        let (old, new) = (self.old + 1, self.new + 1);
        let first_change = rows.iter().take_while(|row| !row.is_change()).count();
        self.pass(&rows[..first_change]);
        let heading = self.heading.clone();
        self.pass(&rows[first_change..]);
        Section {
            heading,
            old_lines: old..self.old + 1,
            new_lines: new..self.new + 1,
            rows: rows.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use gannet_change::diff::diff;

    use super::*;

    /// Lines of one letter; capitals are headings.
    fn lines(text: &str) -> Vec<Line> {
        let line = |c: char| match c.is_uppercase() {
            true => Line::heading(2, &c.to_string()),
            false => Line::passage(&c.to_string()),
        };
        text.chars().map(line).collect()
    }

    /// Each section as its heading, its lines in both versions, and how many rows it has.
    #[track_caller]
    fn check(old: &str, new: &str, context: usize, expected: &[&str]) {
        let diff = diff(&lines(old), &lines(new));
        let told = |section: Section<'_>| {
            let heading = section.heading.unwrap_or_default();
            format!(
                "{heading} {:?} {:?} {}",
                section.old_lines,
                section.new_lines,
                section.rows.len()
            )
        };
        assert_eq!(cut(&diff, context).into_iter().map(told).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn changes_are_shown_with_the_lines_around_them() {
        check("abcdefgh", "abcdxfgh", 1, &[" 4..7 4..7 3"]);
        check("abcdefgh", "abcdxfgh", 0, &[" 5..6 5..6 1"]);
        check("abcdefgh", "abcdefg", usize::MAX, &[" 1..9 1..8 8"]);
        check("abc", "abc", 3, &[]);
    }

    #[test]
    fn changes_close_to_each_other_share_a_section() {
        check("abcdefgh", "xbcdefgy", 3, &[" 1..9 1..9 8"]);
        check("abcdefgh", "xbcdefgy", 2, &[" 1..4 1..4 3", " 6..9 6..9 3"]);
    }

    #[test]
    fn a_section_tells_the_heading_above_its_first_change() {
        check("AabBcd", "AabBcdx", 0, &["B 7..7 7..8 1"]);
        check("AabBcd", "AxbBcd", 9, &["A 1..7 1..7 6"]);
        check("Aab", "Bab", 1, &[" 1..3 1..3 2"]);
    }
}
