//! Which query parameters do not name a page: the lists, and sets of names with `*`.
//!
//! A name belongs on a list only when no site is known to choose content by
//! it. `ref`, `source` or `page` are not here however often they are noise.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use crate::fnv::Fnv;

/// Parameters that tell a site where a visitor came from.
pub const TRACKING_PARAMETERS: &[&str] = &[
    "utm_*",
    // Click identifiers of advertising networks.
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "gad_source",
    "gad_campaignid",
    "srsltid",
    "fbclid",
    "msclkid",
    "yclid",
    "ysclid",
    "_openstat",
    "twclid",
    "ttclid",
    "li_fat_id",
    "igsh",
    "igshid",
    "epik",
    "rb_clickid",
    "wickedid",
    "ef_id",
    "s_kwcid",
    "hsa_*",
    "_branch_match_id",
    // Web statistics.
    "_ga",
    "_gl",
    "pk_campaign",
    "pk_kwd",
    "pk_keyword",
    "pk_source",
    "pk_medium",
    "pk_content",
    "pk_cid",
    "piwik_*",
    "mtm_*",
    "guccounter",
    "guce_referrer",
    "guce_referrer_sig",
    // Newsletters and marketing suites.
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "_hsenc",
    "_hsmi",
    "__hstc",
    "__hssc",
    "__hsfp",
    "hsctatracking",
    "oly_anon_id",
    "oly_enc_id",
    "vero_id",
    "vero_conv",
    "ml_subscriber",
    "ml_subscriber_hash",
    "nr_email_referer",
    "vgo_ee",
    "dm_i",
    "_bta_tid",
    "_bta_c",
    // Shares on social networks.
    "fb_action_ids",
    "fb_action_types",
    "fb_ref",
    "fb_source",
];

/// Parameters that are session identifiers whatever their value.
pub const SESSION_PARAMETERS: &[&str] =
    &["jsessionid", "phpsessid", "aspsessionid*", "cfid", "cftoken", "oscsid", "xtcsid", "zenid"];

/// Parameters that are session identifiers when their value looks like one.
///
/// `?sid=5` may be the fifth story; `?sid=` with 32 random characters is not.
pub const LIKELY_SESSION_PARAMETERS: &[&str] =
    &["sid", "sess", "sessid", "session", "sessionid", "session_id", "phpsessionid"];

/// Longest parameter name looked up; nobody tracks with longer ones.
const LONGEST_NAME: usize = 64;

/// Parameter names, some with `*` for any characters; letter case is ignored.
#[derive(Clone, Debug)]
pub(super) struct NameSet {
    exact: HashSet<Box<str>, BuildHasherDefault<Fnv>>,
    /// What stands before a single `*` at the end: the usual pattern, and the quick one.
    prefixes: Vec<Box<str>>,
    /// All other patterns.
    wild: Vec<Box<str>>,
    /// Bytes that some name begins with: most parameters end their journey here.
    first: [bool; 256],
}

impl NameSet {
    /// Takes names in any case.
    pub(super) fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> NameSet {
        let mut set = NameSet {
            exact: HashSet::default(),
            prefixes: Vec::new(),
            wild: Vec::new(),
            first: [false; 256],
        };
        for name in names {
            let name = name.to_ascii_lowercase();
            match name.as_bytes().first() {
                None => continue,
                Some(b'*') => set.first = [true; 256],
                Some(first) => set.first[usize::from(*first)] = true,
            }
            match name.strip_suffix('*') {
                Some(prefix) if !prefix.contains('*') => set.prefixes.push(prefix.into()),
                None if !name.contains('*') => {
                    set.exact.insert(name.into());
                }
                _ => set.wild.push(name.into()),
            }
        }
        set
    }

    /// True when the name is one of the set.
    pub(super) fn contains(&self, name: &str) -> bool {
        let Some(first) = name.bytes().next() else { return false };
        if name.len() > LONGEST_NAME || !self.first[usize::from(first.to_ascii_lowercase())] {
            return false;
        }
        let mut space = [0; LONGEST_NAME];
        let lower = &mut space[..name.len()];
        lower.copy_from_slice(name.as_bytes());
        lower.make_ascii_lowercase();
        let Ok(lower) = std::str::from_utf8(lower) else { return false };
        self.prefixes.iter().any(|prefix| lower.starts_with(&**prefix))
            || self.exact.contains(lower)
            || self.wild.iter().any(|pattern| matches(pattern, lower))
    }
}

/// True when the name has the pattern's parts in order, `*` standing for anything.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let start = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(start) else { return false };
    let mut last = None;
    for part in parts {
        if let Some(middle) = last.replace(part) {
            let Some(at) = rest.find(middle) else { return false };
            rest = &rest[at + middle.len()..];
        }
    }
    match last {
        Some(end) => rest.ends_with(end),
        None => rest.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, name: &str, expected: bool) {
        assert_eq!(NameSet::new([pattern]).contains(name), expected, "{pattern} on {name}");
    }

    #[test]
    fn stars_stand_for_anything() {
        check("utm_*", "UTM_Source", true);
        check("utm_*", "utm_", true);
        check("utm_*", "autm_source", false);
        check("*id", "clickid", true);
        check("*id", "idle", false);
        check("a*b*c", "a1b2c", true);
        check("a*b*c", "a1c2b", false);
        check("ab*ba", "aba", false);
        check("gclid", "gclid2", false);
    }

    #[test]
    fn no_listed_name_is_in_capitals_or_twice() {
        let lists = [TRACKING_PARAMETERS, SESSION_PARAMETERS, LIKELY_SESSION_PARAMETERS];
        let all: Vec<&str> = lists.concat();
        let once: HashSet<&str> = all.iter().copied().collect();
        assert_eq!(once.len(), all.len());
        assert!(all.iter().all(|name| *name == name.to_ascii_lowercase()));
    }
}
