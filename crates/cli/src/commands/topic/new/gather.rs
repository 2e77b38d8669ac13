//! Example pages from files, directories and the web, read and ready to be kept.

use std::path::{Path, PathBuf};

use anyhow::Context;
use gannet_content::Limits;
use gannet_engine::{DataDir, Taught};
use gannet_fetch::Accept;
use gannet_model::PageUrl;

use crate::asking::{Asker, Robots, warn_without_contact};
use crate::config::{self, Loaded};
use crate::exit::UsageError;
use crate::print;
use crate::seeds::read_url;
use crate::topic::{ExamplePage, KeptPage, files_below, read_kept};

/// A page that will be kept.
#[derive(Debug)]
pub(super) struct Gathered {
    /// As the user named it.
    pub(super) origin: String,
    /// A name for its file.
    pub(super) name: String,
    pub(super) kept: KeptPage,
    pub(super) example: ExamplePage,
}

/// Gathers pages.
pub(super) struct Gatherer<'a> {
    loaded: &'a Loaded,
    data: DataDir,
    limits: Limits,
    /// Made when the first URL comes.
    asker: Option<Asker>,
}

/// Letters of a file's name; file systems take 255 bytes.
const LONGEST_NAME: usize = 80;

impl<'a> Gatherer<'a> {
    pub(super) fn new(loaded: &'a Loaded, data: DataDir) -> Gatherer<'a> {
        let limits = config::content_limits(&loaded.file);
        Gatherer { loaded, data, limits, asker: None }
    }

    /// The pages behind these names, in their order.
    pub(super) fn gather(
        &mut self,
        given: &[String],
        teaches: Taught,
    ) -> anyhow::Result<Vec<Gathered>> {
        let mut gathered = Vec::new();
        for origin in given {
            let path = Path::new(origin);
            if path.is_dir() {
                self.gather_directory(path, &teaches, &mut gathered)?;
            } else if path.is_file() {
                gathered.push(self.file(path, &teaches)?);
            } else {
                let kept = self.fetch(origin)?;
                let name = name_of_url(kept.provenance.url.as_ref());
                gathered.push(self.page(origin, name, PathBuf::new(), kept, &teaches)?);
            }
        }
        Ok(gathered)
    }

    /// A file that says nothing is no reason to refuse a whole directory.
    fn gather_directory(
        &self,
        directory: &Path,
        teaches: &Taught,
        gathered: &mut Vec<Gathered>,
    ) -> anyhow::Result<()> {
        let failed = || format!("cannot read {}", directory.display());
        let before = gathered.len();
        for path in files_below(directory).with_context(failed)? {
            match self.file(&path, teaches) {
                Ok(page) => gathered.push(page),
                Err(error) => print::warn(format_args!("left out: {error}")),
            }
        }
        if gathered.len() == before {
            let message = format!("{} holds no page that could be read", directory.display());
            return Err(UsageError(message).into());
        }
        Ok(())
    }

    fn file(&self, path: &Path, teaches: &Taught) -> anyhow::Result<Gathered> {
        let origin = path.display().to_string();
        let kept = read_kept(path)
            .map_err(|error| UsageError(format!("cannot read {origin}: {error}")))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.page(&origin, safe_name(&name), path.to_owned(), kept, teaches)
    }

    fn page(
        &self,
        origin: &str,
        name: String,
        path: PathBuf,
        kept: KeptPage,
        teaches: &Taught,
    ) -> anyhow::Result<Gathered> {
        let document = kept.read(&self.limits);
        if document.is_blank() {
            let message = format!("{origin} holds no text that could be read, so it is no example");
            return Err(UsageError(message).into());
        }
        let url = kept.provenance.url.clone();
        let example = ExamplePage::new(path, url, document, teaches.clone());
        Ok(Gathered { origin: origin.to_owned(), name, kept, example })
    }

    fn fetch(&mut self, origin: &str) -> anyhow::Result<KeptPage> {
        let url = read_url(origin)?;
        if self.asker.is_none() {
            warn_without_contact(self.loaded);
        }
        let asker = match &mut self.asker {
            Some(asker) => asker,
            None => self.asker.insert(Asker::new(self.loaded, &self.data)?),
        };
        let response = asker.get(&url, Accept::Page, Robots::Obey)?;
        if !response.is_success() {
            anyhow::bail!("{url} answered {}, so it is no example", response.status);
        }
        Ok(KeptPage::of(&response))
    }
}

/// `example.org-birds-gannets.html`.
fn name_of_url(url: Option<&PageUrl>) -> String {
    let Some(url) = url else { return "page.html".to_owned() };
    let name = format!("{}{}", url.host(), url.path());
    let bare = name.trim_end_matches('/');
    let bare = bare.strip_suffix(".html").or_else(|| bare.strip_suffix(".htm")).unwrap_or(bare);
    format!("{}.html", safe_name(bare).trim_end_matches('.'))
}

/// Nothing in a name may lead elsewhere, hide the file or be misread.
fn safe_name(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '.' | '_') { c } else { '-' };
    let name: String = name.chars().map(safe).collect();
    let name = name.trim_start_matches(['.', '-']);
    // The end holds the ending.
    let surplus = name.chars().count().saturating_sub(LONGEST_NAME);
    let name: String = name.chars().skip(surplus).collect();
    if name.is_empty() { "page.html".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, expected: &str) {
        assert_eq!(name_of_url(Some(&PageUrl::parse(url).unwrap())), expected);
    }

    #[test]
    fn a_page_is_named_after_its_address() {
        check("https://example.org/", "example.org.html");
        check("https://example.org/birds/gannets.html", "example.org-birds-gannets.html");
        check("https://example.org:8080/a%2F..%2Fb?q=1", "example.org-8080-a-2F..-2Fb.html");
    }

    #[test]
    fn names_lead_nowhere_else() {
        assert_eq!(safe_name("../../etc/passwd"), "etc-passwd");
        assert_eq!(safe_name(".hidden"), "hidden");
        assert_eq!(safe_name("///"), "page.html");
        assert!(safe_name(&"ü".repeat(300)).chars().count() <= LONGEST_NAME);
    }
}
