//! What could be had: an order that knows the truth and where every link leads.
//!
//! Omniscient greedy: a page that is known and relevant comes first; when there
//! is none, the known page that lies nearest, by links, to a relevant page not
//! yet known. The best possible order is not computable in reasonable time (it
//! contains the Steiner tree problem); no crawler has come near this one.

use std::collections::VecDeque;

use super::figures::{Fetched, Trace};
use super::graph::LinkGraph;

/// Crawls from `seeds` until `budget` pages are fetched or nothing relevant can be reached.
pub(super) fn crawl(graph: &LinkGraph, relevant: &[bool], seeds: &[usize], budget: u64) -> Trace {
    let mut oracle = Oracle {
        graph,
        relevant,
        depths: vec![None; relevant.len()],
        relevant_known: VecDeque::new(),
        others_known: Vec::new(),
        steps: Vec::new(),
    };
    for seed in seeds {
        oracle.meet(*seed, 0);
    }
    // Seeds come first in every crawl, relevant or not.
    for seed in seeds {
        if (oracle.steps.len() as u64) < budget && !oracle.is_fetched(*seed) {
            oracle.fetch(*seed);
        }
    }
    while (oracle.steps.len() as u64) < budget {
        let Some(page) = oracle.next() else { break };
        oracle.fetch(page);
    }
    let steps = oracle.steps.into_iter().map(|(_, fetched)| fetched);
    Trace::of_pages(steps.collect())
}

struct Oracle<'a> {
    graph: &'a LinkGraph,
    relevant: &'a [bool],
    /// How far from a seed each known page is.
    depths: Vec<Option<u32>>,
    /// Known and not fetched, by when they were met.
    relevant_known: VecDeque<usize>,
    others_known: Vec<usize>,
    steps: Vec<(usize, Fetched)>,
}

impl Oracle<'_> {
    fn meet(&mut self, page: usize, depth: u32) {
        if self.depths[page].is_some() {
            return;
        }
        self.depths[page] = Some(depth);
        if self.relevant[page] {
            self.relevant_known.push_back(page);
        } else {
            self.others_known.push(page);
        }
    }

    fn is_fetched(&self, page: usize) -> bool {
        !self.relevant_known.contains(&page) && !self.others_known.contains(&page)
    }

    fn fetch(&mut self, page: usize) {
        self.relevant_known.retain(|known| *known != page);
        self.others_known.retain(|known| *known != page);
        let depth = self.depths[page].unwrap_or(0);
        let is_relevant = self.relevant[page];
        self.steps.push((page, Fetched { is_relevant, depth, bytes: self.graph.bytes[page] }));
        for next in &self.graph.out[page] {
            self.meet(*next as usize, depth + 1);
        }
    }

    fn next(&self) -> Option<usize> {
        if let Some(page) = self.relevant_known.front() {
            return Some(*page);
        }
        let distances = self.distances();
        let nearest = self.others_known.iter().filter_map(|page| Some((distances[*page]?, *page)));
        // The first met of those equally near.
        nearest.min_by_key(|(distance, _)| *distance).map(|(_, page)| page)
    }

    /// How many links each page is from the nearest relevant page that is not known.
    fn distances(&self) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.relevant.len()];
        let mut waiting = VecDeque::new();
        for (page, (is_relevant, depth)) in self.relevant.iter().zip(&self.depths).enumerate() {
            if *is_relevant && depth.is_none() {
                distances[page] = Some(0);
                waiting.push_back((page, 0));
            }
        }
        while let Some((page, distance)) = waiting.pop_front() {
            for from in &self.graph.into[page] {
                let from = *from as usize;
                if distances[from].is_none() {
                    distances[from] = Some(distance + 1);
                    waiting.push_back((from, distance + 1));
                }
            }
        }
        distances
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pages fetched, by number, on a graph of links and relevant pages.
    #[track_caller]
    fn check(links: &[&[u32]], relevant: &[usize], seeds: &[usize], expected: &[(bool, u32)]) {
        let out: Vec<Vec<u32>> = links.iter().map(|links| links.to_vec()).collect();
        let graph = LinkGraph::new(out, vec![10; links.len()]);
        let is_relevant: Vec<bool> =
            (0..links.len()).map(|page| relevant.contains(&page)).collect();
        let trace = crawl(&graph, &is_relevant, seeds, 10);
        let steps: Vec<_> = trace.steps.iter().map(|step| (step.is_relevant, step.depth)).collect();
        assert_eq!(steps, expected);
    }

    #[test]
    fn relevant_pages_come_first_and_then_the_shortest_way_to_more() {
        // 0 leads to 1 (nothing), 2 (to 3, to 5) and 4 (to 5).
        let links: &[&[u32]] = &[&[1, 2, 4, 6], &[], &[3], &[5], &[5], &[], &[]];
        check(links, &[5, 6], &[0], &[(false, 0), (true, 1), (false, 1), (true, 2)]);
    }

    #[test]
    fn it_ends_when_nothing_relevant_can_be_reached() {
        check(&[&[1], &[], &[0]], &[0, 2], &[0], &[(true, 0)]);
    }
}
