//! How records are packed: each one is a compressed member of its own.
//!
//! A member per record is what makes a WARC file seekable and what confines
//! the harm of a torn write to its last record. The compressor is reused
//! between members, because its tables (some 300 KB) cost more to allocate
//! than a small record costs to compress.
//!
//! A body that is already compressed goes into the gzip member as stored
//! blocks: deflating it again costs as much time as deflating text and saves
//! nothing. So do records too short to be worth it (see [`WORTH_DEFLATING`]).

use std::io;

use flate2::{Compress, Crc, FlushCompress, Status};
use serde::{Deserialize, Serialize};

/// How records are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compression {
    /// Plain `.warc`, for reading by eye.
    None,
    /// `.warc.gz`: every tool reads it.
    Gzip {
        /// 1 (fast) to 9 (small).
        level: u8,
    },
    /// `.warc.zst`: smaller and faster, read by fewer tools.
    Zstd {
        /// 1 (fast) to 19 (small).
        level: u8,
    },
}

/// How hard to try on the body of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effort {
    /// Text: compress it.
    Compress,
    /// Compressed before it came to us: copy it.
    Store,
    /// Short, and one of very many like it: pack it as well as can be.
    Tight,
}

/// What ends every record.
pub(crate) const RECORD_END: &[u8] = b"\r\n\r\n";

/// Makes members, keeping its tables between them.
pub(crate) enum Compressor {
    None,
    Gzip {
        deflate: Box<Compress>,
        /// Made when it is needed first: most encoders never do.
        tight: Option<Box<Compress>>,
    },
    Zstd {
        compressor: zstd::bulk::Compressor<'static>,
        /// The one-shot compressor wants its input in one piece.
        whole: Vec<u8>,
    },
}

impl Default for Compression {
    /// Gzip, which every tool reads.
    fn default() -> Compression {
        Compression::Gzip { level: Compression::DEFAULT_GZIP_LEVEL }
    }
}

impl Compression {
    /// The fastest: most bodies come compressed and are stored as they are,
    /// and the rest should not hold up a worker. See the figures in `encode`.
    pub const DEFAULT_GZIP_LEVEL: u8 = 1;
    /// Beyond this zstd costs much time for little.
    pub const DEFAULT_ZSTD_LEVEL: u8 = 3;

    /// The end of the file name, from its first dot.
    pub fn extension(self) -> &'static str {
        match self {
            Compression::None => ".warc",
            Compression::Gzip { .. } => ".warc.gz",
            Compression::Zstd { .. } => ".warc.zst",
        }
    }

    /// True when members of both may stand in one file: levels may differ, formats may not.
    pub(crate) fn is_same_format(self, other: Compression) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }
}

impl Compressor {
    pub(crate) fn new(compression: Compression) -> io::Result<Compressor> {
        Ok(match compression {
            Compression::None => Compressor::None,
            Compression::Gzip { level } => {
                let level = flate2::Compression::new(u32::from(level.clamp(1, 9)));
                Compressor::Gzip { deflate: Box::new(Compress::new(level, false)), tight: None }
            }
            Compression::Zstd { level } => {
                let level = i32::from(level.clamp(1, 19));
                let mut compressor = zstd::bulk::Compressor::new(level)?;
                // Recovery after a crash trusts a frame only with its checksum.
                compressor.set_parameter(zstd::zstd_safe::CParameter::ChecksumFlag(true))?;
                Compressor::Zstd { compressor, whole: Vec::new() }
            }
        })
    }

    /// Appends one record, `head` then `body` then its end, as one member.
    pub(crate) fn append_member(
        &mut self,
        out: &mut Vec<u8>,
        head: &[u8],
        body: &[u8],
        effort: Effort,
    ) -> io::Result<()> {
        match self {
            Compressor::None => {
                for part in [head, body, RECORD_END] {
                    out.extend_from_slice(part);
                }
                Ok(())
            }
            Compressor::Gzip { tight, .. } if effort == Effort::Tight => {
                let make = || Box::new(Compress::new(flate2::Compression::best(), false));
                append_gzip(tight.get_or_insert_with(make), out, head, body, effort)
            }
            Compressor::Gzip { deflate, .. } => append_gzip(deflate, out, head, body, effort),
            Compressor::Zstd { compressor, whole } => {
                whole.clear();
                for part in [head, body, RECORD_END] {
                    whole.extend_from_slice(part);
                }
                append_zstd(compressor, out, whole)
            }
        }
    }
}

/// RFC 1952: magic, deflate, no flags, no time (the record has its own), unknown system.
const GZIP_HEAD: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];

/// Less text than this is stored as it is. Clearing the compressor's tables, some 200 KB, for
/// the sake of a few hundred bytes took a twentieth of the whole crawl's time and drove
/// everything else out of the processor's cache.
const WORTH_DEFLATING: usize = 2 << 10;

