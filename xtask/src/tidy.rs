//! What CONTRIBUTING.md asks of a file and a compiler does not check.
//!
//! Every rule is one function from the text of a file to its faults, so the
//! rules can be tested without files. Which files there are is asked of git:
//! what it ignores is not ours.

mod documents;
mod functions;
mod levels;
mod mask;
mod sources;

use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// A place that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// From the root of the workspace.
    path: String,
    /// From one; 0 when the whole file is meant.
    line: usize,
    what: String,
}

impl Fault {
    fn new(path: &str, line: usize, what: impl Into<String>) -> Fault {
        Fault { path: path.to_owned(), line, what: what.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.what),
            line => write!(f, "{}:{line}: {}", self.path, self.what),
        }
    }
}

/// Checks every file of the project.
pub(crate) fn check(root: &Path) -> Result<Vec<Fault>> {
    let mut faults = Vec::new();
    for path in project_files(root)? {
        faults.extend(sources::check_name(&path));
        // What is not text has no lines to check; what was just deleted has none either.
        let Ok(text) = std::fs::read_to_string(root.join(&path)) else {
            continue;
        };
        faults.extend(documents::check_machine_paths(&path, &text));
        if path.ends_with(".rs") {
            faults.extend(sources::check(&path, &text));
            faults.extend(functions::check(&path, &text));
        }
        if path.ends_with(".md") {
            faults.extend(documents::check_links(root, &path, &text));
        }
        if path.starts_with("crates/") && path.ends_with("/Cargo.toml") {
            faults.extend(levels::check(&path, &text));
        }
    }
    Ok(faults)
}

/// Files that git knows or would take up, from the root.
fn project_files(root: &Path) -> Result<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("cannot start git")?;
    if !output.status.success() {
        bail!("git ls-files: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let names = String::from_utf8(output.stdout).context("a file name is not text")?;
    let mut files: Vec<String> =
        names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    files.sort();
    Ok(files)
}
