//! The registry of revisit policies: one line each.

mod fixed;
mod priced;
mod uniform;

use gannet_model::Settings;

use crate::entry::{Entry, PolicyError};
use crate::policy::Policy;

/// Every revisit policy, by name.
pub const POLICIES: &[Entry] = &[
    fixed::ENTRY,
    priced::ENTRY,
    uniform::ENTRY,
];

/// The policy used when the user names none.
pub const DEFAULT_POLICY: &str = "priced";

/// Makes the policy of this name.
pub fn build_policy(name: &str, settings: &Settings) -> Result<Box<dyn Policy>, PolicyError> {
    let Some(entry) = POLICIES.iter().find(|entry| entry.name == name) else {
        let known: Vec<_> = POLICIES.iter().map(|entry| entry.name).collect();
        return Err(PolicyError::Unknown { name: name.to_owned(), known: known.join(", ") });
    };
    (entry.build)(settings).map_err(|cause| PolicyError::Settings { name: name.to_owned(), cause })
}
