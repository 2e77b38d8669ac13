//! Which kinds of labelled data lie in a folder, by what the files hold.
//!
//! Each kind is one file below. It finds the pages and their classes; reading
//! them is the same for all (see `labelled`).

mod class_folders;
pub(crate) mod encyclopedia;
mod newsgroups;
pub(crate) mod page_index;

use std::path::Path;

use super::LabelledError;
use super::labelled::{LabelledClass, RawSet, is_named};
use super::tree::Tree;

/// Every labelled set in a folder, its sub-folders and their archives.
///
/// Folders of classes count only where no richer kind is found, or when a set of that name is
/// wanted: any tree of documentation looks like them.
pub(crate) fn find(folder: &Path, wanted: &[String]) -> Result<Vec<RawSet>, LabelledError> {
    let (loose, archives) = Tree::of_folder(folder)?;
    let tables = encyclopedia::tables(&loose)?;
    let mut rich = Vec::new();
    let mut plain = Vec::new();
    let mut look = |tree: &Tree| -> Result<(), LabelledError> {
        let found = rich_sets(tree, &tables)?;
        if found.is_empty() {
            plain.extend(class_folders::find(tree)?);
        }
        rich.extend(found);
        Ok(())
    };
    look(&loose)?;
    for archive in &archives {
        look(&Tree::of_archive(archive)?)?;
    }
    let is_wanted = |set: &RawSet| wanted.iter().any(|name| is_named(&set.name, name));
    if rich.is_empty() {
        return Ok(named_apart(plain));
    }
    rich.extend(plain.into_iter().filter(is_wanted));
    Ok(named_apart(rich))
}

fn rich_sets(tree: &Tree, tables: &[encyclopedia::Table]) -> Result<Vec<RawSet>, LabelledError> {
    let mut found = newsgroups::find(tree)?;
    found.extend(page_index::find(tree)?);
    found.extend(encyclopedia::find(tree, tables)?);
    Ok(found)
}

/// No two sets of one name: the second gets a number.
fn named_apart(mut sets: Vec<RawSet>) -> Vec<RawSet> {
    for at in 1..sets.len() {
        let name = sets[at].name.clone();
        let mut number = 1;
        while sets[..at].iter().any(|earlier| earlier.name == sets[at].name) {
            number += 1;
            sets[at].name = format!("{name}-{number}");
        }
    }
    sets
}

/// Classes by name, in the order of their first page.
#[derive(Default)]
struct Classes(Vec<LabelledClass>);

impl Classes {
    /// The place of a class that is a topic.
    fn place(&mut self, name: &str) -> usize {
        self.place_of(name, true)
    }

    fn place_of(&mut self, name: &str, is_topic: bool) -> usize {
        if let Some(place) = self.0.iter().position(|class| class.name == name) {
            return place;
        }
        self.0.push(LabelledClass { name: name.to_owned(), is_topic });
        self.0.len() - 1
    }
}

/// Lines of a table with tabs, comments and empty lines left out.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect())
}

/// Whether a file may be a table of text.
fn is_table(path: &str) -> bool {
    [".tsv", ".tab", ".csv", ".txt"].iter().any(|ending| path.ends_with(ending))
}

/// Whether a file may be a page of HTML, by its ending.
pub(crate) fn is_html_name(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    [".html", ".htm", ".xhtml"].iter().any(|ending| path.ends_with(ending))
}

/// Header lines and what follows the first empty line.
fn head_and_body(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if line.trim_ascii().is_empty() {
            return (&bytes[..start], &bytes[start + line.len()..]);
        }
        start += line.len();
    }
    (bytes, &[])
}

/// The value of a header line.
fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        found.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}

#[cfg(test)]
mod tests;
