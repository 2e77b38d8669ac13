//! `gannet detect`: what every change detector says of two files.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use gannet_change::{DEFAULT_DETECTOR, DETECTORS};
use gannet_content::Limits;
use gannet_engine::ReadVersion;
use gannet_model::PageUrl;
use serde::Serialize;

use crate::arguments::TextOrJson;
use crate::exit::Exit;
use crate::print;
use crate::table::Table;

/// Arguments of `gannet detect`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  gannet detect yesterday.html today.html\n\n\
    JSON fields: default, detectors [{detector, changed, because}].")]
pub(crate) struct Args {
    /// The older version, an HTML file
    old: PathBuf,
    /// The newer version
    new: PathBuf,
    /// Where the page lies, for its links
    #[arg(long, value_name = "URL", default_value = "http://page.invalid/")]
    url: String,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

#[derive(Debug, Serialize)]
struct Report {
    default: &'static str,
    detectors: Vec<Row>,
}

#[derive(Debug, Serialize)]
struct Row {
    detector: &'static str,
    changed: bool,
    because: String,
}

/// Prints what each detector says.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let url = PageUrl::parse(&args.url).with_context(|| format!("--url {:?}", args.url))?;
    let (old, new) = (read(&args.old, &url)?, read(&args.new, &url)?);
    let detectors = DETECTORS
        .iter()
        .map(|entry| {
            let verdict = (entry.build)().compare(&old.version(), &new.version());
            Row { detector: entry.name, changed: verdict.is_change, because: verdict.because }
        })
        .collect();
    let report = Report { default: DEFAULT_DETECTOR, detectors };
    if args.format == TextOrJson::Json {
        print::json(&report)?;
        return Ok(Exit::Done.into());
    }
    let mut table = Table::new(&["detector", "says", "because"]);
    for row in report.detectors {
        let mark = if row.detector == DEFAULT_DETECTOR { " (default)" } else { "" };
        let says = if row.changed { "changed" } else { "same" };
        table.row([format!("{}{mark}", row.detector), says.to_owned(), row.because]);
    }
    table.print()?;
    Ok(Exit::Done.into())
}

fn read(path: &Path, url: &PageUrl) -> anyhow::Result<ReadVersion> {
    let body = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(ReadVersion::of_html(url, body.into(), &Limits::default()))
}
