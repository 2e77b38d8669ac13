//! The one writer of an archive: appends visits, rolls files, survives crashes.
//!
//! The archive is written before the store (an orphan is harmless), so whatever
//! the store knows is here. After a crash the writer looks at the last file,
//! drops what is torn at its end and goes on: every file on disk can be read by
//! any tool at any time. Files are numbered, begin with a `warcinfo` record and
//! appear with their first visit, dated by it: the writer has no clock.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use gannet_model::Timestamp;
use serde::{Deserialize, Serialize};

use crate::files::{ArchiveFile, file_name, last_file};
use crate::recover::sound_end;
use crate::tail::Tail;
use crate::{Compression, EncodeError, Encoded, Encoder};

/// How an archive is written.
#[derive(Clone, Debug)]
pub struct Config {
    /// What file names begin with.
    pub prefix: String,
    /// A file that has grown to this size is left for the next one.
    pub max_file_bytes: u64,
    /// How records are packed.
    pub compression: Compression,
    /// Who writes and why, for the record that opens each file: `software`,
    /// `operator`, `robots` and their like.
    pub info: Vec<(String, String)>,
    /// Keeps the record names of one crawl apart from another's.
    pub seed: u64,
}

/// Where a visit is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Position {
    /// The number of the file.
    pub file: u32,
    /// Where in the file the visit's first record begins.
    pub offset: u64,
    /// Length of all its records.
    pub length: u32,
    /// Where its response record begins, counted from `offset`.
    pub response: u32,
}

/// Appends visits to the files of a directory.
pub struct Writer {
    dir: PathBuf,
    config: Config,
    /// Makes the record that opens a file.
    encoder: Encoder,
    /// The file being written; none until something is to be written.
    current: Option<Current>,
    /// The number of the next file.
    next_number: u32,
    recovery: Recovery,
}

struct Current {
    number: u32,
    tail: Tail<File>,
}

/// What opening found after a crash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Bytes of a torn record that were dropped.
    pub dropped_bytes: u64,
    /// Committed bytes that are not there: the disk lost what the store knows.
    pub missing_bytes: u64,
}

