//! How many steps before a relevant page does a page like this stand? (Diligenti and others, 2000)
//!
//! Pages are in layers: relevant ones in layer 0, those that link to them in
//! layer 1, and so on up to `layers`; the rest in a last layer "other". A naive Bayes
//! classifier over each page's 40 strongest TF-IDF words learns what pages of each
//! layer say. A page that was just read is put into the layer it most
//! resembles, and its links into that layer's queue, sorted by how sure that
//! is: `worth = (layers + 1 − layer + P(layer)) / (layers + 2)`.
//!
//! The original learns its layers beforehand from pages that a search service
//! says link to the seeds. Here they are learned from the crawl itself: when a
//! relevant page is found, the pages that led to it move to their new layers.
//!
//! **Choose it when** typical paths lead to the topic, such as department, group, person, paper.
//! **Cost:** 40 words and the links of every fetched page in memory, all stored with the crawl;
//! layers × 40 look-ups for a page. **Weakness:** every link of a page is worth the same, and until
//! relevant pages were found nothing is known.

use std::collections::HashMap;

use gannet_model::{Fingerprint, Reason, Reasons, SettingsError, Worth, words};
use serde::{Deserialize, Serialize};

use crate::order::{Entry, Finding, LinkSight, Order, Valued};
use crate::page;
use crate::traits::{pack, unpack};
use gannet_model::limits;

pub(crate) const ENTRY: Entry = Entry {
    name: "context-graph",
    summary: "links of pages that resemble those a few steps before relevant ones (context graph)",
    build: |_, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(ContextGraph::new(config)))
    },
};

/// `[order.context-graph]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// How many steps before a relevant page are told apart.
    layers: u8,
}

impl Default for Config {
    fn default() -> Config {
        Config { layers: 3 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        let is_right = (1..=10).contains(&self.layers);
        limits::refuse_unless(is_right, "layers", self.layers, "a whole number from 1 to 10")
    }
}

/// Words of a page that are kept: the paper's reduced vocabulary.
const WORDS: usize = 40;
/// Words of a page that are read.
const READ: usize = 1500;
/// Pages remembered that link to the same one: enough to find the layer of most.
const MOST_PARENTS: usize = 16;

struct ContextGraph {
    config: Config,
    memory: Memory,
    /// What the links of the page that was just read are worth.
    valued: Valued,
}

#[derive(Default, Serialize, Deserialize)]
struct Memory {
    /// Numbers of words, in order of discovery.
    vocabulary: HashMap<String, u32>,
    /// In how many pages each word is.
    frequencies: Vec<u32>,
    pages: Vec<Seen>,
    /// Where each fetched page is in `pages`.
    numbers: HashMap<Fingerprint, u32>,
    /// Pages that link to a page, fetched or not.
    parents: HashMap<Fingerprint, Vec<u32>>,
    layers: Vec<Layer>,
}

/// A page that was fetched.
#[derive(Serialize, Deserialize)]
struct Seen {
    fingerprint: Fingerprint,
    words: Vec<u32>,
    layer: u8,
}

/// What pages of a layer say.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Layer {
    pages: u32,
    /// In how many of them each word is.
    words: HashMap<u32, u32>,
}

impl Layer {
    fn add(&mut self, words: &[u32]) {
        self.pages += 1;
        for word in words {
            *self.words.entry(*word).or_default() += 1;
        }
    }

    fn remove(&mut self, words: &[u32]) {
        self.pages = self.pages.saturating_sub(1);
        for word in words {
            if let Some(count) = self.words.get_mut(word) {
                *count = count.saturating_sub(1);
            }
        }
    }

    /// Logarithm of the likelihood of a page with these words.
    fn likelihood(&self, words: &[u32]) -> f32 {
        let total = self.pages as f32 + 1.0;
        let each = words.iter().map(|word| {
            let count = self.words.get(word).copied().unwrap_or(0) as f32;
            ((count + 0.5) / total).ln()
        });
        each.sum()
    }
}

