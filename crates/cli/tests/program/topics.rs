//! Topics: made from words and pages, taught, given synonyms, tested.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::service::{Fixed, Service};
use crate::world::{Ran, World, run_in};

const LOCAL: [&str; 4] = ["--allow-address", "127.0.0.0/8", "--delay", "0s"];

fn read(directory: &TempDir, name: &str) -> String {
    std::fs::read_to_string(directory.path().join(name)).unwrap()
}

fn write(directory: &TempDir, name: &str, text: &str) {
    let path = directory.path().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

#[track_caller]
fn json(ran: &Ran) -> Value {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {}", ran.stdout))
}

/// Pages about gannets and pages about hens, in two directories.
fn with_pages() -> TempDir {
    let directory = World::empty();
    let deeds = ["dives into the sea", "breeds on the cliff", "hunts herring", "rests on the rock"];
    for (number, deed) in deeds.iter().enumerate() {
        let gannet = format!(
            "<title>Gannets {number}</title><h1>The northern gannet</h1><p>The northern gannet {deed}. \
             Every gannet of the colony {deed} in spring, and plunge diving is its art.</p>"
        );
        write(&directory, &format!("yes/{number}.html"), &gannet);
        let hen = format!(
            "<title>Hens {number}</title><p>The hen on the farm lays eggs on day {number}; the \
             farmer sells eggs and feeds every hen with corn, week {number}.</p>"
        );
        write(&directory, &format!("no/{number}.html"), &hen);
    }
    directory
}

#[test]
fn a_topic_of_words_is_written_and_not_written_over() {
    let directory = World::empty();
    let new = [
        "topic",
        "new",
        "birds",
        "--words",
        "gannet, plunge diving",
        "--neighbour",
        "poultry: hen",
    ];
    run_in(directory.path(), &new).expect(0, &["Wrote birds.topic.toml", "2 keywords"]);
    let text = read(&directory, "birds.topic.toml");
    assert!(text.contains("words = [\"gannet\", \"plunge diving\"]"), "{text}");
    assert!(text.contains("name = \"poultry\""), "{text}");
    run_in(directory.path(), &new).expect(2, &["is there already", "--force"]);
    run_in(directory.path(), &[&new[..], &["--force"]].concat()).expect(0, &[]);
    let check = ["config", "check", "--topic-file", "birds.topic.toml"];
    run_in(directory.path(), &check).expect(0, &[]);
}

#[test]
fn an_empty_or_senseless_topic_is_refused_and_nothing_is_left_behind() {
    let directory = with_pages();
    #[track_caller]
    fn check(directory: &TempDir, arguments: &[&str], words: &[&str]) {
        let arguments = [&["topic", "new", "x"], arguments].concat();
        run_in(directory.path(), &arguments).expect(2, words);
        assert!(!directory.path().join("x.topic.toml").exists());
        assert!(!directory.path().join("x.topic").exists());
    }
    write(&directory, "empty.html", "");
    check(&directory, &[], &["empty topic", "--words", "--examples"]);
    check(&directory, &["--words", "..."], &["no letter or digit"]);
    check(&directory, &["--examples", "gone.html"], &["gone.html", "no such file"]);
    check(&directory, &["--examples", "empty.html"], &["no text that could be read"]);
    check(&directory, &["--examples", "yes", "--not-examples", "yes/0.html"], &["the same page"]);
    check(&directory, &["--words", "a", "--subtopic", ":"], &["--subtopic"]);
    run_in(directory.path(), &["topic", "new", "", "--words", "a"]).expect(2, &["name of a topic"]);
}

#[test]
fn pages_are_kept_beside_the_topic_and_their_keywords_learned() {
    let directory = with_pages();
    let new = ["topic", "new", "birds", "--examples", "yes", "--not-examples", "no"];
    run_in(directory.path(), &new).expect(0, &["learned from the examples", "4 example pages"]);
    assert!(directory.path().join("birds.topic/yes/0.html").is_file());
    assert!(directory.path().join("birds.topic/no/3.html").is_file());
    let text = read(&directory, "birds.topic.toml");
    let learned = text.split("[learned.keywords]").nth(1).unwrap();
    assert!(learned.contains("gannet") && learned.contains("of 4 examples"), "{learned}");
    assert!(!learned.contains("egg"), "{learned}");
}

#[test]
fn pages_of_the_web_are_fetched_once_with_robots_obeyed_and_private_networks_shunned() {
    let page = Fixed::html("<title>Gannets</title><p>The gannet dives, and the gannet rests.</p>");
    let service = Service::start(vec![
        ("/robots.txt", Fixed::text(200, "User-agent: *\nDisallow: /private/\n")),
        ("/gannets", page.clone()),
        ("/private/gannets", page),
    ]);
    let directory = World::empty();
    let (url, private) = (service.url("/gannets"), service.url("/private/gannets"));
    let new = |url: &str, further: &[&str]| {
        let arguments = ["topic", "new", "birds", "--words", "gannet", "--examples", url];
        run_in(directory.path(), &[&arguments, further].concat())
    };
    new(&url, &[]).expect(1, &["private, local or reserved"]);
    assert!(service.asked().is_empty());
    new(&private, &LOCAL).expect(1, &["robots.txt", "Disallow: /private/"]);
    new(&service.url("/gone"), &LOCAL).expect(1, &["answered 404"]);
    new(&url, &LOCAL).expect(0, &["1 example pages"]);
    let asked = service.asked();
    assert_eq!(asked.iter().filter(|path| *path == "/gannets").count(), 1, "{asked:?}");
    assert!(!asked.contains(&"/private/gannets".to_owned()), "{asked:?}");
    let kept = std::fs::read_dir(directory.path().join("birds.topic/yes")).unwrap();
    let kept = std::fs::read_to_string(kept.flatten().next().unwrap().path()).unwrap();
    assert!(kept.contains(&format!("kept by gannet from {url} as text/html")), "{kept}");
}

#[test]
fn redirects_are_followed_with_the_rules_of_each_host_and_crawl_delays_heeded() {
    let page = Fixed::html("<p>The gannet dives, and the gannet rests.</p>");
    let closed = Service::start(vec![
        ("/robots.txt", Fixed::text(200, "User-agent: gannet\nDisallow: /\n")),
        ("/gannets", page.clone()),
    ]);
    let slow = Service::start(vec![
        ("/robots.txt", Fixed::text(200, "User-agent: *\nCrawl-delay: 600\n")),
        ("/gannets", page.clone()),
    ]);
    let open = Service::start(vec![
        ("/gannets", page),
        ("/moved", Fixed::redirect("/gannets")),
        ("/closed", Fixed::redirect(&closed.url("/gannets"))),
        ("/round", Fixed::redirect("/round")),
        ("/later", Fixed::text(429, "later")),
    ]);
    let directory = World::empty();
    let new = |url: &str| {
        let arguments = ["topic", "new", "birds", "--words", "gannet", "--examples", url];
        run_in(directory.path(), &[&arguments[..], &LOCAL].concat())
    };
    new(&open.url("/closed")).expect(1, &["robots.txt", "Disallow: /"]);
    assert_eq!(closed.asked(), ["/robots.txt"]);
    new(&slow.url("/gannets")).expect(1, &["crawl delay", "try again then"]);
    assert_eq!(slow.asked(), ["/robots.txt"]);
    new(&open.url("/round")).expect(1, &["more than 10 redirects"]);
    new(&open.url("/later")).expect(1, &["answered 429"]);
    new(&open.url("/moved")).expect(0, &["1 example pages"]);
}

#[test]
fn learning_tells_what_it_learned_and_leaves_what_the_user_wrote() {
    let directory = with_pages();
    let written =
        "# Mine.\nwords = [\"gannet\"]  # the bird\n[examples]\nyes = [\"yes\"]\nno = [\"no\"]\n";
    write(&directory, "birds.topic.toml", written);
    let dry = json(&run_in(
        directory.path(),
        &["topic", "learn", "birds", "--dry-run", "--format", "json"],
    ));
    assert_eq!(read(&directory, "birds.topic.toml"), written);
    assert_eq!(dry["written"], false);
    let ran = run_in(directory.path(), &["topic", "learn", "birds"]);
    ran.expect(0, &["Wrote", "[learned.keywords]", "these figures are rough"]);
    for part in ["KEYWORD", "PRECISION", "[default]", "of 4"] {
        assert!(ran.stdout.contains(part), "{part:?} is missing in:\n{}", ran.stdout);
    }
    let text = read(&directory, "birds.topic.toml");
    assert!(text.starts_with(written), "{text}");
    run_in(directory.path(), &["topic", "learn", "birds"]).expect(0, &[]);
    assert_eq!(read(&directory, "birds.topic.toml"), text, "learning again changes nothing");
    let models = dry["models"].as_array().unwrap();
    let default = models.iter().find(|model| model["default"] == true).unwrap();
    assert!(default["f1"].as_f64().unwrap() > 0.9, "{default}");
    assert_eq!(dry["examples"]["relevant"], 4);
    assert_eq!(dry["keywords"][0]["examples"], 4);
}

#[test]
fn where_nothing_can_be_learned_or_measured_the_program_says_so() {
    let directory = with_pages();
    write(&directory, "words.topic.toml", "words = [\"gannet\"]\n");
    run_in(directory.path(), &["topic", "learn", "words"]).expect(3, &["no page to learn from"]);
    write(&directory, "one.topic.toml", "words = [\"gannet\"]\n[examples]\nyes = [\"yes\"]\n");
    run_in(directory.path(), &["topic", "learn", "one"]).expect(0, &["unknown", "2 of each"]);
    run_in(directory.path(), &["topic", "learn", "gone"])
        .expect(3, &["gone.topic.toml", "gannet topic new"]);
    run_in(directory.path(), &["topic", "learn"]).expect(3, &["no topic is named"]);
    write(&directory, "bad.topic.toml", "words = [\"a\"]\n[[pattern]]\nregex = \"x(\"\n");
    let bad = run_in(directory.path(), &["topic", "test", "bad", "yes/0.html"]);
    bad.expect(3, &["`pattern[0].regex`", "bad.topic.toml:3:9"]);
}

/// A WordNet of one synset of each kind, as wndb(5WN) describes it.
fn small_wordnet(directory: &Path) {
    std::fs::create_dir_all(directory).unwrap();
    let parts = [
        ("noun", 'n', "02 gannet 0 solan_goose 0", "gannet"),
        ("verb", 'v', "01 dive 0", "dive"),
        ("adj", 'a', "01 marine 0", "marine"),
        ("adv", 'r', "01 steeply 0", "steeply"),
    ];
    for (part, kind, words, word) in parts {
        let synset = format!("00000000 05 {kind} {words} 000 | a large sea bird that dives  \n");
        std::fs::write(directory.join(format!("data.{part}")), synset).unwrap();
        let index = format!("{word} {kind} 1 0 1 0 00000000  \n");
        std::fs::write(directory.join(format!("index.{part}")), index).unwrap();
    }
}

#[test]
fn synonyms_are_shown_and_written_only_when_accepted() {
    let directory = World::empty();
    small_wordnet(&directory.path().join("wordnet"));
    write(&directory, "birds.topic.toml", "# Mine.\nwords = [\"gannet\"]\n");
    let synonyms = ["topic", "synonyms", "birds", "--wordnet", "wordnet"];
    let shown = run_in(directory.path(), &synonyms);
    shown.expect(0, &["is as it was", "--yes"]);
    assert!(
        shown.stdout.contains("solan goose") && shown.stdout.contains("large sea bird"),
        "{}",
        shown.stdout
    );
    assert_eq!(read(&directory, "birds.topic.toml"), "# Mine.\nwords = [\"gannet\"]\n");
    let accepted =
        json(&run_in(directory.path(), &[&synonyms[..], &["--yes", "--format", "json"]].concat()));
    assert_eq!(accepted[0]["accepted"], true);
    let text = read(&directory, "birds.topic.toml");
    assert!(text.contains("gannet = [\"solan goose\"]") && text.starts_with("# Mine."), "{text}");
    run_in(directory.path(), &synonyms).expect(0, &["no other words"]);
    let wrong = ["topic", "synonyms", "birds", "--wordnet", "nowhere"];
    run_in(directory.path(), &wrong).expect(2, &["nowhere holds no data.noun"]);
}

#[test]
fn a_page_is_judged_by_every_model_with_the_evidence_marked() {
    let directory = with_pages();
    write(
        &directory,
        "birds.topic.toml",
        "words = [\"gannet\", \"plunge diving\"]\n[examples]\nyes = [\"yes\"]\nno = [\"no\"]\n",
    );
    write(
        &directory,
        "page.html",
        "<title>A day at sea</title><p>We left the harbour early.</p><h2>Birds</h2><p>A gannet passed, \
         plunge diving.</p><h2>Lunch</h2><p>Bread and cheese.</p>",
    );
    let test = ["topic", "test", "birds", "page.html", "--models"];
    let report =
        json(&run_in(directory.path(), &[&test[..], &["all", "--format", "json"]].concat()));
    let models = report[0]["models"].as_array().unwrap();
    assert!(models.len() > 1, "{report}");
    for model in models {
        assert_eq!(model["blocks"].as_array().unwrap().len(), 3, "{model}");
        assert!(model["score"].is_number() && model["threshold"].is_number());
    }
    let text = run_in(directory.path(), &[&test[..], &["bm25"]].concat()).stdout;
    for part in
        ["A day at sea", "score", "threshold", "Birds", "Lunch", "**gannet**", "**plunge diving**"]
    {
        assert!(text.contains(part), "{part:?} is missing in:\n{text}");
    }
    run_in(directory.path(), &[&test[..], &["oracle"]].concat())
        .expect(2, &["oracle", "topic-vector"]);
    run_in(directory.path(), &["topic", "test", "birds"]).expect(2, &["name a page"]);
    run_in(directory.path(), &["topic", "test", "birds", "gone.html"])
        .expect(2, &["no such file, and not a URL"]);
    let words = ["topic", "test", "page.html", "--topic", "gannet", "--format", "json"];
    assert_eq!(json(&run_in(directory.path(), &words))[0]["source"], "file");
}

#[test]
fn a_page_of_the_crawl_is_tested_from_its_archive() {
    let world = World::new();
    world.crawl(&["--max-pages", "5"]);
    let pages = world.json(&["pages", "--format", "json"]);
    let url = pages[0]["url"].as_str().unwrap();
    let tested =
        world.json(&["topic", "test", url, "--models", "topic-vector", "--format", "json"]);
    assert_eq!(tested[0]["source"], "archive");
    assert_eq!(tested[0]["title"], pages[0]["title"]);
    let fresh = world.json(&["topic", "test", url, "--fresh", "--format", "json"]);
    assert_eq!(fresh[0]["source"], "web");
}

#[test]
fn a_crawl_learns_from_the_examples_and_goes_on_with_them() {
    let world = World::new();
    std::fs::create_dir_all(world.path("pages")).unwrap();
    let seed = world.seed();
    let yes = "<p>The gannet dives; the gannet rests. Seabirds everywhere, gannet by gannet.</p>";
    std::fs::write(world.path("pages/yes.html"), yes).unwrap();
    std::fs::write(world.path("pages/no.html"), "<p>Hens lay eggs on the farm, and geese too.</p>")
        .unwrap();
    let topic = "words = [\"seabirds\"]\naim = { recall = 0.9 }\n[synonyms]\nseabirds = [\"gannets\"]\n\
                 [examples]\nyes = [\"pages/yes.html\"]\nno = [\"pages/no.html\"]\n";
    std::fs::write(world.path("birds.topic.toml"), topic).unwrap();
    let config = std::fs::read_to_string(world.path("gannet.toml")).unwrap();
    let without_topic: String = config
        .lines()
        .filter(|line| !line.starts_with("words"))
        .map(|line| format!("{line}\n"))
        .collect();
    std::fs::write(world.path("gannet.toml"), without_topic).unwrap();
    let first = ["crawl", &seed, "--topic-file", "birds.topic.toml", "--max-pages", "3"];
    world.run(&first).expect(0, &["with 2 example pages", "learned from 2 examples"]);
    std::fs::remove_file(world.path("birds.topic.toml")).unwrap();
    std::fs::remove_dir_all(world.path("pages")).unwrap();
    let again = world.run(&["crawl", "--max-pages", "5"]);
    again.expect(0, &["about seabirds", "with 2 example pages"]);
    for part in ["this data directory was about", "learned from 2 examples"] {
        assert!(!again.stderr.contains(part), "nothing is new: {}", again.stderr);
    }
    let versions = world.json(&["topic", "versions", "--format", "json"]);
    let versions = versions.as_array().unwrap();
    assert!(!versions.is_empty());
    assert!(
        versions.iter().any(|row| row["because"].as_str().unwrap().contains("2 examples")),
        "{versions:?}"
    );
}
