//! `gannet seeds`: URLs to start from, out of search services, sitemaps, feeds and link lists (S5.8).

mod documents;
mod found;
mod search;

use std::process::ExitCode;

use clap::ArgMatches;
use gannet_scope::Canonical;
use gannet_scope::seeds::read_seed;
use regex::Regex;

use crate::arguments::{Globals, TextOrJson};
use crate::asking::{Asker, warn_without_contact};
use crate::commands::earlier::Earlier;
use crate::config::{self, Loaded};
use crate::exit::{Exit, UsageError};
use crate::flags::{RequestFlags, TopicFlags};
use crate::print;
use documents::Documents;
use found::Finds;

/// Arguments of `gannet seeds`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    gannet seeds --search https://searx.example.org \"seabirds plunge diving\" | gannet crawl --seeds -\n  \
    gannet seeds --site example.org --match /birds/ > seeds.txt\n  \
    gannet seeds --feed https://example.org/atom.xml --links links.html --format json\n\n\
    Several sources may be given at once. Every request is guarded and limited as those of a \
    crawl, and waits for its host as they do. robots.txt is obeyed, but for the search service: \
    that is an interface for programs which you name, and you answer for using it.\n\n\
    JSON fields: url, title, score, lastmod, source.")]
pub(crate) struct Args {
    /// What to search for; without it the words of the topic
    #[arg(value_name = "WORDS", requires = "search")]
    words: Option<String>,
    /// A search service that answers in SearXNG's JSON format
    #[arg(long, value_name = "ENDPOINT")]
    search: Option<String>,
    /// At most this many URLs from the search service, fewer than 500
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u16).range(1..=499))]
    top: u16,
    /// Ask the search service for at most this many pages of results
    #[arg(long, value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u16).range(1..=100))]
    pages: u16,
    /// A site whose sitemaps to read: those that its robots.txt names, else /sitemap.xml
    #[arg(long, value_name = "URL|HOST")]
    site: Vec<String>,
    /// A sitemap, or an index of sitemaps
    #[arg(long, value_name = "URL|FILE")]
    sitemap: Vec<String>,
    /// A feed: RSS, Atom or JSON Feed
    #[arg(long, value_name = "URL|FILE")]
    feed: Vec<String>,
    /// A list of links: a page, or a text with one URL per line
    #[arg(long, value_name = "URL|FILE")]
    links: Vec<String>,
    /// Only URLs in which this regular expression is found; of several, any
    #[arg(long = "match", value_name = "REGEX")]
    patterns: Vec<Regex>,
    /// At most this many URLs in all
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    limit: usize,
    /// How they are written: one URL per line, or with everything known of them
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    topic: TopicFlags,
    #[command(flatten)]
    requests: RequestFlags,
}

/// Gathers and prints.
pub(crate) fn run(
    args: &Args,
    globals: &Globals,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let lists = [&args.site, &args.sitemap, &args.feed, &args.links];
    if args.search.is_none() && lists.iter().all(|list| list.is_empty()) {
        let message =
            "name a source: --search ENDPOINT \"words\", --site, --sitemap, --feed or --links";
        return Err(UsageError(message.to_owned()).into());
    }
    let mut overrides = args.topic.overrides(matches);
    overrides.extend(args.requests.overrides(matches));
    let path = config::find(globals.config.as_deref());
    let loaded = config::load(path.as_deref(), overrides)?;
    let canonical =
        Canonical::new(&loaded.file.canonical).map_err(|error| UsageError(error.to_string()))?;
    let mut finds = Finds::new(canonical, args.patterns.clone(), args.limit);
    let mut asker = Asker::new(&loaded, &globals.data())?;
    warn_without_contact(&loaded);
    gather(args, &loaded, globals, &mut asker, &mut finds)?;
    if finds.is_cut() {
        print::warn(format_args!("there are more than {} URLs; --limit raises that", args.limit));
    }
    if finds.found().is_empty() {
        anyhow::bail!("no seed was found{}", finds.refused_in_words());
    }
    print::talk(format_args!("{} URLs{}.", finds.found().len(), finds.refused_in_words()));
    match args.format {
        TextOrJson::Json => print::json(&finds.found())?,
        TextOrJson::Text => {
            for found in finds.found() {
                print::data(&found.url)?;
            }
        }
    }
    Ok(Exit::Done.into())
}

fn gather(
    args: &Args,
    loaded: &Loaded,
    globals: &Globals,
    asker: &mut Asker,
    finds: &mut Finds,
) -> anyhow::Result<()> {
    if let Some(endpoint) = &args.search {
        let words = match &args.words {
            Some(words) => words.clone(),
            None => topic_words(loaded, globals)?,
        };
        let endpoint = read_seed(endpoint)
            .map_err(|error| UsageError(format!("--search {endpoint:?}: {error}")))?;
        let wanted = search::Wanted { words, top: usize::from(args.top), pages: args.pages };
        search::search(&endpoint, &wanted, asker, finds)?;
    }
    let mut documents = Documents::new(loaded, asker, finds);
    for site in &args.site {
        documents.site(site)?;
    }
    for sitemap in &args.sitemap {
        documents.sitemap(sitemap)?;
    }
    for feed in &args.feed {
        documents.feed(feed)?;
    }
    for list in &args.links {
        documents.links(list)?;
    }
    Ok(())
}

/// Keywords of the topic that a search service can do with: too many and it finds nothing.
const MOST_WORDS: usize = 8;

/// The heaviest keywords of the topic, phrases in quotes.
fn topic_words(loaded: &Loaded, globals: &Globals) -> anyhow::Result<String> {
    let topic = Earlier::look(&globals.data(), &loaded.file)?.topic(loaded)?;
    let mut keywords: Vec<_> = topic.keywords().iter().collect();
    keywords.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let words = keywords.into_iter().take(MOST_WORDS).map(|keyword| {
        let text = &keyword.text;
        if text.contains(' ') { format!("\"{text}\"") } else { text.clone() }
    });
    Ok(words.collect::<Vec<_>>().join(" "))
}
