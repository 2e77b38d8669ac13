//! What the ordering makes of links, from its definition.

use super::*;
use crate::fixture::{Bench, page};

#[test]
fn with_nothing_learned_the_topics_words_decide() {
    let mut bench = Bench::new(NAME, "gannet");
    let worths = bench.worths(
        &page("http://a.example/", 0.9, "birds of the sea")
            .link("http://a.example/1", "the gannet")
            .link("http://a.example/2", "contact")
            .link("http://a.example/gannet", "more"),
    );
    assert!(worths[0] > worths[1] && worths[2] > worths[1], "{worths:?}");
}

#[test]
fn links_of_a_directory_that_disappointed_are_worth_less() {
    let mut bench = Bench::new(NAME, "gannet");
    let hub = |name: &str| {
        page("http://a.example/", 0.9, "list")
            .link(&format!("http://a.example/news/{name}"), "item")
            .link(&format!("http://a.example/birds/{name}"), "item")
    };
    let before = bench.worths(&hub("early"));
    for number in 0..20 {
        bench.show(&page(&format!("http://a.example/news/{number}"), 0.0, "nothing"));
        bench.show(&page(&format!("http://a.example/birds/{number}"), 1.0, "something"));
    }
    let after = bench.worths(&hub("late"));
    assert!(after[0] < before[0] && after[1] > before[1], "{before:?} {after:?}");
}

#[test]
fn pages_that_say_what_others_said_bring_nothing_however_relevant() {
    let worth_after = |is_copy: bool| {
        let mut bench = Bench::new(NAME, "gannet");
        for number in 0..20 {
            let page = page(&format!("http://a.example/birds/{number}"), 1.0, "gannet");
            bench.show(&if is_copy { page.copy() } else { page });
        }
        let hub = page("http://b.example/", 0.9, "x").link("http://a.example/birds/more", "more");
        bench.worths(&hub)[0]
    };
    assert!(worth_after(true) < 0.5 * worth_after(false));
}

#[test]
fn a_link_is_worth_less_with_every_step_away_from_what_is_relevant() {
    let mut bench = Bench::new(NAME, "gannet");
    let first = page("http://a.example/", 0.0, "x").link("http://b.example/", "on");
    let near = bench.show(&first).remove(0).unwrap();
    let second = page("http://b.example/", 0.0, "x").link("http://c.example/", "on");
    let far = bench.show(&second.valued(&near)).remove(0).unwrap();
    assert!(far.worth < near.worth, "{near:?} {far:?}");
}

#[test]
fn another_relevant_page_that_links_there_adds_to_a_links_worth() {
    let mut bench = Bench::new(NAME, "gannet");
    let link = "http://c.example/";
    let first =
        bench.show(&page("http://a.example/", 0.9, "x").link(link, "on")).remove(0).unwrap();
    let second = page("http://b.example/", 0.9, "x").link(link, "on");
    let both = bench.show(&second).remove(0).unwrap();
    assert!(both.worth > first.worth);
    assert_eq!(bench.revalue(link, &first).unwrap().worth, both.worth, "memory knows both ways");
}

#[test]
fn ways_that_only_the_store_knows_are_put_together_when_there_is_news() {
    let mut bench = Bench::new(NAME, "gannet");
    let link = "http://c.example/";
    let first =
        bench.show(&page("http://a.example/", 0.9, "x").link(link, "on")).remove(0).unwrap();
    let mut later = Bench::new(NAME, "gannet");
    let second = page("http://b.example/", 0.9, "x").link(link, "on");
    later.order.observe(&crate::order::Finding {
        page: second.queued(),
        document: &second.document,
        judgement: &second.judgement,
        links: &[],
        is_copy: false,
    });
    let both = later.value(&second, &second.document.links[0], &first.traits).unwrap();
    assert!(both.worth > first.worth);
    assert!(both.is_news, "nothing was in memory");
}

#[test]
fn links_beside_one_that_was_good_rise_and_are_told() {
    let mut bench = Bench::new(NAME, "gannet");
    let mut hub = page("http://a.example/", 0.9, "list");
    for number in 0..6 {
        hub = hub.link(&format!("http://b.example/{number}"), "member page");
    }
    let valued: Vec<_> = bench.show(&hub).into_iter().flatten().collect();
    bench.order.risen();
    bench.show(&page("http://b.example/2", 1.0, "good").valued(&valued[2]));
    let risen = bench.order.risen();
    assert!(risen.len() >= 4, "{risen:?}");
    let worth = bench.revalue("http://b.example/3", &valued[3]).unwrap().worth;
    assert!(worth > valued[3].worth);
}

#[test]
fn what_was_learned_is_kept_and_taken_up_again() {
    let mut bench = Bench::new(NAME, "gannet");
    for number in 0..10 {
        let score = if number % 2 == 0 { 1.0 } else { 0.0 };
        let text = if number % 2 == 0 { "colony" } else { "ferry" };
        bench.show(&page(&format!("http://h{number}.example/{text}/"), score, text));
    }
    let hub = page("http://a.example/", 0.5, "x")
        .link("http://n.example/1", "the colony")
        .link("http://n.example/2", "the ferry");
    bench.order.risen();
    let state = bench.order.state().unwrap();
    let worths = bench.worths(&hub);
    assert!(worths[0] > worths[1]);
    let mut again = Bench::new(NAME, "gannet");
    assert!(again.order.restore(&state));
    assert_eq!(again.worths(&hub), worths);
    assert!(!again.order.restore(b"nonsense"));
}

#[test]
fn a_part_that_is_switched_off_does_not_count() {
    let names = |config: Config| {
        let interest = Interest::new([("gannet", 1.0)]);
        let mut bench = Bench { order: Box::new(Evidence::new(&interest, config)) };
        let page = page("http://a.example/", 0.0, "x").heading(2, "gannet");
        let found = bench.show(&page.link("http://b.example/", "on")).remove(0).unwrap();
        let valued = bench.revalue("http://b.example/", &found).unwrap();
        assert_eq!(valued.worth, found.worth);
        valued.reasons.iter().map(|reason| reason.part.to_string()).collect::<Vec<_>>()
    };
    let all = || Config::default();
    for (part, without) in [
        ("block's likeness to the topic", Config { blocks: false, ..all() }),
        ("yield of its directory", Config { yields: false, ..all() }),
    ] {
        let has = |names: Vec<String>| names.iter().any(|name| name == part);
        assert!(has(names(all())) && !has(names(without)), "{part}");
    }
}
