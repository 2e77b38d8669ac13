//! Which removed line became which added line?
//!
//! In a stretch that differs, lines that share enough of their words are
//! paired, so that a paragraph put in front does not pair every line with a
//! stranger. The pairs never cross.

use std::collections::HashMap;

use super::Line;
use super::words::{LEAST_SHARED, bag, shared};

/// Longer stretches are not looked through: every line is compared with every other.
const MOST_LINES: usize = 64;

/// Pairs of places, rising on both sides, such that their lines share as much as can be.
pub(super) fn resembling(old: &[Line], new: &[Line]) -> Vec<(usize, usize)> {
    let is_long = old.len().max(new.len()) > MOST_LINES;
    let is_plain = old.is_empty() || new.is_empty() || (old.len(), new.len()) == (1, 1);
    if is_long || is_plain {
        return Vec::new();
    }
    let mut numbers = HashMap::new();
    let old: Vec<_> = old.iter().map(|line| bag(&line.text, &mut numbers)).collect();
    let new: Vec<_> = new.iter().map(|line| bag(&line.text, &mut numbers)).collect();
    let likeness = |old: &Vec<usize>| new.iter().map(|new| shared(old, new)).collect();
    let likeness: Vec<Vec<usize>> = old.iter().map(likeness).collect();
    best_path(&likeness, old.len(), new.len())
}

/// `best[i][j]` is the most that lines from `i` and from `j` on can share.
fn best_path(likeness: &[Vec<usize>], old: usize, new: usize) -> Vec<(usize, usize)> {
    let mut best = vec![vec![0; new + 1]; old + 1];
    let paired = |best: &[Vec<usize>], i: usize, j: usize| match likeness[i][j] {
        too_little if too_little < LEAST_SHARED => 0,
        enough => enough + best[i + 1][j + 1],
    };
    for i in (0..old).rev() {
        for j in (0..new).rev() {
            best[i][j] = paired(&best, i, j).max(best[i + 1][j]).max(best[i][j + 1]);
        }
    }
    let (mut i, mut j, mut path) = (0, 0, Vec::new());
    while i < old && j < new && best[i][j] > 0 {
        if best[i][j] == paired(&best, i, j) {
            path.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if best[i][j] == best[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &[&str], new: &[&str], expected: &[(usize, usize)]) {
        let lines =
            |texts: &[&str]| texts.iter().map(|text| Line::passage(text)).collect::<Vec<_>>();
        assert_eq!(resembling(&lines(old), &lines(new)), expected);
    }

    #[test]
    fn lines_are_paired_with_what_they_became() {
        check(&["the bird dives"], &["brand new", "the bird dived"], &[(0, 1)]);
        check(&["one two", "three four"], &["one three", "three five"], &[(0, 0), (1, 1)]);
        check(&["gone", "it is red"], &["it is blue", "all else"], &[(1, 0)]);
    }

    #[test]
    fn pairs_never_cross() {
        check(&["a b c", "d e f"], &["d e f g", "a b y"], &[(1, 0)]);
    }

    #[test]
    fn strangers_and_long_stretches_are_not_paired() {
        check(&["a", "b"], &["c"], &[]);
        check(&["a b"; MOST_LINES + 1], &["a c"], &[]);
        check(&[], &["a"], &[]);
    }
}
