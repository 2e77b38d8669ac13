//! What the heart asks its driver to do, and what the driver reports back.

use std::net::IpAddr;
use std::sync::Arc;

use gannet_content::SiteTemplate;
use gannet_frontier::Entry;
use gannet_model::{Failure, Fingerprint, Host, HostId, PageUrl, Scheme, Timestamp, Validators};
use gannet_store::{ArchivedAt, UrlRecord, VisitNumber};

use crate::crawl::Past;
use crate::finish::FinishReason;
use crate::journey::{Answered, Approach};

/// What to do next.
#[derive(Debug)]
pub enum Step {
    /// Look this host up, then call [`Crawl::resolved`](crate::Crawl::resolved).
    Resolve(HostId, Host),
    /// Fetch this robots.txt, then call [`Crawl::robots_answered`](crate::Crawl::robots_answered).
    Robots(RobotsTask),
    /// Fetch this page, then call [`Crawl::visited`](crate::Crawl::visited).
    Visit(Box<Visit>),
    /// Nothing can be done before this moment, or before something under way has ended.
    Wait(Timestamp),
    /// The crawl is over and nothing is under way.
    Done(FinishReason),
}

/// A page to fetch. Whoever holds it must hand it back.
#[derive(Debug)]
pub struct Visit {
    /// Whose page it is.
    pub host: HostId,
    /// That host's name.
    pub name: Host,
    /// The address the gate was opened for; no other may be contacted.
    pub address: Option<IpAddr>,
    /// The page.
    pub url: PageUrl,
    /// The 64 bits that stand for it.
    pub fingerprint: Fingerprint,
    /// How many links from a seed it is.
    pub depth: u32,
    /// What to send so that the server may answer "not modified".
    pub validators: Validators,
    /// The version that was seen last, if the page was fetched before.
    pub earlier: Option<EarlierVersion>,
    /// The largest body the budget allows.
    pub body_limit: u64,
    /// What repeats over the pages of its host, as far as it was seen; reading needs it.
    pub template: Option<Arc<SiteTemplate>>,
    /// The place in the queue that it was taken from, and the one it has in the store.
    pub(crate) entry: Entry,
    pub(crate) stored: Entry,
    pub(crate) record: UrlRecord,
    /// What earlier visits found: read once, for the request and for the answer.
    pub(crate) past: Past,
}

/// The version of a page that was seen last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EarlierVersion {
    /// The visit that brought it.
    pub number: VisitNumber,
    /// When its request was sent.
    pub at: Timestamp,
    /// SHA-1 of its body as it came; `None` when it was not archived.
    pub digest: Option<[u8; 20]>,
}

/// What the archive kept of a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Where.
    pub at: ArchivedAt,
    /// SHA-1 of the body as it came.
    pub digest: [u8; 20],
}

impl Visit {
    /// What is known of the page before it is read.
    pub fn approach(&self) -> Approach<'_> {
        Approach {
            depth: self.depth,
            anchor: &self.record.found.anchor,
            template: self.template.as_deref(),
            file: self.record.found.how.file(),
        }
    }
}

/// A robots.txt to fetch. Whoever holds it must hand it back.
#[derive(Debug)]
pub struct RobotsTask {
    /// The host that is contacted: another than `asker` when robots.txt was redirected.
    pub host: HostId,
    /// That host's name.
    pub name: Host,
    /// The address the gate was opened for.
    pub address: Option<IpAddr>,
    /// What to fetch.
    pub url: PageUrl,
    /// The largest body to take.
    pub body_limit: u64,
    /// The host whose rules it holds.
    pub(crate) asker: HostId,
    /// The scheme whose rules it holds.
    pub(crate) scheme: Scheme,
}

/// What came of a visit.
#[derive(Debug)]
pub enum Report {
    /// The server answered.
    Answered(Box<Answered>),
    /// No usable answer came.
    Failed {
        /// The kind of failure.
        failure: Failure,
        /// What exactly happened, for people.
        message: String,
        /// When the request was sent.
        asked_at: Timestamp,
    },
    /// The host moved to another address before the request was sent: nobody was contacted.
    Moved(IpAddr),
    /// The crawl is being stopped: the request may or may not have reached the host.
    CalledOff,
}
