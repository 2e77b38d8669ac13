//! What we know of a host's robots.txt for one scheme, and when to ask again.
//!
//! Turns answers to the request for `/robots.txt` into permission to fetch
//! other paths. It sends nothing: callers fetch when told to ask first, follow
//! redirects one hop at a time, and hand the answer to [`Access::learn`].
//!
//! | answer | meaning | why |
//! |---|---|---|
//! | 2xx | the rules of the file | RFC 9309 section 2.3.1.1 |
//! | 3xx | follow, at most five hops, then as 4xx | section 2.3.1.2 |
//! | 4xx, also 401 and 403 | everything is allowed | section 2.3.1.3: "unavailable" |
//! | 429 | as 5xx | the server asks for restraint, not for a free hand |
//! | 5xx, no answer | nothing is allowed; asked again ever more rarely | section 2.3.1.4 |
//!
//! While the file is unreachable, an older copy is used for some days if there
//! is one: the site's own words are a better guide than silence.

use std::time::Duration;

use gannet_model::{Failure, Timestamp};
use serde::{Deserialize, Serialize};

use crate::prose;
use crate::robots::{Robots, Ruling};

/// What we know of a host's robots.txt.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Access {
    /// Never asked.
    #[default]
    Unknown,
    /// The file was read.
    Known {
        /// The copy in use.
        copy: GoodCopy,
        /// From then on the file must be asked for again.
        expires_at: Timestamp,
    },
    /// There is no file: everything is allowed.
    AllowAll {
        /// Why there is none, such as `robots.txt answered 404`.
        because: String,
        /// From then on the file must be asked for again.
        expires_at: Timestamp,
    },
    /// The file is said to be elsewhere; ask there next.
    Redirecting {
        /// The absolute URL to ask for.
        to: String,
        /// How many redirects led there, this one included.
        hops: u8,
        /// The copy from before, kept in case the way leads to no answer.
        older: Option<GoodCopy>,
        /// How long we had been asking in vain, for the same case.
        silence: Option<Silence>,
    },
    /// The server did not answer, or not sensibly: everything is disallowed.
    Unreachable {
        /// What happened, such as `robots.txt answered 503`.
        because: String,
        /// How long we have been asking in vain.
        silence: Silence,
        /// When to ask again.
        retry_at: Timestamp,
        /// The copy from before, in use until `older_until`.
        older: Option<GoodCopy>,
        /// From then on the older copy no longer counts.
        older_until: Timestamp,
        /// From then on the file counts as absent, see [`AccessRules::absent_after`].
        absent_from: Timestamp,
    },
}

/// A robots.txt that was read, and when.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoodCopy {
    /// What it says to us.
    pub robots: Robots,
    /// When it came.
    pub fetched_at: Timestamp,
}

/// How long, and how often, we have been asking in vain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Silence {
    /// When asking first brought nothing.
    pub since: Timestamp,
    /// How often it did.
    pub attempts: u32,
}

/// How long answers about robots.txt hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AccessRules {
    /// The product token by which files know us.
    pub agent: String,
    /// How long an answer holds. RFC 9309 section 2.4 asks for no more than 24 hours.
    pub lifetime: Duration,
    /// A shorter `max-age` is honoured down to this, or each page would cost a request for robots.txt.
    pub shortest_lifetime: Duration,
    /// How many redirects are followed; RFC 9309 asks for at least five.
    pub most_redirects: u8,
    /// The wait before an unreachable file is asked for again; it doubles each time.
    pub first_retry: Duration,
    /// The longest such wait.
    pub longest_retry: Duration,
    /// How long an older copy stands in for a file that became unreachable.
    pub older_copy_for: Duration,
    /// After this long unreachable the file counts as absent, which allows everything. RFC 9309
    /// permits this after 30 days; never by default, since silence is no invitation.
    pub absent_after: Option<Duration>,
}

impl Default for AccessRules {
    fn default() -> AccessRules {
        AccessRules {
            agent: "gannet".to_owned(),
            lifetime: Duration::from_secs(24 * 3600),
            shortest_lifetime: Duration::from_secs(3600),
            most_redirects: 5,
            first_retry: Duration::from_secs(5 * 60),
            longest_retry: Duration::from_secs(24 * 3600),
            older_copy_for: Duration::from_secs(7 * 24 * 3600),
            absent_after: None,
        }
    }
}

