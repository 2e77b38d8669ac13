//! Where the conformance tables lie: `$GANNET_DATA`, or beside the repository.

use std::path::PathBuf;

/// A file of the tables; nothing, said aloud, when they are not on this machine.
pub(crate) fn read(path: &str) -> Option<String> {
    let text = std::fs::read_to_string(locate(path)).ok();
    if text.is_none() {
        skip();
    }
    text
}

/// The full path of a file or directory of the tables.
pub(crate) fn locate(path: &str) -> PathBuf {
    let root = std::env::var_os("GANNET_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    root.join(path)
}

/// Says that a test had nothing to read.
#[allow(clippy::print_stdout)]
pub(crate) fn skip() {
    println!("skipped: no data");
}
