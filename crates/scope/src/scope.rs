//! Is this URL ours? The ordered rules, and the first that holds decides.
//!
//! Built-in fences come first: text only, the greatest depth, the seeds' hosts
//! or domains. They are limits, so no later rule can reach beyond them. Then
//! come the user's rules in their order, then the default. A scope prints
//! itself as numbered sentences, and every decision names the sentence it
//! rests on.

use std::fmt;

use gannet_model::PageUrl;
use serde::{Deserialize, Serialize};

use crate::ascend::directories_above;
use crate::rules::seed_fence::SeedFence;
use crate::rules::text_only::TextOnly;
use crate::rules::{
    self, Action, Candidate, Condition, DepthOver, RuleConfig, RuleProblem, read_domain,
};
use crate::words::WordSet;

/// `[scope]`: which URLs belong to the crawl.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScopeConfig {
    /// What happens to a URL that no rule speaks of: `accept` or `reject`.
    pub default: Action,
    /// How far the crawl may stray from the seeds: `anywhere`, `seed-hosts`
    /// (with or without `www.`) or `seed-domains` (everything below the
    /// registrable domain, such as `example.co.uk`).
    pub stay: Stay,
    /// Domains that `stay` counts as inside besides the seeds' own, with
    /// everything below them.
    pub also_domains: Vec<String>,
    /// Reject URLs that lie more links than this from the nearest seed.
    pub max_depth: u32,
    /// Reject URLs whose extension says that they are no page of text: images,
    /// style sheets, scripts, fonts, media, archives, programs, documents.
    pub text_only: bool,
    /// For every page also try the directories above it: `/a/b/c` gives
    /// `/a/b/`, `/a/` and `/`.
    pub path_ascending: bool,
    /// The rules, in order: the first whose condition holds decides.
    #[serde(rename = "rule")]
    pub rules: Vec<RuleConfig>,
}

/// How far a crawl may stray from its seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stay {
    /// Links may lead to any host.
    Anywhere,
    /// Only hosts that a seed names.
    SeedHosts,
    /// Only registrable domains that a seed lies in.
    SeedDomains,
}

impl Default for ScopeConfig {
    fn default() -> ScopeConfig {
        ScopeConfig {
            default: Action::Accept,
            stay: Stay::Anywhere,
            also_domains: Vec::new(),
            max_depth: 20,
            text_only: true,
            path_ascending: false,
            rules: Vec::new(),
        }
    }
}

/// Why a scope cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScopeError {
    /// A rule that says nothing, or nothing that we understand.
    #[error("scope.rule {label}: {problem}")]
    BadRule {
        /// Its position, counted from one, and its name.
        label: String,
        /// What is wrong, and what would be right.
        #[source]
        problem: RuleProblem,
    },
    /// Not a domain.
    #[error(
        "scope.also_domains: {0:?} is not a domain; write example.org, which covers what is below it"
    )]
    BadDomain(String),
    /// A fence around nothing lets nothing in.
    #[error(
        "scope.stay = {stay:?} needs seeds to stay near; add a seed or write stay = \"anywhere\""
    )]
    NoSeeds {
        /// The setting, as it is written.
        stay: &'static str,
    },
}

/// The rules of a crawl, ready to decide.
#[derive(Debug)]
pub struct Scope {
    rules: Vec<Rule>,
    default: Action,
    ascends: bool,
}

/// One rule, built-in or the user's.
#[derive(Debug)]
struct Rule {
    name: Option<String>,
    action: Action,
    when: Box<dyn Condition>,
}

/// Whether a URL is ours, and why.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'scope> {
    /// What was decided.
    pub action: Action,
    /// The sentence it rests on; rendered only when somebody asks.
    pub because: Because<'scope>,
}

/// The rule that decided. Displayed as `rule 4: reject "no calendars": when …`.
#[derive(Clone, Copy, Debug)]
pub struct Because<'scope> {
    scope: &'scope Scope,
    /// Position among all rules; the number of rules when none held.
    index: usize,
}