/// Why something was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// Make room, then append again: nothing of the visit was kept.
    #[error("the disk is full: {path}")]
    DiskFull {
        /// The file that could not grow.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
    /// Another process writes to this archive.
    #[error("another process is writing to {0}")]
    Locked(PathBuf),
    /// The file cannot be read or written.
    #[error("cannot write the archive: {path}")]
    Unwritable {
        /// The file or directory.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: io::Error,
    },
    /// The visit was encoded for files of another format.
    #[error("the visit is packed for files of another format")]
    OtherFormat,
    /// No body limit allows for it.
    #[error("a visit of {0} bytes is beyond what a position can hold")]
    TooLarge(usize),
    /// No record could be made.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

impl Default for Config {
    /// Files of 1 GiB, as other crawlers write them.
    fn default() -> Config {
        Config {
            prefix: "gannet".to_owned(),
            max_file_bytes: 1 << 30,
            compression: Compression::default(),
            info: Vec::new(),
            seed: 0,
        }
    }
}

impl Position {
    /// The first byte behind the visit.
    pub fn end(&self) -> u64 {
        self.offset + u64::from(self.length)
    }

    /// Where in the file its response record begins.
    pub fn response_offset(&self) -> u64 {
        self.offset + u64::from(self.response)
    }
}

impl Writer {
    /// Takes charge of the archive in `dir`, which is created when missing.
    /// `committed` is the last position that the store knows: what lies before
    /// it is whole and need not be checked.
    pub fn open(
        dir: &Path,
        config: Config,
        committed: Option<Position>,
    ) -> Result<Writer, ArchiveError> {
        std::fs::create_dir_all(dir).map_err(|cause| unwritable(dir, cause))?;
        let last = last_file(dir, &config.prefix).map_err(|cause| unwritable(dir, cause))?;
        let encoder = Encoder::new(config.compression)?;
        let mut writer = Writer {
            dir: dir.to_owned(),
            config,
            encoder,
            current: None,
            next_number: committed.map_or(0, |position| position.file + 1),
            recovery: Recovery::default(),
        };
        if let Some(last) = last {
            writer.take_up(&last, committed)?;
        }
        Ok(writer)
    }

    /// What opening found.
    pub fn recovery(&self) -> Recovery {
        self.recovery
    }

    /// What encoders for this archive must be made with.
    pub fn compression(&self) -> Compression {
        self.config.compression
    }

    /// Appends a visit, whole or not at all. When this returns, the bytes are
    /// with the operating system: a killed process no longer matters, a power
    /// cut does until [`sync`](Writer::sync).
    pub fn append(&mut self, visit: &Encoded) -> Result<Position, ArchiveError> {
        if !visit.compression.is_same_format(self.config.compression) {
            return Err(ArchiveError::OtherFormat);
        }
        let too_large = |_| ArchiveError::TooLarge(visit.bytes.len());
        let length = u32::try_from(visit.bytes.len()).map_err(too_large)?;
        let response = u32::try_from(visit.response.offset).map_err(too_large)?;
        let path = self.ready_file(visit.asked_at)?;
        let current = self
            .current
            .as_mut()
            .ok_or_else(|| unwritable(&path, io::Error::other("no file is open")))?;
        let offset = current.tail.end();
        current.tail.append(&visit.bytes).map_err(|cause| unwritable(&path, cause))?;
        Ok(Position { file: current.number, offset, length, response })
    }

    /// Waits until the disk has everything appended so far.
    pub fn sync(&mut self) -> Result<(), ArchiveError> {
        let Some(current) = &mut self.current else {
            return Ok(());
        };
        let name = file_name(&self.config.prefix, current.number, self.config.compression);
        current.tail.sync().map_err(|cause| unwritable(&self.dir.join(name), cause))
    }

    /// Checks and mends the last file, and goes on with it if its format is ours.
    fn take_up(
        &mut self,
        last: &ArchiveFile,
        committed: Option<Position>,
    ) -> Result<(), ArchiveError> {
        let fail = |cause| unwritable(&last.path, cause);
        let file = open_locked(&last.path)?;
        let length = file.metadata().map_err(fail)?.len();
        let known_good = committed
            .filter(|position| position.file == last.number)
            .map_or(0, |position| position.end());
        self.recovery.missing_bytes = known_good.saturating_sub(length);
        // When the disk lost committed bytes, nothing about the file is known any more.
        let checked_from = if known_good > length { 0 } else { known_good };
        let end = sound_end(&last.path, last.compression, checked_from).map_err(fail)?;
        if end < length {
            // Not synced: were the cut lost to a power failure, the next opening would cut again.
            file.set_len(end).map_err(fail)?;
            self.recovery.dropped_bytes = length - end;
        }
        // An empty file is no file yet: it lacks the record that opens it.
        if end == 0 {
            std::fs::remove_file(&last.path).map_err(fail)?;
            self.next_number = self.next_number.max(last.number);
            return Ok(());
        }
        self.next_number = self.next_number.max(last.number + 1);
        if last.compression.is_same_format(self.config.compression) {
            self.current = Some(Current { number: last.number, tail: Tail::new(file, end) });
        }
        Ok(())
    }

    /// Makes sure that a file with room is open, and says which.
    fn ready_file(&mut self, date: Timestamp) -> Result<PathBuf, ArchiveError> {
        if let Some(current) = &self.current
            && current.tail.end() < self.config.max_file_bytes
        {
            let name = file_name(&self.config.prefix, current.number, self.config.compression);
            return Ok(self.dir.join(name));
        }
        // Only the last file is checked after a crash, so the others must be safe on disk.
        self.sync()?;
        let number = self.next_number;
        let name = file_name(&self.config.prefix, number, self.config.compression);
        let path = self.dir.join(&name);
        let info =
            self.encoder.encode_warcinfo(&name, &self.config.info, date, self.config.seed)?;
        let mut tail = Tail::new(open_locked(&path)?, 0);
        tail.append(&info).map_err(|cause| unwritable(&path, cause))?;
        // The name must outlive a power cut as well as the bytes.
        let sync_dir = || File::open(&self.dir)?.sync_all();
        sync_dir().map_err(|cause| unwritable(&self.dir, cause))?;
        self.next_number = number + 1;
        self.current = Some(Current { number, tail });
        Ok(path)
    }
}

/// Opens for appending, alone.
fn open_locked(path: &Path) -> Result<File, ArchiveError> {
    let options = OpenOptions::new().create(true).append(true).read(true).open(path);
    let file = options.map_err(|cause| unwritable(path, cause))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ArchiveError::Locked(path.to_owned())),
        Err(TryLockError::Error(cause)) => Err(unwritable(path, cause)),
    }
}

fn unwritable(path: &Path, cause: io::Error) -> ArchiveError {
    let path = path.to_owned();
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ArchiveError::DiskFull { path, cause }
        }
        _ => ArchiveError::Unwritable { path, cause },
    }
}
