//! Data to stdout, talk to stderr.
//!
//! Everything the program says goes through here. Colours are kept or dropped
//! by `anstream` (`--color`, `NO_COLOR`, `CLICOLOR_FORCE`, terminal or not). A
//! reader who has read enough closes the pipe; [`is_broken_pipe`] lets `main`
//! end quietly then.

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;

use crate::screen;

/// Where data goes.
pub(crate) fn stdout() -> impl Write {
    anstream::AutoStream::auto(io::stdout()).lock()
}

/// Writes one line of data.
pub(crate) fn data(line: impl fmt::Display) -> anyhow::Result<()> {
    Ok(writeln!(stdout(), "{line}")?)
}

/// Writes one JSON document, laid out for people.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    data(serde_json::to_string_pretty(value)?)
}

/// Tells the user something, above a progress bar if there is one.
pub(crate) fn talk(line: impl fmt::Display) {
    screen::suspend(|| {
        // Nobody is left to be told of it when stderr cannot be written to.
        let _ = writeln!(anstream::AutoStream::auto(io::stderr()), "{line}");
    });
}

/// Warns the user.
pub(crate) fn warn(line: impl fmt::Display) {
    let style = anstyle::AnsiColor::Yellow.on_default().bold();
    talk(format_args!("{style}warning{style:#}: {line}"));
}

/// Tells the user what went wrong, with every cause.
pub(crate) fn error(error: &anyhow::Error) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    talk(format_args!("{style}error{style:#}: {error}"));
    let mut last = error.to_string();
    for cause in error.chain().skip(1) {
        let text = cause.to_string();
        // Transparent errors repeat their cause word for word.
        if !last.contains(&text) {
            talk(format_args!("  caused by: {text}"));
        }
        last = text;
    }
}

/// True when the error is that nobody reads our output any more.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let kind = match cause.downcast_ref::<io::Error>() {
            Some(error) => Some(error.kind()),
            None => {
                cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind)
            }
        };
        kind == Some(io::ErrorKind::BrokenPipe)
    })
}
