//! An index of pages: a table with the columns class, url and path, and the pages beside it.
//!
//! A page begins with the header lines that its server sent, if any. The class
//! `other` says only what its pages are not.

use gannet_model::{Headers, PageUrl};

use super::{Classes, head_and_body, header, is_table, rows};
use crate::relevance::LabelledError;
use crate::relevance::labelled::{Form, RawPage, RawSet};
use crate::relevance::tree::{Tree, folder_of, last_of};

/// The class of pages that are about nothing in particular.
const NO_TOPIC: &str = "other";

/// Finds the indexed sets in a tree.
pub(crate) fn find(tree: &Tree) -> Result<Vec<RawSet>, LabelledError> {
    let mut found = Vec::new();
    for path in tree.paths().filter(|path| is_table(path)) {
        let Some(bytes) = tree.read(path)? else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let Some(columns) = Columns::of(&text) else { continue };
        let folder = folder_of(path);
        let set = indexed(tree, folder, &text, columns)?;
        let name = if folder.is_empty() { tree.name.clone() } else { last_of(folder).to_owned() };
        if !set.pages.is_empty() {
            found.push(RawSet { name, ..set });
        }
    }
    Ok(found)
}

/// Where the columns stand.
#[derive(Clone, Copy)]
struct Columns {
    class: usize,
    url: usize,
    path: usize,
}

impl Columns {
    fn of(text: &str) -> Option<Columns> {
        let head = rows(text).next()?;
        let place = |name| head.iter().position(|column| column.eq_ignore_ascii_case(name));
        Some(Columns { class: place("class")?, url: place("url")?, path: place("path")? })
    }
}

fn indexed(
    tree: &Tree,
    folder: &str,
    text: &str,
    columns: Columns,
) -> Result<RawSet, LabelledError> {
    let mut classes = Classes::default();
    let mut pages = Vec::new();
    for row in rows(text).skip(1) {
        let cell = |column| row.get(column).copied().map(str::trim);
        let (Some(class), Some(url), Some(path)) =
            (cell(columns.class), cell(columns.url), cell(columns.path))
        else {
            continue;
        };
        let Some(bytes) = beside(tree, folder, path)? else { continue };
        let (headers, body) = answer(&bytes);
        pages.push(RawPage {
            name: url.to_owned(),
            classes: vec![classes.place_of(class, class != NO_TOPIC)],
            is_test: None,
            url: PageUrl::parse(url).ok(),
            form: Form::Html,
            headers,
            body,
        });
    }
    Ok(RawSet { name: String::new(), classes: classes.0, pages })
}

/// The page at a path that is written as seen from the index, from the folder above it (as by an
/// archive that was packed there), from the root of the tree, or from above that.
fn beside(tree: &Tree, folder: &str, path: &str) -> Result<Option<Vec<u8>>, LabelledError> {
    let below = path.strip_prefix(&tree.name).and_then(|rest| rest.strip_prefix('/'));
    let from_above = below.map(|rest| ("", rest));
    let written = [folder, folder_of(folder), ""].map(|from| (from, path));
    for (from, path) in written.into_iter().chain(from_above) {
        let whole = if from.is_empty() { path.to_owned() } else { format!("{from}/{path}") };
        if let Some(bytes) = tree.read(&whole)? {
            return Ok(Some(bytes.into_owned()));
        }
    }
    Ok(None)
}

/// What the server said of the page, and the page.
fn answer(bytes: &[u8]) -> (Headers, Vec<u8>) {
    let (head, body) = head_and_body(bytes);
    let head = String::from_utf8_lossy(head);
    let is_head = !head.is_empty()
        && !head.trim_start().starts_with('<')
        && head.lines().all(|line| line.contains(':') || line.starts_with("HTTP/"));
    if !is_head {
        return (Headers::new(), bytes.to_vec());
    }
    let media_type = header(&head, "content-type").map(|value| ("content-type", value.to_owned()));
    (media_type.into_iter().collect(), body.to_vec())
}
