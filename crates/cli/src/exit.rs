//! The exit codes: what a script can know without reading a word.
//!
//! | code | name | meaning | run again? |
//! |---|---|---|---|
//! | 0 | done | nothing is left to fetch, or a limit that was asked for is reached | goes on if there is more |
//! | 1 | failed | an error at run time | yes, once it is mended |
//! | 2 | usage | the command line is wrong | |
//! | 3 | config | the configuration is wrong | |
//! | 4 | store | the data directory is damaged, incompatible or in use | |
//! | 5 | disk-full | no room is left on the disk | goes on |
//! | 6 | interrupted | stopped by Ctrl-C or SIGTERM, everything is saved | goes on |
//! | 8 | nothing-fetched | no page could be fetched at all | |
//! | 9 | idle | everything left must wait longer than the crawl is willing to | goes on later |
//!
//! 7 and 10 are kept free for error-rate thresholds and for "changes found".

use std::process::ExitCode;

use gannet_engine::{FinishReason, RunError};
use gannet_store::StoreError;

use crate::config::ConfigError;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// What was asked for is done.
    Done = 0,
    /// An error at run time.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The configuration is wrong.
    Config = 3,
    /// The data directory is damaged, incompatible or in use.
    Store = 4,
    /// No room is left on the disk.
    DiskFull = 5,
    /// Stopped by the user; everything is saved.
    Interrupted = 6,
    /// No page could be fetched at all.
    NothingFetched = 8,
    /// Everything left must wait; run again later.
    Idle = 9,
}

/// The table for `--help` and the manual page.
pub(crate) const TABLE: &str = "\
Exit codes:
  0  done: nothing is left to fetch, or a limit that was asked for is reached
  1  failed: an error at run time
  2  usage: the command line is wrong
  3  config: the configuration is wrong
  4  store: the data directory is damaged, incompatible or in use
  5  disk full: free some space and run again, nothing is lost
  6  interrupted: stopped by Ctrl-C or SIGTERM; run again to go on
  8  nothing fetched: no page could be fetched at all
  9  idle: everything left must wait; run again later to go on";

/// The command line is right for the parser and still cannot be followed.
#[derive(Debug)]
pub(crate) struct UsageError(pub(crate) String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

impl Exit {
    /// The number.
    pub(crate) fn number(self) -> u8 {
        self as u8
    }

    /// The name in JSON summaries.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Exit::Done => "done",
            Exit::Failed => "failed",
            Exit::Usage => "usage",
            Exit::Config => "config",
            Exit::Store => "store",
            Exit::DiskFull => "disk-full",
            Exit::Interrupted => "interrupted",
            Exit::NothingFetched => "nothing-fetched",
            Exit::Idle => "idle",
        }
    }

    /// True when running the same command again goes on where this run ended.
    pub(crate) fn is_resumable(self) -> bool {
        match self {
            Exit::Done | Exit::DiskFull | Exit::Interrupted | Exit::Idle => true,
            Exit::Failed | Exit::Usage | Exit::Config | Exit::Store | Exit::NothingFetched => false,
        }
    }

    /// The code for an error, found by looking for the one cause that names it.
    pub(crate) fn of_error(error: &anyhow::Error) -> Exit {
        error.chain().find_map(of_cause).unwrap_or(Exit::Failed)
    }
}

fn of_cause(cause: &(dyn std::error::Error + 'static)) -> Option<Exit> {
    if cause.is::<ConfigError>() {
        return Some(Exit::Config);
    }
    if cause.is::<UsageError>() {
        return Some(Exit::Usage);
    }
    if let Some(error) = cause.downcast_ref::<RunError>() {
        return Some(error.into());
    }
    cause.downcast_ref::<StoreError>().map(Exit::from)
}

impl From<FinishReason> for Exit {
    fn from(reason: FinishReason) -> Exit {
        match reason {
            FinishReason::Idle { .. } => Exit::Idle,
            FinishReason::NothingFetched => Exit::NothingFetched,
            FinishReason::Interrupted => Exit::Interrupted,
            // Exhausted, or a limit was reached that the user asked for.
            _ => Exit::Done,
        }
    }
}

impl From<&RunError> for Exit {
    fn from(error: &RunError) -> Exit {
        match error {
            error if error.is_disk_full() => Exit::DiskFull,
            RunError::Setup(_) => Exit::Config,
            RunError::Store(error) => error.into(),
            _ => Exit::Failed,
        }
    }
}

impl From<&StoreError> for Exit {
    fn from(error: &StoreError) -> Exit {
        match error {
            StoreError::DiskFull { .. } => Exit::DiskFull,
            StoreError::InUse { .. }
            | StoreError::Incompatible { .. }
            | StoreError::Damaged { .. }
            | StoreError::Unopenable { .. }
            | StoreError::Database(_) => Exit::Store,
            // No crawl there, or a path that cannot be used: nothing is wrong with any store.
            _ => Exit::Failed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.number())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::Timestamp;

    #[track_caller]
    fn check(reason: FinishReason, expected: u8) {
        assert_eq!(Exit::from(reason).number(), expected, "{reason}");
    }

    #[test]
    fn each_way_to_finish_has_its_code() {
        check(FinishReason::Exhausted, 0);
        check(FinishReason::PageLimit, 0);
        check(FinishReason::ByteLimit, 0);
        check(FinishReason::TimeLimit, 0);
        check(FinishReason::Interrupted, 6);
        check(FinishReason::NothingFetched, 8);
        check(FinishReason::Idle { until: Timestamp::NEVER }, 9);
    }

    #[track_caller]
    fn check_store(error: StoreError, expected: u8) {
        let text = error.to_string();
        let error = anyhow::Error::from(RunError::from(error)).context("while crawling");
        assert_eq!(Exit::of_error(&error).number(), expected, "{text}");
    }

    #[test]
    fn each_error_of_the_store_has_its_code() {
        let io = || std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        check_store(StoreError::InUse { path: "store".into() }, 4);
        check_store(StoreError::Incompatible { what: "url", found: 9, known: 1 }, 4);
        check_store(StoreError::Damaged { what: "url", cause: None }, 4);
        check_store(StoreError::DiskFull { cause: io() }, 5);
        check_store(StoreError::Io { path: "store".into(), cause: io() }, 1);
    }

    #[test]
    fn mistakes_of_the_user_are_told_apart_from_failures() {
        let code = |error: anyhow::Error| Exit::of_error(&error).number();
        assert_eq!(code(UsageError("no seeds".into()).into()), 2);
        assert_eq!(code(ConfigError::default().into()), 3);
        assert_eq!(code(anyhow::anyhow!("anything else")), 1);
    }

    #[test]
    fn the_table_names_every_code() {
        for exit in [Exit::Done, Exit::Failed, Exit::Usage, Exit::Config, Exit::Store]
            .into_iter()
            .chain([Exit::DiskFull, Exit::Interrupted, Exit::NothingFetched, Exit::Idle])
        {
            assert!(TABLE.contains(&format!("\n  {}  ", exit.number())), "{}", exit.name());
        }
    }
}
