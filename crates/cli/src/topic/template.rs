//! The topic file that `gannet topic new` writes: what was given, and what could be.

use std::fmt::Write;
use std::path::PathBuf;

/// What a new topic begins with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beginning {
    pub(crate) name: String,
    /// Words and phrases.
    pub(crate) words: Vec<String>,
    /// Examples, relative to the file.
    pub(crate) yes: Vec<PathBuf>,
    pub(crate) no: Vec<PathBuf>,
    pub(crate) subtopics: Vec<BeginningRelative>,
    pub(crate) neighbours: Vec<BeginningRelative>,
}

/// A part or a neighbour of a new topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BeginningRelative {
    pub(crate) name: String,
    pub(crate) words: Vec<String>,
}

/// The whole text.
pub(crate) fn template(beginning: &Beginning) -> String {
    let name = &beginning.name;
    let words = list(beginning.words.iter().map(String::as_str));
    let mut text = format!(
        "# The topic {name}: what `gannet crawl --topic-file {name}{}` looks for.\n\
         # Everything that can stand here is explained in docs/guides/topics.md.\n\
         version = 1\n\n\
         # Words and phrases. For weights write {{ seabirds = 2, \"plunge diving\" = 1 }}.\n\
         words = {words}\n\n\
         # What the threshold aims at: \"balance\", {{ precision = 0.9 }}, {{ recall = 0.9 }} or {{ score = 0.6 }}.\n\
         aim = \"balance\"\n",
        super::EXTENSION
    );
    text.push_str("\n# Other words for a keyword; `gannet topic synonyms` suggests some.\n");
    text.push_str("[synonyms]\n# gannet = [\"solan goose\"]\n");
    text.push_str("\n# Pages about the topic and pages that are not: files of HTML or text, or directories.\n[examples]\n");
    push_paths(&mut text, "yes", &beginning.yes);
    push_paths(&mut text, "no", &beginning.no);
    text.push_str("\n# Keywords that are regular expressions.\n# [[pattern]]\n# regex = 'gannet(s|ry|ries)?'\n# weight = 1\n");
    text.push_str("\n# Words in a prescribed order, at most so many words apart.\n# [[word_order]]\n# first = \"gannet\"\n# then = \"dive\"\n# within = 5\n");
    text.push_str("\n# Parts of the topic: their pages are wanted.\n");
    let example = ("colonies", ["colony", "cliff"]);
    push_relatives(&mut text, "subtopic", example, &beginning.subtopics);
    text.push_str("\n# Topics near by: their pages are not wanted.\n");
    let example = ("poultry", ["hen", "goose farm"]);
    push_relatives(&mut text, "neighbour", example, &beginning.neighbours);
    text
}

fn push_paths(text: &mut String, key: &str, paths: &[PathBuf]) {
    let listed = list(paths.iter().map(|path| path.to_str().unwrap_or_default()));
    let _ = writeln!(text, "{key} = {listed}");
}

/// The relatives given, or an example of one in a comment.
fn push_relatives(
    text: &mut String,
    key: &str,
    (name, words): (&str, [&str; 2]),
    relatives: &[BeginningRelative],
) {
    if relatives.is_empty() {
        let (name, words) = (quoted(name), list(words.into_iter()));
        let _ = write!(text, "# [[{key}]]\n# name = {name}\n# words = {words}\n# examples = []\n");
    }
    for (index, relative) in relatives.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        let (name, words) =
            (quoted(&relative.name), list(relative.words.iter().map(String::as_str)));
        let _ = write!(text, "{gap}[[{key}]]\nname = {name}\nwords = {words}\n");
    }
}

fn list<'a>(items: impl Iterator<Item = &'a str>) -> String {
    let items: Vec<String> = items.map(quoted).collect();
    format!("[{}]", items.join(", "))
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
