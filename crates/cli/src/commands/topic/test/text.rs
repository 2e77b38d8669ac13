//! A tested page for people: verdicts first, then why, then where.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::Report;
use super::evidence::Excerpt;
use super::jury::Verdict;
use crate::table::one_line;

const HEAD: Style = Style::new().bold();
const FOR: Style = AnsiColor::Green.on_default().bold();
const AGAINST: Style = AnsiColor::Red.on_default().bold();
/// Blocks shown of one page; a page of ten thousand headings is no reading.
const MOST_BLOCKS: usize = 20;

pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{HEAD}{}{HEAD:#} ({})", one_line(&report.page), report.source)?;
    writeln!(out, "  {:?} (language: {})", one_line(&report.title), report.language)?;
    for verdict in &report.models {
        let called = if verdict.relevant { "relevant" } else { "irrelevant" };
        let Verdict { score, threshold, model, .. } = verdict;
        writeln!(out, "  {model:16} {called:10}  score {score:.4}, threshold {threshold:.4}")?;
    }
    for verdict in &report.models {
        write_verdict(verdict, out)?;
    }
    writeln!(out)
}

fn write_verdict(verdict: &Verdict, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n  {HEAD}Why, by {}{HEAD:#} (version {})", verdict.model, verdict.version)?;
    for reason in &verdict.reasons {
        writeln!(out, "    {}", reason.line())?;
    }
    writeln!(out, "  {HEAD}Blocks{HEAD:#}")?;
    for block in verdict.blocks.iter().take(MOST_BLOCKS) {
        let heading = block.heading.as_deref().map_or("before the first heading".into(), one_line);
        writeln!(out, "    {:.4}  {heading}", block.score)?;
    }
    if verdict.blocks.len() > MOST_BLOCKS {
        writeln!(out, "    and {} more", verdict.blocks.len() - MOST_BLOCKS)?;
    }
    if verdict.evidence.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {HEAD}Evidence{HEAD:#}")?;
    for excerpt in &verdict.evidence {
        writeln!(out, "    {}: {}", excerpt.field, marked(excerpt, has_colour()))?;
    }
    Ok(())
}

fn has_colour() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// The text with its evidence in colour; without colour, `**for**` and `[[against]]`.
fn marked(excerpt: &Excerpt, colour: bool) -> String {
    let mut text = String::new();
    let mut at = 0;
    for mark in &excerpt.marks {
        text.push_str(&one_line(&excerpt.text[at..mark.start]));
        let words = one_line(&excerpt.text[mark.start..mark.end]);
        let speaks_against = mark.value < 0.0;
        text.push_str(&match (colour, speaks_against) {
            (true, false) => format!("{FOR}{words}{FOR:#}"),
            (true, true) => format!("{AGAINST}{words}{AGAINST:#}"),
            (false, false) => format!("**{words}**"),
            (false, true) => format!("[[{words}]]"),
        });
        at = mark.end;
    }
    text.push_str(&one_line(&excerpt.text[at..]));
    text
}

#[cfg(test)]
mod tests {
    use super::super::evidence::ExcerptMark;
    use super::*;

    #[test]
    fn evidence_is_marked_with_and_without_colour() {
        let mark = |start, end, value| ExcerptMark { start, end, name: String::new(), value };
        let excerpt = Excerpt {
            field: "text",
            block: 0,
            text: "gannets,\u{1b} not ferries".to_owned(),
            marks: vec![mark(0, 7, 1.0), mark(14, 21, -1.0)],
        };
        assert_eq!(marked(&excerpt, false), "**gannets**,  not [[ferries]]");
        let coloured = marked(&excerpt, true);
        assert!(coloured.contains("\u{1b}[1m\u{1b}[32mgannets"), "{coloured:?}");
        assert_eq!(anstream::adapter::strip_str(&coloured).to_string(), "gannets,  not ferries");
    }
}
