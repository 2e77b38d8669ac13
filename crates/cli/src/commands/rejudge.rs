//! `gannet rejudge`: puts every page that was kept before the model of today, offline.

use std::process::ExitCode;

use anyhow::Context;
use clap::ArgMatches;
use gannet_engine::{RejudgeSummary, Rejudged, What, rejudge};
use gannet_model::{Host, Judgement};
use serde::Serialize;

use crate::arguments::{Globals, TextOrJson};
use crate::commands::earlier::Earlier;
use crate::config;
use crate::exit::{Exit, UsageError};
use crate::flags::{self, TopicFlags, models};
use crate::status_file::hexadecimal;
use crate::table::one_line;
use crate::{kept_examples, print};

/// Arguments of `gannet rejudge`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    gannet rejudge --dry-run\n  \
    gannet rejudge --topic-file seabirds.topic.toml --model topic-vector\n\n\
    Nothing is fetched: pages are read from the archive of the data directory. Topic, model, \
    examples and labels are those that a crawl would use, and become those of the data directory \
    unless it is a dry run. What links are worth stays as it is until their pages are met again.\n\n\
    JSON fields: model, version, dry_run, pages, judged, relevant, gained, lost, without_archive, \
    unreadable, seconds, pages_per_second, changed [{url, title, before {relevant, score, \
    threshold, model, version}, after {…}}].")]
pub(crate) struct Args {
    /// Tell what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Only pages of this host
    #[arg(long, value_name = "HOST")]
    site: Option<String>,
    /// What makes a page relevant
    #[arg(long, value_name = "NAME", env = "GANNET_MODEL", value_parser = models())]
    model: Option<String>,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    topic: TopicFlags,
}

/// What judging again came to. The field names are stable.
#[derive(Debug, Serialize)]
struct Report {
    model: String,
    version: String,
    dry_run: bool,
    /// Pages looked at.
    pages: u64,
    /// Of those: judged again.
    judged: u64,
    /// Of those: relevant now.
    relevant: u64,
    /// Relevant now and not before.
    gained: u64,
    /// Relevant before and not now.
    lost: u64,
    without_archive: u64,
    unreadable: u64,
    seconds: f64,
    pages_per_second: f64,
    changed: Vec<Changed>,
}

#[derive(Debug, Serialize)]
struct Changed {
    url: String,
    title: String,
    before: Brief,
    after: Brief,
}

/// A judgement without its reasons.
#[derive(Debug, Serialize)]
struct Brief {
    relevant: bool,
    score: f32,
    threshold: f32,
    model: String,
    version: String,
}

/// Judges again and lists what turned.
pub(crate) fn run(
    args: &Args,
    globals: &Globals,
    matches: &ArgMatches,
) -> anyhow::Result<ExitCode> {
    let host = args.site.as_deref().map(Host::parse).transpose();
    let host = host.map_err(|error| UsageError(format!("--site: {error}")))?;
    let mut overrides = args.topic.overrides(matches);
    let model = args.model.clone().map(toml::Value::from);
    overrides.extend(flags::overrides([("model", "crawl.model", model)], matches));
    let path = config::find(globals.config.as_deref());
    let mut loaded = config::load(path.as_deref(), overrides)?;
    let data = globals.data();
    let earlier = Earlier::look(&data, &loaded.file)?;
    earlier.keep_strategies(&mut loaded);
    let sought = match &earlier.record {
        Some(_) => earlier.sought(&loaded)?,
        // Says that there is no crawl.
        None => {
            return Err(gannet_engine::read_store(&data).err().map_or_else(
                || anyhow::anyhow!("{} holds no crawl", data.path().display()),
                Into::into,
            ));
        }
    };
    let examples = kept_examples::files(&sought.examples);
    let config = config::build_aside(&loaded, sought, earlier.seeds)?;
    config::check(&loaded, &config)?;
    let what = What { host, dry_run: args.dry_run };
    let mut changed = Vec::new();
    let mut failed = Ok(());
    let summary = rejudge(&data, &config, what, &mut |turned| match args.format {
        TextOrJson::Json => changed.push(Changed::from(turned)),
        TextOrJson::Text if failed.is_ok() => failed = tell_turned(&turned),
        TextOrJson::Text => {}
    })?;
    failed?;
    if !args.dry_run {
        kept_examples::write(&data, &examples).context("cannot keep the example pages")?;
    }
    match args.format {
        TextOrJson::Json => print::json(&Report::new(&summary, args.dry_run, changed))?,
        TextOrJson::Text => tell(&summary, args.dry_run),
    }
    Ok(Exit::Done.into())
}

/// One line for each page whose verdict is another: `+` for what is relevant now.
fn tell_turned(turned: &Rejudged) -> anyhow::Result<()> {
    let sign = if turned.after.is_relevant() { '+' } else { '-' };
    let (before, after) = (turned.before.score.get(), turned.after.score.get());
    let title = one_line(&turned.title);
    print::data(format_args!("{sign} {before:.3} → {after:.3}  {}  {title}", turned.url))
}

fn tell(summary: &RejudgeSummary, is_dry: bool) {
    let RejudgeSummary { model, pages, judged, relevant, gained, lost, .. } = summary;
    let would = if is_dry { "would be" } else { "are" };
    print::talk(format_args!(
        "{judged} of {pages} pages {would} judged by {model} (version {}), {:.0} pages/s: {relevant} \
         relevant, {gained} of them new, {lost} no longer.",
        hexadecimal(summary.version),
        summary.pages_per_second()
    ));
    if summary.without_archive + summary.unreadable > 0 {
        print::warn(format_args!(
            "{} pages were not archived and {} cannot be read back: they stay as they were judged",
            summary.without_archive, summary.unreadable
        ));
    }
    if is_dry {
        print::talk("Nothing was changed: this was a dry run.");
    }
}

impl Report {
    fn new(summary: &RejudgeSummary, dry_run: bool, changed: Vec<Changed>) -> Report {
        Report {
            model: summary.model.clone(),
            version: hexadecimal(summary.version),
            dry_run,
            pages: summary.pages,
            judged: summary.judged,
            relevant: summary.relevant,
            gained: summary.gained,
            lost: summary.lost,
            without_archive: summary.without_archive,
            unreadable: summary.unreadable,
            seconds: summary.elapsed.as_secs_f64(),
            pages_per_second: summary.pages_per_second(),
            changed,
        }
    }
}

impl From<Rejudged> for Changed {
    fn from(turned: Rejudged) -> Changed {
        Changed {
            url: turned.url.to_string(),
            title: turned.title,
            before: (&turned.before).into(),
            after: (&turned.after).into(),
        }
    }
}

impl From<&Judgement> for Brief {
    fn from(judgement: &Judgement) -> Brief {
        Brief {
            relevant: judgement.is_relevant(),
            score: judgement.score.get(),
            threshold: judgement.threshold.get(),
            model: judgement.model.clone(),
            version: hexadecimal(judgement.version),
        }
    }
}
