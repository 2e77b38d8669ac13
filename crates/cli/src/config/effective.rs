//! Every value in force with its origin, as `gannet config check` lists them.

use serde::Serialize;
use serde_json::Value;

use super::Loaded;

/// One value in force.
#[derive(Debug, Serialize)]
pub(crate) struct EffectiveValue {
    /// The dotted path of the key.
    pub(crate) key: String,
    /// The value; null when there is none.
    pub(crate) value: Value,
    /// `default`, `FILE:LINE`, `environment NAME` or `flag NAME`.
    pub(crate) origin: String,
}

/// Every value in force, in the order of the file's sections.
pub(crate) fn effective_values(loaded: &Loaded) -> Vec<EffectiveValue> {
    let mut values = Vec::new();
    // The file type has only strings as keys, so it always makes JSON.
    let file = serde_json::to_value(&loaded.file).unwrap_or_default();
    list(loaded, String::new(), file, &mut values);
    values
}

/// Tables whose keys are the user's own words.
const WHOLE: [&str; 5] =
    ["fetch.connect", "topic.words", "topic.aim", "topic.synonyms", "topic.learned.keywords"];

fn list(loaded: &Loaded, key: String, value: Value, values: &mut Vec<EffectiveValue>) {
    let is_written_whole = WHOLE.contains(&key.as_str()) || key.ends_with(".when");
    match value {
        Value::Object(table) if !table.is_empty() && !is_written_whole => {
            for (name, value) in table {
                let key = if key.is_empty() { name } else { format!("{key}.{name}") };
                list(loaded, key, value, values);
            }
        }
        Value::Array(elements) if elements.iter().any(Value::is_object) => {
            for (index, value) in elements.into_iter().enumerate() {
                list(loaded, format!("{key}[{index}]"), value, values);
            }
        }
        value => {
            let origin = loaded.origin(&key).to_string();
            values.push(EffectiveValue { key, value, origin });
        }
    }
}
