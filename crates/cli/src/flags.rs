//! Flags and environment variables that stand over the config file.
//!
//! Each is one key of the file. The variable of `--max-pages` is
//! `GANNET_MAX_PAGES`, and so on.

use clap::ArgMatches;
use clap::builder::PossibleValuesParser;
use clap::parser::ValueSource;
use ipnet::IpNet;
use toml::Value;

use crate::config::{Origin, Override, Size, Span, network};

/// Settings of a crawl that can be given without a file.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Settings (over the config file)")]
pub(crate) struct Flags {
    /// What to look for: words, or phrases between commas
    #[arg(long, value_name = "WORDS", env = "GANNET_TOPIC")]
    pub(crate) topic: Option<String>,
    /// What to look for, from a topic file; `gannet topic new` writes one
    #[arg(long, value_name = "FILE", env = "GANNET_TOPIC_FILE")]
    pub(crate) topic_file: Option<String>,
    /// Which link comes first
    #[arg(long, value_name = "NAME", env = "GANNET_ORDER", value_parser = orders())]
    pub(crate) order: Option<String>,
    /// What makes a page relevant
    #[arg(long, value_name = "NAME", env = "GANNET_MODEL", value_parser = models())]
    pub(crate) model: Option<String>,
    /// End when this many page requests were answered, over all runs
    #[arg(long, value_name = "N", env = "GANNET_MAX_PAGES")]
    pub(crate) max_pages: Option<u32>,
    /// End this run after this long, such as 90m
    #[arg(long, value_name = "DURATION", env = "GANNET_MAX_TIME")]
    pub(crate) max_time: Option<Span>,
    /// End when this much was received, over all runs, such as 500MB
    #[arg(long, value_name = "SIZE", env = "GANNET_MAX_BYTES")]
    pub(crate) max_bytes: Option<Size>,
    /// End when nothing can be done for longer than this
    #[arg(long, value_name = "DURATION", env = "GANNET_IDLE")]
    pub(crate) idle: Option<Span>,
    /// Requests under way at once, over all hosts
    #[arg(long, value_name = "N", env = "GANNET_IN_FLIGHT")]
    pub(crate) in_flight: Option<u32>,
    /// How far to stray from the seeds
    #[arg(
        long,
        value_name = "WHERE",
        env = "GANNET_STAY",
        value_parser = ["anywhere", "seed-hosts", "seed-domains"]
    )]
    pub(crate) stay: Option<String>,
    /// Leave out pages more links than this from a seed
    #[arg(long, value_name = "N", env = "GANNET_MAX_DEPTH")]
    pub(crate) max_depth: Option<u32>,
    /// Keep no WARC files
    #[arg(long)]
    pub(crate) no_archive: bool,
    #[command(flatten)]
    pub(crate) requests: RequestFlags,
}

/// Which topic is meant, for commands that are not about crawling.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Settings (over the config file)")]
pub(crate) struct TopicFlags {
    /// What to look for: words, or phrases between commas
    #[arg(long, value_name = "WORDS", env = "GANNET_TOPIC")]
    pub(crate) topic: Option<String>,
    /// What to look for, from a topic file
    #[arg(long, value_name = "FILE", env = "GANNET_TOPIC_FILE")]
    pub(crate) topic_file: Option<String>,
}

/// How known pages are visited again.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Settings (over the config file)")]
pub(crate) struct WatchFlags {
    /// Requests a day, for new pages and known ones together
    #[arg(
        long,
        value_name = "N",
        env = "GANNET_REQUESTS_PER_DAY",
        conflicts_with = "bytes_per_day",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(crate) requests_per_day: Option<u32>,
    /// Bytes of bodies a day, such as 500MiB
    #[arg(long, value_name = "SIZE", env = "GANNET_BYTES_PER_DAY")]
    pub(crate) bytes_per_day: Option<Size>,
    /// What decides when a known page is visited again
    #[arg(long, value_name = "NAME", env = "GANNET_POLICY", value_parser = policies())]
    pub(crate) policy: Option<String>,
}

/// Settings of everything that asks hosts for pages.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Settings (over the config file)")]
pub(crate) struct RequestFlags {
    /// The pause between two requests to one host, such as 10s
    #[arg(long, value_name = "DURATION", env = "GANNET_DELAY")]
    pub(crate) delay: Option<Span>,
    /// Where the operator of a site can complain; becomes part of the user agent
    #[arg(long, value_name = "URL|MAIL", env = "GANNET_CONTACT")]
    pub(crate) contact: Option<String>,
    /// The whole user agent
    #[arg(long, value_name = "TEXT", env = "GANNET_USER_AGENT")]
    pub(crate) user_agent: Option<String>,
    /// Allow a private or local network, such as 127.0.0.0/8; may be given several times
    #[arg(long, value_name = "NETWORK", env = "GANNET_ALLOW_ADDRESS", value_delimiter = ',',
          value_parser = network)]
    pub(crate) allow_address: Vec<IpNet>,
}

