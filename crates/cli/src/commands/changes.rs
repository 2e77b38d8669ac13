//! `gannet changes`: what is new, changed, gone, moved and back, the most significant first.

mod events;
mod feed;

use std::process::ExitCode;
use std::time::SystemTime;

use gannet_model::{Host, Significance, Timestamp};

use crate::arguments::{Globals, TextOrJson};
use crate::exit::{Exit, UsageError};
use crate::page_history::Archive;
use crate::table::{Table, one_line};
use crate::{moment, print};

use events::{Event, Wanted};

/// Arguments of `gannet changes`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    gannet changes --since 2d\n  \
    gannet changes --site example.org --min-significance major\n  \
    gannet changes --since 7d --feed > changes.xml\n\n\
    An edit that stands on three or more pages of a site, such as one of its footer, is one event \
    with a count. `gannet diff URL` shows what changed on a page.\n\n\
    JSON fields of each event: at, happening, significance, share, site, url, title, pages, \
    changed.")]
pub(crate) struct Args {
    /// Since when: 2d (ago), 2026-11-02, 2026-11-02T10:00Z
    #[arg(long, value_name = "TIME", default_value = "7d")]
    since: String,
    /// Only pages of this host
    #[arg(long, value_name = "HOST")]
    site: Option<String>,
    /// The least change that is told
    #[arg(
        long,
        value_name = "KIND",
        default_value = "minor",
        value_parser = ["noise", "cosmetic", "minor", "major"]
    )]
    min_significance: String,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// Write an Atom feed with the differences
    #[arg(long, conflicts_with = "format")]
    feed: bool,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// Prints what happened.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let now = Timestamp::from(SystemTime::now());
    let site = args.site.as_deref().map(Host::parse).transpose();
    let wanted = Wanted {
        since: moment::parse(&args.since, now)
            .map_err(|error| UsageError(format!("--since: {error}")))?,
        site: site.map_err(|error| UsageError(format!("--site: {error}")))?,
        least: Significance::named(&args.min_significance).unwrap_or(Significance::Minor),
    };
    let (archive, store, _) = Archive::open(globals)?;
    let mut events = events::gather(&store, &wanted)?;
    let all = events.len();
    events.truncate(args.limit);
    if args.feed {
        feed::write(&store, &archive, &events, now, &mut print::stdout())?;
        return Ok(Exit::Done.into());
    }
    if args.format == TextOrJson::Json {
        print::json(&events)?;
        return Ok(Exit::Done.into());
    }
    if events.is_empty() {
        print::talk(format_args!("nothing happened since {}", wanted.since));
        return Ok(Exit::Done.into());
    }
    tell(&events)?;
    if all > events.len() {
        print::talk(format_args!("{} more; --limit shows them", all - events.len()));
    }
    Ok(Exit::Done.into())
}

fn tell(events: &[Event]) -> anyhow::Result<()> {
    let mut table = Table::new(&["when", "what", "significance", "pages", "page", "changed"]);
    for event in events {
        table.row([
            event.at.clone(),
            event.happening.to_owned(),
            event.significance.to_owned(),
            event.pages.to_string(),
            one_line(&event.url),
            one_line(&event.changed),
        ]);
    }
    Ok(table.print()?)
}
