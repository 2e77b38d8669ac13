//! `gannet topic versions`: the models that judged the crawl, with why and when each was made.

use std::process::ExitCode;

use gannet_engine::read_store;
use gannet_store::{ModelRecord, Store};
use serde::Serialize;

use crate::arguments::{Globals, TextOrJson};
use crate::exit::Exit;
use crate::print;
use crate::status_file::hexadecimal;
use crate::table::Table;

/// Arguments of `gannet topic versions`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A page remembers the version that judged it: `gannet explain` shows it, and \
    `gannet rejudge` judges anew by the newest.\n\n\
    JSON fields: model, version, made_at, because, threshold, relevant, irrelevant, relatives, pages."
)]
pub(crate) struct Args {
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// One version. The field names are stable.
#[derive(Debug, Serialize)]
struct Row {
    model: String,
    /// In hexadecimal: JSON's numbers are too small for it.
    version: String,
    /// When it began to judge, in RFC 3339.
    made_at: String,
    /// What made it, in words.
    because: String,
    threshold: f32,
    /// Pages that taught it, by what people said of them.
    relevant: u64,
    irrelevant: u64,
    relatives: u64,
    /// Pages of the crawl that taught it, of which nobody said anything.
    pages: u64,
}

/// Prints the list, newest first.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let store = read_store(&globals.data())?;
    let mut records = Vec::new();
    store.each_model(&mut |record| records.push(record))?;
    records.sort_by_key(|record| std::cmp::Reverse((record.made, record.version)));
    let rows: Vec<Row> = records.into_iter().map(Row::from).collect();
    if args.format == TextOrJson::Json {
        print::json(&rows)?;
        return Ok(Exit::Done.into());
    }
    let mut table =
        Table::new(&["made at", "model", "version", "threshold", "taught by", "because"]);
    for row in rows {
        let taught = format!("{} yes, {} no, {} pages", row.relevant, row.irrelevant, row.pages);
        let threshold = format!("{:.4}", row.threshold);
        table.row([row.made_at, row.model, row.version, threshold, taught, row.because]);
    }
    table.print()?;
    Ok(Exit::Done.into())
}

impl From<ModelRecord> for Row {
    fn from(record: ModelRecord) -> Row {
        Row {
            model: record.name,
            version: hexadecimal(record.version),
            made_at: record.made.to_string(),
            because: record.because,
            threshold: record.threshold.get(),
            relevant: record.lessons.relevant,
            irrelevant: record.lessons.irrelevant,
            relatives: record.lessons.relatives,
            pages: record.lessons.pages,
        }
    }
}
