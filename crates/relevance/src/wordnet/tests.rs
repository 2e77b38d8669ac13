//! WordNet on a few synsets of our own, and on the real database where it is installed.

#![allow(clippy::print_stdout, reason = "a skipped test says so")]

use super::*;
use std::collections::BTreeMap;
use std::collections::HashMap;

/// A synset of ours: words, gloss, and the numbers of those it points to.
struct Row {
    words: &'static [&'static str],
    gloss: &'static str,
    pointers: &'static [(&'static str, usize)],
}

const NOUNS: &[Row] = &[
    Row { words: &["Boat", "craft"], gloss: "it floats", pointers: &[("~", 1), ("~", 2)] },
    Row { words: &["rowing_boat", "skiff"], gloss: "moved by oars", pointers: &[("@", 0)] },
    Row { words: &["Argo"], gloss: "Jason's", pointers: &[("@i", 0)] },
    Row { words: &["craft", "trade", "x-ray"], gloss: "skilled work", pointers: &[] },
    Row { words: &["goose"], gloss: "a bird", pointers: &[] },
    Row { words: &["glass"], gloss: "brittle", pointers: &[] },
];
const VERBS: &[Row] = &[Row { words: &["craft", "fashion"], gloss: "make by hand", pointers: &[] }];
const ADJECTIVES: &[Row] = &[Row { words: &["ready(p)", "set"], gloss: "prepared", pointers: &[] }];

/// Writes rows as wndb(5WN) says: the index and the synsets.
fn files(rows: &[Row], letter: &str) -> (String, String) {
    let line = |row: &Row, at: usize, offsets: &[usize]| {
        let words: Vec<String> = row.words.iter().map(|word| format!("{word} 0 ")).collect();
        let pointers = row.pointers.iter();
        let pointers: Vec<String> = pointers
            .map(|(symbol, row)| format!("{symbol} {:08} {letter} 0000 ", offsets[*row]))
            .collect();
        format!(
            "{at:08} 03 {letter} {:02x} {}{:03} {}| {}  \n",
            words.len(),
            words.concat(),
            pointers.len(),
            pointers.concat(),
            row.gloss
        )
    };
    // Offsets have a fixed width, so a first pass with none of them right tells where lines begin.
    let mut offsets = vec![0; rows.len()];
    let mut synsets = String::new();
    for _ in 0..2 {
        synsets = "  1 a licence  \n".to_owned();
        for (number, row) in rows.iter().enumerate() {
            let at = synsets.len();
            synsets += &line(row, at, &offsets);
            offsets[number] = at;
        }
    }
    let mut lemmas: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (row, offset) in rows.iter().zip(&offsets) {
        for word in row.words {
            let lemma = word.split('(').next().unwrap().to_lowercase();
            lemmas.entry(lemma).or_default().push(*offset);
        }
    }
    let mut index = "  1 a licence  \n".to_owned();
    for (lemma, offsets) in lemmas {
        let count = offsets.len();
        let offsets: Vec<String> = offsets.iter().map(|offset| format!("{offset:08}")).collect();
        index += &format!("{lemma} {letter} {count} 1 @ {count} 0 {}  \n", offsets.join(" "));
    }
    (index, synsets)
}

fn small() -> WordNet {
    let mut contents: HashMap<String, String> = HashMap::new();
    let parts = [("noun", NOUNS, "n"), ("verb", VERBS, "v"), ("adj", ADJECTIVES, "a")];
    for (name, rows, letter) in parts.into_iter().chain([("adv", VERBS, "r")]) {
        let (index, synsets) = files(rows, letter);
        contents.insert(format!("index.{name}"), index);
        contents.insert(format!("data.{name}"), synsets);
    }
    contents.insert("noun.exc".to_owned(), "geese goose\n".to_owned());
    WordNet::read(|file| contents.get(file).cloned().ok_or_else(|| io::ErrorKind::NotFound.into()))
        .unwrap()
}

