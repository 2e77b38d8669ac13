//! What people said the pages of a web are about: lines of topic, tab, and path or address.

use std::collections::HashMap;
use std::path::Path;

use super::WebError;

/// Topics by path or address, as written.
pub(super) struct Labels {
    topics: HashMap<String, Vec<String>>,
    /// The page of the first line.
    first: String,
}

impl Labels {
    /// Reads a file of labels.
    pub(super) fn read(path: &Path) -> Result<Labels, WebError> {
        let text = std::fs::read_to_string(path)
            .map_err(|cause| WebError::Labels { path: path.to_owned(), cause })?;
        Labels::parse(&text, path)
    }

    /// Reads labels; `path` is where they stand.
    pub(super) fn parse(text: &str, path: &Path) -> Result<Labels, WebError> {
        let mut labels = Labels { topics: HashMap::new(), first: String::new() };
        for (at, line) in text.lines().enumerate() {
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let bad = || WebError::BadLabel { path: path.to_owned(), line: at + 1 };
            let (topic, page) = line.split_once('\t').ok_or_else(bad)?;
            let page = page.trim().trim_start_matches("./");
            if topic.trim().is_empty() || page.is_empty() {
                return Err(bad());
            }
            if labels.first.is_empty() {
                page.clone_into(&mut labels.first);
            }
            let topics = labels.topics.entry(page.to_owned()).or_default();
            if !topics.iter().any(|known| known == topic.trim()) {
                topics.push(topic.trim().to_owned());
            }
        }
        Ok(labels)
    }

    /// The topics of a page that is written so.
    pub(super) fn of(&self, page: &str) -> &[String] {
        self.topics.get(page).map_or(&[], Vec::as_slice)
    }

    /// The error of labels that fit no page.
    pub(super) fn are_strange(&self, path: &Path) -> WebError {
        WebError::StrangeLabels { path: path.to_owned(), first: self.first.clone() }
    }
}
