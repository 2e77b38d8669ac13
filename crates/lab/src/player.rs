//! Drives the heart on a virtual clock: a web answers in process, and time moves to the next answer.
//!
//! The counterpart of the engine's own driver, which has sockets and a real clock. What an archive
//! keeps is made by the same code as there.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gannet_archive::{ArchiveError, EncodeError, Encoder, Writer};
use gannet_engine::{
    Answered, Approach, Config, Content, Crawl, CrawlError, FinishReason, Journey, Kept, Report,
    RobotsTask, SetupError, Step, Visit, encode_visit, keep,
};
use gannet_model::{Failure, PageUrl, Response, Timestamp};
use gannet_politeness::{Contact, RobotsAnswer};
use gannet_store::Store;

use crate::replay::Seen;
use crate::web::{ReplayWeb, Reply};

/// A crawl on a virtual clock.
pub struct Player<'w> {
    crawl: Crawl,
    journey: Arc<Journey>,
    web: &'w mut dyn ReplayWeb,
    now: Timestamp,
    most_under_way: usize,
    /// What will be answered when, soonest first.
    under_way: BinaryHeap<Reverse<Exchange>>,
    /// Requests so far. Breaks ties: of two answers at one moment the first asked comes first.
    begun: u64,
    seen: Vec<Seen>,
    bytes: u64,
    heart: Duration,
    /// Where evidence is kept, if any is.
    archive: Option<(Writer, Encoder)>,
}

