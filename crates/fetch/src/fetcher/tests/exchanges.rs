//! What goes out, what comes back, and which connection carries it.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use gannet_model::{Failure, HttpVersion, PageUrl, Validators};

use super::{ask, ask_once, check_failure, request};
use crate::loopback::{Reply, Server, answer, chunk, fetcher};
use crate::{Accept, Request, Target};

#[tokio::test]
async fn an_answer_comes_back_as_it_was_sent() {
    let head = "HTTP/1.1 404 Nothing Here\r\nX-One: 1\r\nSet-Cookie: a\r\nSet-Cookie: b\r\n";
    let server = Server::always(format!("{head}Content-Length: 5\r\n\r\nhello")).await;
    let response = ask_once(&server, |_| {}).await.unwrap();
    assert_eq!((response.status, response.status_text.as_str()), (404, "Nothing Here"));
    assert_eq!(response.version, HttpVersion::Http11);
    let cookies: Vec<_> = response.headers.all("set-cookie").map(|v| v.to_vec()).collect();
    assert_eq!(cookies, [b"a", b"b"]);
    assert_eq!(&response.body[..], b"hello");
    assert_eq!(response.body.as_ptr(), response.wire_body.as_ptr());
    assert_eq!(response.address, server.address.ip());
    assert!(response.timings.total >= response.timings.first_byte);
}

#[tokio::test]
async fn the_request_head_kept_is_the_one_sent() {
    let server = Server::always(answer("", b"")).await;
    let fetcher = fetcher(server.address, |config| config.user_agent = "tester/1".to_owned());
    let asked = request(&fetcher, "http://a.test:81/r?q").await;
    let response = fetcher.fetch(Request { accept: Accept::Robots, ..asked }).await.unwrap();
    let sent = server.requests().remove(0);
    assert_eq!(std::str::from_utf8(&response.request_head).unwrap(), sent);
    assert!(sent.contains("User-Agent: tester/1\r\n") && sent.contains("Host: a.test:81\r\n"));
}

