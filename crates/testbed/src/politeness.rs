//! Proof from a server's log that a crawler was polite.
//!
//! Pure: the log and the rules come in, the violations come out, each with the
//! requests that prove it. Times are the monotonic ones of the log. The end of
//! an answer is taken when its last byte is handed over, which is before the
//! client has it, so a crawler that waits from its own view never looks guilty.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use crate::robots::{Robots, is_robots_path};
use crate::server::LogEntry;
use crate::web::Web;

/// What a polite crawler keeps to.
pub struct AuditRules<'w> {
    /// The web that was crawled, for its robots.txt files.
    pub web: &'w Web,
    /// The least time between the end of an answer and the next request.
    pub delay: Duration,
    /// Whether the rules hold for every host.
    pub per_host: bool,
    /// Whether the rules hold for every address, also if hosts share it.
    pub per_address: bool,
}

/// A broken rule and the requests that prove it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which rule.
    pub kind: ViolationKind,
    /// The request before, where the rule is about two.
    pub before: Option<LogEntry>,
    /// The request that broke the rule.
    pub entry: LogEntry,
}

/// A rule that was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ViolationKind {
    /// Two requests in flight on one host.
    OverlapOnHost,
    /// Two requests in flight on one address.
    OverlapOnAddress,
    /// A request too soon after another on the host.
    TooSoonOnHost {
        /// The time that passed.
        gap: Duration,
        /// The time that should have.
        needed: Duration,
    },
    /// A request too soon after another on the address.
    TooSoonOnAddress {
        /// The time that passed.
        gap: Duration,
        /// The time that should have.
        needed: Duration,
    },
    /// robots.txt forbids the path.
    Disallowed,
    /// A page was asked for before robots.txt had been answered.
    RobotsNotAsked,
    /// A page was asked for though robots.txt was unavailable.
    RobotsUnavailable,
}

/// Every broken rule in the log, in the order of the requests that broke them.
pub fn audit(log: &[LogEntry], rules: &AuditRules<'_>) -> Vec<Violation> {
    let mut ordered: Vec<&LogEntry> = log.iter().collect();
    ordered.sort_by_key(|entry| entry.received_mono);
    let mut violations = Vec::new();
    let mut on_host = HashMap::new();
    let mut on_address = HashMap::new();
    let mut robots_answered = HashMap::new();
    for entry in ordered {
        let host = rules.web.host_number(&entry.host);
        let robots = host.map(|host| rules.web.robots(host));
        if rules.per_host {
            let asked = robots.and_then(Robots::crawl_delay).unwrap_or_default();
            let broken =
                check_gap(on_host.get(entry.host.as_str()).copied(), entry, rules.delay.max(asked));
            violations.extend(broken.map(|broken| broken.on_host()));
            keep_latest(&mut on_host, entry.host.as_str(), entry);
        }
        if rules.per_address {
            let broken = check_gap(on_address.get(&entry.address).copied(), entry, rules.delay);
            violations.extend(broken.map(|broken| broken.on_address()));
            keep_latest(&mut on_address, entry.address, entry);
        }
        violations.extend(check_robots(robots, &robots_answered, entry));
        if entry.path == "/robots.txt" {
            let finished = end(entry);
            let first = robots_answered.entry(entry.host.as_str()).or_insert(finished);
            *first = finished.min(*first);
        }
    }
    violations
}

/// The names of hosts on which something was asked for.
pub fn hosts_contacted(log: &[LogEntry]) -> HashSet<&str> {
    log.iter().map(|entry| entry.host.as_str()).collect()
}

/// Two requests that came too close.
struct TooClose<'l> {
    before: &'l LogEntry,
    entry: &'l LogEntry,
    /// None if they overlap.
    gap: Option<Duration>,
    needed: Duration,
}