impl Scope {
    /// Reads the rules and makes them quick to ask.
    pub fn build(config: &ScopeConfig, seeds: &[PageUrl]) -> Result<Scope, ScopeError> {
        let mut rules = Vec::new();
        let mut fence = |name: &str, when: Box<dyn Condition>| {
            rules.push(Rule { name: Some(name.to_owned()), action: Action::Reject, when });
        };
        if config.text_only {
            fence("text only", Box::new(TextOnly::new()));
        }
        fence("too deep", Box::new(DepthOver(config.max_depth)));
        if let Some(stay) = read_stay(config, seeds)? {
            fence("elsewhere", Box::new(stay));
        }
        for (index, rule) in config.rules.iter().enumerate() {
            let when = rules::build(&rule.when).map_err(|problem| {
                let name = rule.name.iter().map(|name| format!(" {name:?}")).collect::<String>();
                ScopeError::BadRule { label: format!("{}{name}", index + 1), problem }
            })?;
            rules.push(Rule { name: rule.name.clone(), action: rule.action, when });
        }
        Ok(Scope { rules, default: config.default, ascends: config.path_ascending })
    }

    /// Whether the candidate is ours: the first rule that holds, else the default.
    pub fn decide(&self, candidate: &Candidate<'_>) -> Decision<'_> {
        let held = self.rules.iter().position(|rule| rule.when.holds(candidate));
        let index = held.unwrap_or(self.rules.len());
        let action = held.map_or(self.default, |index| self.rules[index].action);
        Decision { action, because: Because { scope: self, index } }
    }

    /// The directories above a page that the crawl wants to try, nearest
    /// first; none unless `path_ascending` is set. They are not decided yet.
    pub fn ascend(&self, page: &PageUrl) -> Vec<PageUrl> {
        if self.ascends { directories_above(page) } else { Vec::new() }
    }
}

/// The fence around the seeds, when there is one.
fn read_stay(config: &ScopeConfig, seeds: &[PageUrl]) -> Result<Option<SeedFence>, ScopeError> {
    let mut also = Vec::new();
    for domain in &config.also_domains {
        also.push(read_domain(domain).ok_or_else(|| ScopeError::BadDomain(domain.clone()))?);
    }
    let also: WordSet = also.into_iter().collect();
    let is_empty = seeds.is_empty() && also.is_empty();
    match config.stay {
        Stay::Anywhere => Ok(None),
        Stay::SeedHosts if is_empty => Err(ScopeError::NoSeeds { stay: "seed-hosts" }),
        Stay::SeedDomains if is_empty => Err(ScopeError::NoSeeds { stay: "seed-domains" }),
        Stay::SeedHosts => Ok(Some(SeedFence::around_hosts(seeds, also))),
        Stay::SeedDomains => Ok(Some(SeedFence::around_domains(seeds, also))),
    }
}

impl Decision<'_> {
    /// True when the URL is ours.
    pub fn is_accepted(&self) -> bool {
        self.action == Action::Accept
    }
}

impl Because<'_> {
    /// The number of the sentence in the printed scope, counted from one.
    pub fn number(&self) -> usize {
        self.index + 1
    }

    /// What the user, or we, called the rule.
    pub fn name(&self) -> Option<&str> {
        self.scope.rules.get(self.index)?.name.as_deref()
    }
}

impl fmt::Display for Because<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rule {}: ", self.number())?;
        self.scope.write_sentence(f, self.index)
    }
}

impl Scope {
    /// Writes the sentence at the position; the one past the last rule is the default.
    fn write_sentence(&self, f: &mut fmt::Formatter<'_>, index: usize) -> fmt::Result {
        match self.rules.get(index) {
            Some(rule) => write!(f, "{rule}"),
            None => write!(f, "{} everything else", self.default),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in 0..=self.rules.len() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{}. ", index + 1)?;
            self.write_sentence(f, index)?;
        }
        Ok(())
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "{} \"{name}\": when {}", self.action, self.when),
            None => write!(f, "{} when {}", self.action, self.when),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Action::Accept => "accept",
            Action::Reject => "reject",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = r#"
        default = "reject"
        stay = "seed-domains"
        [[rule]]
        name = "no calendars"
        action = "reject"
        when = { any = [ { pattern = "/calendar/" }, { extension = ["ics"] } ] }
        [[rule]]
        action = "accept"
        when = { all = [ { domain = "example.org" }, { not = { depth_over = 5 } } ] }
    "#;

    fn scope(toml: &str) -> Result<Scope, ScopeError> {
        let seeds = [PageUrl::parse("https://www.example.org/").unwrap()];
        Scope::build(&toml::from_str(toml).unwrap(), &seeds)
    }

