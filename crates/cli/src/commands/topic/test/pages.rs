//! The pages to be judged: from files, from the archive, or from the web.

use std::path::Path;

use gannet_engine::{DataDir, Evidence, read_store};
use gannet_fetch::Accept;
use gannet_model::{Document, PageUrl, Prominence};
use gannet_relevance::Sight;
use gannet_scope::Canonical;
use gannet_store::{Embedded, StoreError};

use crate::asking::{Asker, Robots, warn_without_contact};
use crate::config::{self, Loaded};
use crate::evidence;
use crate::exit::UsageError;
use crate::print;
use crate::seeds::read_url;
use crate::topic::{KeptPage, read_kept};

/// A page to be judged.
pub(super) struct TestedPage {
    /// As the user named it.
    pub(super) name: String,
    /// `file`, `archive` or `web`.
    pub(super) source: &'static str,
    pub(super) url: Option<PageUrl>,
    /// The words of the link that led to it in the crawl.
    anchor: String,
    pub(super) document: Document,
    prominence: Prominence,
}

impl TestedPage {
    /// As models see it.
    pub(super) fn sight(&self) -> Sight<'_> {
        Sight {
            document: &self.document,
            url: self.url.as_ref(),
            anchor: &self.anchor,
            prominence: Some(&self.prominence),
        }
    }
}

/// Brings pages.
pub(super) struct Pages<'a> {
    loaded: &'a Loaded,
    data: DataDir,
    /// Fetch although the archive has it.
    fresh: bool,
    /// Opened when the first URL comes, if there is one.
    store: Option<Option<Embedded>>,
    asker: Option<Asker>,
}

impl<'a> Pages<'a> {
    pub(super) fn new(loaded: &'a Loaded, data: DataDir, fresh: bool) -> Pages<'a> {
        Pages { loaded, data, fresh, store: None, asker: None }
    }

    /// The page that the user names.
    pub(super) fn read(&mut self, name: &str) -> anyhow::Result<TestedPage> {
        let path = Path::new(name);
        if path.is_file() {
            let kept = read_kept(path)
                .map_err(|error| UsageError(format!("cannot read {name}: {error}")))?;
            return Ok(self.page(name, "file", kept, String::new()));
        }
        let url = read_url(name)?;
        if !self.fresh
            && let Some((kept, anchor)) = self.archived(&url)?
        {
            return Ok(self.page(name, "archive", kept, anchor));
        }
        let kept = self.fetch(&url)?;
        Ok(self.page(name, "web", kept, String::new()))
    }

    fn page(&self, name: &str, source: &'static str, kept: KeptPage, anchor: String) -> TestedPage {
        let document = kept.read(&config::content_limits(&self.loaded.file));
        if document.is_blank() {
            print::warn(format_args!("{name} holds no text that could be read"));
        }
        let prominence = gannet_content::prominence(&document, None);
        let url = kept.provenance.url;
        TestedPage { name: name.to_owned(), source, url, anchor, document, prominence }
    }

    /// The store of a crawl that nobody runs now; `None` when there is none to look into.
    pub(super) fn store(&mut self) -> Result<Option<&Embedded>, StoreError> {
        if self.store.is_none() {
            self.store = Some(open(&self.data)?);
        }
        Ok(self.store.as_ref().and_then(Option::as_ref))
    }

    fn archived(&mut self, url: &PageUrl) -> anyhow::Result<Option<(KeptPage, String)>> {
        let canonical = Canonical::new(&self.loaded.file.canonical)
            .map_err(|error| UsageError(error.to_string()))?;
        let limits = config::request_rules(self.loaded)?.limits;
        let kept = Evidence::new(&self.data, limits);
        let Some(store) = self.store()? else { return Ok(None) };
        evidence::kept_page(store, &kept, canonical.apply(url.clone()).fingerprint())
    }

    fn fetch(&mut self, url: &PageUrl) -> anyhow::Result<KeptPage> {
        // What the data directory knows of hosts is read by whoever asks them.
        self.store = None;
        let asker = match &mut self.asker {
            Some(asker) => asker,
            None => {
                warn_without_contact(self.loaded);
                self.asker.insert(Asker::new(self.loaded, &self.data)?)
            }
        };
        let response = asker.get(url, Accept::Page, Robots::Obey)?;
        if !response.is_success() {
            anyhow::bail!("{url} answered {}", response.status);
        }
        Ok(KeptPage::of(&response))
    }
}

/// The store of a crawl that nobody runs now; `None` when there is none to look into.
fn open(data: &DataDir) -> Result<Option<Embedded>, StoreError> {
    match read_store(data) {
        Ok(store) => Ok(Some(store)),
        Err(StoreError::Missing { .. }) => Ok(None),
        Err(StoreError::InUse { .. }) => {
            print::warn("a crawl runs in the data directory, so its archive cannot be read now");
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
