//! The one terminal of the process, shared by progress bar, log and messages.
//!
//! A line written while a bar is drawn would tear it; whoever writes asks for
//! the bar to be taken away for a moment. This is the one global of the
//! program, because there is one terminal.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use indicatif::ProgressBar;

static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// From now on this bar is drawn.
pub(crate) fn show(bar: ProgressBar) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar);
}

/// Takes the bar away for good.
pub(crate) fn clear() {
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
}

/// Does something with the bar out of the way.
pub(crate) fn suspend<T>(act: impl FnOnce() -> T) -> T {
    let bar = BAR.lock().unwrap_or_else(PoisonError::into_inner).clone();
    match bar {
        Some(bar) => bar.suspend(act),
        None => act(),
    }
}

/// A stderr that takes the bar away while it is written to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CarefulStderr;

impl Write for CarefulStderr {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        suspend(|| io::stderr().write_all(buffer)).map(|()| buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
