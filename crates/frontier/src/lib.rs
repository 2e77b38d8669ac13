//! Which URL next?
//!
//! Mechanics only: per-host queues ordered by worth, hosts ordered by their
//! best link, and the table of known URLs. What a link is worth is decided in
//! `links`, whether a host may be contacted in `politeness`; the frontier is
//! told both. It does no I/O: the best entries are here ("heads"), the rest is
//! in the store ("tails"), and when a head runs dry the frontier asks its
//! driver for the next stretch.
//!
//! Memory: 15 bytes at most for each known URL, 24 for each entry of a head,
//! and heads are bounded, so it does not grow with the number of queued links
//! beyond the table of known URLs.

mod entry;
mod frontier;
mod head;
mod known;
mod later;

pub use entry::{Entry, QueueKey};
pub use frontier::{Census, Frontier, Next, Refill};
pub use known::{Known, Mark};
pub use later::{Due, Later};
