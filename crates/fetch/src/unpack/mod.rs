//! Undoing `Content-Encoding` while the body arrives, within limits.
//!
//! Bytes are pushed in as they come and the limits hold at every push: a bomb
//! is noticed after a few kilobytes of it. What was decided about bodies that
//! are not what their label says:
//!
//! - a label that names no encoding (`utf-8`, `none`, `identity`) is ignored,
//!   as browsers do; `compress`, which we did not ask for, is an error;
//! - a body labelled gzip that does not begin like gzip and reads as text is
//!   taken as it is: the server lies about the label, not about the page;
//! - bytes after the end of a stream are ignored, unless they begin another
//!   gzip member or zstd frame;
//! - a stream that stops in the middle is an error, though browsers show what
//!   there is: half a page would be taken for a change of the page;
//! - an empty body is empty in every encoding.
//!
//! The ratio is taken against what has arrived so far, so a body that begins
//! as a bomb is refused even if incompressible bytes would have followed.

mod brotli;
mod deflate;
mod gzip;
mod zstd;

use bytes::Bytes;
use gannet_model::{Failure, Headers};

use crate::{Limits, UnpackLimit};

/// More encodings than this on one body are an attack or a broken server.
const MAX_STAGES: usize = 3;

/// Below this many bytes the ratio is of no concern: short pages of blanks exist.
const FREE_OF_RATIO: u64 = 1 << 20;

/// Set aside per byte of the first piece: pages commonly unpack to three to five times their size.
const USUAL_RATIO: usize = 5;

/// The most set aside on that guess.
const MAX_RESERVED: usize = 256 << 10;

/// How much a stage unpacks at a time.
const ROOM: usize = 16 << 10;

/// Undoes the encodings of one body.
pub(crate) struct Unpacker {
    /// In the order they are undone; empty for a body that was not encoded.
    layers: Vec<Layer>,
    limits: Ceiling,
    /// Bytes pushed so far.
    wire: u64,
    unpacked: Vec<u8>,
}

/// Why a body cannot be unpacked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UnpackError {
    /// It is not what its label says.
    Bad {
        /// The label.
        encoding: &'static str,
        /// What was wrong.
        reason: String,
    },
    /// It is too large.
    TooLarge(UnpackLimit),
}

/// Unpacks a body that was kept as it came, as it was unpacked when it arrived.
pub fn unpack_body(
    headers: &Headers,
    wire_body: &Bytes,
    limits: &Limits,
) -> Result<Bytes, Failure> {
    let labels = headers.all("content-encoding").map(|value| &value[..]);
    let mut unpacker = Unpacker::new(labels, limits)?;
    if unpacker.is_identity() {
        return Ok(wire_body.clone());
    }
    unpacker.push(wire_body)?;
    Ok(unpacker.finish()?)
}

impl From<UnpackError> for Failure {
    fn from(error: UnpackError) -> Failure {
        match error {
            UnpackError::Bad { .. } => Failure::BadEncoding,
            UnpackError::TooLarge(_) => Failure::UnpacksTooLarge,
        }
    }
}

/// One encoding being undone, piece by piece.
trait Stage: Send {
    /// What the encoding is called.
    fn name(&self) -> &'static str;

    /// Takes some of `input` and fills some of `output`. Called again with the
    /// rest as long as it made progress, and once more when `output` was filled.
    fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, String>;

    /// True when the input so far may be all there is.
    fn is_complete(&self) -> bool;
}

/// How far one step went.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    consumed: usize,
    produced: usize,
}

struct Layer {
    stage: Box<dyn Stage>,
    /// Where the stage unpacks to.
    room: Vec<u8>,
    /// Bytes that came out of this stage. Counted at every layer, or a bomb
    /// between two layers would go unseen.
    produced: u64,
}

/// The limits as they stand for one body.
#[derive(Clone, Copy)]
struct Ceiling {
    bytes: u64,
    ratio: u64,
}

