//! A table of all elements: id, children, parent, level, content value (S3.9, Yadav, Sharma and
//! Gupta, 2007).
//!
//! The id is the place among the start tags, "child" the number of child elements, the level how
//! many elements are around it. The content value is that of S3.9 for the text that stands in the
//! element directly, `√(Σ code² / count) × Σ code`, white space left out, so that a page set anew
//! is the same. Structure (all but the last column) is compared, then content. A table can be
//! larger than the page; its code is the number of rows and their xxh3-64.
//!
//! **Choose it when** both layout and text matter, and where on the page. **Cost:** one pass over
//! the markup for each step; 12 bytes of memory for an element and some 80 for one with text.
//! **Weakness:** names and attributes of tags are not in the table, and letters that change places
//! within an element are not seen.

use std::collections::HashMap;

use xxhash_rust::xxh3::Xxh3;

use crate::codes::Codes;
use crate::detector::{Entry, InSteps, Step};
use crate::markup::{Element, Mark, walk};
use crate::version::Version;

pub(crate) const ENTRY: Entry = Entry {
    name: "dom-table",
    summary: "where each element stands in the tree, then what the text in it adds up to",
    build: || Box::new(InSteps(&[STRUCTURE, CONTENT])),
};

const STRUCTURE: Step = Step { name: "tree", code: structure };

const CONTENT: Step = Step { name: "content values", code: content };

/// Where an element stands. Its id is its place in the table.
#[derive(Clone, Copy, Default)]
struct Row {
    children: u32,
    parent: u32,
    level: u32,
}

fn structure(version: &Version<'_>) -> String {
    // Row 0 is the page itself, parent of what has no other.
    let mut rows = vec![Row::default()];
    walk(version.html, |mark| {
        if let Mark::Element(Element { parent, level, .. }) = mark {
            rows[parent as usize].children += 1;
            rows.push(Row { children: 0, parent, level });
        }
    });
    let mut hasher = Xxh3::new();
    for row in &rows {
        for value in [row.children, row.parent, row.level] {
            hasher.update(&value.to_le_bytes());
        }
    }
    format!("{} elements ({:016x})", rows.len() - 1, hasher.digest())
}

fn content(version: &Version<'_>) -> String {
    let mut texts: HashMap<u32, Codes> = HashMap::new();
    walk(version.html, |mark| {
        let Mark::Text { within, text } = mark else { return };
        let mut chars = text.chars().filter(|char| !char.is_whitespace()).peekable();
        if chars.peek().is_some() {
            texts.entry(within).or_default().add(chars);
        }
    });
    let mut values: Vec<(u32, f64)> =
        texts.into_iter().map(|(id, codes)| (id, codes.content_value())).collect();
    values.sort_unstable_by_key(|&(id, _)| id);
    let mut hasher = Xxh3::new();
    for (id, value) in &values {
        hasher.update(&id.to_le_bytes());
        hasher.update(&value.to_le_bytes());
    }
    format!("{} elements with text ({:016x})", values.len(), hasher.digest())
}

#[cfg(test)]
mod tests {
    use crate::detectors::sample::{Sample, compare};

    #[track_caller]
    fn check(old: &str, new: &str, expected: &str) {
        let because = compare("dom-table", &Sample::page(old), &Sample::page(new)).because;
        assert!(because.starts_with(expected), "{because}");
    }

    #[test]
    fn a_tag_that_comes_goes_or_moves_is_a_change_of_the_tree() {
        check("<ul><li>a</li></ul>", "<ul><li>a</li><li></li></ul>", "tree: 2 elements");
        check("<p>a</p><p>b</p>", "<p>a</p>", "tree: 2 elements");
        check("<p></p><b></b>", "<p><b></b></p>", "tree: 2 elements");
    }

    #[test]
    fn other_text_or_text_elsewhere_is_a_change_of_content() {
        check("<p>a</p>", "<p>b</p>", "content values: 1 elements with text");
        check("<p>a</p><p>b</p>", "<p>b</p><p>a</p>", "content values: 2 elements with text");
        check("<p>a<br></p>", "<p><br></p>a", "content values: 1 elements with text");
    }

    #[test]
    fn white_space_comments_scripts_and_names_are_not_seen() {
        check("<p>a b</p>", "<p>\n a<!-- c -->b\n</p>\n", "same");
        check("<script>1</script>", "<script>2</script>", "same");
        check("<b id=1>ab</b>", "<i>ba</i>", "same");
    }
}
