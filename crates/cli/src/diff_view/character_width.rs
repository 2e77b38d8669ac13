//! How many columns of a terminal a character takes.
//!
//! A short form of Unicode Standard Annex 11: the blocks of wide characters
//! and of marks that take no room. Terminals disagree about the rest.

use std::ops::RangeInclusive;

/// 0, 1 or 2 columns.
pub(super) fn character_width(c: char) -> usize {
    match c {
        ' '..='~' => 1,
        _ if is_within(&ROOMLESS, c) => 0,
        _ if is_within(&WIDE, c) => 2,
        _ => 1,
    }
}

/// How many columns a text takes.
pub(super) fn text_width(text: &str) -> usize {
    text.chars().map(character_width).sum()
}

fn is_within(ranges: &[RangeInclusive<char>], c: char) -> bool {
    let after = ranges.partition_point(|range| *range.start() <= c);
    after > 0 && ranges[after - 1].contains(&c)
}

/// Marks on other characters, joiners and directions; rising.
const ROOMLESS: [RangeInclusive<char>; 43] = [
    '\u{300}'..='\u{36f}',
    '\u{483}'..='\u{489}',
    '\u{591}'..='\u{5bd}',
    '\u{5bf}'..='\u{5bf}',
    '\u{5c1}'..='\u{5c2}',
    '\u{5c4}'..='\u{5c5}',
    '\u{610}'..='\u{61a}',
    '\u{64b}'..='\u{65f}',
    '\u{670}'..='\u{670}',
    '\u{6d6}'..='\u{6dc}',
    '\u{6df}'..='\u{6e4}',
    '\u{6e7}'..='\u{6e8}',
    '\u{6ea}'..='\u{6ed}',
    '\u{730}'..='\u{74a}',
    '\u{900}'..='\u{902}',
    '\u{93c}'..='\u{93c}',
    '\u{941}'..='\u{948}',
    '\u{94d}'..='\u{94d}',
    '\u{951}'..='\u{957}',
    '\u{981}'..='\u{981}',
    '\u{9bc}'..='\u{9bc}',
    '\u{9c1}'..='\u{9c4}',
    '\u{9cd}'..='\u{9cd}',
    '\u{a41}'..='\u{a51}',
    '\u{ac1}'..='\u{acd}',
    '\u{bc0}'..='\u{bc0}',
    '\u{bcd}'..='\u{bcd}',
    '\u{c3e}'..='\u{c40}',
    '\u{c46}'..='\u{c56}',
    '\u{d41}'..='\u{d44}',
    '\u{d4d}'..='\u{d4d}',
    '\u{e31}'..='\u{e31}',
    '\u{e34}'..='\u{e3a}',
    '\u{e47}'..='\u{e4e}',
    '\u{eb1}'..='\u{eb1}',
    '\u{eb4}'..='\u{ebc}',
    '\u{1ab0}'..='\u{1aff}',
    '\u{1dc0}'..='\u{1dff}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{2069}',
    '\u{20d0}'..='\u{20ff}',
    '\u{fe00}'..='\u{fe0f}',
];

/// East Asian characters and pictures; rising.
const WIDE: [RangeInclusive<char>; 24] = [
    '\u{1100}'..='\u{115f}',
    '\u{231a}'..='\u{231b}',
    '\u{23e9}'..='\u{23ec}',
    '\u{25fd}'..='\u{25fe}',
    '\u{2614}'..='\u{2615}',
    '\u{2648}'..='\u{2653}',
    '\u{26bd}'..='\u{26be}',
    '\u{26c4}'..='\u{26c5}',
    '\u{2705}'..='\u{2705}',
    '\u{270a}'..='\u{270b}',
    '\u{2728}'..='\u{2728}',
    '\u{274c}'..='\u{274c}',
    '\u{2753}'..='\u{2755}',
    '\u{2b50}'..='\u{2b50}',
    '\u{2e80}'..='\u{303e}',
    '\u{3041}'..='\u{a4cf}',
    '\u{a960}'..='\u{a97c}',
    '\u{ac00}'..='\u{d7a3}',
    '\u{f900}'..='\u{faff}',
    '\u{fe30}'..='\u{fe6f}',
    '\u{ff01}'..='\u{ff60}',
    '\u{ffe0}'..='\u{ffe6}',
    '\u{1f300}'..='\u{1faff}',
    '\u{20000}'..='\u{3fffd}',
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: usize) {
        assert_eq!(text_width(text), expected, "{text}");
    }

    #[test]
    fn wide_characters_take_two_columns_and_marks_none() {
        check("gannet", 6);
        check("Baßtölpel — …", 13);
        check("東京", 4);
        check("한국어", 6);
        check("cafe\u{301}", 4);
        check("🐦", 2);
        check("ที่", 1);
    }

    #[test]
    fn the_tables_rise() {
        for table in [ROOMLESS.as_slice(), WIDE.as_slice()] {
            assert!(table.windows(2).all(|pair| pair[0].end() < pair[1].start()));
        }
    }
}
