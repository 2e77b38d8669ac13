//! What a model can learn from: a page, and what is known of it.

use gannet_model::Document;

use crate::Sight;

/// A page that teaches something.
#[derive(Clone, Copy, Debug)]
pub struct Lesson<'a> {
    /// The page.
    pub page: Sight<'a>,
    /// What is known of it.
    pub teaches: Teaching<'a>,
}

/// What is known of a page that a model learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Teaching<'a> {
    /// A person says that it is about the topic.
    Relevant,
    /// A person says that it is not.
    Irrelevant,
    /// A person says that it is about this [relative](crate::Relative) of the topic.
    Relative(&'a str),
    /// Nobody said anything: a page met during the crawl.
    Nothing,
}

impl<'a> Lesson<'a> {
    /// A page of which only its text is known.
    pub fn new(document: &'a Document, teaches: Teaching<'a>) -> Lesson<'a> {
        Lesson { page: Sight::from(document), teaches }
    }
}
