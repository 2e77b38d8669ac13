//! The body of an answer on its way, in all the ways it may end.
//!
//! Bodies are streamed: an endless one costs no more memory than its block.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tokio::time::Sleep;

use super::journal::Open;
use crate::reply::Ending;

/// A body being delivered; its journal entry closes when it is dropped.
pub(super) struct Delivery {
    rest: Rest,
    /// Held for its `Drop`.
    _entry: Open,
}

/// What is still to come.
enum Rest {
    Whole(Bytes),
    /// These bytes, then a flush, then a closed connection.
    Cut(Bytes),
    /// Everything before the cut was given to the socket.
    Flushed,
    Repeat {
        head: Bytes,
        block: Bytes,
        times: u64,
        tail: Bytes,
    },
    Drip {
        bytes: Bytes,
        interval: Duration,
        pause: Pin<Box<Sleep>>,
    },
}

impl Delivery {
    pub(super) fn new(body: Bytes, ending: Ending, entry: Open) -> Delivery {
        let rest = match ending {
            // A silent answer never gets as far as its body.
            Ending::Whole | Ending::Silent => Rest::Whole(body),
            Ending::CutAfter(length) => Rest::Cut(body.slice(..length.min(body.len()))),
            Ending::Repeat { block, times, tail } => {
                Rest::Repeat { head: body, block, times, tail }
            }
            Ending::Drip { interval } => {
                Rest::Drip { bytes: body, interval, pause: Box::pin(tokio::time::sleep(interval)) }
            }
        };
        Delivery { rest, _entry: entry }
    }
}

type Step = Poll<Option<Result<Frame<Bytes>, io::Error>>>;

impl Body for Delivery {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Step {
        match &mut self.rest {
            Rest::Whole(bytes) => emit(std::mem::take(bytes)),
            Rest::Cut(bytes) if !bytes.is_empty() => emit(std::mem::take(bytes)),
            Rest::Cut(_) => {
                // An error now would throw away what is not yet on the socket:
                // stepping back once lets the connection flush.
                self.rest = Rest::Flushed;
                context.waker().wake_by_ref();
                Poll::Pending
            }
            Rest::Flushed => Poll::Ready(Some(Err(io::ErrorKind::ConnectionAborted.into()))),
            Rest::Repeat { head, block, times, tail } => {
                if !head.is_empty() {
                    return emit(std::mem::take(head));
                }
                if *times == 0 {
                    return emit(std::mem::take(tail));
                }
                *times -= u64::from(*times != u64::MAX);
                emit(block.clone())
            }
            Rest::Drip { bytes, interval, pause } => {
                if bytes.is_empty() {
                    return Poll::Ready(None);
                }
                std::task::ready!(pause.as_mut().poll(context));
                *pause = Box::pin(tokio::time::sleep(*interval));
                emit(bytes.split_to(1))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(&self.rest, Rest::Whole(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match &self.rest {
            Rest::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Rest::Cut(_) | Rest::Flushed | Rest::Repeat { .. } | Rest::Drip { .. } => {
                SizeHint::default()
            }
        }
    }
}

/// A frame, or the end if there is nothing in it.
fn emit(bytes: Bytes) -> Step {
    Poll::Ready((!bytes.is_empty()).then(|| Ok(Frame::data(bytes))))
}
