//! How much of a file is whole, after a crash.
//!
//! A killed writer can leave the last member torn; a power cut can leave holes
//! where the disk had not caught up. Members are checked from a place known to
//! be good to the first that is not whole: gzip and zstd by their checksums,
//! plain records by their length, their end and their digest.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha1::{Digest as _, Sha1};

use crate::compression::RECORD_END;
use crate::member::{Member, Packing};
use crate::source::Source;
use crate::{Compression, Digest, Fields};

/// Where the last whole member of the file ends, looking from `known_good` on.
pub(crate) fn sound_end(path: &Path, compression: Compression, known_good: u64) -> io::Result<u64> {
    let mut source = Source::at(File::open(path)?, known_good)?;
    let mut end = known_good;
    loop {
        let next = source.peek(4)?;
        if next.is_empty() {
            return Ok(end);
        }
        let packing = Packing::of(next);
        let member = Member::open(source, packing, &[])?;
        let is_whole = match (compression, packing) {
            (Compression::Gzip { .. }, Packing::Gzip)
            | (Compression::Zstd { .. }, Packing::Zstd) => unpack(member),
            (Compression::None, Packing::Plain) => check_record(member),
            _ => return Ok(end),
        };
        match is_whole {
            Ok(behind) => source = behind,
            Err(error) if is_damage(&error) => return Ok(end),
            Err(error) => return Err(error),
        }
        end = source.offset();
    }
}

/// A bad disk is the caller's concern; bad bytes are what we came to find.
fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, Other, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | Other | UnexpectedEof)
}

/// Reads the member to its end, where its checksum is compared.
fn unpack(mut member: Member<File>) -> io::Result<Source<File>> {
    io::copy(member.text(), &mut io::sink())?;
    Ok(member.finish())
}

/// Reads one plain record and leaves the source behind it.
fn check_record(mut member: Member<File>) -> io::Result<Source<File>> {
    let damage = || io::Error::from(io::ErrorKind::InvalidData);
    let mut fields = Fields::default();
    let (_, version) = member.line()?.ok_or_else(damage)?;
    if !version.starts_with(b"WARC/") {
        return Err(damage());
    }
    loop {
        let (_, line) = member.line()?.ok_or_else(damage)?;
        if line.is_empty() {
            break;
        }
        fields.push_line(&line);
    }
    let length = fields.get("Content-Length").and_then(|text| text.parse().ok());
    let digest = fields.get("WARC-Block-Digest").and_then(Digest::parse);
    let mut hasher = Hasher(Sha1::new());
    io::copy(&mut member.text().take(length.ok_or_else(damage)?), &mut hasher)?;
    let mut record_end = [0; RECORD_END.len()];
    member.text().read_exact(&mut record_end)?;
    let hash = Digest::from(hasher.0);
    if record_end != RECORD_END || digest.is_some_and(|digest| digest != hash) {
        return Err(damage());
    }
    let end = member.position();
    let mut source = member.finish();
    source.seek(end)?;
    Ok(source)
}

/// Lets a block be hashed as it is copied.
struct Hasher(Sha1);

impl io::Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