impl TooClose<'_> {
    fn on_host(&self) -> Violation {
        let needed = self.needed;
        self.violation(match self.gap {
            None => ViolationKind::OverlapOnHost,
            Some(gap) => ViolationKind::TooSoonOnHost { gap, needed },
        })
    }

    fn on_address(&self) -> Violation {
        let needed = self.needed;
        self.violation(match self.gap {
            None => ViolationKind::OverlapOnAddress,
            Some(gap) => ViolationKind::TooSoonOnAddress { gap, needed },
        })
    }

    fn violation(&self, kind: ViolationKind) -> Violation {
        Violation { kind, before: Some(self.before.clone()), entry: self.entry.clone() }
    }
}

fn check_gap<'l>(
    before: Option<&'l LogEntry>,
    entry: &'l LogEntry,
    needed: Duration,
) -> Option<TooClose<'l>> {
    let before = before?;
    let gap = entry.received_mono.checked_sub(end(before)).map(Duration::from_micros);
    let is_polite = gap.is_some_and(|gap| gap >= needed);
    (!is_polite).then_some(TooClose { before, entry, gap, needed })
}

/// Remembers the request of a site that ends last.
fn keep_latest<'l, K: std::hash::Hash + Eq>(
    latest: &mut HashMap<K, &'l LogEntry>,
    key: K,
    entry: &'l LogEntry,
) {
    let kept = latest.entry(key).or_insert(entry);
    if end(entry) >= end(kept) {
        *kept = entry;
    }
}

fn check_robots(
    robots: Option<Robots>,
    answered: &HashMap<&str, u64>,
    entry: &LogEntry,
) -> Option<Violation> {
    let path = entry.path.split('?').next().unwrap_or("/");
    let robots = robots.filter(|_| !is_robots_path(path))?;
    let was_answered =
        answered.get(entry.host.as_str()).is_some_and(|&finished| finished <= entry.received_mono);
    let kind = if !was_answered {
        ViolationKind::RobotsNotAsked
    } else if robots == Robots::ServerError {
        ViolationKind::RobotsUnavailable
    } else if !robots.allows(path) {
        ViolationKind::Disallowed
    } else {
        return None;
    };
    Some(Violation { kind, before: None, entry: entry.clone() })
}

