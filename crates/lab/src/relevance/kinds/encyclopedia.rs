//! An encyclopedia: a table that puts articles under `subject.Topic.Sub…`, and their pages.
//!
//! The topic is the first level. The table may lie beside the archive of the
//! pages. A page's links to the subjects it stands under are taken out of it:
//! they are the label in other words.

use std::collections::{HashMap, HashSet};

use gannet_model::{Headers, PageUrl};

use super::{Classes, is_html_name, is_table, rows};
use crate::relevance::LabelledError;
use crate::relevance::labelled::{Form, RawPage, RawSet};
use crate::relevance::tree::{Tree, folder_of, last_of};

/// What every category begins with, and every index of a subject.
const ROOT: &str = "subject.";

/// Topics by article, and where they were found.
pub(crate) struct Table {
    /// What the set is called: the folder of the table.
    pub(crate) name: String,
    topics: HashMap<String, Vec<String>>,
}

impl Table {
    /// The topics of the article that a page holds; none when it holds no article.
    pub(crate) fn topics_of(&self, path: &str) -> &[String] {
        self.topics.get(article_at(path)).map_or(&[], Vec::as_slice)
    }

    /// Whether a tree with so many of its articles is the one that it was made for. A few names
    /// in common are chance.
    pub(crate) fn is_of(&self, articles: usize) -> bool {
        articles * 2 > self.topics.len()
    }
}

/// Whether a page is the index of a subject, which lists the pages of a topic.
pub(crate) fn is_subject_index(path: &str) -> bool {
    last_of(path).starts_with(ROOT)
}

/// The article that a page holds, by the name of its file.
fn article_at(path: &str) -> &str {
    let name = last_of(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// The tables of categories in a tree.
pub(crate) fn tables(tree: &Tree) -> Result<Vec<Table>, LabelledError> {
    let mut found = Vec::new();
    for path in tree.paths().filter(|path| is_table(path)) {
        let Some(bytes) = tree.read(path)? else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let is_category = |row: &Vec<&str>| row.len() == 2 && row[1].starts_with(ROOT);
        if !rows(&text).next().is_some_and(|row| is_category(&row)) {
            continue;
        }
        let folder = folder_of(path);
        let name = if folder.is_empty() { &tree.name } else { last_of(folder) };
        let mut topics: HashMap<String, Vec<String>> = HashMap::new();
        for row in rows(&text).filter(is_category) {
            let topic = row[1][ROOT.len()..].split('.').next().unwrap_or_default();
            let known = topics.entry(row[0].to_owned()).or_default();
            if !topic.is_empty() && !known.iter().any(|earlier| earlier == topic) {
                known.push(topic.to_owned());
            }
        }
        found.push(Table { name: name.to_owned(), topics });
    }
    Ok(found)
}

/// Finds the encyclopedias of a tree, by tables of its own and tables from elsewhere.
pub(super) fn find(tree: &Tree, elsewhere: &[Table]) -> Result<Vec<RawSet>, LabelledError> {
    let own = tables(tree)?;
    let mut found = Vec::new();
    let mut names = HashSet::new();
    for table in own.iter().chain(elsewhere) {
        let mut classes = Classes::default();
        let mut pages = Vec::new();
        for path in tree.paths().filter(|path| is_html_name(path)) {
            let topics = table.topics_of(path);
            if topics.is_empty() {
                continue;
            }
            let Some(bytes) = tree.read(path)? else { continue };
            pages.push(RawPage {
                name: article_at(path).to_owned(),
                classes: topics.iter().map(|topic| classes.place(topic)).collect(),
                is_test: None,
                url: address(&table.name, path),
                form: Form::Html,
                headers: Headers::new(),
                body: without_labels(&bytes),
            });
        }
        if table.is_of(pages.len()) && names.insert(&table.name) {
            found.push(RawSet { name: table.name.clone(), classes: classes.0, pages });
        }
    }
    Ok(found)
}

/// A made-up address with the path that the page has in its tree.
fn address(set: &str, path: &str) -> Option<PageUrl> {
    let host: String =
        set.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    PageUrl::parse(&format!("http://{}.example/{path}", host.trim_matches('-'))).ok()
}

/// The page without links to subjects: `<a href="../index/subject.Science.htm">Science</a>`.
pub(crate) fn without_labels(html: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = position(rest, b"<a ") {
        let tag_end = rest[start..].iter().position(|byte| *byte == b'>').map(|at| start + at);
        let Some(tag_end) = tag_end else { break };
        let end = position(&rest[start..], b"</a>").map(|at| start + at + b"</a>".len());
        let is_label = position(&rest[start..tag_end], ROOT.as_bytes()).is_some();
        match end {
            Some(end) if is_label => {
                kept.extend_from_slice(&rest[..start]);
                rest = &rest[end..];
            }
            _ => {
                kept.extend_from_slice(&rest[..=tag_end]);
                rest = &rest[tag_end + 1..];
            }
        }
    }
    kept.extend_from_slice(rest);
    kept
}

fn position(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}
