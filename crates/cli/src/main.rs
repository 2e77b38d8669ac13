//! The program `gannet`: arguments, config file, commands, printing.
//!
//! Only this crate knows the user. What it does is in the crates below it;
//! what it says goes through [`mod@print`], and how it ends is in [`exit`].

mod arguments;
mod asking;
mod commands;
mod config;
mod diff_view;
mod evidence;
mod exit;
mod exporters;
mod flags;
mod kept_examples;
mod listing;
mod log;
mod moment;
mod numbers;
mod page_history;
mod print;
mod progress_view;
mod runner;
mod screen;
mod seeds;
mod status_file;
mod summary;
mod table;
mod topic;

use std::process::ExitCode;

use arguments::Invocation;
use config::ConfigError;
use exit::Exit;

/// Threads that come and go with small buffers are what it is best at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let invocation = Invocation::read();
    invocation.globals().color.write_global();
    let ended = log::start(invocation.globals()).and_then(|()| commands::run(invocation));
    screen::clear();
    match ended {
        Ok(code) => code,
        // Whoever read our output has read enough.
        Err(error) if print::is_broken_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            match error.downcast_ref::<ConfigError>() {
                Some(mistakes) => print::talk(mistakes),
                None => print::error(&error),
            }
            Exit::of_error(&error).into()
        }
    }
}
