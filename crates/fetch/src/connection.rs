//! One connection that speaks HTTP, and one exchange over it.
//!
//! An HTTP/1 connection is driven by whoever waits for its answer: nothing is
//! spawned, and while it lies idle nobody polls it. An HTTP/2 connection needs
//! tasks of its own; they belong to the connection and end with it.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::Poll;

use bytes::Bytes;
use http_body::Body as _;
use http_body_util::Empty;
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper_util::rt::TokioIo;
use tokio::task::JoinSet;

use crate::Limits;
use crate::request::Outgoing;
use crate::wire::{Received, Wire};

/// The smallest buffer hyper accepts.
const SMALLEST_BUFFER: usize = 8 << 10;
/// Holds a large page in a few reads without keeping much per connection.
const BUFFER: usize = 128 << 10;
/// What an HTTP/2 server may send ahead of our reading.
const HTTP2_WINDOW: u32 = 1 << 20;

/// A connection that speaks HTTP. One exchange at a time.
pub(crate) struct Connection {
    speaker: Speaker,
    received: Received,
}

enum Speaker {
    Http1 {
        sender: http1::SendRequest<Empty<Bytes>>,
        /// Moves the bytes when polled; gone once the connection is over.
        driver: Option<Box<Driver>>,
    },
    Http2 {
        sender: http2::SendRequest<Empty<Bytes>>,
        /// Aborts the connection's tasks when dropped.
        _tasks: Arc<Mutex<JoinSet<()>>>,
    },
}

type Driver = http1::Connection<TokioIo<Wire>, Empty<Bytes>>;

impl Connection {
    /// Begins to speak HTTP in the version the wire settled on.
    pub(crate) async fn open(wire: Wire, limits: &Limits) -> Result<Connection, hyper::Error> {
        let received = wire.received();
        let speaker = if wire.speaks_http2() {
            open_http2(wire, limits).await?
        } else {
            open_http1(wire, limits).await?
        };
        Ok(Connection { speaker, received })
    }

    /// How many bytes came over this connection so far.
    pub(crate) fn received_bytes(&self) -> u64 {
        self.received.bytes()
    }

    /// Sends the request and waits for the head of the answer.
    pub(crate) async fn send(
        &mut self,
        outgoing: &Outgoing,
    ) -> Result<http::Response<Incoming>, hyper::Error> {
        match &mut self.speaker {
            Speaker::Http1 { sender, driver } => {
                let answer = sender.send_request(outgoing.for_http1());
                drive(driver, answer).await
            }
            Speaker::Http2 { sender, .. } => sender.send_request(outgoing.for_http2()).await,
        }
    }

    /// The next piece of the answer's body; `None` at its end.
    pub(crate) async fn next_piece(
        &mut self,
        body: &mut Incoming,
    ) -> Result<Option<Bytes>, hyper::Error> {
        loop {
            let next = poll_fn(|cx| Pin::new(&mut *body).poll_frame(cx));
            let frame = match &mut self.speaker {
                Speaker::Http1 { driver, .. } => drive(driver, next).await,
                Speaker::Http2 { .. } => next.await,
            };
            match frame {
                None => return Ok(None),
                Some(Err(error)) => return Err(error),
                // Trailers carry nothing we use.
                Some(Ok(frame)) => {
                    if let Ok(piece) = frame.into_data() {
                        return Ok(Some(piece));
                    }
                }
            }
        }
    }

    /// True when another request may go out: looks once, never waits.
    pub(crate) async fn is_ready(&mut self) -> bool {
        match &mut self.speaker {
            Speaker::Http1 { sender, driver } => {
                let look = poll_fn(|cx| Poll::Ready(sender.poll_ready(cx)));
                let is_ready = matches!(drive(driver, look).await, Poll::Ready(Ok(())));
                is_ready && driver.is_some()
            }
            Speaker::Http2 { sender, .. } => sender.is_ready(),
        }
    }
}

/// Waits for `future` while moving the connection's bytes.
async fn drive<F: Future>(driver: &mut Option<Box<Driver>>, future: F) -> F::Output {
    let mut future = pin!(future);
    poll_fn(|cx| {
        // A driver that ends has told its sender why, so its own result adds nothing.
        if let Some(running) = driver
            && Pin::new(&mut **running).poll(cx).is_ready()
        {
            *driver = None;
        }
        future.as_mut().poll(cx)
    })
    .await
}

async fn open_http1(wire: Wire, limits: &Limits) -> Result<Speaker, hyper::Error> {
    let mut builder = http1::Builder::new();
    builder
        .title_case_headers(true)
        // Be as forgiving as browsers are about the heads of old servers.
        .allow_spaces_after_header_name_in_responses(true)
        .allow_obsolete_multiline_headers_in_responses(true)
        .ignore_invalid_headers_in_responses(true)
        .max_buf_size(limits.max_head_bytes.max(BUFFER).max(SMALLEST_BUFFER))
        .max_header_size(limits.max_head_bytes);
    if limits.max_headers != 100 {
        builder.max_headers(limits.max_headers);
    }
    let (sender, driver) = builder.handshake(TokioIo::new(wire)).await?;
    Ok(Speaker::Http1 { sender, driver: Some(Box::new(driver)) })
}

async fn open_http2(wire: Wire, limits: &Limits) -> Result<Speaker, hyper::Error> {
    let tasks = Arc::new(Mutex::new(JoinSet::new()));
    let executor = Executor(Arc::downgrade(&tasks));
    let (sender, driver) = http2::Builder::new(executor.clone())
        .max_header_list_size(u32::try_from(limits.max_head_bytes).unwrap_or(u32::MAX))
        .initial_stream_window_size(HTTP2_WINDOW)
        .initial_connection_window_size(HTTP2_WINDOW)
        .handshake(TokioIo::new(wire))
        .await?;
    hyper::rt::Executor::execute(&executor, driver);
    Ok(Speaker::Http2 { sender, _tasks: tasks })
}

/// Spawns what hyper wants spawned into the connection's own set. Weak,
/// because the tasks hold the executor: a strong one would keep them alive.
#[derive(Clone)]
struct Executor(Weak<Mutex<JoinSet<()>>>);

impl<F> hyper::rt::Executor<F> for Executor
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    fn execute(&self, future: F) {
        let Some(tasks) = self.0.upgrade() else { return };
        let mut tasks = tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(async move {
            future.await;
        });
    }
}
