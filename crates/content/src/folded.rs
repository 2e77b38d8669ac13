//! Text with its white space folded.
//!
//! Runs of white space become one space, none stands at either end. The
//! no-break space is white space, soft hyphens and NULs vanish: words must
//! compare equal however they were laid out. Where a passage begins is
//! remembered beside the text, not in it.

/// A growing text without superfluous white space.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folded {
    text: String,
    /// What was met since the last word; written when the next one comes.
    gap: Gap,
    /// Where passages after the first begin, in bytes, rising.
    breaks: Vec<u32>,
}

/// What stands between two words. A wider gap swallows a narrower one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Gap {
    /// Nothing: it is one word.
    #[default]
    None,
    /// White space.
    Space,
    /// The end of a line. Two of them end a passage: pages without `p` are written so.
    Line,
    /// The end of a paragraph, list item, cell or other box.
    Passage,
}

impl Folded {
    /// Adds a piece; a word may continue over the border of two pieces.
    pub(crate) fn push(&mut self, piece: &str) {
        let bytes = piece.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            at = run_end(bytes, at);
            if at > start {
                self.write_gap();
                self.text.push_str(&piece[start..at]);
            }
            match bytes.get(at) {
                None => return,
                Some(0) => at += 1,
                Some(0xC2) => {
                    if bytes[at + 1] == 0xA0 {
                        self.separate(Gap::Space);
                    }
                    at += 2;
                }
                Some(_) => {
                    self.separate(Gap::Space);
                    at += 1;
                }
            }
        }
    }

    /// Ends the word that stands at the end, and with it the line or passage.
    #[inline]
    pub(crate) fn separate(&mut self, gap: Gap) {
        let is_empty_line = gap == Gap::Line && self.gap == Gap::Line;
        self.gap = if is_empty_line { Gap::Passage } else { self.gap.max(gap) };
    }

    #[inline]
    fn write_gap(&mut self) {
        if self.gap == Gap::None {
            return;
        }
        if !self.text.is_empty() {
            self.text.push(' ');
            if self.gap == Gap::Passage {
                // Beyond 4 GB, which no limit in use allows, passages are no longer told apart.
                self.breaks.extend(u32::try_from(self.text.len()));
            }
        }
        self.gap = Gap::None;
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Takes the text and where its passages begin, and starts anew.
    pub(crate) fn take(&mut self) -> (String, Vec<u32>) {
        self.gap = Gap::None;
        (std::mem::take(&mut self.text), std::mem::take(&mut self.breaks))
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }
}

/// End of the run at `start` that can be copied as it stands: it goes on over
/// single spaces, so that most sentences are one copy.
#[inline]
fn run_end(bytes: &[u8], start: usize) -> usize {
    let is_word = |at: usize| at < bytes.len() && IS_WORD[usize::from(bytes[at])];
    let mut at = start;
    loop {
        while is_word(at) {
            at += 1;
        }
        match bytes.get(at) {
            Some(b' ') if at > start && is_word(at + 1) => at += 2,
            Some(0xC2) if !matches!(bytes.get(at + 1), Some(0xA0 | 0xAD)) => at += 2,
            _ => return at,
        }
    }
}

/// True for bytes that are copied whatever follows. 0xC2 begins the no-break
/// space and the soft hyphen, but also characters that are copied.
const IS_WORD: [bool; 256] = {
    let mut table = [true; 256];
    let others = [0, b' ', b'\n', b'\t', b'\r', 0x0C, 0xC2];
    let mut at = 0;
    while at < others.len() {
        table[others[at] as usize] = false;
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(pieces: &[&str], expected: &str) {
        let mut folded = Folded::default();
        for piece in pieces {
            folded.push(piece);
        }
        assert_eq!(folded.into_text(), expected, "{pieces:?}");
    }

    #[test]
    fn runs_of_white_space_become_one_space() {
        check(&["  a \n\t b  c d  "], "a b c d");
        check(&["a", " ", " b"], "a b");
        check(&["a", "b"], "ab");
        check(&["", " "], "");
    }

    #[test]
    fn no_break_spaces_fold_and_soft_hyphens_vanish() {
        check(&["a\u{a0}\u{a0}b"], "a b");
        check(&["exam\u{ad}ple"], "example");
        check(&["a\0b §1 ·"], "ab §1 ·");
        check(&["a \u{ad} b"], "a b");
    }

    #[test]
    fn separating_ends_a_word() {
        let mut folded = Folded::default();
        folded.separate(Gap::Space);
        folded.push("a");
        folded.separate(Gap::Space);
        folded.separate(Gap::Space);
        folded.push("b");
        folded.separate(Gap::Space);
        assert_eq!(folded.take(), ("a b".to_owned(), vec![]));
    }

    #[test]
    fn a_passage_begins_at_the_first_word_after_its_gap() {
        #[track_caller]
        fn check(gaps: &[Gap], expected: &[u32]) {
            let mut folded = Folded::default();
            folded.separate(Gap::Passage);
            folded.push(" é");
            for gap in gaps {
                folded.push("\n");
                folded.separate(*gap);
                folded.push(" ");
            }
            folded.push("b");
            folded.separate(Gap::Passage);
            folded.push(" ");
            assert_eq!(folded.take(), ("é b".to_owned(), expected.to_vec()), "{gaps:?}");
        }
        check(&[Gap::Passage], &[3]);
        check(&[Gap::Passage, Gap::Space, Gap::Passage], &[3]);
        check(&[Gap::Line], &[]);
        check(&[Gap::Line, Gap::Line], &[3]);
        check(&[Gap::Line, Gap::Space, Gap::Line, Gap::Line], &[3]);
        check(&[Gap::Line, Gap::Passage], &[3]);
        check(&[Gap::Space, Gap::None], &[]);
    }

    /// The same law, one character at a time.
    fn fold_slowly(text: &str) -> String {
        let kept: String = text.chars().filter(|c| !matches!(c, '\0' | '\u{ad}')).collect();
        let is_gap = |c| matches!(c, ' ' | '\n' | '\t' | '\r' | '\x0C' | '\u{a0}');
        kept.split(is_gap).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    proptest! {
        #[test]
        fn folding_in_runs_equals_folding_by_characters(
            pieces in prop::collection::vec("[ab \n\t\u{a0}\u{ad}\u{a7}é\0]{0,12}", 0..6)
        ) {
            let mut folded = Folded::default();
            for piece in &pieces {
                folded.push(piece);
            }
            prop_assert_eq!(folded.into_text(), fold_slowly(&pieces.concat()));
        }

        #[test]
        fn how_wide_gaps_are_changes_no_text(
            pieces in prop::collection::vec(("[ab \n\u{a0}é]{0,6}", 0..3_usize), 0..8)
        ) {
            let (mut wide, mut narrow) = (Folded::default(), Folded::default());
            for (piece, gap) in &pieces {
                wide.push(piece);
                wide.separate([Gap::Space, Gap::Line, Gap::Passage][*gap]);
                narrow.push(piece);
                narrow.separate(Gap::Space);
            }
            let (text, breaks) = wide.take();
            prop_assert_eq!((text, vec![]), narrow.take());
            prop_assert!(breaks.is_sorted_by(|a, b| a < b));
        }
    }
}
