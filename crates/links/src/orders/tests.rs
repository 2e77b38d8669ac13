//! The contract that every strategy keeps, by its registered name alone.

use super::*;
use crate::fixture::{Bench, page};

#[test]
fn every_order_values_links_and_gives_reasons() {
    for entry in ORDERS {
        let mut bench = Bench::new(entry.name, "gannet");
        let page = page("http://a.example/", 0.9, "a gannet").link("http://b.example/", "gannets");
        let valued = bench.show(&page).remove(0);
        let valued =
            valued.unwrap_or_else(|| panic!("{} follows no link of a good page", entry.name));
        assert!(!valued.reasons.is_empty(), "{} gives no reason", entry.name);
        assert!(valued.worth.get() > 0.0, "{}", entry.name);
        assert!(!entry.summary.is_empty());
    }
}

#[test]
fn every_order_does_the_same_when_run_twice() {
    for entry in ORDERS {
        let run = || {
            let mut bench = Bench::new(entry.name, "gannet");
            let mut worths = Vec::new();
            for number in 0..40 {
                let score = if number % 3 == 0 { 0.9 } else { 0.1 };
                let address = format!("http://h{}.example/{number}", number % 5);
                let mut page = page(&address, score, "some words on a gannet");
                for link in 0..5 {
                    let target = format!("http://h{}.example/{}", link, number * 3 + link);
                    page = page.link(&target, "more");
                }
                worths.extend(bench.worths(&page));
            }
            let mut risen = bench.order.risen();
            risen.sort_by_key(|risen| risen.fingerprint);
            (worths, risen)
        };
        assert_eq!(run(), run(), "{}", entry.name);
    }
}

#[test]
fn the_default_is_registered_and_an_unknown_name_lists_the_known_ones() {
    let interest = Interest::default();
    assert!(build_order(DEFAULT_ORDER, &interest, &Settings::none()).is_ok());
    let Err(error) = build_order("deepest", &interest, &Settings::none()) else {
        panic!("there is no such order");
    };
    assert!(error.to_string().contains("breadth-first"));
}

#[test]
fn best_first_follows_the_page_that_speaks_most_of_the_topic() {
    let mut bench = Bench::new("best-first", "gannet");
    let link = "http://b.example/";
    let much = bench.worths(&page("http://a.example/1", 0.0, "gannet gannet sea").link(link, "x"));
    let little =
        bench.worths(&page("http://a.example/2", 1.0, "gannet at sea again").link(link, "x"));
    assert!(much[0] > little[0] && little[0] > 0.0, "{much:?} {little:?}");
}

#[test]
fn soft_focus_follows_the_page_that_is_judged_best() {
    let mut bench = Bench::new("soft-focus", "gannet");
    let mut worth = |score| {
        bench.worths(&page("http://a.example/", score, "").link("http://b.example/", "x"))[0]
    };
    assert_eq!((worth(0.8), worth(0.2)), (0.8, 0.2));
}

#[test]
fn breadth_first_prefers_what_is_nearer_to_a_seed_whatever_it_says() {
    let mut bench = Bench::new("breadth-first", "gannet");
    let mut worth = |score, depth| {
        let page = page("http://a.example/", score, "").link("http://b.example/", "x");
        bench.worths(&page.depth(depth))[0]
    };
    assert!(worth(0.0, 0) > worth(1.0, 1));
    assert_eq!(worth(0.0, 2), worth(1.0, 2));
}
