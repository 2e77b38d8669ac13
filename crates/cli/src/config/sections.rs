//! The sections of the config file, but for politeness.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

use gannet_archive::Compression;
use ipnet::IpNet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::network::networks;
use super::size::Size;
use super::span::Span;

/// `[crawl]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Crawl {
    /// Where to start: URLs or bare hosts. Those given on the command line stand in for these.
    pub(crate) seeds: Vec<String>,
    /// A file with one seed per line, relative to this file.
    #[schemars(example = "seeds.txt")]
    pub(crate) seeds_file: Option<PathBuf>,
    /// Which link comes first; `gannet list orders` knows them all.
    pub(crate) order: String,
    /// What makes a page relevant; `gannet list models` knows them all.
    pub(crate) model: String,
    /// End when this many page requests were answered, over all runs of the data directory.
    #[schemars(example = 10000)]
    pub(crate) max_pages: Option<u64>,
    /// End when this many bytes of bodies were received, over all runs of the data directory.
    #[schemars(example = "1GiB")]
    pub(crate) max_bytes: Option<Size>,
    /// End a run after this long.
    #[schemars(example = "8h")]
    pub(crate) max_time: Option<Span>,
    /// End a run when nothing can be done for longer than this.
    pub(crate) idle: Span,
    /// Requests under way at once, over all hosts.
    pub(crate) in_flight: usize,
    /// Redirects in a row before a chain is given up.
    pub(crate) max_redirects: u8,
}

/// `[[host]]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HostException {
    /// `example.org` for that host alone, `*.example.org` for it and all below, `*` for every host.
    #[serde(rename = "match")]
    pub(crate) pattern: String,
    /// The delay between requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) delay: Option<Span>,
    /// Requests under way at once: only for sites whose operators agreed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parallel: Option<std::num::NonZeroU32>,
    /// How much more than those of other hosts the freshness of its pages matters in a watch: 2 for
    /// twice as much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) weight: Option<f32>,
    /// For which of its pages style sheets are watched; see `[change]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) styles: Option<ForPages>,
    /// For which of its pages images are watched; see `[change]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) images: Option<ForPages>,
}

/// `[watch]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Watch {
    /// What decides when a known page is visited again; `gannet list policies` shows the choice.
    pub(crate) policy: String,
    /// Requests a day, for new pages and known ones together. Without it and `bytes_per_day`, as
    /// many as politeness allows.
    #[schemars(example = 5000)]
    pub(crate) requests_per_day: Option<f64>,
    /// Bytes of bodies a day, instead of `requests_per_day`.
    #[schemars(example = "500MiB")]
    pub(crate) bytes_per_day: Option<Size>,
}

impl Default for Watch {
    fn default() -> Watch {
        let policy = gannet_revisit::DEFAULT_POLICY.to_owned();
        Watch { policy, requests_per_day: None, bytes_per_day: None }
    }
}

/// `[change]`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Change {
    /// For which pages style sheets are fetched to see whether they changed: `never`, `relevant` or
    /// `always`. Up to 16 a page, as politely as pages; `[[host]]` may say otherwise.
    pub(crate) styles: ForPages,
    /// For which pages images are fetched to see whether they changed: `never`, `relevant` or
    /// `always`. They are compared by what they show.
    pub(crate) images: ForPages,
}

/// Which pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ForPages {
    /// None.
    #[default]
    Never,
    /// Those that are about the topic.
    Relevant,
    /// All.
    Always,
}

impl From<ForPages> for gannet_engine::Wanted {
    fn from(pages: ForPages) -> gannet_engine::Wanted {
        match pages {
            ForPages::Never => gannet_engine::Wanted::Never,
            ForPages::Relevant => gannet_engine::Wanted::Relevant,
            ForPages::Always => gannet_engine::Wanted::Always,
        }
    }
}

