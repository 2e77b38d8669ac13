//! Labels as they are written while a crawl runs.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::line;
use super::{Label, LabelProblem};

/// Follows the file of labels from where it was last read.
pub(crate) struct Following {
    path: PathBuf,
    /// Bytes read, and the lines in them.
    read: u64,
    lines: usize,
    /// How long the file was when it was last looked at.
    length: u64,
}

/// Bytes read at once: thousands of labels.
const AT_ONCE: u64 = 1 << 20;

impl Following {
    /// Follows a file, which need not be there yet, from its beginning.
    pub(crate) fn new(path: PathBuf) -> Following {
        Following { path, read: 0, lines: 0, length: 0 }
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes read so far.
    pub(crate) fn position(&self) -> u64 {
        self.read
    }

    /// What was written since: labels in the order of the file, and lines that make no sense.
    /// Costs a look at the file's length when nothing was.
    pub(crate) fn news(&mut self) -> io::Result<(Vec<Label>, Vec<LabelProblem>)> {
        let length = match std::fs::metadata(&self.path) {
            Ok(metadata) => metadata.len(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(error),
        };
        if length < self.read {
            // Somebody wrote the file anew.
            (self.read, self.lines) = (0, 0);
        } else if length == self.length {
            return Ok((Vec::new(), Vec::new()));
        }
        let bytes = self.bytes()?;
        let (read, mut taken) = line::read_all(&bytes, self.lines);
        let is_endless = taken == 0 && bytes.len() as u64 == AT_ONCE;
        let mut problems = Vec::new();
        if is_endless {
            taken = bytes.len();
            let what = format!("longer than {AT_ONCE} bytes: that is no label");
            problems.push(LabelProblem { line: self.lines + 1, what });
        }
        self.read += taken as u64;
        self.lines += bytes[..taken].iter().filter(|byte| **byte == b'\n').count();
        // A file longer than what is read at once is gone on with at the next look.
        self.length = if self.read + AT_ONCE < length { self.read } else { length };
        let mut labels = Vec::new();
        for (line, read) in read {
            match read {
                Ok(label) => labels.push(label),
                Err(what) => problems.push(LabelProblem { line, what }),
            }
        }
        Ok((labels, problems))
    }

    fn bytes(&self) -> io::Result<Vec<u8>> {
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        file.seek(SeekFrom::Start(self.read))?;
        let mut bytes = Vec::new();
        file.take(AT_ONCE).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}
