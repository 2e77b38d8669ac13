//! How well do the relevance models judge? Measured on pages that people labelled.
//!
//! [`load`] reads data sets, [`measure`] teaches every model a few examples of
//! each topic by a fixed [`Protocol`] and lets it judge the pages it has not
//! seen. Same data, same protocol, same figures (but for the speed), however
//! many threads there are.

mod ablation;
mod contender;
pub(crate) mod draw;
pub(crate) mod kinds;
pub(crate) mod labelled;
mod mixed;
pub(crate) mod parallel;
mod plots;
mod protocol;
pub(crate) mod report;
mod results;
pub(crate) mod tree;
pub(crate) mod words;

pub use ablation::{Ablated, ablate};
pub use contender::{BlindTo, Contender};
pub use labelled::{LabelledClass, LabelledError, LabelledPage, LabelledSet, load};
pub use mixed::{Mixed, measure_mixed};
pub use protocol::{MeasureError, Protocol, Step, Watch, measure};
pub use report::{Grid, Report};
pub use results::{Curves, Duel, LeftOut, Mean, Measured, Run};

#[cfg(test)]
mod tests;
