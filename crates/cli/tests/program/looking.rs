//! Looking at what was collected.

use serde_json::Value;

use crate::world::{World, run_in};

/// A world whose crawl has been cut short, so that there is something of everything.
fn crawled() -> World {
    let world = World::new();
    world.crawl(&["--max-pages", "25"]);
    world
}

fn count(world: &World, which: &str) -> usize {
    world.json(&["pages", which, "--format", "json"]).as_array().unwrap().len()
}

#[test]
fn pages_are_listed_by_what_became_of_them() {
    let world = crawled();
    let all = world.json(&["pages", "--format", "json"]);
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), count(&world, "--relevant") + count(&world, "--irrelevant"));
    let status = world.json(&["status", "--format", "json"]);
    assert_eq!(Value::from(count(&world, "--queued")), status["queued"]);
    assert_eq!(Value::from(count(&world, "--relevant")), status["relevant"]);
    assert_eq!(Value::from(count(&world, "--all")), status["known_urls"]);
    let best = world.json(&["pages", "--sort", "score", "--limit", "3", "--format", "json"]);
    let scores: Vec<f64> =
        best.as_array().unwrap().iter().map(|page| page["score"].as_f64().unwrap()).collect();
    assert_eq!(scores.len(), 3);
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[test]
fn pages_come_in_every_format() {
    let world = crawled();
    let csv = world.run(&["pages", "--limit", "2", "--format", "csv"]);
    assert_eq!(csv.stdout.lines().count(), 3, "{}", csv.stdout);
    assert!(csv.stdout.starts_with("url,state,"));
    let lines = world.run(&["pages", "--limit", "2", "--format", "jsonl"]);
    for line in lines.stdout.lines() {
        let page: Value = serde_json::from_str(line).unwrap();
        assert_eq!(page["state"], "fetched");
        assert_eq!(page["status"], 200);
    }
    let table = world.run(&["pages", "--limit", "2"]);
    assert!(table.stdout.starts_with("STATE"), "{}", table.stdout);
    let host = world.seed().split('/').nth(2).unwrap().to_owned();
    let of_site = world.json(&["pages", "--site", &host, "--format", "json"]);
    for page in of_site.as_array().unwrap() {
        assert!(page["url"].as_str().unwrap().contains(&host));
    }
}

#[test]
fn sites_add_up_to_the_whole() {
    let world = crawled();
    let sites = world.json(&["sites", "--sort", "relevant", "--format", "json"]);
    let status = world.json(&["status", "--format", "json"]);
    let sum = |field: &str| {
        sites.as_array().unwrap().iter().map(|site| site[field].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(Value::from(sum("pages")), status["fetched"]);
    assert_eq!(Value::from(sum("relevant")), status["relevant"]);
    assert_eq!(Value::from(sum("queued")), status["queued"]);
    assert!(world.run(&["sites"]).stdout.starts_with("HOST"));
    assert!(world.run(&["status"]).stdout.contains("page-limit"));
}

#[test]
fn a_fetched_page_is_explained_from_its_seed_to_its_evidence() {
    let world = crawled();
    let pages = world.json(&["pages", "--format", "json"]);
    let deep = pages.as_array().unwrap().iter().max_by_key(|page| page["depth"].as_u64()).unwrap();
    let url = deep["url"].as_str().unwrap();
    let explained = world.json(&["explain", url, "--format", "json"]);
    assert_eq!(explained["state"], "fetched");
    let chain = explained["chain"].as_array().unwrap();
    assert_eq!(chain.last().unwrap()["how"], "seed", "{explained}");
    let visit = &explained["visits"][0];
    assert!(visit["judgement"]["score"].is_number());
    let archive =
        world.path("gannet-data/archive").join(visit["archive"]["file"].as_str().unwrap());
    let size = std::fs::metadata(&archive).unwrap().len();
    let end =
        visit["archive"]["offset"].as_u64().unwrap() + visit["archive"]["length"].as_u64().unwrap();
    assert!(end <= size, "{end} of {size}");
    let text = world.run(&["explain", url]).stdout;
    for part in ["How it was found", "What it was worth", "score", "robots.txt: allowed", "kept in"]
    {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

#[test]
fn urls_that_were_not_fetched_are_explained_too() {
    let world = crawled();
    let queued = world.json(&["pages", "--queued", "--limit", "1", "--format", "json"]);
    let url = queued[0]["url"].as_str().unwrap();
    let explained = world.json(&["explain", url, "--format", "json"]);
    assert_eq!(explained["state"], "queued");
    assert!(explained["plan"].as_str().unwrap().starts_with("queued at worth"));
    let image = world.json(&["explain", "http://nowhere.test/cat.jpg", "--format", "json"]);
    assert_eq!(image["state"], "unknown");
    assert_eq!(image["scope"]["accepted"], false);
    assert!(image["plan"].as_str().unwrap().contains("would be skipped"), "{image}");
    world.run(&["explain", "no url"]).expect(2, &["no url"]);
}

#[test]
fn the_export_has_every_page_once() {
    let world = crawled();
    let ran = world.run(&["export", "jsonl"]);
    let pages: Vec<Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let status = world.json(&["status", "--format", "json"]);
    assert_eq!(Value::from(pages.len()), status["fetched"]);
    let mut urls: Vec<_> = pages.iter().map(|page| page["url"].to_string()).collect();
    urls.sort();
    urls.dedup();
    assert_eq!(urls.len(), pages.len());
    assert!(pages.iter().all(|page| page["archive"]["length"].is_number()));
    let ran = world.run(&["export", "jsonl", "--relevant", "--output", "out.jsonl"]);
    ran.expect(0, &["Wrote"]);
    let lines = std::fs::read_to_string(world.path("out.jsonl")).unwrap().lines().count();
    assert_eq!(Value::from(lines), status["relevant"]);
}

#[test]
fn a_reader_who_has_read_enough_is_no_error() {
    let world = crawled();
    let mut command = world.command(&["export", "jsonl"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn where_there_is_no_crawl_the_commands_say_so() {
    let directory = World::empty();
    for command in ["status", "pages", "sites"] {
        run_in(directory.path(), &[command]).expect(1, &["holds no crawl", "gannet crawl"]);
    }
}
