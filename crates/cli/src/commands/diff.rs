//! `gannet diff`: what changed between two versions of a page.

use std::io::IsTerminal;
use std::process::ExitCode;

use gannet_change::diff::{diff, lines};
use gannet_engine::HistoryEntry;

use crate::arguments::Globals;
use crate::diff_view::{Layout, View};
use crate::exit::{Exit, UsageError};
use crate::page_history::{PageHistory, title};
use crate::print;

/// Arguments of `gannet diff`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    gannet diff https://example.org/              the last change\n  \
    gannet diff https://example.org/ 1..3         two versions by number\n  \
    gannet diff https://example.org/ 2026-11-02..7d --side-by-side\n\n\
    Exit code 0 whether they differ or not.")]
pub(crate) struct Args {
    /// The page, in any spelling
    url: String,
    /// Two versions, by number or time: A..B, A.. for up to the newest; the last change without it
    #[arg(value_name = "A..B")]
    versions: Option<String>,
    #[command(flatten)]
    form: Form,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Lines shown around each change
    #[arg(long, value_name = "N", default_value_t = 2)]
    context: usize,
}

#[derive(Clone, Debug, clap::Args)]
#[group(multiple = false)]
struct Form {
    /// Changed words within their lines (default)
    #[arg(long)]
    words: bool,
    /// Whole passages, removed and added
    #[arg(long)]
    blocks: bool,
    /// Both versions next to each other
    #[arg(long)]
    side_by_side: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// A fragment of HTML
    Html,
}

/// Columns when nobody says how many there are.
const WIDTH: usize = 120;

/// Prints the difference.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let history = PageHistory::find(&args.url, globals)?;
    let Some((old, new)) = chosen(&history, args.versions.as_deref())? else {
        print::talk(format_args!("{} has one version; nothing to compare it with", history.url));
        return Ok(Exit::Done.into());
    };
    let (before, after) = (history.read(old)?, history.read(new)?);
    let difference = diff(&lines(before.document()), &lines(after.document()));
    let layout = match (args.format, &args.form) {
        (Format::Json, _) => Layout::Json,
        (Format::Html, _) => Layout::Html,
        (Format::Text, Form { blocks: true, .. }) => Layout::Blocks,
        (Format::Text, Form { side_by_side: true, .. }) => Layout::SideBySide,
        (Format::Text, _) => Layout::Words,
    };
    let view = View {
        old_title: &title(old),
        new_title: &title(new),
        layout,
        context: args.context,
        width: width(),
    };
    view.write(&difference, &mut print::stdout())?;
    Ok(Exit::Done.into())
}

fn width() -> usize {
    let told = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = std::io::stdout().is_terminal().then(|| {
        rustix::termios::tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col))
    });
    told.or(terminal.flatten()).filter(|columns| *columns > 0).unwrap_or(WIDTH)
}

/// The versions to compare; `None` when there is but one.
fn chosen<'a>(
    history: &'a PageHistory,
    versions: Option<&str>,
) -> anyhow::Result<Option<(&'a HistoryEntry, &'a HistoryEntry)>> {
    let Some(text) = versions else {
        let mut newest_first = history.versions().rev();
        let (new, old) = (newest_first.next(), newest_first.next());
        return Ok(old.zip(new));
    };
    let (old, new) = text.split_once("..").ok_or_else(|| {
        UsageError(format!("{text:?} names no two versions; write A..B, such as 1..3 or 7d..1d"))
    })?;
    let old = if old.trim().is_empty() { history.numbered(1)? } else { history.named(old)? };
    let new = if new.trim().is_empty() { history.newest()? } else { history.named(new)? };
    Ok(Some((old, new)))
}
