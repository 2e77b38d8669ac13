//! Watching: known pages are visited again within a budget, and what will come is told.

use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::world::World;

#[test]
fn a_watch_returns_to_known_pages_and_tells_what_it_will_do() {
    let world = World::new();
    world.crawl(&["--max-pages", "20"]);
    // Every request is allowed at once, so the pages are visited again within the time.
    let ran = world.run(&["watch", "--max-time", "8s", "--requests-per-day", "4000000000"]);
    ran.expect(0, &["Watching with 4000000000 requests a day (priced policy)"]);
    let plan = world.json(&["plan", "--next", "3", "--format", "json"]);
    assert!(plan["pages"].as_u64().unwrap() >= 10, "{plan}");
    assert_eq!(plan["next"].as_array().unwrap().len(), 3, "{plan}");
    let budgets = ["plan", "--requests-per-day", "100", "--format", "json"];
    let budgets = world.json(&budgets)["budgets"].clone();
    let fresh: Vec<f64> =
        budgets.as_array().unwrap().iter().map(|at| at["expected"].as_f64().unwrap()).collect();
    assert!(fresh.len() == 5 && fresh.is_sorted(), "more requests, more freshness: {budgets}");
    let planned = &plan["next"][0];
    for field in ["rate", "rate_low", "rate_high", "importance", "fresh", "value", "price"] {
        assert!(planned[field].as_f64().is_some(), "{field} in {planned}");
    }
    let expected = plan["expected"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&expected), "{plan}");
    let status = world.json(&["status", "--format", "json"]);
    assert_eq!(status["freshness"]["pages"], plan["pages"], "{status}");
    let url = planned["url"].as_str().unwrap();
    let explained = world.json(&["explain", url, "--format", "json"]);
    assert!(explained["revisit"]["rate"].as_f64().is_some(), "{explained}");
    let told = world.run(&["plan"]).stdout;
    assert!(told.contains("pages are watched") && told.contains("freshness"), "{told}");
}

#[test]
fn new_settings_take_effect_while_a_watch_runs() {
    let world = World::new();
    let settings = |requests: u32| {
        let file = std::fs::read_to_string(world.path("gannet.toml")).unwrap();
        let rest = file.split("\n[watch]").next().unwrap();
        let text = format!("{rest}\n[watch]\nrequests_per_day = {requests}\n");
        std::fs::write(world.path("gannet.toml"), text).unwrap();
    };
    settings(1000);
    let seed = world.seed();
    let mut command = world.command(&["watch", &seed, "--max-time", "60s"]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    // The watch is running once others can see its status.
    while !world.path("gannet-data/status.json").exists() {
        assert!(child.try_wait().unwrap().is_none(), "the watch ended by itself");
        assert!(Instant::now() < patience, "no status");
    }
    settings(77);
    let stderr = child.stderr.take().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(stderr));
    let told = lines.by_ref().map_while(Result::ok).find(|line| line.contains("77 requests a day"));
    assert!(told.is_some(), "the new budget is not told");
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    kill_process(pid, Signal::INT).unwrap();
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    assert!(child.wait().unwrap().code().is_some(), "{rest:?}");
}

#[test]
fn wrong_settings_of_a_watch_are_named() {
    let world = World::new();
    let seed = world.seed();
    let ran = world.run(&["watch", &seed, "--requests-per-day", "0"]);
    ran.expect(2, &["--requests-per-day"]);
    let ran = world.run(&["watch", &seed, "--policy", "prized"]);
    ran.expect(2, &["priced"]);
}
