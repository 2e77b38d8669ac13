//! The store of a single machine: an LSM tree in the data directory.
//!
//! Eleven keyspaces under one journal, so that a commit over all of them is
//! atomic. Every commit is handed to the operating system before it returns,
//! which is what `kill -9` cannot undo; syncing to the disk is left to
//! [`Store::sync`], once a second or so.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use fjall::compaction::Leveled;
use fjall::{Database, Keyspace, KeyspaceCreateOptions, PersistMode};
use gannet_frontier::{Due, Entry, QueueKey};
use gannet_model::{Fingerprint, HostId, Scheme, Timestamp, Worth};
use gannet_politeness::Access;

use crate::commit::Commit;
use crate::earlier::{
    CRAWL_VERSION, URL_VERSION, VISIT_VERSION, decode_crawl, decode_url, decode_url_head,
    decode_visit,
};
use crate::encoding::{decode, encode, encode_as};
use crate::error::{StoreError, is_full};
use crate::keys;
use crate::models::{LearnedRecord, ModelRecord, OrderRecord};
use crate::records::{
    Counters, CrawlRecord, HostRecord, UrlHead, UrlRecord, VisitNumber, VisitRecord,
};
use crate::returns::{ReturnRecord, SpendingRecord, WatchRecord};
use crate::store::Store;

/// A store in a directory.
pub struct Embedded {
    database: Database,
    urls: Keyspace,
    queue: Keyspace,
    later: Keyspace,
    hosts: Keyspace,
    access: Keyspace,
    visits: Keyspace,
    models: Keyspace,
    memories: Keyspace,
    churn: Keyspace,
    returns: Keyspace,
    /// Single rows: [`COUNTERS`], [`CRAWL`], [`LEARNED`], [`ORDER`], [`WATCH`], [`SPENDING`].
    meta: Keyspace,
}

const COUNTERS: &[u8] = b"counters";
const CRAWL: &[u8] = b"crawl";
const LEARNED: &[u8] = b"learned";
const ORDER: &[u8] = b"order";
const WATCH: &[u8] = b"watch";
const SPENDING: &[u8] = b"spending";

/// Blocks kept in memory. Queues are read in stretches and URL records once,
/// so a larger cache buys little.
const CACHE_BYTES: u64 = 48 << 20;
/// A memtable is written out at this size.
const MEMTABLE_BYTES: u64 = 16 << 20;
/// That of `urls` is larger: its keys are spread evenly, so every table written
/// out overlaps all others, and fewer and larger ones are merged less often.
const URL_MEMTABLE_BYTES: u64 = 64 << 20;
/// So many tables are written out before they are merged. Twice the database's own choice:
/// rows are written far more often than read, and each merge rewrites most of what there is.
const TABLES_BEFORE_MERGING: u8 = 8;
/// The journal is cut back beyond this.
const JOURNAL_BYTES: u64 = 256 << 20;

impl Embedded {
    /// Opens the store in `directory`, making it if there is none.
    pub fn open(directory: &Path) -> Result<Embedded, StoreError> {
        if !directory.exists() {
            create(directory)?;
        }
        Embedded::open_at(directory)
    }

    fn open_at(directory: &Path) -> Result<Embedded, StoreError> {
        let database = Database::builder(directory)
            .cache_size(CACHE_BYTES)
            .max_journaling_size(JOURNAL_BYTES)
            .open()
            .map_err(|error| match error {
                fjall::Error::Locked => StoreError::InUse { path: directory.to_owned() },
                fjall::Error::Io(cause) if !is_odd(&cause) => io(directory, cause),
                cause => StoreError::Unopenable { path: directory.to_owned(), cause },
            })?;
        let keyspace = |name: &str| {
            let memtable = if name == "urls" { URL_MEMTABLE_BYTES } else { MEMTABLE_BYTES };
            database.keyspace(name, || {
                let merging = Leveled::default().with_l0_threshold(TABLES_BEFORE_MERGING);
                KeyspaceCreateOptions::default()
                    .max_memtable_size(memtable)
                    .compaction_strategy(Arc::new(merging))
            })
        };
        Ok(Embedded {
            urls: keyspace("urls")?,
            queue: keyspace("queue")?,
            later: keyspace("later")?,
            hosts: keyspace("hosts")?,
            access: keyspace("access")?,
            visits: keyspace("visits")?,
            models: keyspace("models")?,
            memories: keyspace("memories")?,
            churn: keyspace("churn")?,
            returns: keyspace("returns")?,
            meta: keyspace("meta")?,
            database,
        })
    }

