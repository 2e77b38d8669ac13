//! One errand: look a host up, fetch its robots.txt, or fetch and read a page.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use gannet_archive::{Compression, EncodeError, Encoded, Encoder};
use gannet_fetch::{Accept, FetchError, Fetcher, Request, Target};
use gannet_model::{Failure, Host, HostId, PageUrl, Response, Timestamp};
use tokio::sync::watch;

use super::Clock;
use crate::journey::Journey;
use crate::keeping::encode_visit;
use crate::step::{Report, RobotsTask, Step, Visit};

/// What an errand brought back.
pub(super) enum Done {
    Resolved(HostId, Result<(IpAddr, Timestamp), Failure>),
    Robots(Box<RobotsTask>, RobotsReply, Option<Encoded>),
    Visited(Box<Visit>, Report, Option<Encoded>),
}

/// What came of asking for robots.txt.
pub(super) enum RobotsReply {
    Answered {
        status: u16,
        body: Bytes,
        wire_bytes: u64,
        location: Option<String>,
        max_age: Option<Duration>,
        retry_after: Option<String>,
        took: Duration,
    },
    Failed(Failure),
    CalledOff,
}

/// Runs errands. Shared by all tasks.
pub(super) struct Errands {
    fetcher: Fetcher,
    journey: Arc<Journey>,
    clock: Clock,
    /// `None` when no evidence is kept.
    compression: Option<Compression>,
    /// Encoders at rest: each holds the state of a compressor, which is too large to make anew.
    encoders: Mutex<Vec<Encoder>>,
}

/// Pages up to this size are read where they were fetched; larger ones would
/// keep the other fetches of that thread waiting and go to a thread for blocking work.
const READ_IN_PLACE: usize = 256 << 10;
/// An address from an override or a literal does not change; look again after this all the same.
const ADDRESS_HOLDS: Duration = Duration::from_secs(3600);

impl Errands {
    pub(super) fn new(
        fetcher: Fetcher,
        journey: Arc<Journey>,
        compression: Option<Compression>,
        clock: Clock,
    ) -> Errands {
        Errands { fetcher, journey, clock, compression, encoders: Mutex::new(Vec::new()) }
    }

    /// Runs one step; a step that needs no running is a mistake of the caller.
    pub(super) async fn run(
        self: Arc<Errands>,
        step: Step,
        called_off: watch::Receiver<bool>,
    ) -> Done {
        match step {
            Step::Resolve(host, name) => Done::Resolved(host, self.resolve(&name).await),
            Step::Robots(task) => self.robots(Box::new(task), called_off).await,
            Step::Visit(visit) => self.visit(visit, called_off).await,
            Step::Wait(_) | Step::Done(_) => {
                unreachable!("the driver runs steps that do something")
            }
        }
    }

    async fn resolve(&self, name: &Host) -> Result<(IpAddr, Timestamp), Failure> {
        let target = self.fetcher.resolve(name).await.map_err(|error| error.failure())?;
        let holds = target
            .expires()
            .map_or(ADDRESS_HOLDS, |expires| expires.saturating_duration_since(Instant::now()));
        Ok((target.primary(), self.clock.now() + holds))
    }

    async fn robots(&self, task: Box<RobotsTask>, called_off: watch::Receiver<bool>) -> Done {
        let asked = async {
            let target = self.target(&task.name, task.address).await?;
            let mut request = Request::new(task.url.clone(), target);
            request.accept = Accept::Robots;
            request.body_limit = Some(task.body_limit);
            self.fetcher.fetch(request).await.map_err(Trouble::Fetch)
        };
        let reply = match or_called_off(asked, called_off).await {
            None => return Done::Robots(task, RobotsReply::CalledOff, None),
            Some(Ok(response)) => {
                let evidence = self.with_encoder(&response.url, |encoder| {
                    encoder.encode_visit(&gannet_archive::Visit::of(&response))
                });
                return Done::Robots(task, answered(&response), evidence);
            }
            Some(Err(Trouble::Fetch(error))) => RobotsReply::Failed(error.failure()),
            Some(Err(Trouble::Moved(_))) => RobotsReply::CalledOff,
        };
        Done::Robots(task, reply, None)
    }