/// `[fetch]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Fetch {
    /// `Accept-Language` to send.
    #[schemars(example = "en, de;q=0.5")]
    pub(crate) accept_language: Option<String>,
    /// How long a connection may take, TLS included.
    pub(crate) connect_timeout: Span,
    /// How long the head of an answer may take.
    pub(crate) first_byte_timeout: Span,
    /// How long everything together may take.
    pub(crate) timeout: Span,
    /// How long one look-up of a name may take.
    pub(crate) lookup_timeout: Span,
    /// Largest status line and headers.
    pub(crate) max_head: Size,
    /// Most header lines.
    pub(crate) max_headers: usize,
    /// Largest body on the wire.
    pub(crate) max_body: Size,
    /// Largest body once unpacked.
    pub(crate) max_unpacked: Size,
    /// Most unpacked bytes per byte on the wire, beyond the first MiB.
    pub(crate) max_ratio: u64,
    /// Offer HTTP/2 to servers that speak TLS.
    pub(crate) http2: bool,
    /// Idle connections kept.
    pub(crate) idle_connections: usize,
    /// How long a connection may lie idle.
    pub(crate) idle_timeout: Span,
    /// Name servers to ask, such as `9.9.9.9:53`; those of the system when empty.
    #[schemars(with = "Vec<String>")]
    pub(crate) dns_servers: Vec<SocketAddr>,
    /// Names remembered.
    pub(crate) dns_cached: usize,
    /// An address is believed at least this long.
    pub(crate) dns_min_ttl: Span,
    /// An address is believed at most this long.
    pub(crate) dns_max_ttl: Span,
    /// "No such name" is believed at most this long.
    pub(crate) dns_max_negative_ttl: Span,
    /// A file of lines `address[:port] name…` that stand in for the DNS, relative to this file.
    #[schemars(example = "hosts.txt")]
    pub(crate) hosts_file: Option<PathBuf>,
    /// Names that lead elsewhere than the DNS says: `{ "*.example.org" = "127.0.0.1:8080" }`.
    pub(crate) connect: BTreeMap<String, String>,
    /// Private, local or reserved addresses that may be talked to, such as `127.0.0.0/8`.
    #[schemars(with = "Vec<String>")]
    #[serde(deserialize_with = "networks")]
    pub(crate) allow_addresses: Vec<IpNet>,
    /// PEM files of certificate authorities to trust besides Mozilla's, relative to this file.
    pub(crate) extra_roots: Vec<PathBuf>,
}

/// `[content]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Content {
    /// Links kept of one page.
    pub(crate) max_links: usize,
    /// Blocks kept of one page; headings beyond are read as text of the last block.
    pub(crate) max_blocks: usize,
    /// Text read of one page, before white space is folded.
    pub(crate) max_text: Size,
    /// Images kept of one page.
    pub(crate) max_images: usize,
    /// Forms kept of one page.
    pub(crate) max_forms: usize,
    /// Fields kept of one form.
    pub(crate) max_fields: usize,
}

/// `[archive]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Archive {
    /// False for experiments that need no evidence.
    pub(crate) enabled: bool,
    /// How records are compressed.
    pub(crate) compression: Packing,
    /// 1 (fast) to 9 (small) for gzip, to 19 for zstd; chosen by measurement when absent.
    #[schemars(example = 6)]
    pub(crate) level: Option<u8>,
    /// A file is closed at this size.
    pub(crate) max_file_size: Size,
}

/// `[tunnelling]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Tunnelling {
    /// Whether paths end.
    pub(crate) enabled: bool,
    /// How many steps beyond the last relevant page they may go.
    pub(crate) max_level: u8,
    /// How like the topic a block of an irrelevant page must be (0 to 1) for its links to be
    /// followed as if the page were relevant.
    pub(crate) block_limit: f32,
}