    /// Opens the store in `directory` if there is one.
    pub fn open_existing(directory: &Path) -> Result<Embedded, StoreError> {
        if !directory.is_dir() {
            return Err(StoreError::Missing { path: directory.to_owned() });
        }
        Embedded::open(directory)
    }

    /// Writes everything to tables and merges these, so that only what counts is left on the disk:
    /// for those who measure. A crawl merges as it goes, and never all.
    pub fn compact(&self) -> Result<(), StoreError> {
        for (_, keyspace) in self.keyspaces() {
            keyspace.rotate_memtable_and_wait()?;
            keyspace.major_compact()?;
        }
        Ok(())
    }

    /// The bytes that the tables of each keyspace take on the disk, the journal left out.
    pub fn table_bytes(&self) -> Vec<(&'static str, u64)> {
        let bytes = |(name, keyspace): (_, &Keyspace)| (name, keyspace.disk_space());
        self.keyspaces().into_iter().map(bytes).collect()
    }

    fn keyspaces(&self) -> [(&'static str, &Keyspace); 11] {
        [
            ("urls", &self.urls),
            ("queue", &self.queue),
            ("later", &self.later),
            ("hosts", &self.hosts),
            ("access", &self.access),
            ("visits", &self.visits),
            ("models", &self.models),
            ("memories", &self.memories),
            ("churn", &self.churn),
            ("returns", &self.returns),
            ("meta", &self.meta),
        ]
    }

    /// Writes what there is one of.
    fn write_rows(
        &self,
        batch: &mut fjall::OwnedWriteBatch,
        commit: &Commit,
    ) -> Result<(), StoreError> {
        if let Some(watch) = &commit.watch {
            batch.insert(&self.meta, WATCH, encode("watch", watch)?);
        }
        if let Some(spending) = &commit.spending {
            batch.insert(&self.meta, SPENDING, encode("spending", spending)?);
        }
        if let Some(counters) = &commit.counters {
            batch.insert(&self.meta, COUNTERS, encode("counters", counters)?);
        }
        if let Some(crawl) = &commit.crawl {
            batch.insert(&self.meta, CRAWL, encode_as("crawl", CRAWL_VERSION, crawl)?);
        }
        if let Some(model) = &commit.model {
            batch.insert(&self.models, model.version.to_be_bytes(), encode("model", model)?);
        }
        if let Some(learned) = &commit.learned {
            batch.insert(&self.meta, LEARNED, encode("learned", learned)?);
        }
        if let Some(order) = &commit.order {
            batch.insert(&self.meta, ORDER, encode("order", order)?);
        }
        Ok(())
    }

    fn one<T: serde::de::DeserializeOwned>(
        &self,
        keyspace: &Keyspace,
        what: &'static str,
        key: &[u8],
    ) -> Result<Option<T>, StoreError> {
        keyspace.get(key)?.map(|bytes| decode(what, &bytes)).transpose()
    }
}

/// Makes an empty store. The database makes its files one after the other, and
/// could not open what a kill left half made: so it is made aside and moved
/// into place as a whole.
fn create(directory: &Path) -> Result<(), StoreError> {
    let aside = directory.with_extension("new");
    if aside.exists() {
        std::fs::remove_dir_all(&aside).map_err(|cause| io(&aside, cause))?;
    }
    std::fs::create_dir_all(&aside).map_err(|cause| io(&aside, cause))?;
    let store = Embedded::open_at(&aside)?;
    store.database.persist(PersistMode::SyncAll)?;
    drop(store);
    std::fs::rename(&aside, directory).map_err(|cause| io(directory, cause))
}

/// True for what the system says of files that are there or not against all expectation: the
/// fault is in the store then, not in the system.
fn is_odd(cause: &std::io::Error) -> bool {
    use std::io::ErrorKind::{AlreadyExists, InvalidData, NotFound, UnexpectedEof};
    matches!(cause.kind(), AlreadyExists | InvalidData | NotFound | UnexpectedEof)
}

fn io(path: &Path, cause: std::io::Error) -> StoreError {
    if is_full(&cause) {
        StoreError::DiskFull { cause }
    } else {
        StoreError::Io { path: path.to_owned(), cause }
    }
}

impl Store for Embedded {
    fn commit(&mut self, commit: Commit) -> Result<(), StoreError> {
        let mut batch = self.database.batch().durability(Some(PersistMode::Buffer));
        for (url, record) in &commit.urls {
            batch.insert(&self.urls, keys::url(*url), encode_as("url", URL_VERSION, record)?);
        }
        for (host, key) in &commit.dequeued {
            batch.remove(&self.queue, keys::queue(*host, *key));
        }
        for (host, key, url) in &commit.queued {
            batch.insert(&self.queue, keys::queue(*host, *key), keys::url(*url));
        }
        for (at, url) in &commit.unscheduled {
            batch.remove(&self.later, keys::later(*at, *url));
        }
        for due in &commit.scheduled {
            let value = encode("schedule", &(due.host, due.worth))?;
            batch.insert(&self.later, keys::later(due.at, due.url), value);
        }
        for (host, record) in &commit.hosts {
            batch.insert(&self.hosts, keys::host(*host), encode("host", record)?);
        }
        for (host, scheme, access) in &commit.access {
            batch.insert(&self.access, keys::access(*host, *scheme), encode("access", access)?);
        }
        for (number, record) in &commit.visits {
            batch.insert(
                &self.visits,
                number.to_be_bytes(),
                encode_as("visit", VISIT_VERSION, record)?,
            );
        }
        for (url, memory) in &commit.memories {
            batch.insert(&self.memories, keys::url(*url), memory.as_slice());
        }
        for (host, churn) in &commit.churn {
            batch.insert(&self.churn, keys::host(*host), churn.as_slice());
        }
        for (url, record) in &commit.returns {
            match record {
                Some(record) => {
                    batch.insert(&self.returns, keys::url(*url), encode("return", record)?);
                }
                None => batch.remove(&self.returns, keys::url(*url)),
            }
        }
        self.write_rows(&mut batch, &commit)?;
        Ok(batch.commit()?)
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        Ok(self.database.persist(PersistMode::SyncData)?)
    }

