//! Configuration: the file, its mistakes, its schema; and what the program tells of itself.

use serde_json::Value;

use crate::world::{Ran, World, run_in};

fn check(text: impl AsRef<[u8]>) -> Ran {
    let directory = World::empty();
    std::fs::write(directory.path().join("gannet.toml"), text).unwrap();
    run_in(directory.path(), &["config", "check"])
}

#[test]
fn a_new_config_file_is_right_and_is_not_written_over() {
    let directory = World::empty();
    run_in(directory.path(), &["init", "new"]).expect(0, &["Wrote"]);
    run_in(directory.path(), &["init", "new"]).expect(2, &["--force"]);
    run_in(directory.path(), &["init", "new", "--force"]).expect(0, &[]);
    run_in(directory.path(), &["config", "check", "new/gannet.toml"]).expect(0, &["is right"]);
    let text = std::fs::read_to_string(directory.path().join("new/gannet.toml")).unwrap();
    for part in ["#:schema", "# delay = \"10s\"", "[[scope.rule]]", "[[host]]", "version = 1"] {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
}

#[test]
fn mistakes_are_shown_all_at_once_with_place_and_suggestion() {
    let ran = check("version = 1\n\n[politness]\ndelay = \"1s\"\n[crawl]\nmax_pagse = 5\n");
    ran.expect(
        3,
        &[
            "unknown key `politness`",
            "gannet.toml:3:2",
            "did you mean `politeness`?",
            "unknown key `crawl.max_pagse`",
            "gannet.toml:6:1",
            "did you mean `max_pages`?",
        ],
    );
    assert_eq!(ran.stdout, "");
}

#[test]
fn garbage_is_refused_with_clear_words() {
    check(b"\x00\xff\xfe garbage").expect(3, &["not UTF-8"]);
    check("= what\n").expect(3, &["not TOML", "gannet.toml:1:"]);
    check("crawl = 7").expect(3, &["crawl", "gannet.toml:1:"]);
    check("x".repeat(5 << 20)).expect(3, &["too large"]);
    check("[politeness]\ndelay = \"soon\"").expect(3, &["`politeness.delay`", "250ms"]);
    let directory = World::empty();
    let missing = run_in(directory.path(), &["--config", "missing.toml", "config", "check"]);
    missing.expect(3, &["cannot read missing.toml", "gannet init"]);
    run_in(directory.path(), &["crawl", "--max-time", "soon"]).expect(2, &["--max-time"]);
}

#[test]
fn every_value_is_shown_with_its_origin() {
    let directory = World::empty();
    let config = "[topic]\nwords = [\"birds\"]\n[politeness]\ndelay = \"3s\"\n";
    std::fs::write(directory.path().join("gannet.toml"), config).unwrap();
    let arguments = ["config", "check", "--max-pages", "9", "--format", "json"];
    let checked: Value =
        serde_json::from_str(&run_in(directory.path(), &arguments).stdout).unwrap();
    let value = |key: &str| {
        let values = checked["values"].as_array().unwrap();
        values.iter().find(|value| value["key"] == key).unwrap().clone()
    };
    assert_eq!(value("politeness.delay")["origin"], "gannet.toml:4");
    assert_eq!(value("politeness.delay")["value"], "3s");
    assert_eq!(value("crawl.max_pages")["origin"], "flag --max-pages");
    assert_eq!(value("crawl.idle")["origin"], "default");
    let table = run_in(directory.path(), &["config", "check"]).stdout;
    assert!(table.contains("gannet.toml:4"), "{table}");
}

#[test]
fn the_environment_stands_between_flags_and_file() {
    let world = World::new();
    let mut command = world.command(&["config", "check", "--format", "json", "--delay", "7s"]);
    command.env("GANNET_MAX_PAGES", "11").env("GANNET_DELAY", "5s");
    let ran = Ran::from(command.output().unwrap());
    ran.expect(0, &[]);
    assert!(ran.stdout.contains("environment GANNET_MAX_PAGES"), "{}", ran.stdout);
    assert!(ran.stdout.contains("flag --delay"), "{}", ran.stdout);
}

#[test]
fn the_schema_knows_every_section() {
    let directory = World::empty();
    let ran = run_in(directory.path(), &["config", "schema"]);
    let schema: Value = serde_json::from_str(&ran.stdout).unwrap();
    for section in ["topic", "crawl", "scope", "politeness", "host", "fetch", "content", "archive"]
    {
        assert!(schema["properties"][section].is_object(), "{section}");
    }
    let ran = run_in(directory.path(), &["config", "schema", "--topic"]);
    let schema: Value = serde_json::from_str(&ran.stdout).unwrap();
    for key in ["words", "aim", "synonyms", "pattern", "examples", "subtopic", "learned"] {
        assert!(schema["properties"][key].is_object(), "{key}");
    }
}

#[test]
fn a_topic_on_the_command_line_stands_in_for_that_of_the_config_file() {
    let directory = World::empty();
    let write = |name: &str, text: &str| std::fs::write(directory.path().join(name), text).unwrap();
    write("gannet.toml", "[topic]\nwords = [\"birds\"]\n[[topic.pattern]]\nregex = \"x(\"\n");
    write("bad.topic.toml", "words = [\"a\"]\naim = \"luck\"\n");
    let check =
        |further: &[&str]| run_in(directory.path(), &[&["config", "check"], further].concat());
    check(&[]).expect(3, &["`topic.pattern[0].regex`", "gannet.toml:4:9"]);
    check(&["--topic", "gannets"]).expect(0, &[]);
    check(&["--topic-file", "bad.topic.toml"]).expect(3, &["aim", "balance", "bad.topic.toml:2:"]);
    check(&["--topic-file", "gone.topic.toml"]).expect(3, &["gone.topic.toml", "gannet topic new"]);
    check(&["--topic", "a", "--topic-file", "b"]).expect(3, &["each name a topic"]);
    write("gannet.toml", "[topic]\nwords = [\"birds\"]\nfile = \"good.topic.toml\"\n");
    check(&[]).expect(3, &["`topic.file`", "other keys"]);
    write("gannet.toml", "[topic]\nfile = \"good.topic.toml\"\n");
    write("good.topic.toml", "words = [\"birds\"]\n");
    check(&[]).expect(0, &["is right"]);
    check(&["--topic", "gannets"]).expect(0, &[]);
}

#[test]
fn what_there_is_to_choose_from_is_listed() {
    let directory = World::empty();
    let ran = run_in(directory.path(), &["list", "--format", "json"]);
    let listed: Vec<Value> = serde_json::from_str(&ran.stdout).unwrap();
    let has = |kind: &str, name: &str, default: bool| {
        let is_it = |entry: &Value| {
            entry["kind"] == kind && entry["name"] == name && entry["default"] == default
        };
        assert!(listed.iter().any(is_it), "{kind} {name}");
    };
    has("orders", "evidence", true);
    has("models", gannet_relevance::DEFAULT_MODEL, true);
    has("models", "topic-vector", gannet_relevance::DEFAULT_MODEL == "topic-vector");
    has("rules", "pattern", false);
    has("exporters", "jsonl", false);
    let orders = run_in(directory.path(), &["list", "orders"]).stdout;
    assert!(orders.contains("[default]") && !orders.contains("jsonl"), "{orders}");
}

#[test]
fn completions_and_manual_pages_are_made_by_the_program_itself() {
    let directory = World::empty();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = run_in(directory.path(), &["completions", shell]);
        assert!(ran.code == 0 && ran.stdout.contains("explain"), "{shell}");
    }
    assert!(run_in(directory.path(), &["man"]).stdout.contains(".TH gannet"));
    run_in(directory.path(), &["man", "--output", "man"]).expect(0, &[]);
    assert!(directory.path().join("man/gannet-crawl.1").is_file());
}

#[test]
fn help_has_examples_and_exit_codes_and_wrong_usage_has_its_code() {
    let directory = World::empty();
    let help = run_in(directory.path(), &["crawl", "--help"]).stdout;
    assert!(help.contains("Exit codes:") && help.contains("Examples:"), "{help}");
    assert!(run_in(directory.path(), &["crawl", "-h"]).stdout.contains("Examples:"));
    run_in(directory.path(), &["crwal"]).expect(2, &["crawl"]);
    run_in(directory.path(), &["crawl", "--order", "bestfirst"]).expect(2, &["best-first"]);
}
