//! Why the store cannot do what it is asked to.

use std::path::PathBuf;

/// Why the store cannot do what it is asked to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process has it open.
    #[error("{path} is in use by another gannet process; stop it first, or use another --data-dir")]
    InUse {
        /// The directory.
        path: PathBuf,
    },
    /// No room is left.
    #[error("the disk is full; free some space and run again: nothing committed is lost")]
    DiskFull {
        /// What the system said.
        #[source]
        cause: std::io::Error,
    },
    /// The directory holds no crawl.
    #[error("{path} holds no crawl; `gannet crawl` makes one")]
    Missing {
        /// The directory.
        path: PathBuf,
    },
    /// A record was written by a newer or unknown version.
    #[error(
        "a {what} record has format {found}, this gannet reads {known}; use the version that wrote it"
    )]
    Incompatible {
        /// Of what.
        what: &'static str,
        /// The version found.
        found: u8,
        /// The version this code reads.
        known: u8,
    },
    /// A record does not read as what it should be.
    #[error("a {what} record is damaged")]
    Damaged {
        /// Of what.
        what: &'static str,
        /// What is wrong with it.
        #[source]
        cause: Option<postcard::Error>,
    },
    /// The database cannot be opened.
    #[error(
        "the store in {path} cannot be opened and may be damaged; the WARC files beside it are \
         not touched by that, and a new crawl can begin in another --data-dir"
    )]
    Unopenable {
        /// The directory.
        path: PathBuf,
        /// What the database says.
        #[source]
        cause: fjall::Error,
    },
    /// Anything else the database says.
    #[error("the store failed")]
    Database(#[source] fjall::Error),
    /// A file operation beside the database.
    #[error("cannot use {path}")]
    Io {
        /// The path.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: std::io::Error,
    },
}

impl From<fjall::Error> for StoreError {
    fn from(error: fjall::Error) -> StoreError {
        match error {
            fjall::Error::Io(cause) if is_full(&cause) => StoreError::DiskFull { cause },
            other => StoreError::Database(other),
        }
    }
}

pub(crate) fn is_full(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded)
}
