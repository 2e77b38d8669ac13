//! Addresses like those of relevant pages come first, by rules learned from them (S1.10; the
//! URL-rule based crawler of Zheng and others, 2008).
//!
//! Each page that is judged counts for the regular expressions its URL matches: its host,
//! each directory above it, the files of its directory, its path with every number
//! open, and its directories on any host. An expression becomes a rule when enough
//! relevant pages match it and enough of all that do are relevant. A link is worth the share of
//! relevant pages, `(r + 1) / (n + 2)`, of the best rule it matches; one that matches none is worth
//! little, less with every step from a seed, so that the crawl can start.
//!
//! **Choose it when** sites keep topics in directories. **Cost:** a few strings for each link; the
//! counts of all expressions of fetched pages are stored with the crawl, and for each expression that
//! is no rule yet, up to 1,000 links that wait for it are in memory. **Weakness:** what lies behind
//! addresses without system is found by chance.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gannet_model::{Fingerprint, HostId, PageUrl, Reason, Reasons, SettingsError, Worth};
use serde::{Deserialize, Serialize};

use crate::order::{Entry, Finding, LinkSight, Order, Queued, Risen, Valued};
use crate::traits::{pack, unpack};
use gannet_model::limits;

pub(crate) const ENTRY: Entry = Entry {
    name: "url-rules",
    summary: "links whose URL matches regular expressions learned from relevant pages",
    build: |_, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(UrlRules {
            config,
            counts: BTreeMap::new(),
            waiting: HashMap::new(),
            risen: Vec::new(),
        }))
    },
};

/// `[order.url-rules]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Relevant pages that must match an expression before it is a rule.
    support: u32,
    /// Share of relevant pages among those that match it.
    precision: f32,
}

impl Default for Config {
    fn default() -> Config {
        Config { support: 3, precision: 0.5 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::at_least_one("support", self.support)?;
        limits::share("precision", self.precision)
    }
}

/// What a link that matches no rule is worth at a seed: less than the worst rule.
const UNMATCHED: f32 = 1.0 / 64.0;
/// Directories of a URL that are looked at: deeper ones are traps or say no more.
const DEEPEST: usize = 4;
/// Links remembered for one expression that may become a rule.
const MOST_WAITING: usize = 1000;

struct UrlRules {
    config: Config,
    /// Of every expression that a judged page matched.
    counts: BTreeMap<String, Count>,
    /// Links that wait, by the expressions they match, as long as those are no rules.
    waiting: HashMap<String, BTreeSet<(Fingerprint, HostId)>>,
    risen: Vec<Risen>,
}

/// Pages that matched an expression.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Count {
    relevant: u32,
    all: u32,
}

impl Count {
    fn share(self) -> f32 {
        (self.relevant as f32 + 1.0) / (self.all as f32 + 2.0)
    }

    fn is_rule(self, config: &Config) -> bool {
        let share = self.relevant as f32 / self.all.max(1) as f32;
        self.relevant >= config.support && share >= config.precision
    }
}

/// Regular expressions over whole URLs that this one matches and that others may match as well.
fn expressions(url: &PageUrl) -> Vec<String> {
    let host = escaped(url.host().as_str());
    let path = url.path();
    let slash = path.rfind('/').unwrap_or(0);
    let (directory, file) = (&path[..slash], &path[slash + 1..]);
    let mut expressions = vec![format!("^https?://{host}/")];
    let mut prefix = String::new();
    for part in directory.split('/').filter(|part| !part.is_empty()).take(DEEPEST) {
        prefix.push_str(&open_numbers(part));
        prefix.push('/');
        expressions.push(format!("^https?://{host}/{prefix}"));
        expressions.push(format!("^https?://[^/]+/{prefix}"));
    }
    let has_number = file.bytes().any(|byte| byte.is_ascii_digit());
    if has_number {
        let whole = open_numbers(path);
        expressions.push(format!("^https?://{host}{whole}$"));
    }
    if let Some((key, _)) = url.as_url().query().and_then(|query| query.split_once('=')) {
        let (path, key) = (escaped(path), escaped(key));
        expressions.push(format!("^https?://{host}{path}\\?{key}="));
    }
    expressions
}

/// Text that matches itself alone.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(
            c,
            '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$' | '\\'
        ) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Text that matches itself with any other numbers.
