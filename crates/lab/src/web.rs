//! What a web must be able to do to be crawled in the lab.

use std::net::IpAddr;
use std::time::Duration;

use gannet_model::{Document, Failure, Host, PageUrl, Response, Timestamp, Validators};

/// A web that answers without sockets, on a virtual clock.
pub trait ReplayWeb {
    /// Where a host lives.
    fn resolve(&self, host: &Host) -> Result<IpAddr, Failure>;

    /// What it answers at this moment, and how long that takes.
    fn answer(&mut self, url: &PageUrl, address: IpAddr, now: Timestamp) -> Reply;

    /// What it answers to whoever sends the validators of the version that they hold. A web that
    /// does not say it is like the servers that never answer "not modified".
    fn answer_again(
        &mut self,
        url: &PageUrl,
        address: IpAddr,
        _held: &Validators,
        now: Timestamp,
    ) -> Reply {
        self.answer(url, address, now)
    }

    /// Whether a page is about the topic: the truth, not the crawler's opinion.
    fn is_relevant(&self, url: &PageUrl) -> bool;

    /// What a page says, if it always says the same and was read before: it need not be read again.
    fn document(&self, _url: &PageUrl) -> Option<&Document> {
        None
    }

    /// Whether links to this URL exist: false for those that a closed world leaves out.
    fn leads_to(&self, _url: &PageUrl) -> bool {
        true
    }
}

/// An answer of a [`ReplayWeb`].
#[derive(Clone, Debug)]
pub struct Reply {
    /// What came, or why nothing did.
    pub answer: Result<Response, Failure>,
    /// How long the exchange took.
    pub took: Duration,
}
