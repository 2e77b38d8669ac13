//! What changed? Detectors, diff, churn.
//!
//! Pure: versions of a page come in, what changed comes out. It fetches nothing
//! and stores nothing.

mod alignment;
mod attached;
mod churn;
mod codes;
mod comparison;
#[cfg(test)]
mod comparison_tests;
mod detector;
mod detectors;
pub mod diff;
mod look;
mod markup;
mod memory;
mod normal;
mod pictures;
mod shingles;
mod version;

pub use attached::{FileCode, Files, Held, MOST_FILES};
pub use churn::Churn;
pub use comparison::{Comparison, compare, compare_files};
pub use detector::{Detector, Entry, Step, Verdict};
pub use detectors::{DEFAULT_DETECTOR, DETECTORS, build_detector};
pub use look::Look;
pub use memory::Memory;
pub use pictures::{Side, dhash, dominant_colour, hamming, ival};
pub use shingles::Sketch;
pub use version::{Attached, Version};
