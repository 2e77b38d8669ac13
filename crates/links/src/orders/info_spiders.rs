//! A population of agents, each with energy and a small net, that breed where they find food and
//! starve where they do not (InfoSpiders: Menczer and Belew, 2000; S2.10, S5.9).
//!
//! The agent that reads a page estimates each of its links: one input for each of its
//! keywords, `Σ 1/distance` over the places near the link where the word stands, and
//! `λ = tanh(Σ weight·input)`. Links are drawn with chances in proportion to `e^(β·λ)`: as a race, in
//! which a link's worth is `e^(β·λ)` over a random number that is exponentially distributed and hangs
//! on the seed and the link alone. When the link is followed, the agent
//!
//! - gains energy: likeness of the page to the topic, less the cost of a request;
//! - learns: `λ` of the link moves towards `likeness + μ·max λ` of the page's links;
//! - breeds above a level of energy: a child takes half of it, somewhat other weights, and
//!   the word that is most frequent on the page; it goes on from there;
//! - dies below none: the links it left are worth next to nothing.
//!
//! **Choose it when** the topic's words are few and pages use others. **Cost:** one walk over the
//! words of a page; agents in memory, stored with the crawl. **Weakness:** chance decides much; the
//! published constants vary, and these are of the usual size.

use std::collections::HashMap;
use std::ops::ControlFlow;

use gannet_model::{Block, Document, Link, Reason, Reasons, SettingsError, Worth, words};
use serde::{Deserialize, Serialize};

use crate::interest::Interest;
use crate::order::{Entry, Finding, LinkSight, Order, Queued, Valued};
use crate::page;
use crate::traits::{pack, unpack};
use gannet_model::limits;

pub(crate) const ENTRY: Entry = Entry {
    name: "info-spiders",
    summary: "agents with energy and a small net that learn, breed and starve (InfoSpiders)",
    build: |interest, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(InfoSpiders::new(interest, config)))
    },
};

/// `[order.info-spiders]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Where the random numbers start: the same seed gives the same crawl.
    seed: u64,
    /// How much better links are preferred (β).
    greed: f32,
    /// What a page's best link counts beside the page itself (μ).
    discount: f32,
    /// How fast the nets learn.
    rate: f32,
    /// Energy that a request costs.
    cost: f32,
    /// Energy an agent starts with.
    energy: f32,
    /// Energy above which an agent breeds.
    breeding: f32,
    /// Words on either side of a link that are looked at.
    window: u32,
    /// Most agents that live at a time.
    agents: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            seed: 1,
            greed: 3.0,
            discount: 0.5,
            rate: 0.1,
            cost: 0.05,
            energy: 0.5,
            breeding: 1.0,
            window: 50,
            agents: 256,
        }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        let is_right = (0.0..=20.0).contains(&self.greed);
        limits::refuse_unless(is_right, "greed", self.greed, "a number from 0 to 20")?;
        limits::share("discount", self.discount)?;
        limits::share("rate", self.rate)?;
        limits::not_negative("cost", self.cost)?;
        limits::not_negative("energy", self.energy)?;
        let is_right = self.breeding.is_finite() && self.breeding > 0.0;
        limits::refuse_unless(is_right, "breeding", self.breeding, "a number above 0")?;
        limits::at_least_one("agents", self.agents)
    }
}

/// Keywords an agent has at most; a new one then takes the place of the weakest.
const MOST_KEYWORDS: usize = 16;
/// Shorter words are seldom what a page is about.
const SHORTEST_KEYWORD: usize = 5;
/// What a word that was taken from a page weighs at first, the topic's strongest being 1.
const ADOPTED_WEIGHT: f32 = 0.3;
/// How far a child's weights are from its parent's, at most.
const MUTATION: f32 = 0.2;
/// Brings worths to where the queue tells them apart.
const SCALE: f32 = 1.0 / 64.0;
/// What the worth of a dead agent's links is divided by.
const LEFT_BEHIND: f32 = 1024.0;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Agent {
    energy: f32,
    keywords: Vec<(String, f32)>,
    is_alive: bool,
}

impl Agent {
    /// What the net makes of a link.
    fn estimate(&self, inputs: &[f32]) -> f32 {
        let each = self.keywords.iter().zip(inputs).map(|((_, weight), input)| weight * input);
        each.sum::<f32>().tanh()
    }

    fn learn(&mut self, inputs: &[f32], error: f32, rate: f32) {
        let estimate = self.estimate(inputs);
        let step = rate * error * (1.0 - estimate * estimate);
        for ((_, weight), input) in self.keywords.iter_mut().zip(inputs) {
            *weight += step * input;
        }
    }

