//! The growing end of a file: what is appended is there whole or not at all.
//!
//! Bytes go to the operating system in one call and through no buffer of ours,
//! so a killed process loses nothing that was acknowledged. When a write fails
//! half way (a full disk), the file is cut back to its last good end; when even
//! that fails, nothing is appended until it has succeeded.

use std::fs::File;
use std::io::{self, Write};

/// Where the bytes go: a file, or in the tests something that fails on command.
pub(crate) trait Medium {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()>;
    fn cut(&mut self, length: u64) -> io::Result<()>;
    fn sync(&mut self) -> io::Result<()>;
}

/// The end of a file that is appended to.
pub(crate) struct Tail<M> {
    medium: M,
    /// Everything before this is whole.
    end: u64,
    /// Something torn may stand behind `end`.
    is_torn: bool,
}

impl<M: Medium> Tail<M> {
    /// Takes a file that is whole up to `end` and opened for appending.
    pub(crate) fn new(medium: M, end: u64) -> Tail<M> {
        Tail { medium, end, is_torn: false }
    }

    /// Where the next bytes will begin.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Appends all of `bytes`, or nothing.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_torn {
            self.mend()?;
        }
        if let Err(error) = self.medium.write_all(bytes) {
            self.is_torn = true;
            // The write's own error matters more than that of the repair, which is tried again.
            let _ = self.mend();
            return Err(error);
        }
        self.end += bytes.len() as u64;
        Ok(())
    }

    /// Waits until the disk has it.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.medium.sync()
    }

    fn mend(&mut self) -> io::Result<()> {
        self.medium.cut(self.end)?;
        self.is_torn = false;
        Ok(())
    }
}

impl Medium for File {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        Write::write_all(self, bytes)
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with room for so many bytes, on which cutting may fail too.
    struct SmallDisk {
        bytes: Vec<u8>,
        room: usize,
        can_cut: bool,
    }

    impl Medium for &mut SmallDisk {
        fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
            let fitting = bytes.len().min(self.room - self.bytes.len());
            self.bytes.extend_from_slice(&bytes[..fitting]);
            if fitting < bytes.len() {
                return Err(io::ErrorKind::StorageFull.into());
            }
            Ok(())
        }

        fn cut(&mut self, length: u64) -> io::Result<()> {
            if !self.can_cut {
                return Err(io::ErrorKind::Other.into());
            }
            self.bytes.truncate(usize::try_from(length).unwrap());
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_leaves_nothing_torn() {
        let mut disk = SmallDisk { bytes: Vec::new(), room: 10, can_cut: true };
        let mut tail = Tail::new(&mut disk, 0);
        tail.append(b"123456").unwrap();
        assert_eq!(tail.append(b"abcdef").unwrap_err().kind(), io::ErrorKind::StorageFull);
        tail.append(b"7890").unwrap();
        assert_eq!(tail.end(), 10);
        assert_eq!(disk.bytes, b"1234567890");
    }

    #[test]
    fn nothing_is_appended_behind_something_torn() {
        let mut disk = SmallDisk { bytes: Vec::new(), room: 4, can_cut: false };
        let mut tail = Tail::new(&mut disk, 0);
        tail.append(b"123456").unwrap_err();
        assert_eq!(tail.append(b"x").unwrap_err().kind(), io::ErrorKind::Other);
        tail.medium.can_cut = true;
        tail.append(b"good").unwrap();
        assert_eq!(disk.bytes, b"good");
    }
}
