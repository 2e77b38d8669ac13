//! Rows with columns: aligned for people, or separated by commas for spreadsheets.

use std::io::{self, Write};

use crate::print;

/// A table under construction.
pub(crate) struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Longer cells are cut, but for the last column: a terminal is only so wide.
const WIDEST: usize = 60;

impl Table {
    pub(crate) fn new(head: &[&str]) -> Table {
        Table { head: head.iter().map(|name| (*name).to_owned()).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| one_line(&cell)).collect());
    }

    /// Writes it to stdout, aligned.
    pub(crate) fn print(&self) -> io::Result<()> {
        let last = self.head.len().saturating_sub(1);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            let widest = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
            widest.min(WIDEST).max(self.head[column].chars().count())
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut out = print::stdout();
        let bold = anstyle::Style::new().bold();
        let head: Vec<String> = self.head.iter().map(|name| name.to_uppercase()).collect();
        writeln!(out, "{bold}{}{bold:#}", aligned(&head, &widths, last))?;
        for row in &self.rows {
            writeln!(out, "{}", aligned(row, &widths, last))?;
        }
        Ok(())
    }
}

fn aligned(cells: &[String], widths: &[usize], last: usize) -> String {
    let mut line = String::new();
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        if column == last {
            line.push_str(cell);
        } else if cell.chars().count() > *width {
            line.extend(cell.chars().take(width.saturating_sub(1)));
            line.push_str("…  ");
        } else {
            line.push_str(&format!("{cell:width$}  "));
        }
    }
    line.trim_end().to_owned()
}

/// Text of pages must not move the cursor or break the table.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// One line of comma-separated values, quoted as RFC 4180 says.
///
/// A cell that a spreadsheet would take for a formula is quoted with an apostrophe: titles come
/// from the web.
pub(crate) fn csv_line(cells: &[String]) -> String {
    let quoted = cells.iter().map(|cell| {
        let is_number = cell.parse::<f64>().is_ok();
        let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number;
        let safe = if is_formula { format!("'{cell}") } else { cell.clone() };
        match safe.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", safe.replace('"', "\"\"")),
            false => safe,
        }
    });
    quoted.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(cell: &str, expected: &str) {
        assert_eq!(csv_line(&[cell.to_owned()]), expected);
    }

    #[test]
    fn cells_with_commas_quotes_or_formulas_are_made_safe() {
        check("plain", "plain");
        check("a,b", "\"a,b\"");
        check("say \"hi\"", "\"say \"\"hi\"\"\"");
        check("=HYPERLINK(1)", "'=HYPERLINK(1)");
        check("-0.5", "-0.5");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(one_line("a\u{1b}[31mb\nc"), "a [31mb c");
    }

    #[test]
    fn long_cells_are_cut_but_for_the_last() {
        let cells = ["x".repeat(10), "y".repeat(10)];
        assert_eq!(aligned(&cells, &[5, 5], 1), format!("xxxx…  {}", "y".repeat(10)));
    }
}
