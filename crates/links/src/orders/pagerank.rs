//! Links of the highest PageRank come first (Cho, Garcia-Molina and Page, 1998; S2.10).
//!
//! `PR(p) = (1−d) + d·Σ PR(t)/c(t)` over the pages fetched and the links that
//! wait, where `t` links to `p` and has `c(t)` links. It is computed anew every 25
//! pages, and from then on only if the graph has grown by a tenth as well, or the
//! computing would outgrow the crawl. In between, links found since get what their
//! pages would give them.
//!
//! **Choose it when** important pages matter more than the topic, on a small crawl. **Cost:** the
//! whole graph in memory (see `opic` for one that needs none) and stored with the crawl; all of its
//! references ten times over at each computing. **Weakness:** knows no topic.

use gannet_model::{Reason, Reasons, SettingsError, Worth};
use serde::Deserialize;

use crate::graph::Graph;
use crate::order::{Entry, Finding, LinkSight, Order, Queued, Risen, Valued};
use crate::traits::{pack, unpack};
use gannet_model::limits;

pub(crate) const ENTRY: Entry = Entry {
    name: "pagerank",
    summary: "links of the highest PageRank come first, computed anew every 25 pages",
    build: |_, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(PageRank::new(config)))
    },
};

/// `[order.pagerank]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Share of its rank that a page hands on (d).
    damping: f32,
    /// Pages after which it is computed anew.
    every: u32,
    /// How much the graph must have grown as well, as a share.
    growth: f32,
}

impl Default for Config {
    fn default() -> Config {
        Config { damping: 0.85, every: 25, growth: 0.1 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        let is_right = (0.0..1.0).contains(&self.damping);
        limits::refuse_unless(is_right, "damping", self.damping, "a number from 0 to below 1")?;
        limits::at_least_one("every", self.every)?;
        limits::not_negative("growth", self.growth)
    }
}

/// Rounds of one computing. It goes on from the ranks of the last one, so few are enough.
const ROUNDS: usize = 10;
/// A rank that rose by less need not be told: the queue hardly tells it apart.
const WORTH_TELLING: f32 = 1.05;

struct PageRank {
    config: Config,
    graph: Graph,
    /// Of each node of the graph.
    ranks: Vec<f32>,
    /// How many of them took part in the last computing.
    computed: usize,
    /// References in the graph, now and at the last computing.
    references: usize,
    references_computed: usize,
    /// Pages since the last computing.
    pages: u32,
    risen: Vec<Risen>,
}

impl PageRank {
    fn new(config: Config) -> PageRank {
        PageRank {
            config,
            graph: Graph::default(),
            ranks: Vec::new(),
            computed: 0,
            references: 0,
            references_computed: 0,
            pages: 0,
            risen: Vec::new(),
        }
    }

    fn is_due(&self) -> bool {
        let grown = self.references_computed as f32 * (1.0 + self.config.growth);
        self.pages >= self.config.every && self.references as f32 >= grown
    }

    /// Makes room for nodes that are new; they have what a page has that nobody links to.
    fn grow(&mut self) {
        self.ranks.resize(self.graph.nodes.len(), 1.0 - self.config.damping);
    }

    fn compute(&mut self) {
        let before = self.ranks.clone();
        for _ in 0..ROUNDS {
            let mut next = vec![1.0 - self.config.damping; self.ranks.len()];
            for (node, rank) in self.graph.nodes.iter().zip(&self.ranks) {
                let share = self.config.damping * rank / node.links.len().max(1) as f32;
                for link in &node.links {
                    next[*link as usize] += share;
                }
            }
            self.ranks = next;
        }
        self.computed = self.ranks.len();
        self.references_computed = self.references;
        self.pages = 0;
        let each = self.graph.nodes.iter().zip(before.iter().zip(&self.ranks));
        self.risen.extend(each.filter_map(|(node, (before, now))| {
            let host = node.waiting_at().filter(|_| *now > before * WORTH_TELLING)?;
            Some(Risen { fingerprint: node.fingerprint, host, worth: Worth::new(*now) })
        }));
    }

