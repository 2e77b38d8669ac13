//! The laws of topics as written: what they become, and mistakes shown in their place.

use std::fs;

use gannet_content::Limits;
use gannet_engine::Taught;
use gannet_relevance::{Kinship, Topic, Wanted};

use super::*;

/// A topic file with a page beside it, in a directory of its own.
fn described(text: &str) -> Result<(tempfile::TempDir, Described<'static>), ConfigError> {
    let directory = tempfile::tempdir().unwrap();
    let pages = directory.path().join("pages");
    fs::create_dir_all(pages.join("deep")).unwrap();
    fs::write(pages.join("a.html"), "<title>Gannets</title><p>The gannet dives.").unwrap();
    fs::write(pages.join("deep/b.txt"), "A gannet, and another gannet.").unwrap();
    fs::write(pages.join(".hidden"), "not me").unwrap();
    fs::write(pages.join("empty.html"), "").unwrap();
    fs::write(directory.path().join("poultry.txt"), "Hens lay eggs.").unwrap();
    let path = directory.path().join("birds.topic.toml");
    fs::write(&path, text).unwrap();
    Ok((directory, Described::read(&path)?))
}

fn built(text: &str) -> Result<Topic, ConfigError> {
    let (_directory, described) = described(text)?;
    described.topic(&described.read_examples(&Limits::default())?.0)
}

#[track_caller]
fn check_mistake(text: &str, expected: &[&str]) {
    let error = built(text).expect_err("there is a mistake");
    let shown = anstream::adapter::strip_str(&error.to_string()).to_string();
    for part in expected {
        assert!(shown.contains(part), "{part:?} is missing in:\n{shown}");
    }
}

#[test]
fn everything_that_can_be_written_reaches_the_topic() {
    let topic = built(
        "version = 1\nwords = { gannet = 2, 'plunge diving' = 1 }\naim = { precision = 0.9 }\n\
         [synonyms]\ngannet = ['Solan  goose']\n\
         [[pattern]]\nregex = 'gannetr(y|ies)'\nweight = 2\n\
         [[word_order]]\nfirst = 'gannet'\nthen = 'dive'\n\
         [[subtopic]]\nname = 'colonies'\nwords = 'colony, cliff'\n\
         [[neighbour]]\nname = 'poultry'\nexamples = ['pages/a.html']\n\
         [learned.keywords]\ngannet = 0.1\nskua = 1\n",
    );
    let topic = topic.unwrap();
    let words: Vec<_> =
        topic.keywords().iter().map(|word| (word.text.as_str(), word.weight)).collect();
    assert_eq!(words, [("gannet", 0.5), ("plunge diving", 0.25), ("skua", 0.25)]);
    assert_eq!(topic.keywords()[0].synonyms, ["solan goose"]);
    assert_eq!(topic.patterns()[0].weight, 2.0);
    assert_eq!(topic.word_orders()[0].within, 5);
    assert_eq!(topic.wanted(), Wanted::Precision(0.9));
    let relatives: Vec<_> =
        topic.relatives().iter().map(|r| (r.name.as_str(), r.kinship)).collect();
    assert_eq!(relatives, [("colonies", Kinship::Subtopic), ("poultry", Kinship::Neighbour)]);
    assert_eq!(topic.relatives()[0].keywords, ["colony", "cliff"]);
}

#[test]
fn examples_are_found_below_directories_and_empty_ones_left_out() {
    let (_directory, described) =
        described("words = ['gannet']\n[examples]\nyes = ['pages']\nno = ['poultry.txt']").unwrap();
    let (pages, remarks) = described.read_examples(&Limits::default()).unwrap();
    assert!(remarks[0].contains("empty.html is left out"), "{remarks:?}");
    let names: Vec<_> = pages
        .iter()
        .map(|page| (page.path.file_name().unwrap().to_str().unwrap(), page.teaches.clone()))
        .collect();
    assert_eq!(
        names,
        [
            ("a.html", Taught::Relevant),
            ("b.txt", Taught::Relevant),
            ("poultry.txt", Taught::Irrelevant)
        ]
    );
    assert_eq!(pages[0].document.title, "Gannets");
}

