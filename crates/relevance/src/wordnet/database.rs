//! The files of one part of speech: words to senses, senses to words.
//!
//! `index.*` and `*.exc` hold a word and what belongs to it on each line, in
//! the order of their bytes; `data.*` holds a synset at the offset that names
//! it. Lines that make no sense are as good as absent.

use std::cmp::Ordering;

/// The files of one part of speech.
pub(super) struct Senses {
    /// `lemma pos synsets pointers… senses tagged offset…`
    index: String,
    /// `offset file type words word id… pointers… | gloss`
    synsets: String,
    /// `form base…`
    exceptions: String,
}

/// A set of words that mean the same.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Synset<'a> {
    /// Blanks between their words, syntactic markers left out.
    pub(super) words: Vec<String>,
    /// Symbol and offset of what it points to within the same part of speech.
    pub(super) pointers: Vec<(&'a str, usize)>,
    /// What the words mean.
    pub(super) gloss: &'a str,
}

impl Senses {
    /// Takes up the files; tells what is wrong with the synsets.
    pub(super) fn new(
        index: String,
        synsets: String,
        exceptions: String,
    ) -> Result<Senses, &'static str> {
        // The last synset stands where it says only if nothing before it was added or lost.
        let lines = synsets.trim_end();
        let last = lines.rfind('\n').map_or(0, |end| end + 1);
        let offset = lines[last..].split(' ').next().and_then(|offset| offset.parse().ok());
        if offset != Some(last) {
            return Err("its last line does not stand at the offset it names");
        }
        Ok(Senses { index, synsets, exceptions })
    }

    /// True when the lemma is in the index.
    pub(super) fn has(&self, lemma: &str) -> bool {
        find(&self.index, lemma).is_some()
    }

    /// Where the synsets of a lemma are, the commonest sense first.
    pub(super) fn offsets(&self, lemma: &str) -> Vec<usize> {
        let Some(line) = find(&self.index, lemma) else {
            return Vec::new();
        };
        // The offsets stand at the end, as many as the third field says.
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let count = fields.get(2).and_then(|count| count.parse().ok()).unwrap_or(0);
        let first = fields.len().saturating_sub(count);
        fields[first..].iter().filter_map(|offset| offset.parse().ok()).collect()
    }

    /// The synset at an offset.
    pub(super) fn synset(&self, offset: usize) -> Option<Synset<'_>> {
        let line = self.synsets.get(offset..)?.lines().next()?;
        let (line, gloss) = line.split_once('|').unwrap_or((line, ""));
        let mut fields = line.split_ascii_whitespace();
        if fields.next()?.parse() != Ok(offset) {
            return None;
        }
        let mut fields = fields.skip(1);
        let part = part_letter(fields.next()?);
        let count = usize::from_str_radix(fields.next()?, 16).ok()?;
        let mut words = Vec::new();
        for _ in 0..count {
            let word = fields.next()?;
            let _lexical_id = fields.next()?;
            words.push(written(word));
        }
        let count = fields.next()?.parse::<usize>().ok()?;
        let mut pointers = Vec::new();
        for _ in 0..count {
            let symbol = fields.next()?;
            let target = fields.next()?.parse().ok()?;
            let is_same_part = part_letter(fields.next()?) == part;
            let _words_meant = fields.next()?;
            if is_same_part {
                pointers.push((symbol, target));
            }
        }
        Some(Synset { words, pointers, gloss: gloss.trim() })
    }

    /// The base forms of an irregular form.
    pub(super) fn exceptions(&self, form: &str) -> impl Iterator<Item = &str> {
        find(&self.exceptions, form).into_iter().flat_map(|line| line.split(' ').skip(1))
    }
}

/// The line that begins with this word, found by halving.
fn find<'a>(sorted: &'a str, word: &str) -> Option<&'a str> {
    let bytes = sorted.as_bytes();
    // The line lies within these bytes, both at the beginning of a line.
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = bytes[low..middle].iter().rposition(|byte| *byte == b'\n');
        let start = start.map_or(low, |end| low + end + 1);
        let end = bytes[middle..].iter().position(|byte| *byte == b'\n');
        let end = end.map_or(bytes.len(), |length| middle + length);
        let line = sorted.get(start..end)?;
        let key = line.split(' ').next().unwrap_or_default();
        match key.as_bytes().cmp(word.as_bytes()) {
            // The licence at the top begins with blanks: an empty key, which is never asked for.
            Ordering::Less => low = end + 1,
            Ordering::Greater => high = start,
            Ordering::Equal => return (!key.is_empty()).then_some(line),
        }
    }
    None
}

/// A satellite adjective is an adjective.
fn part_letter(letter: &str) -> &str {
    if letter == "s" { "a" } else { letter }
}

/// A lemma as it is written: `fit(p)` marks a place in the sentence.
fn written(lemma: &str) -> String {
    let end = lemma.find('(').unwrap_or(lemma.len());
    lemma[..end].replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_synset_that_makes_no_sense_is_absent() {
        #[track_caller]
        fn check(line: &str, is_there: bool) {
            let last = format!("{:08} 03 n 00 000 | end", line.len() + 1);
            let senses = Senses::new(String::new(), format!("{line}\n{last}\n"), String::new());
            assert_eq!(senses.unwrap().synset(0).is_some(), is_there, "{line}");
        }
        check("00000000 03 n 01 dive 0 000 | a fall", true);
        check("00000000 03 n 01 dive 0 000", true);
        check("00000007 03 n 01 dive 0 000 | elsewhere", false);
        check("00000000 03 n 02 dive 0 000 | a word too few", false);
        check("00000000 03 n 01 dive 0 001 @ | half a pointer", false);
        check("00000000 03 n zz", false);
        check("", false);
    }

    #[test]
    fn files_whose_bytes_have_moved_are_refused() {
        let check = |synsets: &str| Senses::new(String::new(), synsets.to_owned(), String::new());
        assert!(check("00000000 03 n 01 dive 0 000 | a fall\n").is_ok());
        assert!(check("\n00000000 03 n 01 dive 0 000 | a fall\n").is_err());
        assert!(check("<html>").is_err());
        assert!(check("").is_err());
    }

    impl Senses {
        /// True when halving finds words from all over the index and the irregular forms.
        pub(in crate::wordnet) fn words_are_found(&self) -> bool {
            [&self.index, &self.exceptions].into_iter().all(|text| {
                let lines = text.lines().filter(|line| !line.starts_with(' ')).step_by(23);
                let mut words = lines.filter_map(|line| line.split(' ').next());
                words.all(|word| find(text, word).is_some())
            })
        }
    }

    proptest! {
        #[test]
        fn halving_finds_what_reading_every_line_would(
            mut words in prop::collection::vec("[a-c_.-]{1,4}", 0..30),
            asked in "[a-c_.-]{0,4}"
        ) {
            words.sort();
            words.dedup();
            let lines: Vec<String> = words.iter().map(|word| format!("{word} n 1")).collect();
            let text = format!("  1 a licence\n  2 of two lines\n{}\n", lines.join("\n"));
            let found = find(&text, &asked);
            let expected = lines.iter().zip(&words).find(|(_, word)| **word == asked);
            prop_assert_eq!(found, expected.map(|(line, _)| line.as_str()));
        }
    }
}
