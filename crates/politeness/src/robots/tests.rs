//! What a robots.txt means, case by case.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, path: &str, allowed: bool, rule: Option<&str>) {
    let ruling = Robots::parse(text.as_bytes(), "gannet").ruling(path);
    assert_eq!((ruling.allowed, ruling.rule.as_deref()), (allowed, rule), "{path} by {text:?}");
}

/// RFC 9309 section 5.1.
const SIMPLE: &str = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n\
    User-Agent: foobot\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n\
    User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot";

#[test]
fn the_simple_example_of_the_rfc_holds() {
    let allowed = |agent, path| Robots::parse(SIMPLE.as_bytes(), agent).ruling(path).allowed;
    assert!(!allowed("anybot", "/example/a"));
    assert!(!allowed("anybot", "/a.gif"));
    assert!(allowed("anybot", "/publications/a"));
    assert!(!allowed("foobot", "/"));
    assert!(allowed("foobot", "/example/page.html"));
    assert!(allowed("barbot", "/") && !allowed("bazbot", "/example/page.html"));
    assert!(allowed("quxbot", "/example/page.html"));
}

#[test]
fn the_line_that_decides_is_the_reason() {
    let text = "user-agent: *\ndisallow:   /private/   # secret\nAllow: /private/open\n";
    check(text, "/private/x", false, Some("Disallow: /private/"));
    check(text, "/private/open", true, Some("Allow: /private/open"));
    check(text, "/", true, None);
}

#[test]
fn the_reason_shows_the_path_as_written() {
    check(
        "User-agent: *\nDisallow: /f%6fo/ツ",
        "/foo/%e3%83%84",
        false,
        Some("Disallow: /f%6fo/ツ"),
    );
}

#[test]
fn the_longest_rule_wins_and_allow_wins_a_tie() {
    let text = "User-agent: *\nDisallow: /a\nAllow: /a\nDisallow: /a/b*c\nAllow: /a/b\n";
    check(text, "/a", true, Some("Allow: /a"));
    check(text, "/a/bxc", false, Some("Disallow: /a/b*c"));
}

#[test]
fn our_own_group_replaces_the_one_for_everyone() {
    let text = "User-agent: *\nDisallow: /\n\nUser-agent: Gannet/2.0 (crawler)\nDisallow: /x\n";
    check(text, "/y", true, None);
    check(text, "/x", false, Some("Disallow: /x"));
    check("User-agent: *\nDisallow: /\nUser-agent: gannet\n", "/y", true, None);
}

#[test]
fn a_name_that_only_begins_like_ours_is_another_agent() {
    check("User-agent: gannet-images\nDisallow: /", "/", true, None);
    check("User-agent: gann\nDisallow: /", "/", true, None);
}

#[test]
fn our_agent_may_carry_a_version() {
    let text = b"User-agent: gannet\nDisallow: /";
    for agent in ["gannet", "GANNET", "gannet/1.0", "gannet/1.0 (+https://example.org/bot)"] {
        assert!(!Robots::parse(text, agent).ruling("/").allowed, "{agent}");
    }
}

#[test]
fn groups_for_the_same_agent_are_merged() {
    let text = "User-agent: gannet\nDisallow: /a\n\nUser-agent: x\nDisallow: /c\n\nUser-agent: gannet\nDisallow: /b";
    check(text, "/a", false, Some("Disallow: /a"));
    check(text, "/b", false, Some("Disallow: /b"));
    check(text, "/c", true, None);
}

#[test]
fn the_file_itself_is_always_allowed() {
    check("User-agent: *\nDisallow: /", "/robots.txt", true, None);
}

#[test]
fn a_rule_without_its_first_slash_is_read_with_it() {
    check("User-agent: *\nDisallow: private/", "/private/x", false, Some("Disallow: private/"));
}

