//! `gannet topic new`: writes a topic file, and keeps the example pages beside it.
//!
//! Everything is read, fetched and checked before anything is written: a
//! mistake leaves nothing behind.

mod gather;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::ArgMatches;
use gannet_engine::Taught;
use gannet_relevance::{Lesson, Topic, contradictions};

use crate::arguments::Globals;
use crate::config;
use crate::exit::{Exit, UsageError};
use crate::flags::RequestFlags;
use crate::print;
use crate::topic::{
    self, Beginning, BeginningRelative, Editor, ExamplePage, KEYWORDS, WrittenKeyword,
};
use gather::{Gathered, Gatherer};

/// Arguments of `gannet topic new`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    gannet topic new seabirds --words \"seabirds, plunge diving\"\n  \
    gannet topic new seabirds --examples https://example.org/gannets saved/*.html --not-examples poultry/\n  \
    gannet topic new seabirds --words gannet --neighbour \"poultry: hen, goose farm\"\n\n\
    Pages are fetched once, as politely as by a crawl, and kept beside the topic file: \
    learning needs no network and can be repeated.\n\
    Examples alone are enough: the keywords are then learned from them.")]
pub(crate) struct Args {
    /// What to call it: NAME.topic.toml is written, and pages are kept in NAME.topic/
    name: String,
    /// Words, or phrases between commas
    #[arg(long, value_name = "WORDS")]
    words: Option<String>,
    /// Pages about the topic: files of HTML or text, directories of such, URLs
    #[arg(long, value_name = "FILE|URL|DIR", num_args = 1..)]
    examples: Vec<String>,
    /// Pages that are not about the topic; the nearer, the more they teach
    #[arg(long, value_name = "FILE|URL|DIR", num_args = 1..)]
    not_examples: Vec<String>,
    /// A part of the topic, such as "colonies: colony, cliff"; may be given several times
    #[arg(long, value_name = "NAME: WORDS")]
    subtopic: Vec<String>,
    /// A topic near by that is not wanted; may be given several times
    #[arg(long, value_name = "NAME: WORDS")]
    neighbour: Vec<String>,
    /// Write over a topic file that is there; example pages that are there stay
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    requests: RequestFlags,
}

/// Writes the topic.
pub(crate) fn run(
    args: &Args,
    globals: &Globals,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let place = Place::of(&args.name)?;
    place.check(args.force)?;
    let path = config::find(globals.config.as_deref());
    let loaded = config::load(path.as_deref(), args.requests.overrides(matches))?;
    let words = words(args)?;
    if words.is_empty() && args.examples.is_empty() {
        let message = "an empty topic finds nothing; give --words \"seabirds, plunge diving\", \
                       --examples with pages about it, or both";
        return Err(UsageError(message.to_owned()).into());
    }
    let mut gatherer = Gatherer::new(&loaded, globals.data());
    let yes = gatherer.gather(&args.examples, Taught::Relevant)?;
    let no = gatherer.gather(&args.not_examples, Taught::Irrelevant)?;
    refuse_contradictions(&yes, &no)?;

    let mut beginning = Beginning {
        name: crate::table::one_line(&place.name),
        words,
        yes: Vec::new(),
        no: Vec::new(),
        subtopics: relatives(&args.subtopic, "--subtopic")?,
        neighbours: relatives(&args.neighbour, "--neighbour")?,
    };
    let kept = [(&yes, "yes", &mut beginning.yes), (&no, "no", &mut beginning.no)];
    for (gathered, kind, listed) in kept {
        if !gathered.is_empty() {
            listed.push(place.pages_name(kind));
        }
    }
    let text = topic::template(&beginning);
    let mut editor = Editor::new(&text).context("the new topic file cannot be written")?;
    let learned = learn(&beginning, yes.iter().chain(&no))?;
    if !learned.is_empty() {
        editor.set_learned(&learned);
    }
    place.make()?;
    place.keep(&yes, "yes")?;
    place.keep(&no, "no")?;
    editor.write(&place.file).with_context(|| format!("cannot write {}", place.file.display()))?;
    tell(&place, &beginning, learned.len(), [yes.len(), no.len()]);
    Ok(Exit::Done.into())
}

/// The words as phrases of their own.
fn words(args: &Args) -> Result<Vec<String>, UsageError> {
    let Some(text) = &args.words else { return Ok(Vec::new()) };
    split(text).map_err(|error| UsageError(format!("--words: {error}")))
}

fn split(text: &str) -> Result<Vec<String>, gannet_relevance::TopicError> {
    let topic = Topic::from_words(text)?;
    Ok(topic.keywords().iter().map(|keyword| keyword.text.clone()).collect())
}

/// `colonies: colony, cliff`, or a name that is its own word.
fn relatives(given: &[String], flag: &str) -> Result<Vec<BeginningRelative>, UsageError> {
    let mut relatives: Vec<BeginningRelative> = Vec::new();
    for text in given {
        let (name, words) = text.split_once(':').unwrap_or((text, text));
        let words = split(words).map_err(|error| {
            UsageError(format!("{flag} {text:?}: {error}; write \"colonies: colony, cliff\""))
        })?;
        let name = name.trim().to_owned();
        if name.is_empty() || relatives.iter().any(|known| known.name == name) {
            let message = format!("{flag} {text:?}: each needs a name of its own before the colon");
            return Err(UsageError(message));
        }
        relatives.push(BeginningRelative { name, words });
    }
    Ok(relatives)
}

