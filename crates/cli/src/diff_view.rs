//! What changed between two versions of a page, as a person or a program reads it.
//!
//! It shows a [`Diff`] that somebody else made: inline by words, as a unified
//! diff, in two columns, as HTML for a feed, or as JSON. All but the last show
//! the lines around each change and leave out the rest. What they say makes
//! sense without colours.

mod blocks;
mod character_width;
mod columns;
mod html;
mod sections;
mod words;

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use gannet_change::diff::{Counts, Diff, Line};
use serde::Serialize;

use crate::table::one_line;
use sections::Section;

/// How to show a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Layout {
    /// Line by line, with `[-words removed-]` and `{+words added+}`.
    #[default]
    Words,
    /// Lines removed after `-`, lines added after `+`, as in a unified diff.
    Blocks,
    /// The older version on the left, the newer on the right.
    SideBySide,
    /// A fragment of HTML with `<ins>` and `<del>`.
    Html,
    /// Everything, for programs.
    Json,
}

/// How to show it, and what its versions are called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    /// What the older version is called, such as "version 3, 2026-11-02 10:00".
    pub(crate) old_title: &'a str,
    /// What the newer version is called.
    pub(crate) new_title: &'a str,
    /// In which way.
    pub(crate) layout: Layout,
    /// How many lines to show before and after a change. JSON has all.
    pub(crate) context: usize,
    /// How many columns two versions side by side may take together.
    pub(crate) width: usize,
}

const HEAD: Style = Style::new().bold();
const MARKER: Style = AnsiColor::Cyan.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const STRUCK: Style = REMOVED.strikethrough();
const ADDED: Style = AnsiColor::Green.on_default();

/// What to say when there is nothing to show.
const SAME: &str = "Both versions say the same.";

impl View<'_> {
    /// Writes the difference.
    pub(crate) fn write(&self, diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
        let sections = sections::cut(diff, self.context);
        match self.layout {
            Layout::Words => words::write(self, diff, &sections, out),
            Layout::Blocks => blocks::write(self, diff, &sections, out),
            Layout::SideBySide => columns::write(self, diff, &sections, out),
            Layout::Html => html::write(self, diff, &sections, out),
            Layout::Json => self.write_json(diff, out),
        }
    }

    fn write_json(&self, diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
        #[derive(Serialize)]
        struct Report<'a> {
            old: &'a str,
            new: &'a str,
            #[serde(flatten)]
            diff: &'a Diff,
        }
        let report = Report { old: self.old_title, new: self.new_title, diff };
        serde_json::to_writer_pretty(&mut *out, &report)?;
        writeln!(out)
    }

    /// The two titles and how much changed.
    fn write_head(&self, diff: &Diff, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{HEAD}--- {}{HEAD:#}", one_line(self.old_title))?;
        writeln!(out, "{HEAD}+++ {}{HEAD:#}", one_line(self.new_title))?;
        writeln!(out, "{}", summary(diff))
    }
}

/// How much changed, in a sentence.
fn summary(diff: &Diff) -> String {
    if diff.is_empty() {
        return SAME.to_owned();
    }
    let Counts { words_added, words_removed, lines_added, lines_removed } = diff.counts();
    format!(
        "{} added and {words_removed} removed, in {} added and {lines_removed} removed.",
        counted(words_added, "word"),
        counted(lines_added, "line"),
    )
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Where a section stands in both versions, and under which heading.
fn write_marker(section: &Section<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (old, new) = (&section.old_lines, &section.new_lines);
    let heading = section.heading.as_ref().map(|heading| format!(" {}", one_line(heading)));
    writeln!(
        out,
        "{MARKER}@@ -{},{} +{},{} @@{MARKER:#}{}",
        old.start,
        old.len(),
        new.start,
        new.len(),
        heading.unwrap_or_default()
    )
}

/// What stands before a heading so that it is known for one: `## `.
fn heading_mark(level: Option<u8>) -> String {
    level.map(|level| "#".repeat(level.into()) + " ").unwrap_or_default()
}

/// A line as it is shown, safe for a terminal.
fn shown(line: &Line) -> String {
    heading_mark(line.heading) + &one_line(&line.text)
}

#[cfg(test)]
mod tests;
