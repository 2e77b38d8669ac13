//! Pages with an index of class, address and path, such as WebKB.

use std::path::Path;

use super::{Spelling, WebError, ground, trees};
use crate::harvest::ground::{Gathered, Ground};
use crate::relevance::kinds::page_index::find;

/// How many pages a crawl takes, as in the reference measurements.
const USUAL_PAGES: u64 = 1000;

/// The first indexed web in a folder or one of its archives.
pub(super) fn load(path: &Path) -> Result<Ground, WebError> {
    let spelling = Spelling::new()?;
    for tree in trees(path, "webkb")? {
        let Some(set) = find(&tree?)?.into_iter().next() else { continue };
        let classes = set.classes;
        let mut pages = Vec::new();
        for page in set.pages {
            let Some(url) = page.url else { continue };
            let topics = page.classes.iter().map(|class| &classes[*class]);
            let topics = topics.filter(|class| class.is_topic).map(|class| class.name.clone());
            let topics = topics.collect();
            pages.push(Gathered::html(spelling.of(url), page.headers, page.body, topics));
        }
        return ground(set.name, USUAL_PAGES, pages);
    }
    let what = "no index of pages: a table with the columns class, url and path, loose or packed";
    Err(WebError::NotThere { path: path.to_owned(), what })
}