#[test]
fn mistakes_name_file_line_key_and_what_would_be_right() {
    check_mistake("words = []\n", &["the topic has no words", "birds.topic.toml:1:9"]);
    check_mistake("wrods = ['a']", &["unknown key `wrods`", "did you mean `words`?", ":1:1"]);
    check_mistake("words = ['a', '--']", &["`words[1]`", "no letter or digit", ":1:15"]);
    check_mistake("words = { a = -1 }", &["`words.a`", "positive numbers", "such as 2 or 0.5"]);
    check_mistake("words = ['a']\naim = { precison = 0.9 }", &["aim", "precision", ":2:"]);
    check_mistake(
        "words = ['a']\naim = { recall = 90 }",
        &["`aim`", "90", "precision = 0.9", ":2:7"],
    );
    check_mistake(
        "words = ['a']\n[synonyms]\nb = ['c']",
        &["`synonyms.b`", "no keyword", "add it to `words`", ":3:"],
    );
    check_mistake("words = ['a']\n[synonyms]\na = ['!']", &["`synonyms.a`", "no letter", ":3:"]);
    check_mistake("[[pattern]]\nregex = 'x('", &["`pattern[0].regex`", "cannot be used", ":2:9"]);
    check_mistake("[[pattern]]\nregex = '(a{1,999}){999}'", &["bytes once compiled"]);
    check_mistake("[[pattern]]\nregex = 'x*'", &["empty text"]);
    check_mistake(
        "words=['a']\n[[subtopic]]\nname = 'x'",
        &["neither words nor examples", "subtopic[0]"],
    );
    let twice = "words=['a']\n[[subtopic]]\nname = 'x'\nwords = 'b'\n[[neighbour]]\nname = 'x'\nwords = 'c'";
    check_mistake(twice, &["`neighbour[0].name`", ":6:8"]);
    check_mistake(
        "words = ['a']\n[examples]\nyes = ['gone']",
        &["`examples.yes[0]`", "cannot read gone", ":3:8"],
    );
    let both = "words = ['a']\n[examples]\nyes = ['pages']\nno = ['pages/deep/b.txt']";
    check_mistake(both, &["b.txt", "are the same page", "leave one of them out"]);
    check_mistake("version = 2\nwords = 'a'", &["topic files of version 1, not 2"]);
    check_mistake("file = 'other.topic.toml'", &["cannot name another"]);
}

#[test]
fn a_topic_is_found_by_name_or_by_path() {
    assert_eq!(path_of("seabirds"), PathBuf::from("seabirds.topic.toml"));
    assert_eq!(path_of("topics/seabirds"), PathBuf::from("topics/seabirds.topic.toml"));
    assert_eq!(path_of("seabirds.topic.toml"), PathBuf::from("seabirds.topic.toml"));
    assert_eq!(name_of(Path::new("topics/seabirds.topic.toml")), "seabirds");
    assert_eq!(name_of(Path::new("birds.toml")), "birds");
}

#[test]
fn a_new_topic_file_says_what_was_given() {
    let relative =
        |name: &str| BeginningRelative { name: name.to_owned(), words: vec!["x \"y\"".to_owned()] };
    let beginning = Beginning {
        name: "birds".to_owned(),
        words: vec!["gannet".to_owned(), "plunge diving".to_owned()],
        yes: vec!["pages".into()],
        no: Vec::new(),
        subtopics: vec![relative("colonies"), relative("\\odd\n")],
        neighbours: Vec::new(),
    };
    let (_directory, described) = described(&template(&beginning)).unwrap();
    let written = &described.written;
    assert_eq!(written.words.phrases().unwrap().len(), 2);
    assert_eq!(written.examples.yes, [PathBuf::from("pages")]);
    assert_eq!(written.subtopic[1].name, "\\odd\n");
    assert!(described.topic(&[]).is_ok());
}

/// What stands in comments would be right without the comment sign.
#[test]
fn the_comments_of_a_new_topic_file_are_right_too() {
    let text = template(&Beginning { words: vec!["gannet".to_owned()], ..Beginning::default() });
    let bare: Vec<&str> = text
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest)
                if rest.starts_with("[[")
                    || rest.contains(" = ") && !rest.contains(". ") && !rest.contains(':') =>
            {
                rest
            }
            _ => line,
        })
        .collect();
    built(&bare.join("\n")).unwrap_or_else(|error| panic!("{error}\n{}", bare.join("\n")));
}
