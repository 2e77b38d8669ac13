//! Where in a row of numbers the sum is greatest.
//!
//! Finds all maximal stretches: those whose sum cannot be raised by
//! lengthening or shortening them, disjoint and in order. The algorithm is
//! that of Ruzzo and Tompa (A linear time algorithm for finding all maximal
//! scoring subsequences, ISMB 1999): one pass, and time and memory in the
//! length of the row.

use std::ops::Range;

/// A maximal stretch of the row and its sum, which is positive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) range: Range<usize>,
    pub(crate) sum: i32,
}

/// A stretch that may still become part of a longer one.
struct Candidate {
    range: Range<usize>,
    /// Sum of the row before it.
    before: i64,
    /// Sum of the row up to its end.
    after: i64,
    /// The nearest candidate to the left that begins at a lower sum; only from
    /// there can a longer stretch reach over this one.
    lower: Option<usize>,
}

/// All maximal stretches of the row, from left to right.
pub(crate) fn stretches(row: &[i32]) -> Vec<Stretch> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut sum = 0_i64;
    for (at, value) in row.iter().enumerate() {
        let before = sum;
        sum += i64::from(*value);
        if *value > 0 {
            push(&mut candidates, Candidate { range: at..at + 1, before, after: sum, lower: None });
        }
    }
    let finished = candidates.into_iter().map(|it| Stretch {
        range: it.range,
        sum: i32::try_from(it.after - it.before).unwrap_or(i32::MAX),
    });
    finished.collect()
}

/// Adds a candidate, merged with those before it that it makes longer.
fn push(candidates: &mut Vec<Candidate>, mut new: Candidate) {
    let mut left = candidates.len().checked_sub(1);
    while let Some(at) = left {
        let earlier = &candidates[at];
        if earlier.before >= new.before {
            left = earlier.lower;
        } else if earlier.after >= new.after {
            new.lower = Some(at);
            break;
        } else {
            new.range.start = earlier.range.start;
            new.before = earlier.before;
            left = earlier.lower;
            candidates.truncate(at);
        }
    }
    candidates.push(new);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(row: &[i32], expected: &[(Range<usize>, i32)]) {
        let found: Vec<_> = stretches(row).into_iter().map(|it| (it.range, it.sum)).collect();
        assert_eq!(found, expected, "{row:?}");
    }

    #[test]
    fn a_stretch_reaches_over_what_it_outweighs_on_both_sides() {
        check(&[], &[]);
        check(&[-1, 0], &[]);
        check(&[3], &[(0..1, 3)]);
        check(&[5, -1, 5], &[(0..3, 9)]);
        check(&[5, -6, 5], &[(0..1, 5), (2..3, 5)]);
        check(&[-1, 2, -3, 4, -1, 2, -9, 1], &[(1..2, 2), (3..6, 5), (7..8, 1)]);
    }

    /// The example of the paper.
    #[test]
    fn the_published_example_is_found() {
        check(&[4, -5, 3, -3, 1, 2, -2, 2, -2, 1, 5], &[(0..1, 4), (2..3, 3), (4..11, 7)]);
    }

    #[test]
    fn falling_rows_take_linear_time() {
        let row: Vec<i32> = (0..2_000_000).map(|at| if at % 2 == 0 { 1 } else { -2 }).collect();
        assert_eq!(stretches(&row).len(), 1_000_000);
    }

    /// By definition: the best range first, then the same left and right of it.
    fn stretches_slowly(row: &[i32], offset: usize, found: &mut Vec<(Range<usize>, i32)>) {
        let ranges = (0..row.len()).flat_map(|from| (from + 1..=row.len()).map(move |to| from..to));
        let best = ranges.map(|range| (row[range.clone()].iter().sum::<i32>(), range)).max_by_key(
            |(sum, range)| (*sum, std::cmp::Reverse(range.len()), std::cmp::Reverse(range.start)),
        );
        let Some((sum, range)) = best.filter(|(sum, _)| *sum > 0) else { return };
        stretches_slowly(&row[..range.start], offset, found);
        found.push((offset + range.start..offset + range.end, sum));
        stretches_slowly(&row[range.end..], offset + range.end, found);
    }

    proptest! {
        #[test]
        fn one_pass_finds_what_the_definition_names(row in prop::collection::vec(-9..10_i32, 0..24)) {
            let mut expected = Vec::new();
            stretches_slowly(&row, 0, &mut expected);
            let found: Vec<_> = stretches(&row).into_iter().map(|it| (it.range, it.sum)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
