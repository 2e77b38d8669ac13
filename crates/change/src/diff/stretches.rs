//! Where do two lists differ?
//!
//! Lines and words alike are compared here. Histogram diffs read best, but
//! their time grows with the number of changes times the length; Myers' with
//! the heuristics of GNU diff is near linear except for long lists of very few
//! different things, such as a table of zeros and ones, and those are compared
//! place by place. Measured on lists of 50,000 whose every second item changed:
//! histogram 6 s, Myers 2 ms; of 200,000 random zeros and ones: Myers 24 s.

use std::hash::Hash;
use std::ops::Range;

use imara_diff::{Algorithm, InternedInput, Interner, Token};

/// A stretch of the older list that gave way to one of the newer; one of them may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    /// Where in the older list.
    pub(super) old: Range<usize>,
    /// Where in the newer list.
    pub(super) new: Range<usize>,
}

/// Lists that differ over more than this are left to Myers: a histogram may take 12 ms here.
const MOST_FOR_HISTOGRAM: usize = 2_000;

/// Lists that differ over more than this and are repetitive are compared place by place.
const MOST_FOR_REPETITIVE: usize = 20_000;

/// A list is repetitive when its items occur more often than this on average.
const REPETITIVE: usize = 64;

/// The stretches that differ, in order, at least one kept item between any two.
///
/// Where a stretch could as well be placed a few items higher or lower, it begins with one of which
/// `is_opening` is true.
pub(super) fn stretches<T: Hash + Eq>(
    old: impl Iterator<Item = T>,
    new: impl Iterator<Item = T>,
    is_opening: impl Fn(&T) -> bool,
) -> Vec<Stretch> {
    let mut interner = Interner::new(old.size_hint().0 + new.size_hint().0);
    let before = old.map(|item| interner.intern(item)).collect();
    let after = new.map(|item| interner.intern(item)).collect();
    let input = InternedInput { before, after, interner };
    let longest = differing_length(&input.before, &input.after);
    let is_repetitive = input.interner.num_tokens() as usize * REPETITIVE < longest;
    if longest > MOST_FOR_REPETITIVE && is_repetitive {
        return place_by_place(&input.before, &input.after);
    }
    let algorithm = match longest {
        0..=MOST_FOR_HISTOGRAM => Algorithm::Histogram,
        _ => Algorithm::Myers,
    };
    let mut diff = imara_diff::Diff::compute(algorithm, &input);
    let heuristic = |tokens: &[Token], hunk: Range<u32>, earliest_end: u32| {
        let opens = |end: &u32| is_opening(&input.interner[tokens[first_of(&hunk, *end)]]);
        (earliest_end..=hunk.end).rev().find(opens).unwrap_or(hunk.end)
    };
    diff.postprocess_with_heuristic(&input, heuristic);
    diff.hunks()
        .map(|hunk| Stretch { old: as_places(&hunk.before), new: as_places(&hunk.after) })
        .collect()
}

/// The first item of a stretch of the same length that ends at `end`.
fn first_of(hunk: &Range<u32>, end: u32) -> usize {
    (hunk.start + end).saturating_sub(hunk.end) as usize
}

fn as_places(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// Length of the longer list without what both begin and end with.
fn differing_length(old: &[Token], new: &[Token]) -> usize {
    let before = common(old.iter(), new.iter());
    let (old, new) = (&old[before..], &new[before..]);
    let after = common(old.iter().rev(), new.iter().rev());
    old.len().max(new.len()) - after
}

fn common<'a>(old: impl Iterator<Item = &'a Token>, new: impl Iterator<Item = &'a Token>) -> usize {
    old.zip(new).take_while(|(old, new)| old == new).count()
}

/// Compares the first with the first, the second with the second, and so on; what both end with
/// is kept.
fn place_by_place(old: &[Token], new: &[Token]) -> Vec<Stretch> {
    let after = common(old.iter().rev(), new.iter().rev());
    let (old, new) = (&old[..old.len() - after], &new[..new.len() - after]);
    let shorter = old.len().min(new.len());
    let mut stretches: Vec<Stretch> = Vec::new();
    let mut differ = |old: Range<usize>, new: Range<usize>| match stretches.last_mut() {
        Some(last) if last.old.end == old.start => {
            (last.old.end, last.new.end) = (old.end, new.end);
        }
        _ => stretches.push(Stretch { old, new }),
    };
    for at in (0..shorter).filter(|at| old[*at] != new[*at]) {
        differ(at..at + 1, at..at + 1);
    }
    if old.len() != new.len() {
        differ(shorter..old.len(), shorter..new.len());
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expected: &[(Range<usize>, Range<usize>)]) {
        let found = stretches(old.chars(), new.chars(), |c| c.is_uppercase());
        let found: Vec<_> = found.into_iter().map(|stretch| (stretch.old, stretch.new)).collect();
        assert_eq!(found, expected, "{old} to {new}");
    }

    #[test]
    fn what_differs_stands_between_what_is_kept() {
        check("", "", &[]);
        check("abc", "abc", &[]);
        check("abc", "axc", &[(1..2, 1..2)]);
        check("abc", "c", &[(0..2, 0..0)]);
        check("", "ab", &[(0..0, 0..2)]);
    }

    #[test]
    fn a_stretch_begins_with_an_opening_where_it_can() {
        check("AxmBym", "AxmCzmBym", &[(3..3, 3..6)]);
        check("AxmCzmBym", "AxmBym", &[(3..6, 3..3)]);
        check("xm", "xmzm", &[(2..2, 2..4)]);
    }

    #[test]
    fn long_repetitive_lists_are_compared_place_by_place() {
        let old: Vec<bool> = (0..300_000_u64).map(|at| at * at % 7 < 3).collect();
        let mut new = old.clone();
        new[7] = !new[7];
        new.insert(8, !new[8]);
        new[299_000] = !new[299_000];
        let found = stretches(old.iter(), new.iter(), |_| false);
        assert!(found.iter().all(|stretch| stretch.old.len() + stretch.new.len() > 0));
        let input = |list: &[bool]| list.iter().map(|is| Token(u32::from(*is))).collect::<Vec<_>>();
        assert_eq!(found, place_by_place(&input(&old), &input(&new)));
    }
}
