//! The files of a data set, whether they lie in folders or in an archive.
//!
//! Archives are unpacked in memory. What the files mean is not known here (see
//! `kinds`).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::LabelledError;

/// Named files, sorted by path.
#[derive(Default)]
pub(crate) struct Tree {
    /// What the tree is called: the folder's or archive's name without its ending.
    pub(crate) name: String,
    files: BTreeMap<String, Held>,
}

enum Held {
    Unpacked(Vec<u8>),
    OnDisk(PathBuf),
}

/// How deep below the data folder archives are looked for.
const ARCHIVE_DEPTH: usize = 2;

/// How deep below the data folder loose files are looked for: a set two folders down holds
/// folders for halves, classes, universities and then pages.
const FILE_DEPTH: usize = ARCHIVE_DEPTH + 4;

/// No tree of pages is deeper; a folder that is linked to from within itself would be.
const DEEPEST: usize = 32;

/// Larger files are no labelled pages.
const LARGEST_FILE: u64 = 16 << 20;

/// The window that `zstd --long=27` writes.
const ZSTD_WINDOW_LOG: u32 = 27;

impl Tree {
    /// The loose files below a folder, and the archives that were found on the way.
    pub(crate) fn of_folder(folder: &Path) -> Result<(Tree, Vec<PathBuf>), LabelledError> {
        Tree::to_depth(folder, FILE_DEPTH)
    }

    /// All loose files below a folder.
    pub(crate) fn of_all_folders(folder: &Path) -> Result<Tree, LabelledError> {
        Ok(Tree::to_depth(folder, DEEPEST)?.0)
    }

    fn to_depth(folder: &Path, deepest: usize) -> Result<(Tree, Vec<PathBuf>), LabelledError> {
        let mut tree = Tree { name: file_name(folder), ..Tree::default() };
        let mut archives = Vec::new();
        let mut folders = vec![(folder.to_owned(), String::new(), 0)];
        while let Some((folder, prefix, depth)) = folders.pop() {
            let cannot = |cause| LabelledError::Folder { path: folder.clone(), cause };
            for entry in fs::read_dir(&folder).map_err(cannot)? {
                let entry = entry.map_err(cannot)?;
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.starts_with('.') {
                    continue;
                }
                let path = format!("{prefix}{name}");
                // Data sets are often linked to from where they are used.
                let Ok(about) = fs::metadata(entry.path()) else { continue };
                if about.is_dir() && depth < deepest {
                    folders.push((entry.path(), format!("{path}/"), depth + 1));
                } else if about.is_file() && archive_stem(&name).is_some() {
                    if depth <= ARCHIVE_DEPTH {
                        archives.push(entry.path());
                    }
                } else if about.is_file() && about.len() <= LARGEST_FILE {
                    tree.files.insert(path, Held::OnDisk(entry.path()));
                }
            }
        }
        archives.sort();
        Ok((tree, archives))
    }

    /// The files in an archive.
    pub(crate) fn of_archive(path: &Path) -> Result<Tree, LabelledError> {
        Tree::of_archive_parts(path, &|_| true)
    }

    /// Those files in an archive whose paths are wanted.
    pub(crate) fn of_archive_parts(
        path: &Path,
        wants: &dyn Fn(&str) -> bool,
    ) -> Result<Tree, LabelledError> {
        let file_name = file_name(path);
        let name = archive_stem(&file_name).unwrap_or(&file_name).to_owned();
        let files = unpack(path, wants)
            .map_err(|cause| LabelledError::Archive { path: path.to_owned(), cause })?;
        Ok(Tree { name, files })
    }

    /// All paths, sorted.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// What a file holds; `None` when there is no such file.
    pub(crate) fn read(&self, path: &str) -> Result<Option<Cow<'_, [u8]>>, LabelledError> {
        match self.files.get(path) {
            None => Ok(None),
            Some(Held::Unpacked(bytes)) => Ok(Some(Cow::Borrowed(bytes))),
            Some(Held::OnDisk(file)) => match fs::read(file) {
                Ok(bytes) => Ok(Some(Cow::Owned(bytes))),
                Err(cause) => Err(LabelledError::File { path: file.clone(), cause }),
            },
        }
    }

    #[cfg(test)]
    pub(crate) fn of(name: &str, files: &[(&str, &str)]) -> Tree {
        let held = |text: &str| Held::Unpacked(text.as_bytes().to_vec());
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), held(text))).collect();
        Tree { name: name.to_owned(), files }
    }
}

/// The last component of a path.
pub(crate) fn last_of(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The folder that a file lies in; empty at the root.
pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn file_name(path: &Path) -> String {
    // `.` and `..` have no name of their own.
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    whole.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// `webkb` of `webkb.tar.zst`; `None` when it is no archive.
fn archive_stem(name: &str) -> Option<&str> {
    [".tar.zst", ".tar.gz", ".tgz", ".tar"].iter().find_map(|ending| name.strip_suffix(ending))
}

fn unpack(path: &Path, wants: &dyn Fn(&str) -> bool) -> io::Result<BTreeMap<String, Held>> {
    let file = BufReader::new(File::open(path)?);
    let name = path.to_string_lossy();
    let unpacked: Box<dyn Read> = if name.ends_with(".zst") {
        let mut decoder = zstd::Decoder::new(file)?;
        decoder.window_log_max(ZSTD_WINDOW_LOG)?;
        Box::new(decoder)
    } else if name.ends_with(".tar") {
        Box::new(file)
    } else {
        Box::new(flate2::bufread::MultiGzDecoder::new(file))
    };
    let mut files = BTreeMap::new();
    for entry in tar::Archive::new(unpacked).entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() || entry.size() > LARGEST_FILE {
            continue;
        }
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let path = path.trim_start_matches("./");
        if path.split('/').any(|part| part.starts_with('.')) || !wants(path) {
            continue;
        }
        let mut bytes = Vec::with_capacity(entry.size() as usize);
        entry.read_to_end(&mut bytes)?;
        files.insert(path.to_owned(), Held::Unpacked(bytes));
    }
    Ok(files)
}
