//! Soft or hard focus, and links of the best hubs raised above all (Chakrabarti, van den Berg and
//! Dom, 1999).
//!
//! `worth(u) = max over known parents p of R(p)`; with `focus = "hard"` only
//! relevant pages hand on their links. Every few hundred pages the distiller looks
//! for hubs among the pages fetched, in rounds over references between different hosts:
//!
//! ```text
//! a(v) = Σ over u → v of R(v)·h(u)        h(u) = Σ over u → v of R(u)·a(v)
//! ```
//!
//! Links of the best hubs that wait and lead to other hosts rise to
//! `1 + h(u)/h(best)`.
//!
//! **Choose it when** the web has lists of links on the topic. **Cost:** the whole graph in memory
//! and stored with the crawl; all of its references ten times over at each distilling.
//! **Weakness:** within one site there are no hubs.

use gannet_model::{Reason, Reasons, SettingsError, Worth};
use serde::Deserialize;

use crate::graph::Graph;
use crate::order::{Entry, Finding, LinkSight, Order, Risen, Valued};
use crate::traits::{pack, unpack};
use gannet_model::limits;

pub(crate) const ENTRY: Entry = Entry {
    name: "distiller",
    summary: "soft or hard focus, and links of the best hubs first (distiller)",
    build: |_, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Distiller {
            config,
            graph: Graph::default(),
            relevance: Vec::new(),
            pages: 0,
            risen: Vec::new(),
        }))
    },
};

/// `[order.distiller]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Whether links of irrelevant pages are followed.
    focus: Focus,
    /// Pages after which hubs are looked for again.
    every: u32,
    /// How many of the best hubs have their links raised.
    hubs: u32,
}

/// Which links are followed at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Focus {
    /// All, by the relevance of their page.
    Soft,
    /// Those of relevant pages.
    Hard,
}

impl Default for Config {
    fn default() -> Config {
        Config { focus: Focus::Soft, every: 300, hubs: 20 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::at_least_one("every", self.every)?;
        limits::at_least_one("hubs", self.hubs)
    }
}

/// Rounds of one distilling: the best hubs are found in a few.
const ROUNDS: usize = 5;

struct Distiller {
    config: Config,
    graph: Graph,
    /// Of each node of the graph; 0 for links that wait.
    relevance: Vec<f32>,
    /// Pages since hubs were looked for.
    pages: u32,
    risen: Vec<Risen>,
}

impl Distiller {
    /// References between fetched pages of different hosts.
    fn references(&self) -> Vec<(usize, usize)> {
        let nodes = &self.graph.nodes;
        let fetched = nodes.iter().enumerate().filter(|(_, node)| node.is_fetched);
        let each = fetched.flat_map(|(from, node)| {
            let leads_out = move |to: &usize| nodes[*to].is_fetched && nodes[*to].host != node.host;
            node.links.iter().map(|to| *to as usize).filter(leads_out).map(move |to| (from, to))
        });
        each.collect()
    }

    /// How much of a hub each page is; the best is 1.
    fn hubs(&self) -> Vec<f32> {
        let references = self.references();
        let mut hubs = vec![1.0_f32; self.graph.nodes.len()];
        for _ in 0..ROUNDS {
            let mut authorities = vec![0.0_f32; hubs.len()];
            for (from, to) in &references {
                authorities[*to] += self.relevance[*to] * hubs[*from];
            }
            hubs.fill(0.0);
            for (from, to) in &references {
                hubs[*from] += self.relevance[*from] * authorities[*to];
            }
            let best = hubs.iter().copied().fold(0.0, f32::max);
            if best <= 0.0 {
                return hubs;
            }
            hubs.iter_mut().for_each(|hub| *hub /= best);
        }
        hubs
    }

