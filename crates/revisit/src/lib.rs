//! When again?
//!
//! A [`Policy`] decides when a known page is visited again and learns from what each visit
//! showed. Each is one file in `policies/` and one line in the registry. Policies are pure: no
//! clock, no network, no disk.

mod allocation;
mod entry;
mod estimators;
#[cfg(test)]
mod fixture;
mod interval;
mod kept;
mod limits;
mod manner;
mod optimum;
mod policies;
mod policy;
mod posterior;
mod schedule;
mod span;
mod table;
mod theory;

pub use entry::{Build, Entry, PolicyError};
pub use estimators::{Estimator, GREATEST_RATE, Gap, LEAST_RATE, Outcome, SMOOTHING_DAYS};
pub use optimum::{
    Demand, binary_even, binary_random, binary_random_price, binary_wait, harmonic_even,
    harmonic_random, harmonic_wait, price_for,
};
pub use policies::{DEFAULT_POLICY, POLICIES, build_policy};
pub use policy::{Account, Facts, Hint, PageNumber, Policy, Saw, Visit};
pub use schedule::{Next, Schedule};
pub use theory::{Spacing, age, entire_exponential_integral, freshness, harmonic_staleness, waste};
