//! Reading the list of addresses that a crawl starts from.
//!
//! One address per line; blank lines and everything from a `#` at the start of
//! a line or after a blank are comments. A bare host such as `example.org`
//! becomes `https://example.org/`: most sites answer plain `http` with a
//! redirect there anyway, and a site without TLS says so at once, in the first
//! failed visit. Write `http://` to mean it.
//!
//! A bad line never stops the list: it is reported with its number beside the
//! good ones, and the caller decides.

use std::collections::HashSet;

use gannet_model::{PageUrl, UrlError};

/// What a list of seeds held.
#[derive(Debug, Default)]
pub struct SeedList {
    /// The good addresses in order, each once.
    pub seeds: Vec<PageUrl>,
    /// The bad lines in order.
    pub errors: Vec<SeedError>,
}

/// Why a line is not a seed.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("line {line}: {text:?}: {problem}")]
pub struct SeedError {
    /// Counted from one.
    pub line: usize,
    /// What stands there, shortened.
    pub text: String,
    /// What is wrong, and what would be right.
    #[source]
    pub problem: SeedProblem,
}

/// What is wrong with a seed, and what would be right.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SeedProblem {
    /// Two addresses, or an address with a blank inside.
    #[error("write one URL per line, and a blank inside a URL as %20")]
    Blank,
    /// A word, or an address of mail.
    #[error("not a host name; write https://example.org/ or example.org")]
    NotAHost,
    /// It looks like a URL but is none of ours.
    #[error("{0}; write a URL such as https://example.org/page")]
    NotAPage(#[from] UrlError),
}

/// Reads a list of seeds.
pub fn read_seeds(text: &str) -> SeedList {
    let mut list = SeedList::default();
    let mut known = HashSet::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.lines().enumerate() {
        let entry = without_comment(line).trim();
        if entry.is_empty() {
            continue;
        }
        match read_seed(entry) {
            Ok(seed) => {
                if known.insert(seed.clone()) {
                    list.seeds.push(seed);
                }
            }
            Err(problem) => {
                let text = entry.chars().take(80).collect();
                list.errors.push(SeedError { line: index + 1, text, problem });
            }
        }
    }
    list
}

/// Reads one seed: a URL or a bare host, with or without a path.
pub fn read_seed(entry: &str) -> Result<PageUrl, SeedProblem> {
    if entry.contains(char::is_whitespace) {
        return Err(SeedProblem::Blank);
    }
    let has_scheme = entry.split_once("://").is_some_and(|(scheme, _)| {
        scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    });
    if has_scheme {
        return Ok(PageUrl::parse(entry)?);
    }
    let bare = entry.trim_start_matches('/');
    let authority = bare.split(['/', '?', '#']).next().unwrap_or_default();
    // `mailto:someone@example.org` would otherwise pass as host and credentials.
    if authority.contains('@') {
        return Err(SeedProblem::NotAHost);
    }
    let seed = PageUrl::parse(&format!("https://{bare}")).map_err(|_| SeedProblem::NotAHost)?;
    let name = authority.split(':').next().unwrap_or_default();
    let is_host_like = name.trim_end_matches('.').contains('.')
        || name.eq_ignore_ascii_case("localhost")
        || authority.starts_with('[');
    if is_host_like { Ok(seed) } else { Err(SeedProblem::NotAHost) }
}

/// The line up to a `#` that begins a comment; `#` inside a URL begins a fragment.
fn without_comment(line: &str) -> &str {
    let begins_comment = |at: usize| line[..at].chars().next_back().is_none_or(char::is_whitespace);
    match line.match_indices('#').find(|(at, _)| begins_comment(*at)) {
        Some((at, _)) => &line[..at],
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(entry: &str, expected: &str) {
        assert_eq!(read_seed(entry).unwrap().as_str(), expected);
    }

    #[test]
    fn urls_and_bare_hosts_are_seeds() {
        check("http://example.org/a", "http://example.org/a");
        check("example.org", "https://example.org/");
        check("Example.ORG/Path?q=1", "https://example.org/Path?q=1");
        check("//example.org/x", "https://example.org/x");
        check("localhost:8080", "https://localhost:8080/");
        check("127.0.0.1:9", "https://127.0.0.1:9/");
        check("example.org/go?to=http://b.org/", "https://example.org/go?to=http://b.org/");
        check("bücher.de", "https://xn--bcher-kva.de/");
    }

    #[test]
    fn bad_lines_are_reported_with_their_number_and_the_good_ones_kept() {
        let list = read_seeds(
            "\u{feff}# my seeds\n\nexample.org # home\nhttp://a.org/#top\ncats\n\
             http://a.org/ http://b.org/\nftp://c.org/\nmailto:x@d.org\nhttps://example.org/\r\n",
        );
        let seeds: Vec<&str> = list.seeds.iter().map(PageUrl::as_str).collect();
        assert_eq!(seeds, ["https://example.org/", "http://a.org/"]);
        let errors: Vec<String> = list.errors.iter().map(ToString::to_string).collect();
        assert_eq!(list.errors.iter().map(|error| error.line).collect::<Vec<_>>(), [5, 6, 7, 8]);
        assert!(errors[0].contains("line 5: \"cats\": not a host name; write https://"));
        assert!(errors[1].contains("one URL per line"));
        assert!(errors[2].contains("\"ftp\" is not http or https; write a URL"), "{}", errors[2]);
    }

    #[test]
    fn any_text_is_survived() {
        for text in ["", "\0", "#", "://", "http://", "https://%", "[", "a.b:99999", "…"] {
            let list = read_seeds(text);
            assert!(list.seeds.len() + list.errors.len() <= 1);
        }
    }
}
