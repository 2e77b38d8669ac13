//! Real pages to test against, when they are at hand.
//!
//! Looks in `$GANNET_DATA`, then in `../shared/data` beside the repository.
//! They are no part of this project: callers say that they skip without them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An unpacked archive, removed when dropped.
pub(crate) struct Unpacked(PathBuf);

impl Unpacked {
    /// Unpacks `archive`, a `.tar.zst` in the evaluation data; `None` when it
    /// is absent or the tools to unpack it are. `purpose` keeps callers apart.
    pub(crate) fn open(archive: &str, purpose: &str) -> Option<Unpacked> {
        let packed = directory()?.join(archive);
        let name = format!("gannet-content-{}-{purpose}", std::process::id());
        let target = std::env::temp_dir().join(name);
        fs::create_dir_all(&target).ok()?;
        let unpacked = Unpacked(target);
        let script =
            r#"zstd -dcq --long=27 "$0" | tar -x -C "$1" && gzip -qdrf "$1"; test -n "$(ls "$1")""#;
        let status =
            Command::new("sh").args(["-c", script]).arg(packed).arg(&unpacked.0).status().ok()?;
        status.success().then_some(unpacked)
    }

    /// Every file with one of these endings, path and bytes, in order of path.
    pub(crate) fn files(&self, endings: &[&str]) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = files_in(&self.0);
        files.retain(|(path, _)| {
            let name = path.to_string_lossy();
            endings.iter().any(|ending| name.ends_with(ending))
        });
        files
    }
}

impl Drop for Unpacked {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Where the evaluation data is, if anywhere.
pub(crate) fn directory() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let named = std::env::var_os("GANNET_DATA").map(PathBuf::from);
    named.into_iter().chain([beside]).find(|path| path.is_dir())
}

/// Every file below a directory, path and bytes, in order of path.
pub(crate) fn files_in(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut paths = Vec::new();
    collect(directory, &mut paths);
    paths.sort();
    paths.into_iter().filter_map(|path| Some((path.clone(), fs::read(path).ok()?))).collect()
}

fn collect(directory: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, paths);
        } else {
            paths.push(path);
        }
    }
}
