//! Laws that hold for every URL, not only for those somebody thought of.

use gannet_model::PageUrl;
use gannet_scope::canonical::{SESSION_PARAMETERS, TRACKING_PARAMETERS};
use gannet_scope::traps::refuse;
use gannet_scope::{
    Candidate, Canonical, CanonicalConfig, Scope, ScopeConfig, TrapConfig, directories_above,
    read_seeds,
};
use proptest::prelude::*;

/// Pieces that canonical forms stumble over, and plain text between them.
fn piece() -> impl Strategy<Value = String> {
    let stumbling = prop::sample::select(vec![
        "%",
        "%4",
        "%41",
        "%2e",
        "%2E%2e",
        "%2f",
        "%c3%A9",
        "%zz",
        "/",
        "//",
        "/./",
        "/../",
        "..",
        ";",
        ";jsessionid=",
        ";jsessionid=A1",
        "(S(4hqa0555fwsecu455xqckv45))",
        "(",
        ")",
        "?",
        "&",
        "&&",
        "=",
        "utm_source=x",
        "sid=0123456789abcdef01234567",
        "amp;",
        "fbclid",
        "é",
        "#",
        "\\",
        " ",
        "+",
        ":",
        "@",
        "|",
        "[",
        "]",
        "'",
        "\"",
        "0",
        "a",
    ]);
    prop_oneof![3 => stumbling.prop_map(str::to_owned), 1 => "[a-zA-Z0-9._~-]{1,4}"]
}

fn address() -> impl Strategy<Value = PageUrl> {
    let tail = prop::collection::vec(piece(), 0..14).prop_map(|pieces| pieces.concat());
    ("(http|https)", "(a.org|www.B.co.uk:8080|127.0.0.1|xn--bcher-kva.de)", tail)
        .prop_filter_map("not a URL", |(scheme, host, tail)| {
            PageUrl::parse(&format!("{scheme}://{host}/{tail}")).ok()
        })
}

/// Parameters that no list knows.
fn honest_parameters() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec(("q[a-z]{0,3}", "[a-z0-9]{0,3}"), 0..5)
}

fn query(parameters: &[(String, String)]) -> String {
    parameters.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_canonical_form_is_its_own_canonical_form(url in address(), sorts: bool) {
        let config = CanonicalConfig { sort_parameters: sorts, ..CanonicalConfig::default() };
        let canonical = Canonical::new(&config).unwrap();
        let once = canonical.apply(url);
        prop_assert_eq!(canonical.apply(once.clone()), once);
    }

    #[test]
    fn the_canonical_form_is_no_longer_and_on_the_same_host(url in address()) {
        let canonical = Canonical::default().apply(url.clone());
        prop_assert!(canonical.as_str().len() <= url.as_str().len());
        prop_assert_eq!(canonical.host(), url.host());
        prop_assert_eq!(canonical.scheme(), url.scheme());
    }

    #[test]
    fn honest_parameters_tell_pages_apart(one in honest_parameters(), other in honest_parameters()) {
        let apply = |parameters: &[(String, String)]| {
            let text = format!("http://a.org/?{}&utm_source=x", query(parameters));
            Canonical::default().apply(PageUrl::parse(&text).unwrap())
        };
        prop_assert_eq!(one == other, apply(&one) == apply(&other));
    }

    #[test]
    fn listed_parameters_never_tell_pages_apart(
        honest in honest_parameters(),
        at in 0_usize..5,
        index in 0_usize..200,
        value in "[a-z0-9]{0,9}",
    ) {
        let names = [TRACKING_PARAMETERS, SESSION_PARAMETERS].concat();
        let name = names[index % names.len()].replace('*', "x").to_ascii_uppercase();
        let mut noisy = honest.clone();
        noisy.insert(at.min(honest.len()), (name, value));
        let canonical = Canonical::default();
        let apply = |parameters: &[(String, String)]| {
            let text = format!("http://a.org/p?{}", query(parameters));
            canonical.apply(PageUrl::parse(&text).unwrap())
        };
        prop_assert_eq!(apply(&honest), apply(&noisy));
    }

    #[test]
    fn deciding_and_guarding_survive_every_url_and_repeat_themselves(url in address(), depth: u32) {
        let scope = Scope::build(&ScopeConfig::default(), &[]).unwrap();
        let decide = || {
            let decision = scope.decide(&Candidate { url: &url, depth });
            (decision.is_accepted(), decision.because.to_string())
        };
        prop_assert_eq!(decide(), decide());
        let traps = TrapConfig::default();
        prop_assert_eq!(refuse(&traps, &url), refuse(&traps, &url));
    }

    #[test]
    fn directories_above_are_prefixes_and_climb(url in address()) {
        let directories = directories_above(&url);
        let mut length = usize::MAX;
        for directory in &directories {
            prop_assert!(url.path().starts_with(directory.path()));
            prop_assert!(directory.path().len() < length);
            prop_assert_eq!(directory.host(), url.host());
            length = directory.path().len();
        }
    }

    #[test]
    fn any_list_of_seeds_is_read(text in "\\PC{0,40}(\n\\PC{0,40}){0,5}") {
        let lines = text.lines().count();
        let list = read_seeds(&text);
        prop_assert!(list.seeds.len() + list.errors.len() <= lines);
    }
}
