//! The part of the web that was seen: which page links to which, in memory.
//!
//! For strategies that need the whole graph at once (PageRank, hubs and
//! authorities). Pages are numbered in the order of their discovery, so that
//! walking the graph is the same in every run. It costs about 40 bytes for a page
//! or link and 4 for each reference.

use std::collections::HashMap;

use gannet_model::{Fingerprint, HostId};
use serde::{Deserialize, Serialize};

use crate::order::Queued;

/// Pages, fetched or only known by links, and what they link to.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    /// The place of each page in `nodes`; made anew when a graph is read.
    #[serde(skip)]
    numbers: HashMap<Fingerprint, usize>,
}

/// A page of the graph.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Node {
    pub(crate) fingerprint: Fingerprint,
    /// Known once the page was fetched or the link was valued; never, when it is not ours to follow.
    pub(crate) host: Option<HostId>,
    /// Numbers of the pages it links to, each once; empty until it is fetched.
    pub(crate) links: Vec<u32>,
    pub(crate) is_fetched: bool,
}

impl Node {
    /// Its host when it is a link that waits.
    pub(crate) fn waiting_at(&self) -> Option<HostId> {
        if self.is_fetched { None } else { self.host }
    }
}

impl Graph {
    /// Puts a fetched page into the graph with its links; tells its number.
    pub(crate) fn see_page(&mut self, page: &Queued<'_>, links: &[Fingerprint]) -> usize {
        let number = self.see_link(page);
        let links = links.iter().map(|link| self.number(*link) as u32).collect();
        let node = &mut self.nodes[number];
        node.links = links;
        node.is_fetched = true;
        number
    }

    /// Notes where a link leads; tells its number.
    pub(crate) fn see_link(&mut self, link: &Queued<'_>) -> usize {
        let number = self.number(link.fingerprint);
        self.nodes[number].host = Some(link.host);
        number
    }

    /// The number of a page that is known.
    pub(crate) fn find(&self, fingerprint: Fingerprint) -> Option<usize> {
        self.numbers.get(&fingerprint).copied()
    }

    /// Makes the numbers again after the graph was read from bytes.
    pub(crate) fn renumber(&mut self) {
        let each = self.nodes.iter().enumerate();
        self.numbers = each.map(|(number, node)| (node.fingerprint, number)).collect();
    }

    fn number(&mut self, fingerprint: Fingerprint) -> usize {
        *self.numbers.entry(fingerprint).or_insert_with(|| {
            self.nodes.push(Node { fingerprint, host: None, links: Vec::new(), is_fetched: false });
            self.nodes.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::url;
    use crate::traits::{pack, unpack};

    #[test]
    fn a_link_waits_until_its_page_is_fetched() {
        let mut graph = Graph::default();
        let (page, link) = (url("http://a.example/"), url("http://b.example/"));
        let queued = |url, host| Queued {
            fingerprint: gannet_model::PageUrl::fingerprint(url),
            url,
            host: HostId(host),
            depth: 0,
            traits: &[],
        };
        let number = graph.see_page(&queued(&page, 1), &[link.fingerprint()]);
        assert_eq!((number, graph.nodes[0].links.as_slice()), (0, [1].as_slice()));
        assert_eq!(graph.nodes[1].waiting_at(), None, "nobody said where it leads");
        graph.see_link(&queued(&link, 2));
        assert_eq!(graph.nodes[1].waiting_at(), Some(HostId(2)));

        let mut again: Graph = unpack(&pack(&graph)).unwrap();
        again.renumber();
        assert_eq!(again.find(link.fingerprint()), Some(1));
        again.see_page(&queued(&link, 2), &[]);
        assert_eq!(again.nodes[1].waiting_at(), None);
    }
}