    fn distil(&mut self) {
        self.pages = 0;
        let hubs = self.hubs();
        let mut best: Vec<usize> = (0..hubs.len()).filter(|node| hubs[*node] > 0.0).collect();
        best.sort_by(|a, b| hubs[*b].total_cmp(&hubs[*a]).then(a.cmp(b)));
        best.truncate(self.config.hubs as usize);
        let mut is_raised = vec![false; hubs.len()];
        for hub in best {
            let node = &self.graph.nodes[hub];
            for link in &node.links {
                let target = &self.graph.nodes[*link as usize];
                let Some(host) = target.waiting_at().filter(|host| Some(*host) != node.host) else {
                    continue;
                };
                // The best hub that holds it comes first.
                if std::mem::replace(&mut is_raised[*link as usize], true) {
                    continue;
                }
                let worth = Worth::new(1.0 + hubs[hub]);
                self.risen.push(Risen { fingerprint: target.fingerprint, host, worth });
            }
        }
    }
}

impl Order for Distiller {
    fn observe(&mut self, finding: &Finding<'_>) {
        let number = self.graph.see_page(&finding.page, finding.links);
        self.relevance.resize(self.graph.nodes.len(), 0.0);
        self.relevance[number] = finding.judgement.score.get();
        self.pages += 1;
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        if self.config.focus == Focus::Hard && !sight.judgement.is_relevant() {
            return None;
        }
        self.graph.see_link(&sight.target);
        self.relevance.resize(self.graph.nodes.len(), 0.0);
        let worth = sight.judgement.score.get();
        let reason = Reason::new("parent relevance", worth);
        Some(Valued::new(Worth::new(worth), Reasons::one(reason)))
    }

    fn risen(&mut self) -> Vec<Risen> {
        if self.pages >= self.config.every {
            self.distil();
        }
        std::mem::take(&mut self.risen)
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(pack(&(&self.graph, &self.relevance, self.pages)))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let Some((graph, relevance, pages)) = unpack::<(Graph, Vec<f32>, u32)>(state) else {
            return false;
        };
        if relevance.len() != graph.nodes.len() {
            return false;
        }
        (self.graph, self.relevance, self.pages) = (graph, relevance, pages);
        self.graph.renumber();
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, page, url};

    /// A hub that cites two good pages and one that waits, and a list of a rival that cites none.
    fn show_hubs(bench: &mut Bench) {
        let good = ["http://b.example/", "http://c.example/"];
        let hub = page("http://a.example/", 0.6, "")
            .link(good[0], "x")
            .link(good[1], "x")
            .link("http://a.example/own", "x")
            .link("http://waits.example/", "x");
        bench.worths(&hub);
        bench.worths(&page("http://r.example/", 0.9, "").link("http://other.example/", "x"));
        for address in good {
            bench.worths(&page(address, 0.9, ""));
        }
    }

    #[test]
    fn waiting_links_of_the_best_hub_rise_above_everything_across_hosts_only() {
        let mut bench = Bench::with("distiller", "gannet", "every = 4");
        show_hubs(&mut bench);
        let risen = bench.order.risen();
        let waits = url("http://waits.example/").fingerprint();
        assert_eq!(risen.iter().map(|risen| risen.fingerprint).collect::<Vec<_>>(), [waits]);
        assert_eq!(risen[0].worth.get(), 2.0);
        assert!(bench.order.risen().is_empty(), "until as many pages were read again");
    }

    #[test]
    fn it_distils_what_an_earlier_run_saw() {
        let mut first = Bench::with("distiller", "gannet", "every = 4");
        show_hubs(&mut first);
        let mut second = Bench::with("distiller", "gannet", "every = 4");
        assert!(second.order.restore(&first.order.state().unwrap()));
        assert_eq!(second.order.risen(), first.order.risen());
    }

    #[test]
    fn soft_focus_follows_all_links_and_hard_focus_those_of_relevant_pages() {
        let worth = |focus: &str, score| {
            let mut bench = Bench::with("distiller", "gannet", &format!("focus = {focus:?}"));
            bench.worths(&page("http://a.example/", score, "").link("http://b.example/", "x"))[0]
        };
        assert_eq!((worth("soft", 0.9), worth("soft", 0.1)), (0.9, 0.1));
        assert_eq!((worth("hard", 0.9), worth("hard", 0.1)), (0.9, 0.0));
    }

    #[test]
    fn an_unknown_focus_is_refused_with_those_there_are() {
        let refusal = Bench::refusal("distiller", "focus = 'sharp'");
        assert!(refusal.contains("soft") && refusal.contains("hard"), "{refusal}");
        assert!(Bench::refusal("distiller", "hubs = 0").contains("`hubs` is 0"));
    }
}
