//! `gannet show`: a page as it was.

use std::io::Write;
use std::process::ExitCode;

use gannet_change::diff::{Line, lines};

use crate::arguments::Globals;
use crate::exit::Exit;
use crate::page_history::{PageHistory, title};
use crate::print;

/// Arguments of `gannet show`.
#[derive(Debug, clap::Args)]
#[command(
    disable_version_flag = true,
    after_help = "Examples:\n  \
    gannet show https://example.org/birds/gannets\n  \
    gannet show --at 2026-11-02 https://example.org/\n  \
    gannet show --version 3 --html https://example.org/ > then.html"
)]
pub(crate) struct Args {
    /// The page, in any spelling
    url: String,
    /// As it was then: 2d (ago), 2026-11-02, 2026-11-02T10:00Z
    #[arg(long, value_name = "TIME", conflicts_with = "version")]
    at: Option<String>,
    /// The version of this number, as `gannet history` counts
    #[arg(long, value_name = "N")]
    version: Option<u32>,
    #[command(flatten)]
    form: Form,
}

#[derive(Clone, Debug, clap::Args)]
#[group(multiple = false)]
struct Form {
    /// Its text (default)
    #[arg(long)]
    text: bool,
    /// Its bytes, as they came, unpacked
    #[arg(long)]
    html: bool,
    /// Its text with headings as Markdown
    #[arg(long)]
    markdown: bool,
}

/// Prints the version.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let history = PageHistory::find(&args.url, globals)?;
    let entry = match (&args.at, args.version) {
        (Some(moment), _) => history.at(moment)?,
        (None, Some(number)) => history.numbered(number)?,
        (None, None) => history.newest()?,
    };
    if !globals.quiet {
        print::talk(format_args!("{}, {}", entry.url, title(entry)));
    }
    let mut out = print::stdout();
    if args.form.html {
        out.write_all(&history.response(entry)?.body)?;
        return Ok(Exit::Done.into());
    }
    let version = history.read(entry)?;
    let document = version.document();
    if args.form.markdown && !document.title.is_empty() {
        writeln!(out, "<!-- {} -->\n", document.title.replace("--", "—"))?;
    }
    for Line { heading, text } in lines(document) {
        match heading.filter(|_| args.form.markdown) {
            Some(level) => writeln!(out, "{} {text}\n", "#".repeat(usize::from(level)))?,
            None if args.form.markdown => writeln!(out, "{text}\n")?,
            None => writeln!(out, "{text}")?,
        }
    }
    Ok(Exit::Done.into())
}
