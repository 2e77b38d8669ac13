//! When again?
//!
//! A [`Policy`] decides when a known page is visited again and learns from what each visit
//! showed. Each is one file in `policies/` and one line in the registry. Policies are pure: no
//! clock, no network, no disk.

mod policy;

pub use policy::{Account, Facts, Hint, PageNumber, Policy, Saw, Visit};
