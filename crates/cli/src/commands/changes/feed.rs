//! What happened as an Atom feed (RFC 4287), with the differences inside.

use std::io::Write;

use gannet_change::diff::{diff, lines};
use gannet_engine::history;
use gannet_model::Timestamp;
use gannet_store::Store;
use quick_xml::escape::escape;

use super::events::Event;
use crate::diff_view::{Layout, View};
use crate::page_history::{Archive, title};

/// Lines shown around each change.
const CONTEXT: usize = 2;

/// Writes the feed.
pub(super) fn write(
    store: &dyn Store,
    archive: &Archive,
    events: &[Event],
    now: Timestamp,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>")?;
    writeln!(out, "<feed xmlns=\"http://www.w3.org/2005/Atom\">")?;
    writeln!(out, "<title>Changes of watched pages</title>")?;
    writeln!(out, "<id>urn:gannet:changes</id>")?;
    writeln!(out, "<updated>{now}</updated>")?;
    writeln!(out, "<author><name>gannet</name></author>")?;
    for event in events {
        entry(store, archive, event, out)?;
    }
    writeln!(out, "</feed>")?;
    Ok(())
}

fn entry(
    store: &dyn Store,
    archive: &Archive,
    event: &Event,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let name = if event.title.is_empty() { &event.url } else { &event.title };
    let on = if event.pages > 1 { format!(" on {} pages", event.pages) } else { String::new() };
    let headline = format!("{}{on} ({}): {name}", event.happening, event.significance);
    // What cannot be read back any more is told without its difference.
    let content = difference(store, archive, event)
        .unwrap_or_else(|_| Some(format!("<p>{}</p>", escape(&event.changed))))
        .unwrap_or_else(|| format!("<p>{}</p>", escape(&event.changed)));
    writeln!(out, "<entry>")?;
    writeln!(out, "<id>urn:gannet:visit:{:016x}:{}</id>", event.page.0, event.visit)?;
    writeln!(out, "<title>{}</title>", escape(printable(&headline)))?;
    writeln!(out, "<link href=\"{}\"/>", escape(&event.url))?;
    writeln!(out, "<updated>{}</updated>", event.at)?;
    writeln!(out, "<category term=\"{}\"/>", event.happening)?;
    writeln!(out, "<content type=\"html\">{}</content>", escape(printable(&content)))?;
    writeln!(out, "</entry>")?;
    Ok(())
}

/// The difference to the version before; `None` when there was none.
fn difference(
    store: &dyn Store,
    archive: &Archive,
    event: &Event,
) -> anyhow::Result<Option<String>> {
    let entries = history(store, event.page)?;
    let mut versions = entries.iter().filter(|entry| entry.is_new_version()).rev();
    let Some(new) = versions.find(|entry| entry.number == event.visit) else { return Ok(None) };
    let Some(old) = versions.next() else { return Ok(None) };
    let (before, after) = (archive.read(old)?, archive.read(new)?);
    let difference = diff(&lines(before.document()), &lines(after.document()));
    let mut html = Vec::new();
    let view = View {
        old_title: &title(old),
        new_title: &title(new),
        layout: Layout::Html,
        context: CONTEXT,
        width: 0,
    };
    view.write(&difference, &mut html)?;
    Ok(Some(String::from_utf8_lossy(&html).into_owned()))
}

/// Without characters that XML has no place for.
fn printable(text: &str) -> String {
    text.chars().filter(|char| !char.is_control() || matches!(char, '\n' | '\t')).collect()
}
