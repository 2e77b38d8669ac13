//! The byte stream under HTTP, plain or TLS, and whether anything came over it.
//!
//! The count of bytes received is what decides if a request on a kept
//! connection was surely not answered and may be sent again.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// An open connection.
pub(crate) struct Wire {
    stream: Stream,
    received: Received,
}

/// How many bytes came over a wire so far, readable while HTTP owns the wire.
#[derive(Clone, Debug, Default)]
pub(crate) struct Received(Arc<AtomicU64>);

enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Received {
    pub(crate) fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Wire {
    pub(crate) fn plain(stream: TcpStream) -> Wire {
        Wire { stream: Stream::Plain(stream), received: Received::default() }
    }

    pub(crate) fn tls(stream: TlsStream<TcpStream>) -> Wire {
        Wire { stream: Stream::Tls(Box::new(stream)), received: Received::default() }
    }

    /// The counter of what comes in.
    pub(crate) fn received(&self) -> Received {
        self.received.clone()
    }

    /// True when TLS settled on HTTP/2.
    pub(crate) fn speaks_http2(&self) -> bool {
        match &self.stream {
            Stream::Plain(_) => false,
            Stream::Tls(stream) => stream.get_ref().1.alpn_protocol() == Some(b"h2"),
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let result = match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_read(cx, buffer),
            // Many servers hang up without TLS's goodbye. HTTP notices a body
            // cut short by its own framing; where there is none, browsers take
            // what came, and so do we.
            Stream::Tls(stream) => match Pin::new(stream).poll_read(cx, buffer) {
                Poll::Ready(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    Poll::Ready(Ok(()))
                }
                other => other,
            },
        };
        let came = buffer.filled().len() - before;
        self.received.0.fetch_add(came as u64, Ordering::Relaxed);
        result
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Stream::Tls(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Stream::Tls(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Stream::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Stream::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
