//! What is remembered of a URL, a host, a visit and the crawl as a whole.
//!
//! Stored as postcard behind a version byte (`encoding`): adding or reordering
//! a field is a new version.

use gannet_frontier::QueueKey;
use gannet_model::{
    Change, Failure, FileKind, Fingerprint, Happening, Host, HostId, Judgement, LinkKind, Note,
    PageUrl, Reasons, Timestamp, Validators, Worth,
};
use gannet_politeness::{Pace, Tries};
use serde::{Deserialize, Serialize};

/// The number of a visit, in the order of their commits.
pub type VisitNumber = u64;

/// Everything known of one URL, fetched or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UrlRecord {
    /// What a resuming crawl needs of every URL; stored first so that it can be read alone.
    pub head: UrlHead,
    /// The address itself.
    pub url: PageUrl,
    /// How it was found first.
    pub found: Found,
    /// What it was last valued at.
    pub worth: Worth,
    /// What that worth was made of.
    pub reasons: Reasons,
    /// What the ordering wants to know of it when it sees it again; only the ordering reads it.
    #[serde(with = "crate::bytes")]
    pub traits: Vec<u8>,
    /// Why it stands as it does, in words.
    pub because: String,
    /// Attempts that failed since the last success.
    pub tries: Tries,
    /// The newest visit.
    pub last_visit: Option<VisitNumber>,
}

/// The part of a [`UrlRecord`] that a resuming crawl reads for every URL.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UrlHead {
    /// Whose URL it is.
    pub host: HostId,
    /// How it stands.
    pub status: Status,
}

/// How a URL stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Status {
    /// Waits in its host's queue.
    Queued {
        /// At this place.
        key: QueueKey,
    },
    /// Waits for a time: a retry or a return.
    Scheduled {
        /// Not before this.
        due: Timestamp,
    },
    /// Was fetched.
    Fetched,
    /// Leads elsewhere.
    Redirected,
    /// Was tried and given up.
    Failed,
    /// Will not be fetched: out of scope or forbidden.
    Skipped,
    /// Was fetched, and is not there any more.
    Gone,
}

/// How a URL was found first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Found {
    /// When.
    pub at: Timestamp,
    /// On which page; `None` for seeds.
    pub parent: Option<Fingerprint>,
    /// By what.
    pub how: How,
    /// Links from a seed.
    pub depth: u32,
    /// Redirects that led here without a page between.
    pub redirects: u8,
    /// The words of the link.
    pub anchor: String,
}

/// What led to a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// The user named it.
    Seed,
    /// A link.
    Link(LinkKind),
    /// A redirect.
    Redirect,
    /// `<meta http-equiv=refresh>`.
    Refresh,
    /// The address a page gives itself.
    Canonical,
    /// An ancestor directory of a URL that was found (S1.11).
    Ancestor,
    /// A feed or a sitemap names it, or robots.txt names the sitemap.
    Listed,
    /// A page shows it: a file that is fetched to see whether it changed.
    Attached(FileKind),
}

impl How {
    /// What the URL is to the page that shows it; `None` for pages.
    pub fn file(self) -> Option<FileKind> {
        match self {
            How::Attached(kind) => Some(kind),
            _ => None,
        }
    }
}

/// What is remembered of a host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostRecord {
    /// Its name.
    pub name: Host,
    /// When it may be contacted again.
    pub pace: Pace,
    /// What it gave.
    pub counters: HostCounters,
}

/// What a host gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostCounters {
    /// Pages fetched with a 2xx answer.
    pub fetched: u64,
    /// Of those, relevant.
    pub relevant: u64,
    /// Answers with an error status.
    pub errors: u64,
    /// Requests without a usable answer.
    pub failures: u64,
    /// Bytes received.
    pub bytes: u64,
}

/// One visit: one page request and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VisitRecord {
    /// Which URL.
    pub url: Fingerprint,
    /// When the request was sent.
    pub at: Timestamp,
    /// When the exchange was over.
    pub ended: Timestamp,
    /// What came of it.
    pub outcome: Visited,
    /// Where the evidence is.
    pub archived: Option<ArchivedAt>,
    /// The visit to this URL before this one.
    pub previous: Option<VisitNumber>,
    /// How many visits to this URL there were, this one included.
    pub ordinal: u32,
    /// SHA-1 of the body as it came; `None` where [`VisitRecord::same_as`] says who has it.
    pub digest: Option<[u8; 20]>,
    /// The visit that brought the page which this one found unchanged: the archive keeps it there.
    pub same_as: Option<VisitNumber>,
    /// What happened to the page.
    pub happening: Option<Happening>,
    /// What changed since the version before; `None` when nothing did or there was none.
    pub change: Option<Change>,
    /// Whether the change before this one was still there; `None` when there was none to look for.
    pub persisted: Option<bool>,
}

