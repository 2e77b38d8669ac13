//! The versions of one page, found by its address in any spelling.

use std::time::SystemTime;

use anyhow::{Context, bail};
use gannet_change::{Attached, MOST_FILES};
use gannet_content::Limits;
use gannet_engine::{
    Evidence, HistoryEntry, ReadVersion, history, kept_version, read_store, version, version_at,
};
use gannet_model::{PageUrl, Response, Timestamp};
use gannet_scope::Canonical;
use gannet_scope::seeds::read_seed;
use gannet_store::{Embedded, Store};

use crate::arguments::Globals;
use crate::config;
use crate::exit::UsageError;
use crate::moment;

/// The history of a page, and where to read its versions.
pub(crate) struct PageHistory {
    pub(crate) url: PageUrl,
    /// All visits, the oldest first; never empty.
    pub(crate) entries: Vec<HistoryEntry>,
    archive: Archive,
}

/// Where versions are read back from.
pub(crate) struct Archive {
    evidence: Evidence,
    limits: Limits,
}

impl Archive {
    /// Of the data directory, read within the limits of the configuration.
    pub(crate) fn open(globals: &Globals) -> anyhow::Result<(Archive, Embedded, Canonical)> {
        let path = config::find(globals.config.as_deref());
        let loaded = config::load(path.as_deref(), Vec::new())?;
        let canonical = Canonical::new(&loaded.file.canonical)
            .map_err(|error| UsageError(error.to_string()))?;
        let data = globals.data();
        let store = read_store(&data)?;
        let evidence = Evidence::new(&data, config::request_rules(&loaded)?.limits);
        Ok((Archive { evidence, limits: Limits::default() }, store, canonical))
    }

    /// The answer that brought a version.
    pub(crate) fn response(&self, entry: &HistoryEntry) -> anyhow::Result<Response> {
        let kept = kept_version(&self.evidence, entry)
            .with_context(|| format!("cannot read {} as of {}", entry.url, entry.visit.at))?;
        match kept {
            Some(response) => Ok(response),
            None => bail!("{} of {} was not archived", entry.url, entry.visit.at),
        }
    }

    /// A version, read.
    pub(crate) fn read(&self, entry: &HistoryEntry) -> anyhow::Result<ReadVersion> {
        Ok(ReadVersion::of(&self.response(entry)?, &self.limits))
    }

    /// A version with its style sheets and images as they were at a time, as far as they were
    /// fetched.
    pub(crate) fn read_with_files(
        &self,
        store: &dyn Store,
        canonical: &Canonical,
        entry: &HistoryEntry,
        time: Timestamp,
    ) -> anyhow::Result<ReadVersion> {
        let version = self.read(entry)?;
        let document = version.document();
        let files = |urls: &mut dyn Iterator<Item = &PageUrl>| -> anyhow::Result<Vec<Attached>> {
            let bodies = urls.take(MOST_FILES).map(|url| self.file(store, canonical, url, time));
            bodies.filter_map(Result::transpose).collect()
        };
        let styles = files(&mut document.stylesheets.iter())?;
        let images = files(&mut document.images.iter().map(|image| &image.url))?;
        Ok(version.with_files(styles, images))
    }

    /// A file as it was at a time: the last version by then, or the first that was ever fetched.
    fn file(
        &self,
        store: &dyn Store,
        canonical: &Canonical,
        url: &PageUrl,
        time: Timestamp,
    ) -> anyhow::Result<Option<Attached>> {
        let url = canonical.apply(url.clone());
        let entries = history(store, url.fingerprint())?;
        let Some(entry) = version_at(&entries, time).or_else(|| version(&entries, 1)) else {
            return Ok(None);
        };
        let body = self.response(entry)?.body.to_vec();
        Ok(Some(Attached { url: url.into(), body }))
    }
}

impl PageHistory {
    /// The history of the page at this address, in any spelling.
    pub(crate) fn find(text: &str, globals: &Globals) -> anyhow::Result<PageHistory> {
        let url =
            read_seed(text.trim()).map_err(|problem| UsageError(format!("{text:?}: {problem}")))?;
        let (archive, store, canonical) = Archive::open(globals)?;
        let url = canonical.apply(url);
        let entries = history(&store, url.fingerprint())?;
        if entries.is_empty() {
            bail!("{url} was never visited; `gannet explain {url}` tells what is known of it");
        }
        Ok(PageHistory { url, entries, archive })
    }

    /// All versions, the oldest first.
    pub(crate) fn versions(&self) -> impl DoubleEndedIterator<Item = &HistoryEntry> {
        self.entries.iter().filter(|entry| entry.is_new_version())
    }

    /// The newest version.
    pub(crate) fn newest(&self) -> anyhow::Result<&HistoryEntry> {
        self.versions().next_back().with_context(|| format!("{} never had a page", self.url))
    }

    /// The version of this number.
    pub(crate) fn numbered(&self, number: u32) -> anyhow::Result<&HistoryEntry> {
        let last = self.versions().count();
        version(&self.entries, number).with_context(|| {
            format!("{} has no version {number}; there are versions 1 to {last}", self.url)
        })
    }

    /// The version that was there at a moment.
    pub(crate) fn at(&self, text: &str) -> anyhow::Result<&HistoryEntry> {
        let moment = moment::parse(text, Timestamp::from(SystemTime::now())).map_err(UsageError)?;
        let first = self.versions().next();
        version_at(&self.entries, moment).with_context(|| match first {
            Some(first) => format!("{} was first seen at {}", self.url, first.visit.at),
            None => format!("{} never had a page", self.url),
        })
    }

    /// The version that a person names: its number, or a moment.
    pub(crate) fn named(&self, name: &str) -> anyhow::Result<&HistoryEntry> {
        match name.trim().parse() {
            Ok(number) => self.numbered(number),
            Err(_) => self.at(name),
        }
    }

    /// The answer that brought a version.
    pub(crate) fn response(&self, entry: &HistoryEntry) -> anyhow::Result<Response> {
        self.archive.response(entry)
    }

    /// A version, read.
    pub(crate) fn read(&self, entry: &HistoryEntry) -> anyhow::Result<ReadVersion> {
        self.archive.read(entry)
    }
}

/// What a version is called.
pub(crate) fn title(entry: &HistoryEntry) -> String {
    format!("version {}, {}", entry.version.unwrap_or_default(), entry.visit.at)
}