#[tokio::test]
async fn a_copy_still_good_costs_no_body() {
    let server = Server::start(|_, head| {
        let is_conditional = head.contains("If-None-Match: \"v1\"\r\n")
            && head.contains("If-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMT\r\n");
        let status = if is_conditional { "304 Not Modified" } else { "400 Bad Request" };
        // The length is that of the page, not of this answer.
        let lines = "Content-Length: 99\r\nContent-Encoding: gzip";
        Reply::Keep(format!("HTTP/1.1 {status}\r\n{lines}\r\n\r\n").into())
    })
    .await;
    let fetcher = fetcher(server.address, |_| {});
    let validators = Validators {
        etag: Some("\"v1\"".to_owned()),
        last_modified: Some("Sat, 01 Jan 2000 00:00:00 GMT".to_owned()),
    };
    for _ in 0..2 {
        let asked = request(&fetcher, "http://a.test/").await;
        let asked = Request { validators: validators.clone(), ..asked };
        let response = fetcher.fetch(asked).await.unwrap();
        assert!(response.is_not_modified() && response.body.is_empty());
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn redirects_are_answers_and_interim_answers_are_not() {
    let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    let redirect = "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n";
    let server = Server::always(format!("{interim}{redirect}")).await;
    let response = ask_once(&server, |_| {}).await.unwrap();
    assert_eq!(response.redirect_target().unwrap().as_str(), "http://a.test/b");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn header_values_may_be_any_bytes_and_broken_lines_are_left_out() {
    let mut bytes =
        b"HTTP/1.1 200 OK\r\nX-Raw: caf\xe9\xff\r\nBad Name: x\r\nX-Bell: a\x07b\r\n".to_vec();
    bytes.extend_from_slice(b"Content-Length: 1\r\n\r\nx");
    let server = Server::always(bytes).await;
    let response = ask_once(&server, |_| {}).await.unwrap();
    assert_eq!(&response.headers.get("x-raw").unwrap()[..], b"caf\xe9\xff");
    assert_eq!(response.headers.len(), 2);
    assert_eq!(&response.body[..], b"x");
}

#[tokio::test]
async fn bodies_end_by_length_by_chunks_or_by_hanging_up() {
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    let chunked = [chunked, chunk(b"hel"), chunk(b"lo"), b"0\r\n\r\n".to_vec()].concat();
    let bare = b"HTTP/1.0 200 OK\r\n\r\nhello".to_vec();
    for reply in [answer("", b"hello"), chunked, bare] {
        let server = Server::start(move |_, _| Reply::Close(reply.clone())).await;
        assert_eq!(&ask_once(&server, |_| {}).await.unwrap().body[..], b"hello");
    }
}

#[tokio::test]
async fn a_connection_serves_many_requests() {
    let server = Server::always(answer("", b"hello")).await;
    let fetcher = fetcher(server.address, |_| {});
    for _ in 0..20 {
        assert_eq!(&ask(&fetcher).await.unwrap().body[..], b"hello");
    }
    assert_eq!((server.connections(), server.requests().len()), (1, 20));
    assert_eq!(fetcher.idle_connections(), 1);
}

#[tokio::test]
async fn two_names_never_share_a_connection() {
    let server = Server::always(answer("", b"")).await;
    let fetcher = fetcher(server.address, |_| {});
    for url in ["http://a.test/", "http://b.test/", "http://a.test/"] {
        fetcher.fetch(request(&fetcher, url).await).await.unwrap();
    }
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn a_connection_to_be_closed_is_not_kept() {
    let server = Server::start(|_, _| Reply::Close(answer("Connection: close\r\n", b""))).await;
    let fetcher = fetcher(server.address, |_| {});
    for _ in 0..3 {
        ask(&fetcher).await.unwrap();
        assert_eq!(fetcher.idle_connections(), 0);
    }
    assert_eq!(server.connections(), 3);
}

#[tokio::test]
async fn a_kept_connection_that_hangs_up_on_the_request_is_replaced_once() {
    let server = Server::start(|before, _| match before {
        1 => Reply::Close(Vec::new()),
        _ => Reply::Keep(answer("", b"hello")),
    })
    .await;
    let fetcher = fetcher(server.address, |_| {});
    ask(&fetcher).await.unwrap();
    assert_eq!(&ask(&fetcher).await.unwrap().body[..], b"hello");
    assert_eq!((server.connections(), server.requests().len()), (2, 3));
}

#[tokio::test]
async fn a_request_is_never_sent_a_third_time() {
    let server = Server::start(|before, _| match before {
        0 => Reply::Keep(answer("", b"hello")),
        _ => Reply::Close(Vec::new()),
    })
    .await;
    let fetcher = fetcher(server.address, |_| {});
    ask(&fetcher).await.unwrap();
    check_failure(ask(&fetcher).await, Failure::Broken);
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn a_request_that_may_have_been_answered_is_not_sent_again() {
    let server = Server::start(|before, _| match before {
        0 => Reply::Keep(answer("", b"")),
        _ => Reply::Close(b"HTTP/1.1 2".to_vec()),
    })
    .await;
    let fetcher = fetcher(server.address, |_| {});
    ask(&fetcher).await.unwrap();
    check_failure(ask(&fetcher).await, Failure::Broken);
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_new_connection_that_hangs_up_is_a_failure() {
    let server = Server::start(|_, _| Reply::Close(Vec::new())).await;
    check_failure(ask_once(&server, |_| {}).await, Failure::Broken);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_body_cut_short_is_a_failure() {
    let half = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf";
    let server = Server::start(move |_, _| Reply::Close(half.into())).await;
    check_failure(ask_once(&server, |_| {}).await, Failure::Broken);
}

#[tokio::test]
async fn what_is_not_http_is_named_so() {
    let bad_chunk = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n";
    for text in ["SSH-2.0-OpenSSH_9.9\r\n\r\n", "<html>\r\n\r\n", bad_chunk] {
        let server = Server::start(move |_, _| Reply::Close(text.into())).await;
        check_failure(ask_once(&server, |_| {}).await, Failure::NotHttp);
    }
}

#[tokio::test]
async fn nobody_listening_is_named_so() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let fetcher = fetcher(listener.local_addr().unwrap(), |_| {});
    drop(listener);
    check_failure(ask(&fetcher).await, Failure::Refused);
}

#[tokio::test]
async fn a_name_that_moves_is_asked_where_it_was_found() {
    let first = Server::always(answer("", b"1")).await;
    let second = Server::always(answer("", b"2")).await;
    let before = fetcher(first.address, |_| {});
    let after = fetcher(second.address, |_| {});
    let asked = request(&before, "http://a.test/").await;
    assert_eq!(&after.fetch(asked).await.unwrap().body[..], b"1");
    assert_eq!(second.connections(), 0);
}

#[tokio::test]
async fn a_connection_closed_while_idle_costs_no_request() {
    let server = Server::start(|_, _| Reply::Close(answer("", b"hello"))).await;
    let fetcher = fetcher(server.address, |_| {});
    for _ in 0..5 {
        assert_eq!(&ask(&fetcher).await.unwrap().body[..], b"hello");
    }
    assert_eq!((server.connections(), server.requests().len()), (5, 5));
}

#[tokio::test]
async fn the_next_address_is_tried_when_nobody_listens_at_the_first() {
    let server = Server::always(answer("", b"hello")).await;
    let fetcher = fetcher(server.address, |_| {});
    let url = PageUrl::parse(&format!("http://a.test:{}/", server.address.port())).unwrap();
    let addresses: [IpAddr; 2] = [[127, 0, 0, 2].into(), [127, 0, 0, 1].into()];
    let target = Target::found(Arc::new(addresses), Instant::now()).unwrap();
    for _ in 0..2 {
        let response = fetcher.fetch(Request::new(url.clone(), target.clone())).await.unwrap();
        assert_eq!(response.address, addresses[1]);
    }
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn a_forbidden_address_is_refused_again_at_the_connection() {
    let server = Server::always(answer("", b"")).await;
    let fetcher = fetcher(server.address, |config| config.allow_addresses.clear());
    let url = PageUrl::parse("http://a.test/").unwrap();
    let error = fetcher.resolve(&url.host()).await.unwrap_err();
    assert_eq!(error.failure(), Failure::ForbiddenAddress);
    let target = Target::fixed(server.address.ip(), Some(server.address.port()));
    check_failure(fetcher.fetch(Request::new(url, target)).await, Failure::ForbiddenAddress);
    assert_eq!(server.connections(), 0);
}

#[tokio::test]
async fn a_dropped_exchange_leaves_nothing_behind() {
    let server = Server::start(|_, _| Reply::Stall(Vec::new())).await;
    let fetcher = fetcher(server.address, |_| {});
    let asking = tokio::time::timeout(std::time::Duration::from_millis(100), ask(&fetcher));
    assert!(asking.await.is_err());
    assert_eq!(fetcher.idle_connections(), 0);
}
