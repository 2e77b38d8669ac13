//! `gannet topic synonyms`: other words for keywords from WordNet, accepted by the user (S2.2).
//!
//! WordNet is asked here and nowhere else: what a crawl looks for never
//! changes behind the user's back.

mod database;

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use gannet_relevance::{PartOfSpeech, Relation, Suggestion, Topic, WordNet};
use serde::Serialize;

use super::chosen::{described, examples_of};
use crate::arguments::{Globals, TextOrJson};
use crate::config::{self, ConfigError, Mistake};
use crate::exit::Exit;
use crate::print;
use crate::table::{Table, one_line};
use crate::topic::{self, Editor};

/// Arguments of `gannet topic synonyms`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    gannet topic synonyms seabirds               asks for each suggestion\n  \
    gannet topic synonyms seabirds --yes         accepts all\n  \
    gannet topic synonyms seabirds < /dev/null   only shows them\n\n\
    WordNet is looked for in --wordnet, $GANNET_WORDNET, $WNSEARCHDIR, $WNHOME/dict, \
    /usr/share/wordnet and /usr/local/share/wordnet. `apt-get install wordnet-base` installs it \
    on Debian; elsewhere the files are at https://wordnet.princeton.edu/download.\n\n\
    JSON fields: keyword, word, relation, part_of_speech, gloss, accepted.")]
pub(crate) struct Args {
    /// The topic's name or file; without it the one that the config file names
    #[arg(value_name = "NAME|FILE")]
    topic: Option<String>,
    /// Accept every suggestion
    #[arg(long)]
    yes: bool,
    /// The directory that holds data.noun and its sisters
    #[arg(long, value_name = "DIR")]
    wordnet: Option<PathBuf>,
    /// At most this many suggestions per keyword
    #[arg(long, value_name = "N", default_value_t = 5)]
    most: usize,
    /// Also suggest words for kinds of it: for `seabird`, `gannet`
    #[arg(long)]
    narrower: bool,
    /// Also for keywords that were learned; without it for the words that you wrote
    #[arg(long)]
    learned: bool,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// A suggestion and what became of it. The field names are stable.
#[derive(Debug, Serialize)]
struct Row {
    keyword: String,
    word: String,
    /// `synonym`, `narrower` or `wider`.
    relation: &'static str,
    part_of_speech: &'static str,
    /// What it means there.
    gloss: String,
    accepted: bool,
}

/// Suggests, asks and writes.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let path = config::find(globals.config.as_deref());
    let loaded = config::load(path.as_deref(), Vec::new())?;
    let described = described(args.topic.as_deref(), &loaded)?;
    let (Some(file), Some(text)) = (described.path(), described.text()) else {
        let help = "`gannet topic new` writes one; name it here or as `topic.file`";
        let mistake = Mistake::new("synonyms are written into a topic file, and there is none");
        return Err(ConfigError::from(mistake.help(help)).into());
    };
    let whole = described.topic(&examples_of(&described, &loaded)?)?;
    let own = if args.learned { None } else { described.own_topic() };
    let topic = own.unwrap_or(whole);
    let wordnet = database::open(args.wordnet.as_deref())?;
    let mut rows = suggestions(&topic, &wordnet, args);
    let is_asked = !args.yes && io::stdin().is_terminal();
    if args.yes {
        rows.iter_mut().for_each(|row| row.accepted = true);
    } else if is_asked {
        ask(&mut rows, &mut io::stdin().lock(), &mut anstream::AutoStream::auto(io::stderr()))?;
    }
    let accepted = rows.iter().filter(|row| row.accepted).count();
    if accepted > 0 {
        let mut editor = Editor::new(text).context("the topic file cannot be changed")?;
        for row in rows.iter().filter(|row| row.accepted) {
            editor.add_synonyms(&row.keyword, std::slice::from_ref(&row.word));
        }
        editor.write(file).with_context(|| format!("cannot write {}", file.display()))?;
    }
    match args.format {
        TextOrJson::Json => print::json(&rows)?,
        TextOrJson::Text if is_asked => {}
        TextOrJson::Text => list(&rows)?,
    }
    let file = file.display();
    print::talk(match (rows.len(), accepted) {
        (0, _) => "WordNet knows no other words for these keywords.".to_owned(),
        (_, 0) if is_asked => format!("{file} is as it was."),
        (_, 0) => format!("{file} is as it was: --yes accepts these, a terminal asks for each."),
        (_, count) => format!("Wrote {count} synonyms into [synonyms] of {file}."),
    });
    Ok(Exit::Done.into())
}