impl Memory {
    /// The strongest words of a page, by TF-IDF over the pages seen so far.
    fn strongest(&mut self, finding: &Finding<'_>) -> Vec<u32> {
        let mut counts: HashMap<u32, u32> = HashMap::new();
        let mut read = 0;
        let mut buffer = String::new();
        for text in page::texts(finding.document) {
            if read >= READ {
                break;
            }
            words::each_word(text, &mut buffer, |word| {
                read += 1;
                if read <= READ {
                    *counts.entry(self.number(word)).or_default() += 1;
                }
            });
        }
        let pages = self.pages.len() as f32 + 2.0;
        let mut weighed: Vec<(f32, u32)> = Vec::with_capacity(counts.len());
        for (word, count) in counts {
            let frequency = &mut self.frequencies[word as usize];
            *frequency += 1;
            weighed.push((count as f32 * (pages / (*frequency as f32)).ln(), word));
        }
        weighed.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        weighed.truncate(WORDS);
        weighed.into_iter().map(|(_, word)| word).collect()
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(number) = self.vocabulary.get(word) {
            return *number;
        }
        let number = self.frequencies.len() as u32;
        self.frequencies.push(0);
        self.vocabulary.insert(word.to_owned(), number);
        number
    }

    /// Moves a page to a layer nearer to relevance, and those before it after it.
    fn draw_near(&mut self, page: u32, layer: u8) {
        let mut waiting = vec![(page, layer)];
        while let Some((page, layer)) = waiting.pop() {
            let seen = &mut self.pages[page as usize];
            if layer >= seen.layer {
                continue;
            }
            self.layers[seen.layer as usize].remove(&seen.words);
            self.layers[layer as usize].add(&seen.words);
            seen.layer = layer;
            let parents = self.parents.get(&seen.fingerprint);
            waiting.extend(parents.into_iter().flatten().map(|parent| (*parent, layer + 1)));
        }
    }

    /// Puts a page where it belongs by what is known of it, and tells its number.
    fn remember(&mut self, finding: &Finding<'_>, words: Vec<u32>) -> u32 {
        let other = self.layers.len() as u8 - 1;
        let fingerprint = finding.page.fingerprint;
        let known = self.numbers.get(&fingerprint).copied();
        let page = known.unwrap_or_else(|| {
            let page = self.pages.len() as u32;
            self.layers[other as usize].add(&words);
            self.pages.push(Seen { fingerprint, words, layer: other });
            self.numbers.insert(fingerprint, page);
            page
        });
        let mut layer = if finding.judgement.is_relevant() { 0 } else { other };
        for link in finding.links {
            let parents = self.parents.entry(*link).or_default();
            if parents.len() < MOST_PARENTS && !parents.contains(&page) {
                parents.push(page);
            }
            if let Some(child) = self.numbers.get(link).filter(|child| **child != page) {
                layer = layer.min(self.pages[*child as usize].layer.saturating_add(1));
            }
        }
        self.draw_near(page, layer);
        page
    }

    /// The layer that words like these are most at home in, and how sure that is.
    fn classify(&self, words: &[u32]) -> (u8, f32) {
        // Words of one page hang together: their evidence counts for its root, or every answer
        // would be certain.
        let temper = (words.len().max(1) as f32).sqrt();
        let known = self.layers.iter().enumerate().skip(1).filter(|(_, layer)| layer.pages > 0);
        let scored: Vec<(u8, f32)> =
            known.map(|(number, layer)| (number as u8, layer.likelihood(words) / temper)).collect();
        let best =
            scored.iter().copied().reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((layer, top)) = best else { return (self.layers.len() as u8 - 1, 0.0) };
        let sum: f32 = scored.iter().map(|(_, score)| (score - top).exp()).sum();
        (layer, 1.0 / sum)
    }
}

impl ContextGraph {
    fn new(config: Config) -> ContextGraph {
        let layers = vec![Layer::default(); usize::from(config.layers) + 2];
        ContextGraph {
            config,
            memory: Memory { layers, ..Memory::default() },
            valued: Valued::new(Worth::ZERO, Reasons::none()),
        }
    }