    fn url(&self, url: Fingerprint) -> Result<Option<UrlRecord>, StoreError> {
        let row = self.urls.get(keys::url(url))?;
        row.map(|bytes| decode_url(&bytes)).transpose()
    }

    fn host(&self, host: HostId) -> Result<Option<HostRecord>, StoreError> {
        self.one(&self.hosts, "host", &keys::host(host))
    }

    fn access(&self, host: HostId, scheme: Scheme) -> Result<Option<Access>, StoreError> {
        self.one(&self.access, "access", &keys::access(host, scheme))
    }

    fn visit(&self, number: VisitNumber) -> Result<Option<VisitRecord>, StoreError> {
        let row = self.visits.get(number.to_be_bytes())?;
        row.map(|bytes| decode_visit(&bytes)).transpose()
    }

    fn memory(&self, url: Fingerprint) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.memories.get(keys::url(url))?.map(|bytes| bytes.to_vec()))
    }

    fn churn(&self, host: HostId) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.churn.get(keys::host(host))?.map(|bytes| bytes.to_vec()))
    }

    fn last_visit(&self) -> Result<Option<VisitNumber>, StoreError> {
        let Some(row) = self.visits.last_key_value() else {
            return Ok(None);
        };
        Ok(Some(visit_number(&row.key()?)?))
    }

    fn queue(&self, host: HostId, from: QueueKey, limit: usize) -> Result<Vec<Entry>, StoreError> {
        let end = HostId(host.0.saturating_add(1));
        let rows = self.queue.range(&keys::queue(host, from)[..]..&keys::host(end)[..]);
        let mut entries = Vec::with_capacity(limit.min(256));
        for row in rows.take(limit) {
            let (key, value) = row.into_inner()?;
            let damaged = || StoreError::Damaged { what: "queue", cause: None };
            let url = <[u8; 8]>::try_from(&*value).map_err(|_| damaged())?;
            entries.push(Entry {
                key: keys::place(&key).ok_or_else(damaged)?,
                url: Fingerprint(u64::from_be_bytes(url)),
            });
        }
        Ok(entries)
    }

    fn scheduled(
        &self,
        (at, url): (Timestamp, Fingerprint),
        limit: usize,
    ) -> Result<Vec<Due>, StoreError> {
        let mut dues = Vec::new();
        for row in self.later.range(&keys::later(at, url)[..]..).take(limit) {
            let (key, value) = row.into_inner()?;
            let damaged = || StoreError::Damaged { what: "schedule", cause: None };
            let (at, url) = keys::due(&key).ok_or_else(damaged)?;
            let (host, worth): (HostId, Worth) = decode("schedule", &value)?;
            dues.push(Due { at, url, host, worth });
        }
        Ok(dues)
    }

    fn each_url_head(&self, visit: &mut dyn FnMut(Fingerprint, UrlHead)) -> Result<(), StoreError> {
        for row in self.urls.iter() {
            let (key, value) = row.into_inner()?;
            visit(fingerprint(&key)?, decode_url_head(&value)?);
        }
        Ok(())
    }

    fn each_url(
        &self,
        visit: &mut dyn FnMut(Fingerprint, UrlRecord) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        for row in self.urls.iter() {
            let (key, value) = row.into_inner()?;
            if visit(fingerprint(&key)?, decode_url(&value)?).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn each_host(&self, visit: &mut dyn FnMut(HostId, HostRecord)) -> Result<(), StoreError> {
        for row in self.hosts.iter() {
            let (key, value) = row.into_inner()?;
            let damaged = |_| StoreError::Damaged { what: "host", cause: None };
            let number = <[u8; 4]>::try_from(&*key).map_err(damaged)?;
            visit(HostId(u32::from_be_bytes(number)), decode("host", &value)?);
        }
        Ok(())
    }

    fn each_visit(
        &self,
        from: VisitNumber,
        visit: &mut dyn FnMut(VisitNumber, VisitRecord) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        for row in self.visits.range(&from.to_be_bytes()[..]..) {
            let (key, value) = row.into_inner()?;
            if visit(visit_number(&key)?, decode_visit(&value)?).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn counters(&self) -> Result<Counters, StoreError> {
        Ok(self.one(&self.meta, "counters", COUNTERS)?.unwrap_or_default())
    }

    fn crawl(&self) -> Result<Option<CrawlRecord>, StoreError> {
        self.meta.get(CRAWL)?.map(|bytes| decode_crawl(&bytes)).transpose()
    }

    fn model(&self, version: u64) -> Result<Option<ModelRecord>, StoreError> {
        self.one(&self.models, "model", &version.to_be_bytes())
    }

    fn each_model(&self, visit: &mut dyn FnMut(ModelRecord)) -> Result<(), StoreError> {
        for row in self.models.iter() {
            visit(decode("model", &row.into_inner()?.1)?);
        }
        Ok(())
    }

    fn learned(&self) -> Result<Option<LearnedRecord>, StoreError> {
        self.one(&self.meta, "learned", LEARNED)
    }

    fn page_return(&self, url: Fingerprint) -> Result<Option<ReturnRecord>, StoreError> {
        self.one(&self.returns, "return", &keys::url(url))
    }

    fn each_return(
        &self,
        visit: &mut dyn FnMut(Fingerprint, ReturnRecord),
    ) -> Result<(), StoreError> {
        for row in self.returns.iter() {
            let (key, value) = row.into_inner()?;
            visit(fingerprint(&key)?, decode("return", &value)?);
        }
        Ok(())
    }

    fn watch(&self) -> Result<Option<WatchRecord>, StoreError> {
        self.one(&self.meta, "watch", WATCH)
    }

    fn spending(&self) -> Result<Option<SpendingRecord>, StoreError> {
        self.one(&self.meta, "spending", SPENDING)
    }

    fn order(&self) -> Result<Option<OrderRecord>, StoreError> {
        self.one(&self.meta, "order", ORDER)
    }
}

fn fingerprint(key: &[u8]) -> Result<Fingerprint, StoreError> {
    let damaged = |_| StoreError::Damaged { what: "url", cause: None };
    Ok(Fingerprint(u64::from_be_bytes(key.try_into().map_err(damaged)?)))
}

fn visit_number(key: &[u8]) -> Result<VisitNumber, StoreError> {
    let damaged = |_| StoreError::Damaged { what: "visit", cause: None };
    Ok(u64::from_be_bytes(key.try_into().map_err(damaged)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compacting_leaves_what_was_last_written_and_the_bytes_of_that_alone() {
        let directory = tempfile::tempdir().unwrap();
        let mut store = Embedded::open(&directory.path().join("store")).unwrap();
        let memory = |byte: u8| Commit {
            memories: vec![(Fingerprint(1), vec![byte; 10_000])],
            ..Commit::default()
        };
        store.commit(memory(1)).unwrap();
        store.compact().unwrap();
        let once = store.table_bytes();
        for byte in 2..10 {
            store.commit(memory(byte)).unwrap();
        }
        store.compact().unwrap();
        assert_eq!(store.memory(Fingerprint(1)).unwrap(), Some(vec![9; 10_000]));
        let total = |bytes: &[(_, u64)]| bytes.iter().map(|(_, bytes)| bytes).sum::<u64>();
        let (once, often) = (total(&once), total(&store.table_bytes()));
        assert!(once > 0 && often < once + once / 2, "{once} and {often}");
    }

    /// As version 0.1.0 left it: seven keyspaces, and a crawl record without the whole topic.
    #[test]
    fn a_store_of_the_first_version_is_opened_and_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("store");
        let database = Database::builder(&path).open().unwrap();
        for name in ["urls", "queue", "later", "hosts", "access", "visits"] {
            database.keyspace(name, KeyspaceCreateOptions::default).unwrap();
        }
        let meta = database.keyspace("meta", KeyspaceCreateOptions::default).unwrap();
        meta.insert(CRAWL, b"\x01\x07\x05birds\x06vector\x05first\x03all\x00\x07").unwrap();
        database.persist(PersistMode::SyncAll).unwrap();
        drop((meta, database));

        let mut store = Embedded::open_existing(&path).unwrap();
        let mut record = store.crawl().unwrap().unwrap();
        assert_eq!((record.topic.as_str(), &record.definition), ("birds", &None));
        assert_eq!(store.learned().unwrap(), None);
        assert_eq!(store.model(1).unwrap(), None);
        record.definition = Some("{}".to_owned());
        store.commit(Commit { crawl: Some(record.clone()), ..Commit::default() }).unwrap();
        assert_eq!(store.crawl().unwrap(), Some(record));
    }
}
