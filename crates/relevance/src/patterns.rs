//! Which regular expressions may be keywords.
//!
//! The engine that runs them takes time in the length of the text, whatever
//! the expression; what can grow without bound is the expression itself once
//! compiled, so its size is limited.

use regex::{Regex, RegexBuilder};

/// Bytes that one compiled expression may take. A megabyte holds thousands of
/// alternatives; `(\w{1,999}){999}` does not fit.
pub(crate) const SIZE_LIMIT: usize = 1 << 20;

/// Makes the expression ready, or tells what is wrong with it.
pub(crate) fn compile(expression: &str) -> Result<Regex, String> {
    let regex = RegexBuilder::new(expression)
        .case_insensitive(true)
        .size_limit(SIZE_LIMIT)
        .build()
        .map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => {
                format!("it takes more than {SIZE_LIMIT} bytes once compiled; repeat less")
            }
            other => other.to_string().replace('\n', " "),
        })?;
    if regex.is_match("") {
        return Err("it matches the empty text, so it would be found everywhere".to_owned());
    }
    Ok(regex)
}

/// Tells whether the expression can be used.
pub(crate) fn check(expression: &str) -> Result<(), String> {
    compile(expression).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_that_are_wrong_too_large_or_empty_are_refused() {
        assert!(check(r"gannet(s|ry|ries)?").is_ok());
        assert!(check("gannet(").is_err());
        assert!(check(r"(\w{1,999}){999}").unwrap_err().contains("bytes once compiled"));
        assert!(check("x*").unwrap_err().contains("empty text"));
    }

    /// What takes other engines time without end takes this one time in the length of the text.
    #[test]
    fn catastrophic_expressions_end() {
        let regex = compile("(a+)+$").unwrap();
        let text = format!("{}b", "a".repeat(100_000));
        assert!(!regex.is_match(&text));
    }
}