    #[track_caller]
    fn check(toml: &str, url: &str, depth: u32, because: &str) {
        let scope = scope(toml).unwrap();
        let url = PageUrl::parse(url).unwrap();
        let decision = scope.decide(&Candidate { url: &url, depth });
        let text = decision.because.to_string();
        assert_eq!(text, because);
        assert!(text.contains(&decision.action.to_string()));
    }

    #[test]
    fn the_first_rule_that_holds_decides() {
        let calendars = "rule 4: reject \"no calendars\": when the URL matches /calendar/ \
                         or its extension is ics";
        check(EXAMPLE, "http://example.org/calendar/1", 1, calendars);
        check(EXAMPLE, "http://example.org/a.ics", 1, calendars);
        check(
            EXAMPLE,
            "http://example.org/a",
            1,
            "rule 5: accept when its host is in the domain example.org \
             and not (it is more than 5 links from a seed)",
        );
        check(EXAMPLE, "http://example.org/a", 6, "rule 6: reject everything else");
    }

    #[test]
    fn no_rule_reaches_beyond_the_fences() {
        let too_deep = "rule 2: reject \"too deep\": when it is more than 20 links from a seed";
        check(EXAMPLE, "http://example.org/a", 21, too_deep);
        let elsewhere = "rule 3: reject \"elsewhere\": when its registrable domain is not \
                         a seed's (example.org)";
        check(EXAMPLE, "http://other.org/a", 1, elsewhere);
        check("", "http://other.org/a", 1, "rule 3: accept everything else");
        let url = "http://example.org/a.png";
        check("text_only = false", url, 1, "rule 2: accept everything else");
    }

    #[test]
    fn a_scope_reads_as_numbered_sentences() {
        let text = scope(&format!("text_only = false\n{EXAMPLE}")).unwrap().to_string();
        assert_eq!(
            text.lines().collect::<Vec<_>>(),
            [
                "1. reject \"too deep\": when it is more than 20 links from a seed",
                "2. reject \"elsewhere\": when its registrable domain is not a seed's (example.org)",
                "3. reject \"no calendars\": when the URL matches /calendar/ or its extension is ics",
                "4. accept when its host is in the domain example.org \
                 and not (it is more than 5 links from a seed)",
                "5. reject everything else",
            ]
        );
    }

    #[track_caller]
    fn check_refused(toml: &str, message: &str) {
        let error = scope(toml).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }

    #[test]
    fn bad_rules_are_named_with_what_would_be_right() {
        let rule = "[[rule]]\naction = 'accept'\nwhen = { query = true }\n[[rule]]\n";
        check_refused(
            &format!("{rule}name = 'x'\naction = 'reject'\nwhen = {{ pattern = '(' }}"),
            "scope.rule 2 \"x\": pattern \"(\" cannot be used",
        );
        check_refused(
            &format!("{rule}action = 'reject'\nwhen = {{ patern = 'a' }}"),
            "scope.rule 2: unknown kind \"patern\"; known are all, any",
        );
        check_refused("also_domains = ['http://a/']", "scope.also_domains: \"http://a/\"");
        let config = ScopeConfig { stay: Stay::SeedHosts, ..ScopeConfig::default() };
        let error = Scope::build(&config, &[]).unwrap_err().to_string();
        assert!(error.contains("scope.stay = \"seed-hosts\" needs seeds"), "{error}");
    }

    #[test]
    fn unknown_keys_and_actions_are_refused() {
        for toml in ["depth = 5", "[[rule]]\naction = 'drop'\nwhen = {}", "[[rule]]\nwhen = {}"] {
            assert!(toml::from_str::<ScopeConfig>(toml).is_err(), "{toml}");
        }
    }

    #[test]
    fn a_config_survives_being_written_and_read() {
        let config: ScopeConfig = toml::from_str(EXAMPLE).unwrap();
        let written = toml::to_string(&config).unwrap();
        assert_eq!(toml::from_str::<ScopeConfig>(&written).unwrap(), config);
    }

    #[test]
    fn directories_are_climbed_only_when_asked() {
        let page = PageUrl::parse("http://example.org/a/b").unwrap();
        assert!(scope("").unwrap().ascend(&page).is_empty());
        assert_eq!(scope("path_ascending = true").unwrap().ascend(&page).len(), 2);
    }
}
