//! The second phase: what was written becomes the engine's own configuration.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;

use gannet_archive::Compression;
use gannet_engine::{
    ArchiveConfig, Attachments, Chosen, Config, Example, HostRule, Journey, Limits, SetupError,
};
use gannet_fetch::{
    Fetcher, NameLimits, Override, Overrides, PoolLimits, RootCertificates, Timeouts,
};
use gannet_links::{
    Bounds, Interest, ORDERS, OrderError, SiteCutoffConfig, TunnellingConfig, build_order,
};
use gannet_model::{PageUrl, Settings, SettingsError};
use gannet_politeness::{
    AccessRules, Doubling, Limits as GateLimits, PaceRules, RetryRules, is_product_token,
};
use gannet_relevance::{MODELS, ModelError, build_model};
use gannet_revisit::{POLICIES, build_policy};

use super::build_watch::{policy_mistake, watch};
use super::file::StrategyTables;
use super::mistake::{ConfigError, Mistake};
use super::sections::Packing;
use super::suggest;
use super::{File, Loaded};
use crate::topic::Sought;

/// Makes the engine's configuration for a topic and its seeds.
pub(crate) fn build(
    loaded: &Loaded,
    sought: Sought,
    seeds: Vec<PageUrl>,
) -> Result<Config, ConfigError> {
    let file = &loaded.file;
    check_names(loaded)?;
    Ok(Config {
        topic: sought.topic,
        examples: sought.examples.into_iter().map(Example::from).collect(),
        model: chosen(&file.crawl.model, &file.relevance),
        order: chosen(&file.crawl.order, &file.order),
        bounds: bounds(loaded)?,
        seeds,
        canonical: file.canonical.clone(),
        scope: file.scope.clone(),
        traps: file.traps.clone(),
        pace: pace(file),
        gate: GateLimits {
            per_host: NonZeroU32::MIN,
            per_address: NonZeroU32::new(file.politeness.per_address),
        },
        access: access(file),
        retry: retry(file),
        hosts: hosts(loaded)?,
        attachments: attachments(&loaded.file),
        content: content(file),
        fetch: fetch(loaded)?,
        archive: archive(loaded)?,
        watch: None,
        limits: limits(loaded)?,
    })
}

/// What goes around the ordering. Numbers of what is off must be right, too.
fn bounds(loaded: &Loaded) -> Result<Bounds, ConfigError> {
    let (tunnelling, cutoff) = (&loaded.file.tunnelling, &loaded.file.site_cutoff);
    let (max_level, block_limit) = (tunnelling.max_level, tunnelling.block_limit);
    let tunnels = TunnellingConfig { max_level, block_limit };
    let cuts = SiteCutoffConfig { pages: cutoff.pages, share: cutoff.share, doubt: cutoff.doubt };
    let mistake = |table: &str, cause: SettingsError| {
        ConfigError::from(strategy_mistake(loaded, table, &cause.to_string()))
    };
    tunnels.check().map_err(|cause| mistake("tunnelling", cause))?;
    cuts.check().map_err(|cause| mistake("site_cutoff", cause))?;
    Ok(Bounds {
        tunnelling: tunnelling.enabled.then_some(tunnels),
        site_cutoff: cutoff.enabled.then_some(cuts),
    })
}

/// The same for those who do not crawl: a fence around seeds that are not known here is no mistake.
pub(crate) fn build_aside(
    loaded: &Loaded,
    sought: Sought,
    mut seeds: Vec<PageUrl>,
) -> Result<Config, ConfigError> {
    if let (true, Ok(stand_in)) = (seeds.is_empty(), PageUrl::parse("https://example.org/")) {
        seeds.push(stand_in);
    }
    build(loaded, sought, seeds)
}

/// What requests outside a crawl must know.
pub(crate) struct RequestRules {
    pub(crate) fetcher: Fetcher,
    pub(crate) limits: gannet_fetch::Limits,
    pub(crate) pace: PaceRules,
    pub(crate) access: AccessRules,
    pub(crate) hosts: Vec<HostRule>,
    pub(crate) redirects: u8,
    /// True when hosts at one address are asked one after the other.
    pub(crate) spaces_addresses: bool,
}

