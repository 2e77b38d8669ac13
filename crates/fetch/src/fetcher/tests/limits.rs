//! Every limit holds, and passing it has its own name.

use std::io::Write as _;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use gannet_model::Failure;

use super::{ask_once, check_failure, request};
use crate::loopback::{Reply, Server, answer, chunk, fetcher};
use crate::{FetchError, Phase, Request};

/// Short enough for a test, long enough for loopback.
const SHORT: Duration = Duration::from_millis(150);

const CHUNKED: &str = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n";

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn a_silent_server_is_left_after_the_time_to_the_first_byte() {
    for sent in ["", "HTTP/1.1 200 OK\r\nX-Half"] {
        let server = Server::start(move |_, _| Reply::Stall(sent.into())).await;
        let result = ask_once(&server, |config| config.timeouts.first_byte = SHORT).await;
        assert!(matches!(result, Err(FetchError::Timeout { phase: Phase::FirstByte, .. })));
        check_failure(result, Failure::Timeout);
    }
}

#[tokio::test]
async fn a_body_that_stalls_is_left_after_the_whole_time() {
    let half = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nslow";
    let server = Server::start(move |_, _| Reply::Stall(half.into())).await;
    let started = Instant::now();
    let result = ask_once(&server, |config| config.timeouts.whole = SHORT).await;
    assert!(matches!(result, Err(FetchError::Timeout { phase: Phase::Whole, .. })));
    assert!(started.elapsed() < SHORT * 20);
}

#[tokio::test]
async fn a_body_that_drips_is_left_after_the_whole_time() {
    let server = Server::start(|_, _| Reply::Drip(answer("", &[b'x'; 10_000]))).await;
    let result = ask_once(&server, |config| config.timeouts.whole = SHORT).await;
    assert!(matches!(result, Err(FetchError::Timeout { .. })), "{result:?}");
}

#[tokio::test]
async fn a_server_that_never_shakes_hands_is_left_after_the_time_to_connect() {
    // It waits for the end of a request's head, which is not what TLS sends.
    let server = Server::start(|_, _| Reply::Stall(Vec::new())).await;
    let fetcher = fetcher(server.address, |config| config.timeouts.connect = SHORT);
    let result = fetcher.fetch(request(&fetcher, "https://a.test/").await).await;
    assert!(matches!(result, Err(FetchError::Timeout { phase: Phase::Connect, .. })));
    check_failure(result, Failure::Timeout);
}

#[tokio::test]
async fn heads_may_not_have_too_many_bytes() {
    let long = answer(&format!("X-Long: {}\r\n", "x".repeat(70 << 10)), b"");
    let server = Server::always(long).await;
    check_failure(ask_once(&server, |_| {}).await, Failure::HeadTooLarge);
    let server = Server::start(|_, _| {
        Reply::Endless(b"HTTP/1.1 200 OK\r\n".to_vec(), b"X-Bomb: 1234567890\r\n".repeat(100))
    })
    .await;
    let result = ask_once(&server, |config| config.limits.max_headers = 100_000).await;
    check_failure(result, Failure::HeadTooLarge);
}

#[tokio::test]
async fn heads_may_not_have_too_many_lines() {
    let lines = |count: usize| answer(&"X: 1\r\n".repeat(count), b"");
    let server = Server::always(lines(99)).await;
    assert_eq!(ask_once(&server, |_| {}).await.unwrap().headers.len(), 100);
    let server = Server::always(lines(100)).await;
    check_failure(ask_once(&server, |_| {}).await, Failure::HeadTooLarge);
    let server = Server::always(lines(20)).await;
    let result = ask_once(&server, |config| config.limits.max_headers = 20).await;
    check_failure(result, Failure::HeadTooLarge);
}

#[tokio::test]
async fn an_announced_body_too_large_is_refused_at_once() {
    let announced = "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n";
    let server = Server::start(move |_, _| Reply::Stall(announced.into())).await;
    let result = ask_once(&server, |config| config.limits.max_body_bytes = 1000).await;
    check_failure(result, Failure::BodyTooLarge);
}

#[tokio::test]
async fn an_endless_body_is_left_at_the_limit() {
    let head = format!("{CHUNKED}\r\n");
    let server =
        Server::start(move |_, _| Reply::Endless(head.clone().into(), chunk(&[b'x'; 8000]))).await;
    check_failure(ask_once(&server, |_| {}).await, Failure::BodyTooLarge);
}

#[tokio::test]
async fn a_request_may_lower_the_limit_but_not_raise_it() {
    let server = Server::always(answer("", &[b'x'; 100])).await;
    let fetcher = fetcher(server.address, |config| config.limits.max_body_bytes = 100);
    for (body_limit, is_fine) in [(Some(99), false), (Some(1000), true), (None, true)] {
        let asked = request(&fetcher, "http://a.test/").await;
        let result = fetcher.fetch(Request { body_limit, ..asked }).await;
        assert_eq!(result.is_ok(), is_fine, "{body_limit:?}");
    }
}

#[tokio::test]
async fn gigabytes_of_zeros_are_noticed_early() {
    // Members of 10 MiB each, one after the other, until somebody stops reading.
    let member = gzip(&vec![0; 10 << 20]);
    let head = format!("{CHUNKED}Content-Encoding: gzip\r\n\r\n");
    let server =
        Server::start(move |_, _| Reply::Endless(head.clone().into(), chunk(&member))).await;
    check_failure(ask_once(&server, |_| {}).await, Failure::UnpacksTooLarge);
    let result = ask_once(&server, |config| config.limits.max_ratio = u64::MAX).await;
    check_failure(result, Failure::UnpacksTooLarge);
}

#[tokio::test]
async fn packed_bodies_are_kept_both_ways() {
    let page = b"<p>hello</p>".repeat(2000);
    let packed = gzip(&page);
    let server = Server::always(answer("Content-Encoding: gzip\r\n", &packed)).await;
    let response = ask_once(&server, |_| {}).await.unwrap();
    assert_eq!((&response.wire_body[..], &response.body[..]), (&packed[..], &page[..]));
}

#[tokio::test]
async fn a_body_that_does_not_unpack_is_named_so() {
    let server =
        Server::always(answer("Content-Encoding: br\r\n", b"<html>no brotli</html>")).await;
    check_failure(ask_once(&server, |_| {}).await, Failure::BadEncoding);
}
