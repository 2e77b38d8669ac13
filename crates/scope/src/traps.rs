//! Is this address a machine without end?
//!
//! Calendars, filters and broken relative links make addresses for ever. Three
//! defences, both bounded in memory and neither knowing any site's software:
//!
//! - [`refuse`] looks at one address: cycles, length, numbers of parts;
//! - [`TrapWatch`] looks at what a host's documents brought: a shape that
//!   takes a large share of them and brings nothing new is flagged for an
//!   operator, and closed after a number of documents until they decide;
//! - [`ParameterWatch`] looks at what documents say whose addresses differ in one
//!   parameter alone: where they say the same, one of them is enough.
//!
//! Time and size limits per page are `fetch`'s; which documents are new is
//! told by the caller.

mod guard;
mod parameters;
mod shape;
mod watch;

use serde::{Deserialize, Serialize};

pub use guard::refuse;
pub use parameters::ParameterWatch;
pub use watch::{Flag, Novelty, Standing, TrapWatch};

/// `[traps]`: what counts as an address or a shape without end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrapConfig {
    /// Refuse a path that repeats itself this many times in a row, as
    /// `/a/a/a` and `/a/b/a/b/a/b` do three times; 0 turns the check off.
    pub max_repeats: u32,
    /// Refuse a path with more segments; 0 turns the check off.
    pub max_segments: u32,
    /// Refuse a query with more parameters; 0 turns the check off.
    pub max_parameters: u32,
    /// Refuse an address with more bytes; 0 leaves only the limit of 4,096
    /// that every address has.
    pub max_length: u32,
    /// Close a flagged shape of a host after this many documents; 0 never
    /// closes, and only flags.
    pub documents_per_shape: u32,
    /// Flag no shape before a host has given this many documents.
    pub suspicious_after: u32,
    /// Flag a shape when it takes at least this share of its host's recent
    /// documents (0 to 1) …
    pub suspicious_share: f64,
    /// … and at most this share of them brought anything new (0 to 1).
    pub suspicious_novelty: f64,
    /// Take a query parameter of a host for idle, a session id or the like, when so many pages
    /// said the same as another whose address differs in it alone, and none said anything else;
    /// 0 never does.
    pub idle_parameter_after: u32,
    /// How many shapes are counted per host, 8 to 4,096. With 64, a shape of
    /// more than a 32nd of the host's documents is never lost from sight.
    pub shapes_per_host: u32,
}

impl Default for TrapConfig {
    fn default() -> TrapConfig {
        TrapConfig {
            max_repeats: 3,
            max_segments: 20,
            max_parameters: 24,
            max_length: 2_000,
            documents_per_shape: 2_000,
            suspicious_after: 100,
            suspicious_share: 0.3,
            suspicious_novelty: 0.05,
            idle_parameter_after: 8,
            shapes_per_host: 64,
        }
    }
}

/// Why the traps cannot be watched as configured.
#[derive(Debug, thiserror::Error, PartialEq)]
#[non_exhaustive]
pub enum TrapError {
    /// A share that is none.
    #[error("traps.{key} = {value} is not a share; write a number from 0 to 1, such as 0.3")]
    NotAShare {
        /// The setting.
        key: &'static str,
        /// What stands there.
        value: f64,
    },
    /// Nothing can be counted without counters.
    #[error("traps.shapes_per_host must be from 8 to 4096")]
    ShapesOutOfRange,
}

/// Why an address is taken for a trap.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrapReason {
    /// The path goes round in circles.
    #[error("the path repeats /{cycle} {times} times in a row")]
    Repeats {
        /// What is repeated.
        cycle: String,
        /// How often it stands in a row.
        times: usize,
    },
    /// The query says the same again and again.
    #[error("the query repeats {parameter} {times} times")]
    RepeatedParameter {
        /// What is repeated.
        parameter: String,
        /// How often it stands there.
        times: usize,
    },
    /// The same page was visited under another value of a parameter that changes nothing.
    #[error("visited already but for `{name}`, which changes nothing on this host")]
    IdleParameter {
        /// The parameter.
        name: String,
    },
    /// Too many path segments.
    #[error("the path has {count} segments, more than {limit}")]
    TooManySegments {
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: u32,
    },
    /// Too many query parameters.
    #[error("the query has {count} parameters, more than {limit}")]
    TooManyParameters {
        /// How many there are.
        count: usize,
        /// How many there may be.
        limit: u32,
    },
    /// Too long.
    #[error("the address has {bytes} bytes, more than {limit}")]
    TooLong {
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        limit: u32,
    },
    /// A shape that brought many documents and nothing new.
    #[error("{documents} documents of the shape {shape} brought almost nothing new")]
    BarrenShape {
        /// The shape, digits masked.
        shape: String,
        /// How many documents it gave.
        documents: u32,
    },
    /// A shape that an operator closed.
    #[error("an operator excluded the shape {shape}")]
    ExcludedShape {
        /// The shape, digits masked.
        shape: String,
    },
}
