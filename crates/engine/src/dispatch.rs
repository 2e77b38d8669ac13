//! Drives the heart with real sockets and a real clock.
//!
//! One task owns the heart, the archive and all decisions; it hands fetches to
//! tasks of their own and takes their reports. Reading a page happens where it
//! was fetched, so the heart only commits. Every task reports back, even when
//! it is called off: nothing is left behind.

mod clock;
mod errand;
mod label_watch;

use std::sync::Arc;
use std::time::Duration;

use gannet_archive::{Encoded, Writer};
use gannet_fetch::Fetcher;
use gannet_model::{PageUrl, Timestamp};
use gannet_politeness::{Contact, RobotsAnswer};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

pub(crate) use clock::Clock;
use errand::{Done, Errands, RobotsReply};
pub(crate) use label_watch::LabelWatch;

use crate::config::Config;
use crate::crawl::Crawl;
use crate::crawler::RunError;
use crate::finish::FinishReason;
use crate::keeping::keep;
use crate::progress::Progress;
use crate::step::{Kept, Report, Step};
use crate::teaching::{Learned, Learning};

/// How the user stops a crawl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Begin nothing new, take in what is under way, then stop.
    Gently,
    /// Call off what is under way and stop.
    Now,
}

/// The receiving end of [`stop_channel`].
pub type StopHandle = watch::Receiver<Option<Stop>>;

/// A channel by which a crawl can be stopped.
pub fn stop_channel() -> (watch::Sender<Option<Stop>>, StopHandle) {
    watch::channel(None)
}

/// What happens during a crawl, for those who watch.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A page request was answered.
    Answered {
        /// Which page.
        url: &'a PageUrl,
        /// With what status.
        status: u16,
        /// Whether it is about the topic; `None` when there was no page to judge.
        relevant: Option<bool>,
    },
    /// A page request failed.
    Failed {
        /// Which page.
        url: &'a PageUrl,
        /// What happened.
        message: &'a str,
    },
    /// The model was taught, and this came of it.
    Learned(&'a Learned),
    /// How the crawl is doing, a few times a second.
    Progress(&'a Progress),
}

/// How a crawl ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why it ended.
    pub reason: FinishReason,
    /// How it was doing then.
    pub progress: Progress,
}

/// How often watchers are told, and what was committed is synced to the disk.
const TELL_EVERY: Duration = Duration::from_millis(500);
const SYNC_EVERY: Duration = Duration::from_secs(1);
/// How long a gentle stop waits for what is under way.
const GRACE: Duration = Duration::from_secs(10);

pub(crate) struct Driver {
    crawl: Crawl,
    archive: Option<Writer>,
    labels: LabelWatch,
    errands: Arc<Errands>,
    clock: Clock,
    most_under_way: usize,
    tasks: JoinSet<()>,
    done: mpsc::UnboundedSender<Done>,
    reports: mpsc::UnboundedReceiver<Done>,
    call_off: watch::Sender<bool>,
    is_called_off: bool,
    under_way: usize,
    last_sync: Timestamp,
    last_look_at_labels: Timestamp,
}

impl Driver {
    /// From now on looks at nothing but those known pages that `wants` names.
    pub(crate) fn check(
        &mut self,
        wants: &mut dyn FnMut(&gannet_store::UrlRecord) -> bool,
    ) -> Result<usize, crate::crawl::CrawlError> {
        self.crawl.check(wants)
    }

    pub(crate) fn new(
        crawl: Crawl,
        fetcher: Fetcher,
        archive: Option<Writer>,
        labels: LabelWatch,
        clock: Clock,
        config: &Config,
    ) -> Driver {
        let (done, reports) = mpsc::unbounded_channel();
        let compression = archive.as_ref().map(Writer::compression);
        let errands = Errands::new(fetcher, crawl.journey(), compression, clock);
        Driver {
            archive,
            labels,
            errands: Arc::new(errands),
            clock,
            most_under_way: config.limits.in_flight.max(1),
            tasks: JoinSet::new(),
            done,
            reports,
            call_off: watch::channel(false).0,
            is_called_off: false,
            under_way: 0,
            last_sync: clock.now(),
            last_look_at_labels: clock.now(),
            crawl,
        }
    }

