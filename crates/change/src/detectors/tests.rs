//! The contract that every detector keeps, by its registered name alone.

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::detectors::sample::{Sample, png};

#[test]
fn names_are_unique_and_in_kebab_case_and_summaries_are_no_sentences() {
    let mut names = HashSet::new();
    for Entry { name, summary, .. } in DETECTORS {
        assert!(names.insert(name), "{name} is registered twice");
        let is_kebab = |char: char| char.is_ascii_lowercase() || char.is_ascii_digit();
        assert!(
            name.split('-').all(|part| !part.is_empty() && part.chars().all(is_kebab)),
            "{name}"
        );
        assert!(!summary.is_empty() && !summary.ends_with('.'), "{name}: {summary}");
        assert!(build_detector(name).is_some());
    }
    assert!(build_detector("crystal-ball").is_none());
}

#[test]
fn a_page_of_nested_tags_without_end_is_compared_by_all() {
    check_all_say_same(Sample::page(&"<b>".repeat(NESTED_BYTES / 3)));
}

/// A quarter of it in end tags that close nothing.
#[test]
fn a_page_of_end_tags_without_start_is_compared_by_all() {
    let quarter = NESTED_BYTES / 16;
    check_all_say_same(Sample::page(&("<b>x".repeat(3 * quarter) + &"</i>".repeat(quarter))));
}

/// Deep enough to end any recursion. Debug builds, in which the tokenizer runs several times
/// slower, get less of it.
const NESTED_BYTES: usize = if cfg!(debug_assertions) { 512 << 10 } else { 20 << 20 };

#[track_caller]
fn check_all_say_same(page: Sample) {
    for entry in DETECTORS {
        let verdict = (entry.build)().compare(&page.version(), &page.version());
        assert!(!verdict.is_change, "{}: {}", entry.name, verdict.because);
    }
}

/// Markup that is mostly wrong.
fn markup() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "</?(a|b|p|li|br|svg|path|script|style|title|table|h1|x-é)( [a-z]=\"?[a-z&;]{0,3}\"?)?/?>",
        2 => "[ -~\n\u{e0}-\u{ff}—]{0,8}",
        1 => "<[!/?]?[ -~]{0,6}",
        1 => "&#?[a-z0-9]{0,6};?",
        1 => any::<String>(),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

/// An image, of which one byte may be wrong or the end be missing, or no image at all.
fn image_file() -> impl Strategy<Value = Vec<u8>> {
    let spoilt = (1..20_u32, 1..20_u32, any::<(u8, prop::sample::Index, prop::sample::Index)>())
        .prop_map(|(width, height, (byte, place, end))| {
            let mut bytes =
                png(width, height, |x, y| [(x as u8).wrapping_mul(byte), y as u8, byte]);
            let place = place.index(bytes.len());
            bytes[place] = byte;
            bytes.truncate(end.index(bytes.len() * 2));
            bytes
        });
    prop_oneof![3 => spoilt, 1 => prop::collection::vec(any::<u8>(), 0..64)]
}

fn page() -> impl Strategy<Value = Sample> {
    let images = prop::collection::vec(image_file(), 0..3);
    (markup(), any::<String>(), images).prop_map(|(html, css, images)| {
        let page = Sample::page(&html).style(&css);
        images.into_iter().fold(page, Sample::image)
    })
}

proptest! {
    #[test]
    fn no_detector_panics_and_each_calls_a_page_the_same_as_itself(old in page(), new in page()) {
        for entry in DETECTORS {
            let detector = (entry.build)();
            let itself = detector.compare(&old.version(), &old.version());
            prop_assert!(!itself.is_change, "{}: {}", entry.name, itself.because);
            let there = detector.compare(&old.version(), &new.version());
            let back = detector.compare(&new.version(), &old.version());
            prop_assert_eq!(there.is_change, back.is_change, "{}", entry.name);
            prop_assert!(!there.because.is_empty());
        }
    }
}