/// Makes what requests outside a crawl must know.
pub(crate) fn request_rules(loaded: &Loaded) -> Result<RequestRules, ConfigError> {
    let file = &loaded.file;
    let access = access(file);
    check_agent(loaded, &access.agent)?;
    let fetch = fetch(loaded)?;
    let limits = fetch.limits;
    let fetcher = Fetcher::new(fetch).map_err(|error| setup_mistake(loaded, &error.into()))?;
    Ok(RequestRules {
        fetcher,
        limits,
        pace: pace(file),
        access,
        hosts: hosts(loaded)?,
        redirects: file.crawl.max_redirects,
        spaces_addresses: file.politeness.per_address > 0,
    })
}

fn check_agent(loaded: &Loaded, agent: &str) -> Result<(), ConfigError> {
    if is_product_token(agent) {
        return Ok(());
    }
    let message = format!(
        "{agent:?} is no name that a robots.txt can use; write letters, `-` and `_`, such as gannet"
    );
    Err(loaded.mistake("politeness.robots_agent", message).into())
}

/// Finds what only the stations themselves can know to be wrong.
pub(crate) fn check(loaded: &Loaded, config: &Config) -> Result<Journey, ConfigError> {
    check_agent(loaded, &config.access.agent)?;
    let journey = Journey::new(config).map_err(|error| setup_mistake(loaded, &error))?;
    build_order(&config.order.name, &Interest::default(), &config.order.settings)
        .map_err(|error| setup_mistake(loaded, &error.into()))?;
    check_tables(loaded, config)?;
    watch(loaded)?;
    gannet_scope::TrapWatch::new(&config.traps)
        .map_err(|error| setup_mistake(loaded, &error.into()))?;
    Fetcher::new(config.fetch.clone()).map_err(|error| setup_mistake(loaded, &error.into()))?;
    Ok(journey)
}

/// Tables of strategies that are not in force must be right, too: they will be, one day.
fn check_tables(loaded: &Loaded, config: &Config) -> Result<(), ConfigError> {
    for name in loaded.file.order.keys() {
        build_order(name, &Interest::default(), &settings(name, &loaded.file.order))
            .map_err(|error| setup_mistake(loaded, &error.into()))?;
    }
    for name in loaded.file.relevance.keys() {
        build_model(name, &config.topic, &settings(name, &loaded.file.relevance))
            .map_err(|error| setup_mistake(loaded, &error.into()))?;
    }
    for name in loaded.file.revisit.keys() {
        build_policy(name, &settings(name, &loaded.file.revisit))
            .map_err(|error| policy_mistake(loaded, name, &error))?;
    }
    Ok(())
}

/// Who we say we are when the user agent is made from the contact.
fn default_user_agent(contact: Option<&str>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match contact.filter(|contact| !contact.trim().is_empty()) {
        Some(contact) => format!("gannet/{version} (+{contact})"),
        None => format!("gannet/{version} (focused web crawler; its operator gave no contact)"),
    }
}

/// A model's own words, shown at the key they are about.
pub(crate) fn model_mistake(loaded: &Loaded, error: ModelError) -> ConfigError {
    setup_mistake(loaded, &error.into()).into()
}

/// The station's own words, shown at the key they are about.
fn setup_mistake(loaded: &Loaded, error: &SetupError) -> Mistake {
    match error {
        SetupError::Order(OrderError::Settings { name, cause }) => {
            strategy_mistake(loaded, &format!("order.{name}"), &cause.to_string())
        }
        SetupError::Model(ModelError::Settings { name, cause }) => {
            strategy_mistake(loaded, &format!("relevance.{name}"), &cause.to_string())
        }
        other => {
            let message = other.to_string();
            // Their messages begin with the key.
            let key = message.split([' ', ':']).next().unwrap_or_default().to_owned();
            let key = match (key.as_str(), scope_rule(&message)) {
                ("user_agent", _) => "politeness.user_agent".to_owned(),
                (_, Some(index)) => format!("scope.rule[{index}]"),
                _ => key,
            };
            let place = loaded.source.as_ref().and_then(|source| source.place_of(&key));
            Mistake::new(message).at(place)
        }
    }
}

