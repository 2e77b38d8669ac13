//! What every Rust file keeps to: its opening, its length, its name, its words.

use super::Fault;
use super::mask::mask;

/// Lines a file may have before its tests.
const MAX_LINES: usize = 500;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] =
    &["util", "utils", "helper", "helpers", "common", "misc", "shared", "manager", "managers"];

/// What must not be committed, and why.
const FORBIDDEN: &[(&str, &str)] = &[
    ("#[ignore", "a test is made or deleted, not ignored"),
    ("todo!", "unfinished"),
    ("unimplemented!", "unfinished"),
    ("dbg!", "left over from debugging"),
];

/// Waiting for time to pass makes tests slow and now and then wrong.
const SLEEPS: &[&str] = &["thread::sleep(", "time::sleep("];

/// Checks the name of a file and of the folders it lies in.
pub(crate) fn check_name(path: &str) -> Option<Fault> {
    let is_code = path.starts_with("crates/") || path.starts_with("xtask/");
    let part = path.split('/').find(|part| {
        let stem = part.split('.').next().unwrap_or_default();
        EMPTY_NAMES.contains(&stem)
    })?;
    is_code.then(|| Fault::new(path, 0, format!("the name {part:?} says nothing")))
}

/// Checks the text of a Rust file.
pub(crate) fn check(path: &str, text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    if !text.starts_with("//!") {
        faults.push(Fault::new(path, 1, "a file opens with `//!`: what it is for"));
    }
    let code = mask(text);
    let tests = tests_begin(path, &code);
    if tests > MAX_LINES {
        let what = format!("{tests} lines before the tests, more than {MAX_LINES}");
        faults.push(Fault::new(path, 0, what));
    }
    for (index, line) in code.lines().enumerate() {
        let found = FORBIDDEN.iter().find(|(word, _)| has_word(line, word));
        faults
            .extend(found.map(|(word, why)| Fault::new(path, index + 1, format!("{word}: {why}"))));
        let is_sleep = SLEEPS.iter().any(|sleep| line.contains(sleep));
        if index >= tests && is_sleep {
            faults.push(Fault::new(path, index + 1, "a test sleeps"));
        }
    }
    faults
}

/// True when the word stands there, not as the end of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// How many lines come before the tests; a file of tests has none.
fn tests_begin(path: &str, code: &str) -> usize {
    if path.contains("/tests/") || path.ends_with("tests.rs") {
        return 0;
    }
    let lines: Vec<&str> = code.lines().collect();
    let is_start = |pair: &[&str]| {
        // `mod tests;` is in a file of its own and ends nothing here.
        pair[0].trim() == "#[cfg(test)]" && pair[1].contains("mod ") && !pair[1].contains(';')
    };
    lines.windows(2).position(is_start).unwrap_or(lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_faults(path: &str, text: &str, expected: &[&str]) {
        let found: Vec<String> = check(path, text).into_iter().map(|fault| fault.what).collect();
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.contains(expected), "{found:?}");
        }
    }

    #[test]
    fn files_open_with_their_purpose() {
        check_faults("crates/a/src/lib.rs", "//! What for.\n", &[]);
        check_faults("crates/a/src/lib.rs", "use std::fmt;\n", &["opens with"]);
    }

    #[test]
    fn only_lines_before_the_tests_count() {
        let long = "//! x\n".repeat(500);
        let tests = "#[cfg(test)]\nmod tests {\n".to_owned() + &"x\n".repeat(500);
        check_faults("crates/a/src/lib.rs", &format!("{long}{tests}"), &[]);
        check_faults("crates/a/src/lib.rs", &format!("{long}x\n{tests}"), &["501 lines"]);
        check_faults("crates/a/tests/all.rs", &"//! x\n".repeat(900), &[]);
    }

    #[test]
    fn forbidden_words_count_in_code_only() {
        check_faults("crates/a/src/lib.rs", "//! x\n// todo!()\nlet x = \"dbg!\";\n", &[]);
        check_faults("crates/a/src/lib.rs", "//! x\ntodo!();\n", &["unfinished"]);
        check_faults("crates/a/src/lib.rs", "//! x\n#[ignore = \"slow\"]\n", &["ignored"]);
    }

    #[test]
    fn tests_do_not_sleep_but_programs_may() {
        let sleep = "std::thread::sleep(wait);\n";
        check_faults("crates/a/src/lib.rs", &format!("//! x\n{sleep}"), &[]);
        check_faults("crates/a/tests/all.rs", &format!("//! x\n{sleep}"), &["sleeps"]);
        let test = "//! x\n#[cfg(test)]\nmod tests {\ntokio::time::sleep(x).await;\n}\n";
        check_faults("crates/a/src/lib.rs", test, &["sleeps"]);
    }

    #[test]
    fn names_say_something() {
        assert!(check_name("crates/a/src/utils.rs").is_some());
        assert!(check_name("crates/common/src/lib.rs").is_some());
        assert!(check_name("crates/a/src/commonplace.rs").is_none());
        assert!(check_name("docs/common.md").is_none());
    }
}
