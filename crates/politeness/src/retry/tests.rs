//! The table, row by row.

use super::*;

const NOW: Timestamp = Timestamp::from_secs(1_000_000);
const MINUTES: u64 = 60;
const HOURS: u64 = 3600;
const DAYS: u64 = 24 * 3600;

/// The waits until the URL is given up, when the same thing happens each time.
#[track_caller]
fn check(outcome: Outcome, expected: &[u64]) {
    let mut tries = Tries::default();
    let mut waits = Vec::new();
    while let Retry::Again { at, .. } = tries.decide(outcome, &RetryRules::default(), NOW) {
        waits.push(at.since(NOW).as_secs());
    }
    assert_eq!(waits, expected, "{outcome:?}");
}

#[test]
fn what_works_is_done_and_forgets_earlier_failures() {
    let rules = RetryRules::default();
    let mut tries = Tries { failures: 3, throttles: 5 };
    for status in [200, 204, 301, 304] {
        assert_eq!(tries.decide(Outcome::Answered(status), &rules, NOW), Retry::Done);
    }
    assert_eq!(tries, Tries::default());
}

#[test]
fn a_name_without_address_is_tried_once_more_a_day_later() {
    check(Outcome::Failed(Failure::NameNotFound), &[DAYS]);
    check(Outcome::Failed(Failure::Tls), &[DAYS]);
    check(Outcome::Failed(Failure::NotHttp), &[HOURS]);
}

#[test]
fn a_host_out_of_reach_is_tried_for_more_than_a_day() {
    let waits = [MINUTES, 20 * MINUTES, 400 * MINUTES, DAYS];
    for failure in [Failure::Timeout, Failure::Refused, Failure::NameLookup] {
        check(Outcome::Failed(failure), &waits);
    }
}

#[test]
fn a_broken_connection_or_a_wrong_moment_is_tried_again_soon() {
    let waits = [MINUTES, 10 * MINUTES, 100 * MINUTES];
    check(Outcome::Failed(Failure::Broken), &waits);
    check(Outcome::Answered(408), &waits);
    check(Outcome::Answered(425), &waits);
}

#[test]
fn a_failing_server_is_given_hours() {
    for status in [500, 502, 504, 520, 599] {
        check(Outcome::Answered(status), &[5 * MINUTES, HOURS, 12 * HOURS]);
    }
}

#[test]
fn a_final_answer_is_final() {
    for status in [400, 401, 403, 404, 410, 451, 501, 505, 999] {
        check(Outcome::Answered(status), &[]);
    }
    for failure in [
        Failure::ForbiddenAddress,
        Failure::HeadTooLarge,
        Failure::BodyTooLarge,
        Failure::UnpacksTooLarge,
        Failure::BadEncoding,
        Failure::TooManyRedirects,
        Failure::BadRedirect,
    ] {
        check(Outcome::Failed(failure), &[]);
    }
}

#[test]
fn being_turned_away_waits_for_the_host_and_ends_after_twenty_times() {
    check(Outcome::Answered(429), &[0; 19]);
    check(Outcome::Answered(503), &[0; 19]);
}

#[test]
fn being_turned_away_uses_up_no_attempts() {
    let rules = RetryRules::default();
    let mut tries = Tries::default();
    for _ in 0..10 {
        tries.decide(Outcome::Answered(429), &rules, NOW);
    }
    let retry = tries.decide(Outcome::Failed(Failure::Timeout), &rules, NOW);
    let because = "the server took too long; attempt 2 of 5 in 1 min".to_owned();
    assert_eq!(retry, Retry::Again { at: NOW + Duration::from_secs(60), because });
}

#[test]
fn giving_up_says_why() {
    let rules = RetryRules::default();
    let because = |tries: &mut Tries, outcome| match tries.decide(outcome, &rules, NOW) {
        Retry::GiveUp { because } => because,
        other => panic!("{other:?}"),
    };
    let gone = because(&mut Tries::default(), Outcome::Answered(404));
    assert_eq!(gone, "answered 404, which another attempt would not change");
    let mut tries = Tries { failures: 3, throttles: 0 };
    let failing = because(&mut tries, Outcome::Answered(500));
    assert_eq!(failing, "answered 500; 4 attempts made");
}

#[test]
fn tries_and_rules_survive_storage() {
    let tries = Tries { failures: 2, throttles: 300 };
    let stored = postcard::to_stdvec(&tries).unwrap();
    assert_eq!(postcard::from_bytes::<Tries>(&stored).unwrap(), tries);
    let rules = RetryRules::default();
    let stored = postcard::to_stdvec(&rules).unwrap();
    assert_eq!(postcard::from_bytes::<RetryRules>(&stored).unwrap(), rules);
}
