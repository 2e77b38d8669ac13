//! The examples of a crawl, kept in its data directory.
//!
//! A crawl that goes on must learn from the same pages as before, whether or
//! not its topic file is named again and wherever that has gone since. So the
//! pages lie beside the store: `examples/0000.html` …, and `examples/list.json`
//! says what each teaches.

use std::io;
use std::path::{Path, PathBuf};

use gannet_content::Limits;
use gannet_engine::{DataDir, Taught};
use serde::{Deserialize, Serialize};

use crate::topic::{ExamplePage, read_kept};

const DIRECTORY: &str = "examples";
const LIST: &str = "list.json";

/// One line of the list.
#[derive(Debug, Serialize, Deserialize)]
struct Listed {
    file: String,
    /// `yes`, `no` or `relative`.
    teaches: Lesson,
    /// The name of the relative.
    #[serde(skip_serializing_if = "Option::is_none")]
    relative: Option<String>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Lesson {
    Yes,
    No,
    Relative,
}

/// The file of each example and what it teaches.
pub(crate) type Files = Vec<(PathBuf, Taught)>;

/// What [`write()`] needs to know of examples.
pub(crate) fn files(examples: &[ExamplePage]) -> Files {
    examples.iter().map(|page| (page.path.clone(), page.teaches.clone())).collect()
}

/// Keeps these in place of those that were kept before.
pub(crate) fn write(data: &DataDir, examples: &Files) -> io::Result<()> {
    let directory = data.path().join(DIRECTORY);
    if is_of(&directory, examples) {
        return Ok(());
    }
    let new = data.path().join("examples.new");
    remove(&new)?;
    if !examples.is_empty() {
        std::fs::create_dir_all(&new)?;
        let mut list = Vec::new();
        for (number, (path, teaches)) in examples.iter().enumerate() {
            let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or("html");
            let file = format!("{number:04}.{ending}");
            std::fs::copy(path, new.join(&file))?;
            list.push(Listed::new(file, teaches));
        }
        std::fs::write(new.join(LIST), serde_json::to_vec_pretty(&list)?)?;
    }
    remove(&directory)?;
    if !examples.is_empty() {
        std::fs::rename(&new, &directory)?;
    }
    Ok(())
}

/// The examples that were kept, in their order; none where none were.
pub(crate) fn read(data: &DataDir, limits: &Limits) -> io::Result<Vec<ExamplePage>> {
    let directory = data.path().join(DIRECTORY);
    let text = match std::fs::read(directory.join(LIST)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let list: Vec<Listed> = serde_json::from_slice(&text)?;
    let mut examples = Vec::new();
    for listed in list {
        // The list is a file like any other: its names must not lead elsewhere.
        let name = Path::new(&listed.file).file_name().unwrap_or_default();
        let path: PathBuf = directory.join(name);
        let kept = read_kept(&path)?;
        let document = kept.read(limits);
        examples.push(ExamplePage::new(path, kept.provenance.url, document, listed.taught()));
    }
    Ok(examples)
}

/// True when these are the ones that are kept.
fn is_of(directory: &Path, examples: &Files) -> bool {
    !examples.is_empty() && examples.iter().all(|(path, _)| path.starts_with(directory))
}

fn remove(directory: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(directory) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

impl Listed {
    fn new(file: String, taught: &Taught) -> Listed {
        let (teaches, relative) = match taught {
            Taught::Relevant => (Lesson::Yes, None),
            Taught::Relative(name) => (Lesson::Relative, Some(name.clone())),
            Taught::Irrelevant | Taught::Nothing => (Lesson::No, None),
        };
        Listed { file, teaches, relative }
    }

    fn taught(self) -> Taught {
        match (self.teaches, self.relative) {
            (Lesson::Yes, _) => Taught::Relevant,
            (Lesson::Relative, Some(name)) => Taught::Relative(name),
            (Lesson::Relative | Lesson::No, _) => Taught::Irrelevant,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::PageUrl;

    /// Example pages in a directory of their own.
    fn pages(directory: &Path) -> Vec<ExamplePage> {
        let teaches = [Taught::Relevant, Taught::Irrelevant, Taught::Relative("gulls".to_owned())];
        let page = |(number, teaches): (usize, Taught)| {
            let path = directory.join(format!("{number}.txt"));
            let url = format!("http://a.test/{number}");
            let text =
                format!("gannets {number}\n<!-- kept by gannet from {url} as text/plain -->\n");
            std::fs::write(&path, text).unwrap();
            let kept = read_kept(&path).unwrap();
            let document = kept.read(&Limits::default());
            ExamplePage::new(path, Some(PageUrl::parse(&url).unwrap()), document, teaches)
        };
        teaches.into_iter().enumerate().map(page).collect()
    }

    #[test]
    fn examples_come_back_as_they_were_given() {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDir::new(directory.path().join("data"));
        std::fs::create_dir(data.path()).unwrap();
        assert!(read(&data, &Limits::default()).unwrap().is_empty());
        let given = pages(directory.path());
        write(&data, &files(&given)).unwrap();
        let kept = read(&data, &Limits::default()).unwrap();
        let shape = |pages: &[ExamplePage]| -> Vec<_> {
            pages.iter().map(|p| (p.teaches.clone(), p.url.clone(), p.document.clone())).collect()
        };
        assert_eq!(shape(&kept), shape(&given));
        write(&data, &files(&kept)).unwrap();
        assert_eq!(read(&data, &Limits::default()).unwrap().len(), 3, "kept ones are left alone");
        write(&data, &Files::new()).unwrap();
        assert!(read(&data, &Limits::default()).unwrap().is_empty());
    }
}
