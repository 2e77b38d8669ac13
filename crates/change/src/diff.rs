//! What is the difference between two versions of a page's text?
//!
//! A version is a list of [`Line`]s (see [`lines`]); two of them give a
//! [`Diff`]: what was kept, removed, added and rewritten, in order, the last
//! word by word. It is exact: [`Diff::apply`] makes the newer version of the
//! older one. Whether a change matters is for the detectors; how it looks is
//! for whoever shows it.

mod lines;
mod pairs;
mod stretches;
mod words;

#[cfg(test)]
mod tests;

use serde::Serialize;

pub use lines::{Line, lines};

/// How one version of a text becomes another.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Diff {
    counts: Counts,
    /// Invariant: none is empty, and neighbours differ in kind.
    hunks: Vec<Hunk>,
}

/// A stretch of lines that fared alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Hunk {
    /// Lines of both versions.
    Kept {
        /// What they say.
        lines: Vec<Line>,
    },
    /// Lines of the older version alone.
    Removed {
        /// What they said.
        lines: Vec<Line>,
    },
    /// Lines of the newer version alone.
    Added {
        /// What they say.
        lines: Vec<Line>,
    },
    /// Lines that stand where others stood.
    Replaced {
        /// Each line with the one it stands for.
        rewrites: Vec<Rewrite>,
    },
}

/// A line that became another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rewrite {
    /// The level of the older line, if it was a heading.
    pub old_heading: Option<u8>,
    /// The level of the newer line, if it is a heading.
    pub new_heading: Option<u8>,
    /// The words of both, in order. All kept when only the level of the heading changed.
    pub pieces: Vec<Piece>,
}

/// A few words of a line that was rewritten, with the white space around them; never empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Said by both versions.
    Kept(String),
    /// Said by the older version.
    Removed(String),
    /// Said by the newer version.
    Added(String),
}

/// How much changed. A line that was rewritten counts as one removed and one added, as in every
/// line diff, but of its words only those that differ count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Words that only the newer version has.
    pub words_added: usize,
    /// Words that only the older version has.
    pub words_removed: usize,
    /// Lines that only the newer version has.
    pub lines_added: usize,
    /// Lines that only the older version has.
    pub lines_removed: usize,
}

/// Why a diff does not fit: it was made from another text. Make it anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// A line is not what the older version said.
    #[error("line {line} is not what the diff was made from")]
    Differs {
        /// Which line, the first being 1.
        line: usize,
    },
    /// The text is longer or shorter than the older version was.
    #[error("the text has {found} lines, the diff was made from {expected}")]
    Length {
        /// Lines of the older version.
        expected: usize,
        /// Lines of the text given.
        found: usize,
    },
}

/// Compares two versions line by line, and lines that were rewritten word by word.
pub fn diff(old: &[Line], new: &[Line]) -> Diff {
    let mut diff = Diff::default();
    let (mut old_at, mut new_at) = (0, 0);
    for stretch in stretches::stretches(old.iter(), new.iter(), |line| line.heading.is_some()) {
        diff.keep(&old[old_at..stretch.old.start]);
        (old_at, new_at) = (stretch.old.end, stretch.new.end);
        diff.change(&old[stretch.old], &new[stretch.new]);
    }
    debug_assert_eq!(old.len() - old_at, new.len() - new_at, "what is left was kept");
    diff.keep(&old[old_at..]);
    diff
}

impl Diff {
    /// What was kept, removed, added and replaced, in order.
    pub fn hunks(&self) -> &[Hunk] {
        &self.hunks
    }

    /// How much changed.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// True when both versions say the same.
    pub fn is_empty(&self) -> bool {
        self.hunks.iter().all(|hunk| matches!(hunk, Hunk::Kept { .. }))
    }

    /// The newer version, made of the older one.
    pub fn apply(&self, old: &[Line]) -> Result<Vec<Line>, ApplyError> {
        let expected = self.hunks.iter().map(Hunk::old_length).sum();
        if old.len() != expected {
            return Err(ApplyError::Length { expected, found: old.len() });
        }
        let mut new = Vec::with_capacity(old.len());
        let mut at = 0;
        for hunk in &self.hunks {
            let until = at + hunk.old_length();
            hunk.apply(&old[at..until], &mut new)
                .map_err(|offset| ApplyError::Differs { line: at + offset + 1 })?;
            at = until;
        }
        Ok(new)
    }

    fn keep(&mut self, kept: &[Line]) {
        match self.hunks.last_mut() {
            _ if kept.is_empty() => {}
            Some(Hunk::Kept { lines }) => lines.extend_from_slice(kept),
            _ => self.hunks.push(Hunk::Kept { lines: kept.to_vec() }),
        }
    }

