//! The protocol keeps its promises, on made-up pairs and on real ones where they are there.

use std::path::PathBuf;

use bytes::Bytes;
use gannet_change::DEFAULT_DETECTOR;
use gannet_model::PageUrl;

use super::*;

fn pair(at: u64, kind: PairKind, old: &str, new: &str) -> PagePair {
    PagePair {
        page: "made-up/page".to_owned(),
        url: PageUrl::parse("http://a.example/").unwrap(),
        old_time: at,
        kind,
        old: Bytes::from(old.to_owned()),
        new: Bytes::from(new.to_owned()),
    }
}

fn page(token: u64, offer: &str, text: &str) -> String {
    format!(
        "<html><body><script>var t={token}</script><p>Offer of the day: {offer}</p>\
         <p>The gannet dives from great height, {text}, and comes back to the same cliffs each \
         year to breed with the same mate.</p></body></html>"
    )
}

#[test]
fn what_changes_at_every_visit_stops_counting_and_edits_do_not() {
    let mut pairs = Vec::new();
    for visit in 0..6 {
        let (a, b) = (
            page(visit * 2, &word(visit * 2), "it is said"),
            page(visit * 2 + 1, &word(visit * 2 + 1), "it is said"),
        );
        pairs.push(pair(visit, PairKind::Noise, &a, &b));
    }
    let old = page(90, &word(90), "it is said");
    pairs.push(pair(9, PairKind::Edit, &old, &page(91, &word(91), "as people say")));
    let measured = measure(&pairs, &[DEFAULT_DETECTOR, "raw-hash"], 1);
    let [default, raw] = &measured.runs[..] else { panic!("two detectors") };
    assert_eq!((raw.missed, raw.false_alarms), (0, 6));
    assert_eq!((default.missed, default.false_alarms), (0, 6));
    let learned = &measured.learned[1];
    assert_eq!((learned.after_visits, learned.run.positives, learned.run.missed), (4, 1, 0));
    assert_eq!((learned.run.negatives, learned.run.false_alarms), (4, 0));
}

/// A different word for every number, without digits.
fn word(number: u64) -> String {
    (0..6).map(|at| char::from(b'a' + ((number * 7 + at * number) % 26) as u8)).collect()
}

#[test]
fn a_folder_without_pairs_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = load(folder.path()).unwrap_err().to_string();
    assert!(error.contains("pairs.jsonl"), "{error}");
    std::fs::write(folder.path().join("pairs.jsonl"), "{\"page\": 1}\n").unwrap();
    let error = load(folder.path()).unwrap_err().to_string();
    assert!(error.contains("line 1"), "{error}");
}

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("GANNET_DATA").map(PathBuf::from).unwrap_or_else(|| {
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"))
    });
    Some(folder.join("changes")).filter(|folder| folder.is_dir())
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn on_real_pages_no_edit_that_can_be_read_is_missed() {
    let Some(folder) = data() else {
        eprintln!("skipped: no data");
        return;
    };
    let pairs = load(&folder).unwrap();
    let measured = measure(&pairs, &[DEFAULT_DETECTOR], 2);
    let default = &measured.runs[0];
    assert!(default.positives >= 200 && default.negatives >= 400);
    for case in measured.cases.iter().filter(|case| case.is_missed) {
        assert!(!case.is_text_different, "{case:?}");
    }
    assert!(default.false_alarms * 10 < default.negatives, "{default:?}");
}