    /// Takes up a word.
    fn adopt(&mut self, word: String) {
        if self.keywords.len() >= MOST_KEYWORDS {
            let each = self.keywords.iter().enumerate();
            let weakest = each.min_by(|a, b| a.1.1.abs().total_cmp(&b.1.1.abs()));
            if let Some((weakest, _)) = weakest {
                self.keywords.remove(weakest);
            }
        }
        self.keywords.push((word, ADOPTED_WEIGHT));
    }
}

/// What is kept with a link.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Trail {
    /// The number of the agent that found it.
    agent: u32,
    inputs: Vec<f32>,
}

struct InfoSpiders {
    interest: Interest,
    config: Config,
    /// The net every line of agents starts with.
    ancestor: Agent,
    agents: Vec<Agent>,
    /// The agent on the page that was just read, and where its keywords stand there.
    reader: u32,
    places: Vec<Places>,
}

/// Where the keywords of an agent stand in a block.
#[derive(Default)]
struct Places {
    /// Where each word begins, in bytes.
    starts: Vec<usize>,
    /// Which word is which keyword.
    keywords: Vec<(usize, usize)>,
}

impl Places {
    fn of(agent: &Agent, block: &Block) -> Places {
        let each = agent.keywords.iter().enumerate();
        let numbers: HashMap<&str, usize> =
            each.map(|(number, (word, _))| (word.as_str(), number)).collect();
        let mut places = Places::default();
        _ = words::walk(&block.text, &mut String::new(), |start, word| {
            if let Some(keyword) = numbers.get(word) {
                places.keywords.push((places.starts.len(), *keyword));
            }
            places.starts.push(start);
            ControlFlow::Continue(())
        });
        places
    }

    /// `Σ 1/distance` for each keyword, its distance within the link being 1.
    fn inputs(&self, link: &Link, keywords: usize, window: usize) -> Vec<f32> {
        let first = self.starts.partition_point(|start| *start < link.span.0);
        let end = self.starts.partition_point(|start| *start < link.span.1);
        let mut inputs = vec![0.0; keywords];
        for (at, keyword) in &self.keywords {
            let before = first.saturating_sub(*at);
            let after = (at + 1).saturating_sub(end.max(first + 1));
            let distance = before.max(after);
            if distance <= window {
                inputs[*keyword] += 1.0 / (distance + 1) as f32;
            }
        }
        inputs
    }
}

/// A number from 0 to 1, never 0, that hangs on `seed` and `number` alone (SplitMix64).
fn chance(seed: u64, number: u64) -> f32 {
    let mut mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    ((mixed >> 40) as f32 + 1.0) / (1_u64 << 24) as f32
}

impl InfoSpiders {
    fn new(interest: &Interest, config: Config) -> InfoSpiders {
        let strongest = interest.words().map(|(_, weight)| weight).fold(0.0, f32::max);
        let scale = if strongest > 0.0 { 1.0 / strongest } else { 0.0 };
        let mut keywords: Vec<(String, f32)> =
            interest.words().map(|(word, weight)| (word.to_owned(), weight * scale)).collect();
        keywords.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        keywords.truncate(MOST_KEYWORDS);
        let ancestor = Agent { energy: config.energy, keywords, is_alive: true };
        InfoSpiders {
            interest: interest.clone(),
            config,
            ancestor,
            agents: Vec::new(),
            reader: 0,
            places: Vec::new(),
        }
    }

    /// Makes an agent; when there are too many, the youngest that lives takes its place.
    fn settle(&mut self, agent: Agent) -> u32 {
        let living = self.agents.iter().filter(|agent| agent.is_alive).count();
        if living < self.config.agents as usize {
            self.agents.push(agent);
        }
        self.agents.iter().rposition(|agent| agent.is_alive).unwrap_or(0) as u32
    }

    fn is_alive(&self, agent: u32) -> bool {
        self.agents.get(agent as usize).is_some_and(|agent| agent.is_alive)
    }

    fn look(&mut self, document: &Document) {
        let agent = &self.agents[self.reader as usize];
        self.places = document.blocks.iter().map(|block| Places::of(agent, block)).collect();
    }

    fn inputs(&self, link: &Link) -> Vec<f32> {
        let keywords = self.agents[self.reader as usize].keywords.len();
        let window = self.config.window as usize;
        match self.places.get(link.block) {
            Some(places) => places.inputs(link, keywords, window),
            None => vec![0.0; keywords],
        }
    }

    /// The best estimate of the page's links.
    fn best_link(&self, document: &Document) -> f32 {
        let agent = &self.agents[self.reader as usize];
        let each = document.links.iter().map(|link| agent.estimate(&self.inputs(link)));
        each.reduce(f32::max).unwrap_or(0.0)
    }

