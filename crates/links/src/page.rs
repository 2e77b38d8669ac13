//! A page's texts as orderings read them.

use gannet_model::Document;

/// Title, headings and text, in document order.
pub(crate) fn texts(document: &Document) -> impl Iterator<Item = &str> + Clone {
    let blocks = document.blocks.iter().flat_map(|block| {
        let heading = block.heading.as_ref().map(|heading| heading.text.as_str());
        heading.into_iter().chain(std::iter::once(block.text.as_str()))
    });
    std::iter::once(document.title.as_str()).chain(blocks)
}