fn open_numbers(text: &str) -> String {
    let mut opened = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        opened.push_str(&escaped(&rest[..start]));
        opened.push_str("[0-9]+");
        rest = rest[start..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    opened.push_str(&escaped(rest));
    opened
}

impl UrlRules {
    fn count(&mut self, page: &Queued<'_>, is_relevant: bool) {
        let place = (page.fingerprint, page.host);
        for expression in expressions(page.url) {
            if let Some(waiting) = self.waiting.get_mut(&expression) {
                waiting.remove(&place);
            }
            let count = self.counts.entry(expression.clone()).or_default();
            count.relevant += u32::from(is_relevant);
            count.all += 1;
            if !count.is_rule(&self.config) {
                continue;
            }
            let worth = Worth::new(count.share());
            let matching = self.waiting.remove(&expression).unwrap_or_default();
            let risen = matching.into_iter();
            self.risen.extend(risen.map(|(fingerprint, host)| Risen { fingerprint, host, worth }));
        }
    }

    fn valued(&self, url: &PageUrl, depth: u32, expressions: &[String]) -> Valued {
        let rules = expressions.iter().filter_map(|expression| {
            let count = self.counts.get(expression)?;
            count.is_rule(&self.config).then_some((count, expression))
        });
        let best = rules.max_by(|(a, _), (b, _)| a.share().total_cmp(&b.share()));
        let reason = match best {
            Some((count, rule)) => {
                let note = format!("{rule}: {} of {} pages", count.relevant, count.all);
                Reason::new("rule", count.share()).note(note)
            }
            None => {
                let worth = UNMATCHED / (1.0 + depth as f32);
                Reason::new("no rule", worth).note(format!("{} matches none", url.path()))
            }
        };
        Valued::new(Worth::new(reason.value), Reasons::one(reason))
    }

    /// Remembers a link that waits for one of its expressions to become a rule.
    fn wait(&mut self, link: &Queued<'_>, expressions: Vec<String>) {
        for expression in expressions {
            let count = self.counts.get(&expression).copied().unwrap_or_default();
            if count.is_rule(&self.config) {
                continue;
            }
            let waiting = self.waiting.entry(expression).or_default();
            if waiting.len() < MOST_WAITING {
                waiting.insert((link.fingerprint, link.host));
            }
        }
    }
}

impl Order for UrlRules {
    fn observe(&mut self, finding: &Finding<'_>) {
        self.count(&finding.page, finding.judgement.is_relevant());
    }

    fn observe_miss(&mut self, link: &Queued<'_>) {
        self.count(link, false);
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let target = &sight.target;
        let expressions = expressions(target.url);
        let valued = self.valued(target.url, target.depth, &expressions);
        if !sight.is_again {
            self.wait(target, expressions);
        }
        Some(valued)
    }

    fn revalue(&mut self, link: &Queued<'_>) -> Option<Valued> {
        let is_seed = link.depth == 0;
        (!is_seed).then(|| self.valued(link.url, link.depth, &expressions(link.url)))
    }

    fn risen(&mut self) -> Vec<Risen> {
        std::mem::take(&mut self.risen)
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(pack(&self.counts))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let Some(counts) = unpack(state) else { return false };
        self.counts = counts;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Bench, page, url};

    #[test]
    fn every_expression_matches_the_url_it_comes_from() {
        for address in [
            "http://a.example/",
            "http://a.example:8080/(x)/[y]/z+1.html",
            "https://a.example/news/2024/03/item-17.html",
            "http://a.example/show.php?id=3&x=[1]",
            "http://a.example/1/2/3/4/5/6/7",
        ] {
            let url = url(address);
            let expressions = expressions(&url);
            assert!(!expressions.is_empty());
            for expression in expressions {
                let regex = regex::Regex::new(&expression).unwrap();
                assert!(regex.is_match(url.as_str()), "{expression} does not match {address}");
            }
        }
    }

    #[test]
    fn expressions_grow_from_the_host_to_the_numbered_file() {
        assert_eq!(
            expressions(&url("http://a.example/birds/item7.html")),
            [
                "^https?://a\\.example/",
                "^https?://a\\.example/birds/",
                "^https?://[^/]+/birds/",
                "^https?://a\\.example/birds/item[0-9]+\\.html$",
            ]
        );
    }

    #[test]
    fn three_relevant_pages_of_a_directory_make_a_rule_and_waiting_links_rise() {
        let mut bench = Bench::new("url-rules", "gannet");
        let (like, unlike) = ("http://b.example/birds/9", "http://b.example/cars/9");
        let before =
            bench.worths(&page("http://a.example/", 0.0, "").link(like, "x").link(unlike, "x"));
        assert_eq!(before[0], before[1]);
        for number in 0..3 {
            bench.worths(&page(&format!("http://b.example/birds/{number}"), 0.9, ""));
            bench.worths(&page(&format!("http://b.example/cars/{number}"), 0.1, ""));
        }
        let fingerprints: Vec<_> =
            bench.order.risen().iter().map(|risen| risen.fingerprint).collect();
        assert!(fingerprints.contains(&url(like).fingerprint()));
        let after =
            bench.worths(&page("http://c.example/", 0.0, "").link(like, "x").link(unlike, "x"));
        assert!((after[0] - 0.8).abs() < 1e-6, "(3 + 1) / (3 + 2): {after:?}");
        assert!(after[1] < 0.6, "the host alone is no better than its pages: {after:?}");

        let mut next = Bench::new("url-rules", "gannet");
        assert!(next.order.restore(&bench.order.state().unwrap()));
        let valued = Valued::new(Worth::ZERO, Reasons::none());
        assert_eq!(next.revalue(like, &valued), bench.revalue(like, &valued));
    }

    #[test]
    fn a_rule_that_fails_is_a_rule_no_more() {
        let mut bench = Bench::new("url-rules", "gannet");
        for number in 0..9 {
            let score = if number < 3 { 0.9 } else { 0.1 };
            bench.worths(&page(&format!("http://b.example/birds/{number}"), score, ""));
        }
        let link = page("http://a.example/", 0.0, "").link("http://b.example/birds/x", "x");
        assert!(bench.worths(&link)[0] < UNMATCHED);
    }

    #[test]
    fn a_rule_without_support_is_refused() {
        assert!(Bench::refusal("url-rules", "support = 0").contains("`support` is 0; write"));
    }
}