    /// A child of the reader, for it has energy enough.
    fn breed(&mut self, document: &Document) {
        let parent = &mut self.agents[self.reader as usize];
        parent.energy /= 2.0;
        let mut child = parent.clone();
        let number = self.agents.len() as u64;
        for (at, (_, weight)) in child.keywords.iter_mut().enumerate() {
            let turn = chance(self.config.seed, number << 8 | at as u64) - 0.5;
            *weight += 2.0 * MUTATION * turn;
        }
        if let Some(word) = most_frequent(document, &child) {
            child.adopt(word);
        }
        self.reader = self.settle(child);
        self.look(document);
    }

    fn valued(&self, link: &Queued<'_>, trail: &Trail) -> Valued {
        let agent = &self.agents[trail.agent as usize];
        let estimate = agent.estimate(&trail.inputs);
        let exponential = -chance(self.config.seed, link.fingerprint.0).ln();
        let race = (self.config.greed * estimate).exp() / exponential.max(SCALE * SCALE);
        let left = if agent.is_alive { 1.0 } else { LEFT_BEHIND };
        let worth = Worth::new(race * SCALE / left);
        let state = if agent.is_alive { "energy" } else { "dead, energy" };
        let note = format!("agent {} of {state} {:.2}", trail.agent, agent.energy);
        let reasons = [
            Reason::new("estimate", estimate).note(note),
            Reason::new("chance", worth.get()).note("a race by estimates"),
        ];
        Valued { traits: pack(trail), ..Valued::new(worth, reasons.into_iter().collect()) }
    }
}

/// The word that is most frequent on the page and no keyword of the agent.
fn most_frequent(document: &Document, agent: &Agent) -> Option<String> {
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut buffer = String::new();
    for text in page::texts(document) {
        words::each_word(text, &mut buffer, |word| {
            if word.chars().count() >= SHORTEST_KEYWORD {
                *counts.entry(word.to_owned()).or_default() += 1;
            }
        });
    }
    counts.retain(|word, _| agent.keywords.iter().all(|(keyword, _)| keyword != word));
    let best = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
    best.map(|(word, _)| word)
}

impl Order for InfoSpiders {
    fn value_seed(&mut self, _seed: &Queued<'_>) -> Valued {
        let agent = self.settle(self.ancestor.clone());
        let trail = Trail { agent, inputs: Vec::new() };
        let reason = Reason::new("seed", 1.0).note(format!("agent {agent} starts here"));
        Valued { traits: pack(&trail), ..Valued::new(Worth::new(1.0), Reasons::one(reason)) }
    }

    fn observe(&mut self, finding: &Finding<'_>) {
        let likeness = self.interest.similarity(page::texts(finding.document));
        let gain = likeness - self.config.cost;
        let trail = unpack::<Trail>(finding.page.traits)
            .filter(|trail| (trail.agent as usize) < self.agents.len());
        let (agent, inputs) = match trail {
            Some(trail) if self.is_alive(trail.agent) || gain <= 0.0 => (trail.agent, trail.inputs),
            // Food where an agent starved, or a page that nobody sent for: a new line begins.
            _ => (self.settle(self.ancestor.clone()), Vec::new()),
        };
        self.reader = agent;
        self.look(finding.document);
        let best = self.best_link(finding.document);
        let agent = &mut self.agents[agent as usize];
        let target = likeness + self.config.discount * best;
        let error = target - agent.estimate(&inputs);
        agent.learn(&inputs, error, self.config.rate);
        agent.energy += gain;
        agent.is_alive = agent.is_alive && agent.energy >= 0.0;
        if agent.is_alive && agent.energy > self.config.breeding {
            self.breed(finding.document);
        }
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let new = Trail { agent: self.reader, inputs: self.inputs(sight.link) };
        let valued = self.valued(&sight.target, &new);
        let before = unpack::<Trail>(sight.target.traits)
            .filter(|trail| (trail.agent as usize) < self.agents.len())
            .map(|trail| self.valued(&sight.target, &trail));
        Some(before.filter(|before| before.worth > valued.worth).unwrap_or(valued))
    }

    fn revalue(&mut self, link: &Queued<'_>) -> Option<Valued> {
        let is_seed = link.depth == 0;
        let trail = unpack::<Trail>(link.traits).filter(|_| !is_seed)?;
        let is_known = (trail.agent as usize) < self.agents.len();
        is_known.then(|| self.valued(link, &trail))
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(pack(&self.agents))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let Some(agents) = unpack(state) else { return false };
        self.agents = agents;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Page, page, url, waiting};

    fn spiders(settings: &str) -> InfoSpiders {
        let table: toml::Table = settings.parse().unwrap();
        let config: Config = gannet_model::Settings::from(table).read().unwrap();
        InfoSpiders::new(&Interest::new([("gannet", 1.0)]), config)
    }

