//! The registry of exporters: one file and one line each.

mod jsonl;

use std::io::Write;

use crate::listing::PageRow;

/// Writes pages in some format, one after the other.
pub(crate) trait Exporter {
    /// Writes one page.
    fn page(&mut self, out: &mut dyn Write, page: &PageRow) -> anyhow::Result<()>;

    /// Writes what comes after the last page.
    fn finish(&mut self, _out: &mut dyn Write) -> anyhow::Result<()> {
        Ok(())
    }
}

/// One line of the registry.
pub(crate) struct Entry {
    /// The name on the command line.
    pub(crate) name: &'static str,
    /// One sentence for `gannet list`.
    pub(crate) summary: &'static str,
    /// Makes the exporter.
    pub(crate) build: fn() -> Box<dyn Exporter>,
}

/// Every exporter, by name.
pub(crate) const EXPORTERS: &[Entry] = &[jsonl::ENTRY];
