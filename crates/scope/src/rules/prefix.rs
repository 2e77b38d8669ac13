//! `prefix`: the URL begins so.

use std::fmt;

use gannet_model::PageUrl;

use super::{Candidate, Condition, Entry, RuleKind, RuleProblem, Setting};

pub(crate) const ENTRY: Entry = Entry {
    kind: RuleKind {
        name: "prefix",
        example: r#"{ prefix = ["https://example.org/docs/", "example.net/wiki/"] }"#,
        holds: "the URL begins with one of these; without a scheme, both schemes count",
    },
    build: |value, _| Ok(Box::new(Prefix(read_prefixes(value)?))),
};

#[derive(Debug)]
struct Prefix(Vec<Start>);

/// One beginning, spelt as URLs are.
#[derive(Debug)]
struct Start {
    text: String,
    /// Whether the text includes `http://` or `https://`.
    has_scheme: bool,
}

fn read_prefixes(value: &Setting) -> Result<Vec<Start>, RuleProblem> {
    let mut starts = Vec::new();
    for text in value.texts(&ENTRY.kind)? {
        let has_scheme = text.contains("://");
        // Read as a URL, so that the host ends where it ends: the prefix
        // example.org must not let in example.org.evil.net.
        let whole = if has_scheme { text.to_owned() } else { format!("http://{text}") };
        let url = PageUrl::parse(&whole).map_err(|_| value.wrong(&ENTRY.kind))?;
        let text = if has_scheme { url.as_str() } else { after_scheme(&url) };
        starts.push(Start { text: text.to_owned(), has_scheme });
    }
    Ok(starts)
}

fn after_scheme(url: &PageUrl) -> &str {
    &url.as_url()[url::Position::BeforeHost..]
}

impl Condition for Prefix {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        self.0.iter().any(|start| {
            let text =
                if start.has_scheme { candidate.url.as_str() } else { after_scheme(candidate.url) };
            text.starts_with(&start.text)
        })
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the URL begins with ")?;
        for (i, start) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(" or ")?;
            }
            f.write_str(&start.text)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{check, check_prose, check_refused};

    #[test]
    fn urls_begin_or_do_not() {
        let docs = "{ prefix = \"https://example.org/docs\" }";
        check(docs, "https://example.org/docs/a", true);
        check(docs, "https://example.org/docsearch", true);
        check(docs, "http://example.org/docs/a", false);
        check("{ prefix = \"example.org/docs\" }", "http://example.org/docs/a", true);
        check("{ prefix = \"example.org/docs\" }", "https://example.org/docs/a", true);
    }

    #[test]
    fn a_host_ends_where_it_ends() {
        check("{ prefix = \"https://example.org\" }", "https://example.org.evil.net/", false);
        check("{ prefix = \"example.org\" }", "https://example.org.evil.net/", false);
    }

    #[test]
    fn it_speaks_and_refuses() {
        check_prose("{ prefix = \"A.org/b\" }", "the URL begins with a.org/b");
        check_refused("{ prefix = \"ftp://a.org/\" }", "write { prefix = ");
    }
}