/// The place of the rule that a message about `scope.rule 2` speaks of, counted from 0.
fn scope_rule(message: &str) -> Option<usize> {
    let number = message.strip_prefix("scope.rule ")?.split([' ', ':']).next()?;
    number.parse::<usize>().ok()?.checked_sub(1)
}

/// A mistake in a strategy's own table; serde names the key in backticks.
pub(super) fn strategy_mistake(loaded: &Loaded, table: &str, message: &str) -> Mistake {
    let message = message.trim().replace('\n', "; ");
    let field = message.split('`').nth(1).map(|field| format!("{table}.{field}"));
    let is_written =
        |key: &String| loaded.source.as_ref().is_some_and(|s| s.line_of(key).is_some());
    let key = field.filter(is_written).unwrap_or_else(|| table.to_owned());
    loaded.mistake(&key, message)
}

/// Names of strategies, in force or only configured, must be registered.
fn check_names(loaded: &Loaded) -> Result<(), ConfigError> {
    let orders: Vec<&str> = ORDERS.iter().map(|entry| entry.name).collect();
    let models: Vec<&str> = MODELS.iter().map(|entry| entry.name).collect();
    let policies: Vec<&str> = POLICIES.iter().map(|entry| entry.name).collect();
    let file = &loaded.file;
    let mut mistakes = Vec::new();
    let mut expect = |key: &str, what: &str, name: &str, known: &[&str]| {
        if !known.contains(&name) {
            let mistake = loaded.mistake(key, format!("no {what} is called {name:?}"));
            mistakes.push(mistake.help(suggest::help(name, known)));
        }
    };
    expect("crawl.order", "ordering", &file.crawl.order, &orders);
    expect("crawl.model", "relevance model", &file.crawl.model, &models);
    for name in file.order.keys() {
        expect(&format!("order.{name}"), "ordering", name, &orders);
    }
    expect("watch.policy", "revisit policy", &file.watch.policy, &policies);
    for name in file.revisit.keys() {
        expect(&format!("revisit.{name}"), "revisit policy", name, &policies);
    }
    for name in file.relevance.keys() {
        expect(&format!("relevance.{name}"), "relevance model", name, &models);
    }
    if mistakes.is_empty() { Ok(()) } else { Err(ConfigError(mistakes)) }
}

pub(super) fn chosen(name: &str, tables: &StrategyTables) -> Chosen {
    Chosen { name: name.to_owned(), settings: settings(name, tables) }
}

/// A strategy's own table.
pub(crate) fn settings(name: &str, tables: &StrategyTables) -> Settings {
    tables.get(name).cloned().map_or_else(Settings::none, Settings::from)
}

fn pace(file: &File) -> PaceRules {
    let politeness = &file.politeness;
    PaceRules {
        delay: politeness.delay.into(),
        longest_crawl_delay: politeness.longest_crawl_delay.into(),
        response_factor: politeness.response_factor as f32,
        longest_retry_after: politeness.longest_retry_after.into(),
        throttle: Doubling {
            first: politeness.throttle_first_wait.into(),
            longest: politeness.throttle_longest_wait.into(),
        },
        forgive_after: politeness.forgive_after.into(),
        forgive_factor: politeness.forgive_factor,
        outage: Doubling {
            first: politeness.outage_first_wait.into(),
            longest: politeness.outage_longest_wait.into(),
        },
        give_up_after: politeness.give_up_after.into(),
        give_up_attempts: politeness.give_up_attempts,
        lost: Doubling {
            first: politeness.lost_first_wait.into(),
            longest: politeness.lost_longest_wait.into(),
        },
    }
}

