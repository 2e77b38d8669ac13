//! Where log records go: stderr, as lines for people or as JSON for machines.

use anyhow::Context;
use tracing_subscriber::EnvFilter;

use crate::arguments::{Globals, LogFormat};
use crate::screen::CarefulStderr;

/// Begins to log. `-v` shows more, `-q` less; `GANNET_LOG` says it exactly, such as
/// `gannet_fetch=debug`.
pub(crate) fn start(globals: &Globals) -> anyhow::Result<()> {
    let level = match (globals.quiet, globals.verbose) {
        (true, _) => "error",
        (false, 0) => "warn",
        (false, 1) => "info",
        (false, 2) => "debug",
        (false, _) => "trace",
    };
    let filter = match std::env::var("GANNET_LOG") {
        Ok(directives) if !directives.is_empty() => EnvFilter::try_new(&directives)
            .with_context(|| format!("GANNET_LOG={directives:?} is not a log filter"))?,
        _ => EnvFilter::new(level),
    };
    let has_colour =
        anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(has_colour)
        .with_writer(|| CarefulStderr);
    match globals.log_format {
        LogFormat::Text => builder.init(),
        LogFormat::Json => builder.json().init(),
    }
    Ok(())
}
