//! `gannet label`: a person's word on pages, for the model to learn from.
//!
//! Labels are lines of a file in the data directory: they can be given while
//! a crawl runs, which has the store locked, and when none does.

use std::process::ExitCode;
use std::time::SystemTime;

use clap::{Subcommand, ValueEnum};
use gannet_engine::{DataDir, Journey, Label, Labels, Question, labels, questions, read_store};
use gannet_model::{PageUrl, Timestamp};
use gannet_relevance::Topic;
use gannet_scope::seeds::read_seed;
use gannet_store::{Store, StoreError};
use serde::Serialize;

use crate::arguments::{Globals, TextOrJson};
use crate::commands::earlier::Earlier;
use crate::config::{self, Loaded, suggest_help};
use crate::exit::{Exit, UsageError};
use crate::table::Table;
use crate::{print, status_file};

/// Arguments of `gannet label`.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  \
        gannet label next\n  \
        gannet label https://example.org/gannets yes\n  \
        gannet label https://example.org/geese no --relative poultry\n\n\
        A running crawl takes a label in within a second, and learns from it if the page was \
        fetched; else the next run does. `gannet rejudge` judges what was fetched before anew."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    question: Option<Errand>,
    /// The page, in any spelling
    #[arg(value_name = "URL", required = true)]
    url: Option<String>,
    /// Whether it is about the topic
    #[arg(value_name = "yes|no", value_enum, required = true, hide_possible_values = true)]
    answer: Option<Answer>,
    /// The part or neighbour of the topic that it is about
    #[arg(long, value_name = "NAME")]
    relative: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Errand {
    /// Show the pages whose labels would teach most
    #[command(after_help = "JSON fields: url, title, score, threshold, why.")]
    Next {
        /// How many
        #[arg(long, value_name = "N", default_value_t = 10)]
        count: usize,
        /// How they are written
        #[arg(long, value_enum, default_value = "text")]
        format: TextOrJson,
    },
    /// List the labels given so far
    #[command(after_help = "JSON fields: url, relevant, at, relative.")]
    List {
        /// How they are written
        #[arg(long, value_enum, default_value = "text")]
        format: TextOrJson,
    },
}

/// Whether a page is about the topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Answer {
    /// It is
    #[value(alias = "y")]
    Yes,
    /// It is not
    #[value(alias = "n")]
    No,
}

/// A label. The field names are stable.
#[derive(Debug, Serialize)]
struct Row {
    url: String,
    relevant: bool,
    /// When it was given, in RFC 3339.
    at: String,
    relative: Option<String>,
}

/// Notes a label, or shows labels and questions.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let path = config::find(globals.config.as_deref());
    let loaded = config::load(path.as_deref(), Vec::new())?;
    let data = globals.data();
    match (&args.question, &args.url, args.answer) {
        (Some(Errand::Next { count, format }), ..) => next(&data, &loaded, *count, *format)?,
        (Some(Errand::List { format }), ..) => list(&data, &loaded, *format)?,
        (None, Some(url), Some(answer)) => {
            let url = read_seed(url.trim())
                .map_err(|problem| UsageError(format!("{url:?}: {problem}")))?;
            note(&data, &loaded, url, answer, args.relative.clone())?;
        }
        (None, ..) => return Err(UsageError("name a URL, and yes or no".to_owned()).into()),
    }
    Ok(Exit::Done.into())
}

/// Notes what the user says of a page.
fn note(
    data: &DataDir,
    loaded: &Loaded,
    url: PageUrl,
    answer: Answer,
    relative: Option<String>,
) -> anyhow::Result<()> {
    let is_running = status_file::running(data).is_some();
    let state = if is_running { State::Unknown } else { State::of(data, loaded, &url)? };
    if let (Some(name), Some(topic)) = (&relative, &topic(data, loaded, is_running)) {
        check_relative(name, topic)?;
    }
    let label = Label {
        url: url.clone(),
        relevant: answer == Answer::Yes,
        at: Timestamp::from(SystemTime::now()),
        relative,
    };
    labels::append(data, &label)?;
    if state == State::NeverSeen {
        print::warn(format_args!(
            "the crawl never came across {url}; the label teaches once it has fetched that page"
        ));
    }
    print::talk(match (is_running, state) {
        (true, _) => "Noted; the running crawl takes it in within a second.",
        (false, State::Fetched) => "Noted; the next run takes it in, and `gannet rejudge` at once.",
        (false, _) => "Noted; the next run takes it in.",
    });
    Ok(())
}

