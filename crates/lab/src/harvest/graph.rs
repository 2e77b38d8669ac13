//! Which page of a ground leads to which, as the engine would follow them.
//!
//! Every page is asked for and read once by a [`Journey`], so that canonical
//! forms, redirects, `nofollow` and the scope's word count as in a crawl. Links
//! that lead out of the ground are left out.

use std::collections::VecDeque;
use std::net::Ipv4Addr;

use gannet_engine::{Approach, Candidate, Content, Journey};
use gannet_model::Timestamp;

use super::ground::Ground;
use super::tour::{DeadLinks, Tour};
use crate::relevance::parallel::in_parallel;
use crate::web::ReplayWeb;

/// Links between the pages of a ground, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkGraph {
    /// Where each page leads.
    pub(super) out: Vec<Vec<u32>>,
    /// From where it is linked.
    pub(super) into: Vec<Vec<u32>>,
    /// Bytes of each page's answer.
    pub(super) bytes: Vec<u64>,
}

/// A page that fails at first is asked again: a crawl would come back, too.
const MOST_ATTEMPTS: usize = 5;

impl LinkGraph {
    /// Reads every page of a ground.
    pub(super) fn read(
        ground: &Ground,
        journey: &Journey,
        began: Timestamp,
        threads: usize,
    ) -> LinkGraph {
        let places: Vec<usize> = (0..ground.size()).collect();
        let read = in_parallel(&places, threads, |place| links_of(ground, journey, *place, began));
        let (out, bytes) = read.into_iter().unzip();
        LinkGraph::new(out, bytes)
    }

    /// From the links of every page.
    pub(super) fn new(out: Vec<Vec<u32>>, bytes: Vec<u64>) -> LinkGraph {
        let mut into = vec![Vec::new(); out.len()];
        for (from, targets) in out.iter().enumerate() {
            for to in targets {
                into[*to as usize].push(from as u32);
            }
        }
        LinkGraph { out, into, bytes }
    }

    /// Which pages can be reached from these, themselves among them.
    pub(super) fn reachable(&self, from: &[usize]) -> Vec<bool> {
        let mut is_reached = vec![false; self.out.len()];
        let mut waiting: VecDeque<usize> = VecDeque::new();
        for seed in from {
            if !std::mem::replace(&mut is_reached[*seed], true) {
                waiting.push_back(*seed);
            }
        }
        while let Some(page) = waiting.pop_front() {
            for next in &self.out[page] {
                if !std::mem::replace(&mut is_reached[*next as usize], true) {
                    waiting.push_back(*next as usize);
                }
            }
        }
        is_reached
    }
}

/// Where a page leads within the ground, and how large its answer is.
fn links_of(ground: &Ground, journey: &Journey, place: usize, began: Timestamp) -> (Vec<u32>, u64) {
    let page = &ground.pages[place];
    // Nobody is asked whether a page is relevant here.
    let mut tour = Tour::new(ground, &[], DeadLinks::LeaveOut);
    for _ in 0..MOST_ATTEMPTS {
        let reply = tour.answer(&page.url, Ipv4Addr::LOCALHOST.into(), began);
        let Ok(response) = reply.answer else { continue };
        if response.status == 429 || response.status >= 500 {
            continue;
        }
        let approach = Approach::default();
        let answered = match ground.document(place) {
            Some(document) => journey.read_again(&response, document, &approach),
            None => journey.read(&response, &approach),
        };
        let candidates = match answered.content {
            Content::Page(reading) => reading.candidates,
            Content::Redirect(target) => target.into_iter().map(|target| *target).collect(),
            Content::File(_) | Content::Nothing => Vec::new(),
        };
        let is_followed = |candidate: &&Candidate| candidate.refusal.is_none();
        let followed = candidates.iter().filter(is_followed);
        let links = followed.filter_map(|candidate| ground.place(&candidate.url));
        let links = links.filter(|target| *target != place).map(|target| target as u32);
        return (links.collect(), answered.answer.wire_bytes);
    }
    (Vec::new(), 0)
}