    fn valued(&self, layer: u8, certainty: f32) -> Valued {
        let other = self.config.layers + 1;
        let scale = f32::from(other) + 1.0;
        // Among pages of no layer, those that are least surely so come first.
        let within = if layer == other { 1.0 - 0.99 * certainty } else { certainty };
        let worth = (f32::from(other - layer) + within) / scale;
        let note = match layer {
            0 => "its page is relevant".to_owned(),
            layer if layer == other => "its page is like those that lead nowhere".to_owned(),
            layer => format!("its page is like those {layer} steps before relevant ones"),
        };
        Valued::new(Worth::new(worth), Reasons::one(Reason::new("layer", worth).note(note)))
    }
}

impl Order for ContextGraph {
    fn observe(&mut self, finding: &Finding<'_>) {
        let words = self.memory.strongest(finding);
        let (layer, certainty) = if finding.judgement.is_relevant() {
            (0, finding.judgement.score.get())
        } else {
            self.memory.classify(&words)
        };
        self.valued = self.valued(layer, certainty);
        self.memory.remember(finding, words);
    }

    fn value(&mut self, _sight: &LinkSight<'_>) -> Option<Valued> {
        Some(self.valued.clone())
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(pack(&self.memory))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let memory = unpack::<Memory>(state);
        let fitting = memory.filter(|memory| memory.layers.len() == self.memory.layers.len());
        let Some(memory) = fitting else { return false };
        self.memory = memory;
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, page};

    /// Departments lead to groups, groups to papers; shops lead nowhere.
    fn show(bench: &mut Bench, number: u32) {
        let (department, group) =
            (format!("http://d{number}.example/"), format!("http://g{number}.example/"));
        let (paper, shop) =
            (format!("http://p{number}.example/"), format!("http://s{number}.example/"));
        bench.worths(&page(&department, 0.0, "department of science").link(&group, "x"));
        bench.worths(&page(&shop, 0.0, "shop cart price").link("http://nowhere.example/", "x"));
        bench.worths(&page(&group, 0.0, "research group members").link(&paper, "x"));
        bench.worths(&page(&paper, 0.9, "a paper"));
    }

    fn worth(bench: &mut Bench, text: &str) -> f32 {
        let unknown = format!("http://new.example/{}", text.len());
        bench.worths(&page(&unknown, 0.0, text).link("http://x.example/", "x"))[0]
    }

    #[test]
    fn pages_like_those_nearest_to_relevant_ones_come_first() {
        let mut bench = Bench::new("context-graph", "gannet");
        let nothing_known = worth(&mut bench, "group");
        for number in 0..5 {
            show(&mut bench, number);
        }
        let relevant =
            bench.worths(&page("http://r.example/", 0.9, "").link("http://x.example/", "x"))[0];
        let group = worth(&mut bench, "members of the research group");
        let department = worth(&mut bench, "a department for science");
        let shop = worth(&mut bench, "price in the shop");
        let falling = [relevant, group, department, shop];
        assert!(falling.is_sorted_by(|a, b| a > b), "{falling:?}");
        assert!(nothing_known < department);
    }

    #[test]
    fn it_goes_on_from_what_an_earlier_run_learned() {
        let mut first = Bench::new("context-graph", "gannet");
        for number in 0..5 {
            show(&mut first, number);
        }
        let mut second = Bench::new("context-graph", "gannet");
        assert!(second.order.restore(&first.order.state().unwrap()));
        let text = "members of the research group";
        assert_eq!(worth(&mut second, text), worth(&mut first, text));
        let mut other = Bench::with("context-graph", "gannet", "layers = 2");
        assert!(!other.order.restore(&first.order.state().unwrap()), "layers of another number");
    }

    #[test]
    fn a_number_of_layers_that_tells_nothing_is_refused() {
        assert!(Bench::refusal("context-graph", "layers = 0").contains("from 1 to 10"));
    }
}
