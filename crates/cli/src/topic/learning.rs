//! What the examples of a topic teach, for a person to read: keywords and their weights.

use gannet_engine::Taught;
use gannet_relevance::{Contrast, LearnedKeyword, Lesson};

use super::{ExamplePage, WrittenKeyword};

/// Keywords kept unless the user wants another number (S5.8 asks for fewer than 50): beyond
/// some thirty, what is added is what any page has.
pub(crate) const KEYWORDS: usize = 30;

/// Keywords of the examples, at most so many, the strongest with weight 1.
pub(crate) fn learned_keywords(examples: &[ExamplePage], most: usize) -> Vec<LearnedKeyword> {
    let lessons: Vec<Lesson<'_>> = examples.iter().map(ExamplePage::lesson).collect();
    gannet_relevance::keywords(&lessons, most, Contrast::Others)
}

/// The same as a topic file has them.
pub(crate) fn as_written(
    learned: &[LearnedKeyword],
    examples: &[ExamplePage],
) -> Vec<WrittenKeyword> {
    let pages = examples.iter().filter(|page| page.teaches == Taught::Relevant).count();
    let written = learned.iter().map(|keyword| WrittenKeyword {
        text: keyword.text.clone(),
        weight: keyword.weight,
        remark: format!("in {} of {pages} examples, {} times", keyword.pages, keyword.occurrences),
    });
    written.collect()
}