/// `[site_cutoff]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SiteCutoff {
    /// Whether poor sites are left. Their links wait behind all others and come back when the
    /// others are no better.
    pub(crate) enabled: bool,
    /// Pages of a host that must have been judged.
    pub(crate) pages: u32,
    /// The share of the rate of all hosts (0 to 1) that a host must reach: relevant pages that
    /// are no copies, among all pages.
    pub(crate) share: f32,
    /// How likely it may be (0 to 1) that it does, at most.
    pub(crate) doubt: f32,
}

impl Default for Tunnelling {
    fn default() -> Tunnelling {
        let gannet_links::TunnellingConfig { max_level, block_limit } = Default::default();
        let enabled = gannet_links::Bounds::default().tunnelling.is_some();
        Tunnelling { enabled, max_level, block_limit }
    }
}

impl Default for SiteCutoff {
    fn default() -> SiteCutoff {
        let gannet_links::SiteCutoffConfig { pages, share, doubt } = Default::default();
        let enabled = gannet_links::Bounds::default().site_cutoff.is_some();
        SiteCutoff { enabled, pages, share, doubt }
    }
}

/// How records are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Packing {
    /// `.warc.gz`: every tool reads it.
    #[default]
    Gzip,
    /// `.warc.zst`: smaller and faster, read by fewer tools.
    Zstd,
    /// Plain `.warc`, for reading by eye.
    None,
}

impl Default for Crawl {
    fn default() -> Crawl {
        let limits = gannet_engine::Limits::default();
        Crawl {
            seeds: Vec::new(),
            seeds_file: None,
            order: gannet_links::DEFAULT_ORDER.to_owned(),
            model: gannet_relevance::DEFAULT_MODEL.to_owned(),
            max_pages: limits.pages,
            max_bytes: limits.bytes.map(Size),
            max_time: limits.time.map(Span),
            idle: limits.idle.into(),
            in_flight: limits.in_flight,
            max_redirects: limits.redirects,
        }
    }
}

impl Default for Fetch {
    fn default() -> Fetch {
        let config = gannet_fetch::Config::default();
        Fetch {
            accept_language: config.accept_language,
            connect_timeout: config.timeouts.connect.into(),
            first_byte_timeout: config.timeouts.first_byte.into(),
            timeout: config.timeouts.whole.into(),
            lookup_timeout: config.timeouts.lookup.into(),
            max_head: Size(config.limits.max_head_bytes as u64),
            max_headers: config.limits.max_headers,
            max_body: Size(config.limits.max_body_bytes),
            max_unpacked: Size(config.limits.max_unpacked_bytes),
            max_ratio: config.limits.max_ratio,
            http2: config.http2,
            idle_connections: config.pool.max_idle,
            idle_timeout: config.pool.idle.into(),
            dns_servers: config.names.servers,
            dns_cached: config.names.max_cached,
            dns_min_ttl: config.names.min_ttl.into(),
            dns_max_ttl: config.names.max_ttl.into(),
            dns_max_negative_ttl: config.names.max_negative_ttl.into(),
            hosts_file: None,
            connect: BTreeMap::new(),
            allow_addresses: config.allow_addresses,
            extra_roots: Vec::new(),
        }
    }
}

impl Default for Content {
    fn default() -> Content {
        let limits = gannet_content::Limits::default();
        Content {
            max_links: limits.max_links,
            max_blocks: limits.max_blocks,
            max_text: Size(limits.max_text_bytes as u64),
            max_images: limits.max_images,
            max_forms: limits.max_forms,
            max_fields: limits.max_fields,
        }
    }
}

impl Default for Archive {
    fn default() -> Archive {
        let config = gannet_engine::ArchiveConfig::default();
        let compression = match config.compression {
            Compression::None => Packing::None,
            Compression::Gzip { .. } => Packing::Gzip,
            Compression::Zstd { .. } => Packing::Zstd,
        };
        let max_file_size = Size(config.max_file_bytes);
        Archive { enabled: config.enabled, compression, level: None, max_file_size }
    }
}
