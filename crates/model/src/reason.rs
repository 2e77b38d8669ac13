//! Why a decision came out as it did.
//!
//! Every decider returns its [`Reasons`] beside its decision; they are stored
//! with it and printed by `gannet explain`.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// One part of a decision: what was looked at, what it contributed, and a note.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// What was looked at, such as `parent relevance` or `rule 3`.
    pub part: Cow<'static, str>,
    /// What it contributed to the decision, in the decision's own unit.
    pub value: f32,
    /// Anything a person should know beside the number; often empty.
    pub note: Cow<'static, str>,
}

/// All parts of one decision, in the order they were weighed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reasons(Vec<Reason>);

impl Reason {
    /// A part with its contribution.
    pub fn new(part: impl Into<Cow<'static, str>>, value: f32) -> Reason {
        Reason { part: part.into(), value, note: Cow::Borrowed("") }
    }

    /// Adds what a person should know.
    #[must_use]
    pub fn note(mut self, note: impl Into<Cow<'static, str>>) -> Reason {
        self.note = note.into();
        self
    }
}

impl Reasons {
    /// No reason yet.
    pub fn none() -> Reasons {
        Reasons::default()
    }

    /// A decision with a single reason.
    pub fn one(reason: Reason) -> Reasons {
        Reasons(vec![reason])
    }

    /// Adds a part.
    pub fn push(&mut self, reason: Reason) {
        self.0.push(reason);
    }

    /// The parts in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Reason> {
        self.0.iter()
    }

    /// True when nothing was given.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> IntoIterator for &'a Reasons {
    type Item = &'a Reason;
    type IntoIter = std::slice::Iter<'a, Reason>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<Reason> for Reasons {
    fn from_iter<I: IntoIterator<Item = Reason>>(reasons: I) -> Reasons {
        Reasons(reasons.into_iter().collect())
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:+.4}", self.part, self.value)?;
        if !self.note.is_empty() {
            write!(f, " ({})", self.note)?;
        }
        Ok(())
    }
}

impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, reason) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(" · ")?;
            }
            write!(f, "{reason}")?;
        }
        Ok(())
    }
}
