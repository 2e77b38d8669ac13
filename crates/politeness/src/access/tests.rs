//! What each answer to the request for robots.txt permits, and until when.

use super::*;

const START: Timestamp = Timestamp::from_secs(1_000_000);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);
const BODY: &[u8] =
    b"User-agent: *\nDisallow: /private/\nCrawl-delay: 7\nSitemap: https://a.example/map.xml";

fn fetched(status: u16, body: &[u8]) -> RobotsAnswer<'_> {
    RobotsAnswer::Fetched { status, body, location: None, max_age: None }
}

fn redirect(to: &str) -> RobotsAnswer<'_> {
    RobotsAnswer::Fetched { status: 301, body: b"", location: Some(to), max_age: None }
}

fn after(answers: &[RobotsAnswer<'_>]) -> Access {
    let mut access = Access::default();
    for answer in answers {
        access.learn(*answer, &AccessRules::default(), START);
    }
    access
}

#[track_caller]
fn check_allows_all(answer: RobotsAnswer<'_>) {
    let access = after(&[answer]);
    assert_eq!(access.permits("/private/x", START), Permission::Allowed { rule: None });
    assert_eq!(access.permits("/private/x", START + DAY), Permission::AskFirst);
}

#[track_caller]
fn check_disallows_all(answer: RobotsAnswer<'_>, because: &str) {
    let expected = format!("{because}, unreachable for 0 s");
    assert_eq!(after(&[answer]).permits("/", START), Permission::Disallowed { because: expected });
}

#[test]
fn nothing_is_permitted_before_asking() {
    assert_eq!(Access::Unknown.permits("/", START), Permission::AskFirst);
    assert_eq!(Access::Unknown.next_ask(), Timestamp::ZERO);
}

#[test]
fn a_file_rules_for_a_day() {
    let access = after(&[fetched(200, BODY)]);
    let because = "Disallow: /private/".to_owned();
    assert_eq!(access.permits("/private/x", START), Permission::Disallowed { because });
    assert_eq!(access.permits("/x", START), Permission::Allowed { rule: None });
    assert_eq!(access.next_ask(), START + DAY);
    assert_eq!(access.permits("/x", START + DAY), Permission::AskFirst);
    assert_eq!(access.crawl_delay(), Some(Duration::from_secs(7)));
    assert_eq!(access.sitemaps(), ["https://a.example/map.xml"]);
}

#[test]
fn an_expired_copy_still_tells_which_links_are_not_worth_queueing() {
    let access = after(&[fetched(200, BODY)]);
    assert!(!access.last_known_ruling("/private/x").unwrap().allowed);
    assert_eq!(Access::Unknown.last_known_ruling("/"), None);
}

#[test]
fn max_age_shortens_the_day_but_not_below_an_hour() {
    let asked_again_after = |max_age| {
        let mut access = Access::default();
        let answer = RobotsAnswer::Fetched { status: 200, body: BODY, location: None, max_age };
        access.learn(answer, &AccessRules::default(), START);
        access.next_ask().since(START)
    };
    assert_eq!(asked_again_after(Some(Duration::ZERO)), HOUR);
    assert_eq!(asked_again_after(Some(2 * HOUR)), 2 * HOUR);
    assert_eq!(asked_again_after(Some(365 * DAY)), DAY);
}

#[test]
fn a_missing_or_forbidden_file_allows_everything() {
    for status in [400, 401, 403, 404, 410, 451] {
        check_allows_all(fetched(status, b""));
    }
}

#[test]
fn a_throttled_broken_or_silent_server_allows_nothing() {
    for status in [429, 500, 503, 599, 100, 999] {
        check_disallows_all(fetched(status, BODY), &format!("robots.txt answered {status}"));
    }
    let silent = RobotsAnswer::Failed(Failure::Timeout);
    check_disallows_all(silent, "robots.txt could not be had: the server took too long");
}

#[test]
fn an_unreachable_file_is_asked_for_ever_more_rarely() {
    let mut access = Access::default();
    let mut now = START;
    let mut waits = Vec::new();
    for _ in 0..11 {
        access.learn(fetched(500, b""), &AccessRules::default(), now);
        waits.push(access.next_ask().since(now).as_secs() / 60);
        now = access.next_ask();
        assert_eq!(access.permits("/", now), Permission::AskFirst);
    }
    assert_eq!(waits, [5, 10, 20, 40, 80, 160, 320, 640, 1280, 1440, 1440]);
}

#[test]
fn asking_in_vain_by_way_of_a_redirect_still_becomes_rarer() {
    let mut access = Access::default();
    for _ in 0..3 {
        access.learn(redirect("https://b.example/robots.txt"), &AccessRules::default(), START);
        access.learn(fetched(500, b""), &AccessRules::default(), START);
    }
    assert_eq!(access.next_ask(), START + Duration::from_secs(20 * 60));
}

#[test]
fn an_older_copy_stands_in_for_a_week() {
    let mut access = after(&[fetched(200, BODY)]);
    let gone = START + DAY;
    let mut now = gone;
    while now < gone + 7 * DAY {
        access.learn(fetched(503, b""), &AccessRules::default(), now);
        assert_eq!(access.permits("/x", now), Permission::Allowed { rule: None });
        assert!(matches!(access.permits("/private/", now), Permission::Disallowed { .. }));
        now = access.next_ask();
    }
    access.learn(fetched(503, b""), &AccessRules::default(), now);
    assert!(matches!(access.permits("/x", now), Permission::Disallowed { .. }));
}

#[test]
fn an_answer_ends_the_silence() {
    let mut access = after(&[fetched(500, b""), fetched(500, b"")]);
    access.learn(fetched(404, b""), &AccessRules::default(), START);
    access.learn(fetched(500, b""), &AccessRules::default(), START + DAY);
    let Access::Unreachable { silence, .. } = access else { panic!("{access:?}") };
    assert_eq!(silence, Silence { since: START + DAY, attempts: 1 });
}

#[test]
fn only_who_asked_for_it_treats_long_silence_as_absence() {
    let permission = |absent_after| {
        let rules = AccessRules { absent_after, ..AccessRules::default() };
        let mut access = Access::default();
        access.learn(fetched(500, b""), &rules, START);
        access.learn(fetched(500, b""), &rules, START + 31 * DAY);
        access.permits("/", START + 31 * DAY)
    };
    assert!(matches!(permission(None), Permission::Disallowed { .. }));
    assert_eq!(permission(Some(30 * DAY)), Permission::Allowed { rule: None });
}

#[test]
fn redirects_are_followed_five_times_and_then_mean_absence() {
    let hop = redirect("https://b.example/robots.txt");
    let access = after(&[hop; 5]);
    assert_eq!(access.redirect_target(), Some("https://b.example/robots.txt"));
    assert_eq!(access.permits("/", START), Permission::AskFirst);
    let access = after(&[hop; 6]);
    assert_eq!(access.redirect_target(), None);
    assert_eq!(access.permits("/", START), Permission::Allowed { rule: None });
}

#[test]
fn a_redirect_to_nowhere_means_absence() {
    check_allows_all(fetched(302, b""));
    check_allows_all(RobotsAnswer::Failed(Failure::TooManyRedirects));
}

#[test]
fn the_file_behind_a_redirect_rules() {
    let access = after(&[redirect("https://b.example/robots.txt"), fetched(200, BODY)]);
    assert!(matches!(access.permits("/private/", START), Permission::Disallowed { .. }));
}

#[test]
fn not_modified_renews_the_copy() {
    let mut access = after(&[fetched(200, BODY)]);
    access.learn(fetched(304, b""), &AccessRules::default(), START + DAY);
    assert_eq!(access.next_ask(), START + DAY + DAY);
    assert!(matches!(access.permits("/private/", START + DAY), Permission::Disallowed { .. }));
    check_disallows_all(fetched(304, b""), "robots.txt answered 304");
}

#[test]
fn access_survives_storage() {
    let states = [
        Access::Unknown,
        after(&[fetched(200, BODY)]),
        after(&[fetched(404, b"")]),
        after(&[fetched(200, BODY), redirect("https://b.example/robots.txt")]),
        after(&[fetched(200, BODY), fetched(500, b"")]),
    ];
    for access in states {
        let stored = postcard::to_stdvec(&access).unwrap();
        assert_eq!(postcard::from_bytes::<Access>(&stored).unwrap(), access);
    }
}
