//! Experiments: the crawl's own heart, driven by a recorded or synthetic web on a virtual clock.
//!
//! There is no second implementation for simulation. [`replay`] hands the
//! steps of a [`gannet_engine::Crawl`] to a [`ReplayWeb`] and moves the clock
//! to the next answer: no socket, no sleep, and the same result every time.

pub mod charts;
pub mod detect;
pub mod freshness;
pub mod harvest;
mod player;
pub mod relevance;
mod replay;
pub mod saved;
mod testbed_web;
pub mod watch;
mod web;

pub use player::{Player, ReplayError};
pub use replay::{Replay, Seen, replay, replay_in, replay_judged};
pub use testbed_web::TestbedWeb;
pub use web::{ReplayWeb, Reply};
