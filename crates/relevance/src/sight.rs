//! A page as a model sees it: its text, where it is, and what led to it.
//!
//! Every model reads the same [parts](Sight::parts) and takes of them what its
//! definition asks for. The parts that are not on the page itself (its address,
//! the words of the link that led to it) may be missing.

use gannet_model::{Document, PageUrl, Prominence};

/// A page as a model sees it.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// What the page says.
    pub document: &'a Document,
    /// Where it is, if it is anywhere.
    pub url: Option<&'a PageUrl>,
    /// The words of the link that led to it; empty when there are none.
    pub anchor: &'a str,
    /// How much each passage counts; `None` when all count fully.
    pub prominence: Option<&'a Prominence>,
}

/// A stretch of a page's text and where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part<'a> {
    /// Where it stands.
    pub field: Field,
    /// The block it belongs to; 0 for what belongs to none.
    pub block: usize,
    /// What it says.
    pub text: &'a str,
    /// How much it counts as main content, 0 to 1. Models defined without it pass over it.
    pub prominence: f32,
}

/// Where a part stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// In the title.
    Title,
    /// In a heading.
    Heading,
    /// In the text.
    Text,
}

impl<'a> Sight<'a> {
    /// Title, then each block's heading and passages, in document order.
    pub fn parts(&self) -> impl Iterator<Item = Part<'a>> {
        let (document, prominence) = (self.document, self.prominence);
        let whole = |field, block, text| Part { field, block, text, prominence: 1.0 };
        let title = std::iter::once(whole(Field::Title, 0, document.title.as_str()));
        let mut place = 0;
        let blocks = document.blocks.iter().enumerate().flat_map(move |(block, held)| {
            let heading = held.heading.as_ref();
            let heading =
                heading.map(|heading| whole(Field::Heading, block, heading.text.as_str()));
            let first = place;
            let passages = held.passages().enumerate().map(move |(nth, (_, text))| Part {
                prominence: prominence.map_or(1.0, |weights| weights.of(first + nth)),
                ..whole(Field::Text, block, text)
            });
            if prominence.is_some() {
                place += held.passages().count();
            }
            heading.into_iter().chain(passages)
        });
        title.chain(blocks)
    }
}

impl<'a> From<&'a Document> for Sight<'a> {
    /// A page of which nothing but its own text is known.
    fn from(document: &'a Document) -> Sight<'a> {
        Sight { document, url: None, anchor: "", prominence: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::{Block, Heading};

    #[test]
    fn parts_come_in_document_order_with_their_prominence() {
        let heading = Heading { level: 1, text: "Gannets".to_owned() };
        let document = Document {
            title: "Birds".to_owned(),
            blocks: vec![
                Block { text: "home about".to_owned(), breaks: vec![5], ..Block::default() },
                Block { heading: Some(heading), text: "They dive".to_owned(), ..Block::default() },
            ],
            ..Document::default()
        };
        let prominence = Prominence::new([0.1, 0.2, 0.9]);
        let sight = Sight { prominence: Some(&prominence), ..Sight::from(&document) };
        let seen: Vec<_> = sight
            .parts()
            .map(|part| (part.field, part.block, part.text, part.prominence))
            .collect();
        assert_eq!(
            seen,
            [
                (Field::Title, 0, "Birds", 1.0),
                (Field::Text, 0, "home ", 0.1),
                (Field::Text, 0, "about", 0.2),
                (Field::Heading, 1, "Gannets", 1.0),
                (Field::Text, 1, "They dive", 0.9),
            ]
        );
    }
}