/// What came of a visit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Visited {
    /// A page that could be read and judged.
    Page(Answer, PageFacts),
    /// An answer without a page: an error status, or "not modified".
    Answered(Answer),
    /// A redirect.
    Redirected(Answer, Option<PageUrl>),
    /// No usable answer.
    Failed(Failure, String),
    /// The page that an earlier visit brought, byte for byte, or the word that it is the same.
    Unchanged(Answer),
    /// A file that belongs to a page.
    File(Answer),
}

/// The bare facts of an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The media type without parameters.
    pub media_type: String,
    /// Bytes of the body on the wire.
    pub wire_bytes: u64,
    /// Bytes of the body unpacked.
    pub body_bytes: u64,
    /// What to send on the next visit; empty for a page unchanged whose version says the same.
    pub validators: Validators,
}

/// What a page turned out to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PageFacts {
    /// Its title.
    pub title: String,
    /// Its declared language.
    pub language: Option<String>,
    /// The address it gives itself, if another.
    pub canonical: Option<PageUrl>,
    /// Whether it is about the topic, and why.
    pub judgement: Judgement,
    /// Links on it.
    pub links: u32,
    /// Of those, never seen before and queued.
    pub new_links: u32,
    /// What was odd about its bytes.
    pub notes: Vec<Note>,
}

/// Where the archive keeps the evidence of a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchivedAt {
    /// The number of the file.
    pub file: u32,
    /// Where the visit's records begin.
    pub offset: u64,
    /// How many bytes they take.
    pub length: u64,
    /// Where the response record begins.
    pub response_offset: u64,
}

/// What the crawl did so far. Written with every commit, so it is never ahead of or behind the rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Page requests that got an answer.
    pub answered: u64,
    /// Of those: pages with a 2xx status.
    pub fetched: u64,
    /// Of those: relevant.
    pub relevant: u64,
    /// Redirects.
    pub redirects: u64,
    /// Error statuses.
    pub errors: u64,
    /// Page requests without a usable answer.
    pub failures: u64,
    /// Requests for robots.txt.
    pub robots: u64,
    /// URLs that will not be fetched: out of scope or forbidden.
    pub skipped: u64,
    /// Body bytes on the wire, robots.txt included.
    pub wire_bytes: u64,
    /// Body bytes unpacked.
    pub body_bytes: u64,
    /// Links seen on pages.
    pub links: u64,
    /// Time spent crawling, in microseconds, over all runs.
    pub crawled_micros: u64,
}

/// What the crawl is: written when it starts and when it stops.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CrawlRecord {
    /// When the data directory was made.
    pub created: Timestamp,
    /// The topic in words.
    pub topic: String,
    /// The whole topic, with weights and patterns, as `relevance` writes it in JSON;
    /// `None` in the data of versions that kept the words alone.
    pub definition: Option<String>,
    /// The relevance model's name.
    pub model: String,
    /// The ordering's name.
    pub order: String,
    /// The scope rules as prose.
    pub scope: String,
    /// Whether a crawl runs, or how the last one ended.
    pub state: CrawlState,
}

/// Whether a crawl runs, or how the last one ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CrawlState {
    /// One runs, or was killed: whoever opens the store knows which, since a running one holds the lock.
    Running {
        /// Since when.
        since: Timestamp,
    },
    /// The last one stopped in good order: everything it knew is here.
    Stopped {
        /// When.
        at: Timestamp,
        /// Why, as its `finish_reason` says.
        reason: String,
    },
}

impl Counters {
    /// A page that is counted was judged again and now counts the other way.
    pub fn turn(&mut self, is_relevant: bool) {
        turn(&mut self.relevant, is_relevant);
    }
}

impl HostCounters {
    /// A page that is counted was judged again and now counts the other way.
    pub fn turn(&mut self, is_relevant: bool) {
        turn(&mut self.relevant, is_relevant);
    }
}

fn turn(relevant: &mut u64, is_relevant: bool) {
    *relevant = if is_relevant { *relevant + 1 } else { relevant.saturating_sub(1) };
}
