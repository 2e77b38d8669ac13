//! Everything a crawl needs to know, typed and checked.
//!
//! The second phase of configuration: `cli` reads files and flags, and makes
//! one of these. Nothing below reads the environment.

use std::time::Duration;

use gannet_links::Bounds;
use gannet_model::{Host, PageUrl, Settings};
use gannet_politeness::{AccessRules, Limits as GateLimits, PaceRules, RetryRules};
use gannet_relevance::Topic;
use gannet_scope::{CanonicalConfig, ScopeConfig, TrapConfig};

use crate::attachments::{Attachments, Wanted};
use crate::budget::Limits;
use crate::returns::WatchConfig;
use crate::teaching::Example;

/// Everything a crawl needs to know.
#[derive(Clone, Debug)]
pub struct Config {
    /// What the collection is about.
    pub topic: Topic,
    /// The relevance model.
    pub model: Chosen,
    /// Pages that the user gives as examples; the model learns from them.
    pub examples: Vec<Example>,
    /// The ordering strategy.
    pub order: Chosen,
    /// What goes around it.
    pub bounds: Bounds,
    /// Where to start. Seeds already known are not added again.
    pub seeds: Vec<PageUrl>,
    /// Which spellings are one URL.
    pub canonical: CanonicalConfig,
    /// Which URLs are ours.
    pub scope: ScopeConfig,
    /// Which shapes of URL are suspicious.
    pub traps: TrapConfig,
    /// How fast hosts are contacted.
    pub pace: PaceRules,
    /// How many requests may be under way to one host and one address.
    pub gate: GateLimits,
    /// How long answers about robots.txt hold.
    pub access: AccessRules,
    /// Which failures are tried again.
    pub retry: RetryRules,
    /// Exceptions for named hosts; the last that matches wins.
    pub hosts: Vec<HostRule>,
    /// How much of a page is read.
    pub content: gannet_content::Limits,
    /// Which files of pages are fetched to see whether they changed.
    pub attachments: Attachments,
    /// How pages are fetched.
    pub fetch: gannet_fetch::Config,
    /// How evidence is kept.
    pub archive: ArchiveConfig,
    /// How known pages are visited again; `None` for a crawl that only looks for new ones.
    pub watch: Option<WatchConfig>,
    /// How much may be used.
    pub limits: Limits,
}

/// A strategy by name, with its own settings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen {
    /// Its registered name.
    pub name: String,
    /// Its own table of the config file.
    pub settings: Settings,
}

/// Exceptions for hosts whose name matches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostRule {
    /// `example.org` for that host alone, `*.example.org` for it and all below, `*` for every host.
    pub pattern: String,
    /// The delay between requests.
    pub delay: Option<Duration>,
    /// Requests under way at once: only for sites whose operators agreed.
    pub parallel: Option<std::num::NonZeroU32>,
    /// How much more than those of others the freshness of its pages matters.
    pub weight: Option<f32>,
    /// For which of its pages style sheets are watched.
    pub styles: Option<Wanted>,
    /// For which of its pages images are watched.
    pub images: Option<Wanted>,
}

/// How evidence is kept.
#[derive(Clone, Debug)]
pub struct ArchiveConfig {
    /// False for experiments that need no evidence.
    pub enabled: bool,
    /// How records are compressed.
    pub compression: gannet_archive::Compression,
    /// A file is closed at this size.
    pub max_file_bytes: u64,
}

