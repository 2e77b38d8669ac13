//! The records of a WARC or ARC file, whoever wrote it.
//!
//! Reads `.warc`, `.warc.gz` (a member per record, or one for all),
//! `.warc.zst` (with or without a dictionary) and ARC 1.0, plain or gzip; the
//! first bytes tell which, never the name. WACZ is a zip of such files and is
//! not opened here.
//!
//! Files come torn, cut and mislabelled. The iterator gives what is readable;
//! where it is not, it gives an error with the place and goes on at the next
//! record that it can find. It ends after the last one; it never panics and
//! holds no more than one block, within [`Limits`].

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use bytes::Bytes;

use crate::member::{Member, Packing, read_skippable};
use crate::source::Source;
use crate::{Capture, Fields, Position, Record, RecordKind, arc, files};

/// Walks the records of one file.
pub struct Reader<R: Read + Seek> {
    state: State<R>,
    limits: Limits,
    /// The dictionary that zstd frames of this file refer to; often empty.
    dictionary: Vec<u8>,
    /// ARC lines count as records only in a file that opened as ARC: they
    /// look too much like text.
    is_arc: bool,
    /// A fault found behind a good record, to be told after it.
    pending: Option<ReadError>,
}

/// How much a reader holds at once.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest block kept; the rest of a longer one is passed over.
    pub block: usize,
}

