//! A crawl in a data directory: opens what it needs, runs, and leaves in good order.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gannet_archive::{ArchiveError, Writer};
use gannet_fetch::Fetcher;
use gannet_model::Timestamp;
use gannet_store::{ArchivedAt, Embedded, Store, StoreError, UrlRecord};

use crate::config::{Config, SetupError};
use crate::crawl::{Crawl, CrawlError};
use crate::dispatch::{Clock, Driver, Event, LabelWatch, Outcome, StopHandle};
use crate::evidence::Evidence;
use crate::journey::Journey;
use crate::labelled::{Labelled, PageFinder};
use crate::labels::{Following, LabelError, Labels};

/// Where a crawl keeps its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataDir(PathBuf);

/// A crawl that is ready to run.
pub struct Opened {
    driver: Driver,
}

/// Why a crawl could not run, or had to stop.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The settings do not make a crawl.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The archive failed.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// What people said cannot be read.
    #[error(transparent)]
    Labels(#[from] LabelError),
}

impl From<CrawlError> for RunError {
    fn from(error: CrawlError) -> RunError {
        match error {
            CrawlError::Setup(error) => error.into(),
            CrawlError::Store(error) => error.into(),
        }
    }
}

impl RunError {
    /// True when there was no room left on the disk.
    pub fn is_disk_full(&self) -> bool {
        matches!(
            self,
            RunError::Store(StoreError::DiskFull { .. })
                | RunError::Archive(ArchiveError::DiskFull { .. })
        )
    }
}

impl DataDir {
    /// The data directory at this path.
    pub fn new(path: impl Into<PathBuf>) -> DataDir {
        DataDir(path.into())
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Where the store is.
    pub fn store(&self) -> PathBuf {
        self.0.join("store")
    }

    /// The file with what people said of pages.
    pub fn labels(&self) -> PathBuf {
        self.0.join("labels.jsonl")
    }

    /// Where the WARC files are.
    pub fn archive(&self) -> PathBuf {
        self.0.join("archive")
    }
}

/// Runs the crawl in `data` until it ends or `stop` says so, telling `watch` how it goes.
pub async fn run(
    config: Config,
    data: &DataDir,
    stop: StopHandle,
    watch: &mut dyn FnMut(Event<'_>),
) -> Result<Outcome, RunError> {
    let opened = Opened::new(config, data)?;
    opened.run(stop, watch).await
}

impl Opened {
    /// Opens everything a crawl in `data` needs.
    pub fn new(config: Config, data: &DataDir) -> Result<Opened, RunError> {
        let config = Arc::new(config);
        let journey = Arc::new(Journey::new(&config)?);
        let fetcher = Fetcher::new(config.fetch.clone()).map_err(SetupError::from)?;
        let store = Embedded::open(&data.store())?;
        let archive = open_archive(&config, data, &store)?;
        let mut following = Following::new(data.labels());
        let evidence = Evidence::new(data, config.fetch.limits);
        let labels = read_labels(&mut following, &config, &journey, &store, &evidence)?;
        let clock = Clock::start();
        let crawl = Crawl::open(config.clone(), journey, Box::new(store), labels, clock.now())?;
        let labels = LabelWatch::new(following, evidence, config.limits.redirects);
        Ok(Opened { driver: Driver::new(crawl, fetcher, archive, labels, clock, &config) })
    }

    /// From now on looks at nothing but those known pages that `wants` names; how many there are.
    pub fn check(&mut self, wants: &mut dyn FnMut(&UrlRecord) -> bool) -> Result<usize, RunError> {
        Ok(self.driver.check(wants)?)
    }

    /// Runs until the crawl ends or `stop` says so.
    pub async fn run(
        self,
        stop: StopHandle,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<Outcome, RunError> {
        self.driver.run(stop, watch).await
    }
}

/// Opens the store of a crawl that nobody runs now, to look at it.
pub fn read_store(data: &DataDir) -> Result<Embedded, StoreError> {
    Embedded::open_existing(&data.store())
}

/// Everything that people said so far, with the pages they said it of. `following` goes on from there.
pub(crate) fn read_labels(
    following: &mut Following,
    config: &Config,
    journey: &Journey,
    store: &dyn Store,
    evidence: &Evidence,
) -> Result<Vec<Labelled>, RunError> {
    let labels = Labels::follow(following, &|url| journey.canonical(url))
        .map_err(|cause| LabelError::Io { path: following.path().to_owned(), cause })?;
    for problem in labels.problems() {
        tracing::warn!(line = problem.line, what = problem.what, "a label makes no sense");
    }
    let finder = PageFinder { store, journey, evidence, redirects: config.limits.redirects };
    Ok(finder.all(&labels, config)?)
}

fn open_archive(
    config: &Config,
    data: &DataDir,
    store: &dyn Store,
) -> Result<Option<Writer>, RunError> {
    if !config.archive.enabled {
        return Ok(None);
    }
    let writer_config = gannet_archive::Config {
        compression: config.archive.compression,
        max_file_bytes: config.archive.max_file_bytes,
        info: vec![
            ("software".to_owned(), format!("gannet/{}", env!("CARGO_PKG_VERSION"))),
            ("format".to_owned(), "WARC File Format 1.1".to_owned()),
            ("http-header-user-agent".to_owned(), config.fetch.user_agent.clone()),
            ("robots".to_owned(), "obey (RFC 9309)".to_owned()),
            ("description".to_owned(), format!("pages about: {}", config.topic)),
        ],
        seed: Timestamp::from(std::time::SystemTime::now()).as_micros(),
        ..gannet_archive::Config::default()
    };
    let committed = last_archived(store)?.map(position);
    Ok(Some(Writer::open(&data.archive(), writer_config, committed)?))
}

/// The newest evidence the store knows of: everything before it is whole.
fn last_archived(store: &dyn Store) -> Result<Option<ArchivedAt>, StoreError> {
    let mut number = store.last_visit()?;
    while let Some(at) = number {
        if let Some(archived) = store.visit(at)?.and_then(|visit| visit.archived) {
            return Ok(Some(archived));
        }
        number = at.checked_sub(1);
    }
    Ok(None)
}

/// The archive's form of what the store keeps.
pub(crate) fn position(at: ArchivedAt) -> gannet_archive::Position {
    gannet_archive::Position {
        file: at.file,
        offset: at.offset,
        length: u32::try_from(at.length).unwrap_or(u32::MAX),
        response: u32::try_from(at.response_offset - at.offset).unwrap_or(u32::MAX),
    }
}
