//! Text with its white space folded.
//!
//! Runs of white space become one space, none stands at either end. The
//! no-break space is white space, soft hyphens and NULs vanish: words must
//! compare equal however they were laid out.

/// A growing text without superfluous white space.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folded {
    text: String,
    /// White space was met since the last word; written when the next one comes.
    has_gap: bool,
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
                if self.has_gap && !self.text.is_empty() {
                    self.text.push(' ');
                }
                self.has_gap = false;
                self.text.push_str(&piece[start..at]);
            }
            match bytes.get(at) {
                None => return,
                Some(0) => at += 1,
                Some(0xC2) => {
                    self.has_gap |= bytes[at + 1] == 0xA0;
                    at += 2;
                }
                Some(_) => {
                    self.has_gap = true;
                    at += 1;
                }
            }
        }
    }

    /// Ends the word that stands at the end.
    #[inline]
    pub(crate) fn separate(&mut self) {
        self.has_gap = true;
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

    /// Takes the text and starts anew.
    pub(crate) fn take(&mut self) -> String {
        self.has_gap = false;
        std::mem::take(&mut self.text)
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
        folded.separate();
        folded.push("a");
        folded.separate();
        folded.separate();
        folded.push("b");
        folded.separate();
        assert_eq!(folded.as_str(), "a b");
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
    }
}
