//! The shape of `[scope]`, `[canonical]` and `[traps]` for the JSON Schema.
//!
//! These sections are read by the scope crate's own types, which know nothing
//! of schemas. The mirrors below are never built, only described; a test keeps
//! their keys and defaults those of the originals.
#![allow(dead_code)]

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// `[scope]`
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scope {
    /// What happens to a URL that no rule speaks of.
    #[schemars(extend("default" = "accept"))]
    default: Option<Action>,
    /// How far the crawl may stray from the seeds: `anywhere`, `seed-hosts` (with or without
    /// `www.`) or `seed-domains` (everything below the registrable domain, such as
    /// `example.co.uk`).
    #[schemars(extend("default" = "anywhere"))]
    stay: Option<Stay>,
    /// Domains that `stay` counts as inside besides the seeds' own, with everything below them.
    #[schemars(extend("default" = []))]
    also_domains: Option<Vec<String>>,
    /// Reject URLs that lie more links than this from the nearest seed.
    #[schemars(extend("default" = 20))]
    max_depth: Option<u32>,
    /// Reject URLs whose extension says that they are no page of text: images, style sheets,
    /// scripts, fonts, media, archives, programs, documents.
    #[schemars(extend("default" = true))]
    text_only: Option<bool>,
    /// For every page also try the directories above it: `/a/b/c` gives `/a/b/`, `/a/` and `/`.
    #[schemars(extend("default" = false))]
    path_ascending: Option<bool>,
    /// The rules, in order: the first whose condition holds decides.
    #[schemars(extend("default" = []))]
    rule: Option<Vec<Rule>>,
}

/// What a rule does with a URL.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    /// The URL is ours.
    Accept,
    /// The URL is not ours.
    Reject,
}

/// How far a crawl may stray from its seeds.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stay {
    /// Links may lead to any host.
    Anywhere,
    /// Only hosts that a seed names.
    SeedHosts,
    /// Only registrable domains that a seed lies in.
    SeedDomains,
}

/// `[[scope.rule]]`
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    /// What to call the rule in reasons and errors; its number when absent.
    name: Option<String>,
    /// `accept` or `reject`.
    action: Action,
    /// The condition: one kind and its value, such as `{ extension = ["ics"] }`. Several are
    /// joined by `any`, `all` and `not`; `gannet list rules` knows every kind.
    when: serde_json::Map<String, Value>,
}

/// `[canonical]`
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Canonical {
    /// Drop parameters that only tell where a visitor came from: `utm_*`, `gclid`, `fbclid` and
    /// some sixty more.
    #[schemars(extend("default" = true))]
    drop_tracking: Option<bool>,
    /// Drop session identifiers: `;jsessionid=…` and `/(S(…))/` in the path; `PHPSESSID` and its
    /// like in the query; and `sid` or `session` when the value is 24 or more random characters.
    #[schemars(extend("default" = true))]
    drop_session_ids: Option<bool>,
    /// Further parameters to drop everywhere; `*` stands for any characters and letter case is
    /// ignored. Example: `["ref", "from_*"]`.
    #[schemars(extend("default" = []))]
    also_drop: Option<Vec<String>>,
    /// Parameters never to drop, whatever the lists say; `*` as above.
    #[schemars(extend("default" = []))]
    keep: Option<Vec<String>>,
    /// Sort parameters by name. Turn it on for a site that shuffles its parameters.
    #[schemars(extend("default" = false))]
    sort_parameters: Option<bool>,
}

/// `[traps]`
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Traps {
    /// Refuse a path that repeats itself this many times in a row, as `/a/a/a` and `/a/b/a/b/a/b`
    /// do three times; 0 turns the check off.
    #[schemars(extend("default" = 3))]
    max_repeats: Option<u32>,
    /// Refuse a path with more segments; 0 turns the check off.
    #[schemars(extend("default" = 20))]
    max_segments: Option<u32>,
    /// Refuse a query with more parameters; 0 turns the check off.
    #[schemars(extend("default" = 24))]
    max_parameters: Option<u32>,
    /// Refuse an address with more bytes; 0 leaves only the limit of 4,096 that every address has.
    #[schemars(extend("default" = 2000))]
    max_length: Option<u32>,
    /// Close a flagged shape of a host after this many documents; 0 never closes, and only flags.
    #[schemars(extend("default" = 2000))]
    documents_per_shape: Option<u32>,
    /// Flag no shape before a host has given this many documents.
    #[schemars(extend("default" = 100))]
    suspicious_after: Option<u32>,
    /// Flag a shape when it takes at least this share of its host's recent documents …
    #[schemars(extend("default" = 0.3))]
    suspicious_share: Option<f64>,
    /// … and at most this share of them brought anything new.
    #[schemars(extend("default" = 0.05))]
    suspicious_novelty: Option<f64>,
    /// Take a query parameter of a host for idle, a session id or the like, when so many pages
    /// said the same as another whose address differs in it alone, and none said anything else;
    /// 0 never does.
    #[schemars(extend("default" = 8))]
    idle_parameter_after: Option<u32>,
    /// How many shapes are counted per host, 8 to 4,096.
    #[schemars(extend("default" = 64))]
    shapes_per_host: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of the original with their defaults must be those of the mirror.
    #[track_caller]
    fn check<Mirror: JsonSchema>(original: &impl Serialize) {
        let original = serde_json::to_value(original).unwrap();
        let schema = schemars::schema_for!(Mirror).to_value();
        let properties = schema["properties"].as_object().unwrap();
        let original = original.as_object().unwrap();
        let names = |map: &serde_json::Map<String, Value>| map.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(original), names(properties));
        for (key, default) in original {
            assert_eq!(&properties[key]["default"], default, "{key}");
        }
    }

    #[test]
    fn the_mirrors_show_the_keys_and_defaults_of_the_originals() {
        check::<Scope>(&gannet_scope::ScopeConfig::default());
        check::<Canonical>(&gannet_scope::CanonicalConfig::default());
        check::<Traps>(&gannet_scope::TrapConfig::default());
    }
}
