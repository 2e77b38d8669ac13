//! The section of the config file about politeness.

use gannet_politeness::{AccessRules, PaceRules, Patience, RetryRules};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::span::Span;

/// `[politeness]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Politeness {
    /// Where the operator of a site can complain: a page or an address of mail. It becomes part
    /// of the user agent, `gannet/VERSION (+CONTACT)`. Set it before you crawl the open web.
    #[schemars(example = "https://example.org/our-crawler")]
    pub(crate) contact: Option<String>,
    /// The whole user agent, in place of the one made from `contact`.
    #[schemars(example = "ourbot/1.0 (+https://example.org/our-crawler)")]
    pub(crate) user_agent: Option<String>,
    /// The name by which robots.txt files know us.
    pub(crate) robots_agent: String,
    /// The delay between the end of a response and the next request to the same host.
    pub(crate) delay: Span,
    /// Requests under way at once to one address; 0 does not look at addresses, which suits
    /// hosts behind a large provider. To one host it is one, but see `[[host]]`.
    pub(crate) per_address: u32,
    /// A longer `Crawl-delay` in a robots.txt counts as this: the host is paced, never dropped.
    pub(crate) longest_crawl_delay: Span,
    /// The delay is at least this many times what the last response took; 0 turns it off.
    pub(crate) response_factor: f64,
    /// A longer `Retry-After` counts as this.
    pub(crate) longest_retry_after: Span,
    /// The wait after 429 or 503 without `Retry-After`; it doubles each time.
    pub(crate) throttle_first_wait: Span,
    /// The longest such wait.
    pub(crate) throttle_longest_wait: Span,
    /// Throttles are forgiven once none came for this long …
    pub(crate) forgive_after: Span,
    /// … and for this many times the last wait.
    pub(crate) forgive_factor: u32,
    /// The wait after a host could not be reached; it doubles each time.
    pub(crate) outage_first_wait: Span,
    /// The longest such wait.
    pub(crate) outage_longest_wait: Span,
    /// A host down for this long loses its turn, …
    pub(crate) give_up_after: Span,
    /// … provided that it was tried this often.
    pub(crate) give_up_attempts: u32,
    /// The wait between attempts at a host that lost its turn; it doubles each time.
    pub(crate) lost_first_wait: Span,
    /// The longest such wait.
    pub(crate) lost_longest_wait: Span,
    /// How robots.txt is treated.
    pub(crate) robots: RobotsTxt,
    /// How often and when a page is tried again, by what went wrong. All other failures are final.
    pub(crate) retry: Retry,
}

/// `[politeness.robots]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RobotsTxt {
    /// How long a robots.txt holds; RFC 9309 asks for no more than a day.
    pub(crate) lifetime: Span,
    /// A shorter `max-age` is honoured down to this.
    pub(crate) shortest_lifetime: Span,
    /// How many redirects are followed.
    pub(crate) max_redirects: u8,
    /// The wait before an unreachable robots.txt is asked for again; it doubles each time.
    pub(crate) first_retry: Span,
    /// The longest such wait.
    pub(crate) longest_retry: Span,
    /// How long an older copy stands in for one that became unreachable.
    pub(crate) older_copy_for: Span,
    /// After this long unreachable, robots.txt counts as absent, which allows everything;
    /// never when not set.
    #[schemars(example = "30d")]
    pub(crate) absent_after: Option<Span>,
}

/// `[politeness.retry]`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Retry {
    /// How often one page may be turned away with 429 or 503 before we let it go.
    pub(crate) most_throttles: u32,
    /// The host name has no address.
    pub(crate) name_not_found: Row,
    /// The host could not be reached: lookup failed, refused, timed out.
    pub(crate) unreachable: Row,
    /// The TLS handshake failed.
    pub(crate) tls: Row,
    /// The connection broke, or the server says the moment was wrong (408, 425).
    pub(crate) broken: Row,
    /// What came is not HTTP.
    pub(crate) not_http: Row,
    /// The server failed: 5xx but 501, 503 and 505.
    pub(crate) server_error: Row,
}

/// One row of the table of retries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Row {
    /// Attempts in all; 1 means that the first failure is final.
    pub(crate) attempts: u32,
    /// The wait after the first.
    pub(crate) first_wait: Span,
    /// Each further wait is this many times the one before.
    pub(crate) factor: u32,
    /// The longest wait.
    pub(crate) longest_wait: Span,
}

impl Default for Politeness {
    fn default() -> Politeness {
        let pace = PaceRules::default();
        let per_address = gannet_politeness::Limits::default().per_address;
        Politeness {
            contact: None,
            user_agent: None,
            robots_agent: AccessRules::default().agent,
            delay: pace.delay.into(),
            per_address: per_address.map_or(0, std::num::NonZeroU32::get),
            longest_crawl_delay: pace.longest_crawl_delay.into(),
            response_factor: f64::from(pace.response_factor),
            longest_retry_after: pace.longest_retry_after.into(),
            throttle_first_wait: pace.throttle.first.into(),
            throttle_longest_wait: pace.throttle.longest.into(),
            forgive_after: pace.forgive_after.into(),
            forgive_factor: pace.forgive_factor,
            outage_first_wait: pace.outage.first.into(),
            outage_longest_wait: pace.outage.longest.into(),
            give_up_after: pace.give_up_after.into(),
            give_up_attempts: pace.give_up_attempts,
            lost_first_wait: pace.lost.first.into(),
            lost_longest_wait: pace.lost.longest.into(),
            robots: RobotsTxt::default(),
            retry: Retry::default(),
        }
    }
}

impl Default for RobotsTxt {
    fn default() -> RobotsTxt {
        let rules = AccessRules::default();
        RobotsTxt {
            lifetime: rules.lifetime.into(),
            shortest_lifetime: rules.shortest_lifetime.into(),
            max_redirects: rules.most_redirects,
            first_retry: rules.first_retry.into(),
            longest_retry: rules.longest_retry.into(),
            older_copy_for: rules.older_copy_for.into(),
            absent_after: rules.absent_after.map(Span),
        }
    }
}

impl Default for Retry {
    fn default() -> Retry {
        let rules = RetryRules::default();
        Retry {
            most_throttles: rules.most_throttles,
            name_not_found: rules.name_not_found.into(),
            unreachable: rules.unreachable.into(),
            tls: rules.tls.into(),
            broken: rules.broken.into(),
            not_http: rules.not_http.into(),
            server_error: rules.server_error.into(),
        }
    }
}

impl From<Patience> for Row {
    fn from(patience: Patience) -> Row {
        Row {
            attempts: patience.attempts,
            first_wait: patience.first.into(),
            factor: patience.factor,
            longest_wait: patience.longest.into(),
        }
    }
}

impl From<Row> for Patience {
    fn from(row: Row) -> Patience {
        Patience {
            attempts: row.attempts,
            first: row.first_wait.into(),
            factor: row.factor,
            longest: row.longest_wait.into(),
        }
    }
}
