//! The server over real loopback sockets, asked by hand.

use std::io::Read;
use std::net::SocketAddrV4;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{Server, ServerOptions};
use crate::hostile::Hostility;
use crate::layout::PageId;
use crate::spec::Spec;
use crate::web::{Web, split_url};

async fn start(spec: Spec) -> Server {
    Server::start(Arc::new(Web::new(spec)), ServerOptions::default()).await.unwrap()
}

/// Sends one request and reads until the server closes or `limit` bytes came.
async fn ask(to: SocketAddrV4, request: &str, limit: usize) -> Vec<u8> {
    let mut stream = TcpStream::connect(to).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let mut buffer = vec![0; 65_536];
    while answer.len() < limit {
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => break,
            Ok(count) => answer.extend_from_slice(&buffer[..count]),
        }
    }
    answer
}

fn get(path: &str, host: &str, more: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n")
}

/// Asks for a URL in canonical naming.
async fn fetch(server: &Server, url: &str, limit: usize) -> Vec<u8> {
    let (name, path) = split_url(url).unwrap();
    let host = server.web().host_number(name).unwrap();
    ask(server.address(host), &get(path, name, ""), limit).await
}

fn head_of(answer: &[u8]) -> String {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
    String::from_utf8_lossy(&answer[..end]).to_ascii_lowercase()
}

fn body_of(answer: &[u8]) -> &[u8] {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    &answer[end + 4..]
}

#[tokio::test]
async fn a_name_gets_links_in_names() {
    let server = start(Spec::small(1)).await;
    let url = server.web().url(PageId::home(2));
    let answer = String::from_utf8(fetch(&server, &url, usize::MAX).await).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains(".test/") && !answer.contains("http://127."));
    server.stop().await;
}

#[tokio::test]
async fn an_address_gets_links_in_addresses() {
    let server = start(Spec::small(1)).await;
    let address = server.address(2);
    let answer = ask(address, &get("/", &address.to_string(), ""), usize::MAX).await;
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.contains("http://127.") && !answer.contains(".test/"), "{answer}");
    assert_eq!(server.log()[0].host, server.web().host_name(2));
    for seed in server.seed_urls_for_foreign_tools(3) {
        assert!(seed.starts_with("http://127.") && seed.contains(&server.port().to_string()));
    }
    server.stop().await;
}

#[tokio::test]
async fn an_unknown_host_is_misdirected() {
    let server = start(Spec::small(1)).await;
    let answer = ask(server.address(0), &get("/", "example.com", ""), usize::MAX).await;
    assert!(head_of(&answer).starts_with("http/1.1 421"));
    server.stop().await;
}

#[tokio::test]
async fn the_hosts_file_names_every_host() {
    let web = Arc::new(Web::new(Spec::small(1)));
    let options = ServerOptions { max_addresses: 7, ..ServerOptions::default() };
    let server = Server::start(web.clone(), options).await.unwrap();
    let file = server.hosts_file();
    assert_eq!(file.lines().count(), 20);
    for line in file.lines() {
        let (address, name) = line.split_once(' ').unwrap();
        let host = web.host_number(name).unwrap();
        assert_eq!(address.parse::<SocketAddrV4>().unwrap(), server.address(host));
    }
    assert_eq!(server.address(1), server.address(8));
    let shared = ask(server.address(8), &get("/", &web.host_name(8), ""), usize::MAX).await;
    assert!(head_of(&shared).starts_with("http/1.1 200"));
    server.stop().await;
}

#[tokio::test]
async fn gzip_and_head_say_the_same_as_the_plain_body() {
    let server = start(Spec::small(1)).await;
    let name = server.web().host_name(0);
    let plain = ask(server.address(0), &get("/", &name, ""), usize::MAX).await;
    let packed = get("/", &name, "Accept-Encoding: br;q=1, gzip;q=0.5\r\n");
    let packed = ask(server.address(0), &packed, usize::MAX).await;
    assert!(head_of(&packed).contains("content-encoding: gzip"));
    let mut unpacked = Vec::new();
    flate2::read::GzDecoder::new(body_of(&packed)).read_to_end(&mut unpacked).unwrap();
    assert_eq!(unpacked, body_of(&plain));
    let head = get("/", &name, "").replace("GET", "HEAD");
    let head = ask(server.address(0), &head, usize::MAX).await;
    assert!(body_of(&head).is_empty());
    let length = format!("content-length: {}", body_of(&plain).len());
    assert!(head_of(&head).contains(&length), "{}", head_of(&head));
    server.stop().await;
}

#[tokio::test]
async fn one_connection_carries_many_requests() {
    let server = start(Spec::small(1)).await;
    let name = server.web().host_name(0);
    let kept = format!("GET / HTTP/1.1\r\nHost: {name}\r\n\r\n");
    let both = format!("{kept}{}", get("/robots.txt", &name, ""));
    let answer = ask(server.address(0), &both, usize::MAX).await;
    let count = String::from_utf8_lossy(&answer).matches("HTTP/1.1 200").count();
    assert_eq!(count, 2);
    server.stop().await;
}