/// Why a stretch of a file could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file could not be opened or read: nothing can be said about it.
    #[error("cannot read the archive")]
    Unreadable(#[from] io::Error),
    /// The file ends in the middle of a record: restore it from a copy, or live without the record.
    #[error("the record at byte {offset} is cut short")]
    CutShort {
        /// Where the record, or the member that holds it, begins.
        offset: u64,
    },
    /// Something that is no record stands here; reading goes on behind it.
    #[error("no record at byte {offset}: {reason}")]
    Damaged {
        /// Where it stands.
        offset: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// No file of the archive has this number.
    #[error("the archive has no file number {0}")]
    NoFile(u32),
    /// The position does not lead to an answer.
    #[error("no answer is kept at byte {0}")]
    NoAnswer(u64),
}

enum State<R: Read + Seek> {
    /// Where a member should begin.
    Between(Source<R>),
    /// Within the text of a member; the flag says that a record came before.
    Inside(Member<R>, bool),
    Done,
}

/// How the reading of a block ended.
enum BlockEnd {
    /// All of it was passed.
    Reached,
    /// The text ended before.
    Missing,
    /// The packed bytes that hold it ended before.
    Torn,
}

/// Why no record could be taken from a text.
enum Fault {
    /// The text itself cannot be had: unpacking or reading failed.
    Text {
        /// The record at hand; none before its first line.
        offset: Option<u64>,
        error: io::Error,
    },
    /// The text is not a record.
    Form { offset: u64, reason: String },
}

impl Default for Limits {
    /// 64 MiB: more than any page, less than any machine has.
    fn default() -> Limits {
        Limits { block: 64 << 20 }
    }
}

impl Reader<File> {
    /// Reads a file.
    pub fn open(path: &Path) -> Result<Reader<File>, ReadError> {
        Reader::new(File::open(path)?, Limits::default())
    }
}

/// The answer kept at a position of the archive in `dir`.
pub fn read_at(dir: &Path, prefix: &str, position: Position) -> Result<Capture, ReadError> {
    let path =
        files::find_file(dir, prefix, position.file).ok_or(ReadError::NoFile(position.file))?;
    let offset = position.response_offset();
    let record = Reader::at(File::open(path)?, offset, Limits::default())?
        .next()
        .ok_or(ReadError::NoAnswer(offset))??;
    let is_whole = record.offset == offset && !record.is_cut;
    record.capture().filter(|_| is_whole).ok_or(ReadError::NoAnswer(offset))
}

impl<R: Read + Seek> Reader<R> {
    /// Reads from the start.
    pub fn new(input: R, limits: Limits) -> Result<Reader<R>, ReadError> {
        Reader::at(input, 0, limits)
    }

    /// Reads from the record at `offset`.
    pub fn at(input: R, offset: u64, limits: Limits) -> Result<Reader<R>, ReadError> {
        let mut source = Source::new(input)?;
        let mut dictionary = Vec::new();
        if Packing::of(source.peek(4)?) == Packing::ZstdSkippable {
            dictionary = read_skippable(&mut source)?;
        }
        if offset > 0 {
            source.seek(offset)?;
        }
        let state = State::Between(source);
        Ok(Reader { state, limits, dictionary, is_arc: false, pending: None })
    }

    /// Opens the member where the source stands.
    fn enter(&mut self, mut source: Source<R>) -> Result<(), ReadError> {
        let offset = source.offset();
        let next = source.peek(4)?;
        if next.is_empty() {
            return Ok(());
        }
        let packing = Packing::of(next);
        if packing == Packing::ZstdSkippable {
            read_skippable(&mut source)?;
            self.state = State::Between(source);
            return Ok(());
        }
        // A plain file is one member: plain bytes behind a member are not text.
        if packing == Packing::Plain && offset > 0 && !self.begins_record(next) {
            self.resynchronise(source, offset)?;
            return Err(ReadError::Damaged { offset, reason: "not a member".to_owned() });
        }
        self.state = State::Inside(Member::open(source, packing, &self.dictionary)?, false);
        Ok(())
    }

    /// Takes the next record of a member, or leaves it.
    fn advance(
        &mut self,
        mut member: Member<R>,
        has_record: bool,
    ) -> Result<Option<Record>, ReadError> {
        let start = member.start();
        match self.read_record(&mut member) {
            Ok(Some((record, BlockEnd::Reached))) => self.settle(member, has_record, record),
            Ok(Some((record, end))) => {
                self.pending = Some(ReadError::CutShort { offset: record.offset });
                match end {
                    BlockEnd::Torn => self.abandon(member),
                    _ => self.state = State::Between(member.finish()),
                }
                Ok(Some(record))
            }
            Ok(None) => {
                self.state = State::Between(member.finish());
                Ok(None)
            }
            Err(Fault::Form { offset, reason }) => {
                match self.skip_to_record(&mut member) {
                    Ok(()) => self.state = State::Inside(member, true),
                    Err(_) => self.abandon(member),
                }
                Err(ReadError::Damaged { offset, reason })
            }
            Err(Fault::Text { offset, error }) => {
                self.abandon(member);
                Err(describe(error, offset.unwrap_or(start)))
            }
        }
    }

    /// Finds out what follows a record, and with it the record's length.
    fn settle(
        &mut self,
        mut member: Member<R>,
        has_record: bool,
        mut record: Record,
    ) -> Result<Option<Record>, ReadError> {
        let is_alone = !member.is_packed() || !has_record;
        match member.skip_blank_to_end() {
            Ok(true) => {
                let source = member.finish();
                record.length = is_alone.then(|| source.offset() - record.offset);
                self.state = State::Between(source);
            }
            Ok(false) => {
                if !member.is_packed() {
                    record.length = Some(member.position() - record.offset);
                }
                self.state = State::Inside(member, true);
            }
            Err(error) => {
                self.abandon(member);
                match describe(error, record.offset) {
                    // All of it was there; only what should follow is missing.
                    cut @ ReadError::CutShort { .. } => self.pending = Some(cut),
                    // The checksum is wrong, and so may be any byte: this is no evidence.
                    damage => return Err(damage),
                }
            }
        }
        Ok(Some(record))
    }

    /// Leaves a member whose text cannot be had, for the next one that can.
    fn abandon(&mut self, member: Member<R>) {
        let (start, is_packed) = (member.start(), member.is_packed());
        if is_packed && let Err(error) = self.resynchronise(member.finish(), start) {
            self.pending.get_or_insert(error);
        }
    }

    /// Looks behind `start` for a member that holds a record.
    fn resynchronise(&mut self, mut source: Source<R>, start: u64) -> Result<(), ReadError> {
        let mut offset = start + 1;
        loop {
            source.seek(offset)?;
            let Some(candidate) = find_member(&mut source)? else {
                return Ok(());
            };
            let packing = Packing::of(source.peek(4)?);
            let mut member = Member::open(source, packing, &self.dictionary)?;
            if member.skip_blank_to_end().is_ok()
                && let Ok(Some((position, line))) = member.line()
                && self.begins_record(&line)
            {
                member.return_line(position, line);
                self.state = State::Inside(member, false);
                return Ok(());
            }
            source = member.finish();
            offset = candidate + 1;
        }
    }

    /// Reads lines until one opens a record.
    fn skip_to_record(&mut self, member: &mut Member<R>) -> io::Result<()> {
        while let Some((position, line)) = member.line()? {
            if self.begins_record(&line) {
                member.return_line(position, line);
                break;
            }
        }
        Ok(())
    }

    fn begins_record(&self, line: &[u8]) -> bool {
        line.starts_with(b"WARC") || (self.is_arc && arc::parse(line).is_some())
    }

    fn read_record(&mut self, member: &mut Member<R>) -> Result<Option<(Record, BlockEnd)>, Fault> {
        let (offset, line) = loop {
            match member.line()? {
                None => return Ok(None),
                Some((_, line)) if line.is_empty() => {}
                Some(found) => break found,
            }
        };
        self.read_record_at(member, offset, &line).map(Some).map_err(|fault| fault.at(offset))
    }

    /// Reads what follows the first line of a record.
    fn read_record_at(
        &mut self,
        member: &mut Member<R>,
        offset: u64,
        line: &[u8],
    ) -> Result<(Record, BlockEnd), Fault> {
        let (kind, headers, length) = if line.starts_with(b"WARC/") {
            read_warc_head(member, offset)?
        } else {
            self.is_arc |= line.starts_with(arc::FILE_MARK);
            let parsed = arc::parse(line).filter(|_| self.is_arc);
            let parsed = parsed.ok_or_else(|| fault(offset, "neither WARC nor ARC"))?;
            let length = parsed.length.ok_or_else(|| fault(offset, "the length is no number"))?;
            (parsed.kind, parsed.fields, length)
        };
        let (block, end) = self.read_block(member, length)?;
        let is_cut = (block.len() as u64) < length;
        Ok((Record { kind, headers, block, is_cut, offset, length: None }, end))
    }

    /// Reads a block without trusting its length for the allocation.
    fn read_block(&self, member: &mut Member<R>, length: u64) -> Result<(Bytes, BlockEnd), Fault> {
        let kept = length.min(self.limits.block as u64);
        let mut block = Vec::with_capacity(usize::try_from(kept.min(1 << 20)).unwrap_or(0));
        let text = member.text();
        let passed = match text.take(kept).read_to_end(&mut block) {
            Ok(_) => io::copy(&mut text.take(length - kept), &mut io::sink()),
            Err(error) => Err(error),
        };
        let end = match passed {
            Ok(passed) if block.len() as u64 + passed == length => BlockEnd::Reached,
            Ok(_) => BlockEnd::Missing,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => BlockEnd::Torn,
            Err(error) => return Err(error.into()),
        };
        Ok((block.into(), end))
    }
}

impl<R: Read + Seek> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Result<Record, ReadError>> {
        loop {
            if let Some(error) = self.pending.take() {
                return Some(Err(error));
            }
            let step = match std::mem::replace(&mut self.state, State::Done) {
                State::Done => return None,
                State::Between(source) => self.enter(source).map(|()| None),
                State::Inside(member, has_record) => self.advance(member, has_record),
            };
            if let Some(item) = step.transpose() {
                return Some(item);
            }
        }
    }
}

