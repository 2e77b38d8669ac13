//! How much of one page is kept.
//!
//! Reading is linear in the bytes given, so these bound what a document may
//! hold, not how long reading takes. What a limit cuts is noted in the
//! document by the limit's name. There is no limit on nesting because the
//! reader keeps no tree: a tag nested a hundred thousand deep costs a counter.

use serde::Deserialize;

/// `[content]`: these comments are the reference documentation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Links kept of one page. Beyond a few thousand a page is a list made by a machine.
    pub max_links: usize,
    /// Blocks kept of one page; headings beyond are read as text of the last block.
    pub max_blocks: usize,
    /// Bytes of text read of one page, before white space is folded.
    pub max_text_bytes: usize,
    /// Images kept of one page.
    pub max_images: usize,
    /// Forms kept of one page.
    pub max_forms: usize,
    /// Fields kept of one form.
    pub max_fields: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_links: 20_000,
            max_blocks: 10_000,
            max_text_bytes: 8 << 20,
            max_images: 10_000,
            max_forms: 200,
            max_fields: 200,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_limit_is_refused() {
        let error = serde_json::from_str::<Limits>(r#"{"max_link": 3}"#).unwrap_err();
        assert!(error.to_string().contains("max_link"), "{error}");
    }

    #[test]
    fn limits_not_given_keep_their_defaults() {
        let limits: Limits = serde_json::from_str(r#"{"max_links": 3}"#).unwrap();
        assert_eq!(limits, Limits { max_links: 3, ..Limits::default() });
    }
}
