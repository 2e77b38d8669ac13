//! Every key of a config or topic file that means nothing, found by its JSON Schema.
//!
//! Reading stops at the first mistake; a person who misspelt three keys wants
//! to hear of three. So the file is first compared with the schema.

use serde_json::{Map, Value};

use super::mistake::Mistake;
use super::source::Source;
use super::suggest;

/// The mistakes of keys that do not exist.
pub(crate) fn unknown_keys(schema: &Value, table: &toml::Table, source: &Source) -> Vec<Mistake> {
    let mut search = Search { root: schema, source, mistakes: Vec::new() };
    search.table(schema, table, "");
    search.mistakes
}

struct Search<'a> {
    root: &'a Value,
    source: &'a Source,
    mistakes: Vec<Mistake>,
}

impl<'a> Search<'a> {
    fn table(&mut self, schema: &'a Value, table: &toml::Table, prefix: &str) {
        let Some(shape) = self.shape(schema, "properties") else {
            let each = self.shape(schema, "additionalProperties");
            if let Some(each) = each.map(|shape| &shape["additionalProperties"]) {
                self.map(each, table, prefix);
            }
            return;
        };
        let Some(properties) = shape["properties"].as_object() else { return };
        for (key, value) in table {
            let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
            match properties.get(key) {
                Some(schema) => self.value(schema, value, &path),
                None => self.refuse(key, &path, properties),
            }
        }
    }

    fn map(&mut self, each: &'a Value, table: &toml::Table, prefix: &str) {
        for (key, value) in table {
            self.value(each, value, &format!("{prefix}.{key}"));
        }
    }

    fn value(&mut self, schema: &'a Value, value: &toml::Value, path: &str) {
        match value {
            toml::Value::Table(table) => self.table(schema, table, path),
            toml::Value::Array(elements) => {
                let Some(shape) = self.shape(schema, "items") else { return };
                for (index, element) in elements.iter().enumerate() {
                    self.value(&shape["items"], element, &format!("{path}[{index}]"));
                }
            }
            _ => {}
        }
    }

    /// The part of a schema that has this keyword, looked for behind references and choices.
    fn shape(&self, schema: &'a Value, keyword: &str) -> Option<&'a Value> {
        if schema.get(keyword).is_some_and(|value| value.is_object()) {
            return Some(schema);
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let target = self.root.pointer(reference.strip_prefix('#')?)?;
            return self.shape(target, keyword);
        }
        let choices = schema.get("anyOf").or_else(|| schema.get("allOf"))?.as_array()?;
        choices.iter().find_map(|choice| self.shape(choice, keyword))
    }

    fn refuse(&mut self, key: &str, path: &str, properties: &'a Map<String, Value>) {
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        let nearest = suggest::nearest(key, names.iter().copied());
        let help = match (nearest, self.section_with(key)) {
            (Some(name), _) => format!("did you mean `{name}`?"),
            (None, Some(section)) => format!("`{key}` belongs in `[{section}]`"),
            (None, None) => suggest::help(key, &names),
        };
        let mistake = Mistake::new(format!("unknown key `{path}`")).help(help);
        self.mistakes.push(mistake.at(self.source.place_of(path)));
    }

    /// The section that has a key of this name.
    fn section_with(&self, key: &str) -> Option<&'a str> {
        let sections = self.root["properties"].as_object()?;
        let has_key = |schema: &'a Value| {
            let shape = self.shape(schema, "properties");
            shape.is_some_and(|shape| shape["properties"].get(key).is_some())
        };
        sections.iter().find(|(_, schema)| has_key(schema)).map(|(name, _)| name.as_str())
    }
}