fn access(file: &File) -> AccessRules {
    let robots = &file.politeness.robots;
    AccessRules {
        agent: file.politeness.robots_agent.clone(),
        lifetime: robots.lifetime.into(),
        shortest_lifetime: robots.shortest_lifetime.into(),
        most_redirects: robots.max_redirects,
        first_retry: robots.first_retry.into(),
        longest_retry: robots.longest_retry.into(),
        older_copy_for: robots.older_copy_for.into(),
        absent_after: robots.absent_after.map(Into::into),
    }
}

fn retry(file: &File) -> RetryRules {
    let retry = &file.politeness.retry;
    RetryRules {
        name_not_found: retry.name_not_found.into(),
        unreachable: retry.unreachable.into(),
        tls: retry.tls.into(),
        broken: retry.broken.into(),
        not_http: retry.not_http.into(),
        server_error: retry.server_error.into(),
        most_throttles: retry.most_throttles,
    }
}

fn attachments(file: &File) -> Attachments {
    Attachments { styles: file.change.styles.into(), images: file.change.images.into() }
}

fn hosts(loaded: &Loaded) -> Result<Vec<HostRule>, ConfigError> {
    let mut rules = Vec::new();
    let mut mistakes = Vec::new();
    for (index, host) in loaded.file.host.iter().enumerate() {
        let pattern = host.pattern.to_ascii_lowercase();
        let name = pattern.strip_prefix("*.").unwrap_or(&pattern);
        if pattern != "*" && (name.contains('*') || gannet_model::Host::parse(name).is_err()) {
            let key = format!("host[{index}].match");
            let message = format!("{:?} is no host", host.pattern);
            let help = "write `example.org`, `*.example.org` for it and all below, or `*`";
            mistakes.push(loaded.mistake(&key, message).help(help));
        }
        if host.weight.is_some_and(|weight| !(weight.is_finite() && weight >= 0.0)) {
            let key = format!("host[{index}].weight");
            let help = "write 2 for twice as much as others, 0 for not at all";
            mistakes.push(loaded.mistake(&key, "a weight is 0 or more").help(help));
        }
        let delay = host.delay.map(Into::into);
        rules.push(HostRule {
            pattern,
            delay,
            parallel: host.parallel,
            weight: host.weight,
            styles: host.styles.map(Into::into),
            images: host.images.map(Into::into),
        });
    }
    if mistakes.is_empty() { Ok(rules) } else { Err(ConfigError(mistakes)) }
}

/// How much of one page is read.
pub(crate) fn content(file: &File) -> gannet_content::Limits {
    let content = &file.content;
    gannet_content::Limits {
        max_links: content.max_links,
        max_blocks: content.max_blocks,
        max_text_bytes: in_memory(content.max_text.0),
        max_images: content.max_images,
        max_forms: content.max_forms,
        max_fields: content.max_fields,
    }
}

fn fetch(loaded: &Loaded) -> Result<gannet_fetch::Config, ConfigError> {
    let (fetch, politeness) = (&loaded.file.fetch, &loaded.file.politeness);
    let user_agent = match &politeness.user_agent {
        Some(text) => text.clone(),
        None => default_user_agent(politeness.contact.as_deref()),
    };
    let roots = fetch.extra_roots.iter();
    Ok(gannet_fetch::Config {
        user_agent,
        accept_language: fetch.accept_language.clone(),
        timeouts: Timeouts {
            connect: fetch.connect_timeout.into(),
            first_byte: fetch.first_byte_timeout.into(),
            whole: fetch.timeout.into(),
            lookup: fetch.lookup_timeout.into(),
        },
        limits: gannet_fetch::Limits {
            max_head_bytes: in_memory(fetch.max_head.0),
            max_headers: fetch.max_headers,
            max_body_bytes: fetch.max_body.0,
            max_unpacked_bytes: fetch.max_unpacked.0,
            max_ratio: fetch.max_ratio,
        },
        pool: PoolLimits { max_idle: fetch.idle_connections, idle: fetch.idle_timeout.into() },
        names: NameLimits {
            max_cached: fetch.dns_cached,
            min_ttl: fetch.dns_min_ttl.into(),
            max_ttl: fetch.dns_max_ttl.into(),
            max_negative_ttl: fetch.dns_max_negative_ttl.into(),
            servers: fetch.dns_servers.clone(),
        },
        overrides: overrides(loaded)?,
        allow_addresses: fetch.allow_addresses.clone(),
        http2: fetch.http2,
        extra_roots: roots.map(|path| RootCertificates::PemFile(loaded.resolve(path))).collect(),
    })
}