/// When an answer was over; never, while in flight.
fn end(entry: &LogEntry) -> u64 {
    entry.finished_mono.unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;
    use std::net::Ipv4Addr;

    const SECOND: u64 = 1_000_000;

    fn web(kind: fn(&Robots) -> bool) -> (Web, String) {
        let web = Web::new(Spec::polite(1));
        let host = (0..web.hosts()).find(|&host| kind(&web.robots(host))).unwrap();
        let name = web.host_name(host);
        (web, name)
    }

    fn entry(host: &str, path: &str, received: u64, finished: Option<u64>) -> LogEntry {
        LogEntry {
            host: host.into(),
            url: format!("http://{host}{path}"),
            path: path.into(),
            method: "GET".into(),
            address: Ipv4Addr::new(127, 10, 0, 1),
            received_at: received,
            finished_at: finished,
            received_mono: received,
            finished_mono: finished,
            status: 200,
            attempt: 0,
            user_agent: None,
        }
    }

    #[track_caller]
    fn check(web: &Web, log: &[LogEntry], expected: &[ViolationKind]) {
        let rules =
            AuditRules { web, delay: Duration::from_secs(1), per_host: true, per_address: false };
        let kinds: Vec<_> = audit(log, &rules).iter().map(|violation| violation.kind).collect();
        assert_eq!(kinds, expected);
    }

    #[test]
    fn a_clean_log_passes() {
        let (web, host) = web(|robots| *robots == Robots::AllowAll);
        let log = [
            entry(&host, "/robots.txt", 0, Some(SECOND)),
            entry(&host, "/", 2 * SECOND, Some(3 * SECOND)),
            entry(&host, "/private/x", 4 * SECOND, Some(5 * SECOND)),
        ];
        check(&web, &log, &[]);
    }

    #[test]
    fn overlap_and_haste_are_caught_even_in_a_shuffled_log() {
        let (web, host) = web(|robots| *robots == Robots::AllowAll);
        let log = [
            entry(&host, "/c", 5 * SECOND / 2, Some(3 * SECOND)),
            entry(&host, "/robots.txt", 0, Some(100)),
            entry(&host, "/b", SECOND + 99, Some(2 * SECOND)),
            entry(&host, "/d", 29 * SECOND / 10, Some(9 * SECOND)),
        ];
        let needed = Duration::from_secs(1);
        let soon = |gap| ViolationKind::TooSoonOnHost { gap, needed };
        check(
            &web,
            &log,
            &[
                soon(Duration::from_micros(999_999)),
                soon(Duration::from_millis(500)),
                ViolationKind::OverlapOnHost,
            ],
        );
    }

    #[test]
    fn a_request_in_flight_overlaps_whatever_follows() {
        let (web, host) = web(|robots| *robots == Robots::AllowAll);
        let log = [
            entry(&host, "/robots.txt", 0, Some(1)),
            entry(&host, "/a", 2 * SECOND, None),
            entry(&host, "/b", 900 * SECOND, Some(901 * SECOND)),
        ];
        check(&web, &log, &[ViolationKind::OverlapOnHost]);
    }

    #[test]
    fn hosts_on_one_address_take_turns() {
        let web = Web::new(Spec::small(1));
        let (one, other) = (web.host_name(0), web.host_name(1));
        let log = [
            entry(&one, "/robots.txt", 0, Some(SECOND)),
            entry(&other, "/robots.txt", SECOND / 2, Some(3 * SECOND)),
        ];
        let delay = Duration::from_secs(1);
        let rules = AuditRules { web: &web, delay, per_host: true, per_address: true };
        let violations = audit(&log, &rules);
        assert_eq!(violations.len(), 1);
        assert_eq!(violations[0].kind, ViolationKind::OverlapOnAddress);
        assert_eq!(violations[0].before.as_ref().unwrap().host, one);
        assert_eq!(violations[0].entry.host, other);
    }

    #[test]
    fn robots_come_first_and_are_obeyed() {
        let (web, host) = web(|robots| *robots == Robots::Private);
        let log = [
            entry(&host, "/", 0, Some(1)),
            entry(&host, "/robots.txt", 2 * SECOND, Some(3 * SECOND)),
            entry(&host, "/private/x", 5 * SECOND, Some(6 * SECOND)),
            entry(&host, "/open", 8 * SECOND, Some(9 * SECOND)),
        ];
        check(&web, &log, &[ViolationKind::RobotsNotAsked, ViolationKind::Disallowed]);
    }

    #[test]
    fn nothing_is_fetched_while_robots_are_unavailable() {
        let (web, host) = web(|robots| *robots == Robots::ServerError);
        let log = [
            entry(&host, "/robots.txt", 0, Some(1)),
            entry(&host, "/robots.txt", 20 * SECOND, Some(21 * SECOND)),
            entry(&host, "/", 40 * SECOND, Some(41 * SECOND)),
        ];
        check(&web, &log, &[ViolationKind::RobotsUnavailable]);
    }

    #[test]
    fn a_redirected_robots_file_is_no_page() {
        let (web, host) = web(|robots| *robots == Robots::Redirected);
        let log = [
            entry(&host, "/robots.txt", 0, Some(1)),
            entry(&host, "/policies/robots.txt", 2 * SECOND, Some(3 * SECOND)),
            entry(&host, "/", 4 * SECOND, Some(5 * SECOND)),
        ];
        check(&web, &log, &[]);
    }

    #[test]
    fn a_crawl_delay_longer_than_ours_wins() {
        let mut spec = Spec::polite(1);
        spec.robots.crawl_delay = 1.0;
        spec.robots.missing = 0.0;
        spec.robots.private = 0.0;
        spec.robots.crawl_delay_seconds = 5.0;
        let web = Web::new(spec);
        let host = web.host_name(0);
        let log = [
            entry(&host, "/robots.txt", 0, Some(SECOND)),
            entry(&host, "/", 3 * SECOND, Some(4 * SECOND)),
        ];
        let (gap, needed) = (Duration::from_secs(2), Duration::from_secs(5));
        check(&web, &log, &[ViolationKind::TooSoonOnHost { gap, needed }]);
    }
}
