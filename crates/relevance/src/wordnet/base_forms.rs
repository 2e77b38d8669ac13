//! From a word as it is written to the forms it has in WordNet: `geese` → `goose`.
//!
//! What morphy(7WN) does: the word itself, its irregular base forms, else what
//! is left when an ending is taken off, as long as the index knows it. Words of
//! a phrase are also taken one by one, and a phrase may be written in WordNet
//! with underscores, with hyphens or together.

use super::PartOfSpeech;
use super::database::Senses;

/// Endings of inflected words and what stands there in the base form.
fn endings(part: PartOfSpeech) -> &'static [(&'static str, &'static str)] {
    match part {
        PartOfSpeech::Noun => &[
            ("s", ""),
            ("ses", "s"),
            ("xes", "x"),
            ("zes", "z"),
            ("ches", "ch"),
            ("shes", "sh"),
            ("men", "man"),
            ("ies", "y"),
        ],
        PartOfSpeech::Verb => &[
            ("s", ""),
            ("ies", "y"),
            ("es", "e"),
            ("es", ""),
            ("ed", "e"),
            ("ed", ""),
            ("ing", "e"),
            ("ing", ""),
        ],
        PartOfSpeech::Adjective => &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
        PartOfSpeech::Adverb => &[],
    }
}

/// The shortest noun that can be a plural; `ss` never is one.
const SHORTEST_PLURAL: usize = 3;

/// The lemmas of the index that a keyword may stand for, the likeliest first, each once.
pub(super) fn lemmas(keyword: &str, part: PartOfSpeech, senses: &Senses) -> Vec<String> {
    let words: Vec<String> = keyword.split_whitespace().map(str::to_lowercase).collect();
    let mut found = Vec::new();
    for join in ["_", "-", ""] {
        let written = words.join(join);
        let bases: Vec<String> = words
            .iter()
            .map(|word| forms(word, part, senses).into_iter().next())
            .zip(&words)
            .map(|(base, word)| base.unwrap_or_else(|| word.clone()))
            .collect();
        let whole = forms(&written, part, senses);
        let forms = std::iter::once(written).chain(whole).chain([bases.join(join)]);
        for form in forms.filter(|form| senses.has(form)) {
            if !found.contains(&form) {
                found.push(form);
            }
        }
    }
    found
}

/// The base forms of one word: the irregular ones if there are any, else by its ending.
fn forms(word: &str, part: PartOfSpeech, senses: &Senses) -> Vec<String> {
    let irregular: Vec<String> = senses.exceptions(word).map(str::to_owned).collect();
    if !irregular.is_empty() {
        return irregular;
    }
    let is_singular =
        part == PartOfSpeech::Noun && (word.ends_with("ss") || word.len() < SHORTEST_PLURAL);
    if is_singular {
        return Vec::new();
    }
    let stems = endings(part).iter().filter_map(|(ending, base)| {
        let stem = word.strip_suffix(ending)?;
        Some(format!("{stem}{base}"))
    });
    stems.filter(|form| senses.has(form)).collect()
}
