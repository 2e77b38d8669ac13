//! The compressed members of a file, one after the other.
//!
//! A member is a gzip member or a zstd frame; a file that is not compressed
//! counts as one member. Tools write a member per record, but some pack a whole
//! file into one: a member is only a stretch of text here.

use std::io::{self, BufRead, BufReader, Read, Seek};

use flate2::bufread::GzDecoder;

use crate::source::Source;

/// How a stretch of a file is packed, told by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Plain,
    Gzip,
    Zstd,
    /// A zstd frame to skip, or one with the dictionary of the frames behind it.
    ZstdSkippable,
}

/// A stretch of text and the file it comes from.
pub(crate) struct Member<R: Read + Seek> {
    /// Where in the file it begins.
    start: u64,
    packing: Packing,
    text: BufReader<Layer<R>>,
    /// A line that was read while looking for the next record, and its place.
    returned: Option<(u64, Vec<u8>)>,
}

enum Layer<R: Read + Seek> {
    Plain(Source<R>),
    Gzip(Box<GzDecoder<Source<R>>>),
    Zstd(Box<zstd::stream::read::Decoder<'static, Source<R>>>),
}

const GZIP_MAGIC: [u8; 3] = [0x1f, 0x8b, 0x08];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The skippable frame that a `.warc.zst` opens with when it has a dictionary.
const ZSTD_DICTIONARY_MAGIC: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];

/// No line of a record's head is longer; what is longer is no head.
const MAX_LINE: u64 = 1 << 20;
/// Dictionaries are some 100 KB; a length beyond this is a damaged file.
const MAX_DICTIONARY: u64 = 16 << 20;

impl Packing {
    pub(crate) fn of(bytes: &[u8]) -> Packing {
        if bytes.starts_with(&GZIP_MAGIC) {
            return Packing::Gzip;
        }
        if bytes.starts_with(&ZSTD_MAGIC) {
            return Packing::Zstd;
        }
        match bytes {
            [first, 0x2a, 0x4d, 0x18, ..] if first & 0xf0 == 0x50 => Packing::ZstdSkippable,
            _ => Packing::Plain,
        }
    }
}

/// Reads a skippable frame; gives the dictionary when it is one.
pub(crate) fn read_skippable<R: Read + Seek>(source: &mut Source<R>) -> io::Result<Vec<u8>> {
    let mut head = [0; 8];
    source.read_exact(&mut head)?;
    let length = u64::from(u32::from_le_bytes([head[4], head[5], head[6], head[7]]));
    if !head.starts_with(&ZSTD_DICTIONARY_MAGIC) {
        source.seek(source.offset() + length)?;
        return Ok(Vec::new());
    }
    let mut content = Vec::new();
    source.take(length.min(MAX_DICTIONARY)).read_to_end(&mut content)?;
    if !content.starts_with(&ZSTD_MAGIC) {
        return Ok(content);
    }
    let mut dictionary = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(&content[..])?;
    decoder.take(MAX_DICTIONARY).read_to_end(&mut dictionary)?;
    Ok(dictionary)
}

impl<R: Read + Seek> Member<R> {
    /// Begins a member where the source stands.
    pub(crate) fn open(
        source: Source<R>,
        packing: Packing,
        dictionary: &[u8],
    ) -> io::Result<Member<R>> {
        let start = source.offset();
        let layer = match packing {
            Packing::Plain => Layer::Plain(source),
            Packing::Gzip => Layer::Gzip(Box::new(GzDecoder::new(source))),
            Packing::Zstd | Packing::ZstdSkippable => {
                let decoder = zstd::stream::read::Decoder::with_dictionary(source, dictionary)?;
                Layer::Zstd(Box::new(decoder.single_frame()))
            }
        };
        Ok(Member { start, packing, text: BufReader::new(layer), returned: None })
    }

    /// Where in the file the member begins.
    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// Where in the file the next byte of text lies; only plain text has a
    /// place of its own, packed text lies where its member begins.
    pub(crate) fn position(&self) -> u64 {
        match self.text.get_ref() {
            Layer::Plain(source) => source.offset() - self.text.buffer().len() as u64,
            Layer::Gzip(_) | Layer::Zstd(_) => self.start,
        }
    }

    pub(crate) fn is_packed(&self) -> bool {
        self.packing != Packing::Plain
    }

    /// The text from here on.
    pub(crate) fn text(&mut self) -> &mut impl BufRead {
        &mut self.text
    }

    /// The next line with its place and without its end; none at the end of the text.
    pub(crate) fn line(&mut self) -> io::Result<Option<(u64, Vec<u8>)>> {
        if let Some(returned) = self.returned.take() {
            return Ok(Some(returned));
        }
        let position = self.position();
        let mut line = Vec::new();
        (&mut self.text).take(MAX_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        line.truncate(line.trim_ascii_end().len());
        Ok(Some((position, line)))
    }

    /// Gives a line back, to be read again.
    pub(crate) fn return_line(&mut self, position: u64, line: Vec<u8>) {
        self.returned = Some((position, line));
    }

    /// Passes over ends of lines; true when the text ends there.
    pub(crate) fn skip_blank_to_end(&mut self) -> io::Result<bool> {
        loop {
            let available = self.text.fill_buf()?;
            if available.is_empty() {
                return Ok(true);
            }
            let blank = available.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            let is_all_blank = blank == available.len();
            self.text.consume(blank);
            if !is_all_blank {
                return Ok(false);
            }
        }
    }

    /// Gives the source back; at the end of the text it stands behind the member.
    pub(crate) fn finish(self) -> Source<R> {
        match self.text.into_inner() {
            Layer::Plain(source) => source,
            Layer::Gzip(decoder) => decoder.into_inner(),
            Layer::Zstd(decoder) => decoder.finish(),
        }
    }
}

impl<R: Read + Seek> Read for Layer<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Layer::Plain(source) => source.read(out),
            Layer::Gzip(decoder) => decoder.read(out),
            Layer::Zstd(decoder) => decoder.read(out),
        }
    }
}