impl Unpacker {
    /// For the values of all `Content-Encoding` lines, in order.
    pub(crate) fn new<'a>(
        labels: impl Iterator<Item = &'a [u8]>,
        limits: &Limits,
    ) -> Result<Unpacker, UnpackError> {
        let mut layers = Vec::new();
        for label in labels.flat_map(|line| line.split(|&byte| byte == b',')) {
            let label = label.trim_ascii().to_ascii_lowercase();
            let Some(stage) = stage(&label)? else { continue };
            layers.push(Layer { stage, room: Vec::new(), produced: 0 });
        }
        if layers.len() > MAX_STAGES {
            let reason = format!("more than {MAX_STAGES} encodings on one body");
            return Err(UnpackError::Bad { encoding: "stacked", reason });
        }
        // Applied first is named first, so undone last (RFC 9110, 8.4).
        layers.reverse();
        let limits = Ceiling { bytes: limits.max_unpacked_bytes, ratio: limits.max_ratio };
        Ok(Unpacker { layers, limits, wire: 0, unpacked: Vec::new() })
    }

    /// True when the body is to be taken as it comes.
    pub(crate) fn is_identity(&self) -> bool {
        self.layers.is_empty()
    }

    /// Takes the next bytes of the body.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), UnpackError> {
        self.wire += bytes.len() as u64;
        if bytes.is_empty() {
            return Ok(());
        }
        if self.unpacked.capacity() == 0 {
            self.unpacked.reserve((bytes.len() * USUAL_RATIO).min(MAX_RESERVED));
        }
        feed(&mut self.layers, bytes, self.wire, self.limits, &mut self.unpacked)
    }

    /// The unpacked body.
    pub(crate) fn finish(self) -> Result<Bytes, UnpackError> {
        for layer in &self.layers {
            let saw_something = self.wire > 0;
            if saw_something && !layer.stage.is_complete() {
                let reason = "it stops in the middle".to_owned();
                return Err(UnpackError::Bad { encoding: layer.stage.name(), reason });
            }
        }
        Ok(self.unpacked.into())
    }
}

impl Ceiling {
    fn check(self, produced: u64, wire: u64) -> Result<(), UnpackError> {
        if produced > self.bytes {
            return Err(UnpackError::TooLarge(UnpackLimit::Bytes(self.bytes)));
        }
        if produced > FREE_OF_RATIO && produced > wire.saturating_mul(self.ratio) {
            return Err(UnpackError::TooLarge(UnpackLimit::Ratio(self.ratio)));
        }
        Ok(())
    }
}

/// What undoes an encoding; `None` for a label that names none.
fn stage(label: &[u8]) -> Result<Option<Box<dyn Stage>>, UnpackError> {
    Ok(Some(match label {
        b"gzip" | b"x-gzip" => Box::new(gzip::Gzip::new()),
        b"deflate" | b"x-deflate" => Box::new(deflate::Deflate::new()),
        b"br" => Box::new(brotli::Brotli::new()),
        b"zstd" => Box::new(zstd::Zstd::new()?),
        b"compress" | b"x-compress" => {
            let reason = "we did not ask for it and cannot unpack it".to_owned();
            return Err(UnpackError::Bad { encoding: "compress", reason });
        }
        _ => return Ok(None),
    }))
}

/// Pushes `input` through the layers, the last of which fills `unpacked`.
fn feed(
    layers: &mut [Layer],
    mut input: &[u8],
    wire: u64,
    limits: Ceiling,
    unpacked: &mut Vec<u8>,
) -> Result<(), UnpackError> {
    let Some((layer, rest)) = layers.split_first_mut() else {
        unpacked.extend_from_slice(input);
        return Ok(());
    };
    layer.room.resize(ROOM, 0);
    loop {
        let bad = |name, reason| UnpackError::Bad { encoding: name, reason };
        let step = layer
            .stage
            .step(input, &mut layer.room)
            .map_err(|reason| bad(layer.stage.name(), reason))?;
        input = &input[step.consumed..];
        layer.produced += step.produced as u64;
        limits.check(layer.produced, wire)?;
        if step.produced > 0 {
            feed(rest, &layer.room[..step.produced], wire, limits, unpacked)?;
        }
        let may_hold_more = step.produced == layer.room.len();
        if input.is_empty() && !may_hold_more {
            return Ok(());
        }
        if step.consumed == 0 && step.produced == 0 {
            return match input.is_empty() {
                true => Ok(()),
                false => Err(bad(layer.stage.name(), "it leads nowhere".to_owned())),
            };
        }
    }
}

#[cfg(test)]
mod tests;
