//! Newsgroups: folders of classes that hold posts, perhaps in a training and a test half.
//!
//! Of a post only its subject and its body are kept: the other header lines
//! name the group.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gannet_model::Headers;

use super::{Classes, head_and_body, header};
use crate::relevance::LabelledError;
use crate::relevance::labelled::{Form, RawPage, RawSet};
use crate::relevance::tree::{Tree, folder_of, last_of};

/// Posts of a folder that are looked at to see whether it holds posts.
const SAMPLE: usize = 5;

/// Finds the sets of newsgroups in a tree.
pub(super) fn find(tree: &Tree) -> Result<Vec<RawSet>, LabelledError> {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for path in tree.paths() {
        folders.entry(folder_of(path)).or_default().push(path);
    }
    // Root of the set → folders of classes, with the half they are in.
    let mut sets: BTreeMap<String, Vec<(&str, Option<bool>)>> = BTreeMap::new();
    for (folder, paths) in &folders {
        if !folder.is_empty() && holds_posts(tree, paths)? {
            let (root, is_test) = root_of(folder);
            sets.entry(root).or_default().push((folder, is_test));
        }
    }
    let mut found = Vec::new();
    for (root, class_folders) in sets {
        let mut classes = Classes::default();
        let mut pages = Vec::new();
        for (folder, is_test) in class_folders {
            let class = classes.place(last_of(folder));
            for path in &folders[folder] {
                let Some(bytes) = tree.read(path)? else { continue };
                pages.push(post(path, class, is_test, &bytes));
            }
        }
        if classes.0.len() > 1 {
            let name = if root.is_empty() { tree.name.clone() } else { last_of(&root).to_owned() };
            found.push(RawSet { name, classes: classes.0, pages });
        }
    }
    Ok(found)
}

/// Whether most of a sample are posts.
fn holds_posts(tree: &Tree, paths: &[&str]) -> Result<bool, LabelledError> {
    let mut posts = 0;
    let sample = &paths[..paths.len().min(SAMPLE)];
    for path in sample {
        let bytes = tree.read(path)?.unwrap_or_default();
        posts += usize::from(is_post(&bytes));
    }
    Ok(posts * 2 > sample.len())
}

/// A post has a sender and a subject above its first empty line.
fn is_post(bytes: &[u8]) -> bool {
    let (head, body) = head_and_body(bytes);
    let head = String::from_utf8_lossy(head);
    !body.is_empty() && header(&head, "from").is_some() && header(&head, "subject").is_some()
}

/// The root of the set that a folder of a class belongs to, and its half: folders named after a
/// half stand for no level of their own.
pub(super) fn root_of(class_folder: &str) -> (String, Option<bool>) {
    let mut is_test = None;
    let parents = folder_of(class_folder).split('/').filter(|part| !part.is_empty());
    let root: Vec<&str> = parents
        .filter(|part| match half_named(part) {
            None => true,
            half => {
                is_test = half;
                false
            }
        })
        .collect();
    (root.join("/"), is_test)
}

/// Whether a folder's name says test or training: `20news-bydate-train`, `test`.
fn half_named(folder: &str) -> Option<bool> {
    let mut parts = folder.split(|c: char| !c.is_alphanumeric());
    parts.find_map(|part| match part.to_ascii_lowercase().as_str() {
        "test" | "testing" => Some(true),
        "train" | "training" => Some(false),
        _ => None,
    })
}

fn post(path: &str, class: usize, is_test: Option<bool>, bytes: &[u8]) -> RawPage {
    let (head, body) = head_and_body(bytes);
    let head: Cow<'_, str> = String::from_utf8_lossy(head);
    RawPage {
        name: path.to_owned(),
        classes: vec![class],
        is_test,
        url: None,
        form: Form::Plain(without_reply_marks(header(&head, "subject").unwrap_or_default())),
        headers: Headers::new(),
        body: body.to_vec(),
    }
}

/// `Re: Re: orbits` is about orbits.
fn without_reply_marks(mut subject: &str) -> String {
    while let Some(marked) = subject.get(..3).filter(|mark| mark.eq_ignore_ascii_case("re:")) {
        subject = subject[marked.len()..].trim_start();
    }
    subject.to_owned()
}