    pub(crate) async fn run(
        mut self,
        mut stop: StopHandle,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<Outcome, RunError> {
        let mut tick = tokio::time::interval(TELL_EVERY);
        let mut is_stoppable = true;
        let mut grace_ends = Timestamp::NEVER;
        tell_news(&mut self.crawl, watch);
        let reason = loop {
            let wake = match self.begin_steps()? {
                Begun::Done(reason) => break reason,
                Begun::Wait(until) => until,
            };
            let patience_ends = grace_ends.min(self.crawl.deadline());
            let wake = if self.is_called_off { wake } else { wake.min(patience_ends) };
            if self.clock.now() >= patience_ends {
                self.call_off();
            }
            tokio::select! {
                biased;
                changed = stop.changed(), if is_stoppable => {
                    match (changed, *stop.borrow_and_update()) {
                        (Err(_), _) => is_stoppable = false,
                        (Ok(()), Some(Stop::Gently)) => {
                            self.crawl.stop(FinishReason::Interrupted);
                            grace_ends = self.clock.now() + GRACE;
                        }
                        (Ok(()), Some(Stop::Now)) => {
                            self.crawl.stop(FinishReason::Interrupted);
                            self.call_off();
                        }
                        (Ok(()), None) => {}
                    }
                }
                Some(done) = self.reports.recv() => {
                    self.take_in(done, watch)?;
                    while let Ok(done) = self.reports.try_recv() {
                        self.take_in(done, watch)?;
                    }
                }
                () = self.clock.sleep_until(wake) => {}
                _ = tick.tick() => watch(Event::Progress(&self.crawl.progress(self.clock.now()))),
            }
            self.heed_labels_if_due()?;
            tell_news(&mut self.crawl, watch);
            self.sync_if_due()?;
        };
        self.finish(reason, watch).await
    }

    /// Begins as many steps as there is room for.
    fn begin_steps(&mut self) -> Result<Begun, RunError> {
        while self.under_way < self.most_under_way {
            let step = match self.crawl.next(self.clock.now())? {
                Step::Wait(until) => return Ok(Begun::Wait(until)),
                Step::Done(reason) => return Ok(Begun::Done(reason)),
                step => step,
            };
            self.under_way += 1;
            let (errands, done) = (self.errands.clone(), self.done.clone());
            let called_off = self.call_off.subscribe();
            self.tasks.spawn(async move {
                // The receiver outlives the tasks, which are joined before it is dropped.
                let _ = done.send(errands.run(step, called_off).await);
            });
            // Finished tasks are dropped here, or they would pile up.
            while self.tasks.try_join_next().is_some() {}
        }
        Ok(Begun::Wait(self.crawl.deadline()))
    }

    fn take_in(&mut self, done: Done, watch: &mut dyn FnMut(Event<'_>)) -> Result<(), RunError> {
        self.under_way -= 1;
        let now = self.clock.now();
        match done {
            Done::Resolved(host, address) => self.crawl.resolved(host, address, now)?,
            Done::Robots(task, reply, evidence) => {
                self.keep(evidence)?;
                match reply {
                    RobotsReply::Answered {
                        status,
                        body,
                        wire_bytes,
                        location,
                        max_age,
                        retry_after,
                        took,
                    } => {
                        let contact =
                            Contact::Answered { status, retry_after: retry_after.as_deref(), took };
                        let location = location.as_deref();
                        let answer =
                            RobotsAnswer::Fetched { status, body: &body, location, max_age };
                        self.crawl.robots_answered(*task, answer, contact, wire_bytes, now)?;
                    }
                    RobotsReply::Failed(failure) => {
                        let answer = RobotsAnswer::Failed(failure);
                        let contact = Contact::Failed(failure);
                        self.crawl.robots_answered(*task, answer, contact, 0, now)?;
                    }
                    RobotsReply::CalledOff => self.crawl.robots_called_off(*task, now)?,
                }
            }
            Done::Visited(visit, report, evidence) => {
                // The archive first: an orphan there is harmless, a dangling position is not.
                let archived = self.keep(evidence)?;
                tell(&visit.url, &report, watch);
                self.crawl.visited(*visit, report, archived, now)?;
            }
        }
        Ok(())
    }

    fn keep(&mut self, evidence: Option<Encoded>) -> Result<Option<Kept>, RunError> {
        let (Some(archive), Some(evidence)) = (&mut self.archive, evidence) else {
            return Ok(None);
        };
        Ok(Some(keep(archive, &evidence)?))
    }

    /// Calls off everything under way.
    fn call_off(&mut self) {
        self.is_called_off = true;
        self.call_off.send_replace(true);
    }

    /// Takes in what people said since the last look.
    fn heed_labels_if_due(&mut self) -> Result<(), RunError> {
        let now = self.clock.now();
        if now.since(self.last_look_at_labels) < TELL_EVERY {
            return Ok(());
        }
        self.last_look_at_labels = now;
        let labels = self.labels.look(&self.crawl)?;
        if !labels.is_empty() {
            self.crawl.labelled(labels, now)?;
        }
        Ok(())
    }

    fn sync_if_due(&mut self) -> Result<(), RunError> {
        let now = self.clock.now();
        if now.since(self.last_sync) < SYNC_EVERY {
            return Ok(());
        }
        self.last_sync = now;
        if let Some(archive) = &mut self.archive {
            archive.sync()?;
        }
        Ok(self.crawl.sync()?)
    }

    async fn finish(
        mut self,
        reason: FinishReason,
        watch: &mut dyn FnMut(Event<'_>),
    ) -> Result<Outcome, RunError> {
        while self.tasks.join_next().await.is_some() {}
        let now = self.clock.now();
        if let Some(archive) = &mut self.archive {
            archive.sync()?;
        }
        self.crawl.close(reason, now)?;
        tell_news(&mut self.crawl, watch);
        Ok(Outcome { reason, progress: self.crawl.progress(now) })
    }
}

enum Begun {
    Wait(Timestamp),
    Done(FinishReason),
}

/// Tells what was learned, to the log and to whoever watches.
fn tell_news(crawl: &mut Crawl, watch: &mut dyn FnMut(Event<'_>)) {
    for learned in crawl.take_news() {
        match learned.outcome {
            Learning::Adopted => tracing::info!("{learned}"),
            Learning::Unmoved => tracing::debug!("{learned}"),
            Learning::Refused(_) => tracing::warn!("{learned}"),
        }
        watch(Event::Learned(&learned));
    }
}

fn tell(url: &PageUrl, report: &Report, watch: &mut dyn FnMut(Event<'_>)) {
    match report {
        Report::Answered(answered) => {
            let relevant = match &answered.content {
                crate::journey::Content::Page(reading) => Some(reading.judgement.is_relevant()),
                _ => None,
            };
            watch(Event::Answered { url, status: answered.answer.status, relevant });
        }
        Report::Failed { message, .. } => watch(Event::Failed { url, message }),
        Report::Moved(_) | Report::CalledOff => {}
    }
}
