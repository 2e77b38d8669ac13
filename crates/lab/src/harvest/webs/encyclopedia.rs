//! An encyclopedia whose articles stand under subjects, such as Wikispeedia.
//!
//! All pages are served, indexes and pages about the encyclopedia too: a crawl
//! meets what a visitor would. Only articles have topics. The indexes of
//! subjects list the pages of each topic; they and the links to them can be
//! left out, which makes another, harder web.

use std::path::Path;

use gannet_model::Headers;

use super::{Spelling, SubjectIndexes, WebError, address, ground, host_named, trees};
use crate::harvest::ground::{Gathered, Ground};
use crate::relevance::kinds::encyclopedia::{Table, is_subject_index, tables, without_labels};
use crate::relevance::kinds::is_html_name;
use crate::relevance::tree::Tree;

/// How many pages a crawl takes, as in the reference measurements.
const USUAL_PAGES: u64 = 600;

/// The first encyclopedia in a folder or one of its archives.
pub(super) fn load(path: &Path, indexes: SubjectIndexes) -> Result<Ground, WebError> {
    let mut known: Vec<Table> = Vec::new();
    for tree in trees(path, "wikispeedia")? {
        let tree = tree?;
        // A table may lie beside the archive of its pages.
        known.extend(tables(&tree)?);
        for table in &known {
            let articles = tree.paths().filter(|path| is_html_name(path));
            let articles = articles.filter(|path| !table.topics_of(path).is_empty()).count();
            if articles > 0 && table.is_of(articles) {
                return served(&tree, table, indexes);
            }
        }
    }
    let what = "no encyclopedia: a table of articles and subject.Topic.Sub…, and the pages of the \
                articles, loose or packed";
    Err(WebError::NotThere { path: path.to_owned(), what })
}

fn served(tree: &Tree, table: &Table, indexes: SubjectIndexes) -> Result<Ground, WebError> {
    let spelling = Spelling::new()?;
    let host = format!("{}.example", host_named(&table.name));
    let mut pages = Vec::new();
    for path in tree.paths().filter(|path| is_html_name(path)) {
        let (Some(url), Some(bytes)) = (address(&host, path), tree.read(path)?) else { continue };
        let html = match indexes {
            SubjectIndexes::LeaveOut if is_subject_index(path) => continue,
            SubjectIndexes::LeaveOut => without_labels(&bytes),
            SubjectIndexes::Serve => bytes.into_owned(),
        };
        let topics = table.topics_of(path).to_vec();
        pages.push(Gathered::html(spelling.of(url), Headers::new(), html, topics));
    }
    ground(table.name.clone(), USUAL_PAGES, pages)
}
