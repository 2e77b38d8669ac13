//! The laws of configuration: precedence, origins, and mistakes shown in their place.

use super::*;

fn loaded(text: &str, overrides: Vec<Override>) -> Result<Loaded, ConfigError> {
    let source = Source::parse(Path::new("gannet.toml"), text.to_owned())?;
    Loaded::new(Some(source), overrides)
}

fn shown(error: &ConfigError) -> String {
    anstream::adapter::strip_str(&error.to_string()).to_string()
}

#[track_caller]
fn check_mistake(text: &str, expected: &[&str]) {
    let topic = || gannet_relevance::Topic::from_words("birds").unwrap();
    let error = match loaded(text, Vec::new()) {
        Err(error) => error,
        Ok(loaded) => match build(&loaded, topic().into(), Vec::new()) {
            Err(error) => error,
            Ok(config) => match check(&loaded, &config) {
                Err(error) => error,
                Ok(_) => panic!("no mistake was found in {text:?}"),
            },
        },
    };
    let shown = shown(&error);
    for part in expected {
        assert!(shown.contains(part), "{part:?} is missing in:\n{shown}");
    }
}

#[test]
fn a_misspelt_section_is_shown_with_the_right_one() {
    let place = "gannet.toml:2:2";
    let help = "did you mean `politeness`?";
    check_mistake(
        "version = 1\n[politness]\ndelay = '1s'\n",
        &["`politness`", place, help, "^^^^^^^^^"],
    );
}

#[test]
fn all_unknown_keys_are_shown_at_once() {
    let text = "[crawl]\nmax_pagse = 3\ndelay = '1s'\n[scope]\nstya = 'anywhere'\n[[host]]\nmatch = '*'\ndely = '1s'";
    check_mistake(
        text,
        &[
            "`crawl.max_pagse`",
            "did you mean `max_pages`?",
            "`delay` belongs in `[politeness]`",
            "`scope.stya`",
            "gannet.toml:5:1",
            "`host[0].dely`",
        ],
    );
}

#[test]
fn wrong_types_name_the_key_the_place_and_what_would_be_right() {
    check_mistake("[politeness]\ndelay = 10\n", &["`politeness.delay`", ":2:9", "such as \"10s\""]);
    check_mistake("[politeness]\ndelay = 'soon'\n", &["`politeness.delay`", "\"soon\"", "250ms"]);
    check_mistake("[crawl]\nmax_pages = -1\n", &["`crawl.max_pages`", ":2:13"]);
    check_mistake("[scope]\nstay = 'home'\n", &["`scope.stay`", "seed-hosts"]);
    check_mistake("[fetch]\nallow_addresses = ['home']\n", &["fetch.allow_addresses", ":2:"]);
    check_mistake("version = 2", &["version 1, not 2", ":1:11"]);
}

#[test]
fn what_is_not_toml_is_shown_in_its_place() {
    check_mistake("[crawl\nmax_pages = 1", &["not TOML", "gannet.toml:1:"]);
}

#[test]
fn names_of_strategies_are_checked_wherever_they_stand() {
    check_mistake(
        "[crawl]\norder = 'bestfirst'",
        &["`crawl.order`", "did you mean `best-first`?", ":2:9"],
    );
    check_mistake("[order.worst-first]\n", &["`order.worst-first`", "no ordering is called"]);
    check_mistake(
        "[relevance.topic-vector]\ndensty = 1.0",
        &["`relevance.topic-vector.densty`", ":2:"],
    );
}

#[test]
fn what_only_the_stations_know_is_shown_too() {
    check_mistake(
        "[traps]\nsuspicious_share = 7.0",
        &["traps.suspicious_share", "gannet.toml:2:1"],
    );
    check_mistake(
        "[[scope.rule]]\naction = 'reject'\nwhen = { patern = 'x' }",
        &["scope.rule 1", "patern"],
    );
    check_mistake("[archive]\nlevel = 12", &["`archive.level`", "1 (fast) to 9"]);
    check_mistake("[[host]]\nmatch = 'a b'", &["`host[0].match`", ":2:9"]);
    check_mistake("[fetch.connect]\n'*.test' = 'nowhere'", &["nowhere", "127.0.0.1:8080"]);
}

fn over(key: &'static str, value: impl Into<toml::Value>, origin: Origin) -> Override {
    Override { key, value: value.into(), origin }
}

#[test]
fn flags_win_over_the_environment_over_the_file_over_the_default() {
    let text = "[crawl]\nmax_pages = 1\nin_flight = 2\n[politeness]\ndelay = '3s'\n";
    let overrides = vec![
        over("crawl.max_pages", 10, Origin::Flag("--max-pages".into())),
        over("crawl.in_flight", 20, Origin::Environment("GANNET_IN_FLIGHT".into())),
    ];
    let loaded = loaded(text, overrides).unwrap();
    assert_eq!(loaded.file.crawl.max_pages, Some(10));
    assert_eq!(loaded.file.crawl.in_flight, 20);
    let values = effective_values(&loaded);
    let origin = |key: &str| values.iter().find(|value| value.key == key).unwrap().origin.clone();
    assert_eq!(origin("crawl.max_pages"), "flag --max-pages");
    assert_eq!(origin("crawl.in_flight"), "environment GANNET_IN_FLIGHT");
    assert_eq!(origin("politeness.delay"), "gannet.toml:5");
    assert_eq!(origin("crawl.idle"), "default");
}

#[test]
fn a_row_of_the_retry_table_can_be_changed_in_part() {
    let loaded = loaded("[politeness.retry.tls]\nattempts = 9", Vec::new()).unwrap();
    let row = loaded.file.politeness.retry.tls;
    assert_eq!(row.attempts, 9);
    assert_eq!(row.first_wait, File::default().politeness.retry.tls.first_wait);
}

#[test]
fn the_template_is_a_config_file_that_changes_nothing() {
    let text = template();
    let loaded =
        loaded(&text, Vec::new()).unwrap_or_else(|error| panic!("{}\n{text}", shown(&error)));
    assert_eq!(loaded.file, File::default());
}

#[test]
fn the_template_without_its_comment_signs_is_one_too() {
    let is_setting = |line: &str| {
        let rest = line.strip_prefix("# ").unwrap_or_default();
        let name: String =
            rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        !name.is_empty() && rest[name.len()..].starts_with(" = ")
    };
    let is_header = |line: &str| line.starts_with("# [") && line.ends_with(']');
    let lines = template_lines().into_iter();
    let bare =
        lines.map(|line| if is_setting(line) || is_header(line) { &line[2..] } else { line });
    let text = bare.collect::<Vec<_>>().join("\n");
    loaded(&text, Vec::new()).unwrap_or_else(|error| panic!("{}", shown(&error)));
}

fn template_lines() -> Vec<&'static str> {
    template().leak().lines().collect()
}
