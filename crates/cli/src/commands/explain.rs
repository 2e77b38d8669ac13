//! `gannet explain`: everything known of one URL, fetched or not.

mod report;
mod text;

use std::process::ExitCode;
use std::time::SystemTime;

use gannet_engine::{Labels, explain, planned_visit, read_store};
use gannet_model::Timestamp;
use gannet_scope::seeds::read_seed;

use crate::arguments::{Globals, TextOrJson};
use crate::commands::earlier::Earlier;
use crate::config;
use crate::exit::{Exit, UsageError};
use crate::listing::ArchiveFiles;
use crate::print;

pub(crate) use report::ReasonReport;
use report::Report;

/// Arguments of `gannet explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  gannet explain https://example.org/birds/gannets\n\n\
    URLs that were never fetched or never seen are explained, too: what the scope and robots.txt \
    say of them.\n\n\
    JSON fields: url, state, found {how, at, depth, anchor}, chain [{url, how, anchor, \
    depth}], worth, worth_reasons [{part, value, note}], because, scope {accepted, because}, \
    robots {ruling, because}, plan, revisit {due, seen, rate, rate_low, rate_high, importance, fresh, \
    value, price}, label {relevant, at, relative}, model {name, version, made_at, \
    because}, host {name, ready_at, hold, ...}, visits [{number, at, \
    status, wire_bytes, body_bytes, title, judgement {relevant, score, threshold, model, version, reasons}, \
    failure, redirect, archive, ...}].")]
pub(crate) struct Args {
    /// The URL, in any spelling
    url: String,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// Prints everything known of the URL.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let url = read_seed(args.url.trim())
        .map_err(|problem| UsageError(format!("{:?}: {problem}", args.url)))?;
    let path = config::find(globals.config.as_deref());
    let mut loaded = config::load(path.as_deref(), Vec::new())?;
    let data = globals.data();
    let store = read_store(&data)?;
    let earlier = Earlier::of(&data, &store, &loaded.file)?;
    earlier.keep_strategies(&mut loaded);
    let topic = earlier.topic(&loaded)?;
    let engine_config = config::build(&loaded, topic.into(), earlier.seeds)?;
    let journey = config::check(&loaded, &engine_config)?;
    let now = Timestamp::from(SystemTime::now());
    let labels = Labels::read(&data, &journey)?;
    let explanation = explain(&store, &journey, &url, now)?.with_labels(&labels);
    let mut report = Report::new(&explanation, &mut ArchiveFiles::new(&data), now);
    let watch = config::watch(&loaded)?;
    let url = journey.canonical(url);
    report.will_return(planned_visit(&store, &watch, &url, now)?);
    match args.format {
        TextOrJson::Json => print::json(&report)?,
        TextOrJson::Text => text::write(&report, &mut print::stdout())?,
    }
    Ok(Exit::Done.into())
}
