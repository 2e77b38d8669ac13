//! The laws of diffs: exact both ways, empty for the same text, quick for long texts.

use proptest::prelude::*;

use super::*;

fn any_line() -> impl Strategy<Value = Line> {
    let word =
        prop_oneof!["[a-c]", "[a-z]{1,4}", "[0-9.,]{1,3}", "\\PC{0,3}", "[ \u{301}\u{200d}é東]"];
    let text = proptest::collection::vec(word, 0..8).prop_map(|words| words.join(" "));
    let heading = proptest::option::weighted(0.2, 1_u8..=6);
    (heading, text).prop_map(|(heading, text)| Line { heading, text })
}

/// Few different lines, so that most occur in both versions and several times.
fn few_lines() -> impl Strategy<Value = Vec<Line>> {
    let line = prop_oneof!["[a-d]", "[ab] [ab] [ab]"];
    let line = line.prop_map(|text| Line { heading: text.starts_with('d').then_some(2), text });
    proptest::collection::vec(line, 0..30)
}

fn any_lines() -> impl Strategy<Value = Vec<Line>> {
    prop_oneof![proptest::collection::vec(any_line(), 0..12), few_lines()]
}

fn check_exact(old: &[Line], new: &[Line]) {
    let diff = diff(old, new);
    assert_eq!(diff.apply(old).as_deref(), Ok(new));
    assert_eq!(diff.is_empty(), old == new);
    let lines_of =
        |hunks: &[Hunk], count: fn(&Hunk) -> usize| hunks.iter().map(count).sum::<usize>();
    let kept = lines_of(diff.hunks(), |hunk| match hunk {
        Hunk::Kept { lines } => lines.len(),
        _ => 0,
    });
    assert_eq!(old.len(), kept + diff.counts().lines_removed);
    assert_eq!(new.len(), kept + diff.counts().lines_added);
    for pair in diff.hunks().windows(2) {
        assert_ne!(std::mem::discriminant(&pair[0]), std::mem::discriminant(&pair[1]));
    }
}

proptest! {
    #[test]
    fn applied_to_the_older_version_it_gives_the_newer(old in any_lines(), new in any_lines()) {
        check_exact(&old, &new);
    }

    #[test]
    fn a_few_edits_are_told_exactly(
        old in any_lines(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any_line()), 0..4),
    ) {
        let mut new = old.clone();
        for (at, line) in edits {
            let at = at.index(new.len() + 1);
            match at % 2 {
                0 => new.insert(at, line),
                _ => drop(new.splice(at - 1..at, [line])),
            }
        }
        check_exact(&old, &new);
    }

    #[test]
    fn a_text_does_not_differ_from_itself(lines in any_lines()) {
        let diff = diff(&lines, &lines);
        prop_assert!(diff.is_empty());
        prop_assert_eq!(diff.counts(), Counts::default());
    }

    #[test]
    fn the_pieces_of_a_line_give_both_lines(old in any_line(), new in any_line()) {
        let rewrite = Rewrite::new(&old, &new);
        prop_assert_eq!(rewrite.old_line(), old);
        prop_assert_eq!(rewrite.new_line(), new);
    }

    #[test]
    fn the_pieces_of_any_text_give_it_back(old in "\\PC{0,60}", new in any::<String>()) {
        let (old, new) = (Line { heading: None, text: old }, Line { heading: Some(1), text: new });
        let rewrite = Rewrite::new(&old, &new);
        prop_assert_eq!(rewrite.old_line(), old);
        prop_assert_eq!(rewrite.new_line(), new);
    }
}

fn passages(texts: &[&str]) -> Vec<Line> {
    texts.iter().map(|text| Line::passage(text)).collect()
}

#[test]
fn words_and_lines_are_counted() {
    let old = passages(&["Open 9 to 5", "Gone for good", "Footer"]);
    let new = passages(&["Open 9 to 6", "Footer", "Quite new"]);
    let expected = Counts { words_added: 3, words_removed: 4, lines_added: 2, lines_removed: 2 };
    assert_eq!(diff(&old, &new).counts(), expected);
}

#[test]
fn a_heading_of_another_level_is_rewritten_without_a_word() {
    let diff = diff(&[Line::heading(2, "Diet")], &[Line::heading(3, "Diet")]);
    let rewrite = Rewrite {
        old_heading: Some(2),
        new_heading: Some(3),
        pieces: vec![Piece::Kept("Diet".to_owned())],
    };
    assert_eq!(diff.hunks(), [Hunk::Replaced { rewrites: vec![rewrite] }]);
    assert!(!diff.is_empty());
    assert_eq!(diff.counts().words_added, 0);
}

#[test]
fn a_diff_does_not_fit_another_text() {
    let diff = diff(&passages(&["a", "b", "c x"]), &passages(&["a", "c y"]));
    let length = ApplyError::Length { expected: 3, found: 1 };
    assert_eq!(diff.apply(&passages(&["a"])), Err(length));
    let differs = ApplyError::Differs { line: 3 };
    assert_eq!(diff.apply(&passages(&["a", "b", "c z"])), Err(differs));
}

/// Every second of many lines changed: a histogram diff takes many seconds here.
#[test]
fn long_texts_with_many_changes_are_compared_exactly() {
    let old: Vec<Line> = (0..40_000).map(|at| Line::passage(&format!("line {at}"))).collect();
    let mut new = old.clone();
    for line in new.iter_mut().step_by(2) {
        line.text.push_str(" changed");
    }
    check_exact(&old, &new);
    assert_eq!(diff(&old, &new).counts().words_added, 20_000);
}

#[test]
fn a_long_table_of_few_values_is_compared_exactly() {
    let cell = |at: u64| Line::passage(if at * at % 7 < 3 { "0" } else { "1" });
    let old: Vec<Line> = (0..100_000).map(cell).collect();
    let new: Vec<Line> = (0..100_001).map(|at| cell(at * 3 + 1)).collect();
    check_exact(&old, &new);
}
