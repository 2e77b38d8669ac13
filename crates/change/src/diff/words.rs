//! Which words of a line changed?
//!
//! A line is cut into words, runs of white space, and single other characters,
//! so that the pieces put together give the line exactly. Chinese and Japanese
//! have no blanks between words; there every character is one.

use std::collections::HashMap;

use unicode_normalization::char::is_combining_mark;

use super::Piece;
use super::stretches::{Stretch, stretches};

/// Lines of more words than this are not compared word by word, for the sake of time: nobody
/// reads such a line.
const MOST_WORDS: usize = 20_000;

/// Lines that share less than this, in thousandths of their words, have nothing to do with each
/// other; a comparison would only show where both say "the".
pub(super) const LEAST_SHARED: usize = 250;

/// Words kept, removed and added, in order: without those added they are the older line, without
/// those removed the newer one.
pub(super) fn compare(old: &str, new: &str) -> Vec<Piece> {
    let (old_words, new_words) = (cut(old), cut(new));
    let is_giant = old_words.len().max(new_words.len()) > MOST_WORDS;
    if old != new && (is_giant || !is_comparable(&old_words, &new_words)) {
        return replaced(&[old], &[new]);
    }
    let found = stretches(old_words.iter(), new_words.iter(), |_| false);
    let mut pieces = Vec::new();
    let mut at = 0;
    for stretch in joined(found, &old_words) {
        pieces.extend(kept(&old_words[at..stretch.old.start]));
        at = stretch.old.end;
        pieces.extend(replaced(&old_words[stretch.old], &new_words[stretch.new]));
    }
    pieces.extend(kept(&old_words[at..]));
    pieces
}

/// How many words a text has.
pub(super) fn count(text: &str) -> usize {
    cut(text).into_iter().filter(|piece| is_word(piece)).count()
}

/// The words of a text, each as its number in the order of first sight, sorted.
pub(super) fn bag<'a>(text: &'a str, numbers: &mut HashMap<&'a str, usize>) -> Vec<usize> {
    sorted_numbers(&cut(text), numbers)
}

/// How much two bags share, in thousandths.
pub(super) fn shared(old: &[usize], new: &[usize]) -> usize {
    let (mut rest, mut both) = (new, 0);
    for word in old {
        let skipped = rest.iter().take_while(|other| *other < word).count();
        rest = &rest[skipped..];
        if rest.first() == Some(word) {
            both += 1;
            rest = &rest[1..];
        }
    }
    2_000 * both / (old.len() + new.len()).max(1)
}

/// Whether it makes sense to compare them word by word. Lines without words may be compared:
/// four stars with five.
fn is_comparable(old: &[&str], new: &[&str]) -> bool {
    let mut numbers = HashMap::new();
    let old = sorted_numbers(old, &mut numbers);
    let new = sorted_numbers(new, &mut numbers);
    let are_wordless = old.is_empty() && new.is_empty();
    are_wordless || shared(&old, &new) >= LEAST_SHARED
}

fn sorted_numbers<'a>(pieces: &[&'a str], numbers: &mut HashMap<&'a str, usize>) -> Vec<usize> {
    let mut bag = Vec::new();
    for word in pieces.iter().copied().filter(|piece| is_word(piece)) {
        let next = numbers.len();
        bag.push(*numbers.entry(word).or_insert(next));
    }
    bag.sort_unstable();
    bag
}

/// Joins replacements between which only a blank was kept: several words in a row read better as
/// one change.
fn joined(found: Vec<Stretch>, old: &[&str]) -> Vec<Stretch> {
    let is_replacement = |stretch: &Stretch| !stretch.old.is_empty() && !stretch.new.is_empty();
    let mut joined: Vec<Stretch> = Vec::new();
    for stretch in found {
        match joined.last_mut() {
            Some(last)
                if is_replacement(last)
                    && is_replacement(&stretch)
                    && old[last.old.end..stretch.old.start].iter().all(|word| is_blank(word)) =>
            {
                (last.old.end, last.new.end) = (stretch.old.end, stretch.new.end);
            }
            _ => joined.push(stretch),
        }
    }
    joined
}

fn kept(words: &[&str]) -> Option<Piece> {
    let text = words.concat();
    (!text.is_empty()).then_some(Piece::Kept(text))
}

