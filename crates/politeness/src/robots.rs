//! What a robots.txt says to us: which paths are allowed, how fast, which sitemaps.
//!
//! Follows RFC 9309, with the tolerance for common mistakes that Google's
//! parser shows. Only what concerns our own agent is kept, so that a file of
//! hundreds of kilobytes usually shrinks to a few lines. How the file was
//! fetched, and what a missing file means, is for [`Access`](crate::Access).
//!
//! Known and wanted difference from Google's parser: RFC 9309 section 2.2.2
//! compares paths after percent-encoding is normalised on both sides, so that
//! the rule `/foo/bar/%62%61%7A` covers `/foo/bar/baz`.

mod lines;
mod matching;
mod octets;
mod rules;

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use self::lines::Record;
use self::rules::{Rule, Verb};

/// RFC 9309 section 2.5 asks for at least this much to be read; what follows is ignored.
const LARGEST_FILE: usize = 500 * 1024;

/// The part of a robots.txt that concerns our agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Robots {
    /// Which group of the file speaks to us.
    group: Group,
    /// Most octets first, allow before disallow among equals: the first rule that matches decides.
    rules: Vec<Rule>,
    /// The longest `Crawl-delay` given to us.
    crawl_delay: Option<Duration>,
    /// As written, each once, in order of appearance; they belong to no group.
    sitemaps: Vec<String>,
}

/// Which group of a robots.txt speaks to us.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Group {
    /// A group names our agent.
    Ours,
    /// No group names us, but there is one for `*`.
    Everyone,
    /// No group concerns us: everything is allowed.
    #[default]
    Absent,
}

/// Whether a path is allowed, and by which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// True when the path may be fetched.
    pub allowed: bool,
    /// The line that decided, such as `Disallow: /private/`; none when no line speaks of the path.
    pub rule: Option<String>,
}

impl Robots {
    /// Reads a robots.txt as `agent`, which is a product token (`gannet`) with or without version (`gannet/1.0`).
    ///
    /// Any bytes will do: what is not understood is skipped, so that an HTML
    /// page, for example, allows everything.
    pub fn parse(bytes: &[u8], agent: &str) -> Robots {
        let text = lines::decode(bytes);
        let token = lines::agent_token(agent);
        let mut reading = Reading::default();
        for record in lines::records(whole_lines(&text)) {
            reading.take(record, token);
        }
        reading.finish()
    }

    /// Rules on a path with its query, such as `/search?q=x`.
    pub fn ruling(&self, path_and_query: &str) -> Ruling {
        let path = octets::normalise_path(path_and_query);
        // RFC 9309 section 2.2.2: the file that holds the rules is always allowed.
        if path.as_ref() == b"/robots.txt" {
            return Ruling { allowed: true, rule: None };
        }
        match self.rules.iter().find(|rule| rule.covers(&path)) {
            Some(rule) => Ruling { allowed: rule.allows(), rule: Some(rule.to_string()) },
            None => Ruling { allowed: true, rule: None },
        }
    }

    /// Which group of the file speaks to us.
    pub fn group(&self) -> Group {
        self.group
    }

    /// How many rules concern us.
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }

    /// The pause the site asks for between requests.
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.crawl_delay
    }

    /// The sitemaps named in the file, as written: the caller resolves and checks them.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }
}

/// True when `agent` is a product token as RFC 9309 section 2.2.1 spells it: letters, `-` and `_` only.
pub fn is_product_token(agent: &str) -> bool {
    !agent.is_empty() && agent.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_'))
}

/// The first 500 KiB; a line cut in two by that limit is dropped, for half a rule is another rule.
fn whole_lines(text: &[u8]) -> &[u8] {
    if text.len() <= LARGEST_FILE {
        return text;
    }
    let kept = &text[..LARGEST_FILE];
    let end = memchr::memrchr2(b'\n', b'\r', kept).unwrap_or(0);
    &kept[..end]
}

/// What a group said, before we know whether it is the one that counts.
#[derive(Default)]
struct Said<'a> {
    named: bool,
    rules: Vec<(Verb, &'a [u8])>,
    crawl_delay: Option<Duration>,
}

/// The file as read so far. Groups for the same agent are merged as they come.
#[derive(Default)]
struct Reading<'a> {
    ours: Said<'a>,
    everyone: Said<'a>,
    sitemaps: Vec<&'a [u8]>,
    /// The group being read speaks to us by name.
    to_us: bool,
    /// The group being read speaks to `*`.
    to_everyone: bool,
    /// A rule was seen, so the next agent line opens a new group.
    in_rules: bool,
}

impl<'a> Reading<'a> {
    fn take(&mut self, record: Record<'a>, token: Option<&str>) {
        match record {
            Record::Agent(value) => self.open_group(value, token),
            Record::Allow(path) => self.add_rule(Verb::Allow, path),
            Record::Disallow(path) => self.add_rule(Verb::Disallow, path),
            Record::CrawlDelay(value) => self.slow_down(value),
            Record::Sitemap(url) => self.sitemaps.push(url),
            // RFC 9309 section 2.2.4: other records must not end a group.
            Record::Other => {}
        }
    }

    fn open_group(&mut self, value: &[u8], token: Option<&str>) {
        if self.in_rules {
            (self.to_us, self.to_everyone, self.in_rules) = (false, false, false);
        }
        if lines::names_everyone(value) {
            (self.to_everyone, self.everyone.named) = (true, true);
        } else if token.is_some_and(|ours| lines::names(value, ours)) {
            (self.to_us, self.ours.named) = (true, true);
        }
    }

    fn addressed(&mut self) -> impl Iterator<Item = &mut Said<'a>> {
        let ours = self.to_us.then_some(&mut self.ours);
        let everyone = self.to_everyone.then_some(&mut self.everyone);
        ours.into_iter().chain(everyone)
    }

    fn add_rule(&mut self, verb: Verb, path: &'a [u8]) {
        self.in_rules = true;
        // An empty path matches nothing (section 2.2.2); `Disallow:` is how files say "all is allowed".
        if path.is_empty() {
            return;
        }
        for said in self.addressed() {
            said.rules.push((verb, path));
        }
    }

    /// Crawl-delay goes to the agents named so far and, not being a rule, leaves the group open.
    /// When merged groups disagree, the longest delay is the safe reading.
    fn slow_down(&mut self, value: &[u8]) {
        let delay = lines::seconds(value);
        for said in self.addressed() {
            said.crawl_delay = said.crawl_delay.max(delay);
        }
    }

    fn finish(self) -> Robots {
        let (group, said) = match (self.ours.named, self.everyone.named) {
            (true, _) => (Group::Ours, self.ours),
            (false, true) => (Group::Everyone, self.everyone),
            (false, false) => (Group::Absent, Said::default()),
        };
        let mut seen = HashSet::new();
        let sitemaps = self.sitemaps.into_iter().filter(|url| !url.is_empty() && seen.insert(*url));
        Robots {
            group,
            rules: rules::in_order_of_precedence(&said.rules),
            crawl_delay: said.crawl_delay,
            sitemaps: sitemaps.map(|url| String::from_utf8_lossy(url).into_owned()).collect(),
        }
    }
}
