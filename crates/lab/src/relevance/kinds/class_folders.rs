//! Folders of classes: `SET/CLASS/page.html`, perhaps in a training and a test half.

use std::collections::BTreeMap;

use gannet_model::Headers;

use super::newsgroups::root_of;
use super::{Classes, is_html_name};
use crate::relevance::LabelledError;
use crate::relevance::labelled::{Form, RawPage, RawSet};
use crate::relevance::tree::{Tree, folder_of, last_of};

/// Finds folders of folders of pages in a tree.
pub(super) fn find(tree: &Tree) -> Result<Vec<RawSet>, LabelledError> {
    let mut sets: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for path in tree.paths().filter(|path| is_html_name(path) || path.ends_with(".txt")) {
        let folder = folder_of(path);
        if !folder.is_empty() {
            sets.entry(root_of(folder).0).or_default().push(path);
        }
    }
    let mut found = Vec::new();
    for (root, paths) in sets {
        let mut classes = Classes::default();
        let mut pages = Vec::new();
        for path in paths {
            let class = classes.place(last_of(folder_of(path)));
            let Some(bytes) = tree.read(path)? else { continue };
            let is_html = is_html_name(path);
            pages.push(RawPage {
                name: path.to_owned(),
                classes: vec![class],
                is_test: root_of(folder_of(path)).1,
                url: None,
                form: if is_html { Form::Html } else { Form::Plain(String::new()) },
                headers: Headers::new(),
                body: bytes.into_owned(),
            });
        }
        if classes.0.len() > 1 {
            let name = if root.is_empty() { tree.name.clone() } else { last_of(&root).to_owned() };
            found.push(RawSet { name, classes: classes.0, pages });
        }
    }
    Ok(found)
}