/// Why a replay could not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The settings do not make a crawl.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The heart failed.
    #[error(transparent)]
    Crawl(#[from] CrawlError),
    /// Evidence could not be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// Evidence could not be kept.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}

/// A request under way on the virtual clock.
struct Exchange {
    ends: Timestamp,
    number: u64,
    step: Step,
    answer: Result<Response, Failure>,
}

impl PartialEq for Exchange {
    fn eq(&self, other: &Exchange) -> bool {
        (self.ends, self.number) == (other.ends, other.number)
    }
}

impl Eq for Exchange {}

impl PartialOrd for Exchange {
    fn partial_cmp(&self, other: &Exchange) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exchange {
    fn cmp(&self, other: &Exchange) -> std::cmp::Ordering {
        (self.ends, self.number).cmp(&(other.ends, other.number))
    }
}

/// How long an address holds: longer than any replay asks again.
const ADDRESS_HOLDS: Duration = Duration::from_secs(3600);
/// What comes of asking a host that has no address.
const NOBODY: Reply = Reply { answer: Err(Failure::NameNotFound), took: Duration::ZERO };

impl<'w> Player<'w> {
    /// Opens the crawl that `store` holds, or begins one, at the virtual moment `began`.
    pub fn open(
        store: Box<dyn Store>,
        config: Config,
        web: &'w mut dyn ReplayWeb,
        began: Timestamp,
    ) -> Result<Player<'w>, ReplayError> {
        let journey = Journey::new(&config)?;
        Player::with_journey(store, config, journey, web, began)
    }

    /// Opens a crawl whose pages are read with this journey.
    pub(crate) fn with_journey(
        store: Box<dyn Store>,
        config: Config,
        journey: Journey,
        web: &'w mut dyn ReplayWeb,
        began: Timestamp,
    ) -> Result<Player<'w>, ReplayError> {
        let (config, journey) = (Arc::new(config), Arc::new(journey));
        let crawl = Crawl::open(config.clone(), journey.clone(), store, Vec::new(), began)?;
        Ok(Player {
            crawl,
            journey,
            web,
            now: began,
            most_under_way: config.limits.in_flight.max(1),
            under_way: BinaryHeap::new(),
            begun: 0,
            seen: Vec::new(),
            bytes: 0,
            heart: Duration::ZERO,
            archive: None,
        })
    }

    /// Keeps the evidence of all visits from now on.
    pub fn keep_in(&mut self, archive: Writer) -> Result<(), ReplayError> {
        let encoder = Encoder::new(archive.compression())?;
        self.archive = Some((archive, encoder));
        Ok(())
    }

    /// Looks at all known pages again, not before the moment `at`; tells why that ended.
    pub fn check(&mut self, at: Timestamp) -> Result<FinishReason, ReplayError> {
        self.now = self.now.max(at);
        self.crawl.check(&mut |_| true)?;
        self.play()
    }

    /// Ends the crawl in good order; the store and the archive are on the disk then.
    pub fn close(mut self, reason: FinishReason) -> Result<(), ReplayError> {
        if let Some((archive, _)) = &mut self.archive {
            archive.sync()?;
        }
        Ok(self.crawl.close(reason, self.now)?)
    }

    /// The memory of the crawl.
    pub fn store(&self) -> &dyn Store {
        self.crawl.store()
    }

    /// The time on the virtual clock.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// Every request that was sent: for pages and robots.txt, answered or not.
    pub fn requests(&self) -> u64 {
        self.begun
    }

    /// Body bytes of all answers, as they came over the wire.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How long the heart and its store took on the real clock.
    pub fn heart(&self) -> Duration {
        self.heart
    }

    /// The pages that were answered since this was last asked.
    pub fn take_seen(&mut self) -> Vec<Seen> {
        std::mem::take(&mut self.seen)
    }

    /// Runs until nothing is left to be done; tells why.
    pub fn play(&mut self) -> Result<FinishReason, ReplayError> {
        Ok(self.play_until(Timestamp::NEVER)?.unwrap_or(FinishReason::Exhausted))
    }

    /// Runs until this moment, or until nothing is left to be done; then tells why. What is under
    /// way at that moment stays so.
    pub fn play_until(&mut self, end: Timestamp) -> Result<Option<FinishReason>, ReplayError> {
        loop {
            let wake = match self.begin_steps()? {
                Ok(wake) => wake,
                Err(reason) => return Ok(Some(reason)),
            };
            let soonest = self.under_way.peek().map(|Reverse(exchange)| exchange.ends);
            if wake.min(soonest.unwrap_or(Timestamp::NEVER)) > end {
                self.now = end;
                return Ok(None);
            }
            match soonest {
                Some(ends) if ends <= wake => {
                    self.now = self.now.max(ends);
                    if let Some(Reverse(exchange)) = self.under_way.pop() {
                        self.take_in(exchange)?;
                    }
                }
                _ => self.now = self.now.max(wake),
            }
        }
    }

    /// Begins what can be begun; tells when to look again, or why it is over.
    fn begin_steps(&mut self) -> Result<Result<Timestamp, FinishReason>, ReplayError> {
        while self.under_way.len() < self.most_under_way {
            let asked = Instant::now();
            let step = self.crawl.next(self.now)?;
            self.heart += asked.elapsed();
            let reply = match &step {
                Step::Wait(until) => return Ok(Ok(*until)),
                Step::Done(reason) => return Ok(Err(*reason)),
                Step::Resolve(host, name) => {
                    let address = self.web.resolve(name);
                    let expires = self.now + ADDRESS_HOLDS;
                    self.crawl.resolved(*host, address.map(|ip| (ip, expires)), self.now)?;
                    continue;
                }
                Step::Robots(task) => match task.address {
                    Some(address) => self.web.answer(&task.url, address, self.now),
                    None => NOBODY,
                },
                Step::Visit(visit) => match visit.address {
                    Some(address) => {
                        self.web.answer_again(&visit.url, address, &visit.validators, self.now)
                    }
                    None => NOBODY,
                },
            };
            self.begun += 1;
            self.under_way.push(Reverse(Exchange {
                ends: self.now + reply.took,
                number: self.begun,
                step,
                answer: reply.answer,
            }));
        }
        Ok(Ok(Timestamp::NEVER))
    }

    fn take_in(&mut self, exchange: Exchange) -> Result<(), ReplayError> {
        self.bytes += exchange.answer.as_ref().map_or(0, |answer| answer.wire_body.len() as u64);
        match exchange.step {
            Step::Robots(task) => self.take_in_robots(task, &exchange.answer)?,
            Step::Visit(visit) => {
                let (report, kept) = match &exchange.answer {
                    Ok(response) => {
                        self.see(response, visit.depth);
                        let answered = self.read(response, &visit.approach());
                        let kept = self.keep(response, &answered, &visit)?;
                        (Report::Answered(Box::new(answered)), kept)
                    }
                    Err(failure) => {
                        let (failure, message) = (*failure, failure.to_string());
                        (Report::Failed { failure, message, asked_at: self.now }, None)
                    }
                };
                let told = Instant::now();
                self.crawl.visited(*visit, report, kept, self.now)?;
                self.heart += told.elapsed();
            }
            Step::Resolve(..) | Step::Wait(_) | Step::Done(_) => {}
        }
        Ok(())
    }

    fn keep(
        &mut self,
        response: &Response,
        answered: &Answered,
        visit: &Visit,
    ) -> Result<Option<Kept>, ReplayError> {
        let Some((archive, encoder)) = &mut self.archive else {
            return Ok(None);
        };
        let evidence = encode_visit(encoder, response, answered, visit.earlier)?;
        Ok(Some(keep(archive, &evidence)?))
    }

    fn take_in_robots(
        &mut self,
        task: RobotsTask,
        answer: &Result<Response, Failure>,
    ) -> Result<(), ReplayError> {
        let response = match answer {
            Ok(response) => response,
            Err(failure) => {
                let (answer, contact) = (RobotsAnswer::Failed(*failure), Contact::Failed(*failure));
                return Ok(self.crawl.robots_answered(task, answer, contact, 0, self.now)?);
            }
        };
        if let Some((archive, encoder)) = &mut self.archive {
            let evidence = encoder.encode_visit(&gannet_archive::Visit::of(response))?;
            keep(archive, &evidence)?;
        }
        let location = response.redirect_target();
        let answer = RobotsAnswer::Fetched {
            status: response.status,
            body: &response.body,
            location: location.as_ref().map(PageUrl::as_str),
            max_age: None,
        };
        let retry_after = response.headers.text("retry-after");
        let contact = Contact::Answered {
            status: response.status,
            retry_after: retry_after.as_deref(),
            took: response.timings.total,
        };
        let wire_bytes = response.wire_body.len() as u64;
        Ok(self.crawl.robots_answered(task, answer, contact, wire_bytes, self.now)?)
    }

    fn read(&self, response: &Response, approach: &Approach<'_>) -> Answered {
        let mut answered = match self.web.document(&response.url) {
            Some(document) => self.journey.read_again(response, document, approach),
            None => self.journey.read(response, approach),
        };
        if let Content::Page(reading) = &mut answered.content {
            reading.candidates.retain(|candidate| self.web.leads_to(&candidate.url));
        }
        answered
    }

    fn see(&mut self, response: &Response, depth: u32) {
        let is_relevant = response.is_success() && self.web.is_relevant(&response.url);
        let (url, status) = (response.url.clone(), response.status);
        let bytes = response.wire_body.len() as u64;
        self.seen.push(Seen { url, status, is_relevant, depth, bytes });
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use bytes::Bytes;
    use gannet_engine::history;
    use gannet_model::{Headers, Host, Validators};
    use gannet_relevance::Topic;
    use gannet_store::{InMemory, Visited};

    use super::*;

    const BEGAN: Timestamp = Timestamp::from_secs(1_800_000_000);
    const DAY: Duration = Duration::from_secs(24 * 3600);

    /// One page that never changes; its server gives it a new `ETag` on the second day.
    #[derive(Default)]
    struct Retagged {
        statuses: Vec<u16>,
    }

    impl ReplayWeb for Retagged {
        fn resolve(&self, _host: &Host) -> Result<IpAddr, Failure> {
            Ok(Ipv4Addr::new(10, 0, 0, 1).into())
        }

        fn answer(&mut self, url: &PageUrl, address: IpAddr, now: Timestamp) -> Reply {
            self.answer_again(url, address, &Validators::default(), now)
        }

        fn answer_again(
            &mut self,
            url: &PageUrl,
            address: IpAddr,
            held: &Validators,
            now: Timestamp,
        ) -> Reply {
            let etag = if now < BEGAN + DAY { "\"a\"" } else { "\"b\"" };
            let (status, body) = match (url.path(), held.etag.as_deref() == Some(etag)) {
                ("/robots.txt", _) => (404, Bytes::new()),
                (_, true) => (304, Bytes::new()),
                (_, false) => (200, Bytes::from_static(b"<p>The gannet dives.</p>")),
            };
            if status != 404 {
                self.statuses.push(status);
            }
            let headers: Headers =
                [("content-type", "text/html"), ("etag", etag)].into_iter().collect();
            let response = Response {
                request_head: Bytes::from_static(b"GET / HTTP/1.1\r\n\r\n"),
                address,
                asked_at: now,
                ..Response::made(url.clone(), status, headers, body)
            };
            Reply { answer: Ok(response), took: Duration::from_millis(1) }
        }

        fn is_relevant(&self, _url: &PageUrl) -> bool {
            true
        }
    }

    #[test]
    fn an_unchanged_page_is_asked_for_by_the_newest_validators_and_kept_once() {
        let directory = tempfile::tempdir().unwrap();
        let mut config = Config::new(Topic::from_words("birds").unwrap());
        let url = PageUrl::parse("http://a.test/").unwrap();
        config.seeds = vec![url.clone()];
        let mut web = Retagged::default();
        let mut player = Player::open(Box::new(InMemory::new()), config, &mut web, BEGAN).unwrap();
        let archive = Writer::open(directory.path(), gannet_archive::Config::default(), None);
        player.keep_in(archive.unwrap()).unwrap();
        player.play().unwrap();
        for day in 1..=3 {
            assert_eq!(player.check(BEGAN + DAY * day).unwrap(), FinishReason::Checked);
        }
        let [first, again @ ..] = &history(player.store(), url.fingerprint()).unwrap()[..] else {
            panic!("no visit")
        };
        assert!(first.is_new_version() && first.visit.digest.is_some());
        for entry in again {
            assert!(matches!(entry.visit.outcome, Visited::Unchanged(_)), "{entry:?}");
            assert_eq!((entry.visit.same_as, entry.visit.digest), (Some(first.number), None));
            assert!(entry.visit.archived.unwrap().length < 400);
        }
        assert_eq!(web.statuses, [200, 200, 304, 304]);
    }
}
