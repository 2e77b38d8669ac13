//! Labels: given while a crawl runs and when none does, and what they change.

use std::time::{Duration, Instant};

use crate::stopping::{Running, wait_for_answers};
use crate::world::{World, run_in};

/// A world with some pages, and the URL of one that is not relevant.
fn crawled() -> (World, String) {
    let world = World::new();
    world.crawl(&["--max-pages", "20"]);
    let pages = world.json(&["pages", "--irrelevant", "--limit", "1", "--format", "json"]);
    let url = pages[0]["url"].as_str().unwrap().to_owned();
    (world, url)
}

#[test]
fn a_label_is_noted_listed_and_wins_when_pages_are_judged_anew() {
    let (world, url) = crawled();
    world.run(&["label", &url, "yes"]).expect(0, &["Noted", "gannet rejudge"]);
    let listed = world.json(&["label", "list", "--format", "json"]);
    assert_eq!(listed[0]["url"], url);
    assert_eq!(listed[0]["relevant"], true);
    assert!(world.run(&["label", "list"]).stdout.contains(&url));

    let dry = world.json(&["rejudge", "--dry-run", "--format", "json"]);
    assert_eq!(dry["dry_run"], true);
    let changed = dry["changed"].as_array().unwrap();
    assert!(
        changed.iter().any(|page| page["url"] == url && page["after"]["relevant"] == true),
        "{dry}"
    );
    let before = world.json(&["explain", &url, "--format", "json"]);
    assert_eq!(before["visits"][0]["judgement"]["relevant"], false);
    assert_eq!(before["label"]["relevant"], true);

    let ran = world.run(&["rejudge"]);
    ran.expect(0, &["pages are judged by"]);
    assert!(ran.stdout.contains("+ ") && ran.stdout.contains(&url), "{}", ran.stdout);
    let after = world.json(&["explain", &url, "--format", "json"]);
    assert_eq!(after["visits"][0]["judgement"]["relevant"], true);
    let text = world.run(&["explain", &url]).stdout;
    assert!(text.contains("Who judged it") && text.contains("a person"), "{text}");
    let again = world.json(&["rejudge", "--format", "json"]);
    assert_eq!(again["changed"].as_array().unwrap().len(), 0, "{again}");
}

#[test]
fn questions_are_the_pages_nobody_labelled() {
    let (world, _) = crawled();
    let open = world.json(&["label", "next", "--count", "3", "--format", "json"]);
    let open = open.as_array().unwrap();
    assert_eq!(open.len(), 3);
    let first = open[0]["url"].as_str().unwrap();
    assert!(open[0]["why"].as_str().unwrap().contains("threshold"), "{open:?}");
    world.run(&["label", first, "no"]).expect(0, &["Noted"]);
    let left = world.json(&["label", "next", "--count", "3", "--format", "json"]);
    assert!(left.as_array().unwrap().iter().all(|question| question["url"] != first), "{left}");
    let shown = world.run(&["label", "next"]);
    assert!(shown.stdout.starts_with("SCORE") && shown.stderr.contains("gannet label URL yes"));
}

#[test]
fn a_running_crawl_takes_labels_and_tells_its_questions() {
    let world = World::with_delay("1s");
    let mut running = Running::start(&world);
    wait_for_answers(&world, &mut running);
    world.run(&["label", &world.seed(), "yes"]).expect(0, &["the running crawl takes it in"]);
    let questions = world.run(&["label", "next", "--format", "json"]);
    assert_eq!(questions.code, 0, "{}", questions.stderr);
    let status = world.json(&["status", "--format", "json"]);
    assert_eq!(status["model_version"].as_str().unwrap().len(), 16, "{status}");
    running.signal(rustix::process::Signal::INT);
    running.wait();
    let listed = world.json(&["label", "list", "--format", "json"]);
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert!(!world.path("gannet-data/questions.json").exists());
}

#[test]
fn a_running_crawl_learns_from_labels_without_stopping() {
    let world = World::with_delay("2s");
    let mut running = Running::start(&world);
    wait_for_answers(&world, &mut running);
    let version = || world.json(&["status", "--format", "json"])["model_version"].clone();
    let before = version();
    let patience = Instant::now() + Duration::from_secs(60);
    while version() == before {
        assert!(Instant::now() < patience, "no label changed the model");
        assert!(running.is_running(), "the crawl ended before it learned");
        let open = world.json(&["label", "next", "--count", "2", "--format", "json"]);
        for question in open.as_array().unwrap() {
            let is_above = question["score"].as_f64() >= question["threshold"].as_f64();
            let answer = if is_above { "yes" } else { "no" };
            world.run(&["label", question["url"].as_str().unwrap(), answer]).expect(0, &["Noted"]);
        }
    }
    assert!(running.is_running());
}

#[test]
fn what_makes_no_sense_is_refused_and_what_is_unknown_is_noted_with_a_warning() {
    let (world, url) = crawled();
    world.run(&["label", "no url", "yes"]).expect(2, &["no url"]);
    world.run(&["label", &url]).expect(2, &["yes"]);
    world.run(&["label", &url, "maybe"]).expect(2, &["maybe", "yes, no"]);
    world.run(&["label", &url, "no", "--relative", "gulls"]).expect(2, &["--relative", "gulls"]);
    let unknown = world.run(&["label", "http://nowhere.test/x", "no"]);
    unknown.expect(0, &["never came across", "Noted"]);
    std::fs::write(world.path("gannet-data/labels.jsonl"), "nonsense\n").unwrap();
    world.run(&["label", "list"]).expect(0, &["labels.jsonl:1", "No page was labelled"]);
    world.run(&["rejudge", "--model", "oracle"]).expect(2, &["oracle"]);
    let directory = World::empty();
    for arguments in [&["label", "http://a.test/", "yes"][..], &["rejudge", "--topic", "x"]] {
        run_in(directory.path(), arguments).expect(1, &["holds no crawl"]);
    }
}