    fn valued(&self, number: usize) -> Valued {
        let rank = self.ranks.get(number).copied().unwrap_or(1.0 - self.config.damping);
        let note = if number < self.computed { "" } else { "found since the last computing" };
        let reason = Reason::new("PageRank", rank).note(note);
        Valued::new(Worth::new(rank), Reasons::one(reason))
    }
}

impl Order for PageRank {
    fn value_seed(&mut self, seed: &Queued<'_>) -> Valued {
        self.graph.see_link(seed);
        self.grow();
        Valued::new(Worth::new(1.0), Reasons::one(Reason::new("seed", 1.0)))
    }

    fn observe(&mut self, finding: &Finding<'_>) {
        let number = self.graph.see_page(&finding.page, finding.links);
        self.grow();
        let links = &self.graph.nodes[number].links;
        let share = self.config.damping * self.ranks[number] / links.len().max(1) as f32;
        for link in links {
            if *link as usize >= self.computed {
                self.ranks[*link as usize] += share;
            }
        }
        self.references += links.len();
        self.pages += 1;
        if self.is_due() {
            self.compute();
        }
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let number = self.graph.see_link(&sight.target);
        self.grow();
        Some(self.valued(number))
    }

    fn revalue(&mut self, link: &Queued<'_>) -> Option<Valued> {
        let is_seed = link.depth == 0;
        let number = self.graph.find(link.fingerprint).filter(|_| !is_seed)?;
        Some(self.valued(number))
    }

    fn risen(&mut self) -> Vec<Risen> {
        std::mem::take(&mut self.risen)
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(pack(&self.graph))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let Some(graph) = unpack::<Graph>(state) else { return false };
        *self = PageRank::new(self.config);
        self.graph = graph;
        self.graph.renumber();
        self.references = self.graph.nodes.iter().map(|node| node.links.len()).sum();
        self.grow();
        self.compute();
        self.risen.clear();
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, page, url};

    #[test]
    fn ranks_solve_the_equation_on_a_ring_with_a_tail() {
        // a → b, b → a and c: by hand with d = ½, PR(c) = ½ + ¼·PR(b), PR(b) = ½ + ½·PR(a),
        // PR(a) = ½ + ¼·PR(b): PR(b) = 6/7, PR(c) = 5/7.
        let mut bench = Bench::with("pagerank", "gannet", "damping = 0.5\nevery = 2");
        let a = page("http://a.example/", 0.0, "").link("http://b.example/", "x");
        bench.worths(&a);
        let b = page("http://b.example/", 0.0, "")
            .link("http://a.example/", "x")
            .link("http://c.example/", "x");
        let worths = bench.worths(&b);
        assert!((worths[1] - 5.0 / 7.0).abs() < 1e-3, "{worths:?}");
    }

    #[test]
    fn ranks_stay_until_the_next_computing_and_then_those_that_rose_are_told() {
        let mut bench = Bench::with("pagerank", "gannet", "every = 3");
        let (well_known, obscure) = ("http://k.example/", "http://o.example/");
        bench.worths(&page("http://a.example/", 0.0, "").link(obscure, "x").link(well_known, "x"));
        assert!(bench.order.risen().is_empty());
        bench.worths(&page("http://b.example/", 0.0, "").link(well_known, "x"));
        let found_since = bench.worths(&page("http://c.example/", 0.0, "").link(well_known, "x"));
        let old = bench.worths(&page("http://d.example/", 0.0, "").link(well_known, "x"));
        assert_eq!(found_since, old, "not computed anew after four pages");
        bench.worths(&page("http://e.example/", 0.0, "").link(well_known, "x"));
        bench.worths(&page("http://f.example/", 0.0, "").link(well_known, "x"));
        let risen = bench.order.risen();
        assert_eq!(risen.len(), 1);
        assert_eq!(risen[0].fingerprint, url(well_known).fingerprint());
        assert!(risen[0].worth.get() > old[0]);
    }

    #[test]
    fn the_graph_survives_a_restart() {
        let mut first = Bench::with("pagerank", "gannet", "every = 1");
        let seed = page("http://a.example/", 0.0, "").link("http://b.example/", "x");
        let valued = first.show(&seed).remove(0).unwrap();
        let mut second = Bench::new("pagerank", "gannet");
        assert!(second.order.restore(&first.order.state().unwrap()));
        assert_eq!(second.revalue("http://b.example/", &valued), Some(valued));
    }

    #[test]
    fn a_damping_that_never_ends_is_refused() {
        assert!(Bench::refusal("pagerank", "damping = 1.0").contains("below 1"));
        assert!(Bench::refusal("pagerank", "every = 0").contains("`every` is 0"));
    }
}