fn append_gzip(
    deflate: &mut Compress,
    out: &mut Vec<u8>,
    head: &[u8],
    body: &[u8],
    effort: Effort,
) -> io::Result<()> {
    out.extend_from_slice(&GZIP_HEAD);
    let text = head.len() + if effort == Effort::Store { 0 } else { body.len() };
    match effort {
        Effort::Compress | Effort::Store if text < WORTH_DEFLATING => {
            append_stored_blocks(out, head);
            append_stored_blocks(out, body);
            append_final_stored_block(out, RECORD_END);
        }
        Effort::Compress | Effort::Tight => {
            deflate.reset();
            feed(deflate, head, out, FlushCompress::None)?;
            feed(deflate, body, out, FlushCompress::None)?;
            feed(deflate, RECORD_END, out, FlushCompress::Finish)?;
        }
        Effort::Store => {
            deflate.reset();
            // A sync flush ends on a byte boundary, where stored blocks may follow.
            feed(deflate, head, out, FlushCompress::Sync)?;
            append_stored_blocks(out, body);
            append_final_stored_block(out, RECORD_END);
        }
    }
    let mut crc = Crc::new();
    for part in [head, body, RECORD_END] {
        crc.update(part);
    }
    out.extend_from_slice(&crc.sum().to_le_bytes());
    out.extend_from_slice(&crc.amount().to_le_bytes());
    Ok(())
}

/// Gives all of `input` to the compressor, with room enough for what comes out.
fn feed(
    deflate: &mut Compress,
    mut input: &[u8],
    out: &mut Vec<u8>,
    flush: FlushCompress,
) -> io::Result<()> {
    loop {
        // What deflate needs at worst for this input and for what it still holds back.
        out.reserve(input.len() + input.len() / 1000 + 256);
        let before = deflate.total_in();
        let status = deflate.compress_vec(input, out, flush)?;
        let taken = usize::try_from(deflate.total_in() - before).unwrap_or(input.len());
        input = &input[taken.min(input.len())..];
        let is_flushed = out.len() < out.capacity();
        let is_done = match flush {
            FlushCompress::Finish => status == Status::StreamEnd,
            _ => input.is_empty() && is_flushed,
        };
        if is_done {
            return Ok(());
        }
    }
}

/// RFC 1951, 3.2.4: three header bits padded to a byte, the length, its complement, the bytes.
fn append_stored_blocks(out: &mut Vec<u8>, body: &[u8]) {
    for piece in body.chunks(usize::from(u16::MAX)) {
        append_stored_block(out, 0, piece);
    }
}

fn append_final_stored_block(out: &mut Vec<u8>, piece: &[u8]) {
    append_stored_block(out, 1, piece);
}

fn append_stored_block(out: &mut Vec<u8>, header: u8, piece: &[u8]) {
    let length = u16::try_from(piece.len()).unwrap_or(u16::MAX);
    out.push(header);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&(!length).to_le_bytes());
    out.extend_from_slice(piece);
}

fn append_zstd(
    compressor: &mut zstd::bulk::Compressor<'static>,
    out: &mut Vec<u8>,
    whole: &[u8],
) -> io::Result<()> {
    let start = out.len();
    out.resize(start + zstd::zstd_safe::compress_bound(whole.len()), 0);
    let written = compressor.compress_to_buffer(whole, &mut out[start..])?;
    out.truncate(start + written);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[track_caller]
    fn check(body: &[u8], effort: Effort) {
        let mut compressor = Compressor::new(Compression::default()).unwrap();
        // The second member shows that nothing of the first stays in the tables.
        for _ in 0..2 {
            let mut member = Vec::new();
            compressor.append_member(&mut member, b"head: x\r\n\r\n", body, effort).unwrap();
            let mut text = Vec::new();
            flate2::read::GzDecoder::new(&member[..]).read_to_end(&mut text).unwrap();
            assert_eq!(text, [b"head: x\r\n\r\n", body, RECORD_END].concat());
        }
    }

    #[test]
    fn a_member_unpacks_to_the_record() {
        for effort in [Effort::Compress, Effort::Store, Effort::Tight] {
            check(b"", effort);
            check(b"hello", effort);
            check(&vec![7; 65_535], effort);
            check(&vec![7; 65_536], effort);
            check(&(0..200_000_u32).flat_map(u32::to_le_bytes).collect::<Vec<_>>(), effort);
        }
    }

    #[test]
    fn stored_bodies_grow_by_a_few_bytes_only() {
        let body = vec![1; 100_000];
        let mut member = Vec::new();
        let mut compressor = Compressor::new(Compression::default()).unwrap();
        compressor.append_member(&mut member, b"head", &body, Effort::Store).unwrap();
        assert!(member.len() < body.len() + 100, "{} bytes", member.len());
    }
}
