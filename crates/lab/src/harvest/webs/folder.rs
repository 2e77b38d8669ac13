//! A tree of HTML files: one host for each top folder, topics from a file of labels.
//!
//! A folder with an `index.html` answers its own address with a redirect to it,
//! so that links to `…/` arrive and no page stands under two addresses.

use std::collections::HashSet;
use std::path::Path;

use bytes::Bytes;
use gannet_model::Headers;

use super::labels::Labels;
use super::{Spelling, WebError, address, ground, host_named};
use crate::harvest::ground::{Gathered, Ground};
use crate::relevance::kinds::is_html_name;
use crate::relevance::tree::{Tree, folder_of, last_of};

const USUAL_PAGES: u64 = 1000;

/// Where labels are looked for when nobody says where they are.
const LABELS: &str = "labels.tsv";

/// The web of a folder, or of an archive of one.
pub(super) fn load(path: &Path, labels: Option<&Path>) -> Result<Ground, WebError> {
    let tree = if path.is_file() { Tree::of_archive(path)? } else { Tree::of_all_folders(path)? };
    let beside = path.join(LABELS);
    let said = match (labels, tree.read(LABELS)?) {
        (Some(file), _) => Labels::read(file)?,
        (None, Some(bytes)) => Labels::parse(&String::from_utf8_lossy(&bytes), &beside)?,
        (None, None) => {
            let what = "no labels.tsv with lines of topic, tab and path; or name another file";
            return Err(WebError::NotThere { path: path.to_owned(), what });
        }
    };
    let pages = gathered(&tree, &said)?;
    if pages.iter().all(|page| page.topics.is_empty()) {
        return Err(said.are_strange(labels.unwrap_or(&beside)));
    }
    ground(tree.name, USUAL_PAGES, pages)
}

fn gathered(tree: &Tree, said: &Labels) -> Result<Vec<Gathered>, WebError> {
    let spelling = Spelling::new()?;
    let mut pages = Vec::new();
    let mut folders = HashSet::new();
    for path in tree.paths().filter(|path| is_html_name(path)) {
        let (host, rest) = path.split_once('/').unwrap_or((&tree.name, path));
        let host = host_named(host);
        let (Some(url), Some(bytes)) = (address(&host, rest), tree.read(path)?) else { continue };
        let url = spelling.of(url);
        let mut topics = said.of(path).to_vec();
        topics.extend(said.of(url.as_str()).iter().cloned());
        let is_index = matches!(last_of(rest), "index.html" | "index.htm");
        let folder = folder_of(rest);
        let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        if is_index && folders.insert((host.clone(), folder.clone())) {
            pages.extend(address(&host, &folder).map(|from| Gathered {
                url: spelling.of(from),
                status: 301,
                headers: [("location", url.as_str().to_owned())].into_iter().collect(),
                body: Bytes::new(),
                wire_body: Bytes::new(),
                topics: Vec::new(),
            }));
        }
        pages.push(Gathered::html(url, Headers::new(), bytes.into_owned(), topics));
    }
    Ok(pages)
}