/// Why a crawl cannot start with these settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The ordering.
    #[error(transparent)]
    Order(#[from] gannet_links::OrderError),
    /// The relevance model.
    #[error(transparent)]
    Model(#[from] gannet_relevance::ModelError),
    /// The canonical form.
    #[error(transparent)]
    Canonical(#[from] gannet_scope::CanonicalError),
    /// The scope.
    #[error(transparent)]
    Scope(#[from] gannet_scope::ScopeError),
    /// The watch for traps.
    #[error(transparent)]
    Traps(#[from] gannet_scope::traps::TrapError),
    /// The revisit policy.
    #[error(transparent)]
    Policy(#[from] gannet_revisit::PolicyError),
    /// The fetcher.
    #[error(transparent)]
    Fetch(#[from] gannet_fetch::SetupError),
}

impl Config {
    /// Defaults for everything but the topic.
    pub fn new(topic: Topic) -> Config {
        Config {
            topic,
            model: Chosen::named(gannet_relevance::DEFAULT_MODEL),
            examples: Vec::new(),
            order: Chosen::named(gannet_links::DEFAULT_ORDER),
            bounds: Bounds::default(),
            seeds: Vec::new(),
            canonical: CanonicalConfig::default(),
            scope: ScopeConfig::default(),
            traps: TrapConfig::default(),
            pace: PaceRules::default(),
            gate: GateLimits::default(),
            access: AccessRules::default(),
            retry: RetryRules::default(),
            hosts: Vec::new(),
            content: gannet_content::Limits::default(),
            attachments: Attachments::default(),
            fetch: gannet_fetch::Config::default(),
            archive: ArchiveConfig::default(),
            watch: None,
            limits: Limits::default(),
        }
    }

    /// How much more than those of others the freshness of a host's pages matters.
    pub(crate) fn weight(&self, host: &Host) -> f32 {
        let rules = self.hosts.iter().rev().filter(|rule| rule.covers(host));
        rules.filter_map(|rule| rule.weight).next().unwrap_or(1.0)
    }

    /// Pace and parallelism for a host, exceptions applied.
    pub(crate) fn terms(&self, host: &Host) -> (PaceRules, GateLimits) {
        let (mut pace, mut gate) = (self.pace.clone(), self.gate);
        for rule in self.hosts.iter().filter(|rule| rule.covers(host)) {
            if let Some(delay) = rule.delay {
                pace.delay = delay;
            }
            if let Some(parallel) = rule.parallel {
                gate.per_host = parallel;
                // A site that may be asked in parallel answers from one address, too.
                gate.per_address = gate.per_address.map(|limit| limit.max(parallel));
            }
        }
        (pace, gate)
    }
}

impl Chosen {
    /// A strategy with its default settings.
    pub fn named(name: &str) -> Chosen {
        Chosen { name: name.to_owned(), settings: Settings::none() }
    }
}

impl HostRule {
    /// True when the rule is about this host.
    pub fn covers(&self, host: &Host) -> bool {
        let pattern = self.pattern.as_str();
        match pattern.strip_prefix("*.") {
            Some(suffix) => {
                let rest = host.name().strip_suffix(suffix);
                rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            }
            None => pattern == "*" || pattern == host.name() || pattern == host.as_str(),
        }
    }
}

impl Default for ArchiveConfig {
    fn default() -> ArchiveConfig {
        ArchiveConfig {
            enabled: true,
            compression: gannet_archive::Compression::default(),
            // What the archives' tools are used to.
            max_file_bytes: 1 << 30,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, host: &str, expected: bool) {
        let rule = HostRule { pattern: pattern.to_owned(), ..HostRule::default() };
        assert_eq!(rule.covers(&Host::parse(host).unwrap()), expected, "{pattern} on {host}");
    }

    #[test]
    fn host_rules_cover_a_host_a_family_or_all() {
        check("example.org", "example.org", true);
        check("example.org", "www.example.org", false);
        check("*.example.org", "www.example.org", true);
        check("*.example.org", "example.org", true);
        check("*.example.org", "badexample.org", false);
        check("*", "anything.test", true);
        check("example.org", "example.org:8080", true);
    }

    #[test]
    fn the_last_rule_that_matches_wins() {
        let mut config = Config::new(Topic::from_words("birds").unwrap());
        let rule = |pattern: &str, secs| HostRule {
            pattern: pattern.to_owned(),
            delay: Some(Duration::from_secs(secs)),
            ..HostRule::default()
        };
        config.hosts = vec![rule("*", 5), rule("a.example", 1)];
        let delay = |name: &str| config.terms(&Host::parse(name).unwrap()).0.delay;
        assert_eq!(delay("a.example"), Duration::from_secs(1));
        assert_eq!(delay("b.example"), Duration::from_secs(5));
    }
}
