//! A version's readable text as a list of lines.
//!
//! One for each heading and each passage, in document order. The title is not
//! among them: a reader does not see it on the page.

use gannet_model::{Document, Heading};
use serde::Serialize;

/// A heading or a passage: a paragraph, a list item, a cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Line {
    /// 1 for `h1` … 6 for `h6`; none for a passage.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heading: Option<u8>,
    /// What it says, white space folded.
    pub text: String,
}

impl Line {
    /// A passage.
    pub fn passage(text: &str) -> Line {
        Line { heading: None, text: folded(text) }
    }

    /// A heading.
    pub fn heading(level: u8, text: &str) -> Line {
        Line { heading: Some(level), text: folded(text) }
    }
}

/// The headings and passages of a document in order. What says nothing is left out.
pub fn lines(document: &Document) -> Vec<Line> {
    let lines = document.blocks.iter().flat_map(|block| {
        let as_line = |heading: &Heading| Line::heading(heading.level, &heading.text);
        let heading = block.heading.as_ref().map(as_line);
        heading.into_iter().chain(block.passages().map(|(_, text)| Line::passage(text)))
    });
    lines.filter(|line| !line.text.is_empty()).collect()
}

fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

#[cfg(test)]
mod tests {
    use gannet_model::Block;

    use super::*;

    #[test]
    fn a_document_is_its_headings_and_passages_in_order() {
        let block = |heading: Option<(u8, &str)>, text: &str, breaks: &[u32]| Block {
            heading: heading.map(|(level, text)| Heading { level, text: text.to_owned() }),
            text: text.to_owned(),
            breaks: breaks.to_vec(),
            ..Block::default()
        };
        let document = Document {
            title: "Not seen on the page".to_owned(),
            blocks: vec![
                block(None, "Menu", &[]),
                block(Some((1, " The  gannet")), "A bird.  It \u{a0}dives. ", &[8]),
                block(Some((2, "")), "", &[]),
            ],
            ..Document::default()
        };
        let expected = [
            Line::passage("Menu"),
            Line::heading(1, "The gannet"),
            Line::passage("A bird."),
            Line::passage("It dives."),
        ];
        assert_eq!(lines(&document), expected);
    }
}
