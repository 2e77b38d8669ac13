//! A synthetic, changing, misbehaving web on loopback, with a virtual clock.
//!
//! [`Web`] is the web itself: a pure function from a [`Spec`] to pages, links,
//! changes and the truth about them, answering [`Ask`] with [`Reply`] without
//! any socket. [`Server`] puts it on real sockets under many loopback addresses
//! and logs every request. [`politeness`] proves from such a log that a crawler
//! behaved.

mod behaviour;
mod change;
mod date;
mod draw;
mod graph;
mod hostile;
mod layout;
mod markup;
mod naming;
mod presets;
mod prose;
mod reply;
mod respond;
mod robots;
mod server;
mod spec;
mod topics;
mod trap;
mod web;
mod words;

pub mod politeness;

pub use behaviour::Behaviour;
pub use change::{Life, Pace, Version};
pub use hostile::Hostility;
pub use layout::PageId;
pub use naming::Naming;
pub use reply::{Ask, Ending, Reply};
pub use robots::{AGENT, Robots, is_robots_path};
pub use server::{Clock, LogEntry, Server, ServerOptions};
pub use spec::{ChangeMix, Faults, RobotsMix, Spec};
pub use topics::Topic;
pub use web::{Truth, Web};
