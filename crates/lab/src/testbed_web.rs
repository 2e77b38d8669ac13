//! The synthetic web of `testbed`, asked in process.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use gannet_model::{
    Failure, Fingerprint, Headers, Host, PageUrl, Response, Timestamp, Timings, Validators,
};
use gannet_testbed::{Ask, Ending, Web};

use crate::web::{ReplayWeb, Reply};

/// The synthetic web of `testbed`, asked in process.
pub struct TestbedWeb {
    web: Arc<Web>,
    /// How often each URL was asked for: what fails at first may succeed later.
    attempts: HashMap<Fingerprint, u32>,
}

/// An answer that never comes is given up after this, as a real fetch would be.
const PATIENCE: Duration = Duration::from_secs(30);

impl TestbedWeb {
    /// Asks this web.
    pub fn new(web: Arc<Web>) -> TestbedWeb {
        TestbedWeb { web, attempts: HashMap::new() }
    }
}

impl ReplayWeb for TestbedWeb {
    /// Every host has an address of its own in 10.0.0.0/8, which nobody connects to.
    fn resolve(&self, host: &Host) -> Result<IpAddr, Failure> {
        let number = self.web.host_number(host.name()).ok_or(Failure::NameNotFound)?;
        let [_, b, c, d] = number.to_be_bytes();
        Ok(Ipv4Addr::new(10, b, c, d).into())
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
        let attempt = self.attempts.entry(url.fingerprint()).or_default();
        let host = url.host();
        let mut ask = Ask::new(host.name(), url.path_and_query(), now.as_micros());
        ask.if_none_match = held.etag.as_deref();
        ask.if_modified_since = held.last_modified.as_deref();
        ask.attempt = *attempt;
        *attempt += 1;
        let reply = self.web.respond(&ask);
        let took = reply.latency;
        match reply.ending {
            Ending::Whole => {}
            Ending::CutAfter(_) => return Reply { answer: Err(Failure::Broken), took },
            Ending::Repeat { .. } => return Reply { answer: Err(Failure::BodyTooLarge), took },
            Ending::Drip { .. } | Ending::Silent => {
                return Reply { answer: Err(Failure::Timeout), took: PATIENCE };
            }
        }
        let headers: Headers =
            reply.headers.into_iter().map(|(name, value)| (name.into_owned(), value)).collect();
        let response = Response {
            address,
            asked_at: now,
            timings: Timings { connect: Duration::ZERO, first_byte: took, total: took },
            ..Response::made(url.clone(), reply.status, headers, reply.body)
        };
        Reply { answer: Ok(response), took }
    }

    fn is_relevant(&self, url: &PageUrl) -> bool {
        self.web.truth(url.as_str()).is_some_and(|truth| truth.is_relevant)
    }
}
