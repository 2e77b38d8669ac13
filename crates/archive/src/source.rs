//! A file read forward in pieces, with its place known to the byte.
//!
//! `std`'s buffered reader can neither promise a look at the next few bytes
//! nor say where in the file it stands; finding members needs both.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

/// A buffered reader that counts.
pub(crate) struct Source<R> {
    inner: R,
    buffer: Vec<u8>,
    /// The part of the buffer that is filled and not yet consumed.
    start: usize,
    end: usize,
    /// Where in the file the byte at `start` lies.
    offset: u64,
}

const CAPACITY: usize = 64 * 1024;

impl<R: Read + Seek> Source<R> {
    /// Reads from the start of `inner`, wherever it stands.
    pub(crate) fn new(inner: R) -> io::Result<Source<R>> {
        Source::at(inner, 0)
    }

    /// Reads from `offset`.
    pub(crate) fn at(inner: R, offset: u64) -> io::Result<Source<R>> {
        let mut source = Source { inner, buffer: vec![0; CAPACITY], start: 0, end: 0, offset: 0 };
        source.seek(offset)?;
        Ok(source)
    }

    /// Where in the file the next byte lies.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Goes on from another place.
    pub(crate) fn seek(&mut self, offset: u64) -> io::Result<()> {
        self.inner.seek(SeekFrom::Start(offset))?;
        (self.start, self.end, self.offset) = (0, 0, offset);
        Ok(())
    }

    /// The next bytes, at least `wanted` of them unless the file ends before.
    pub(crate) fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        if self.end - self.start < wanted {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        while self.end - self.start < wanted.min(CAPACITY) {
            match self.inner.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(count) => self.end += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(&self.buffer[self.start..self.end])
    }
}

impl<R: Read + Seek> Read for Source<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut available = self.peek(1)?;
        let count = available.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: Read + Seek> BufRead for Source<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)
    }

    fn consume(&mut self, count: usize) {
        let count = count.min(self.end - self.start);
        self.start += count;
        self.offset += count as u64;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn the_place_is_known_and_a_look_ahead_crosses_the_buffer() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|number| number as u8).collect();
        let mut source = Source::new(Cursor::new(&bytes)).unwrap();
        source.consume(0);
        source.read_exact(&mut vec![0; CAPACITY - 1]).unwrap();
        assert_eq!(source.offset(), CAPACITY as u64 - 1);
        assert_eq!(source.peek(4).unwrap()[..4], bytes[CAPACITY - 1..CAPACITY + 3]);
        source.seek(199_998).unwrap();
        assert_eq!(source.peek(4).unwrap(), &bytes[199_998..]);
    }
}
