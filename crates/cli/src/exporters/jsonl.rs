//! One JSON object per line: what data tools read without asking.

use std::io::Write;

use crate::listing::PageRow;

use super::{Entry, Exporter};

pub(crate) const ENTRY: Entry = Entry {
    name: "jsonl",
    summary: "one JSON object per page and line",
    build: || Box::new(JsonLines),
};

struct JsonLines;

impl Exporter for JsonLines {
    fn page(&mut self, out: &mut dyn Write, page: &PageRow) -> anyhow::Result<()> {
        serde_json::to_writer(&mut *out, page)?;
        Ok(writeln!(out)?)
    }
}
