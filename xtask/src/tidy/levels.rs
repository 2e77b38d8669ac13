//! Which crate may know which: the levels of the design.
//!
//! `model` ← deciders and doers ← `engine` ← `lab`, `api` ← `cli`; `testbed`
//! knows nobody and serves `lab`, `cli` and tests. Dependencies of tests are
//! free. An edge within a level needs a page in `docs/decisions` and a line
//! in the table here.

use super::Fault;

/// Crates and their levels. A crate may know those of lower levels.
const LEVELS: &[(&str, u8)] = &[
    ("model", 0),
    // Deciders.
    ("scope", 1),
    ("frontier", 1),
    ("politeness", 1),
    ("content", 1),
    ("relevance", 1),
    ("links", 1),
    ("change", 1),
    ("revisit", 1),
    // Doers.
    ("fetch", 1),
    ("store", 1),
    ("archive", 1),
    ("search", 1),
    ("engine", 2),
    ("testbed", 2),
    ("lab", 3),
    ("api", 3),
    ("cli", 4),
];

/// Edges that the levels forbid and a decision allows.
const DECIDED: &[(&str, &str)] = &[
    // The store keeps what these two would forget in a restart, in their own words.
    ("store", "frontier"),
    ("store", "politeness"),
];

/// Crates that may know `testbed`.
const TESTBED_USERS: &[&str] = &["lab", "cli"];

/// Checks the dependencies in the `Cargo.toml` of a crate.
pub(crate) fn check(path: &str, text: &str) -> Vec<Fault> {
    let name = path.split('/').nth(1).unwrap_or_default();
    let Some(level) = level_of(name) else {
        return vec![Fault::new(path, 0, format!("{name} has no level in xtask's table"))];
    };
    let mut faults = Vec::new();
    for (line, dependency) in dependencies(text) {
        if is_allowed(name, level, dependency) {
            continue;
        }
        let what = format!("{name} must not depend on {dependency} without a decision");
        faults.push(Fault::new(path, line, what));
    }
    faults
}

fn is_allowed(name: &str, level: u8, dependency: &str) -> bool {
    if dependency == "testbed" {
        return TESTBED_USERS.contains(&name);
    }
    let is_lower = level_of(dependency).is_some_and(|lower| lower < level);
    (is_lower && name != "testbed") || DECIDED.contains(&(name, dependency))
}

fn level_of(name: &str) -> Option<u8> {
    LEVELS.iter().find(|(known, _)| *known == name).map(|(_, level)| *level)
}

/// The project's own crates under `[dependencies]`, with their lines.
fn dependencies(text: &str) -> Vec<(usize, &str)> {
    let mut section = "";
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            section = line;
        }
        if section != "[dependencies]" {
            continue;
        }
        if let Some(rest) = line.strip_prefix("gannet-") {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(rest.len());
            found.push((index + 1, &rest[..end]));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_edge(from: &str, to: &str, section: &str, is_allowed: bool) {
        let text = format!("[package]\nname = \"x\"\n[{section}]\ngannet-{to}.workspace = true\n");
        let faults = check(&format!("crates/{from}/Cargo.toml"), &text);
        assert_eq!(faults.is_empty(), is_allowed, "{from} -> {to}: {faults:?}");
    }

    #[test]
    fn knowledge_flows_upward() {
        check_edge("scope", "model", "dependencies", true);
        check_edge("engine", "store", "dependencies", true);
        check_edge("cli", "lab", "dependencies", true);
        check_edge("scope", "frontier", "dependencies", false);
        check_edge("model", "scope", "dependencies", false);
        check_edge("engine", "lab", "dependencies", false);
    }

    #[test]
    fn decided_edges_and_tests_are_free() {
        check_edge("store", "frontier", "dependencies", true);
        check_edge("frontier", "store", "dependencies", false);
        check_edge("engine", "testbed", "dev-dependencies", true);
    }

    #[test]
    fn the_testbed_stands_alone() {
        check_edge("testbed", "model", "dependencies", false);
        check_edge("engine", "testbed", "dependencies", false);
        check_edge("lab", "testbed", "dependencies", true);
    }

    #[test]
    fn a_new_crate_needs_a_level() {
        assert_eq!(check("crates/novel/Cargo.toml", "").len(), 1);
    }
}
