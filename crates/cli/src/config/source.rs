//! The text of a config or topic file, and where in it each key stands.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::mistake::{Mistake, Place};

/// A config file that was read, with the place of every key.
#[derive(Debug)]
pub(crate) struct Source {
    path: PathBuf,
    text: String,
    /// By dotted path, elements of arrays as `host[0]`.
    keys: BTreeMap<String, KeyPlace>,
}

/// Where a key and its value stand, in bytes.
#[derive(Clone, Debug)]
struct KeyPlace {
    key: Range<usize>,
    value: Range<usize>,
}

/// No config file is larger; whoever points us at a disk image hears of it at once.
const LARGEST: u64 = 4 << 20;

impl Source {
    /// Reads a config file and finds its keys.
    pub(crate) fn read(path: &Path) -> Result<Source, Mistake> {
        Source::read_kind(path, "config", NO_FILE_HELP)
    }

    /// Reads a topic file and finds its keys.
    pub(crate) fn read_topic(path: &Path) -> Result<Source, Mistake> {
        Source::read_kind(path, "topic", NO_TOPIC_HELP)
    }

    fn read_kind(path: &Path, kind: &str, help: &str) -> Result<Source, Mistake> {
        let refuse = |message: String| Mistake::new(message).help(help);
        let shown = path.display();
        let size = std::fs::metadata(path)
            .map_err(|error| refuse(format!("cannot read {shown}: {error}")))?;
        if size.is_dir() {
            return Err(refuse(format!("{shown} is a directory, not a {kind} file")));
        }
        if size.len() > LARGEST {
            return Err(refuse(format!("{shown} is too large to be a {kind} file")));
        }
        let bytes =
            std::fs::read(path).map_err(|error| refuse(format!("cannot read {shown}: {error}")))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
            refuse(format!("{shown} is not UTF-8 text (line {line}); a {kind} file is TOML"))
        })?;
        Source::parse(path, text)
    }

    /// Finds the keys of a text.
    pub(crate) fn parse(path: &Path, text: String) -> Result<Source, Mistake> {
        let mut source = Source { path: path.to_owned(), text, keys: BTreeMap::new() };
        let mut keys = BTreeMap::new();
        match DeTable::parse(&source.text) {
            Ok(table) => note_table(table.get_ref(), "", &mut keys),
            Err(error) => {
                let mistake = Mistake::new(format!("not TOML: {}", error.message().trim()));
                let span = error.span().unwrap_or(0..0);
                return Err(mistake.at(source.place(span)));
            }
        }
        source.keys = keys;
        Ok(source)
    }

    /// The file's path, as the user gave it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The text itself.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The line of a key, counted from one; `None` when the file does not have it.
    pub(crate) fn line_of(&self, key: &str) -> Option<usize> {
        self.keys.get(key).map(|place| self.line_and_column(place.key.start).0)
    }

    /// The place of a key itself, or of the nearest table above it.
    pub(crate) fn place_of(&self, key: &str) -> Option<Place> {
        self.nearest(key).map(|place| self.place(place.key.clone()))
    }

    /// The place of a key's value.
    pub(crate) fn value_of(&self, key: &str) -> Option<Place> {
        self.nearest(key).map(|place| self.place(place.value.clone()))
    }

    fn nearest(&self, key: &str) -> Option<&KeyPlace> {
        let mut key = key;
        loop {
            if let Some(place) = self.keys.get(key) {
                return Some(place);
            }
            key = &key[..key.rfind(['.', '['])?];
        }
    }

    /// The key whose value covers this stretch most closely.
    pub(crate) fn key_at(&self, span: &Range<usize>) -> Option<&str> {
        let covers = |place: &KeyPlace| {
            let value = place.value.start <= span.start && span.end <= place.value.end;
            value || (place.key.start <= span.start && span.end <= place.key.end)
        };
        let covering = self.keys.iter().filter(|(_, place)| covers(place));
        covering.max_by_key(|(key, _)| key.len()).map(|(key, _)| key.as_str())
    }

    /// A stretch of bytes as a place for people.
    pub(crate) fn place(&self, span: Range<usize>) -> Place {
        let (line, column) = self.line_and_column(span.start);
        let text = self.text.lines().nth(line - 1).unwrap_or_default();
        let end = span.end.min(self.text.len()).max(span.start.min(self.text.len()));
        let marked = self.text.get(span.start..end).and_then(|text| text.lines().next());
        Place {
            path: self.path.clone(),
            line,
            column,
            text: text.to_owned(),
            width: marked.map_or(1, |text| text.chars().count()).max(1),
        }
    }

    fn line_and_column(&self, at: usize) -> (usize, usize) {
        let before = &self.text.as_bytes()[..at.min(self.text.len())];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let begins = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        (line, 1 + String::from_utf8_lossy(&before[begins..]).chars().count())
    }
}

const NO_FILE_HELP: &str = "`gannet init` writes a commented gannet.toml to start from";
const NO_TOPIC_HELP: &str =
    "`gannet topic new NAME --words \"…\"` writes a topic file to start from";

fn note_table(table: &DeTable<'_>, prefix: &str, keys: &mut BTreeMap<String, KeyPlace>) {
    for (key, value) in table.iter() {
        let path = match prefix {
            "" => key.get_ref().to_string(),
            prefix => format!("{prefix}.{}", key.get_ref()),
        };
        keys.insert(path.clone(), KeyPlace { key: key.span(), value: value.span() });
        note_value(value.get_ref(), &path, keys);
    }
}

fn note_value(value: &DeValue<'_>, path: &str, keys: &mut BTreeMap<String, KeyPlace>) {
    match value {
        DeValue::Table(table) => note_table(table, path, keys),
        DeValue::Array(array) => {
            for (index, element) in array.iter().enumerate() {
                let path = format!("{path}[{index}]");
                let place = KeyPlace { key: element.span(), value: element.span() };
                keys.insert(path.clone(), place);
                note_value(element.get_ref(), &path, keys);
            }
        }
        _ => {}
    }
}
