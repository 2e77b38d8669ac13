//! Where a reference leads.
//!
//! Resolves what pages write against their base, dropping what no crawler can
//! follow. Always equal to [`PageUrl::join`], only sooner done where it can be.

use gannet_model::PageUrl;

/// Resolves the references of one page.
pub(crate) struct Resolver {
    base: PageUrl,
    is_used: bool,
}

impl Resolver {
    pub(crate) fn new(base: PageUrl) -> Resolver {
        Resolver { base, is_used: false }
    }

    /// True once an address was resolved, so that another base would matter.
    pub(crate) fn is_used(&self) -> bool {
        self.is_used
    }

    /// The same for what must lead elsewhere: neither empty nor a mere fragment.
    pub(crate) fn resolve_link(&mut self, reference: &str) -> Option<PageUrl> {
        let reference = reference.trim_ascii();
        if reference.is_empty() || reference.starts_with('#') {
            return None;
        }
        self.resolve(reference)
    }

    /// The address a reference means, if a crawler can go there.
    pub(crate) fn resolve(&mut self, reference: &str) -> Option<PageUrl> {
        if has_other_scheme(reference) {
            return None;
        }
        self.is_used = true;
        self.base.join(reference).ok()
    }
}

/// True when a reference plainly has a scheme that is not ours. Spares the
/// parser whole images in `data:` and scripts in `javascript:`.
fn has_other_scheme(reference: &str) -> bool {
    let bytes = reference.trim_ascii_start().as_bytes();
    let length = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        .count();
    let scheme = &bytes[..length];
    bytes.get(length) == Some(&b':')
        && scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && !scheme.eq_ignore_ascii_case(b"http")
        && !scheme.eq_ignore_ascii_case(b"https")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn base() -> PageUrl {
        PageUrl::parse("https://a.example:8443/d/page.html?q").unwrap()
    }

    #[track_caller]
    fn check(reference: &str, expected: Option<&str>) {
        let found = Resolver::new(base()).resolve_link(reference);
        assert_eq!(found.as_ref().map(PageUrl::as_str), expected, "{reference:?}");
    }

    #[test]
    fn references_resolve_against_the_base() {
        check("x", Some("https://a.example:8443/d/x"));
        check("../x", Some("https://a.example:8443/x"));
        check("//b.example/y", Some("https://b.example/y"));
        check("?r", Some("https://a.example:8443/d/page.html?r"));
        check("HTTP:/x", Some("http://x/"));
        check("a:b", None);
        check("./a:b", Some("https://a.example:8443/d/a:b"));
    }

    #[test]
    fn what_leads_nowhere_else_is_no_link() {
        check("", None);
        check(" \n", None);
        check(" #part", None);
        check("javascript:void(0)", None);
        check("tel:+1", None);
        check("http://", None);
    }

    proptest! {
        #[test]
        fn resolving_equals_joining(
            reference in "(http|https|ftp|javascript|mailto|data|a|:|/|//|\\\\|\\.|\\.\\.|\\?|#|@|\\[|%2e|é| |\t|\n|\\+|-|1){0,12}"
        ) {
            prop_assert_eq!(Resolver::new(base()).resolve(&reference), base().join(&reference).ok());
        }
    }
}
