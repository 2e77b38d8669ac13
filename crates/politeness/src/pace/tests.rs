//! The laws of pace.

use proptest::prelude::*;

use super::*;

const START: Timestamp = Timestamp::from_secs(1_000_000_000);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);
const DAY: Duration = Duration::from_secs(24 * 3600);

fn answered(status: u16) -> Contact<'static> {
    Contact::Answered { status, retry_after: None, took: Duration::from_secs(1) }
}

fn asking(status: u16, retry_after: &str) -> Contact<'_> {
    Contact::Answered { status, retry_after: Some(retry_after), took: Duration::from_secs(1) }
}

fn after(contact: Contact<'_>) -> Pace {
    let mut pace = Pace::new(HostId(1));
    pace.completed(contact, &PaceRules::default(), START);
    pace
}

#[track_caller]
fn check(contact: Contact<'_>, wait: Duration, hold: Hold) {
    assert_eq!(after(contact).ready_at(), (START + wait, hold), "{contact:?}");
}

/// The wait that jitter may have lengthened by up to a tenth.
#[track_caller]
fn check_about(waited: Duration, expected: Duration) {
    assert!(waited >= expected && waited <= expected + expected / 10, "{waited:?} {expected:?}");
}

#[test]
fn a_host_never_contacted_is_ready() {
    assert_eq!(Pace::new(HostId(1)).ready_at(), (Timestamp::ZERO, Hold::Nothing));
}

#[test]
fn the_delay_counts_from_the_end_of_the_response() {
    check(answered(200), Duration::from_secs(10), Hold::Delay);
    check(answered(404), Duration::from_secs(10), Hold::Delay);
    check(Contact::Failed(Failure::BodyTooLarge), Duration::from_secs(10), Hold::Delay);
}

#[test]
fn a_crawl_delay_learnt_from_robots_holds_from_that_very_contact() {
    let mut pace = after(answered(200));
    pace.heed_crawl_delay(Some(MINUTE), &PaceRules::default());
    assert_eq!(pace.ready_at(), (START + MINUTE, Hold::CrawlDelay));
    assert_eq!(pace.spaced_until(), START + MINUTE);
}

#[test]
fn a_long_crawl_delay_paces_and_an_endless_one_is_bounded() {
    let mut pace = after(answered(200));
    pace.heed_crawl_delay(Some(HOUR / 2), &PaceRules::default());
    assert_eq!(pace.ready_at().0, START + HOUR / 2);
    pace.heed_crawl_delay(Some(1000 * DAY), &PaceRules::default());
    assert_eq!(pace.ready_at(), (START + HOUR, Hold::CrawlDelay));
}

#[test]
fn a_short_crawl_delay_does_not_shorten_ours() {
    let mut pace = after(answered(200));
    pace.heed_crawl_delay(Some(Duration::from_secs(1)), &PaceRules::default());
    assert_eq!(pace.ready_at(), (START + Duration::from_secs(10), Hold::Delay));
}

#[test]
fn a_slow_host_gets_more_time_when_asked_for() {
    let rules = PaceRules { response_factor: 5.0, ..PaceRules::default() };
    let mut pace = Pace::new(HostId(1));
    let took = Duration::from_secs(4);
    pace.completed(Contact::Answered { status: 200, retry_after: None, took }, &rules, START);
    assert_eq!(pace.ready_at(), (START + Duration::from_secs(20), Hold::SlowResponse));
}

#[test]
fn retry_after_is_honoured_in_both_forms() {
    for status in [429, 503, 301, 302] {
        check(asking(status, "300"), 5 * MINUTE, Hold::RetryAfter);
        // START is Sun, 09 Sep 2001 01:46:40 GMT.
        check(asking(status, "Sun, 09 Sep 2001 02:46:40 GMT"), HOUR, Hold::RetryAfter);
    }
}

#[test]
fn retry_after_is_bounded_and_never_shortens_the_delay() {
    check(asking(429, "99999999999999999999"), DAY, Hold::RetryAfter);
    check(asking(429, "Fri, 09 Sep 2095 02:46:40 GMT"), DAY, Hold::RetryAfter);
    check(asking(503, "3"), Duration::from_secs(10), Hold::Delay);
    check(asking(200, "300"), Duration::from_secs(10), Hold::Delay);
}

