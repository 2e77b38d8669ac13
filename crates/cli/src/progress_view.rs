//! How a running crawl is shown: a bar on a terminal, else a line now and then.

use std::io::IsTerminal;
use std::time::Duration;

use gannet_engine::{Event, Learned, Learning, Progress};
use gannet_model::Timestamp;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tracing::debug;

use crate::numbers::Rates;
use crate::{print, screen};

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Shows a running crawl.
pub(crate) struct ProgressView {
    shape: Shape,
    rates: Rates,
    last_line: Option<Timestamp>,
}

enum Shape {
    Bar(ProgressBar),
    Lines,
    Nothing,
}

impl ProgressView {
    /// A view fit for where stderr goes. `limit` is the page limit, `answered` what earlier runs
    /// got.
    pub(crate) fn new(limit: Option<u64>, answered: u64) -> ProgressView {
        let shape = if std::io::stderr().is_terminal() { bar(limit) } else { Shape::Lines };
        ProgressView { shape, rates: Rates::from(answered), last_line: None }
    }

    /// A view that shows nothing and still knows the rates.
    pub(crate) fn silent(answered: u64) -> ProgressView {
        ProgressView { shape: Shape::Nothing, rates: Rates::from(answered), last_line: None }
    }

    /// Pages per second.
    pub(crate) fn rates(&self) -> &Rates {
        &self.rates
    }

    /// Shows an event.
    pub(crate) fn watch(&mut self, event: &Event<'_>) {
        match event {
            Event::Answered { url, status, relevant } => {
                debug!(%url, status, relevant, "answered");
            }
            Event::Failed { url, message } => debug!(%url, message, "failed"),
            Event::Learned(learned) => self.tell_learned(learned),
            Event::Progress(progress) => self.show(progress),
            _ => {}
        }
    }

    /// A model that changed is worth a line; one that was refused is in the log.
    fn tell_learned(&self, learned: &Learned) {
        let is_silent = matches!(self.shape, Shape::Nothing);
        if !is_silent && learned.outcome == Learning::Adopted {
            print::talk(learned);
        }
    }

    fn show(&mut self, progress: &Progress) {
        self.rates.observe(progress.at, progress.elapsed, progress.counters.answered);
        match &self.shape {
            Shape::Bar(bar) => {
                bar.set_position(progress.counters.answered);
                bar.set_message(sentence(progress, &self.rates));
            }
            Shape::Lines => {
                let is_due =
                    self.last_line.is_none_or(|last| progress.at.since(last) >= LINE_EVERY);
                if is_due && progress.elapsed > Duration::ZERO {
                    self.last_line = Some(progress.at);
                    print::talk(sentence(progress, &self.rates).replace('\n', "; "));
                }
            }
            Shape::Nothing => {}
        }
    }

    /// Takes the view away.
    pub(crate) fn finish(&self) {
        if let Shape::Bar(_) = self.shape {
            screen::clear();
        }
    }
}

fn bar(limit: Option<u64>) -> Shape {
    let template = match limit {
        Some(_) => "{spinner} [{bar:24}] {pos}/{len} {msg}",
        None => "{spinner} {msg}",
    };
    let target = ProgressDrawTarget::stderr_with_hz(5);
    let bar = ProgressBar::with_draw_target(limit, target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    screen::show(bar.clone());
    Shape::Bar(bar)
}

/// How the crawl is doing, in two lines.
fn sentence(progress: &Progress, rates: &Rates) -> String {
    let counters = &progress.counters;
    format!(
        "{} answers, {:.1}/s now, {:.1}/s on average, harvest {:.1} % ({} relevant)\n{} queued, {} hosts, \
         {} under way: {}",
        counters.answered,
        rates.now,
        rates.average,
        progress.harvest_rate() * 100.0,
        counters.relevant,
        progress.queued + progress.scheduled,
        progress.hosts,
        progress.under_way,
        progress.holdback,
    )
}
