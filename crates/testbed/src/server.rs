//! The web on real sockets.
//!
//! One listener per loopback address, all on one port; hosts are told apart by
//! the `Host` header. Every request is logged, so that a test can prove from
//! the server's side how a crawler behaved. The server adds nothing to the web:
//! what is answered is decided by [`Web::respond`].

mod delivery;
mod exchange;
mod journal;

use std::fmt::Write;
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::naming::{self, Naming};
use crate::web::{Web, split_url};

use exchange::Exchange;
use journal::Journal;
pub use journal::LogEntry;

/// How long a connection may finish its answer after the server was stopped.
const FAREWELL: Duration = Duration::from_millis(250);
/// How many ports are tried until one is free on every address.
const PORT_TRIES: u32 = 32;
/// How long an accept loop rests when the system has no more sockets to give.
const ACCEPT_REST: Duration = Duration::from_millis(20);

/// A clock: microseconds since 1970.
pub type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// How a server runs.
#[derive(Clone)]
pub struct ServerOptions {
    /// The port on every address; 0 finds a free one.
    pub port: u16,
    /// At most this many addresses are bound; further hosts share them.
    pub max_addresses: u32,
    /// What time it is in the web; by default the time it really is.
    pub clock: Clock,
    /// Finished requests are also appended here, one JSON object a line.
    pub log_file: Option<PathBuf>,
}

impl Default for ServerOptions {
    fn default() -> Self {
        ServerOptions { port: 0, max_addresses: 512, clock: Arc::new(system_clock), log_file: None }
    }
}

fn system_clock() -> u64 {
    let age = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    age.as_micros() as u64
}

/// A running server. Dropping it stops it; [`Server::stop`] also waits.
pub struct Server {
    web: Arc<Web>,
    port: u16,
    addresses: u32,
    journal: Arc<Journal>,
    stop: watch::Sender<bool>,
    listeners: JoinSet<()>,
}

impl Server {
    /// Binds the addresses and begins to answer.
    pub async fn start(web: Arc<Web>, options: ServerOptions) -> io::Result<Server> {
        let addresses = web.hosts().min(options.max_addresses).max(1);
        let bound = bind_all(addresses, options.port).await?;
        let port = bound[0].local_addr()?.port();
        let journal = Arc::new(Journal::open(options.log_file.as_deref(), options.clock)?);
        let naming = Naming::Addresses { port, addresses };
        let exchange = Arc::new(Exchange::new(web.clone(), naming, journal.clone()));
        let (stop, stopped) = watch::channel(false);
        let mut listeners = JoinSet::new();
        for (slot, listener) in bound.into_iter().enumerate() {
            let address = naming::slot_address(slot as u32);
            listeners.spawn(accept(listener, address, exchange.clone(), stopped.clone()));
        }
        Ok(Server { web, port, addresses, journal, stop, listeners })
    }

    /// The port on every address.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The web being served.
    pub fn web(&self) -> &Arc<Web> {
        &self.web
    }

    /// The address that serves a host.
    pub fn address(&self, host: u32) -> SocketAddrV4 {
        SocketAddrV4::new(naming::slot_address(host % self.addresses), self.port)
    }

    /// Which address serves which name: lines of `127.x.y.z:PORT name`.
    pub fn hosts_file(&self) -> String {
        let mut lines = String::new();
        for host in 0..self.web.hosts() {
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "{} {}", self.address(host), self.web.host_name(host));
        }
        lines
    }

    /// Seeds with addresses in place of names, for tools that cannot be given names.
    pub fn seed_urls_for_foreign_tools(&self, count: usize) -> Vec<String> {
        let naming = Naming::Addresses { port: self.port, addresses: self.addresses };
        let in_addresses = |url: &String| {
            let (name, path) = split_url(url)?;
            let mut seed = String::new();
            let host = self.web.host_number(name)?;
            naming::write_origin(&self.web.layout, host, naming, &mut seed);
            seed.push_str(path);
            Some(seed)
        };
        self.web.seeds(count).iter().filter_map(in_addresses).collect()
    }

    /// Every request so far, in the order in which they came.
    pub fn log(&self) -> Vec<LogEntry> {
        self.journal.entries()
    }

    /// Stops: no new requests, a short while for those in flight, all tasks joined.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        while self.listeners.join_next().await.is_some() {}
    }
}

/// Binds every address on one port.
async fn bind_all(addresses: u32, port: u16) -> io::Result<Vec<TcpListener>> {
    let mut refused = None;
    let tries = if port == 0 { PORT_TRIES } else { 1 };
    for _ in 0..tries {
        match bind_on_one_port(addresses, port).await {
            Ok(listeners) => return Ok(listeners),
            // Someone else has this port on one of the addresses: try another.
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => refused = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(refused.unwrap_or_else(|| io::ErrorKind::AddrInUse.into()))
}

async fn bind_on_one_port(addresses: u32, port: u16) -> io::Result<Vec<TcpListener>> {
    let first = TcpListener::bind((naming::slot_address(0), port)).await?;
    let port = first.local_addr()?.port();
    let mut listeners = vec![first];
    for slot in 1..addresses {
        listeners.push(TcpListener::bind((naming::slot_address(slot), port)).await?);
    }
    Ok(listeners)
}

/// Accepts on one address until stopped, and then sees its connections out.
async fn accept(
    listener: TcpListener,
    address: Ipv4Addr,
    exchange: Arc<Exchange>,
    mut stopped: watch::Receiver<bool>,
) {
    let signal = stopped.clone();
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            _ = stopped.wait_for(|&stopped| stopped) => break,
            Some(_) = connections.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                connections.spawn(converse(stream, address, exchange.clone(), signal.clone()));
            }
            // Out of file descriptors or an aborted handshake: both pass.
            Err(_) => tokio::time::sleep(ACCEPT_REST).await,
        }
    }
    while connections.join_next().await.is_some() {}
}

/// Serves one connection until it closes or the server stops.
async fn converse(
    stream: TcpStream,
    address: Ipv4Addr,
    exchange: Arc<Exchange>,
    mut stopped: watch::Receiver<bool>,
) {
    // Without this, a small answer may wait for the acknowledgement of the last.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let exchange = exchange.clone();
        async move { exchange.answer(request, address).await }
    });
    let connection = http1::Builder::new()
        .header_read_timeout(None)
        .serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    // A connection that ends in an error is what some pages are for; the
    // journal has its end either way.
    let is_stopped = tokio::select! {
        _ = connection.as_mut() => false,
        _ = stopped.wait_for(|&stopped| stopped) => true,
    };
    if is_stopped {
        connection.as_mut().graceful_shutdown();
        let _ = tokio::time::timeout(FAREWELL, connection).await;
    }
}

#[cfg(test)]
mod tests;