#[tokio::test]
async fn a_transient_fault_passes_and_a_cut_body_is_short() {
    let mut spec = Spec::small(1);
    spec.faults.flaky = 0.3;
    let server = start(spec).await;
    let web = server.web().clone();
    let is_flaky =
        |page: &PageId| matches!(web.behaviour(*page), crate::Behaviour::Flaky { attempts: 1 });
    let page = web.pages().find(is_flaky).unwrap();
    let cut = fetch(&server, &web.url(page), usize::MAX).await;
    let whole = fetch(&server, &web.url(page), usize::MAX).await;
    assert_eq!(body_of(&cut).len(), body_of(&whole).len() / 2);
    assert_eq!(body_of(&cut), &body_of(&whole)[..body_of(&cut).len()]);
    let attempts: Vec<u32> = server.log().iter().map(|entry| entry.attempt).collect();
    assert_eq!(attempts, [0, 1]);
    server.stop().await;
}

#[tokio::test]
async fn the_gzip_bomb_streams_and_unpacks_to_zeros() {
    let server = start(Spec::hostile()).await;
    let url = server.web().hostile_url(Hostility::GzipBomb);
    // 256 KiB of the stream are a quarter of a gigabyte unpacked, so the
    // server cannot have made it beforehand.
    let answer = fetch(&server, &url, 256 << 10).await;
    assert!(head_of(&answer).contains("content-encoding: gzip"));
    assert!(answer.len() >= 256 << 10);
    server.stop().await;
}

#[tokio::test]
async fn every_attack_but_silence_begins_an_answer() {
    let server = start(Spec::hostile()).await;
    for &hostility in Hostility::ALL {
        if hostility == Hostility::Silence {
            continue;
        }
        let answer = fetch(&server, &server.web().hostile_url(hostility), 1).await;
        assert!(answer.starts_with(b"HTTP/1.1 "), "{hostility:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn header_bombs_and_wrong_lengths_arrive_as_meant() {
    let server = start(Spec::hostile()).await;
    let bomb = server.web().hostile_url(Hostility::HeaderBomb);
    assert!(head_of(&fetch(&server, &bomb, usize::MAX).await).len() > 2_000_000);
    let short = server.web().hostile_url(Hostility::WrongLength);
    let answer = fetch(&server, &short, usize::MAX).await;
    let promised = format!("content-length: {}", body_of(&answer).len() * 10);
    assert!(head_of(&answer).contains(&promised), "{}", head_of(&answer));
    server.stop().await;
}

#[tokio::test]
async fn a_vanished_client_still_gets_a_finish_time() {
    let server = start(Spec::hostile()).await;
    for hostility in [Hostility::EndlessBody, Hostility::SlowDrip] {
        fetch(&server, &server.web().hostile_url(hostility), 1).await;
    }
    let silent = server.web().hostile_url(Hostility::Silence);
    let (name, path) = split_url(&silent).unwrap();
    let host = server.web().host_number(name).unwrap();
    let mut stream = TcpStream::connect(server.address(host)).await.unwrap();
    stream.write_all(get(path, name, "").as_bytes()).await.unwrap();
    wait_until(|| server.log().len() == 3).await;
    drop(stream);
    wait_until(|| server.log().iter().all(|entry| entry.finished_at.is_some())).await;
    for entry in server.log() {
        assert!(entry.finished_mono.unwrap() >= entry.received_mono);
    }
    server.stop().await;
}

/// Waits for something the server does in its own time, within bounds.
async fn wait_until(is_so: impl Fn() -> bool) {
    let mut tick = tokio::time::interval(std::time::Duration::from_millis(1));
    for _ in 0..5_000 {
        if is_so() {
            return;
        }
        tick.tick().await;
    }
    panic!("it never came about");
}

#[tokio::test]
async fn the_log_file_has_a_line_for_every_request() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("log.jsonl");
    let options = ServerOptions {
        clock: Arc::new(|| 1_800_000_000_000_000),
        log_file: Some(path.clone()),
        ..ServerOptions::default()
    };
    let server = Server::start(Arc::new(Web::new(Spec::small(1))), options).await.unwrap();
    for host in 0..3 {
        let url = server.web().url(PageId::home(host));
        fetch(&server, &url, usize::MAX).await;
    }
    let log = server.log();
    server.stop().await;
    let text = std::fs::read_to_string(path).unwrap();
    let read: Vec<super::LogEntry> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(read, log);
    assert_eq!(read[0].received_at, 1_800_000_000_000_000);
    assert_eq!(read[0].status, 200);
}

#[tokio::test]
async fn a_stopped_server_frees_its_port_even_with_a_silent_client() {
    let server = start(Spec::hostile()).await;
    let silent = server.web().hostile_url(Hostility::Silence);
    let (name, path) = split_url(&silent).unwrap();
    let address = server.address(server.web().host_number(name).unwrap());
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(get(path, name, "").as_bytes()).await.unwrap();
    wait_until(|| server.log().len() == 1).await;
    server.stop().await;
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn a_dropped_server_stops_answering() {
    let server = start(Spec::small(1)).await;
    let address = server.address(0);
    drop(server);
    for _ in 0..5_000 {
        if TcpStream::connect(address).await.is_err() {
            return;
        }
        tokio::task::yield_now().await;
    }
    panic!("still listening");
}
