//! Runs a crawl to its end: runtime, signals, progress, status file.

use std::time::{Duration, Instant};

use anyhow::Context;
use gannet_engine::{
    Config, DataDir, Event, Opened, Outcome, RunError, Stop, StopHandle, stop_channel,
};
use gannet_store::UrlRecord;
use tokio::sync::watch;
use tracing::warn;

use crate::exit::Exit;
use crate::print;
use crate::progress_view::ProgressView;
use crate::status_file::StatusFile;

/// Runs a crawl with signals heeded, telling `observe` how it goes.
pub(crate) fn run(
    config: Config,
    data: &DataDir,
    observe: &mut dyn FnMut(Event<'_>),
) -> anyhow::Result<Outcome> {
    run_prepared(config, data, observe, &mut |_| Ok(()))
}

/// What is done to a crawl before it runs.
type Prepare<'a> = dyn FnMut(&mut Opened) -> Result<(), RunError> + 'a;

fn run_prepared(
    config: Config,
    data: &DataDir,
    observe: &mut dyn FnMut(Event<'_>),
    prepare: &mut Prepare<'_>,
) -> anyhow::Result<Outcome> {
    run_with(config, data, stop_channel(), observe, prepare)
}

fn run_with(
    config: Config,
    data: &DataDir,
    (sender, stop): (watch::Sender<Option<Stop>>, StopHandle),
    observe: &mut dyn FnMut(Event<'_>),
    prepare: &mut Prepare<'_>,
) -> anyhow::Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the threads of a crawl")?;
    let ended: Result<Outcome, RunError> = runtime.block_on(async {
        let signals = tokio::spawn(heed_signals(sender));
        let ended = async {
            let mut opened = Opened::new(config, data)?;
            prepare(&mut opened)?;
            opened.run(StopHandle::clone(&stop), observe).await
        }
        .await;
        signals.abort();
        ended
    });
    Ok(ended?)
}

/// Looks at the known pages that `wants` names and nothing else, as [`run_in_view`] crawls.
pub(crate) fn check_in_view(
    config: Config,
    data: &DataDir,
    view: &mut ProgressView,
    wants: &mut dyn FnMut(&UrlRecord) -> bool,
) -> anyhow::Result<Outcome> {
    let ended = run_prepared(config, data, &mut |event| view.watch(&event), &mut |opened| {
        opened.check(wants).map(drop)
    });
    view.finish();
    ended
}

/// Runs a crawl as [`run`] does, shown by `view` and written to the status file.
pub(crate) fn run_in_view(
    config: Config,
    data: &DataDir,
    view: &mut ProgressView,
) -> anyhow::Result<Outcome> {
    let mut status = StatusFile::new(data, config.topic.to_string());
    let ended = run(config, data, &mut |event| {
        view.watch(&event);
        if let Event::Progress(progress) = &event {
            // The crawl matters more than what is told of it.
            if let Err(error) = status.running(progress, view.rates()) {
                warn!(%error, "cannot write status.json");
            }
        }
    });
    view.finish();
    let outcome = ended?;
    if let Err(error) = status.ended(&outcome, view.rates()) {
        warn!(%error, "cannot write status.json");
    }
    Ok(outcome)
}

/// How often a watch looks whether its settings were changed.
pub(crate) const LOOKED_AT_EVERY: Duration = Duration::from_secs(2);

/// Runs a watch as [`run_in_view`] runs a crawl, until it ends or `is_changed` says that its
/// settings are others by now; whether that was why.
pub(crate) fn watch_in_view(
    config: Config,
    data: &DataDir,
    view: &mut ProgressView,
    is_changed: &dyn Fn() -> bool,
) -> anyhow::Result<(Outcome, bool)> {
    let mut status = StatusFile::new(data, config.topic.to_string());
    let mut looked = Instant::now();
    let mut was_changed = false;
    let (sender, stop) = stop_channel();
    let changed = sender.clone();
    let ended = run_with(
        config,
        data,
        (sender, stop),
        &mut |event| {
            view.watch(&event);
            let Event::Progress(progress) = &event else { return };
            // The watch matters more than what is told of it.
            if let Err(error) = status.running(progress, view.rates()) {
                warn!(%error, "cannot write status.json");
            }
            if !was_changed && looked.elapsed() >= LOOKED_AT_EVERY {
                looked = Instant::now();
                if is_changed() {
                    was_changed = true;
                    print::talk("the settings were changed: going on with the new ones");
                    changed.send_replace(Some(Stop::Gently));
                }
            }
        },
        &mut |_| Ok(()),
    );
    view.finish();
    let outcome = ended?;
    if let Err(error) = status.ended(&outcome, view.rates()) {
        warn!(%error, "cannot write status.json");
    }
    Ok((outcome, was_changed))
}

/// The first signal stops gently, the second at once, the third without a word.
async fn heed_signals(stop: watch::Sender<Option<Stop>>) {
    let mut terminate = match Terminate::new() {
        Ok(terminate) => terminate,
        Err(error) => {
            warn!(%error, "cannot heed SIGTERM");
            return;
        }
    };
    for round in 1.. {
        terminate.next().await;
        match round {
            1 => {
                print::talk("stopping: waiting for what is under way; once more to stop at once");
                stop.send_replace(Some(Stop::Gently));
            }
            2 => {
                print::talk("stopping at once");
                stop.send_replace(Some(Stop::Now));
            }
            // Everything committed is safe, whenever the process ends.
            _ => std::process::exit(i32::from(Exit::Interrupted.number())),
        }
    }
}

/// Ctrl-C, and SIGTERM where there is such a thing.
struct Terminate {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Terminate {
    fn new() -> std::io::Result<Terminate> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Terminate {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
impl Terminate {
    fn new() -> std::io::Result<Terminate> {
        Ok(Terminate {})
    }

    async fn next(&mut self) {
        let _ = tokio::signal::ctrl_c().await;
    }
}