#[test]
fn no_rule_allows_everything() {
    for text in ["", "User-agent: *\nDisallow:", "Disallow: /", "<html><body>User-agent: *</body>"]
    {
        check(text, "/x", true, None);
    }
}

#[test]
fn what_lies_beyond_500_kib_is_ignored_with_the_line_it_cuts() {
    let start = "User-agent: *\nDisallow: /a\n";
    let filler = "#".repeat(LARGEST_FILE - start.len() - "\nDisallow: /b".len());
    let text = format!("{start}{filler}\nDisallow: /b/only-this\nDisallow: /c\n");
    check(&text, "/a", false, Some("Disallow: /a"));
    check(&text, "/b", true, None);
    check(&text, "/c", true, None);
}

#[test]
fn crawl_delays_are_seconds_with_or_without_fraction() {
    let delay = |value: &str| {
        let text = format!("User-agent: *\nCrawl-delay: {value}\nDisallow: /a");
        Robots::parse(text.as_bytes(), "gannet").crawl_delay()
    };
    assert_eq!(delay("10"), Some(Duration::from_secs(10)));
    assert_eq!(delay(".5"), Some(Duration::from_millis(500)));
    assert_eq!(delay("2.5 # slow"), Some(Duration::from_millis(2500)));
    assert_eq!(delay("10s"), Some(Duration::from_secs(10)));
    for nonsense in ["", "-1", "slow", "1.2.3", "999999999999999999999999999"] {
        assert_eq!(delay(nonsense), None, "{nonsense}");
    }
}

#[test]
fn among_several_crawl_delays_for_us_the_longest_counts() {
    let text = b"User-agent: *\nCrawl-delay: 20\nDisallow: /a\n\nUser-agent: *\nCrawl-delay: 5\n";
    assert_eq!(Robots::parse(text, "gannet").crawl_delay(), Some(Duration::from_secs(20)));
}

#[test]
fn robots_survive_storage() {
    let text = format!("{SIMPLE}\nCrawl-delay: 1.5\nSitemap: https://example.org/map.xml");
    let robots = Robots::parse(text.as_bytes(), "quxbot");
    let stored = postcard::to_stdvec(&robots).unwrap();
    assert_eq!(postcard::from_bytes::<Robots>(&stored).unwrap(), robots);
}

#[test]
fn a_file_full_of_wildcards_is_ruled_on_in_linear_time() {
    // Backtracking would take longer than the universe for the first of these rules alone.
    let wildcards = "*a".repeat(60);
    let rules: String = (0..2000).map(|n| format!("Disallow: /{wildcards}*b{n}\n")).collect();
    let text = format!("User-agent: *\n{rules}");
    let path = format!("/{}", "a".repeat(2000));
    check(&text, &path, true, None);
}

proptest! {
    #[test]
    fn any_bytes_can_be_read(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        Robots::parse(&bytes, "gannet").ruling("/a");
    }

    #[test]
    fn anything_like_robots_txt_can_be_read_and_ruled_on(
        text in "((user-agent|allow|disallow|sitemap|crawl-delay)[: ]{1,2}[*$/%a-c0-9]{0,8}[\r\n#]{1,2}){0,12}",
        path in "\\PC{0,20}",
    ) {
        let robots = Robots::parse(text.as_bytes(), "a");
        let stored = postcard::to_stdvec(&robots).unwrap();
        let restored: Robots = postcard::from_bytes(&stored).unwrap();
        prop_assert_eq!(restored.ruling(&path), robots.ruling(&path));
    }

    #[test]
    fn a_path_and_its_percent_encoded_form_get_the_same_ruling(path in "/[a-z~._-]{1,8}") {
        let robots = Robots::parse(b"User-agent: *\nDisallow: /*a\nAllow: /b\nDisallow: /c~$", "gannet");
        let encoded: String = path.bytes().skip(1).map(|byte| format!("%{byte:02x}")).collect();
        prop_assert_eq!(robots.ruling(&format!("/{encoded}")), robots.ruling(&path));
    }
}
