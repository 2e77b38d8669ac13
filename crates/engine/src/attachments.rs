//! Which files of a page are fetched to see whether they changed.
//!
//! None, unless the user asks for it: they cost as many requests as pages do.

use gannet_change::MOST_FILES;
use gannet_model::{Document, FileKind, Host, PageUrl};

use crate::config::HostRule;

/// Which files of pages are fetched to see whether they changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attachments {
    /// Style sheets.
    pub styles: Wanted,
    /// Images.
    pub images: Wanted,
}

/// For which pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// For none.
    #[default]
    Never,
    /// For those that are about the topic.
    Relevant,
    /// For all.
    Always,
}

/// The wishes for all hosts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wishes {
    general: Attachments,
    hosts: Vec<HostRule>,
}

impl Wanted {
    fn covers(self, is_relevant: bool) -> bool {
        match self {
            Wanted::Never => false,
            Wanted::Relevant => is_relevant,
            Wanted::Always => true,
        }
    }
}

impl Wishes {
    pub(crate) fn new(general: Attachments, hosts: &[HostRule]) -> Wishes {
        let speaks = |rule: &&HostRule| rule.styles.is_some() || rule.images.is_some();
        Wishes { general, hosts: hosts.iter().filter(speaks).cloned().collect() }
    }

    /// True when no file of any page is wanted.
    pub(crate) fn is_empty(&self) -> bool {
        self.general == Attachments::default() && self.hosts.is_empty()
    }

    /// What is wanted of a host's pages; the last exception that matches wins.
    fn of(&self, host: &Host) -> Attachments {
        let mut wanted = self.general;
        for rule in self.hosts.iter().filter(|rule| rule.covers(host)) {
            wanted.styles = rule.styles.unwrap_or(wanted.styles);
            wanted.images = rule.images.unwrap_or(wanted.images);
        }
        wanted
    }

    /// The files of a page that are wanted, as the page writes their addresses.
    pub(crate) fn files(
        &self,
        page: &PageUrl,
        document: &Document,
        is_relevant: bool,
    ) -> Vec<(FileKind, PageUrl)> {
        if self.is_empty() {
            return Vec::new();
        }
        let wanted = self.of(&page.host());
        let mut files = Vec::new();
        if wanted.styles.covers(is_relevant) {
            let sheets = document.stylesheets.iter().take(MOST_FILES);
            files.extend(sheets.map(|sheet| (FileKind::Style, sheet.clone())));
        }
        if wanted.images.covers(is_relevant) {
            let images = document.images.iter().take(MOST_FILES);
            files.extend(images.map(|image| (FileKind::Image, image.url.clone())));
        }
        files
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_site_has_the_last_word() {
        let rule = HostRule {
            pattern: "a.example".to_owned(),
            images: Some(Wanted::Always),
            ..HostRule::default()
        };
        let general = Attachments { styles: Wanted::Relevant, images: Wanted::Never };
        let wishes = Wishes::new(general, &[rule]);
        let document = Document {
            stylesheets: vec![PageUrl::parse("http://a.example/s.css").unwrap()],
            ..Document::default()
        };
        let files = |host: &str, is_relevant| {
            let page = PageUrl::parse(&format!("http://{host}/")).unwrap();
            wishes.files(&page, &document, is_relevant).len()
        };
        assert_eq!((files("a.example", true), files("a.example", false)), (1, 0));
        let of = |host: &str| wishes.of(&Host::parse(host).unwrap());
        assert_eq!(of("a.example").images, Wanted::Always);
        assert_eq!(of("b.example").images, Wanted::Never);
        assert!(Wishes::new(Attachments::default(), &[]).is_empty());
    }
}
