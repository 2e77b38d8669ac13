//! The log of requests, from the server's side.
//!
//! An entry is opened when a request has been read and closed when the last
//! byte of its answer was handed over or the connection was dropped, whichever
//! way that came about: closing is the work of a guard's `Drop`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::Clock;

/// One request as the server saw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogEntry {
    /// The name of the host, also if it was asked for by address.
    pub host: String,
    /// The URL in canonical naming.
    pub url: String,
    /// The path and query that were asked for.
    pub path: String,
    /// The method.
    pub method: String,
    /// The loopback address that was contacted.
    pub address: Ipv4Addr,
    /// When the request was read, by the clock of the web, in microseconds since 1970.
    pub received_at: u64,
    /// When its answer was over, by the same clock; none while in flight.
    pub finished_at: Option<u64>,
    /// When the request was read, in microseconds since the server started.
    pub received_mono: u64,
    /// When its answer was over, in microseconds since the server started.
    pub finished_mono: Option<u64>,
    /// The status of the answer; 0 if none was ever sent.
    pub status: u16,
    /// How often the URL was asked for before.
    pub attempt: u32,
    /// What the client calls itself.
    pub user_agent: Option<String>,
}

/// All requests of a server.
pub(super) struct Journal {
    started: Instant,
    clock: Clock,
    entries: Mutex<Vec<LogEntry>>,
    file: Option<Mutex<File>>,
}

/// A request in flight. Dropping it writes down that it is over.
pub(super) struct Open {
    journal: Arc<Journal>,
    number: usize,
}

impl Journal {
    pub(super) fn open(file: Option<&Path>, clock: Clock) -> io::Result<Journal> {
        let file = match file {
            Some(path) => {
                Some(Mutex::new(OpenOptions::new().create(true).append(true).open(path)?))
            }
            None => None,
        };
        Ok(Journal { started: Instant::now(), clock, entries: Mutex::default(), file })
    }

    /// The time of the web.
    pub(super) fn now(&self) -> u64 {
        (self.clock)()
    }

    pub(super) fn monotonic(&self) -> u64 {
        self.started.elapsed().as_micros() as u64
    }

    pub(super) fn entries(&self) -> Vec<LogEntry> {
        lock(&self.entries).clone()
    }

    /// Writes down a request whose answer begins.
    pub(super) fn begin(self: &Arc<Journal>, mut entry: LogEntry) -> Open {
        let mut entries = lock(&self.entries);
        // Under the lock, so that entries stand in the order of their times.
        entry.received_mono = self.monotonic();
        entries.push(entry);
        Open { journal: self.clone(), number: entries.len() - 1 }
    }

    fn finish(&self, number: usize) {
        let (wall, monotonic) = (self.now(), self.monotonic());
        let mut entries = lock(&self.entries);
        let Some(entry) = entries.get_mut(number) else { return };
        entry.finished_at = Some(wall);
        entry.finished_mono = Some(monotonic);
        let line = self.file.as_ref().map(|_| serde_json::to_string(entry));
        drop(entries);
        if let (Some(file), Some(Ok(mut line))) = (&self.file, line) {
            line.push('\n');
            // One write per line, unbuffered: a reader never sees half of one.
            // A full disk costs the line; the entry stays in memory.
            let _ = lock(file).write_all(line.as_bytes());
        }
    }
}

impl Open {
    /// Writes down the status that is being sent.
    pub(super) fn set_status(&self, status: u16) {
        if let Some(entry) = lock(&self.journal.entries).get_mut(self.number) {
            entry.status = status;
        }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.journal.finish(self.number);
    }
}

/// A log is still a log after a panic elsewhere.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