/// What the store knows of a page that is labelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nobody can look while a crawl runs.
    Unknown,
    NeverSeen,
    Seen,
    Fetched,
}

impl State {
    fn of(data: &DataDir, loaded: &Loaded, url: &PageUrl) -> anyhow::Result<State> {
        let store = match read_store(data) {
            Ok(store) => store,
            Err(StoreError::InUse { .. }) => return Ok(State::Unknown),
            Err(error) => return Err(error.into()),
        };
        let page = journey(loaded)?.canonical(url.clone()).fingerprint();
        Ok(match store.url(page)? {
            None => State::NeverSeen,
            Some(record) if record.last_visit.is_none() => State::Seen,
            Some(_) => State::Fetched,
        })
    }
}

/// The topic, as far as it can be known: a running crawl keeps its own to itself.
fn topic(data: &DataDir, loaded: &Loaded, is_running: bool) -> Option<Topic> {
    let earlier = match is_running {
        true => Earlier::nothing(data),
        false => Earlier::look(data, &loaded.file).ok()?,
    };
    earlier.topic(loaded).ok()
}

fn check_relative(name: &str, topic: &Topic) -> Result<(), UsageError> {
    let known: Vec<&str> =
        topic.relatives().iter().map(|relative| relative.name.as_str()).collect();
    if known.contains(&name) {
        return Ok(());
    }
    let help = match known.is_empty() {
        true => "the topic has none; a topic file can name some".to_owned(),
        false => suggest_help(name, &known),
    };
    Err(UsageError(format!("--relative: the topic has no relative called {name:?}; {help}")))
}

fn next(data: &DataDir, loaded: &Loaded, count: usize, format: TextOrJson) -> anyhow::Result<()> {
    let journey = journey(loaded)?;
    let labels = Labels::read(data, &journey)?;
    let is_open = |question: &Question| {
        labels.get(journey.canonical(question.url.clone()).fingerprint()).is_none()
    };
    let mut open = match status_file::running(data) {
        Some(_) => status_file::questions(data).unwrap_or_default(),
        None => questions(&read_store(data)?, &labels, count)?,
    };
    open.retain(is_open);
    open.truncate(count);
    if format == TextOrJson::Json {
        return print::json(&open);
    }
    if open.is_empty() {
        print::talk("There is nothing to ask: no page was judged yet, or all were labelled.");
        return Ok(());
    }
    let mut table = Table::new(&["score", "threshold", "title", "url"]);
    for question in open {
        let (score, threshold) = (question.score.get(), question.threshold.get());
        let shares = [score, threshold].map(|share| format!("{share:.3}"));
        table.row(shares.into_iter().chain([question.title, question.url.to_string()]));
    }
    table.print()?;
    print::talk(
        "`gannet label URL yes` or `no` teaches the model; `gannet explain URL` tells more.",
    );
    Ok(())
}

fn list(data: &DataDir, loaded: &Loaded, format: TextOrJson) -> anyhow::Result<()> {
    let labels = Labels::read(data, &journey(loaded)?)?;
    for problem in labels.problems() {
        let path = data.labels();
        print::warn(format_args!("{}:{}: {}", path.display(), problem.line, problem.what));
    }
    let rows: Vec<Row> = labels.iter().map(Row::from).collect();
    if format == TextOrJson::Json {
        return print::json(&rows);
    }
    if rows.is_empty() {
        print::talk("No page was labelled yet; `gannet label next` shows which to begin with.");
        return Ok(());
    }
    let mut table = Table::new(&["label", "at", "relative", "url"]);
    for row in rows {
        let answer = if row.relevant { "yes" } else { "no" }.to_owned();
        table.row([answer, row.at, row.relative.unwrap_or_default(), row.url]);
    }
    Ok(table.print()?)
}

impl From<&Label> for Row {
    fn from(label: &Label) -> Row {
        Row {
            url: label.url.to_string(),
            relevant: label.relevant,
            at: label.at.to_string(),
            relative: label.relative.clone(),
        }
    }
}

/// A journey for its canonical form alone; neither topic nor seeds matter to that.
fn journey(loaded: &Loaded) -> anyhow::Result<Journey> {
    let topic = Topic::from_words("anything")?;
    let config = config::build_aside(loaded, topic.into(), Vec::new())?;
    Ok(config::check(loaded, &config)?)
}
