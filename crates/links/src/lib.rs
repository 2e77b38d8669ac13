//! What is a link worth?
//!
//! An [`Order`] values links, learns from what became of them, and says why.
//! Each strategy is one file in `orders/` and one line in the [registry](ORDERS).
//! Orders are pure: they know no queue, no clock and no network.

mod order;
mod orders;

pub use order::{Entry, Finding, LinkSight, Order, OrderError, Valued};
pub use orders::{DEFAULT_ORDER, ORDERS, build_order};