/// What WordNet suggests and the topic does not have.
fn suggestions(topic: &Topic, wordnet: &WordNet, args: &Args) -> Vec<Row> {
    let relations: &[Relation] = match args.narrower {
        true => &[Relation::Synonym, Relation::Hyponym],
        false => &[Relation::Synonym],
    };
    let mut known: Vec<String> = topic
        .keywords()
        .iter()
        .flat_map(|keyword| std::iter::once(&keyword.text).chain(&keyword.synonyms))
        .cloned()
        .collect();
    let mut rows = Vec::new();
    for keyword in topic.keywords() {
        for suggestion in wordnet.suggestions(&keyword.text, relations, args.most) {
            let normal = topic::normal(&suggestion.word).unwrap_or_default();
            if normal.is_empty() || known.contains(&normal) {
                continue;
            }
            known.push(normal);
            rows.push(Row::new(&keyword.text, suggestion));
        }
    }
    rows
}

impl Row {
    fn new(keyword: &str, suggestion: Suggestion) -> Row {
        Row {
            keyword: keyword.to_owned(),
            relation: match suggestion.relation {
                Relation::Synonym => "synonym",
                Relation::Hyponym => "narrower",
                Relation::Hypernym => "wider",
            },
            part_of_speech: match suggestion.part_of_speech {
                PartOfSpeech::Noun => "noun",
                PartOfSpeech::Verb => "verb",
                PartOfSpeech::Adjective => "adjective",
                PartOfSpeech::Adverb => "adverb",
            },
            word: suggestion.word,
            gloss: suggestion.gloss,
            accepted: false,
        }
    }
}

/// Asks for each suggestion: yes, no, all from here, or no more.
fn ask(rows: &mut [Row], answers: &mut dyn BufRead, talk: &mut dyn Write) -> io::Result<()> {
    let mut all = false;
    for row in rows {
        if all {
            row.accepted = true;
            continue;
        }
        let gloss = one_line(&row.gloss);
        writeln!(talk, "{}: {} ({}; {gloss})", row.keyword, row.word, row.part_of_speech)?;
        loop {
            write!(talk, "  another word for it? [y]es, [N]o, [a]ll, [q]uit: ")?;
            talk.flush()?;
            let mut line = String::new();
            if answers.read_line(&mut line)? == 0 {
                return Ok(());
            }
            match line.trim().to_lowercase().as_str() {
                "y" | "yes" => row.accepted = true,
                "n" | "no" | "" => {}
                "a" | "all" => (row.accepted, all) = (true, true),
                "q" | "quit" => return Ok(()),
                _ => continue,
            }
            break;
        }
    }
    Ok(())
}

fn list(rows: &[Row]) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut table = Table::new(&["keyword", "word", "what it is", "meaning"]);
    for row in rows {
        let kind = format!("{} ({})", row.relation, row.part_of_speech);
        table.row([row.keyword.clone(), row.word.clone(), kind, row.gloss.clone()]);
    }
    table.print()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(answers: &str, expected: [bool; 3]) {
        let row = |word: &str| Row {
            keyword: "gannet".to_owned(),
            word: word.to_owned(),
            relation: "synonym",
            part_of_speech: "noun",
            gloss: String::new(),
            accepted: false,
        };
        let mut rows = ["a", "b", "c"].map(row);
        let mut talk = Vec::new();
        ask(&mut rows, &mut answers.as_bytes(), &mut talk).unwrap();
        assert!(String::from_utf8(talk).unwrap().starts_with("gannet: a (noun; )"));
        assert_eq!(rows.map(|row| row.accepted), expected, "{answers:?}");
    }

    #[test]
    fn each_suggestion_is_asked_for() {
        check("y\nn\nyes\n", [true, false, true]);
        check("n\na\n", [false, true, true]);
        check("y\nq\ny\n", [true, false, false]);
        check("\nwhat?\nY\n", [false, true, false]);
        check("", [false, false, false]);
    }
}
