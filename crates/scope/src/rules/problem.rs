//! Why a condition cannot be built, and what would be right.

/// Why a rule's condition is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RuleProblem {
    /// A word or list where a condition must stand.
    #[error("{found} is not a condition; write {{ pattern = \"/calendar/\" }} or another kind")]
    NotACondition {
        /// What stands there.
        found: String,
    },
    /// A condition with no kind, or with several.
    #[error(
        "the condition has {count} kinds; each has one, and several are joined by \
         all = [{{ … }}, {{ … }}] or any = [{{ … }}, {{ … }}]"
    )]
    NotOneKind {
        /// How many stand there.
        count: usize,
    },
    /// A kind that does not exist.
    #[error("unknown kind {found:?}; known are {known}")]
    UnknownKind {
        /// What stands there.
        found: String,
        /// The kinds that exist.
        known: String,
    },
    /// A value of the wrong type or shape.
    #[error("{kind} = {found} says nothing; write {example}")]
    WrongValue {
        /// The kind it is given to.
        kind: &'static str,
        /// What stands there.
        found: String,
        /// A whole condition that would be right.
        example: &'static str,
    },
    /// A regular expression that cannot be read, or would take too much memory.
    #[error("{kind} {pattern:?} cannot be used: {cause}")]
    BadPattern {
        /// The kind it is given to.
        kind: &'static str,
        /// What stands there.
        pattern: String,
        /// What the regular expression compiler says.
        #[source]
        cause: Box<regex::Error>,
    },
    /// Conditions within conditions within conditions.
    #[error("conditions are nested deeper than {limit}")]
    TooNested {
        /// How deep they may be.
        limit: usize,
    },
}
