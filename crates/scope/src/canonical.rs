//! One spelling for the many of one page.
//!
//! [`Canonical::apply`] turns an address into the one we store, compare and
//! ask for. It only undoes what cannot name another page; where sites differ
//! the spellings stay apart, because a page fetched twice costs a request and
//! two pages taken for one cost a page.
//!
//! | part | canonical form | why |
//! |---|---|---|
//! | scheme | lower case; `http` and `https` kept apart | a site may answer them differently; redirects tell |
//! | credentials | dropped | never sent by a crawler |
//! | host | lower case, IDN in punycode, no trailing dot, `www.` kept | DNS; `www` may be another site |
//! | port | dropped when it is the scheme's own | RFC 3986 6.2.3 |
//! | path `.` and `..` | resolved | RFC 3986 5.2.4 |
//! | path `//` | kept | some servers tell `/a//b` from `/a/b` |
//! | path end | trailing slash and `index.html` kept | servers differ; redirects tell |
//! | escapes | capital digits; letters, digits, `-._~` decoded; others kept as they came | RFC 3986 6.2.2 |
//! | stray `%` | kept | browsers send it so |
//! | `;jsessionid=…`, `/(S(…))/` | dropped | a visit, not a page |
//! | session parameters | dropped; ambiguous names only with a random value | a visit, not a page |
//! | tracking parameters | dropped | a visit, not a page |
//! | other parameters | kept, in order, `a` and `a=` apart | order and emptiness may matter |
//! | empty parameters, empty query | `?`, `&&`, final `&` dropped | they say nothing |
//! | fragment | dropped, `#!` too | never sent to the server |
//!
//! The rows that [`PageUrl`] itself keeps (scheme to dot segments, fragment)
//! hold already when an address arrives here.
//!
//! A server that *insists* on its session identifier answers the address
//! without it by a redirect to one with it, whose canonical form is again the
//! first. Whoever follows redirects must follow the raw address and
//! canonicalise only what it stores; or set `drop_session_ids = false`.

mod escapes;
mod parameters;
mod sessions;

use std::borrow::Cow;

use gannet_model::PageUrl;
use serde::{Deserialize, Serialize};
use url::Position;

pub use parameters::{LIKELY_SESSION_PARAMETERS, SESSION_PARAMETERS, TRACKING_PARAMETERS};

use parameters::NameSet;

/// `[canonical]`: which spellings count as one page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CanonicalConfig {
    /// Drop parameters that only tell where a visitor came from: `utm_*`,
    /// `gclid`, `fbclid`, `msclkid`, `mc_eid` and some sixty more.
    pub drop_tracking: bool,
    /// Drop session identifiers: `;jsessionid=…` and `/(S(…))/` in the path;
    /// `PHPSESSID`, `ASPSESSIONID…`, `CFID` and their like in the query; and
    /// `sid` or `session` when the value is 24 or more random characters.
    pub drop_session_ids: bool,
    /// Further parameters to drop everywhere; `*` stands for any characters
    /// and letter case is ignored. Example: `["ref", "from_*"]`.
    pub also_drop: Vec<String>,
    /// Parameters never to drop, whatever the lists say; `*` as above.
    pub keep: Vec<String>,
    /// Sort parameters by name (repeated names keep their order). Off, because
    /// some servers read the order, and because the sorted address, one that no
    /// page links to, is the one we would ask for. Turn it on for a site
    /// that shuffles its parameters.
    pub sort_parameters: bool,
}

impl Default for CanonicalConfig {
    fn default() -> CanonicalConfig {
        CanonicalConfig {
            drop_tracking: true,
            drop_session_ids: true,
            also_drop: Vec::new(),
            keep: Vec::new(),
            sort_parameters: false,
        }
    }
}

/// Why a canonical form cannot be built.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CanonicalError {
    /// A listed name that no parameter can have.
    #[error(
        "canonical.{key}: {name:?} is not a parameter name; write a name such as \"ref\", \
         with * for any characters"
    )]
    NotAName {
        /// The list it stands in.
        key: &'static str,
        /// What stands there.
        name: String,
    },
}

/// The canonical form, ready to apply.
#[derive(Clone, Debug)]
pub struct Canonical {
    /// Parameters dropped whatever their value.
    dropped: NameSet,
    /// Parameters dropped when their value looks like a session identifier.
    likely_sessions: NameSet,
    /// Parameters never dropped.
    kept: NameSet,
    /// Names of session identifiers in the path; nothing when those stay.
    path_sessions: Option<NameSet>,
    sorts: bool,
}

