//! What is to be fetched at a certain time, and not before: retries and returns.
//!
//! The same head and tail as a host's queue, ordered by time instead of worth.

use gannet_model::{Fingerprint, HostId, Timestamp, Worth};

use crate::head::{Head, Peek};

/// One visit that has a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Due {
    /// Not before this.
    pub at: Timestamp,
    /// Which URL.
    pub url: Fingerprint,
    /// Of which host.
    pub host: HostId,
    /// What it will be worth then.
    pub worth: Worth,
}

/// Where a visit stands in the order of time; the store's row key too.
pub(crate) type DueKey = (Timestamp, Fingerprint);

/// Visits that have a time, soonest first.
#[derive(Clone, Debug)]
pub struct Later {
    head: Head<DueKey, (HostId, Worth)>,
}

/// Visits kept in memory. Retries are rare; when they are not, the store holds the rest.
const CAPACITY: usize = 4096;

/// What [`Later::next`] gives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NextDue {
    Due(Due),
    At(Timestamp),
    Dry(DueKey),
    Empty,
}

impl Default for Later {
    fn default() -> Later {
        Later { head: Head::new() }
    }
}

impl Later {
    pub(crate) fn push(&mut self, due: Due) {
        self.head.push((due.at, due.url), (due.host, due.worth), CAPACITY);
    }

    /// The soonest visit if its time has come.
    pub(crate) fn next(&mut self, now: Timestamp) -> NextDue {
        match self.head.peek() {
            Peek::Empty => NextDue::Empty,
            Peek::Dry(from) => NextDue::Dry(from),
            Peek::Best((at, _), _) if at > now => NextDue::At(at),
            Peek::Best((at, url), (host, worth)) => {
                self.head.pop();
                NextDue::Due(Due { at, url, host, worth })
            }
        }
    }

    /// Takes in the stretch read from the store.
    pub(crate) fn refill(&mut self, stretch: &[Due], has_more: bool) {
        let rest =
            stretch.last().filter(|_| has_more).map(|due| (due.at, Fingerprint(due.url.0 + 1)));
        self.head
            .refill(stretch.iter().map(|due| ((due.at, due.url), (due.host, due.worth))), rest);
    }

    /// Declares that the store holds visits from this time on.
    pub(crate) fn resume(&mut self, from: Timestamp) {
        self.head.resume((from, Fingerprint(0)));
    }
}
