//! What a rule is: a condition on a URL, and what to do when it holds.
//!
//! Each kind of condition is one file below and one line in `REGISTRY`; the
//! configuration, the errors, the prose and the listing follow from it. The
//! order of rules and what happens when none holds is [`crate::scope`]'s.
//!
//! To add a kind: write `rules/<kind>.rs` with its `ENTRY`, and add the line.

mod combine;
mod depth;
mod domain;
mod extension;
mod glob;
mod host;
mod parameter;
mod path_depth;
mod pattern;
mod prefix;
mod protocol;
mod query;

pub(crate) mod seed_fence;
pub(crate) mod text_only;

mod candidate;
mod problem;
mod setting;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use candidate::Candidate;
pub use problem::RuleProblem;
pub use setting::Setting;

pub(crate) use depth::DepthOver;
pub(crate) use domain::read_domain;

/// Every kind of condition, in alphabetical order.
const REGISTRY: &[Entry] = &[
    combine::ALL,
    combine::ANY,
    depth::ENTRY,
    domain::ENTRY,
    extension::ENTRY,
    glob::ENTRY,
    host::ENTRY,
    combine::NOT,
    parameter::ENTRY,
    path_depth::ENTRY,
    pattern::ENTRY,
    prefix::ENTRY,
    protocol::ENTRY,
    query::ENTRY,
];

/// Conditions nested deeper than this are refused: nobody can read them, and
/// each level costs stack.
const DEEPEST_NESTING: usize = 16;

/// What a rule does with a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// The URL is ours.
    Accept,
    /// The URL is not ours.
    Reject,
}

/// `[[scope.rule]]`: one rule. The first rule whose condition holds decides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleConfig {
    /// What to call the rule in reasons and errors; its number when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `accept` or `reject`.
    pub action: Action,
    /// The condition: one kind and its value, such as `{ extension = ["ics"] }`.
    /// Several are joined by `any`, `all` and `not`.
    pub when: Setting,
}

/// A kind of condition, for listings and reference documentation.
#[derive(Clone, Copy, Debug)]
pub struct RuleKind {
    /// Its key in a condition.
    pub name: &'static str,
    /// An example of the whole condition.
    pub example: &'static str,
    /// When it holds.
    pub holds: &'static str,
}

/// Every kind of condition a rule can be made of.
pub fn rule_kinds() -> impl Iterator<Item = RuleKind> {
    REGISTRY.iter().map(|entry| entry.kind)
}

/// A condition on a URL. Displayed as a clause: "its extension is ics".
pub(crate) trait Condition: fmt::Display + fmt::Debug + Send + Sync {
    /// True when the candidate meets it. Called for every link: no allocation.
    fn holds(&self, candidate: &Candidate<'_>) -> bool;

    /// True when the clause needs brackets inside another one.
    fn is_compound(&self) -> bool {
        false
    }
}

/// A condition, or why there is none.
type Built = Result<Box<dyn Condition>, RuleProblem>;

/// A line of the registry.
pub(crate) struct Entry {
    kind: RuleKind,
    /// Builds the condition from its value; the level counts the nesting.
    build: fn(&Setting, usize) -> Built,
}

/// Builds a condition from `{ kind = value }`.
pub(crate) fn build(when: &Setting) -> Built {
    build_nested(when, 0)
}

fn build_nested(when: &Setting, level: usize) -> Built {
    if level >= DEEPEST_NESTING {
        return Err(RuleProblem::TooNested { limit: DEEPEST_NESTING });
    }
    let Setting::Table(entries) = when else {
        return Err(RuleProblem::NotACondition { found: when.to_string() });
    };
    let [(kind, value)] = entries.as_slice() else {
        return Err(RuleProblem::NotOneKind { count: entries.len() });
    };
    let entry = REGISTRY
        .iter()
        .find(|entry| entry.kind.name == kind)
        .ok_or_else(|| RuleProblem::UnknownKind { found: kind.clone(), known: known_kinds() })?;
    (entry.build)(value, level)
}

fn known_kinds() -> String {
    REGISTRY.iter().map(|entry| entry.kind.name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
pub(crate) mod contract {
    //! What every kind must keep; each kind's tests speak through these.

    use super::*;
    use gannet_model::PageUrl;

    /// Builds from a TOML inline table.
    pub(crate) fn condition(toml: &str) -> Built {
        #[derive(Deserialize)]
        struct Holder {
            when: Setting,
        }
        build(&toml::from_str::<Holder>(&format!("when = {toml}")).unwrap().when)
    }

    #[track_caller]
    pub(crate) fn check(toml: &str, url: &str, expected: bool) {
        check_at(toml, url, 0, expected);
    }

    #[track_caller]
    pub(crate) fn check_at(toml: &str, url: &str, depth: u32, expected: bool) {
        let url = PageUrl::parse(url).unwrap();
        let condition = condition(toml).unwrap();
        assert_eq!(condition.holds(&Candidate { url: &url, depth }), expected, "{toml} on {url}");
    }

    #[track_caller]
    pub(crate) fn check_prose(toml: &str, expected: &str) {
        assert_eq!(condition(toml).unwrap().to_string(), expected);
    }

    #[track_caller]
    pub(crate) fn check_refused(toml: &str, message: &str) {
        let error = condition(toml).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }

    #[test]
    fn every_kind_builds_from_its_own_example_and_speaks() {
        for kind in rule_kinds() {
            let condition = condition(kind.example).unwrap();
            assert!(!condition.to_string().is_empty(), "{}", kind.name);
            assert!(!kind.holds.is_empty(), "{}", kind.name);
        }
    }

    #[test]
    fn every_kind_refuses_the_wrong_value_by_its_name_and_example() {
        for kind in rule_kinds() {
            for wrong in ["{ x = { y = 1 } }", "[]", "\"\""] {
                let toml = format!("{{ {} = {wrong} }}", kind.name);
                let error = condition(&toml).unwrap_err().to_string();
                assert!(error.contains(kind.name) || error.contains("unknown kind"), "{error}");
            }
        }
    }

    #[test]
    fn kinds_are_listed_in_order_and_once() {
        let names: Vec<&str> = rule_kinds().map(|kind| kind.name).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(names, sorted);
    }

    #[test]
    fn what_is_no_condition_is_refused_with_what_would_be_right() {
        check_refused("{ domian = \"a\" }", "unknown kind \"domian\"; known are all, any,");
        check_refused("{ domain = \"a.org\", depth_over = 5 }", "joined by all = [");
        check_refused("{ }", "has 0 kinds");
        check_refused("\"calendar\"", "write { pattern = ");
        let deep = format!("{}{{ query = true }}{}", "{ not = ".repeat(20), " }".repeat(20));
        check_refused(&deep, "nested deeper than 16");
    }
}