    fn show(spiders: &mut InfoSpiders, page: &Page) {
        let links: Vec<_> = page.document.links.iter().map(|link| link.url.fingerprint()).collect();
        spiders.observe(&Finding {
            page: page.queued(),
            document: &page.document,
            judgement: &page.judgement,
            links: &links,
            is_copy: false,
        });
    }

    fn near_and_far() -> Page {
        page("http://a.example/", 0.0, "")
            .link("http://b.example/1", "gannet")
            .link("http://b.example/2", "two")
            .link("http://b.example/3", "three")
    }

    #[test]
    fn keywords_count_for_links_by_their_distance() {
        let mut spiders = spiders("");
        show(&mut spiders, &near_and_far());
        let page = near_and_far();
        let inputs: Vec<f32> =
            page.document.links.iter().map(|link| spiders.inputs(link)[0]).collect();
        assert_eq!(inputs, [1.0, 1.0 / 2.0, 1.0 / 3.0]);
        let agent = &spiders.agents[0];
        assert!(agent.estimate(&[1.0]) > agent.estimate(&[0.5]));
    }

    #[test]
    fn nets_learn_towards_what_was_found() {
        let mut agent = Agent {
            energy: 1.0,
            keywords: vec![("gannet".to_owned(), 1.0), ("sea".to_owned(), 0.0)],
            is_alive: true,
        };
        let inputs = [0.0, 1.0];
        for _ in 0..200 {
            let error = 0.5 - agent.estimate(&inputs);
            agent.learn(&inputs, error, 0.1);
        }
        assert!((agent.estimate(&inputs) - 0.5).abs() < 0.01);
        assert_eq!(agent.keywords[0].1, 1.0, "what was not there learns nothing");
    }

    #[test]
    fn food_makes_agents_breed_and_the_child_takes_half_and_a_word_of_the_page() {
        let mut spiders = spiders("energy = 0.9");
        let text = "gannet gannet gannet gannet colony colony cliff";
        show(&mut spiders, &page("http://a.example/", 0.0, text).link("http://b.example/", "x"));
        assert_eq!(spiders.agents.len(), 2);
        let (parent, child) = (&spiders.agents[0], &spiders.agents[1]);
        assert_eq!(parent.energy, child.energy);
        assert!(parent.energy < 1.0);
        assert_eq!(child.keywords[1].0, "colony");
        assert_eq!(spiders.reader, 1, "the child goes on from here");
    }

    #[test]
    fn hunger_kills_and_what_a_dead_agent_left_is_worth_next_to_nothing() {
        let mut spiders = spiders("energy = 0.02");
        let hungry = || page("http://a.example/", 0.0, "sea").link("http://b.example/", "gannet");
        let seed = url("http://a.example/");
        let valued = spiders.value_seed(&waiting(&seed, &[]));
        let link = url("http://b.example/");
        // The page itself names the topic in its link, so give it a text that drowns it.
        let barren = || hungry().text(&"wave ".repeat(30)).valued(&valued);
        show(&mut spiders, &barren());
        let trail = Trail { agent: 0, inputs: vec![1.0] };
        let before = spiders.valued(&waiting(&link, &[]), &trail);
        show(&mut spiders, &barren());
        assert!(!spiders.agents[0].is_alive);
        let after = spiders.revalue(&waiting(&link, &before.traits)).unwrap();
        assert!(after.worth.get() < before.worth.get() / 500.0);
        let mut next = InfoSpiders::new(&spiders.interest, spiders.config);
        assert!(next.restore(&spiders.state().unwrap()));
        assert_eq!(next.revalue(&waiting(&link, &before.traits)), Some(after));
    }

    #[test]
    fn better_links_win_the_race_more_often() {
        let mut spiders = spiders("");
        show(&mut spiders, &near_and_far());
        let wins = (0..1000).filter(|number| {
            let [good, poor] = ["good", "poor"].map(|name| url(&format!("http://{name}/{number}")));
            let worth = |url, input| {
                let trail = Trail { agent: 0, inputs: vec![input] };
                spiders.valued(&waiting(url, &[]), &trail).worth
            };
            worth(&good, 1.0) > worth(&poor, 0.0)
        });
        // e^(3·tanh 1) to 1: nine in ten.
        let wins = wins.count();
        assert!((870..=940).contains(&wins), "{wins}");
    }

    #[test]
    fn numbers_without_sense_are_refused() {
        use crate::fixture::Bench;
        assert!(Bench::refusal("info-spiders", "greed = 50.0").contains("from 0 to 20"));
        assert!(Bench::refusal("info-spiders", "breeding = 0.0").contains("above 0"));
        assert!(Bench::refusal("info-spiders", "agents = 0").contains("`agents` is 0"));
    }
}