impl Default for Canonical {
    fn default() -> Canonical {
        Canonical::with_checked(&CanonicalConfig::default())
    }
}

impl Canonical {
    /// Checks the lists and makes them quick to ask.
    pub fn new(config: &CanonicalConfig) -> Result<Canonical, CanonicalError> {
        for (key, names) in [("also_drop", &config.also_drop), ("keep", &config.keep)] {
            for name in names {
                let is_stray = |c: char| c.is_whitespace() || c.is_control() || "&=?#/".contains(c);
                if name.is_empty() || name == "*" || name.contains(is_stray) {
                    return Err(CanonicalError::NotAName { key, name: name.clone() });
                }
            }
        }
        Ok(Canonical::with_checked(config))
    }

    fn with_checked(config: &CanonicalConfig) -> Canonical {
        let mut dropped: Vec<&str> = config.also_drop.iter().map(String::as_str).collect();
        if config.drop_tracking {
            dropped.extend(TRACKING_PARAMETERS);
        }
        let mut likely: &[&str] = &[];
        if config.drop_session_ids {
            dropped.extend(SESSION_PARAMETERS);
            likely = LIKELY_SESSION_PARAMETERS;
        }
        Canonical {
            dropped: NameSet::new(dropped),
            likely_sessions: NameSet::new(likely.iter().copied()),
            kept: NameSet::new(config.keep.iter().map(String::as_str)),
            path_sessions: config
                .drop_session_ids
                .then(|| NameSet::new(SESSION_PARAMETERS.iter().copied())),
            sorts: config.sort_parameters,
        }
    }

    /// The canonical form of an address; the address itself, untouched, when it is canonical.
    pub fn apply(&self, url: PageUrl) -> PageUrl {
        match self.rewritten(&url) {
            // Only removals and unreserved characters: what was a URL is one still.
            Some(text) => PageUrl::parse(&text).unwrap_or(url),
            None => url,
        }
    }

    /// The new text, when the address is not canonical.
    fn rewritten(&self, url: &PageUrl) -> Option<String> {
        let tail = url.path_and_query();
        let marks = Marks::scan(tail);
        if !(marks.escape || marks.query || marks.session) {
            return None;
        }
        let normal = if marks.escape { escapes::normalise(tail) } else { Cow::Borrowed(tail) };
        let (path, query) = match normal.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (&*normal, None),
        };
        let path = match &self.path_sessions {
            Some(names) if marks.session => sessions::strip_path(path, names),
            _ => Cow::Borrowed(path),
        };
        let cleaned = query.map(|query| self.clean_query(query));
        let is_empty_query = cleaned.as_deref() == Some("");
        let has_changed = matches!(normal, Cow::Owned(_))
            || matches!(path, Cow::Owned(_))
            || matches!(cleaned, Some(Cow::Owned(_)))
            || is_empty_query;
        if !has_changed {
            return None;
        }
        let origin = &url.as_url()[..Position::BeforePath];
        let mut text = String::with_capacity(url.as_str().len());
        text.push_str(origin);
        text.push_str(&path);
        if let Some(query) = cleaned.filter(|query| !query.is_empty()) {
            text.push('?');
            text.push_str(&query);
        }
        Some(text)
    }

    /// Removes the parameters that do not name the page; borrows when there are none.
    fn clean_query<'a>(&self, query: &'a str) -> Cow<'a, str> {
        let stays = |parameter: &&str| !self.drops(parameter);
        let is_clean = query.split('&').all(|parameter| stays(&parameter));
        if is_clean && !self.sorts {
            return Cow::Borrowed(query);
        }
        let mut parameters: Vec<&str> = query.split('&').filter(stays).collect();
        if self.sorts {
            parameters.sort_by_key(|parameter| name_of(parameter));
        }
        let cleaned = parameters.join("&");
        if cleaned == query { Cow::Borrowed(query) } else { Cow::Owned(cleaned) }
    }

    fn drops(&self, parameter: &str) -> bool {
        if parameter.is_empty() {
            return true;
        }
        // Pages that escape twice link to `?a=1&amp;utm_source=…`.
        let name = name_of(parameter);
        let name = name.strip_prefix("amp;").unwrap_or(name);
        let is_listed = self.dropped.contains(name)
            || (self.likely_sessions.contains(name)
                && parameter
                    .split_once('=')
                    .is_some_and(|(_, value)| sessions::looks_random(value)));
        is_listed && !self.kept.contains(name)
    }
}