/// What came of asking for robots.txt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RobotsAnswer<'a> {
    /// The server answered.
    Fetched {
        /// Its status. 304 renews the copy we have.
        status: u16,
        /// The body, whole or cut no shorter than 500 KiB.
        body: &'a [u8],
        /// Where a redirect leads, made absolute by the caller.
        location: Option<&'a str>,
        /// `max-age` of `Cache-Control`.
        max_age: Option<Duration>,
    },
    /// No answer came.
    Failed(Failure),
}

/// Whether a path may be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Permission {
    /// Yes; by this line, or because no line speaks of the path.
    Allowed {
        /// The line that decided, such as `Allow: /news/`.
        rule: Option<String>,
    },
    /// No.
    Disallowed {
        /// The line that decided, or what keeps us from knowing.
        because: String,
    },
    /// Unknown until robots.txt has been asked for; see [`Access::next_ask`] and [`Access::redirect_target`].
    AskFirst,
}

impl Access {
    /// Takes in what came of asking for robots.txt.
    pub fn learn(&mut self, answer: RobotsAnswer<'_>, rules: &AccessRules, now: Timestamp) {
        let before = std::mem::take(self);
        *self = match answer {
            RobotsAnswer::Fetched { status, body, location, max_age } => {
                let expires_at = now + lifetime(max_age, rules);
                match status {
                    200..=299 => {
                        let robots = Robots::parse(body, &rules.agent);
                        Access::Known { copy: GoodCopy { robots, fetched_at: now }, expires_at }
                    }
                    304 => before.renewed(expires_at, rules, now),
                    300..=399 => before.redirected(status, location, expires_at, rules),
                    429 => before.in_vain(answered(status), rules, now),
                    400..=499 => Access::AllowAll { because: answered(status), expires_at },
                    _ => before.in_vain(answered(status), rules, now),
                }
            }
            // Whoever follows redirects for us reports their end like this; see the table above.
            RobotsAnswer::Failed(Failure::TooManyRedirects | Failure::BadRedirect) => {
                let because = "robots.txt redirects to nowhere".to_owned();
                Access::AllowAll { because, expires_at: now + rules.lifetime }
            }
            RobotsAnswer::Failed(failure) => {
                before.in_vain(format!("robots.txt could not be had: {failure}"), rules, now)
            }
        };
    }

    /// Whether a path with its query may be fetched now.
    pub fn permits(&self, path_and_query: &str, now: Timestamp) -> Permission {
        if self.next_ask() <= now {
            return Permission::AskFirst;
        }
        match self {
            Access::Unknown | Access::Redirecting { .. } => Permission::AskFirst,
            Access::AllowAll { .. } => Permission::Allowed { rule: None },
            Access::Known { copy, .. } => copy.robots.ruling(path_and_query).into(),
            Access::Unreachable { older: Some(copy), older_until, .. } if now < *older_until => {
                copy.robots.ruling(path_and_query).into()
            }
            Access::Unreachable { absent_from, .. } if *absent_from <= now => {
                Permission::Allowed { rule: None }
            }
            Access::Unreachable { because, silence, .. } => {
                let waited = prose::span(now.since(silence.since));
                Permission::Disallowed { because: format!("{because}, unreachable for {waited}") }
            }
        }
    }

    /// What the last copy read says of a path, however old it is: good enough to keep a link
    /// out of the queue, not to fetch it. None when there is no copy.
    pub fn last_known_ruling(&self, path_and_query: &str) -> Option<Ruling> {
        self.copy().map(|copy| copy.robots.ruling(path_and_query))
    }

    /// When robots.txt must be asked for next; from then on [`Access::permits`] answers `AskFirst`.
    pub fn next_ask(&self) -> Timestamp {
        match self {
            Access::Unknown | Access::Redirecting { .. } => Timestamp::ZERO,
            Access::Known { expires_at, .. } | Access::AllowAll { expires_at, .. } => *expires_at,
            Access::Unreachable { retry_at, .. } => *retry_at,
        }
    }

