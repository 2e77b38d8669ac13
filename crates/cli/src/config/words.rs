//! The words of a topic, in any of the three ways to write them.

use std::borrow::Cow;
use std::fmt;

use gannet_relevance::{Topic, TopicError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// Words and phrases, with or without weights.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Words {
    /// `"seabirds, plunge diving"`
    Text(String),
    /// `["seabirds", "plunge diving"]`
    List(Vec<String>),
    /// `{ seabirds = 2, "plunge diving" = 1 }`
    Weights(Vec<(String, f64)>),
}

impl Default for Words {
    fn default() -> Words {
        Words::List(Vec::new())
    }
}

impl Words {
    /// True when there is no word in it.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Words::Text(text) => text.trim().is_empty(),
            Words::List(words) => words.is_empty(),
            Words::Weights(weights) => weights.is_empty(),
        }
    }

    /// The words and phrases with the weights given; 1 where none is.
    pub(crate) fn phrases(&self) -> Result<Vec<(String, f32)>, TopicError> {
        match self {
            Words::Text(text) if text.trim().is_empty() => Ok(Vec::new()),
            Words::Text(text) => {
                let topic = Topic::from_words(text)?;
                Ok(topic.keywords().iter().map(|keyword| (keyword.text.clone(), 1.0)).collect())
            }
            Words::List(words) => Ok(words.iter().map(|word| (word.clone(), 1.0)).collect()),
            Words::Weights(weights) => {
                Ok(weights.iter().map(|(word, weight)| (word.clone(), *weight as f32)).collect())
            }
        }
    }
}

impl Serialize for Words {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Words::Text(text) => serializer.serialize_str(text),
            Words::List(words) => serializer.collect_seq(words),
            Words::Weights(weights) => serializer.collect_map(weights.iter().map(|(k, v)| (k, v))),
        }
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Words, D::Error> {
        deserializer.deserialize_any(WordsVisitor)
    }
}

struct WordsVisitor;

impl<'de> Visitor<'de> for WordsVisitor {
    type Value = Words;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a list of words such as [\"seabirds\", \"plunge diving\"], or a table of weights",
        )
    }

    fn visit_str<E>(self, text: &str) -> Result<Words, E> {
        Ok(Words::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Words, A::Error> {
        let mut words = Vec::new();
        while let Some(word) = sequence.next_element()? {
            words.push(word);
        }
        Ok(Words::List(words))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Words, A::Error> {
        let mut weights = Vec::new();
        while let Some((word, weight)) = map.next_entry::<String, Weight>()? {
            weights.push((word, weight.0));
        }
        Ok(Words::Weights(weights))
    }
}

/// A number, whole or not: TOML tells them apart, people do not.
struct Weight(f64);

impl<'de> Deserialize<'de> for Weight {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Weight, D::Error> {
        deserializer.deserialize_any(WeightVisitor)
    }
}

struct WeightVisitor;

impl Visitor<'_> for WeightVisitor {
    type Value = Weight;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a weight such as 2 or 0.5")
    }

    fn visit_f64<E>(self, weight: f64) -> Result<Weight, E> {
        Ok(Weight(weight))
    }

    fn visit_i64<E>(self, weight: i64) -> Result<Weight, E> {
        Ok(Weight(weight as f64))
    }

    fn visit_u64<E>(self, weight: u64) -> Result<Weight, E> {
        Ok(Weight(weight as f64))
    }
}

impl JsonSchema for Words {
    fn schema_name() -> Cow<'static, str> {
        "Words".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "oneOf": [
                { "type": "array", "items": { "type": "string" } },
                { "type": "object", "additionalProperties": { "type": "number", "minimum": 0 } },
                { "type": "string" },
            ],
            "examples": [["seabirds", "plunge diving"]],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, f32)]) {
        let table: toml::Table = text.parse().unwrap();
        let words: Words = table["words"].clone().try_into().unwrap();
        let found = words.phrases().unwrap();
        let found: Vec<_> = found.iter().map(|(word, weight)| (word.as_str(), *weight)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn words_are_read_in_each_way_to_write_them() {
        check(
            "words = ['seabirds', 'plunge diving']",
            &[("seabirds", 1.0), ("plunge diving", 1.0)],
        );
        check("words = 'seabirds, plunge diving'", &[("seabirds", 1.0), ("plunge diving", 1.0)]);
        check("words = { a = 3, b = 1.0 }", &[("a", 3.0), ("b", 1.0)]);
    }
}
