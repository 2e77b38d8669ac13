//! `gannet export`: writes what was collected for other programs.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use gannet_engine::{DataDir, is_newest_page, read_store};
use gannet_store::{Store, VisitNumber, VisitRecord, Visited};

use crate::arguments::Globals;
use crate::exit::Exit;
use crate::exporters::{EXPORTERS, Exporter};
use crate::listing::{ArchiveFiles, PageRow};
use crate::print;

/// Arguments of `gannet export`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    gannet export jsonl --relevant | jq -r .url\n  \
    gannet export jsonl --output pages.jsonl\n\n\
    Fields of jsonl: url, state, fetched_at, status, title, language, score, relevant, depth, worth, \
    found_via, anchor, bytes, media_type, because, archive {file, offset, length, response_offset}.")]
pub(crate) struct Args {
    /// The format
    #[arg(value_parser = formats())]
    format: String,
    /// Write here instead of to stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only pages about the topic
    #[arg(long)]
    relevant: bool,
}

fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(EXPORTERS.iter().map(|entry| entry.name))
}

/// Writes the newest visit of every page, in the order of their visits.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let data = globals.data();
    let store = read_store(&data)?;
    let entry = EXPORTERS.iter().find(|entry| entry.name == args.format);
    let mut exporter = (entry.context("no such format")?.build)();
    let mut out: Box<dyn Write> = match &args.output {
        Some(path) => {
            let file = File::create(path);
            Box::new(file.with_context(|| format!("cannot write {}", path.display()))?)
        }
        None => Box::new(std::io::stdout()),
    };
    let mut out = BufWriter::new(&mut out);
    let count = write_pages(args, &data, &store, exporter.as_mut(), &mut out)?;
    exporter.finish(&mut out)?;
    out.flush()?;
    if let Some(path) = &args.output {
        print::talk(format_args!("Wrote {count} pages to {}.", path.display()));
    }
    Ok(Exit::Done.into())
}

fn write_pages(
    args: &Args,
    data: &DataDir,
    store: &dyn Store,
    exporter: &mut dyn Exporter,
    out: &mut dyn Write,
) -> anyhow::Result<u64> {
    let mut source = Pages { args, store, files: ArchiveFiles::new(data) };
    let mut count = 0;
    let mut failed = None;
    store.each_visit(0, &mut |number, visit| {
        let written = source.page(number, visit).and_then(|page| match page {
            Some(page) => exporter.page(out, &page).map(|()| 1),
            None => Ok(0),
        });
        match written {
            Ok(pages) => {
                count += pages;
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    failed.map_or(Ok(count), Err)
}

struct Pages<'a> {
    args: &'a Args,
    store: &'a dyn Store,
    files: ArchiveFiles,
}

impl Pages<'_> {
    /// The page of a visit; `None` when it is not wanted or was visited again.
    fn page(&mut self, number: VisitNumber, visit: VisitRecord) -> anyhow::Result<Option<PageRow>> {
        let is_wanted = match &visit.outcome {
            Visited::Page(_, facts) => !self.args.relevant || facts.judgement.is_relevant(),
            _ => false,
        };
        let record = if is_wanted { self.store.url(visit.url)? } else { None };
        let Some(record) = record else { return Ok(None) };
        if !is_newest_page(self.store, &record, number)? {
            return Ok(None);
        }
        Ok(Some(PageRow::new(self.store, record, Some(visit), &mut self.files)?))
    }
}