    fn remove(&mut self, removed: &[Line]) {
        self.counts.lines_removed += removed.len();
        self.counts.words_removed += count_words(removed);
        match self.hunks.last_mut() {
            _ if removed.is_empty() => {}
            Some(Hunk::Removed { lines }) => lines.extend_from_slice(removed),
            _ => self.hunks.push(Hunk::Removed { lines: removed.to_vec() }),
        }
    }

    fn add(&mut self, added: &[Line]) {
        self.counts.lines_added += added.len();
        self.counts.words_added += count_words(added);
        match self.hunks.last_mut() {
            _ if added.is_empty() => {}
            Some(Hunk::Added { lines }) => lines.extend_from_slice(added),
            _ => self.hunks.push(Hunk::Added { lines: added.to_vec() }),
        }
    }

    fn replace(&mut self, old: &Line, new: &Line) {
        // Long and repetitive texts are compared by rules of thumb, which may overlook a line.
        if old == new {
            return self.keep(std::slice::from_ref(old));
        }
        let rewrite = Rewrite::new(old, new);
        self.counts.lines_removed += 1;
        self.counts.lines_added += 1;
        for piece in &rewrite.pieces {
            match piece {
                Piece::Kept(_) => {}
                Piece::Removed(text) => self.counts.words_removed += words::count(text),
                Piece::Added(text) => self.counts.words_added += words::count(text),
            }
        }
        match self.hunks.last_mut() {
            Some(Hunk::Replaced { rewrites }) => rewrites.push(rewrite),
            _ => self.hunks.push(Hunk::Replaced { rewrites: vec![rewrite] }),
        }
    }

    /// A stretch that differs: lines that resemble each other are paired, and what stands between
    /// such pairs is paired in order as far as it goes.
    fn change(&mut self, old: &[Line], new: &[Line]) {
        let (mut old_at, mut new_at) = (0, 0);
        for (old_pair, new_pair) in pairs::resembling(old, new) {
            self.change_in_order(&old[old_at..old_pair], &new[new_at..new_pair]);
            self.replace(&old[old_pair], &new[new_pair]);
            (old_at, new_at) = (old_pair + 1, new_pair + 1);
        }
        self.change_in_order(&old[old_at..], &new[new_at..]);
    }

    fn change_in_order(&mut self, old: &[Line], new: &[Line]) {
        let paired = old.len().min(new.len());
        for (old, new) in old.iter().zip(new) {
            self.replace(old, new);
        }
        self.remove(&old[paired..]);
        self.add(&new[paired..]);
    }
}

impl Hunk {
    /// How many lines of the older version it is about.
    fn old_length(&self) -> usize {
        match self {
            Hunk::Kept { lines } | Hunk::Removed { lines } => lines.len(),
            Hunk::Added { .. } => 0,
            Hunk::Replaced { rewrites } => rewrites.len(),
        }
    }

    /// Adds its lines of the newer version; else tells which of the lines given does not fit.
    fn apply(&self, old: &[Line], new: &mut Vec<Line>) -> Result<(), usize> {
        let first_other = match self {
            Hunk::Kept { lines } | Hunk::Removed { lines } => {
                lines.iter().zip(old).position(|(ours, theirs)| ours != theirs)
            }
            Hunk::Added { .. } => None,
            Hunk::Replaced { rewrites } => {
                rewrites.iter().zip(old).position(|(rewrite, theirs)| rewrite.old_line() != *theirs)
            }
        };
        if let Some(offset) = first_other {
            return Err(offset);
        }
        match self {
            Hunk::Kept { lines } | Hunk::Added { lines } => new.extend_from_slice(lines),
            Hunk::Removed { .. } => {}
            Hunk::Replaced { rewrites } => new.extend(rewrites.iter().map(Rewrite::new_line)),
        }
        Ok(())
    }
}

impl Rewrite {
    fn new(old: &Line, new: &Line) -> Rewrite {
        Rewrite {
            old_heading: old.heading,
            new_heading: new.heading,
            pieces: words::compare(&old.text, &new.text),
        }
    }

    /// The line as it was.
    pub fn old_line(&self) -> Line {
        let pieces = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Kept(text) | Piece::Removed(text) => Some(text.as_str()),
            Piece::Added(_) => None,
        });
        Line { heading: self.old_heading, text: pieces.collect() }
    }

    /// The line as it is now.
    pub fn new_line(&self) -> Line {
        let pieces = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Kept(text) | Piece::Added(text) => Some(text.as_str()),
            Piece::Removed(_) => None,
        });
        Line { heading: self.new_heading, text: pieces.collect() }
    }
}

fn count_words(lines: &[Line]) -> usize {
    lines.iter().map(|line| words::count(&line.text)).sum()
}
