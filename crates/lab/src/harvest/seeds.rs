//! Where crawls begin: near the topic, or far from it.

use super::graph::LinkGraph;
use super::ground::{Ground, GroundTopic};
use crate::relevance::draw::Draw;

/// What kind of pages crawls begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeedKind {
    /// Five relevant pages that lead to relevant pages.
    #[default]
    Topic,
    /// One page with many links that is not relevant: the test of tunnelling.
    Root,
}

/// Pages that a crawl on its topic begins with.
pub(super) const SEEDS: usize = 5;
/// Relevant pages that each of them leads to, at least.
const RELEVANT_LINKS: usize = 2;
/// The share of the topic that can be reached from a root, at least: a root that leads to one page
/// of hundreds tests nothing.
const REACHED_FROM_ROOT: f64 = 0.1;

/// So many sets of seeds for a topic; fewer, or none, when the web has not enough such pages.
pub(super) fn seed_sets(
    ground: &Ground,
    graph: &LinkGraph,
    topic: &GroundTopic,
    kind: SeedKind,
    (count, seed): (usize, u64),
) -> Vec<Vec<usize>> {
    match kind {
        SeedKind::Topic => {
            let fit = fit_for_seeds(graph, &topic.relevant);
            if fit.len() < SEEDS {
                return Vec::new();
            }
            let set = |nth: usize| {
                let purpose = [ground.name.as_str(), &topic.name, "seeds", &nth.to_string()];
                Draw::seeded(seed, &purpose).sample(&fit, SEEDS)
            };
            (0..count).map(set).collect()
        }
        SeedKind::Root => roots(graph, topic, count).into_iter().map(|root| vec![root]).collect(),
    }
}

/// Relevant pages that lead to enough relevant pages.
pub(super) fn fit_for_seeds(graph: &LinkGraph, relevant: &[bool]) -> Vec<usize> {
    let leads_on = |page: &usize| {
        graph.out[*page].iter().filter(|next| relevant[**next as usize]).count() >= RELEVANT_LINKS
    };
    (0..relevant.len()).filter(|page| relevant[*page]).filter(leads_on).collect()
}

/// The irrelevant pages with most links from which enough of the topic can be reached.
fn roots(graph: &LinkGraph, topic: &GroundTopic, count: usize) -> Vec<usize> {
    let relevant = &topic.relevant;
    let mut others: Vec<usize> = (0..relevant.len()).filter(|page| !relevant[*page]).collect();
    others.sort_by_key(|page| std::cmp::Reverse(graph.out[*page].len()));
    let least = (topic.size() as f64 * REACHED_FROM_ROOT).max(1.0);
    let reaches_enough = |page: &usize| {
        let is_reached = graph.reachable(&[*page]);
        let reached = is_reached.iter().zip(relevant).filter(|(is, rel)| **is && **rel).count();
        reached as f64 >= least
    };
    others.into_iter().filter(reaches_enough).take(count).collect()
}
