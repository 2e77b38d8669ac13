//! What the web sees of a crawl, written down request by request before the answer goes out.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;

use gannet_model::{Failure, Host, PageUrl, Timestamp, Validators};
use gannet_testbed::{LogEntry, Web};

use crate::testbed_web::TestbedWeb;
use crate::web::{ReplayWeb, Reply};

/// The synthetic web, and what it sees.
pub(super) struct Observer {
    web: TestbedWeb,
    journal: File,
}

impl Observer {
    /// Goes on with the journal at this path.
    pub(super) fn new(web: Arc<Web>, journal: &Path) -> io::Result<Observer> {
        let journal = OpenOptions::new().create(true).append(true).open(journal)?;
        Ok(Observer { web: TestbedWeb::new(web), journal })
    }

    fn write(&mut self, url: &PageUrl, address: IpAddr, now: Timestamp, reply: &Reply) {
        let begun = now.as_micros();
        let ended = (now + reply.took).as_micros();
        let entry = LogEntry {
            host: url.host().name().to_owned(),
            url: url.as_str().to_owned(),
            path: url.path_and_query().to_owned(),
            method: "GET".to_owned(),
            address: match address {
                IpAddr::V4(address) => address,
                IpAddr::V6(_) => Ipv4Addr::UNSPECIFIED,
            },
            received_at: begun,
            finished_at: Some(ended),
            received_mono: begun,
            finished_mono: Some(ended),
            status: reply.answer.as_ref().map_or(0, |answer| answer.status),
            attempt: 0,
            user_agent: Some(gannet_testbed::AGENT.to_owned()),
        };
        let mut line = serde_json::to_vec(&entry).unwrap_or_default();
        line.push(b'\n');
        // A line that is lost makes the count of requests differ, which is noticed.
        let _ = self.journal.write_all(&line);
    }
}

impl ReplayWeb for Observer {
    fn resolve(&self, host: &Host) -> Result<IpAddr, Failure> {
        self.web.resolve(host)
    }

    fn answer(&mut self, url: &PageUrl, address: IpAddr, now: Timestamp) -> Reply {
        let reply = self.web.answer(url, address, now);
        self.write(url, address, now, &reply);
        reply
    }

    fn answer_again(
        &mut self,
        url: &PageUrl,
        address: IpAddr,
        held: &Validators,
        now: Timestamp,
    ) -> Reply {
        let reply = self.web.answer_again(url, address, held, now);
        self.write(url, address, now, &reply);
        reply
    }

    fn is_relevant(&self, url: &PageUrl) -> bool {
        self.web.is_relevant(url)
    }
}
