//! Crawling to the end, to a limit, and on from there.

use std::io::Write;
use std::process::Stdio;

use crate::world::{Ran, World, run_in};

#[test]
fn a_crawl_runs_to_its_end_and_says_so() {
    let world = World::new();
    let summary = world.crawl(&[]);
    assert_eq!(summary["finish_reason"], "exhausted");
    assert_eq!(summary["exit_code"], 0);
    assert!(summary["fetched"].as_u64().unwrap() > 30, "{summary}");
    assert!(summary["relevant"].as_u64().unwrap() > 0, "{summary}");
    assert!(summary["harvest_rate"].as_f64().unwrap() > 0.0, "{summary}");
    assert_eq!(summary["queued"], 0);
    assert!(world.path("gannet-data/archive").is_dir());
}

#[test]
fn the_page_limit_is_exact_and_the_next_run_goes_on() {
    let world = World::new();
    let first = world.crawl(&["--max-pages", "7"]);
    assert_eq!(first["finish_reason"], "page-limit");
    assert_eq!(first["answered"], 7);
    assert_eq!(first["resumable"], true);
    let second = world.json(&["crawl", "--format", "json", "--max-pages", "12"]);
    assert_eq!(second["answered"], 12);
    let last = world.json(&["crawl", "--format", "json"]);
    assert_eq!(last["finish_reason"], "exhausted");
    let whole = World::new().crawl(&[]);
    assert_eq!(last["fetched"], whole["fetched"], "in pieces as in one");
}

#[test]
fn topic_and_order_are_remembered() {
    let world = World::new();
    let config = std::fs::read_to_string(world.path("gannet.toml")).unwrap();
    let without_topic: String = config
        .lines()
        .filter(|line| !line.starts_with("words"))
        .map(|l| format!("{l}\n"))
        .collect();
    std::fs::write(world.path("gannet.toml"), without_topic).unwrap();
    let seed = world.seed();
    world.run(&["crawl", &seed]).expect(3, &["there is no topic", "--topic"]);
    let crawl = ["crawl", &seed, "--topic", "\"plunge diving\"", "--order", "breadth-first"];
    world.run(&[&crawl[..], &["--max-pages", "3"]].concat()).expect(0, &["breadth-first"]);
    world.run(&["crawl", "--max-pages", "4"]).expect(0, &["plunge diving", "breadth-first"]);
}

#[test]
fn a_fence_around_the_seeds_holds_when_the_crawl_goes_on() {
    let world = World::new();
    world.crawl(&["--stay", "seed-hosts", "--max-pages", "2"]);
    let ran = world.run(&["crawl", "--stay", "seed-hosts"]);
    ran.expect(0, &["nothing is left"]);
    let sites = world.json(&["sites", "--format", "json"]);
    let fetched = |site: &&serde_json::Value| site["pages"].as_u64() > Some(0);
    assert_eq!(sites.as_array().unwrap().iter().filter(fetched).count(), 1);
}

#[test]
fn without_seeds_there_is_nowhere_to_start() {
    let world = World::new();
    world.run(&["crawl"]).expect(2, &["nowhere to start", "--seeds FILE"]);
}

#[test]
fn bad_seed_lines_are_told_and_the_good_ones_go_on() {
    let world = World::new();
    let lines = format!("# ours\n{}\nnot a seed\nmailto:someone@example.org\n", world.seed());
    std::fs::write(world.path("seeds.txt"), lines).unwrap();
    let ran = world.run(&["crawl", "--seeds", "seeds.txt", "--max-pages", "1"]);
    ran.expect(0, &["seeds.txt: line 3", "seeds.txt: line 4", "1 seed about"]);
    world.run(&["crawl", "nonsense"]).expect(2, &["seed 1", "none of the 1 seeds"]);
    world.run(&["crawl", "--seeds", "missing.txt"]).expect(2, &["cannot read missing.txt"]);
}

#[test]
fn seeds_come_from_standard_input_and_from_the_config_file() {
    let world = World::new();
    let mut command = world.command(&["crawl", "--seeds", "-", "--max-pages", "1"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A line that is not UTF-8 is a bad line like any other.
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(format!("{}\n", world.seed()).as_bytes()).unwrap();
    stdin.write_all(b"\xff\xfe\n").unwrap();
    drop(stdin);
    Ran::from(child.wait_with_output().unwrap()).expect(0, &["-: line 2"]);

    let config = std::fs::read_to_string(world.path("gannet.toml")).unwrap();
    let seeds = format!("{config}[crawl]\nseeds = [\"{}\", \"x y\"]\n", world.seed());
    std::fs::write(world.path("gannet.toml"), seeds).unwrap();
    let ran = world.run(&["crawl", "--data-dir", "other", "--max-pages", "1"]);
    ran.expect(0, &["crawl.seeds[1] (gannet.toml:"]);
}

#[test]
fn a_crawl_that_fetches_nothing_says_so() {
    let world = World::new();
    let ran = world.run(&["crawl", "http://127.0.0.1:1/", "--idle", "0s", "--format", "json"]);
    assert!([8, 9].contains(&ran.code), "{}", ran.stderr);
    let summary: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(summary["exit_code"], ran.code);
    assert_eq!(summary["fetched"], 0);
}

#[test]
fn a_data_directory_that_cannot_be_made_is_named() {
    let directory = World::empty();
    std::fs::write(directory.path().join("file"), "").unwrap();
    let arguments = ["crawl", "--topic", "birds", "example.org", "--data-dir", "file/data"];
    run_in(directory.path(), &arguments).expect(1, &["file/data", "--data-dir"]);
}
