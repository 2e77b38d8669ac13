//! The older version on the left, the newer on the right.
//!
//! Between them `|` marks a line that was rewritten, `<` one that is gone and
//! `>` one that is new, as `sdiff` does. Words that differ are coloured; who
//! has no colours sees them better inline.

use std::io::{self, Write};

use anstyle::Style;
use gannet_change::diff::{Diff, Line, Piece, Rewrite};

use super::character_width::{character_width, text_width};
use super::sections::{Row, Section};
use super::{ADDED, HEAD, REMOVED, View, heading_mark, shown, summary, write_marker};
use crate::table::one_line;

/// Narrower columns show nothing worth reading, even if they are too wide for the terminal.
const NARROWEST: usize = 12;

/// Columns between the two sides: a blank, the sign, a blank.
const BETWEEN: usize = 3;

/// Plain text.
const PLAIN: Style = Style::new();

/// A text in which some words are coloured.
type Spans = Vec<(Style, String)>;

/// Writes titles and sections.
pub(super) fn write(
    view: &View<'_>,
    diff: &Diff,
    sections: &[Section<'_>],
    out: &mut dyn Write,
) -> io::Result<()> {
    let width = (view.width.saturating_sub(BETWEEN) / 2).max(NARROWEST);
    let title = |title: &str| vec![(HEAD, one_line(title))];
    write_pair(title(view.old_title), ' ', title(view.new_title), width, out)?;
    writeln!(out, "{}", summary(diff))?;
    for section in sections {
        write_marker(section, out)?;
        for row in &section.rows {
            let (left, sign, right) = sides(row);
            write_pair(left, sign, right, width, out)?;
        }
    }
    Ok(())
}

/// What stands on the left, between and on the right.
fn sides(row: &Row<'_>) -> (Spans, char, Spans) {
    let all = |style: Style, line: &Line| vec![(style, shown(line))];
    match row {
        Row::Kept(line) => (all(PLAIN, line), ' ', all(PLAIN, line)),
        Row::Removed(line) => (all(REMOVED, line), '<', Spans::new()),
        Row::Added(line) => (Spans::new(), '>', all(ADDED, line)),
        Row::Rewritten(rewrite) => (old_side(rewrite), '|', new_side(rewrite)),
    }
}

fn old_side(rewrite: &Rewrite) -> Spans {
    let mut spans = vec![(PLAIN, heading_mark(rewrite.old_heading))];
    for piece in &rewrite.pieces {
        match piece {
            Piece::Kept(text) => spans.push((PLAIN, one_line(text))),
            Piece::Removed(text) => spans.push((REMOVED, one_line(text))),
            Piece::Added(_) => {}
        }
    }
    spans
}

fn new_side(rewrite: &Rewrite) -> Spans {
    let mut spans = vec![(PLAIN, heading_mark(rewrite.new_heading))];
    for piece in &rewrite.pieces {
        match piece {
            Piece::Kept(text) => spans.push((PLAIN, one_line(text))),
            Piece::Added(text) => spans.push((ADDED, one_line(text))),
            Piece::Removed(_) => {}
        }
    }
    spans
}

/// Writes two texts beside each other, each folded to its column.
fn write_pair(
    left: Spans,
    sign: char,
    right: Spans,
    width: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (left, right) = (folded(&left, width), folded(&right, width));
    for at in 0..left.len().max(right.len()) {
        let nothing = Spans::new();
        let (left, right) = (left.get(at).unwrap_or(&nothing), right.get(at).unwrap_or(&nothing));
        let used: usize = left.iter().map(|(_, text)| text_width(text)).sum();
        let gap = " ".repeat(width.saturating_sub(used));
        let line = format!("{}{gap} {sign} {}", painted(left), painted(right));
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

fn painted(spans: &Spans) -> String {
    spans.iter().map(|(style, text)| format!("{style}{text}{style:#}")).collect()
}

/// Cuts a text into rows that fit, at blanks where it can.
fn folded(spans: &Spans, width: usize) -> Vec<Spans> {
    let letters: Vec<(Style, char)> = spans
        .iter()
        .flat_map(|(style, text)| text.chars().map(|letter| (*style, letter)))
        .collect();
    let mut rows = Vec::new();
    let mut rest = letters.as_slice();
    while !rest.is_empty() {
        let (row, next) = rest.split_at(row_end(rest, width));
        rows.push(joined(row));
        let is_blank = |letter: &&(Style, char)| letter.1 == ' ';
        rest = &next[next.iter().take_while(is_blank).count()..];
    }
    rows
}

/// How many letters go into the first row, at least one.
fn row_end(letters: &[(Style, char)], width: usize) -> usize {
    let mut used = 0;
    let mut last_blank = None;
    for (at, (_, letter)) in letters.iter().enumerate() {
        used += character_width(*letter);
        if used > width && *letter != ' ' {
            return last_blank.unwrap_or(at).max(1);
        }
        if *letter == ' ' && at > 0 {
            last_blank = Some(at);
        }
        if used > width {
            return at.max(1);
        }
    }
    letters.len()
}

/// Letters put together again, those of one style in one span.
fn joined(letters: &[(Style, char)]) -> Spans {
    let same_style = |one: &(Style, char), next: &(Style, char)| one.0 == next.0;
    let spans = letters.chunk_by(same_style);
    spans.map(|span| (span[0].0, span.iter().map(|(_, letter)| letter).collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, width: usize, expected: &[&str]) {
        let rows = folded(&vec![(PLAIN, text.to_owned())], width);
        let rows: Vec<String> = rows.iter().map(painted).collect();
        assert_eq!(rows, expected);
    }

    #[test]
    fn texts_are_folded_at_blanks() {
        check("", 5, &[]);
        check("one", 5, &["one"]);
        check("one two three", 7, &["one two", "three"]);
        check("one two three", 8, &["one two", "three"]);
        check("one two", 3, &["one", "two"]);
    }

    #[test]
    fn words_longer_than_the_column_are_cut() {
        check("abcdefgh", 3, &["abc", "def", "gh"]);
        check("a bcdefgh", 3, &["a", "bcd", "efg", "h"]);
        check("東京大学", 5, &["東京", "大学"]);
        check("cafe\u{301}s", 4, &["cafe\u{301}", "s"]);
        check("東", 1, &["東"]);
    }

    #[test]
    fn colours_survive_folding() {
        let spans = vec![(PLAIN, "one ".to_owned()), (ADDED, "two three".to_owned())];
        let expected = vec![
            vec![(PLAIN, "one ".to_owned()), (ADDED, "two".to_owned())],
            vec![(ADDED, "three".to_owned())],
        ];
        assert_eq!(folded(&spans, 7), expected);
    }
}
