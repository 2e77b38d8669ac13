//! The value of a condition before its kind has read it.
//!
//! Kinds come from a registry, so the configuration cannot know their types:
//! it keeps the value as it stands, and the kind reads it, naming itself in
//! the error.

use std::fmt;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::{RuleKind, RuleProblem};

/// A text, number, truth, list or table.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// `"text"`
    Text(String),
    /// `5`
    Number(i64),
    /// `true`
    Truth(bool),
    /// `["a", "b"]`
    List(Vec<Setting>),
    /// `{ key = "value" }`, in the order it was written.
    Table(Vec<(String, Setting)>),
}

impl Setting {
    /// One text or a list of texts; none may be empty.
    pub(crate) fn texts(&self, kind: &RuleKind) -> Result<Vec<&str>, RuleProblem> {
        let settings = match self {
            Setting::List(settings) if !settings.is_empty() => settings.as_slice(),
            single => std::slice::from_ref(single),
        };
        let mut texts = Vec::with_capacity(settings.len());
        for setting in settings {
            match setting {
                Setting::Text(text) if !text.trim().is_empty() => texts.push(text.trim()),
                _ => return Err(self.wrong(kind)),
            }
        }
        Ok(texts)
    }

    /// A whole number that is not negative.
    pub(crate) fn count(&self, kind: &RuleKind) -> Result<u32, RuleProblem> {
        match self {
            Setting::Number(number) => u32::try_from(*number).map_err(|_| self.wrong(kind)),
            _ => Err(self.wrong(kind)),
        }
    }

    /// `true` or `false`.
    pub(crate) fn truth(&self, kind: &RuleKind) -> Result<bool, RuleProblem> {
        match self {
            Setting::Truth(truth) => Ok(*truth),
            _ => Err(self.wrong(kind)),
        }
    }

    /// The error that this value is not what the kind takes.
    pub(crate) fn wrong(&self, kind: &RuleKind) -> RuleProblem {
        let found = self.to_string();
        RuleProblem::WrongValue { kind: kind.name, found, example: kind.example }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Text(text) => write!(f, "{text:?}"),
            Setting::Number(number) => write!(f, "{number}"),
            Setting::Truth(truth) => write!(f, "{truth}"),
            Setting::List(settings) => {
                let texts: Vec<String> = settings.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", texts.join(", "))
            }
            Setting::Table(entries) => {
                let texts: Vec<String> =
                    entries.iter().map(|(key, value)| format!("{key} = {value}")).collect();
                write!(f, "{{ {} }}", texts.join(", "))
            }
        }
    }
}

impl Serialize for Setting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Setting::Text(text) => serializer.serialize_str(text),
            Setting::Number(number) => serializer.serialize_i64(*number),
            Setting::Truth(truth) => serializer.serialize_bool(*truth),
            Setting::List(settings) => serializer.collect_seq(settings),
            Setting::Table(entries) => {
                let mut map = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in entries {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Setting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Setting, D::Error> {
        deserializer.deserialize_any(SettingVisitor)
    }
}

struct SettingVisitor;

impl<'de> Visitor<'de> for SettingVisitor {
    type Value = Setting;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a condition such as { pattern = \"/calendar/\" }")
    }

    fn visit_str<E>(self, text: &str) -> Result<Setting, E> {
        Ok(Setting::Text(text.to_owned()))
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Setting, E> {
        Ok(Setting::Truth(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Setting, E> {
        Ok(Setting::Number(number))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Setting, E> {
        i64::try_from(number).map(Setting::Number).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Setting, A::Error> {
        let mut settings = Vec::new();
        while let Some(setting) = sequence.next_element()? {
            settings.push(setting);
        }
        Ok(Setting::List(settings))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Setting, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Setting::Table(entries))
    }
}
