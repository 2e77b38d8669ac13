//! How well do the change detectors tell edits from noise? Measured on pairs of real versions.
//!
//! [`load`] reads pairs, [`measure`] shows each to every detector: as two versions of which nothing
//! else is known, and, for the default, page by page in the order of time, so that it learns which
//! places never stay.

mod measure;
mod pairs;
mod report;

pub use measure::{Case, Learned, Measured, Run, all_detectors, measure};
pub use pairs::{PagePair, PairKind, PairsError, load};
pub use report::Report;

#[cfg(test)]
mod tests;
