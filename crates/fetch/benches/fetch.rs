//! What one exchange costs: CPU time of the fetching thread per request.
//!
//! 64 hosts, one request in flight each, on kept connections to a server in
//! another thread. Only the fetching thread is measured, with the kernel's own
//! work for its sockets in it. Run with `cargo bench -p gannet-fetch`.
#![allow(clippy::print_stdout, missing_docs)]

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use gannet_fetch::{Config, Fetcher, Overrides, Request};
use gannet_model::PageUrl;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

const HOSTS: usize = 64;
const REQUESTS_PER_HOST: usize = 1000;
const PAGE: usize = 20 << 10;

fn main() {
    let page: Vec<u8> =
        (0..).flat_map(|n: u32| format!("<p>{n} words").into_bytes()).take(PAGE).collect();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&page).expect("memory takes all");
    let packed = encoder.finish().expect("memory takes all");
    measure("plain, 20 KB", answer("", &page));
    measure("gzip, 20 KB unpacked", answer("Content-Encoding: gzip\r\n", &packed));
}

fn answer(headers: &str, body: &[u8]) -> Vec<u8> {
    let typical = "Server: bench\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n\
                   Content-Type: text/html; charset=utf-8\r\nCache-Control: max-age=60\r\n\
                   ETag: \"0123456789abcdef\"\r\nVary: Accept-Encoding\r\n";
    let length = body.len();
    let head = format!("HTTP/1.1 200 OK\r\n{typical}{headers}Content-Length: {length}\r\n\r\n");
    [head.as_bytes(), body].concat()
}

fn measure(what: &str, answer: Vec<u8>) {
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || runtime().block_on(serve(answer, tell)));
    let address = told.recv().expect("the server tells its address");
    let fetcher = Fetcher::new(Config {
        overrides: Overrides::parse(&format!("{address} *")).expect("an address"),
        allow_addresses: vec!["127.0.0.0/8".parse().expect("a network")],
        ..Config::default()
    })
    .expect("a fetcher");
    let runtime = runtime();
    runtime.block_on(crawl(&fetcher, 20));
    let (cpu, wall) = (thread_cpu(), Instant::now());
    runtime.block_on(crawl(&fetcher, REQUESTS_PER_HOST));
    let count = u32::try_from(HOSTS * REQUESTS_PER_HOST).expect("few");
    let (cpu, wall) = (thread_cpu() - cpu, wall.elapsed());
    println!(
        "{what}: {:?} CPU per request ({:.0} per CPU second), {:.0} per second of wall time",
        cpu / count,
        f64::from(count) / cpu.as_secs_f64(),
        f64::from(count) / wall.as_secs_f64(),
    );
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

async fn crawl(fetcher: &Fetcher, rounds: usize) {
    let mut hosts = tokio::task::JoinSet::new();
    for number in 0..HOSTS {
        let fetcher = fetcher.clone();
        hosts.spawn(async move {
            let url = PageUrl::parse(&format!("http://{number}.test/page")).expect("a URL");
            for _ in 0..rounds {
                let target = fetcher.resolve(&url.host()).await.expect("an address");
                let request = Request::new(url.clone(), target);
                let response = fetcher.fetch(request).await.expect("an answer");
                assert_eq!(response.body.len(), PAGE);
            }
        });
    }
    while let Some(ended) = hosts.join_next().await {
        ended.expect("no panic");
    }
}

async fn serve(answer: Vec<u8>, tell: mpsc::Sender<SocketAddr>) {
    let answer: &'static [u8] = answer.leak();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    tell.send(listener.local_addr().expect("an address")).expect("somebody listens");
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(converse(stream, answer));
    }
}

async fn converse(mut stream: TcpStream, answer: &[u8]) {
    let mut buffer = [0; 4096];
    // Requests of this bench arrive in one read each.
    while let Ok(1..) = stream.read(&mut buffer).await {
        if stream.write_all(answer).await.is_err() {
            return;
        }
    }
}

/// Time this thread has been on a CPU: the first number of the scheduler's statistics.
fn thread_cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|word| word.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}
