//! Which passage of the newer version stands where an older one stood?
//!
//! Passages that say the same are matched in order, as many as can be; what lies between two
//! matches is a gap. Within a gap those that differ in numbers alone are matched next, and the rest
//! pair by pair as far as there are pairs.

use imara_diff::{Algorithm, Diff, InternedInput, TokenSource};

/// What became of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pair {
    /// The same text, at these places of old and new.
    Same(usize, usize),
    /// Only numbers differ.
    Numbers(usize, usize),
    /// Another text.
    Edited(usize, usize),
    /// Only in the old.
    Removed(usize),
    /// Only in the new.
    Added(usize),
}

/// A passage as it is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) text: u32,
    pub(crate) masked: u32,
}

/// Pairs in the order of the page.
pub(crate) fn align(old: &[Mark], new: &[Mark]) -> Vec<Pair> {
    let input = InternedInput::new(Texts(old), Texts(new));
    let diff = Diff::compute(Algorithm::Histogram, &input);
    let mut pairs = Vec::with_capacity(old.len().max(new.len()));
    let (mut at_old, mut at_new) = (0, 0);
    for hunk in diff.hunks() {
        let (before, after) = (hunk.before.start as usize, hunk.after.start as usize);
        let kept = (at_old..before).zip(at_new..after);
        pairs.extend(kept.map(|(old, new)| Pair::Same(old, new)));
        (at_old, at_new) = (hunk.before.end as usize, hunk.after.end as usize);
        gap(old, new, before..at_old, after..at_new, &mut pairs);
    }
    let kept = (at_old..old.len()).zip(at_new..new.len());
    pairs.extend(kept.map(|(old, new)| Pair::Same(old, new)));
    pairs
}

/// Pairs the passages of a gap. Where one side is longer, its last ones are alone.
fn gap(
    old: &[Mark],
    new: &[Mark],
    mut before: std::ops::Range<usize>,
    mut after: std::ops::Range<usize>,
    pairs: &mut Vec<Pair>,
) {
    while let (Some(a), Some(b)) = (before.clone().next(), after.clone().next()) {
        if old[a].masked == new[b].masked {
            pairs.push(Pair::Numbers(a, b));
        } else if let Some(at) = find(new, after.clone(), old[a].masked) {
            pairs.extend((b..at).map(Pair::Added));
            pairs.push(Pair::Numbers(a, at));
            after.start = at;
        } else if before.len() > after.len() && find(old, before.clone(), new[b].masked).is_some() {
            pairs.push(Pair::Removed(a));
            before.start += 1;
            continue;
        } else {
            pairs.push(Pair::Edited(a, b));
        }
        before.start += 1;
        after.start += 1;
    }
    pairs.extend(before.map(Pair::Removed));
    pairs.extend(after.map(Pair::Added));
}

/// Passages of a gap that are looked at for one that differs in numbers alone.
const LOOK_AHEAD: usize = 16;

fn find(marks: &[Mark], mut among: std::ops::Range<usize>, masked: u32) -> Option<usize> {
    among.end = among.end.min(among.start + LOOK_AHEAD);
    among.into_iter().find(|at| marks[*at].masked == masked)
}

struct Texts<'a>(&'a [Mark]);

impl<'a> TokenSource for Texts<'a> {
    type Token = u32;
    type Tokenizer = std::iter::Map<std::slice::Iter<'a, Mark>, fn(&Mark) -> u32>;

    fn tokenize(&self) -> Self::Tokenizer {
        self.0.iter().map(|mark| mark.text)
    }

    fn estimate_tokens(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn marks(numbers: &[u32]) -> Vec<Mark> {
        // The hundreds stand for the text, the rest for numbers in it.
        numbers.iter().map(|number| Mark { text: *number, masked: number / 100 }).collect()
    }

    #[test]
    fn passages_are_paired_in_their_order() {
        #[track_caller]
        fn check(old: &[u32], new: &[u32], expected: &[Pair]) {
            assert_eq!(align(&marks(old), &marks(new)), expected);
        }
        check(&[100, 200], &[100, 200], &[Pair::Same(0, 0), Pair::Same(1, 1)]);
        check(&[100, 201], &[100, 202], &[Pair::Same(0, 0), Pair::Numbers(1, 1)]);
        check(&[100], &[200], &[Pair::Edited(0, 0)]);
        check(&[100], &[], &[Pair::Removed(0)]);
        check(&[], &[100], &[Pair::Added(0)]);
        check(
            &[100, 201, 300],
            &[100, 700, 202, 300],
            &[Pair::Same(0, 0), Pair::Added(1), Pair::Numbers(1, 2), Pair::Same(2, 3)],
        );
        check(
            &[100, 500, 201, 300],
            &[100, 202, 300],
            &[Pair::Same(0, 0), Pair::Removed(1), Pair::Numbers(2, 1), Pair::Same(3, 2)],
        );
    }

    proptest! {
        #[test]
        fn every_passage_has_exactly_one_place(
            old in prop::collection::vec(0_u32..900, 0..40),
            new in prop::collection::vec(0_u32..900, 0..40),
        ) {
            let pairs = align(&marks(&old), &marks(&new));
            let mut olds = Vec::new();
            let mut news = Vec::new();
            for pair in pairs {
                match pair {
                    Pair::Same(a, b) => {
                        prop_assert_eq!(old[a], new[b]);
                        olds.push(a);
                        news.push(b);
                    }
                    Pair::Numbers(a, b) | Pair::Edited(a, b) => {
                        olds.push(a);
                        news.push(b);
                    }
                    Pair::Removed(a) => olds.push(a),
                    Pair::Added(b) => news.push(b),
                }
            }
            prop_assert_eq!(olds, (0..old.len()).collect::<Vec<_>>());
            prop_assert_eq!(news, (0..new.len()).collect::<Vec<_>>());
        }
    }
}
