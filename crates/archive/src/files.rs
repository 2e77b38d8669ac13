//! How the files of an archive are called, and which of them exist.
//!
//! `gannet-00000.warc.gz`: a prefix, a number and what the compression adds.
//! A number is used once, whatever the compression, so a position needs no
//! more than the number.

use std::io;
use std::path::{Path, PathBuf};

use crate::Compression;

/// One file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArchiveFile {
    pub(crate) number: u32,
    /// The format told by the name; the level is of no account to a reader.
    pub(crate) compression: Compression,
    pub(crate) path: PathBuf,
}

const FORMATS: [Compression; 3] = [
    Compression::Gzip { level: Compression::DEFAULT_GZIP_LEVEL },
    Compression::Zstd { level: Compression::DEFAULT_ZSTD_LEVEL },
    Compression::None,
];

pub(crate) fn file_name(prefix: &str, number: u32, compression: Compression) -> String {
    format!("{prefix}-{number:05}{}", compression.extension())
}

/// The file with the highest number, if there is one.
pub(crate) fn last_file(dir: &Path, prefix: &str) -> io::Result<Option<ArchiveFile>> {
    let mut last: Option<ArchiveFile> = None;
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some((number, compression)) = name.to_str().and_then(|name| parse(name, prefix)) else {
            continue;
        };
        if last.as_ref().is_none_or(|last| number > last.number) {
            last = Some(ArchiveFile { number, compression, path: entry.path() });
        }
    }
    Ok(last)
}

/// The file of this number, in whatever format it was written.
pub(crate) fn find_file(dir: &Path, prefix: &str, number: u32) -> Option<PathBuf> {
    let paths = FORMATS.map(|format| dir.join(file_name(prefix, number, format)));
    paths.into_iter().find(|path| path.is_file())
}

fn parse(name: &str, prefix: &str) -> Option<(u32, Compression)> {
    let rest = name.strip_prefix(prefix)?.strip_prefix('-')?;
    let (digits, extension) = rest.split_at(rest.find('.')?);
    let compression = FORMATS.into_iter().find(|format| format.extension() == extension)?;
    let is_number = digits.len() >= 5 && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return None;
    }
    Some((digits.parse().ok()?, compression))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_number_and_format() {
        for format in FORMATS {
            assert_eq!(parse(&file_name("crawl", 7, format), "crawl"), Some((7, format)));
        }
        assert_eq!(file_name("gannet", 0, Compression::default()), "gannet-00000.warc.gz");
        assert_eq!(file_name("gannet", 123_456, Compression::None), "gannet-123456.warc");
    }

    #[test]
    fn other_files_are_not_ours() {
        for name in ["gannet-00000.cdxj", "gannet-1.warc", "other-00000.warc", "gannet-0000x.warc"]
        {
            assert_eq!(parse(name, "gannet"), None, "{name}");
        }
    }

    #[test]
    fn the_highest_number_is_the_last_file() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["gannet-00009.warc.gz", "gannet-00010.warc", "other-00011.warc", "notes.txt"] {
            std::fs::write(dir.path().join(name), "").unwrap();
        }
        let last = last_file(dir.path(), "gannet").unwrap().unwrap();
        assert_eq!((last.number, last.compression), (10, Compression::None));
        assert_eq!(
            find_file(dir.path(), "gannet", 9),
            Some(dir.path().join("gannet-00009.warc.gz"))
        );
        assert_eq!(find_file(dir.path(), "gannet", 3), None);
    }
}
