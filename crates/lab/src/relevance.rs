//! How well do the relevance models judge? Measured on pages that people labelled.
//!
//! [`load`] reads data sets, [`measure`] teaches every model a few examples of
//! each topic by a fixed [`Protocol`] and lets it judge the pages it has not
//! seen. Same data, same protocol, same figures (but for the speed), however
//! many threads there are.

mod ablation;
mod contender;
mod draw;
mod kinds;
mod labelled;
mod mixed;
mod parallel;
mod plots;
mod protocol;
mod report;
mod results;
mod tree;
mod words;

pub use ablation::{Ablated, ablate};
pub use contender::{BlindTo, Contender};
pub use labelled::{LabelledClass, LabelledError, LabelledPage, LabelledSet, load};
pub use mixed::{Mixed, measure_mixed};
pub use protocol::{MeasureError, Protocol, Step, Watch, measure};
pub use report::{Grid, Report};
pub use results::{Curves, Duel, LeftOut, Mean, Measured, Run};

#[cfg(test)]
mod tests;