/// A head of more lines than this is not one.
const MAX_LINES: usize = 1000;

/// The fields behind the version line, up to the empty line.
fn read_warc_head<R: Read + Seek>(
    member: &mut Member<R>,
    offset: u64,
) -> Result<(RecordKind, Fields, u64), Fault> {
    let mut fields = Fields::default();
    for _ in 0..MAX_LINES {
        let Some((_, line)) = member.line()? else {
            return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
        };
        if !line.is_empty() {
            fields.push_line(&line);
            continue;
        }
        let length = fields.get("Content-Length").and_then(|text| text.parse().ok());
        let length = length.ok_or_else(|| fault(offset, "no content length"))?;
        let kind = fields.get("WARC-Type").map_or(RecordKind::Other, RecordKind::parse);
        return Ok((kind, fields, length));
    }
    Err(fault(offset, "a head without end"))
}

/// Moves on to the next bytes that may open a member; none before the end.
fn find_member<R: Read + Seek>(source: &mut Source<R>) -> io::Result<Option<u64>> {
    use std::io::BufRead;
    loop {
        let next = source.peek(4)?;
        if next.len() < 4 {
            return Ok(None);
        }
        let is_member = |bytes: &[u8]| matches!(Packing::of(bytes), Packing::Gzip | Packing::Zstd);
        let passed = next.windows(4).position(is_member);
        let count = passed.unwrap_or(next.len() - 3);
        source.consume(count);
        if passed.is_some() {
            return Ok(Some(source.offset()));
        }
    }
}

fn fault(offset: u64, reason: &str) -> Fault {
    Fault::Form { offset, reason: reason.to_owned() }
}

fn describe(error: io::Error, offset: u64) -> ReadError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => ReadError::CutShort { offset },
        // What the decompressors report of bytes that make no sense.
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::Other => {
            ReadError::Damaged { offset, reason: error.to_string() }
        }
        _ => ReadError::Unreadable(error),
    }
}

impl Fault {
    fn at(self, record: u64) -> Fault {
        match self {
            Fault::Text { error, .. } => Fault::Text { offset: Some(record), error },
            Fault::Form { .. } => self,
        }
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        Fault::Text { offset: None, error }
    }
}