    /// The URL to ask for instead of the host's own `/robots.txt`.
    pub fn redirect_target(&self) -> Option<&str> {
        match self {
            Access::Redirecting { to, .. } => Some(to),
            _ => None,
        }
    }

    /// The pause the site asks for between requests, as far as we know.
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.copy()?.robots.crawl_delay()
    }

    /// The sitemaps the site names, as written.
    pub fn sitemaps(&self) -> &[String] {
        self.copy().map_or(&[], |copy| copy.robots.sitemaps())
    }

    fn copy(&self) -> Option<&GoodCopy> {
        match self {
            Access::Known { copy, .. } => Some(copy),
            Access::Redirecting { older, .. } | Access::Unreachable { older, .. } => older.as_ref(),
            Access::Unknown | Access::AllowAll { .. } => None,
        }
    }

    fn into_copy(self) -> Option<GoodCopy> {
        match self {
            Access::Known { copy, .. } => Some(copy),
            Access::Redirecting { older, .. } | Access::Unreachable { older, .. } => older,
            Access::Unknown | Access::AllowAll { .. } => None,
        }
    }

    fn renewed(self, expires_at: Timestamp, rules: &AccessRules, now: Timestamp) -> Access {
        match self {
            Access::Known { copy, .. }
            | Access::Redirecting { older: Some(copy), .. }
            | Access::Unreachable { older: Some(copy), .. } => {
                Access::Known { copy: GoodCopy { fetched_at: now, ..copy }, expires_at }
            }
            // A 304 to a request that could not have been conditional is nonsense.
            without_copy => without_copy.in_vain(answered(304), rules, now),
        }
    }

    fn silence(&self) -> Option<Silence> {
        match self {
            Access::Redirecting { silence, .. } => *silence,
            Access::Unreachable { silence, .. } => Some(*silence),
            Access::Unknown | Access::Known { .. } | Access::AllowAll { .. } => None,
        }
    }

    fn redirected(
        self,
        status: u16,
        location: Option<&str>,
        expires_at: Timestamp,
        rules: &AccessRules,
    ) -> Access {
        let hops = match &self {
            Access::Redirecting { hops, .. } => hops.saturating_add(1),
            _ => 1,
        };
        let Some(to) = location else {
            let because = format!("robots.txt answered {status} without a place to go");
            return Access::AllowAll { because, expires_at };
        };
        if hops > rules.most_redirects {
            let because = format!("robots.txt redirects more than {} times", rules.most_redirects);
            return Access::AllowAll { because, expires_at };
        }
        let silence = self.silence();
        Access::Redirecting { to: to.to_owned(), hops, older: self.into_copy(), silence }
    }

    fn in_vain(self, because: String, rules: &AccessRules, now: Timestamp) -> Access {
        let before = self.silence().unwrap_or(Silence { since: now, attempts: 0 });
        let doubled = rules.first_retry.saturating_mul(2u32.saturating_pow(before.attempts));
        let attempts = before.attempts.saturating_add(1);
        Access::Unreachable {
            because,
            silence: Silence { attempts, ..before },
            retry_at: now + doubled.min(rules.longest_retry),
            older: self.into_copy(),
            older_until: before.since + rules.older_copy_for,
            absent_from: rules.absent_after.map_or(Timestamp::NEVER, |after| before.since + after),
        }
    }
}

impl From<Ruling> for Permission {
    fn from(ruling: Ruling) -> Permission {
        match (ruling.allowed, ruling.rule) {
            (true, rule) => Permission::Allowed { rule },
            (false, rule) => Permission::Disallowed { because: rule.unwrap_or_default() },
        }
    }
}

fn answered(status: u16) -> String {
    format!("robots.txt answered {status}")
}

fn lifetime(max_age: Option<Duration>, rules: &AccessRules) -> Duration {
    max_age.unwrap_or(rules.lifetime).max(rules.shortest_lifetime).min(rules.lifetime)
}

#[cfg(test)]
mod tests;