#[test]
fn a_retry_after_that_asks_for_nothing_leaves_the_back_off() {
    for value in ["0", "soon", "Sat, 09 Sep 1995 02:46:40 GMT"] {
        let (at, hold) = after(asking(429, value)).ready_at();
        assert_eq!(hold, Hold::Throttled, "{value}");
        check_about(at.since(START), MINUTE);
    }
}

#[test]
fn throttles_double_the_wait_up_to_a_day() {
    let mut pace = Pace::new(HostId(7));
    let mut now = START;
    for doublings in 0..14 {
        pace.completed(answered(429), &PaceRules::default(), now);
        let (at, hold) = pace.ready_at();
        assert_eq!(hold, Hold::Throttled);
        check_about(at.since(now), (MINUTE * 2u32.pow(doublings)).min(DAY));
        assert!(at.since(now) <= DAY);
        now = at;
    }
}

#[test]
fn a_success_soon_after_a_throttle_does_not_forgive_it() {
    let mut pace = after(answered(429));
    let back = pace.ready_at().0;
    pace.completed(answered(200), &PaceRules::default(), back);
    pace.completed(answered(429), &PaceRules::default(), back + MINUTE);
    assert_eq!(pace.throttles(), 2);
}

#[test]
fn a_quiet_time_of_ten_back_offs_and_at_least_an_hour_forgives() {
    let rules = PaceRules::default();
    let throttles_after = |times: u32, quiet: Duration| {
        let mut pace = Pace::new(HostId(7));
        for _ in 0..times {
            let now = pace.ready_at().0.max(START);
            pace.completed(answered(503), &rules, now);
        }
        let back = pace.ready_at().0;
        pace.completed(answered(200), &rules, back + quiet);
        pace.throttles()
    };
    assert_eq!(throttles_after(1, HOUR - MINUTE), 1);
    assert_eq!(throttles_after(1, HOUR), 0);
    // The fifth back-off is about 16 minutes.
    assert_eq!(throttles_after(5, 2 * HOUR), 5);
    assert_eq!(throttles_after(5, 3 * HOUR), 0);
}

#[test]
fn hosts_throttled_together_do_not_come_back_together_yet_always_alike() {
    let back = |host| {
        let mut pace = Pace::new(HostId(host));
        pace.completed(answered(429), &PaceRules::default(), START);
        pace.ready_at().0
    };
    let moments: std::collections::HashSet<_> = (0..100).map(back).collect();
    assert!(moments.len() > 80, "{}", moments.len());
    assert_eq!(back(3), back(3));
}

/// Contacts the host whenever it is ready, in vain, and returns what it waited for and how long.
fn down_for_long() -> Vec<(Hold, Duration)> {
    let mut pace = Pace::new(HostId(5));
    let mut now = START;
    let mut waits = Vec::new();
    for _ in 0..40 {
        pace.completed(Contact::Failed(Failure::Refused), &PaceRules::default(), now);
        let (at, hold) = pace.ready_at();
        assert_eq!(pace.is_lost(), hold == Hold::Lost);
        waits.push((hold, at.since(now)));
        now = at;
    }
    waits
}

#[test]
fn a_host_that_is_down_snoozes_ever_longer_up_to_six_hours() {
    for (doublings, (hold, wait)) in (0..12).zip(down_for_long()) {
        assert_eq!(hold, Hold::Outage);
        check_about(wait, (MINUTE * 2u32.pow(doublings)).min(6 * HOUR));
    }
}

#[test]
fn a_host_down_for_three_days_loses_its_turn_and_is_tried_daily_then_weekly() {
    let waits = down_for_long();
    let lost_from = waits.iter().position(|(hold, _)| *hold == Hold::Lost).unwrap();
    let down_for: Duration = waits[..lost_from].iter().map(|(_, wait)| *wait).sum();
    assert!(down_for >= 3 * DAY && down_for < 3 * DAY + 6 * HOUR, "{down_for:?}");
    check_about(waits[lost_from].1, DAY);
    check_about(waits[lost_from + 1].1, 2 * DAY);
    assert_eq!(waits.last().unwrap().1, 7 * DAY);
    assert!(waits[lost_from..].iter().all(|(hold, _)| *hold == Hold::Lost));
}

#[test]
fn two_failures_far_apart_are_no_long_outage() {
    let mut pace = after(Contact::Failed(Failure::Timeout));
    pace.completed(Contact::Failed(Failure::Timeout), &PaceRules::default(), START + 30 * DAY);
    assert!(!pace.is_lost());
}

