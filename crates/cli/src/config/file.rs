//! The config file as it is written: the first phase of configuration.
//!
//! Every field's comment is its reference documentation: the JSON Schema, the
//! file that `gannet init` writes and the listing of `gannet config check` are
//! made from this. The second phase is [`build`](super::build()).

use std::collections::BTreeMap;

use gannet_scope::{CanonicalConfig, ScopeConfig, TrapConfig};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::mirrors;
use super::sections::{
    Archive, Change, Content, Crawl, Fetch, HostException, SiteCutoff, Tunnelling, Watch,
};
use super::sections_politeness::Politeness;
use crate::topic::WrittenTopic;

/// The version of the format this program reads.
pub(crate) const FORMAT: u32 = 1;

/// The table of one strategy: its keys are the strategy's own.
pub(crate) type StrategyTables = BTreeMap<String, toml::Table>;

/// The configuration of a crawl with Gannet.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(title = "gannet.toml", rename = "Config")]
pub(crate) struct File {
    /// The version of this format.
    pub(crate) version: u32,
    /// What the collection is about.
    pub(crate) topic: WrittenTopic,
    /// Where to start, how to go on, when to stop.
    pub(crate) crawl: Crawl,
    /// Settings of ordering strategies, one table each: `[order.best-first]`.
    #[schemars(with = "BTreeMap<String, BTreeMap<String, serde_json::Value>>")]
    pub(crate) order: StrategyTables,
    /// Paths that end some steps beyond the last relevant page, whatever the ordering. The default
    /// ordering tunnels by itself and does not need it.
    pub(crate) tunnelling: Tunnelling,
    /// Sites that are left when they bring next to nothing, whatever the ordering.
    pub(crate) site_cutoff: SiteCutoff,
    /// Settings of relevance models, one table each: `[relevance.topic-vector]`.
    #[schemars(with = "BTreeMap<String, BTreeMap<String, serde_json::Value>>")]
    pub(crate) relevance: StrategyTables,
    /// Which URLs belong to the crawl.
    #[schemars(with = "mirrors::Scope")]
    pub(crate) scope: ScopeConfig,
    /// Which spellings count as one page.
    #[schemars(with = "mirrors::Canonical")]
    pub(crate) canonical: CanonicalConfig,
    /// What counts as an address or a shape without end.
    #[schemars(with = "mirrors::Traps")]
    pub(crate) traps: TrapConfig,
    /// Who we are, how fast hosts are contacted, and how long they are left alone.
    pub(crate) politeness: Politeness,
    /// Exceptions for named hosts; the last that matches wins.
    pub(crate) host: Vec<HostException>,
    /// How pages are fetched.
    pub(crate) fetch: Fetch,
    /// How much of one page is kept.
    pub(crate) content: Content,
    /// How known pages are visited again by `gannet watch`.
    pub(crate) watch: Watch,
    /// Settings of revisit policies, one table each: `[revisit.priced]`.
    #[schemars(with = "BTreeMap<String, BTreeMap<String, serde_json::Value>>")]
    pub(crate) revisit: StrategyTables,
    /// What of a page is watched for changes besides the page itself.
    pub(crate) change: Change,
    /// How evidence is kept, as WARC files in the data directory.
    pub(crate) archive: Archive,
}

impl Default for File {
    fn default() -> File {
        File {
            version: FORMAT,
            topic: WrittenTopic::default(),
            crawl: Crawl::default(),
            order: StrategyTables::new(),
            tunnelling: Tunnelling::default(),
            site_cutoff: SiteCutoff::default(),
            relevance: StrategyTables::new(),
            scope: ScopeConfig::default(),
            canonical: CanonicalConfig::default(),
            traps: TrapConfig::default(),
            politeness: Politeness::default(),
            host: Vec::new(),
            fetch: Fetch::default(),
            content: Content::default(),
            watch: Watch::default(),
            revisit: StrategyTables::new(),
            change: Change::default(),
            archive: Archive::default(),
        }
    }
}

/// The JSON Schema of the config file.
pub(crate) fn schema() -> schemars::Schema {
    schemars::schema_for!(File)
}
