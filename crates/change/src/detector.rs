//! What every change detector can do.
//!
//! The published ones work alike: a version is boiled down to a few codes, and
//! the codes of two versions are compared in order until one differs. So such a
//! detector is a list of [`Step`]s.

use crate::version::Version;

/// Tells whether a page changed.
pub trait Detector: Send + Sync {
    /// Whether the newer version says something else than the older one.
    fn compare(&self, old: &Version<'_>, new: &Version<'_>) -> Verdict;
}

/// What a detector says of two versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Whether the page changed, as this detector sees it.
    pub is_change: bool,
    /// Why, in words: the code that differs, or that none does.
    pub because: String,
}

/// One code of a published detector.
#[derive(Clone, Copy)]
pub struct Step {
    /// What it is called.
    pub name: &'static str,
    /// Works it out.
    pub code: fn(&Version<'_>) -> String,
}

/// Compares codes in order, and works out a later one only if the earlier ones are the same.
pub(crate) struct InSteps(pub(crate) &'static [Step]);

impl Detector for InSteps {
    fn compare(&self, old: &Version<'_>, new: &Version<'_>) -> Verdict {
        for step in self.0 {
            let (before, after) = ((step.code)(old), (step.code)(new));
            if before != after {
                let because = format!("{}: {} became {}", step.name, short(&before), short(&after));
                return Verdict { is_change: true, because };
            }
        }
        let names: Vec<&str> = self.0.iter().map(|step| step.name).collect();
        Verdict { is_change: false, because: format!("same {}", names.join(", ")) }
    }
}

/// Codes are told up to this length.
const TOLD: usize = 40;

fn short(code: &str) -> String {
    match code.char_indices().nth(TOLD) {
        Some((end, _)) => format!("{}…", &code[..end]),
        None => code.to_owned(),
    }
}

/// One line of the registry.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// One sentence for `gannet list`.
    pub summary: &'static str,
    /// Makes the detector.
    pub build: fn() -> Box<dyn Detector>,
}
