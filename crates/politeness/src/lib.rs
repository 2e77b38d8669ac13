//! May we contact it now? Robots, access, pace, gate and retries.
//!
//! Everything here decides and nothing acts: no clock, no network, no
//! randomness. Callers pass `now` and what they saw; they get a decision with
//! its reason. What must survive a restart ([`Access`], [`Pace`], [`Tries`])
//! can be stored as it is; the [`Gate`] is rebuilt empty and told of the
//! restart instead.
//!
//! - [`Robots`] reads one robots.txt and rules on paths (RFC 9309).
//! - [`Access`] is what we know of a host's robots.txt and when to ask again.
//! - [`Pace`] is when one host may be contacted again, and why not sooner.
//! - [`Gate`] adds what is in flight now, per host and per address.
//! - [`Tries`] decides whether one URL is worth another attempt.

mod access;
mod gate;
mod pace;
mod prose;
mod retry;
mod retry_after;
mod robots;

pub use access::{Access, AccessRules, GoodCopy, Permission, RobotsAnswer, Silence};
pub use gate::{Busy, Gate, Limits, Opening};
pub use pace::{Contact, Doubling, Hold, Pace, PaceRules};
pub use retry::{Outcome, Patience, Retry, RetryRules, Tries};
pub use robots::{Group, Robots, Ruling, is_product_token};
