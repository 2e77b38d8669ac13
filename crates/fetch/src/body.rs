//! Gathering a body as it arrives, within limits.
//!
//! The common body comes in one piece and is never copied. Otherwise it is
//! gathered into one buffer, sized by `Content-Length` as far as that can be
//! believed.

use bytes::{Bytes, BytesMut};

use crate::Limits;
use crate::unpack::{UnpackError, Unpacker};

/// The most set aside on the word of a `Content-Length`.
const BELIEVED: u64 = 1 << 20;

/// A body on its way in.
pub(crate) struct Arriving {
    gathered: Gathered,
    unpacker: Unpacker,
    /// What `Content-Length` promised.
    expected: u64,
    limit: u64,
}

/// A body that is whole.
#[derive(Debug)]
pub(crate) struct Arrived {
    /// As it came.
    pub(crate) wire: Bytes,
    /// Unpacked; the same memory when it was not packed.
    pub(crate) body: Bytes,
}

/// What is wrong with a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BodyError {
    /// More bytes than this.
    TooLarge(u64),
    Unpack(UnpackError),
}

enum Gathered {
    Nothing,
    One(Bytes),
    Many(BytesMut),
}

impl Arriving {
    /// `expected` is the length announced, if any: too much is refused before it comes.
    pub(crate) fn new<'a>(
        expected: Option<u64>,
        limit: u64,
        labels: impl Iterator<Item = &'a [u8]>,
        limits: &Limits,
    ) -> Result<Arriving, BodyError> {
        let expected = expected.unwrap_or(0);
        if expected > limit {
            return Err(BodyError::TooLarge(limit));
        }
        let unpacker = Unpacker::new(labels, limits).map_err(BodyError::Unpack)?;
        Ok(Arriving { gathered: Gathered::Nothing, unpacker, expected, limit })
    }

    /// Takes the next piece.
    pub(crate) fn push(&mut self, piece: Bytes) -> Result<(), BodyError> {
        let total = self.gathered.len() as u64 + piece.len() as u64;
        if total > self.limit {
            return Err(BodyError::TooLarge(self.limit));
        }
        if !self.unpacker.is_identity() {
            self.unpacker.push(&piece).map_err(BodyError::Unpack)?;
        }
        self.gathered = match std::mem::replace(&mut self.gathered, Gathered::Nothing) {
            Gathered::Nothing => Gathered::One(piece),
            Gathered::One(first) => {
                let size = total.max(self.expected.min(BELIEVED));
                let mut many = BytesMut::with_capacity(usize::try_from(size).unwrap_or(0));
                many.extend_from_slice(&first);
                many.extend_from_slice(&piece);
                Gathered::Many(many)
            }
            Gathered::Many(mut many) => {
                many.extend_from_slice(&piece);
                Gathered::Many(many)
            }
        };
        Ok(())
    }

    /// The whole body.
    pub(crate) fn finish(self) -> Result<Arrived, BodyError> {
        let wire = match self.gathered {
            Gathered::Nothing => Bytes::new(),
            Gathered::One(piece) => piece,
            Gathered::Many(many) => many.freeze(),
        };
        if self.unpacker.is_identity() {
            return Ok(Arrived { body: wire.clone(), wire });
        }
        let body = self.unpacker.finish().map_err(BodyError::Unpack)?;
        Ok(Arrived { wire, body })
    }
}

impl Gathered {
    fn len(&self) -> usize {
        match self {
            Gathered::Nothing => 0,
            Gathered::One(piece) => piece.len(),
            Gathered::Many(many) => many.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gather(pieces: &[&'static [u8]], limit: u64) -> Result<Arrived, BodyError> {
        let mut arriving = Arriving::new(None, limit, std::iter::empty(), &Limits::default())?;
        for &piece in pieces {
            arriving.push(Bytes::from_static(piece))?;
        }
        arriving.finish()
    }

    #[test]
    fn pieces_become_one_body_shared_by_both_views() {
        let arrived = gather(&[b"ab", b"", b"cd", b"e"], 5).unwrap();
        assert_eq!(&arrived.wire[..], b"abcde");
        assert_eq!(arrived.wire.as_ptr(), arrived.body.as_ptr());
    }

    #[test]
    fn one_byte_too_many_is_too_many() {
        assert_eq!(gather(&[b"ab", b"cd"], 3).unwrap_err(), BodyError::TooLarge(3));
    }

    #[test]
    fn an_announced_length_is_refused_before_it_comes() {
        let refused = Arriving::new(Some(4), 3, std::iter::empty(), &Limits::default());
        assert_eq!(refused.err(), Some(BodyError::TooLarge(3)));
    }
}
