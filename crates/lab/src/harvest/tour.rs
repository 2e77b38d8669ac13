//! One crawl's view of a ground: what it answers, and what is true for one topic.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use gannet_model::{Document, Failure, Host, PageUrl, Timestamp};

use super::ground::{Ground, empty_answer};
use crate::testbed_web::TestbedWeb;
use crate::web::{ReplayWeb, Reply};

/// What becomes of links that lead to no page of the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeadLinks {
    /// They can be followed, as on any web: a known host answers 404, any other cannot be found.
    #[default]
    Follow,
    /// They are not there: a closed world, as in most published replays.
    LeaveOut,
}

/// A ground as one crawl sees it.
pub(super) struct Tour<'g> {
    ground: &'g Ground,
    relevant: &'g [bool],
    dead_links: DeadLinks,
    testbed: Option<TestbedWeb>,
}

/// How long an answer takes: all the same, so that with several requests under way each is
/// answered after those that were asked before it.
const LATENCY: Duration = Duration::from_millis(100);

impl<'g> Tour<'g> {
    /// A crawl for the topic that these pages are about.
    pub(super) fn new(ground: &'g Ground, relevant: &'g [bool], dead_links: DeadLinks) -> Self {
        let testbed = ground.synthetic.as_ref().map(|web| TestbedWeb::new(Arc::clone(web)));
        Tour { ground, relevant, dead_links, testbed }
    }
}

impl ReplayWeb for Tour<'_> {
    fn resolve(&self, host: &Host) -> Result<IpAddr, Failure> {
        match &self.testbed {
            Some(testbed) => testbed.resolve(host),
            None => self.ground.address(host.name()).ok_or(Failure::NameNotFound),
        }
    }

    fn answer(&mut self, url: &PageUrl, address: IpAddr, now: Timestamp) -> Reply {
        if let Some(testbed) = &mut self.testbed {
            let reply = testbed.answer(url, address, now);
            return Reply { took: reply.took.max(LATENCY), ..reply };
        }
        let answer = match self.ground.place(url) {
            Some(place) => self.ground.pages[place].response(address, now),
            None => empty_answer(url, 404, address, now),
        };
        Reply { answer: Ok(answer), took: LATENCY }
    }

    fn is_relevant(&self, url: &PageUrl) -> bool {
        self.ground.place(url).is_some_and(|place| self.relevant[place])
    }

    fn document(&self, url: &PageUrl) -> Option<&Document> {
        self.ground.document(self.ground.place(url)?)
    }

    fn leads_to(&self, url: &PageUrl) -> bool {
        self.dead_links == DeadLinks::Follow || self.ground.place(url).is_some()
    }
}
