//! The registry of revisit policies: one line each.

mod azar;
mod cho_optimal;
mod fixed;
mod fr_max;
mod frequency_queues;
mod green;
mod harmonic_optimal;
mod heritrix;
mod importance_proportional;
mod lambda_crawl;
mod nutch;
mod page_score;
mod priced;
mod proportional;
mod selective;
mod stormcrawler;
mod tld_class;
mod uniform;

use gannet_model::Settings;

use crate::entry::{Entry, PolicyError};
use crate::policy::Policy;

/// Every revisit policy, by name.
pub const POLICIES: &[Entry] = &[
    azar::ENTRY,
    azar::LEARNED,
    cho_optimal::ENTRY,
    fixed::ENTRY,
    fr_max::ENTRY,
    fr_max::RECURSIVE,
    frequency_queues::ENTRY,
    green::ENTRY,
    harmonic_optimal::ENTRY,
    heritrix::ENTRY,
    importance_proportional::ENTRY,
    lambda_crawl::ENTRY,
    lambda_crawl::LEARN,
    lambda_crawl::LEARN_EVEN,
    nutch::ENTRY,
    nutch::NO_SYNC,
    page_score::ENTRY,
    priced::ENTRY,
    proportional::ENTRY,
    selective::ENTRY,
    stormcrawler::ENTRY,
    tld_class::ENTRY,
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

#[cfg(test)]
mod tests;
