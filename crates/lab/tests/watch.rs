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

#[test]
fn zz_probe() {
    use gannet_store::Store as _;
    let month = Month {
        sites: 25,
        pages: 400,
        days: 12,
        learning_days: 4,
        requests_per_day: 60.0,
        seed: 1,
    };
    let directory = tempfile::tempdir().unwrap();
    month.find_all(directory.path()).unwrap();
    let mut out = String::new();
    for day in 0..12 {
        month.watch_day(directory.path(), day).unwrap();
        let store = gannet_store::Embedded::open(&directory.path().join("store")).unwrap();
        out +=
            &format!("{day} {:?} {}\n", store.spending().unwrap(), month.begins(day + 1).as_secs());
        let mut due = 0;
        let mut all = 0;
        let mut soon = u64::MAX;
        store
            .each_return(&mut |_, r| {
                all += 1;
                if r.due <= month.begins(day + 1) {
                    due += 1;
                }
                soon = soon.min(r.due.as_secs());
            })
            .unwrap();
        out += &format!(
            "   due rows {due} of {all}, soonest {}\n",
            soon as i64 - month.begins(day + 1).as_secs() as i64
        );
    }
    panic!("{out} {:?}", judge(&month, directory.path(), 0).unwrap());
}
