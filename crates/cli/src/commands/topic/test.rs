//! `gannet topic test`: judges single pages by a topic, and shows why.

mod evidence;
mod jury;
mod pages;
mod text;

use std::process::ExitCode;

use clap::ArgMatches;
use gannet_engine::{Chosen, DataDir, todays_model};
use gannet_relevance::MODELS;
use gannet_store::Embedded;
use serde::Serialize;

use crate::arguments::{Globals, TextOrJson};
use crate::commands::earlier::Earlier;
use crate::config::{self, Loaded, suggest_help};
use crate::exit::{Exit, UsageError};
use crate::flags::{RequestFlags, TopicFlags};
use crate::print;
use crate::topic::{self, Described};
use jury::{Jury, Verdict};
use pages::{Pages, TestedPage};

/// Arguments of `gannet topic test`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    gannet topic test seabirds https://example.org/gannets\n  \
    gannet topic test page.html --topic \"seabirds, plunge diving\"\n  \
    gannet topic test seabirds pages/*.html --models all --format json\n\n\
    The first argument is the topic if it names a topic file; else the topic is that of --topic, \
    --topic-file, the config file or the data directory. A URL is read from the archive of the \
    data directory if it is there, else fetched as politely as by a crawl.\n\n\
    JSON fields: page, url, source, title, language, models [{model, version, relevant, score, \
    threshold, reasons [{part, value, note}], blocks [{heading, level, score}], evidence [{field, \
    block, text, marks [{start, end, name, value}]}]}].")]
pub(crate) struct Args {
    /// The topic, if it is a topic file, and the pages: files of HTML or text, or URLs
    #[arg(value_name = "[TOPIC] URL|FILE", required = true)]
    what: Vec<String>,
    /// Judge by these models, between commas, or by `all`; without it by the crawl's
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    models: Vec<String>,
    /// Fetch URLs although the archive has them
    #[arg(long)]
    fresh: bool,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    topic: TopicFlags,
    #[command(flatten)]
    requests: RequestFlags,
}

/// A page and what models say of it. The field names are stable.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// As the user named it.
    page: String,
    url: Option<String>,
    /// `file`, `archive` or `web`.
    source: &'static str,
    title: String,
    language: &'static str,
    models: Vec<Verdict>,
}

/// Judges and shows.
pub(crate) fn run(
    args: &Args,
    globals: &Globals,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let mut overrides = args.topic.overrides(matches);
    overrides.extend(args.requests.overrides(matches));
    let path = config::find(globals.config.as_deref());
    let loaded = config::load(path.as_deref(), overrides)?;
    let (named, given) = split(&args.what);
    if given.is_empty() {
        let message = "name a page to judge by the topic: a file of HTML or text, or a URL";
        return Err(UsageError(message.to_owned()).into());
    }
    let data = globals.data();
    let mut pages = Pages::new(&loaded, data.clone(), args.fresh);
    // A topic that is named here need not be that of the crawl, whose labels would mislead.
    let is_of_crawl = named.is_none() && !args.topic.is_given();
    let store = if is_of_crawl { pages.store()? } else { None };
    let jury = jury(args, named, &loaded, &data, store)?;
    let mut reports = Vec::new();
    for name in given {
        let page = pages.read(name)?;
        let report = report(&page, &jury);
        match args.format {
            TextOrJson::Json => reports.push(report),
            TextOrJson::Text => text::write(&report, &mut print::stdout())?,
        }
    }
    if args.format == TextOrJson::Json {
        print::json(&reports)?;
    }
    Ok(Exit::Done.into())
}

/// The first argument is a topic when it names a file that can only be one.
fn split(what: &[String]) -> (Option<&str>, &[String]) {
    let is_topic = |name: &String| {
        let path = topic::path_of(name);
        !name.contains("://")
            && path.extension().is_some_and(|ending| ending == "toml")
            && path.is_file()
    };
    match what {
        [first, rest @ ..] if is_topic(first) => (Some(first), rest),
        all => (None, all),
    }
}

/// The models, for the topic named, else the configuration's, else that of the data directory.
///
/// A topic that is named is judged by what it says alone. Otherwise the crawl's own model is the
/// one that a run in the data directory would begin with now, labels and all.
fn jury(
    args: &Args,
    named: Option<&str>,
    loaded: &Loaded,
    data: &DataDir,
    store: Option<&Embedded>,
) -> anyhow::Result<Jury> {
    if let Some(name) = named {
        let described = Described::read(&topic::path_of(name))?;
        let sought = described.sought(&config::content_limits(&loaded.file))?;
        return Ok(Jury::new(&models(args, &loaded.file.crawl.model)?, &sought, loaded, None)?);
    }
    let earlier = match store {
        Some(store) => Earlier::of(data, store, &loaded.file)?,
        None => Earlier::nothing(data),
    };
    let model = earlier.model(loaded);
    let sought = earlier.sought(loaded)?;
    let entries = models(args, &model)?;
    let Some(store) = store else { return Ok(Jury::new(&entries, &sought, loaded, None)?) };
    let mut config = config::build_aside(loaded, sought.clone(), earlier.seeds)?;
    config.model =
        Chosen { settings: config::settings(&model, &loaded.file.relevance), name: model };
    let own = todays_model(data, store, &config)?;
    Ok(Jury::new(&entries, &sought, loaded, Some((&config.model.name, own)))?)
}

/// The models to judge by: those asked for, else the crawl's.
fn models(args: &Args, crawls: &str) -> Result<Vec<&'static gannet_relevance::Entry>, UsageError> {
    if args.models.iter().any(|name| name == "all") {
        return Ok(MODELS.iter().collect());
    }
    let crawls = [crawls.to_owned()];
    let names: &[String] = if args.models.is_empty() { &crawls } else { &args.models };
    let known: Vec<&str> = MODELS.iter().map(|entry| entry.name).collect();
    let find = |name: &String| {
        MODELS.iter().find(|entry| entry.name == name).ok_or_else(|| {
            let help = suggest_help(name, &known);
            UsageError(format!("--models: no relevance model is called {name:?}; {help}"))
        })
    };
    names.iter().map(find).collect()
}

fn report(page: &TestedPage, jury: &Jury) -> Report {
    Report {
        page: page.name.clone(),
        url: page.url.as_ref().map(ToString::to_string),
        source: page.source,
        title: page.document.title.clone(),
        language: gannet_relevance::language_name(&page.document),
        models: jury.judge(page),
    }
}
