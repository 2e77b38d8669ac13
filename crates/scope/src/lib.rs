//! Is this URL ours?
//!
//! Everything here is pure: a URL and what is known of it come in, a decision
//! comes out with its reason. In the order in which a link meets them:
//!
//! 1. [`canonical`] gives one spelling to the many of one page;
//! 2. [`scope`] asks the ordered [`rules`] whether the page is ours;
//! 3. [`traps`] refuses addresses that only a machine without end would make.
//!
//! [`seeds`] reads the list that a crawl starts from, [`ascend`] climbs from a
//! page to the directories above it, [`domain`] knows where a registrant's
//! part of a name begins. Whether robots.txt allows a visit is asked in
//! `politeness`; what a link is worth, in `links`.

pub mod canonical;
pub mod scope;

pub mod rules;

pub mod traps;

pub mod seeds;

pub mod ascend;

pub mod domain;

mod fnv;
mod words;

pub use ascend::directories_above;
pub use canonical::{Canonical, CanonicalConfig, CanonicalError};
pub use domain::registrable_domain;
pub use rules::{Action, Candidate, RuleConfig, RuleKind, RuleProblem};
pub use scope::{Because, Decision, Scope, ScopeConfig, ScopeError, Stay};
pub use seeds::{SeedError, SeedList, read_seeds};
pub use traps::{Novelty, ParameterWatch, TrapConfig, TrapReason, TrapWatch};