/// A parameter's name, as it is spelt.
fn name_of(parameter: &str) -> &str {
    parameter.split_once('=').map_or(parameter, |(name, _)| name)
}

/// What one pass over path and query saw: most addresses have none of it.
struct Marks {
    escape: bool,
    query: bool,
    /// `;` or `(`, which begin a session identifier in a path.
    session: bool,
}

impl Marks {
    fn scan(tail: &str) -> Marks {
        let mut marks = Marks { escape: false, query: false, session: false };
        for byte in tail.bytes() {
            match byte {
                b'%' => marks.escape = true,
                b'?' => marks.query = true,
                b';' | b'(' => marks.session = true,
                _ => {}
            }
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_with(config: &CanonicalConfig, input: &str, expected: &str) {
        let canonical = Canonical::new(config).unwrap();
        let once = canonical.apply(PageUrl::parse(input).unwrap());
        assert_eq!(once.as_str(), expected);
        assert_eq!(canonical.apply(once.clone()), once, "not stable");
    }

    #[track_caller]
    fn check(input: &str, expected: &str) {
        check_with(&CanonicalConfig::default(), input, expected);
    }

    #[test]
    fn tracking_parameters_are_dropped_and_others_keep_their_order() {
        check("http://a.org/?utm_source=x&b=2&a=1&fbclid=y", "http://a.org/?b=2&a=1");
        check("http://a.org/?%75tm_source=x", "http://a.org/");
        check("http://a.org/?a=1&amp;utm_source=x", "http://a.org/?a=1");
        check("http://a.org/?GCLID=1&ref=2", "http://a.org/?ref=2");
    }

    #[test]
    fn session_identifiers_are_dropped() {
        check("http://a.org/x;jsessionid=AB12?y=1", "http://a.org/x?y=1");
        check("http://a.org/?PHPSESSID=1", "http://a.org/");
        check("http://a.org/?ASPSESSIONIDQQ=1&b", "http://a.org/?b");
        check("http://a.org/?sid=0123456789abcdef0123456789abcdef", "http://a.org/");
        check("http://a.org/?sid=5", "http://a.org/?sid=5");
    }

    #[test]
    fn empty_queries_and_parameters_are_dropped() {
        check("http://a.org/?", "http://a.org/");
        check("http://a.org/?&", "http://a.org/");
        check("http://a.org/?&a=1&&b&", "http://a.org/?a=1&b");
        check("http://a.org/?utm_source=x&", "http://a.org/");
    }

    #[test]
    fn what_may_name_another_page_is_kept() {
        check("http://www.a.org//b//index.html", "http://www.a.org//b//index.html");
        check("http://a.org/?a=&b", "http://a.org/?a=&b");
        check("http://a.org/?a=2&a=1&a=2", "http://a.org/?a=2&a=1&a=2");
        check("http://a.org/?q=tl;dr(1)", "http://a.org/?q=tl;dr(1)");
        check("http://a.org/a/?b/", "http://a.org/a/?b/");
    }

    #[test]
    fn addresses_lose_what_never_reaches_the_page() {
        check("HTTP://u:p@BÜCHER.de.:80/a/./%2E%2e/%7eb#!/c", "http://xn--bcher-kva.de/~b");
    }

    #[test]
    fn lists_can_be_extended_and_overruled() {
        let config = CanonicalConfig {
            also_drop: vec!["ref".into(), "from_*".into()],
            keep: vec!["UTM_campaign".into()],
            sort_parameters: true,
            ..CanonicalConfig::default()
        };
        check_with(
            &config,
            "http://a.org/?z=1&ref=2&utm_campaign=3&utm_source=4&from_x=5&a=2&a=1",
            "http://a.org/?a=2&a=1&utm_campaign=3&z=1",
        );
    }

    #[test]
    fn everything_can_be_turned_off() {
        let config = CanonicalConfig {
            drop_tracking: false,
            drop_session_ids: false,
            ..CanonicalConfig::default()
        };
        let url = "http://a.org/x;jsessionid=1?utm_source=2&PHPSESSID=3";
        check_with(&config, url, url);
    }

    #[test]
    fn a_name_that_is_none_is_refused_with_its_key() {
        let config =
            CanonicalConfig { also_drop: vec!["a=b".into()], ..CanonicalConfig::default() };
        let error = Canonical::new(&config).unwrap_err().to_string();
        assert!(error.starts_with("canonical.also_drop: \"a=b\""), "{error}");
    }
}
