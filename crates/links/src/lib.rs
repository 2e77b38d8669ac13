//! What is a link worth?
//!
//! An [`Order`] values links, learns from what became of them, and says why.
//! Each strategy is one file in `orders/` and one line in the [registry](ORDERS).
//! Orders are pure: they know no queue, no clock and no network.

mod bounds;
#[cfg(test)]
mod fixture;
mod graph;
mod interest;
mod order;
mod orders;
mod page;
mod site_cutoff;
mod tally;
mod traits;
mod tunnelling;

pub use bounds::Bounds;
pub use interest::Interest;
pub use order::{Build, Entry, Finding, LinkSight, Order, OrderError, Queued, Risen, Valued};
pub use orders::{DEFAULT_ORDER, ORDERS, build_order};
pub use site_cutoff::{SiteCutoff, SiteCutoffConfig};
pub use tunnelling::{Tunnelling, TunnellingConfig};
