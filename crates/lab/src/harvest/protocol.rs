//! How orderings are measured: from where, how far, judged by whom.
//!
//! For each topic and set of seeds every order crawls the same web once, by the
//! engine's code. Orders see the topic's words and the judge's word on fetched
//! pages. What is counted is the truth, whoever judges.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use gannet_engine::{Config, Journey, SetupError};
use gannet_model::Timestamp;

use super::contestant::{Bounded, Contestant};
use super::figures::{Fetched, Trace};
use super::graph::LinkGraph;
use super::ground::{Ground, GroundTopic};
use super::judge::TruthfulJudge;
use super::oracle;
use super::results::{LeftOut, Measured, Run};
use super::seeds::{SEEDS, SeedKind, fit_for_seeds, seed_sets};
use super::tour::{DeadLinks, Tour};
use crate::player::ReplayError;
use crate::relevance::parallel::in_parallel;
use crate::replay::{Replay, replay, replay_judged};

/// How orderings are measured.
#[derive(Clone, Debug)]
pub struct Protocol {
    /// The orders.
    pub contestants: Vec<Contestant>,
    /// The only topics to measure; all when empty.
    pub topics: Vec<String>,
    /// How many pages each crawl may fetch; as usual for the web when `None`.
    pub pages: Option<u64>,
    /// How many sets of seeds there are for each topic.
    pub repeat: usize,
    /// Requests under way at once: an order learns that much later.
    pub in_flight: u32,
    /// Where crawls begin.
    pub seeds: SeedKind,
    /// Who says to the orders whether a page is relevant.
    pub judge: JudgeKind,
    /// What becomes of links that lead to no page.
    pub dead_links: DeadLinks,
    /// What fixes seeds and the judge's errors.
    pub seed: u64,
    /// How many crawls run at the same time.
    pub threads: usize,
}

/// Who says to the orders whether a page is relevant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JudgeKind {
    /// The truth, wrong about this share of the pages.
    Truth {
        /// From 0 to 1.
        flip: f64,
    },
    /// The standard relevance model of the engine, which knows the topic's words.
    Model,
}