#[test]
fn any_answer_ends_an_outage_and_brings_a_lost_host_back() {
    let rules = PaceRules { give_up_after: MINUTE, give_up_attempts: 2, ..PaceRules::default() };
    let mut pace = Pace::new(HostId(1));
    pace.completed(Contact::Failed(Failure::Timeout), &rules, START);
    pace.completed(Contact::Failed(Failure::Timeout), &rules, START + HOUR);
    assert!(pace.is_lost());
    let back = pace.ready_at().0;
    pace.completed(answered(500), &rules, back);
    assert!(!pace.is_lost());
    assert_eq!(pace.down_since(), None);
    assert_eq!(pace.ready_at(), (back + rules.delay, Hold::Delay));
}

#[test]
fn a_gateway_without_its_origin_is_an_outage_and_one_broken_connection_is_not() {
    for status in [502, 504, 522] {
        assert_eq!(after(answered(status)).ready_at().1, Hold::Outage, "{status}");
    }
    assert_eq!(after(Contact::Failed(Failure::Broken)).ready_at().1, Hold::Delay);
}

#[test]
fn waits_that_one_host_asked_for_do_not_hold_up_its_address() {
    let ten_seconds = START + Duration::from_secs(10);
    assert_eq!(after(answered(429)).spaced_until(), ten_seconds);
    assert_eq!(after(Contact::Failed(Failure::Refused)).spaced_until(), ten_seconds);
}

#[test]
fn after_an_unclean_restart_a_host_counts_as_just_contacted() {
    let mut pace = Pace::new(HostId(1));
    pace.restarted(START, MINUTE);
    assert_eq!(pace.ready_at(), (START + MINUTE, Hold::JustRestarted));
    let mut throttled = after(asking(429, "3600"));
    throttled.restarted(START + MINUTE, MINUTE);
    assert_eq!(throttled.ready_at(), (START + HOUR, Hold::RetryAfter));
}

#[test]
fn every_hold_reads_as_short_prose() {
    assert_eq!(Hold::RetryAfter.to_string(), "waiting as Retry-After asks");
}

fn any_contact() -> impl Strategy<Value = Contact<'static>> {
    let status = prop_oneof![Just(200u16), Just(301), Just(429), Just(503), Just(502), 100..600u16];
    let retry_after = prop_oneof![
        Just(None),
        Just(Some("120")),
        Just(Some("Sun, 09 Sep 2001 02:46:40 GMT")),
        Just(Some("rubbish")),
    ];
    let failure =
        prop_oneof![Just(Failure::Timeout), Just(Failure::Broken), Just(Failure::BodyTooLarge)];
    prop_oneof![
        (status, retry_after, 0..100_000u64).prop_map(|(status, retry_after, millis)| {
            Contact::Answered { status, retry_after, took: Duration::from_millis(millis) }
        }),
        failure.prop_map(Contact::Failed),
    ]
}

proptest! {
    #[test]
    fn whatever_happens_the_delay_is_kept_and_no_wait_is_shortened(
        contacts in proptest::collection::vec((any_contact(), 0..200_000u64, 0..90u64), 1..40),
    ) {
        let rules = PaceRules::default();
        let mut pace = Pace::new(HostId(9));
        let mut now = START;
        for (contact, gap, crawl_delay) in contacts {
            now = now + Duration::from_secs(gap);
            let before = pace.ready_at().0;
            pace.completed(contact, &rules, now);
            let asked = Duration::from_secs(crawl_delay);
            pace.heed_crawl_delay(Some(asked), &rules);
            let (ready_at, hold) = pace.ready_at();
            prop_assert!(ready_at >= before);
            prop_assert!(ready_at >= now + rules.delay.max(asked));
            prop_assert!(ready_at <= before.max(now + 7 * DAY));
            prop_assert!(hold != Hold::Nothing);
            let stored = postcard::to_stdvec(&pace).unwrap();
            prop_assert_eq!(&postcard::from_bytes::<Pace>(&stored).unwrap(), &pace);
        }
    }
}

#[test]
fn rules_survive_storage() {
    let rules = PaceRules::default();
    let stored = postcard::to_stdvec(&rules).unwrap();
    assert_eq!(postcard::from_bytes::<PaceRules>(&stored).unwrap(), rules);
}
