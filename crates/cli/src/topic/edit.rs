//! Changes to a topic file that leave everything a person wrote as it is.
//!
//! `[learned.keywords]` belongs to the program and is written anew; to
//! `[synonyms]` words are added. Comments, order and spelling of the rest stay.

use std::io;
use std::path::Path;

use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::normal;

/// A topic file under change.
#[derive(Debug)]
pub(crate) struct Editor(DocumentMut);

/// A keyword that was learned.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WrittenKeyword {
    pub(crate) text: String,
    /// The strongest has 1.
    pub(crate) weight: f32,
    /// What to remark on it, such as `in 5 of 6 examples`.
    pub(crate) remark: String,
}

const LEARNED_HEAD: &str = "\n# Written by `gannet topic learn`, and written anew each time.\n\
                            # Words that you want to keep or weigh yourself belong in `words`.\n";
const SYNONYMS_HEAD: &str = "\n# Other words for keywords.\n";

impl Editor {
    /// Takes a text that was read as a topic before.
    pub(crate) fn new(text: &str) -> Result<Editor, toml_edit::TomlError> {
        text.parse().map(Editor)
    }

    /// Puts these in place of what was learned before.
    pub(crate) fn set_learned(&mut self, keywords: &[WrittenKeyword]) {
        let mut table = Table::new();
        for keyword in keywords {
            // Three digits tell weights apart and can still be read.
            let weight = (f64::from(keyword.weight) * 1000.0).round() / 1000.0;
            let mut item = value(weight);
            if let Some(value) = item.as_value_mut() {
                value.decor_mut().set_suffix(format!("  # {}", keyword.remark));
            }
            table.insert(&keyword.text, item);
        }
        if !self.0.contains_key("learned") {
            let before = self.comments_at_the_end();
            table.decor_mut().set_prefix(format!("{before}{LEARNED_HEAD}"));
        }
        let learned = self.0.entry("learned").or_insert_with(|| {
            let mut learned = Table::new();
            learned.set_implicit(true);
            Item::Table(learned)
        });
        // Written inline or as a table by hand: the same keys, now in our form.
        if let Some(old) = learned.get("keywords").and_then(Item::as_table) {
            *table.decor_mut() = old.decor().clone();
            table.set_position(old.position());
        }
        if !learned.is_table() {
            let mut plain = Table::new();
            plain.set_implicit(true);
            *learned = Item::Table(plain);
        }
        if let Some(learned) = learned.as_table_mut() {
            learned.insert("keywords", Item::Table(table));
        }
    }

    /// Adds other words for a keyword, each once.
    pub(crate) fn add_synonyms(&mut self, keyword: &str, words: &[String]) {
        let before = match self.0.contains_key("synonyms") {
            true => String::new(),
            false => self.comments_at_the_end(),
        };
        let synonyms = self.0.entry("synonyms").or_insert_with(|| {
            let mut table = Table::new();
            table.decor_mut().set_prefix(format!("{before}{SYNONYMS_HEAD}"));
            Item::Table(table)
        });
        let Some(table) = synonyms.as_table_like_mut() else { return };
        let known = table.iter().map(|(key, _)| key.to_owned());
        let known = known.into_iter().find(|key| normal(key) == normal(keyword));
        let key = known.unwrap_or_else(|| keyword.to_owned());
        let entry = table.entry(&key).or_insert(value(Array::new()));
        let Some(list) = entry.as_array_mut() else { return };
        for word in words {
            let is_there = list.iter().any(|known| known.as_str().and_then(normal) == normal(word));
            if !is_there {
                list.push(word.as_str());
            }
        }
    }

    /// Takes the comments behind the last key, so that a new table can come after them.
    fn comments_at_the_end(&mut self) -> String {
        let comments = self.0.trailing().as_str().unwrap_or_default().to_owned();
        self.0.set_trailing("");
        comments
    }

    /// The text as it now is.
    pub(crate) fn text(&self) -> String {
        self.0.to_string()
    }

    /// Writes the file: a reader sees the old one or the new one, never half of either.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let new = path.with_extension("toml.new");
        std::fs::write(&new, self.text())?;
        std::fs::rename(&new, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyword(text: &str, weight: f32) -> WrittenKeyword {
        WrittenKeyword { text: text.to_owned(), weight, remark: "in 2 of 3 examples".to_owned() }
    }

    const WRITTEN: &str =
        "# Mine.\nwords = [\"gannet\"]  # the bird\n\n[examples]\nyes = ['a']\n# the end\n";

    #[test]
    fn what_a_person_wrote_stays_as_it_is() {
        let mut editor = Editor::new(WRITTEN).unwrap();
        editor.set_learned(&[keyword("gannet", 1.0), keyword("plunge diving", 0.123_45)]);
        let text = editor.text();
        assert!(
            text.contains("# Mine.\nwords = [\"gannet\"]  # the bird\n\n[examples]\nyes = ['a']\n"),
            "{text}"
        );
        assert!(
            text.contains(
                "[learned.keywords]\ngannet = 1.0  # in 2 of 3 examples\n\"plunge diving\" = 0.123"
            ),
            "{text}"
        );
        assert!(text.starts_with(WRITTEN), "what is new comes last: {text}");
    }

    #[test]
    fn learning_again_replaces_what_was_learned_and_nothing_else() {
        let mut editor = Editor::new(WRITTEN).unwrap();
        editor.set_learned(&[keyword("colony", 1.0)]);
        let first = editor.text();
        let mut again = Editor::new(&first).unwrap();
        again.set_learned(&[keyword("colony", 1.0)]);
        assert_eq!(again.text(), first);
        again.set_learned(&[keyword("cliff", 1.0)]);
        assert!(!again.text().contains("colony"), "{}", again.text());
        assert_eq!(again.text().matches("[learned.keywords]").count(), 1);
    }

    #[test]
    fn what_was_learned_may_stand_in_any_form_of_toml() {
        for text in [
            "learned = { keywords = { a = 1 } }\n",
            "[learned]\nkeywords = { a = 1 }\n[examples]\n",
        ] {
            let mut editor = Editor::new(text).unwrap();
            editor.set_learned(&[keyword("b", 1.0)]);
            let table: toml::Table = editor.text().parse().unwrap();
            let words: Vec<_> = table["learned"]["keywords"].as_table().unwrap().keys().collect();
            assert_eq!(words, ["b"], "{}", editor.text());
        }
    }

    #[test]
    fn synonyms_are_added_once_to_what_is_there() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            let mut editor = Editor::new(text).unwrap();
            editor.add_synonyms("gannet", &["solan goose".to_owned(), "solan".to_owned()]);
            let table: toml::Table = editor.text().parse().unwrap();
            assert_eq!(table["synonyms"].to_string(), expected, "{}", editor.text());
        }
        let both = "{ gannet = [\"solan goose\", \"solan\"] }";
        check("words = 'gannet'\n", both);
        check("[synonyms]\ngannet = ['solan goose']\n", both);
        check(
            "synonyms = { gannet = ['Solan  Goose'] }\n",
            "{ gannet = [\"Solan  Goose\", \"solan\"] }",
        );
        check("[synonyms]\nGannet = []  # mine\n", "{ Gannet = [\"solan goose\", \"solan\"] }");
    }
}