#[track_caller]
fn check(keyword: &str, relations: &[Relation], expected: &[&str]) {
    let suggestions = small().suggestions(keyword, relations, 99);
    let words: Vec<_> = suggestions.iter().map(|suggestion| suggestion.word.as_str()).collect();
    assert_eq!(words, expected, "{keyword}");
}

const SYNONYM: &[Relation] = &[Relation::Synonym];

#[test]
fn synonyms_come_by_sense_the_commonest_of_every_part_of_speech_first() {
    check("craft", SYNONYM, &["Boat", "fashion", "trade", "x-ray"]);
    let suggestions = small().suggestions("craft", SYNONYM, 2);
    assert_eq!(
        suggestions,
        [
            Suggestion {
                word: "Boat".to_owned(),
                relation: Relation::Synonym,
                part_of_speech: PartOfSpeech::Noun,
                gloss: "it floats".to_owned(),
            },
            Suggestion {
                word: "fashion".to_owned(),
                relation: Relation::Synonym,
                part_of_speech: PartOfSpeech::Verb,
                gloss: "make by hand".to_owned(),
            },
        ]
    );
}

#[test]
fn kinds_and_what_it_is_a_kind_of_come_when_asked_for() {
    check(
        "boat",
        &[Relation::Synonym, Relation::Hyponym],
        &["craft", "rowing boat", "skiff", "Argo"],
    );
    check("skiff", &[Relation::Hypernym], &["Boat", "craft"]);
    check("Argo", &[Relation::Hypernym], &["Boat", "craft"]);
    check("boat", &[], &[]);
}

#[test]
fn words_are_found_in_any_form_and_spelling() {
    check("Boats", SYNONYM, &["craft"]);
    check("rowing  boats", SYNONYM, &["skiff"]);
    check("x rays", SYNONYM, &["craft", "trade"]);
    check("geese", &[Relation::Synonym], &[]);
    assert!(!small().senses("geese").found.is_empty());
    check("fashioned", SYNONYM, &["craft"]);
    check("ready", SYNONYM, &["set"]);
    check("set", SYNONYM, &["ready"]);
}

#[test]
fn unknown_words_have_no_suggestions() {
    for keyword in ["zeppelin", "", "  ", "glas", "s", "1", "é"] {
        check(keyword, SYNONYM, &[]);
    }
    assert!(small().senses("glass").found.len() == 1, "glass is no plural");
}

#[test]
fn a_file_that_cannot_be_had_is_named() {
    let nothing = WordNet::read(|_| Err(io::ErrorKind::NotFound.into()));
    assert!(matches!(nothing, Err(WordNetError::Unreadable { file, .. }) if file == "index.noun"));
    let page = WordNet::read(|_| Ok("<html>".to_owned()));
    let Err(error) = page else { panic!("that is no database") };
    assert!(error.to_string().starts_with("data.noun is not a file of WordNet"), "{error}");
}

/// Where Debian's wordnet-base puts the database.
const INSTALLED: &str = "/usr/share/wordnet";

#[test]
fn the_real_database_answers() {
    let folder = std::path::Path::new(INSTALLED);
    if !folder.join("data.noun").exists() {
        println!("skipped: there is no WordNet in {INSTALLED}");
        return;
    }
    let wordnet = WordNet::read(|file| std::fs::read_to_string(folder.join(file))).unwrap();
    let words = |keyword: &str, relation| {
        let suggestions = wordnet.suggestions(keyword, &[relation], 99);
        suggestions.into_iter().map(|suggestion| suggestion.word).collect::<Vec<_>>()
    };
    assert_eq!(words("sea birds", Relation::Synonym), ["seabird", "seafowl"]);
    assert!(words("gannets", Relation::Hyponym).contains(&"solan goose".to_owned()));
    assert!(words("gannet", Relation::Hypernym).contains(&"pelecaniform seabird".to_owned()));
    assert!(words("job", Relation::Synonym).contains(&"occupation".to_owned()));
    assert!(words("geese", Relation::Hyponym).contains(&"gander".to_owned()));
    // Halving relies on the order of the bytes.
    for (_, senses) in &wordnet.parts {
        assert!(senses.words_are_found());
    }
}