fn replaced(old: &[&str], new: &[&str]) -> Vec<Piece> {
    let pieces = [Piece::Removed(old.concat()), Piece::Added(new.concat())];
    let is_something = |piece: &Piece| match piece {
        Piece::Kept(text) | Piece::Removed(text) | Piece::Added(text) => !text.is_empty(),
    };
    pieces.into_iter().filter(is_something).collect()
}

/// What a character is to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Goes on with others of its kind.
    Letter,
    /// Goes on with others of its kind.
    Blank,
    /// Stands alone.
    Alone,
}

/// Cuts a text into words, white space and single other characters. Marks stay with what they
/// stand on, and joiners hold together what they join.
fn cut(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut before = (Kind::Alone, '\0');
    for (at, c) in text.char_indices() {
        let leans_on = is_joiner(c) || (!c.is_ascii() && is_combining_mark(c));
        if at > 0 && (leans_on || before.1 == ZERO_WIDTH_JOINER) {
            before.1 = c;
            continue;
        }
        let kind = kind_of(c);
        if at > start && (kind == Kind::Alone || kind != before.0) {
            pieces.push(&text[start..at]);
            start = at;
        }
        before = (kind, c);
    }
    if start < text.len() {
        pieces.push(&text[start..]);
    }
    pieces
}

const ZERO_WIDTH_JOINER: char = '\u{200d}';

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | ZERO_WIDTH_JOINER)
}

fn kind_of(c: char) -> Kind {
    match c {
        _ if c.is_whitespace() => Kind::Blank,
        _ if is_word_of_its_own(c) => Kind::Alone,
        '_' => Kind::Letter,
        _ if c.is_alphanumeric() => Kind::Letter,
        _ => Kind::Alone,
    }
}

fn is_word(piece: &str) -> bool {
    piece.chars().next().is_some_and(|c| c == '_' || c.is_alphanumeric())
}

fn is_blank(piece: &str) -> bool {
    piece.chars().all(char::is_whitespace)
}

/// Chinese characters and Japanese letters, as in [`gannet_model::words`].
fn is_word_of_its_own(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces as the words view shows them.
    fn shown(pieces: &[Piece]) -> String {
        let shown = pieces.iter().map(|piece| match piece {
            Piece::Kept(text) => text.clone(),
            Piece::Removed(text) => format!("[-{text}-]"),
            Piece::Added(text) => format!("{{+{text}+}}"),
        });
        shown.collect()
    }

    #[track_caller]
    fn check(old: &str, new: &str, expected: &str) {
        assert_eq!(shown(&compare(old, new)), expected);
    }

    #[test]
    fn only_the_words_that_differ_are_told() {
        check("The price is 10.", "The price is 12.", "The price is [-10-]{+12+}.");
        check("to be or not", "to be", "to be[- or not-]");
        check("a bird", "a white bird", "a {+white +}bird");
        check("same", "same", "same");
        check("", "", "");
        check("", "new", "{+new+}");
    }

    #[test]
    fn several_words_in_a_row_are_one_change() {
        check(
            "the old grey bird flies",
            "the two red bird flies",
            "the [-old grey-]{+two red+} bird flies",
        );
    }

    #[test]
    fn lines_with_hardly_a_word_in_common_are_replaced_as_a_whole() {
        check(
            "the gannet dives for fish",
            "opening hours of the office",
            "[-the gannet dives for fish-]{+opening hours of the office+}",
        );
        check("★★★☆", "★★★★", "★★★[-☆-]{+★+}");
    }

    #[test]
    fn every_chinese_character_is_a_word() {
        check("東京大学", "京都大学", "[-東-]京{+都+}大学");
        assert_eq!(count("東京 Tokyo, 2026"), 4);
    }

    #[test]
    fn marks_and_joined_characters_stay_together() {
        #[track_caller]
        fn check_cut(text: &str, expected: &[&str]) {
            assert_eq!(cut(text), expected);
        }
        check_cut("cafe\u{301}s, ok", &["cafe\u{301}s", ",", " ", "ok"]);
        check_cut("👩\u{200d}🚀👩", &["👩\u{200d}🚀", "👩"]);
        check_cut("a_1  b--", &["a_1", "  ", "b", "-", "-"]);
        check_cut("\u{301}a", &["\u{301}", "a"]);
    }

    #[test]
    fn giant_lines_are_replaced_as_a_whole() {
        let old = "word ".repeat(MOST_WORDS);
        let new = format!("{old}more");
        assert_eq!(compare(&old, &new), [Piece::Removed(old.clone()), Piece::Added(new.clone())]);
    }
}
