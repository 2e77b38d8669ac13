//! `extension`: the path's file name ends so.

use std::fmt;

use crate::words::WordSet;

use super::{Candidate, Condition, Entry, RuleKind};

pub(crate) const ENTRY: Entry = Entry {
    kind: RuleKind {
        name: "extension",
        example: r#"{ extension = ["ics", "vcf"] }"#,
        holds: "the file name in the path ends in a dot and one of these, in any letter case",
    },
    build: |value, _| {
        let texts = value.texts(&ENTRY.kind)?;
        let is_extension = |text: &&str| {
            text.len() <= LONGEST && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let texts: Vec<&str> =
            texts.into_iter().map(|text| text.strip_prefix('.').unwrap_or(text)).collect();
        if !texts.iter().all(is_extension) {
            return Err(value.wrong(&ENTRY.kind));
        }
        Ok(Box::new(Extension(texts.iter().map(|text| text.to_ascii_lowercase()).collect())))
    },
};

/// Longest extension looked up; `webmanifest` has 11 letters.
const LONGEST: usize = 16;

#[derive(Debug)]
pub(crate) struct Extension(pub(crate) WordSet);

impl Condition for Extension {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        let Some(extension) = candidate.extension() else { return false };
        if extension.len() > LONGEST {
            return false;
        }
        let mut space = [0; LONGEST];
        let lower = &mut space[..extension.len()];
        lower.copy_from_slice(extension.as_bytes());
        lower.make_ascii_lowercase();
        std::str::from_utf8(lower).is_ok_and(|lower| self.0.contains(lower))
    }
}

impl fmt::Display for Extension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "its extension is {}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::contract::{check, check_prose, check_refused};

    #[test]
    fn the_last_dot_of_the_file_name_counts() {
        check("{ extension = \"ics\" }", "http://a.org/b/c.d.ICS?e=f.g", true);
        check("{ extension = [\".tar\", \"gz\"] }", "http://a.org/c.tar.gz", true);
        check("{ extension = \"org\" }", "http://a.org/", false);
        check("{ extension = \"ics\" }", "http://a.org/c.ics/d", false);
        check("{ extension = \"ics\" }", "http://a.org/c?f=d.ics", false);
    }

    #[test]
    fn it_speaks_and_refuses() {
        check_prose("{ extension = [\"ics\", \"VCF\"] }", "its extension is ics or vcf");
        check_refused("{ extension = \"tar.gz\" }", "write { extension = ");
        check_refused("{ extension = \"*\" }", "write { extension = ");
    }
}
