//! What the robots.txt of a host says, and what follows for a crawler.
//!
//! This is ground truth, not a parser: the rules are known before the text is
//! written.

use std::time::Duration;

use crate::draw::{Draw, Purpose};
use crate::spec::RobotsMix;

/// The agent that the special group of some files names.
pub const AGENT: &str = "gannet";

/// Where the redirected robots.txt really lies.
pub(crate) const MOVED_PATH: &str = "/policies/robots.txt";

/// The robots.txt of a host.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Robots {
    /// 200 and everything allowed.
    AllowAll,
    /// 404: everything allowed.
    Missing,
    /// `/private/` is forbidden.
    Private,
    /// Everything allowed, at this distance between requests.
    CrawlDelay(Duration),
    /// Everything forbidden to others, `/private/` to [`AGENT`].
    AgentGroup,
    /// Everything forbidden.
    Closed,
    /// 503: everything forbidden for now.
    ServerError,
    /// A redirect to a file that forbids `/private/`.
    Redirected,
}

impl Robots {
    /// The robots.txt of a host.
    pub(crate) fn of(seed: u64, mix: &RobotsMix, host: u32) -> Robots {
        let mut left = Draw::new(seed, Purpose::HostTraits, u64::from(host), 1).fraction();
        let delay = Duration::from_secs_f64(mix.crawl_delay_seconds.clamp(0.0, 3_600.0));
        let kinds = [
            (mix.missing, Robots::Missing),
            (mix.private, Robots::Private),
            (mix.crawl_delay, Robots::CrawlDelay(delay)),
            (mix.agent_group, Robots::AgentGroup),
            (mix.closed, Robots::Closed),
            (mix.server_error, Robots::ServerError),
            (mix.redirected, Robots::Redirected),
        ];
        for (share, kind) in kinds {
            if left < share {
                return kind;
            }
            left -= share;
        }
        Robots::AllowAll
    }

    /// Whether [`AGENT`] may fetch a path of the host.
    pub fn allows(self, path: &str) -> bool {
        match self {
            Robots::AllowAll | Robots::Missing | Robots::CrawlDelay(_) => true,
            Robots::Private | Robots::AgentGroup | Robots::Redirected => {
                !path.starts_with("/private/")
            }
            Robots::Closed | Robots::ServerError => is_robots_path(path),
        }
    }

    /// The distance between requests that the file asks for.
    pub fn crawl_delay(self) -> Option<Duration> {
        match self {
            Robots::CrawlDelay(delay) => Some(delay),
            _ => None,
        }
    }

    /// The text of the file.
    pub(crate) fn text(self) -> String {
        match self {
            Robots::AllowAll => "User-agent: *\nDisallow:\n".into(),
            Robots::Private | Robots::Redirected => {
                "# keep out\nUser-agent: *\nDisallow: /private/\n".into()
            }
            Robots::CrawlDelay(delay) => {
                format!("User-agent: *\nCrawl-delay: {}\nDisallow:\n", delay.as_secs_f64())
            }
            Robots::AgentGroup => {
                format!("User-agent: *\nDisallow: /\n\nUser-agent: {AGENT}\nDisallow: /private/\n")
            }
            Robots::Closed => "User-agent: *\nDisallow: /\n".into(),
            Robots::Missing | Robots::ServerError => String::new(),
        }
    }
}

/// Whether a path is part of answering for robots.txt, rather than a page.
pub fn is_robots_path(path: &str) -> bool {
    path == "/robots.txt" || path == MOVED_PATH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    #[test]
    fn the_polite_web_has_every_kind() {
        let mix = Spec::polite(1).robots;
        let kinds: Vec<Robots> = (0..400).map(|host| Robots::of(1, &mix, host)).collect();
        for kind in [
            Robots::AllowAll,
            Robots::Missing,
            Robots::Private,
            Robots::CrawlDelay(Duration::from_millis(200)),
            Robots::AgentGroup,
            Robots::Closed,
            Robots::ServerError,
            Robots::Redirected,
        ] {
            assert!(kinds.contains(&kind), "{kind:?}");
        }
    }

    #[test]
    fn an_unavailable_file_forbids_all_but_itself() {
        assert!(!Robots::ServerError.allows("/"));
        assert!(Robots::ServerError.allows("/robots.txt"));
    }
}
