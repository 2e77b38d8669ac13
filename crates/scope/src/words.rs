//! A set of words that can be asked quickly and printed as prose.
//!
//! Rules hold host names, extensions and parameter names this way. The words
//! come from the configuration; nothing is added while crawling.

use std::collections::HashSet;
use std::fmt;
use std::hash::BuildHasherDefault;

use crate::fnv::Fnv;

/// How many words a sentence names before it counts the rest.
const NAMED_IN_PROSE: usize = 12;

/// Words in the order they were given, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordSet {
    words: Vec<Box<str>>,
    index: HashSet<Box<str>, BuildHasherDefault<Fnv>>,
    /// Length of the longest word: a longer text is known to be none without a look.
    longest: usize,
}

impl WordSet {
    /// True when the word is in the set, spelt exactly so.
    pub(crate) fn contains(&self, word: &str) -> bool {
        word.len() <= self.longest && self.index.contains(word)
    }

    /// True for a host that is in the set or below a name that is.
    pub(crate) fn covers_host(&self, host: &str) -> bool {
        if self.contains(host) {
            return true;
        }
        let mut rest = host;
        while let Some((_, parent)) = rest.split_once('.') {
            if self.contains(parent) {
                return true;
            }
            rest = parent;
        }
        false
    }

    /// True when there are no words.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

impl<W: Into<Box<str>>> FromIterator<W> for WordSet {
    fn from_iter<I: IntoIterator<Item = W>>(words: I) -> WordSet {
        let mut set = WordSet::default();
        for word in words {
            let word = word.into();
            set.longest = set.longest.max(word.len());
            if set.index.insert(word.clone()) {
                set.words.push(word);
            }
        }
        set
    }
}

impl fmt::Display for WordSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.words.len().min(NAMED_IN_PROSE);
        let unnamed = self.words.len() - named;
        for (i, word) in self.words[..named].iter().enumerate() {
            match i {
                0 => {}
                _ if i + 1 == named && unnamed == 0 => f.write_str(" or ")?,
                _ => f.write_str(", ")?,
            }
            f.write_str(word)?;
        }
        if unnamed > 0 {
            write!(f, " or one of {unnamed} more")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &[&str], prose: &str) {
        assert_eq!(words.iter().copied().collect::<WordSet>().to_string(), prose);
    }

    #[test]
    fn lists_read_as_prose() {
        check(&["a"], "a");
        check(&["a", "b"], "a or b");
        check(&["a", "b", "a", "c"], "a, b or c");
        let many: Vec<String> = (0..14).map(|n| n.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        check(&many, "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or one of 2 more");
    }

    #[test]
    fn a_host_is_covered_by_itself_and_its_parents_at_label_borders() {
        let set: WordSet = ["example.org"].into_iter().collect();
        assert!(set.covers_host("example.org"));
        assert!(set.covers_host("a.b.example.org"));
        assert!(!set.covers_host("notexample.org"));
        assert!(!set.covers_host("org"));
    }
}