    async fn visit(
        self: Arc<Errands>,
        visit: Box<Visit>,
        called_off: watch::Receiver<bool>,
    ) -> Done {
        let asked_at = self.clock.now();
        let asked = async {
            let target = self.target(&visit.name, visit.address).await?;
            let mut request = Request::new(visit.url.clone(), target);
            request.validators = visit.validators.clone();
            request.body_limit = Some(visit.body_limit);
            self.fetcher.fetch(request).await.map_err(Trouble::Fetch)
        };
        let report = match or_called_off(asked, called_off).await {
            None => Report::CalledOff,
            Some(Err(Trouble::Moved(ip))) => Report::Moved(ip),
            Some(Err(Trouble::Fetch(error))) => {
                let failure = error.failure();
                Report::Failed { failure, message: with_sources(&error), asked_at }
            }
            Some(Ok(response)) => return self.clone().read(response, visit).await,
        };
        Done::Visited(visit, report, None)
    }

    /// Where the host lives, if it still lives where the gate was opened for.
    async fn target(&self, name: &Host, opened_for: Option<IpAddr>) -> Result<Target, Trouble> {
        let target = self.fetcher.resolve(name).await.map_err(Trouble::Fetch)?;
        match opened_for {
            Some(address) if address != target.primary() => Err(Trouble::Moved(target.primary())),
            _ => Ok(target),
        }
    }

    async fn read(self: Arc<Errands>, response: Response, visit: Box<Visit>) -> Done {
        if response.body.len() <= READ_IN_PLACE {
            return self.read_now(&response, visit);
        }
        let large = tokio::task::spawn_blocking(move || self.read_now(&response, visit));
        match large.await {
            Ok(read) => read,
            Err(panic) => std::panic::resume_unwind(panic.into_panic()),
        }
    }

    fn read_now(&self, response: &Response, visit: Box<Visit>) -> Done {
        let answered = self.journey.read(response, &visit.approach());
        let evidence = self.with_encoder(&response.url, |encoder| {
            encode_visit(encoder, response, &answered, visit.earlier)
        });
        Done::Visited(visit, Report::Answered(Box::new(answered)), evidence)
    }

    fn with_encoder(
        &self,
        url: &PageUrl,
        encode: impl FnOnce(&mut Encoder) -> Result<Encoded, EncodeError>,
    ) -> Option<Encoded> {
        let compression = self.compression?;
        let at_rest = self.encoders.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut encoder = match at_rest {
            Some(encoder) => encoder,
            None => Encoder::new(compression).ok()?,
        };
        let encoded = encode(&mut encoder);
        self.encoders.lock().unwrap_or_else(PoisonError::into_inner).push(encoder);
        match encoded {
            Ok(encoded) => Some(encoded),
            Err(error) => {
                tracing::error!(%url, %error, "a page could not be archived");
                None
            }
        }
    }
}

/// Why an exchange did not take place or brought nothing.
enum Trouble {
    Fetch(FetchError),
    Moved(IpAddr),
}

/// Waits for `work`, unless everything is called off first.
async fn or_called_off<T>(
    work: impl Future<Output = T>,
    mut called_off: watch::Receiver<bool>,
) -> Option<T> {
    tokio::select! {
        done = work => Some(done),
        // An error means that the driver is gone, which is another way to be called off.
        _ = called_off.wait_for(|is_off| *is_off) => None,
    }
}

fn answered(response: &Response) -> RobotsReply {
    RobotsReply::Answered {
        status: response.status,
        body: response.body.clone(),
        wire_bytes: response.wire_body.len() as u64,
        location: response.redirect_target().map(String::from),
        max_age: response.headers.text("cache-control").and_then(|value| max_age(&value)),
        retry_after: response.headers.text("retry-after"),
        took: response.timings.total,
    }
}

/// `max-age` of a `Cache-Control` header.
fn max_age(cache_control: &str) -> Option<Duration> {
    let mut directives = cache_control.split(',').map(str::trim);
    let seconds = directives.find_map(|directive| directive.strip_prefix("max-age="))?;
    seconds.trim_matches('"').parse().ok().map(Duration::from_secs)
}

/// An error with everything that caused it, in one line.
fn with_sources(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let text = cause.to_string();
        if !message.contains(&text) {
            message.push_str(": ");
            message.push_str(&text);
        }
        source = cause.source();
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn max_age_is_found_among_other_directives() {
        assert_eq!(max_age("public, max-age=60"), Some(Duration::from_secs(60)));
        assert_eq!(max_age("no-store"), None);
        assert_eq!(max_age("max-age=soon"), None);
    }
}