impl Default for Protocol {
    fn default() -> Protocol {
        Protocol {
            contestants: Contestant::all(),
            topics: Vec::new(),
            pages: None,
            repeat: 3,
            in_flight: 1,
            seeds: SeedKind::Topic,
            judge: JudgeKind::Truth { flip: 0.0 },
            dead_links: DeadLinks::Follow,
            seed: 1,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HarvestError {
    /// The web has no topic of this name.
    #[error("the web has no topic called {wanted:?}; there are: {known}")]
    UnknownTopic {
        /// What was asked for.
        wanted: String,
        /// What there is.
        known: String,
    },
    /// A crawl could not run.
    #[error("the crawl with {order} cannot run")]
    Replay {
        /// With which order.
        order: String,
        /// Why.
        #[source]
        cause: Box<ReplayError>,
    },
    /// The engine's settings do not hold together.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// A crawl that is done.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// With which order.
    pub order: &'a str,
    /// On which topic.
    pub topic: &'a str,
    /// How many crawls there are in all.
    pub of: usize,
}

/// Is told of every crawl that is done, from whatever thread did it.
pub type Watch<'a> = &'a (dyn Fn(Step<'_>) + Sync);

/// When replays begin. Webs that change are in the same state for all.
const BEGAN: Timestamp = Timestamp::from_secs(1_800_000_000);

impl Protocol {
    /// How orderings are measured, in words.
    pub fn in_words(&self, ground: &Ground) -> String {
        let seeds = match self.seeds {
            SeedKind::Topic => format!(
                "{SEEDS} relevant pages that lead to relevant pages, {} sets for each topic",
                self.repeat
            ),
            SeedKind::Root => format!(
                "one irrelevant page with many links, {} such pages for each topic",
                self.repeat
            ),
        };
        let judge = match self.judge {
            JudgeKind::Truth { flip: 0.0 } => "the truth".to_owned(),
            JudgeKind::Truth { flip } => {
                format!("the truth with {:.0} % of the labels flipped", flip * 100.0)
            }
            JudgeKind::Model => "the standard relevance model".to_owned(),
        };
        let dead_links = match self.dead_links {
            DeadLinks::Follow => "can be followed and cost a request",
            DeadLinks::LeaveOut => "are left out",
        };
        format!(
            "{}: {} pages on {} hosts. Each order crawls {} pages by the engine's code on a \
             virtual clock, no delay, {} under way at once. Seeds: {seeds} (seed {}). Orders see \
             the topic's words and are told by {judge} whether a fetched page is relevant; what is \
             counted is always the truth. Links that lead to no page of the web {dead_links}. \
             nAUC is the mean over the crawl of relevant pages so far, of as many as could be had \
             so far; recall is of the relevant pages that can be reached from the seeds. Figures \
             are means over topics and sets of seeds, ± standard deviation.",
            ground.name,
            ground.size(),
            ground.hosts(),
            self.budget(ground),
            self.in_flight,
            self.seed,
        )
    }

    fn budget(&self, ground: &Ground) -> u64 {
        self.pages.unwrap_or(ground.usual_pages)
    }

    fn wants(&self, topic: &GroundTopic) -> bool {
        self.topics.is_empty()
            || self.topics.iter().any(|wanted| wanted.eq_ignore_ascii_case(&topic.name))
    }
}

/// One crawl to be done.
struct Task<'a> {
    ground: &'a Ground,
    graph: &'a LinkGraph,
    topic: &'a GroundTopic,
    /// The number of the set of seeds, and the seeds.
    seeds: (usize, Vec<usize>),
    contestant: &'a Contestant,
}

/// Crawls the ground with every order, from every set of seeds, for every topic.
pub fn measure(
    ground: &Ground,
    protocol: &Protocol,
    watch: Watch<'_>,
) -> Result<Measured, HarvestError> {
    check_topics(ground, &protocol.topics)?;
    let mut measured = Measured { web: ground.name.clone(), ..Measured::default() };
    let Some(any) = ground.topics.first() else { return Ok(measured) };
    let journey = Journey::new(&Config::new(any.topic.clone()))?;
    let graph = LinkGraph::read(ground, &journey, BEGAN, protocol.threads);
    let mut tasks = Vec::new();
    for topic in ground.topics.iter().filter(|topic| protocol.wants(topic)) {
        let draws = (protocol.repeat, protocol.seed);
        let sets = seed_sets(ground, &graph, topic, protocol.seeds, draws);
        if sets.is_empty() {
            measured.left_out.push(left_out(&graph, topic, protocol.seeds));
        }
        for seeds in sets.into_iter().enumerate() {
            tasks.extend(protocol.contestants.iter().map(|contestant| Task {
                ground,
                graph: &graph,
                topic,
                seeds: seeds.clone(),
                contestant,
            }));
        }
    }
    let runs = in_parallel(&tasks, protocol.threads, |task| {
        let run = task.run(protocol);
        let (order, topic) = (task.contestant.name.as_str(), task.topic.name.as_str());
        watch(Step { order, topic, of: tasks.len() });
        run
    });
    measured.runs = runs.into_iter().collect::<Result<_, _>>()?;
    Ok(measured)
}

fn check_topics(ground: &Ground, wanted: &[String]) -> Result<(), HarvestError> {
    let known: Vec<&str> = ground.topics.iter().map(|topic| topic.name.as_str()).collect();
    match wanted.iter().find(|topic| !known.iter().any(|name| name.eq_ignore_ascii_case(topic))) {
        None => Ok(()),
        Some(topic) => {
            Err(HarvestError::UnknownTopic { wanted: topic.clone(), known: known.join(", ") })
        }
    }
}

fn left_out(graph: &LinkGraph, topic: &GroundTopic, seeds: SeedKind) -> LeftOut {
    let because = match seeds {
        SeedKind::Topic => format!(
            "{} relevant pages lead to two others, {SEEDS} must",
            fit_for_seeds(graph, &topic.relevant).len()
        ),
        SeedKind::Root => "no irrelevant page leads to enough of it".to_owned(),
    };
    LeftOut { topic: topic.name.clone(), pages: topic.size(), because }
}

impl Task<'_> {
    fn run(&self, protocol: &Protocol) -> Result<Run, HarvestError> {
        let budget = protocol.budget(self.ground);
        let (number, seeds) = &self.seeds;
        let is_reached = self.graph.reachable(seeds);
        let relevant = &self.topic.relevant;
        let reachable = is_reached.iter().zip(relevant).filter(|(is, rel)| **is && **rel).count();
        let trace = match &self.contestant.order {
            None => oracle::crawl(self.graph, relevant, seeds, budget),
            Some(order) => self.crawl(order, protocol, budget).map_err(|cause| {
                let order = self.contestant.name.clone();
                HarvestError::Replay { order, cause: Box::new(cause) }
            })?,
        };
        let run = Run::of(&trace, budget, reachable as u64);
        Ok(run.named(&self.contestant.name, &self.topic.name, *number))
    }

    fn crawl(
        &self,
        order: &Bounded,
        protocol: &Protocol,
        budget: u64,
    ) -> Result<Trace, ReplayError> {
        let config = self.config(order, protocol, budget);
        let mut tour = Tour::new(self.ground, &self.topic.relevant, protocol.dead_links);
        let replayed = match protocol.judge {
            JudgeKind::Model => replay(config, &mut tour, BEGAN)?,
            JudgeKind::Truth { flip } => {
                let judge = TruthfulJudge::new(self.ground, self.topic, flip, protocol.seed);
                replay_judged(config, Arc::new(judge), &mut tour, BEGAN)?
            }
        };
        Ok(traced(&replayed))
    }

    /// Standard settings, but that nothing holds a crawl back: the order alone decides.
    fn config(&self, order: &Bounded, protocol: &Protocol, budget: u64) -> Config {
        let mut config = Config::new(self.topic.topic.clone());
        config.order = order.order.clone();
        config.bounds = order.bounds;
        config.limits.pages = Some(budget);
        config.limits.in_flight = protocol.in_flight.max(1) as usize;
        config.pace.delay = Duration::ZERO;
        config.pace.response_factor = 0.0;
        config.gate.per_host = NonZeroU32::new(protocol.in_flight).unwrap_or(NonZeroU32::MIN);
        config.gate.per_address = None;
        config.seeds =
            self.seeds.1.iter().map(|seed| self.ground.pages[*seed].url.clone()).collect();
        config
    }
}

fn traced(replayed: &Replay) -> Trace {
    let fetched = replayed.seen.iter().map(|seen| Fetched {
        is_relevant: seen.is_relevant,
        depth: seen.depth,
        bytes: seen.bytes,
    });
    Trace {
        steps: fetched.collect(),
        requests: replayed.requests,
        bytes: replayed.bytes,
        heart: replayed.heart,
    }
}
