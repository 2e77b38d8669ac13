//! A watch on a virtual clock: politely, within its budget, through the loss of its process.

use gannet_lab::watch::{Month, judge};

#[test]
fn a_watch_keeps_its_budget_and_its_pages_fresh() {
    let month = Month {
        sites: 25,
        pages: 400,
        days: 12,
        learning_days: 4,
        requests_per_day: 60.0,
        seed: 1,
    };
    let directory = tempfile::tempdir().unwrap();
    let found = month.find_all(directory.path()).unwrap();
    assert!(found > 300, "{found} pages");
    let mut stored = month.stored_visits(directory.path()).unwrap();
    for day in 0..month.days {
        // The player is dropped with requests under way and without a word, as a kill would.
        let told = month.watch_day(directory.path(), day).unwrap();
        let found = month.stored_visits(directory.path()).unwrap();
        assert!(found >= told, "day {day}: {found} of {told} visits are left");
        assert!(told > stored, "day {day} brought nothing");
        stored = told;
    }
    let verdict = judge(&month, directory.path(), 0).unwrap();
    assert!(verdict.violations.is_empty(), "{verdict:#?}");
    assert!((0.95..=1.02).contains(&verdict.used), "{verdict:?}");
    let gap = verdict.lab.fresh - verdict.measured.fresh;
    assert!(gap < 0.05, "{verdict:?}");
}
