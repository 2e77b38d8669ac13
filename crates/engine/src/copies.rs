//! Does a page say what another has said, but for trifles?
//!
//! Mirrors, session ids and counters show the same page under many addresses.
//! A page is told from others by its text without digits, and by four
//! super-shingles (Broder, Glassman, Manasse, Zweig: "Syntactic clustering of the
//! web", 1997): of all runs of three words of its main text, sixteen are
//! drawn by their hashes, and folded by fours. Pages that share nine words out of
//! ten almost surely have two of the four in common; pages that share half
//! almost never do.

use gannet_frontier::{Known, Mark};
use gannet_model::{Document, Fingerprint, Prominence, spread, words};

/// What tells a page's text from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sketch {
    /// Of all text, digits left out.
    exact: Fingerprint,
    /// Of the main text; `None` when it is too short to be compared in parts.
    folded: Option<[Fingerprint; FOLDED]>,
}

/// Words that are taken together.
const RUN: usize = 3;
/// Runs that are drawn, and into how many numbers they are folded.
const DRAWN: usize = 16;
const FOLDED: usize = 4;
/// How many of these two pages must have in common.
const IN_COMMON: usize = 2;
/// Runs that a text must have: with fewer, some would not be drawn.
const FEWEST_RUNS: usize = 80;
/// Words of a page that are read.
const WORDS_READ: usize = 1_000;
/// Passages that count less than this are navigation, footers and notices.
const MAIN: f32 = 0.5;

impl Sketch {
    /// Of a page whose passages count this much.
    pub fn new(document: &Document, prominence: &Prominence) -> Sketch {
        Sketch { exact: exact(document), folded: folded(document, prominence) }
    }

    /// Stands for all its text, digits left out.
    pub(crate) fn exact(&self) -> Fingerprint {
        self.exact
    }
}

fn exact(document: &Document) -> Fingerprint {
    let mut hasher = xxhash_rust::xxh3::Xxh3::new();
    for text in document.text() {
        for stretch in text.as_bytes().split(u8::is_ascii_digit) {
            hasher.update(stretch);
        }
    }
    Fingerprint(hasher.digest())
}

fn folded(document: &Document, prominence: &Prominence) -> Option<[Fingerprint; FOLDED]> {
    let mut least = [u64::MAX; DRAWN];
    let mut run = [0_u64; RUN];
    let mut words_read = 0;
    let mut buffer = String::new();
    for (at, passage) in document.passages().enumerate() {
        if prominence.of(at) < MAIN || words_read >= WORDS_READ {
            continue;
        }
        words::each_word(passage.text, &mut buffer, |word| {
            if word.bytes().all(|byte| byte.is_ascii_digit()) {
                return;
            }
            run.rotate_left(1);
            run[RUN - 1] = words::number(word);
            words_read += 1;
            if words_read >= RUN {
                let drawn = run.iter().fold(0, |folded, word| spread(folded ^ word));
                let place = &mut least[drawn as usize % DRAWN];
                *place = (*place).min(drawn);
            }
        });
    }
    let is_enough = words_read >= FEWEST_RUNS + RUN && !least.contains(&u64::MAX);
    is_enough.then(|| {
        let mut parts = least.chunks(DRAWN / FOLDED);
        let of_part = |part: &[u64]| part.iter().fold(0, |folded, run| spread(folded ^ run));
        std::array::from_fn(|at| {
            // The same runs at another place are another number.
            Fingerprint(spread(of_part(parts.next().unwrap_or_default()) ^ at as u64))
        })
    })
}

/// The texts met so far; of very many, the newest.
#[derive(Default)]
pub(crate) struct Copies {
    young: Known,
    old: Known,
    /// Pages met since the older ones were forgotten.
    met: usize,
}

/// Pages after which the older half is forgotten: at most 75 bytes for each page of two halves.
const REMEMBERED: usize = 500_000;

impl Copies {
    /// Takes a page in; true when one like it was met before.
    pub(crate) fn meet(&mut self, page: &Sketch) -> bool {
        let is_copy = self.has(page.exact)
            || page.folded.is_some_and(|folded| {
                folded.iter().filter(|part| self.has(**part)).count() >= IN_COMMON
            });
        if self.met >= REMEMBERED {
            self.old = std::mem::take(&mut self.young);
            self.met = 0;
        }
        self.met += 1;
        for part in page.folded.iter().flatten().chain([&page.exact]) {
            self.young.set(*part, Mark::SETTLED);
        }
        is_copy
    }

    fn has(&self, part: Fingerprint) -> bool {
        self.young.get(part).is_some() || self.old.get(part).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::Block;

    /// A page of `words` words, those at every `changed`th place its own.
    fn page(words: u32, changed: u32, own: &str) -> Sketch {
        let spelled = |number: u32| {
            let letters = number.to_string();
            letters.bytes().map(|digit| char::from(digit - b'0' + b'a')).collect::<String>()
        };
        let word = |at: u32| {
            let is_own = changed > 0 && at.is_multiple_of(changed);
            if is_own { format!("{own}{}", spelled(at)) } else { spelled(at) }
        };
        let text = (0..words).map(word).collect::<Vec<_>>().join(" ");
        let document =
            Document { blocks: vec![Block { text, ..Block::default() }], ..Document::default() };
        Sketch::new(&document, &Prominence::default())
    }

    #[test]
    fn a_page_with_few_other_words_is_a_copy_and_one_with_many_is_not() {
        let mut copies = Copies::default();
        assert!(!copies.meet(&page(400, 0, "")));
        assert!(copies.meet(&page(400, 0, "")));
        let found = |changed| {
            let pages = (0..20_u8)
                .map(|own| char::from(b'k' + own % 10).to_string().repeat(2 + usize::from(own)));
            pages
                .filter(|own| {
                    let mut copies = Copies::default();
                    copies.meet(&page(400, 0, ""));
                    copies.meet(&page(400, changed, own))
                })
                .count()
        };
        assert!(found(150) >= 18, "{}", found(150));
        assert_eq!(found(4), 0);
    }

    #[test]
    fn a_short_page_is_a_copy_only_when_its_words_are_the_same_but_for_digits() {
        let of = |text: &str| {
            let block = Block { text: text.to_owned(), ..Block::default() };
            let document = Document { blocks: vec![block], ..Document::default() };
            Sketch::new(&document, &Prominence::default())
        };
        let mut copies = Copies::default();
        assert!(!copies.meet(&of("3 gannets were seen")));
        assert!(copies.meet(&of("14 gannets were seen")));
        assert!(!copies.meet(&of("gannets were not seen")));
    }
}
