//! A page kept for teaching: what models read of it, and no more.

use gannet_model::{Block, Document, PageUrl, Prominence};
use gannet_relevance::Sight;

/// Bytes of text kept of a page, headings included: some 5,000 words, which is
/// more than most pages have and enough to tell what one is about.
const TEXT_KEPT: usize = 32 << 10;

/// A page kept for teaching, without links, images and whatever no model reads.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptPage {
    document: Document,
    url: Option<PageUrl>,
    anchor: String,
    prominence: Option<Prominence>,
}

impl KeptPage {
    /// Keeps of a page what teaches. `anchor` is the link that led to it, empty when none did.
    pub fn new(
        document: Document,
        url: Option<PageUrl>,
        anchor: String,
        prominence: Option<Prominence>,
    ) -> KeptPage {
        let document = Document {
            title: document.title,
            language: document.language,
            charset: document.charset,
            description: document.description,
            blocks: cut(document.blocks, TEXT_KEPT),
            ..Document::default()
        };
        KeptPage { document, url, anchor, prominence }
    }

    /// As models see it.
    pub fn sight(&self) -> Sight<'_> {
        Sight {
            document: &self.document,
            url: self.url.as_ref(),
            anchor: &self.anchor,
            prominence: self.prominence.as_ref(),
        }
    }
}

/// The first blocks up to this many bytes of text. Only the end is cut, so that every passage
/// left keeps its place and with it its prominence.
fn cut(mut blocks: Vec<Block>, most: usize) -> Vec<Block> {
    let mut left = most;
    let mut whole = 0;
    for block in &mut blocks {
        if left == 0 && whole > 0 {
            break;
        }
        whole += 1;
        let heading = block.heading.as_ref().map_or(0, |heading| heading.text.len());
        left = left.saturating_sub(heading);
        if block.text.len() > left {
            block.text.truncate(block.text.floor_char_boundary(left));
            block.text.shrink_to_fit();
            block.breaks.retain(|at| (*at as usize) < block.text.len());
        }
        left -= block.text.len().min(left);
    }
    blocks.truncate(whole);
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::{Heading, Image};

    fn block(text: &str, breaks: &[u32]) -> Block {
        Block { text: text.to_owned(), breaks: breaks.to_vec(), ..Block::default() }
    }

    #[test]
    fn only_the_end_of_a_long_text_is_cut_and_passages_keep_their_places() {
        let texts = |blocks: Vec<Block>| -> Vec<String> {
            blocks.into_iter().map(|block| block.text).collect()
        };
        let blocks = || vec![block("one two", &[4]), block("three four", &[6]), block("five", &[])];
        assert_eq!(texts(cut(blocks(), 100)), ["one two", "three four", "five"]);
        assert_eq!(texts(cut(blocks(), 12)), ["one two", "three"]);
        assert_eq!(texts(cut(blocks(), 7)), ["one two"]);
        assert_eq!(cut(blocks(), 12)[1].breaks, [0; 0], "a break beyond the end is none");
        assert_eq!(cut(blocks(), 14)[1].breaks, [6]);
        assert_eq!(texts(cut(vec![block("é", &[])], 1)), [""], "no letter is cut in two");
    }

    #[test]
    fn a_heading_counts_and_an_endless_one_leaves_nothing_for_the_text() {
        let heading = Heading { level: 1, text: "long heading".to_owned() };
        let blocks = vec![Block { heading: Some(heading), ..block("text", &[]) }, block("b", &[])];
        let kept = cut(blocks, 5);
        assert_eq!(kept.len(), 1);
        assert_eq!(kept[0].text, "");
    }

    #[test]
    fn what_no_model_reads_is_not_kept() {
        let url = PageUrl::parse("http://a.example/").unwrap();
        let image = Image { url: url.clone(), alt: String::new(), block: 0 };
        let document = Document {
            title: "Birds".to_owned(),
            images: vec![image],
            blocks: vec![block("gannets", &[])],
            ..Document::default()
        };
        let kept = KeptPage::new(document, Some(url), "a link".to_owned(), None);
        assert!(kept.sight().document.images.is_empty());
        assert_eq!(kept.sight().document.title, "Birds");
        assert_eq!(kept.sight().anchor, "a link");
    }
}