/// The table first, then the file: the first entry for a name wins.
fn overrides(loaded: &Loaded) -> Result<Overrides, ConfigError> {
    let fetch = &loaded.file.fetch;
    let mut text = String::new();
    for (name, target) in &fetch.connect {
        let is_address = target.parse::<SocketAddr>().is_ok() || target.parse::<IpAddr>().is_ok();
        let probe =
            Override { pattern: name.clone(), address: IpAddr::from([0, 0, 0, 0]), port: None };
        let key = format!("fetch.connect.{name}");
        if !is_address {
            let mistake = loaded.mistake(&key, format!("{target:?} is not an address"));
            return Err(mistake.help("write `127.0.0.1`, `127.0.0.1:8080` or `[::1]:8080`").into());
        }
        if !Overrides::default().add(probe) || name.contains(char::is_whitespace) {
            let mistake = loaded.mistake(&key, format!("{name:?} is not a name"));
            return Err(mistake.help("write `example.org`, `*.example.org` or `*`").into());
        }
        text.push_str(&format!("{target} {name}\n"));
    }
    let lines_before = fetch.connect.len();
    if let Some(path) = &fetch.hosts_file {
        let path = loaded.resolve(path);
        let lines = std::fs::read_to_string(&path).map_err(|error| {
            loaded.mistake("fetch.hosts_file", format!("cannot read {}: {error}", path.display()))
        })?;
        Overrides::parse(&lines).map_err(|error| {
            loaded.mistake("fetch.hosts_file", format!("{}: {error}", path.display()))
        })?;
        text.push_str(&lines);
    }
    Overrides::parse(&text).map_err(|error| {
        let message = format!("{error} (after {lines_before} entries of the table)");
        loaded.mistake("fetch.connect", message).into()
    })
}

fn archive(loaded: &Loaded) -> Result<ArchiveConfig, ConfigError> {
    let archive = &loaded.file.archive;
    let (highest, level) = match archive.compression {
        Packing::Gzip => (9, archive.level.unwrap_or(Compression::DEFAULT_GZIP_LEVEL)),
        Packing::Zstd => (19, archive.level.unwrap_or(Compression::DEFAULT_ZSTD_LEVEL)),
        Packing::None => (u8::MAX, 1),
    };
    if level < 1 || level > highest {
        let mistake = loaded.mistake("archive.level", format!("{level} is no level"));
        return Err(mistake
            .help(format!("write a number from 1 (fast) to {highest} (small)"))
            .into());
    }
    let compression = match archive.compression {
        Packing::Gzip => Compression::Gzip { level },
        Packing::Zstd => Compression::Zstd { level },
        Packing::None => Compression::None,
    };
    let max_file_bytes = archive.max_file_size.0;
    Ok(ArchiveConfig { enabled: archive.enabled, compression, max_file_bytes })
}

fn limits(loaded: &Loaded) -> Result<Limits, ConfigError> {
    let crawl = &loaded.file.crawl;
    if crawl.in_flight == 0 {
        let mistake = loaded.mistake("crawl.in_flight", "0 requests at once is no crawl");
        return Err(mistake.help("write a number from 1 up, such as 64").into());
    }
    Ok(Limits {
        pages: crawl.max_pages,
        bytes: crawl.max_bytes.map(|size| size.0),
        time: crawl.max_time.map(Into::into),
        idle: crawl.idle.into(),
        in_flight: crawl.in_flight,
        redirects: crawl.max_redirects,
    })
}

/// A size of something held in memory.
fn in_memory(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
