//! Best-first in batches: the N best are fetched before anything is sorted again (Pant, Srinivasan
//! and Menczer, 2002; N = 256 was their strongest order that does not learn).
//!
//! `worth(u) = max over known parents p of cos(q, p)`, as in `best-first`. Links
//! found while a batch is fetched stand below all others, however good, until its
//! N pages are done; then they are sorted in. When fewer than N links wait, the
//! batch is as many.
//!
//! **Choose it when** best-first gets stuck in the first good site: a large N explores.
//! **Cost:** one count of the page's words; the links of one batch, and a number for each link that
//! waits, in memory. **Weakness:** every link of a page is worth the same.

use std::collections::{BTreeMap, HashSet};

use gannet_model::{Fingerprint, HostId, Reason, Reasons, SettingsError, Worth};

use crate::interest::Interest;
use crate::order::{Entry, Finding, LinkSight, Order, Queued, Risen, Valued};
use crate::page;
use crate::traits::{pack, unpack};
use gannet_model::limits;

pub(crate) const ENTRY: Entry = Entry {
    name: "best-n-first",
    summary: "best-first in batches of N pages: what a batch finds waits for the next",
    build: |interest, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(BestNFirst {
            interest: interest.clone(),
            config,
            similarity: 0.0,
            sorted: HashSet::new(),
            batch: Batch::default(),
            risen: Vec::new(),
        }))
    },
};

/// `[order.best-n-first]`
#[derive(Clone, Copy, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Pages of a batch (N).
    batch: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config { batch: 256 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::at_least_one("batch", self.batch)
    }
}

/// A link that was sorted in is worth at least this, so that it stands above all that were not.
const LEAST_SORTED: f32 = 1.0 / 4096.0;
/// What a link is worth that must wait for the end of the batch, beside its own likeness.
const HELD_BACK: f32 = LEAST_SORTED / 4.0;

struct BestNFirst {
    interest: Interest,
    config: Config,
    /// Of the page that was just read.
    similarity: f32,
    /// Links that wait and were sorted in: tells how large a batch can be.
    sorted: HashSet<Fingerprint>,
    batch: Batch,
    /// What was sorted in and not told yet.
    risen: Vec<Risen>,
}

/// The batch that is being fetched.
#[derive(Default, serde::Serialize, serde::Deserialize)]
struct Batch {
    /// Pages still to be fetched.
    left: u32,
    /// Links found meanwhile, with the likeness of their best page.
    found: BTreeMap<Fingerprint, (HostId, f32)>,
}

impl BestNFirst {
    /// Counts a link that was followed, and ends the batch if it was the last.
    fn follow(&mut self, link: Fingerprint) {
        self.sorted.remove(&link);
        self.batch.found.remove(&link);
        self.batch.left = self.batch.left.saturating_sub(1);
    }

    fn sort_in(&mut self) {
        for (fingerprint, (host, similarity)) in std::mem::take(&mut self.batch.found) {
            self.sorted.insert(fingerprint);
            let worth = Worth::new(similarity.max(LEAST_SORTED));
            self.risen.push(Risen { fingerprint, host, worth });
        }
        let waiting = u32::try_from(self.sorted.len()).unwrap_or(u32::MAX);
        self.batch.left = self.config.batch.min(waiting);
    }
}

impl Order for BestNFirst {
    fn value_seed(&mut self, seed: &Queued<'_>) -> Valued {
        self.sorted.insert(seed.fingerprint);
        self.batch.left = self.config.batch.min(self.batch.left.saturating_add(1));
        Valued::new(Worth::new(1.0), Reasons::one(Reason::new("seed", 1.0)))
    }

    fn observe(&mut self, finding: &Finding<'_>) {
        self.similarity = self.interest.similarity(page::texts(finding.document));
        self.follow(finding.page.fingerprint);
    }

    fn observe_miss(&mut self, link: &Queued<'_>) {
        self.follow(link.fingerprint);
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let similarity = self.similarity;
        let host = sight.target.host;
        let found = self.batch.found.entry(sight.target.fingerprint).or_insert((host, similarity));
        found.1 = found.1.max(similarity);
        let worth = HELD_BACK * (1.0 + similarity);
        let reason = Reason::new("parent's likeness to the topic", similarity)
            .note("held back until the batch is done");
        Some(Valued::new(Worth::new(worth), Reasons::one(reason)))
    }

    fn risen(&mut self) -> Vec<Risen> {
        if self.batch.left == 0 {
            self.sort_in();
        }
        std::mem::take(&mut self.risen)
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(pack(&self.batch))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let Some(batch) = unpack(state) else { return false };
        self.batch = batch;
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, page};

    fn bench(batch: u32) -> Bench {
        Bench::with("best-n-first", "gannet", &format!("batch = {batch}"))
    }

    #[test]
    fn links_found_in_a_batch_stand_below_all_others_until_it_is_done() {
        let mut bench = bench(2);
        for seed in ["http://a.example/", "http://b.example/"] {
            bench.seed(seed);
        }
        let good = page("http://a.example/", 1.0, "gannet").link("http://c.example/", "x");
        let held = bench.worths(&good)[0];
        assert!(bench.order.risen().is_empty(), "one page of two");
        let dull = page("http://b.example/", 0.0, "sea").link("http://d.example/", "x");
        let dull_held = bench.worths(&dull)[0];
        let risen = bench.order.risen();
        assert_eq!(risen.len(), 2);
        for risen in &risen {
            assert!(risen.worth.get() > held && held > dull_held, "sorted above what is held back");
        }
        let best = risen.iter().map(|risen| risen.worth.get()).fold(0.0, f32::max);
        assert!(best > 0.5, "{best}");
    }

    #[test]
    fn a_batch_is_no_larger_than_what_waits() {
        let mut bench = bench(256);
        bench.seed("http://a.example/");
        let seed = page("http://a.example/", 1.0, "gannet").link("http://c.example/", "x");
        bench.worths(&seed);
        assert_eq!(bench.order.risen().len(), 1, "the only seed is done");
        bench.worths(&page("http://c.example/", 1.0, "gannet").link("http://d.example/", "x"));
        assert_eq!(bench.order.risen().len(), 1, "the batch of one is done");
    }

    #[test]
    fn the_best_of_several_pages_counts_and_survives_a_restart() {
        let mut first = bench(3);
        for seed in ["http://a.example/", "http://b.example/", "http://c.example/"] {
            first.seed(seed);
        }
        let link = "http://d.example/";
        first.worths(&page("http://a.example/", 1.0, "gannet").link(link, "x"));
        first.worths(&page("http://b.example/", 1.0, "gannet sea").link(link, "x"));
        let mut second = bench(3);
        assert!(second.order.restore(&first.order.state().unwrap()));
        second.worths(&page("http://c.example/", 1.0, "sea"));
        let risen = second.order.risen();
        assert_eq!(risen.len(), 1);
        assert!(risen[0].worth.get() > 0.65, "the gannet page: {:?}", risen[0].worth);
    }

    #[test]
    fn a_batch_of_nothing_is_refused() {
        let refusal = Bench::refusal("best-n-first", "batch = 0");
        assert!(refusal.contains("`batch` is 0; write"), "{refusal}");
    }
}