fn orders() -> PossibleValuesParser {
    PossibleValuesParser::new(gannet_links::ORDERS.iter().map(|entry| entry.name))
}

fn policies() -> PossibleValuesParser {
    PossibleValuesParser::new(gannet_revisit::POLICIES.iter().map(|entry| entry.name))
}

/// The names of all relevance models.
pub(crate) fn models() -> PossibleValuesParser {
    PossibleValuesParser::new(gannet_relevance::MODELS.iter().map(|entry| entry.name))
}

/// A flag's name, the key it sets, and the value if it was given.
pub(crate) type Setting = (&'static str, &'static str, Option<Value>);

impl Flags {
    /// The keys that were set, with where each was set.
    pub(crate) fn overrides(&self, matches: &ArgMatches) -> Vec<Override> {
        let number = |number: Option<u32>| number.map(|number| Value::Integer(number.into()));
        let settings = [
            ("topic", "topic.words", text(&self.topic)),
            ("topic_file", "topic.file", text(&self.topic_file)),
            ("order", "crawl.order", text(&self.order)),
            ("model", "crawl.model", text(&self.model)),
            ("max_pages", "crawl.max_pages", number(self.max_pages)),
            ("max_time", "crawl.max_time", span(self.max_time)),
            (
                "max_bytes",
                "crawl.max_bytes",
                self.max_bytes.map(|size| Value::from(size.to_string())),
            ),
            ("idle", "crawl.idle", span(self.idle)),
            ("in_flight", "crawl.in_flight", number(self.in_flight)),
            ("stay", "scope.stay", text(&self.stay)),
            ("max_depth", "scope.max_depth", number(self.max_depth)),
            ("no_archive", "archive.enabled", self.no_archive.then_some(Value::Boolean(false))),
        ];
        let mut set = overrides(settings, matches);
        set.extend(self.requests.overrides(matches));
        set
    }
}

impl TopicFlags {
    /// True when a topic is named.
    pub(crate) fn is_given(&self) -> bool {
        self.topic.is_some() || self.topic_file.is_some()
    }

    /// The keys that were set, with where each was set.
    pub(crate) fn overrides(&self, matches: &ArgMatches) -> Vec<Override> {
        let settings = [
            ("topic", "topic.words", text(&self.topic)),
            ("topic_file", "topic.file", text(&self.topic_file)),
        ];
        overrides(settings, matches)
    }
}

impl WatchFlags {
    /// The keys that were set, with where each was set.
    pub(crate) fn overrides(&self, matches: &ArgMatches) -> Vec<Override> {
        let requests = self.requests_per_day.map(|requests| Value::Float(requests.into()));
        let bytes = self.bytes_per_day.map(|size| Value::from(size.to_string()));
        let settings = [
            ("requests_per_day", "watch.requests_per_day", requests),
            ("bytes_per_day", "watch.bytes_per_day", bytes),
            ("policy", "watch.policy", text(&self.policy)),
        ];
        overrides(settings, matches)
    }
}

impl RequestFlags {
    /// The keys that were set, with where each was set.
    pub(crate) fn overrides(&self, matches: &ArgMatches) -> Vec<Override> {
        let networks: Vec<Value> =
            self.allow_address.iter().map(|network| Value::from(network.to_string())).collect();
        let settings = [
            ("delay", "politeness.delay", span(self.delay)),
            ("contact", "politeness.contact", text(&self.contact)),
            ("user_agent", "politeness.user_agent", text(&self.user_agent)),
            (
                "allow_address",
                "fetch.allow_addresses",
                (!networks.is_empty()).then_some(Value::Array(networks)),
            ),
        ];
        overrides(settings, matches)
    }
}

/// Those of the settings that were given, with where each was.
pub(crate) fn overrides<const N: usize>(
    settings: [Setting; N],
    matches: &ArgMatches,
) -> Vec<Override> {
    let set = settings.into_iter().filter_map(|(id, key, value)| {
        Some(Override { key, value: value?, origin: origin(id, matches) })
    });
    set.collect()
}

fn text(text: &Option<String>) -> Option<Value> {
    text.clone().map(Value::from)
}

fn span(span: Option<Span>) -> Option<Value> {
    span.map(|span| Value::from(span.to_string()))
}

fn origin(id: &str, matches: &ArgMatches) -> Origin {
    match matches.value_source(id) {
        Some(ValueSource::EnvVariable) => {
            Origin::Environment(format!("GANNET_{}", id.to_ascii_uppercase()))
        }
        _ => Origin::Flag(format!("--{}", id.replace('_', "-"))),
    }
}
