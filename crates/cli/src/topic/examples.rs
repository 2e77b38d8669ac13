//! The example pages of a topic: found, read, and named with what they show.
//!
//! What cannot be found is a mistake in the topic; what can be found and says
//! nothing (an empty file, a picture) is told and left out.

use std::path::{Path, PathBuf};

use gannet_content::Limits;
use gannet_engine::{Example, Taught};
use gannet_model::{Document, PageUrl, Prominence};
use gannet_relevance::{Lesson, Sight, contradictions};

use super::{Described, KeptPage};
use crate::config::{ConfigError, Mistake};
use crate::print;

/// A page that shows what is meant or what is not.
#[derive(Clone, Debug)]
pub(crate) struct ExamplePage {
    /// The file that holds it.
    pub(crate) path: PathBuf,
    /// What it teaches.
    pub(crate) teaches: Taught,
    /// Where it came from, where that is known.
    pub(crate) url: Option<PageUrl>,
    /// What it says.
    pub(crate) document: Document,
    /// How much each passage of it counts.
    prominence: Prominence,
}

/// No topic has more examples; whoever points us at a whole disk hears of it.
const MOST_FILES: usize = 10_000;
/// No directory of examples is nested deeper.
const DEEPEST: usize = 16;
/// No example is larger: the same as the largest body of a crawl.
pub(super) const LARGEST: u64 = 10 << 20;

impl ExamplePage {
    /// A page as it was read.
    pub(crate) fn new(
        path: PathBuf,
        url: Option<PageUrl>,
        document: Document,
        teaches: Taught,
    ) -> ExamplePage {
        let prominence = gannet_content::prominence(&document, None);
        ExamplePage { path, teaches, url, document, prominence }
    }

    /// What a model learns from it.
    pub(crate) fn lesson(&self) -> Lesson<'_> {
        let page = Sight {
            document: &self.document,
            url: self.url.as_ref(),
            anchor: "",
            prominence: Some(&self.prominence),
        };
        Lesson { page, teaches: self.teaches.teaching() }
    }
}

impl From<ExamplePage> for Example {
    fn from(page: ExamplePage) -> Example {
        Example { document: page.document, url: page.url, teaches: page.teaches }
    }
}

impl Described<'_> {
    /// Every example that the topic names; what is left out is told.
    pub(crate) fn examples(&self, limits: &Limits) -> Result<Vec<ExamplePage>, ConfigError> {
        let (pages, remarks) = self.read_examples(limits)?;
        remarks.iter().for_each(print::warn);
        Ok(pages)
    }

    /// Every example that the topic names, and remarks on what is left out.
    pub(super) fn read_examples(
        &self,
        limits: &Limits,
    ) -> Result<(Vec<ExamplePage>, Vec<String>), ConfigError> {
        let (mut pages, mut remarks, mut mistakes) = (Vec::new(), Vec::new(), Vec::new());
        for (key, path, teaches) in self.example_paths() {
            let files = match self.files(&key, &path) {
                Ok(files) => files,
                Err(mistake) => {
                    mistakes.push(mistake);
                    continue;
                }
            };
            if files.is_empty() {
                remarks.push(format!("{} holds no example page", path.display()));
            }
            if pages.len() + files.len() > MOST_FILES {
                let message = format!("more than {MOST_FILES} example pages");
                mistakes.push(self.mistake(&key, message).help("name fewer files"));
                break;
            }
            for file in files {
                match page(&file, &teaches, limits) {
                    Ok(page) => pages.push(page),
                    Err(because) => {
                        remarks.push(format!("{} is left out: {because}", file.display()));
                    }
                }
            }
        }
        mistakes.extend(contradictory(&pages));
        if mistakes.is_empty() { Ok((pages, remarks)) } else { Err(ConfigError(mistakes)) }
    }

    /// Key and path of every entry and what it teaches, in the order of the file.
    fn example_paths(&self) -> Vec<(String, PathBuf, Taught)> {
        let written = &self.written;
        let mut entries = Vec::new();
        let mut add = |list: &str, paths: &[PathBuf], teaches: Taught| {
            for (index, path) in paths.iter().enumerate() {
                entries.push((format!("{list}[{index}]"), path.clone(), teaches.clone()));
            }
        };
        add("examples.yes", &written.examples.yes, Taught::Relevant);
        add("examples.no", &written.examples.no, Taught::Irrelevant);
        for (list, relatives) in
            [("subtopic", &written.subtopic), ("neighbour", &written.neighbour)]
        {
            for (index, relative) in relatives.iter().enumerate() {
                let key = format!("{list}[{index}].examples");
                add(&key, &relative.examples, Taught::Relative(relative.name.clone()));
            }
        }
        entries
    }

    fn files(&self, key: &str, path: &Path) -> Result<Vec<PathBuf>, Mistake> {
        files_below(&self.resolve(path)).map_err(|error| {
            let help = "examples are files of HTML or text, or directories of such, relative to \
                        where they are named";
            self.mistake(key, format!("cannot read {}: {error}", path.display())).help(help)
        })
    }
}

/// The same page cannot be about the topic and not.
fn contradictory(pages: &[ExamplePage]) -> Option<Mistake> {
    let lessons: Vec<Lesson<'_>> = pages.iter().map(ExamplePage::lesson).collect();
    let (first, second) = *contradictions(&lessons).first()?;
    let (first, second) = (pages[first].path.display(), pages[second].path.display());
    let message =
        format!("{first} and {second} are the same page, once as an example and once as none");
    Some(Mistake::new(message).help("leave one of them out"))
}

/// The file itself, or every file below the directory in the order of names; hidden ones are left out.
pub(crate) fn files_below(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![(path.to_owned(), 0)];
    while let Some((path, depth)) = waiting.pop() {
        if !std::fs::metadata(&path)?.is_dir() {
            found.push(path);
            if found.len() > MOST_FILES {
                break;
            }
            continue;
        }
        if depth >= DEEPEST {
            continue;
        }
        for entry in std::fs::read_dir(&path)? {
            let entry = entry?;
            if !entry.file_name().to_string_lossy().starts_with('.') {
                waiting.push((entry.path(), depth + 1));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The file's page, or why it teaches nothing.
fn page(path: &Path, teaches: &Taught, limits: &Limits) -> Result<ExamplePage, String> {
    let kept = read_kept(path).map_err(|error| error.to_string())?;
    let document = kept.read(limits);
    if document.is_blank() {
        return Err("it holds no text that could be read".to_owned());
    }
    Ok(ExamplePage::new(path.to_owned(), kept.provenance.url, document, teaches.clone()))
}

/// A page from a file of any origin.
pub(crate) fn read_kept(path: &Path) -> std::io::Result<KeptPage> {
    if std::fs::metadata(path)?.len() > LARGEST {
        return Err(std::io::Error::other(format!("it has more than {} MiB", LARGEST >> 20)));
    }
    Ok(KeptPage::parse(std::fs::read(path)?))
}
