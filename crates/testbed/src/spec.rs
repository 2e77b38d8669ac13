//! What a synthetic web is like: the numbers from which all else follows.
//!
//! A [`Spec`] is plain data. Two webs of the same spec are the same web, byte
//! for byte. Ready-made specs are in `presets`.

use serde::{Deserialize, Serialize};

/// A whole synthetic web in a few numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Spec {
    /// Everything is drawn from this number.
    pub seed: u64,
    /// How many host names the web has, at least one.
    pub hosts: u32,
    /// How many pages the web has over all hosts. Pages are computed when
    /// asked for, so ten million cost no more than ten.
    pub pages: u64,
    /// Which of the built-in topics is the wanted one, by name.
    pub topic: String,
    /// How many other topics there are, at least one.
    pub other_topics: u32,
    /// The share of pages that are about the wanted topic.
    pub topic_share: f64,
    /// How strongly pages link to their own kind: 0 is chance, 1 is always.
    pub locality: f64,
    /// The share of links whose anchor says what the target is about.
    pub telling_anchors: f64,
    /// The average number of links in the text of an article.
    pub links_per_page: u32,
    /// How many bytes of HTML an article has, about.
    pub page_bytes: u32,
    /// The share of topical sections on foreign hosts that can be reached only
    /// through one to three irrelevant pages.
    pub tunnels: f64,
    /// The share of pages with a block about another topic.
    pub mixed_pages: f64,
    /// Whether each page of a host repeats navigation, footer and cookie notice.
    pub boilerplate: bool,
    /// What goes wrong, and how often.
    pub faults: Faults,
    /// How robots.txt files differ.
    pub robots: RobotsMix,
    /// How pages change, come and go.
    pub change: ChangeMix,
    /// How long an ordinary answer takes, in microseconds.
    pub latency_micros: u64,
    /// Whether the web also has the pages of [`crate::Hostility`].
    pub hostile: bool,
}

/// Shares of misbehaviour. Page faults exclude one another; their sum stays below one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Faults {
    /// Pages that redirect to another page of the same host.
    pub redirect_same_host: f64,
    /// Pages that redirect to another host.
    pub redirect_cross_host: f64,
    /// Pages that redirect two to five times before they arrive.
    pub redirect_chain: f64,
    /// Pages that redirect for ever.
    pub redirect_loop: f64,
    /// Pages that are always 404.
    pub not_found: f64,
    /// Pages that are always 410.
    pub gone: f64,
    /// Pages that are always 500.
    pub server_error: f64,
    /// Pages that answer 503 with `Retry-After` at first.
    pub unavailable: f64,
    /// Pages that answer 429 with `Retry-After` at first.
    pub too_many: f64,
    /// Pages whose connection closes in the middle of the body at first.
    pub flaky: f64,
    /// Pages that are plain text.
    pub plain_text: f64,
    /// Pages that are binary, declared as PDF.
    pub binary: f64,
    /// Pages that are JSON.
    pub json: f64,
    /// Pages with an empty body.
    pub empty: f64,
    /// Pages that repeat the article before them under their own URL.
    pub duplicate: f64,
    /// How many attempts a transient fault spoils at most, at least one.
    pub transient_attempts: u32,
    /// What `Retry-After` says, in seconds.
    pub retry_after_seconds: u32,
    /// Links that carry tracking parameters, session ids or fragments.
    pub decorated_links: f64,
    /// Hosts that answer slowly.
    pub slow_hosts: f64,
    /// How long a slow host takes, in microseconds.
    pub slow_micros: u64,
    /// Hosts with an endless calendar.
    pub trap_hosts: f64,
    /// Hosts with thirty pages about the topic under ever new session ids.
    pub maze_hosts: f64,
    /// Hosts with ten thousand pages about the topic that say nearly the same.
    pub mirror_hosts: f64,
}

impl Faults {
    /// The share of pages that never show content of their own.
    pub(crate) fn lost_pages(&self) -> f64 {
        self.redirect_same_host
            + self.redirect_cross_host
            + self.redirect_chain
            + self.redirect_loop
            + self.not_found
            + self.gone
            + self.server_error
            + self.plain_text
            + self.binary
            + self.json
            + self.empty
    }
}

/// Shares of hosts by the kind of their robots.txt. What remains allows all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RobotsMix {
    /// No robots.txt: 404, so everything is allowed.
    pub missing: f64,
    /// `Disallow: /private/`.
    pub private: f64,
    /// A `Crawl-delay` for everybody.
    pub crawl_delay: f64,
    /// Everybody is forbidden everything, but one agent only `/private/`.
    pub agent_group: f64,
    /// Everything is forbidden.
    pub closed: f64,
    /// robots.txt answers 503, so nothing may be fetched.
    pub server_error: f64,
    /// robots.txt redirects to the real one, which forbids `/private/`.
    pub redirected: f64,
    /// What `Crawl-delay` says, in seconds; fractions are allowed.
    pub crawl_delay_seconds: f64,
}

/// How pages change. Shares of change classes; what remains never changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChangeMix {
    /// When the web begins, in microseconds since 1970. Before it, every page
    /// is in its version 0.
    pub epoch: u64,
    /// Pages that change about once a year.
    pub yearly: f64,
    /// Pages that change about once a month.
    pub monthly: f64,
    /// Pages that change about once a week.
    pub weekly: f64,
    /// Pages that change about once a day.
    pub daily: f64,
    /// Pages that change about once an hour.
    pub hourly: f64,
    /// Pages that are born in the two years after the epoch.
    pub born_later: f64,
    /// Pages that vanish in the two years after the epoch.
    pub vanishing: f64,
    /// Hosts whose footer differs every hour though the page did not change.
    pub noisy_hosts: f64,
}

/// 2025-01-01T00:00:00Z.
pub(crate) const EPOCH: u64 = 1_735_689_600_000_000;

impl Default for ChangeMix {
    fn default() -> Self {
        ChangeMix {
            epoch: EPOCH,
            yearly: 0.0,
            monthly: 0.0,
            weekly: 0.0,
            daily: 0.0,
            hourly: 0.0,
            born_later: 0.0,
            vanishing: 0.0,
            noisy_hosts: 0.0,
        }
    }
}

impl Default for Spec {
    /// A well-behaved web that never changes.
    fn default() -> Self {
        Spec {
            seed: 1,
            hosts: 20,
            pages: 2_000,
            topic: "seabirds".into(),
            other_topics: 12,
            topic_share: 0.05,
            locality: 0.7,
            telling_anchors: 0.7,
            links_per_page: 12,
            page_bytes: 4_000,
            tunnels: 0.0,
            mixed_pages: 0.1,
            boilerplate: true,
            faults: Faults::default(),
            robots: RobotsMix::default(),
            change: ChangeMix::default(),
            latency_micros: 0,
            hostile: false,
        }
    }
}
