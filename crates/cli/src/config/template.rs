//! The commented file that `gannet init` writes, made from the JSON Schema.
//!
//! Every key stands there with its explanation and its default, commented out,
//! so that the file says what would happen and a later default still applies.

use serde_json::{Map, Value};

use super::file;

const HEAD: &str = "\
#:schema ./gannet.schema.json
# The configuration of a crawl with Gannet.
#
# Every key is here with its default; remove the `#` to change one.
# `gannet config check` shows what is in force and where it came from.
# `gannet config schema > gannet.schema.json` lets your editor check and complete this file.
";

const HOST_EXAMPLE: &str = "\
# [[host]]
# match = \"*.example.org\"
# delay = \"2s\"
# parallel = 2
# images = \"always\"
# weight = 2.0
";

const RULE_EXAMPLE: &str = "\
# The rules, in order: the first whose condition holds decides. `gannet list rules` knows
# every kind of condition.
#
# [[scope.rule]]
# name = \"no calendars\"
# action = \"reject\"
# when = { any = [{ pattern = \"/calendar/\" }, { extension = [\"ics\"] }] }
";

const TOPIC_EXAMPLE: &str = "\
#
# Further keys make a topic more exact; docs/guides/topics.md explains them. They may also stand
# in a file of their own, which `gannet topic new` writes: `file = \"seabirds.topic.toml\"`.
#
# [topic.synonyms]
# gannet = [\"solan goose\"]
#
# [topic.examples]
# yes = [\"pages/yes\"]
# no = [\"pages/no\"]
#
# [[topic.pattern]]
# regex = \"gannet(s|ry)?\"
#
# [[topic.word_order]]
# first = \"gannet\"
# then = \"dive\"
# within = 5
#
# [[topic.neighbour]]
# name = \"poultry\"
# words = [\"hen\", \"goose farm\"]
";

const RELEVANCE_EXAMPLE: &str = "\
# [relevance.topic-vector]
# density = 0.01
";

const REVISIT_EXAMPLE: &str = "\
# [revisit.priced]
# theta = 0.25
";

const ORDER_EXAMPLE: &str = "\
# [order.best-first]
";

/// The whole text.
pub(crate) fn template() -> String {
    let schema = file::schema().to_value();
    let mut text = HEAD.to_owned();
    let mut writer = Writer { root: &schema, text: &mut text };
    writer.sections(&schema, &schema["properties"]);
    text
}

struct Writer<'a> {
    root: &'a Value,
    text: &'a mut String,
}

impl Writer<'_> {
    fn sections(&mut self, schema: &Value, sections: &Value) {
        let empty = Map::new();
        for (name, section) in sections.as_object().unwrap_or(&empty) {
            self.text.push('\n');
            self.comment(section);
            match name.as_str() {
                "version" => {
                    let version = &schema["properties"]["version"]["default"];
                    self.text.push_str(&format!("version = {version}\n"));
                }
                "host" => self.text.push_str(HOST_EXAMPLE),
                "order" => self.text.push_str(ORDER_EXAMPLE),
                "relevance" => self.text.push_str(RELEVANCE_EXAMPLE),
                "revisit" => self.text.push_str(REVISIT_EXAMPLE),
                "topic" => self.topic(section),
                name => self.section(name, section),
            }
        }
    }

    /// The two keys that most topics need, and examples of the rest.
    fn topic(&mut self, section: &Value) {
        self.text.push_str("[topic]\n");
        let properties = self.resolve(section)["properties"].clone();
        let defaults = section["default"].clone();
        for key in ["words", "aim"] {
            self.comment(&properties[key]);
            self.key(key, &properties[key], defaults.get(key));
        }
        self.text.push_str(TOPIC_EXAMPLE);
    }

    /// A table header and its keys; tables within it come last, as TOML wants it.
    fn section(&mut self, path: &str, schema: &Value) {
        self.text.push_str(&format!("[{path}]\n"));
        let defaults = schema["default"].clone();
        let Some(properties) = self.resolve(schema)["properties"].as_object().cloned() else {
            return;
        };
        let is_table = |schema: &Value| self.resolve(schema)["properties"].is_object();
        let (tables, keys): (Vec<_>, Vec<_>) =
            properties.into_iter().partition(|(_, schema)| is_table(schema));
        for (key, property) in keys {
            if path == "scope" && key == "rule" {
                self.text.push('\n');
                self.text.push_str(RULE_EXAMPLE);
                continue;
            }
            self.comment(&property);
            self.key(&key, &property, defaults.get(&key));
        }
        for (key, mut table) in tables {
            self.text.push('\n');
            self.comment(&table);
            if let Some(default) = defaults.get(&key) {
                table["default"] = default.clone();
            }
            self.section(&format!("{path}.{key}"), &table);
        }
    }

    fn key(&mut self, key: &str, schema: &Value, default: Option<&Value>) {
        let is_set = |value: &&Value| !value.is_null();
        let default = default.filter(is_set).or_else(|| schema.get("default").filter(is_set));
        let example = schema["examples"].get(0);
        let line = match (key, default, example) {
            // The one thing that everybody must write.
            ("words", ..) => "words = []".to_owned(),
            (_, Some(default), _) => format!("# {key} = {}", as_toml(default)),
            (_, None, Some(example)) => format!("# {key} = {}  # not set", as_toml(example)),
            (_, None, None) => format!("# {key} =  # not set"),
        };
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn comment(&mut self, schema: &Value) {
        let description = match schema["description"].as_str() {
            Some(own) => Some(own),
            None => self.resolve(schema)["description"].as_str(),
        };
        let lines = description.unwrap_or_default().lines();
        let comment: String = lines.map(|line| format!("# {line}\n")).collect();
        self.text.push_str(&comment);
    }

    fn resolve<'s>(&'s self, schema: &'s Value) -> &'s Value {
        let target = schema["$ref"].as_str().and_then(|path| path.strip_prefix('#'));
        target.and_then(|path| self.root.pointer(path)).unwrap_or(schema)
    }
}

fn as_toml(value: &Value) -> String {
    match toml::Value::try_from(value) {
        Ok(value) => value.to_string(),
        Err(_) => value.to_string(),
    }
}