/// The same page cannot be about the topic and not.
fn refuse_contradictions(yes: &[Gathered], no: &[Gathered]) -> Result<(), UsageError> {
    let pages: Vec<&Gathered> = yes.iter().chain(no).collect();
    let lessons: Vec<Lesson<'_>> = pages.iter().map(|page| page.example.lesson()).collect();
    match contradictions(&lessons).first() {
        None => Ok(()),
        Some((first, second)) => Err(UsageError(format!(
            "{} and {} are the same page, once as an example and once as none; leave one out",
            pages[*first].origin, pages[*second].origin
        ))),
    }
}

/// Keywords from the examples, where the user gave no words.
fn learn<'a>(
    beginning: &Beginning,
    pages: impl Iterator<Item = &'a Gathered>,
) -> Result<Vec<WrittenKeyword>, UsageError> {
    if !beginning.words.is_empty() {
        return Ok(Vec::new());
    }
    let examples: Vec<ExamplePage> = pages.map(|page| page.example.clone()).collect();
    let learned = topic::learned_keywords(&examples, KEYWORDS);
    if learned.is_empty() {
        let message = "no keyword can be learned from these examples; give --words as well";
        return Err(UsageError(message.to_owned()));
    }
    Ok(topic::as_written(&learned, &examples))
}

fn tell(place: &Place, beginning: &Beginning, learned: usize, [yes, no]: [usize; 2]) {
    let (file, words) = (place.file.display(), beginning.words.len());
    let keywords = match learned {
        0 => format!("{words} keywords"),
        learned => format!("{learned} keywords, learned from the examples"),
    };
    print::talk(format_args!(
        "Wrote {file}: {keywords}, {yes} example pages, {no} of what is not meant."
    ));
    if yes + no > 0 {
        print::talk(format_args!("  `gannet topic learn {}` shows what they teach.", place.name));
    }
    print::talk(format_args!("  `gannet topic test {} URL` judges a page by it.", place.name));
    print::talk(format_args!("  `gannet crawl --topic-file {file} SEED…` looks for more."));
}

/// Where a topic and its pages are.
struct Place {
    /// As the user wrote it, without the ending.
    name: String,
    file: PathBuf,
    pages: PathBuf,
}

impl Place {
    fn of(name: &str) -> Result<Place, UsageError> {
        let bare = name.strip_suffix(topic::EXTENSION).unwrap_or(name);
        if bare.is_empty() || bare.ends_with(['/', '\\', '.']) {
            let message =
                format!("{name:?} cannot be the name of a topic; write a name such as seabirds");
            return Err(UsageError(message));
        }
        Ok(Place {
            name: bare.to_owned(),
            file: PathBuf::from(format!("{bare}{}", topic::EXTENSION)),
            pages: PathBuf::from(format!("{bare}.topic")),
        })
    }

    /// Refuses what is there already.
    fn check(&self, force: bool) -> Result<(), UsageError> {
        if force {
            return Ok(());
        }
        for path in [&self.file, &self.pages] {
            if path.exists() {
                let path = path.display();
                return Err(UsageError(format!("{path} is there already; --force writes over it")));
            }
        }
        Ok(())
    }

    /// Makes the directory that the file will stand in.
    fn make(&self) -> anyhow::Result<()> {
        let parent = self.file.parent().unwrap_or(Path::new(""));
        std::fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))
    }

    /// The directory of pages as the topic file names it, which stands beside it.
    fn pages_name(&self, kind: &str) -> PathBuf {
        PathBuf::from(self.pages.file_name().unwrap_or_default()).join(kind)
    }

    fn keep(&self, pages: &[Gathered], kind: &str) -> anyhow::Result<()> {
        if pages.is_empty() {
            return Ok(());
        }
        let directory = self.pages.join(kind);
        let failed = |path: &Path| format!("cannot write {}", path.display());
        std::fs::create_dir_all(&directory).with_context(|| failed(&directory))?;
        let mut taken = std::collections::HashSet::new();
        for page in pages {
            let path = directory.join(free_name(&page.name, &mut taken));
            std::fs::write(&path, page.kept.to_bytes()).with_context(|| failed(&path))?;
        }
        Ok(())
    }
}

/// The name, or one with a number when another page has it.
fn free_name(name: &str, taken: &mut std::collections::HashSet<String>) -> String {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "html"));
    let mut free = format!("{stem}.{ending}");
    let mut number = 2;
    while !taken.insert(free.to_lowercase()) {
        free = format!("{stem}-{number}.{ending}");
        number += 1;
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_one_name_are_kept_apart() {
        let mut taken = std::collections::HashSet::new();
        let names = ["a.html", "a.html", "A.html", "b"].map(|name| free_name(name, &mut taken));
        assert_eq!(names, ["a.html", "a-2.html", "A-3.html", "b.html"]);
    }

    #[test]
    fn relatives_have_a_name_and_words() {
        let given = ["colonies: colony, cliff".to_owned(), "gulls".to_owned()];
        let relatives = relatives(&given, "--subtopic").unwrap();
        assert_eq!(relatives[0].words, ["colony", "cliff"]);
        assert_eq!((relatives[1].name.as_str(), relatives[1].words.len()), ("gulls", 1));
    }

    #[test]
    fn relatives_without_name_or_words_are_refused() {
        for given in [": a", "x:", "x: --"] {
            assert!(relatives(&[given.to_owned()], "--subtopic").is_err(), "{given}");
        }
        assert!(relatives(&["x: a".to_owned(), "x: b".to_owned()], "--subtopic").is_err());
    }
}
