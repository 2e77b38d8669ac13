//! A server of our own on loopback, as rude as a test needs it to be.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::{Config, Fetcher, Overrides};

/// What the server does about a request.
pub(crate) enum Reply {
    /// Sends this and waits for the next request.
    Keep(Vec<u8>),
    /// Sends this and hangs up.
    Close(Vec<u8>),
    /// Sends the first once and then the second until the client hangs up.
    Endless(Vec<u8>, Vec<u8>),
    /// Sends this a byte at a time, a few milliseconds apart.
    Drip(Vec<u8>),
    /// Sends this and then nothing, for ever.
    Stall(Vec<u8>),
}

/// Answers on a port of 127.0.0.1 until dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
    _tasks: JoinSet<()>,
}

impl Server {
    /// `reply` is told how many requests came before, and the request's head.
    pub(crate) async fn start(
        reply: impl Fn(usize, &str) -> Reply + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let reply = Arc::new(reply);
        let mut tasks = JoinSet::new();
        let (count, heads) = (Arc::clone(&connections), Arc::clone(&requests));
        tasks.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                let (reply, heads) = (Arc::clone(&reply), Arc::clone(&heads));
                open.spawn(async move {
                    // A client that hangs up ends the conversation; that is its right.
                    let _ = converse(stream, &*reply, &heads).await;
                });
            }
        });
        Server { address, connections, requests, _tasks: tasks }
    }

    /// Always the same answer on kept connections.
    pub(crate) async fn always(answer: impl Into<Vec<u8>>) -> Server {
        let answer = answer.into();
        Server::start(move |_, _| Reply::Keep(answer.clone())).await
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn converse(
    mut stream: TcpStream,
    reply: &(dyn Fn(usize, &str) -> Reply + Send + Sync),
    heads: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    loop {
        let Some(head) = read_head(&mut stream).await? else { return Ok(()) };
        let before = {
            let mut heads = heads.lock().unwrap();
            heads.push(head.clone());
            heads.len() - 1
        };
        match reply(before, &head) {
            Reply::Keep(bytes) => stream.write_all(&bytes).await?,
            Reply::Close(bytes) => {
                stream.write_all(&bytes).await?;
                return stream.shutdown().await;
            }
            Reply::Endless(head, piece) => {
                stream.write_all(&head).await?;
                loop {
                    stream.write_all(&piece).await?;
                }
            }
            Reply::Drip(bytes) => {
                for byte in bytes {
                    stream.write_all(&[byte]).await?;
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
            }
            Reply::Stall(bytes) => {
                stream.write_all(&bytes).await?;
                std::future::pending::<()>().await;
            }
        }
    }
}

/// The next request's head; `None` when the client hung up.
async fn read_head(stream: &mut TcpStream) -> std::io::Result<Option<String>> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut piece = [0; 4096];
        let length = stream.read(&mut piece).await?;
        if length == 0 {
            return Ok(None);
        }
        head.extend_from_slice(&piece[..length]);
    }
    Ok(Some(String::from_utf8(head).unwrap()))
}

/// An answer with its length.
pub(crate) fn answer(headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let mut bytes =
        format!("HTTP/1.1 200 OK\r\n{headers}Content-Length: {length}\r\n\r\n").into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// One chunk of a chunked body.
pub(crate) fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    chunk
}

/// A fetcher that may talk to loopback and finds every name at `address`.
pub(crate) fn fetcher(address: SocketAddr, tweak: impl FnOnce(&mut Config)) -> Fetcher {
    let mut config = Config {
        overrides: Overrides::parse(&format!("{address} *")).unwrap(),
        allow_addresses: vec!["127.0.0.0/8".parse().unwrap()],
        ..Config::default()
    };
    tweak(&mut config);
    Fetcher::new(config).unwrap()
}
