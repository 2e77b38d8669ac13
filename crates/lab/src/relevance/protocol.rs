//! How a model is measured: what it is taught, what it judges, what is counted.
//!
//! For each topic and number of examples, every model gets the same words, the
//! same examples drawn from the training half, the same pages of which nobody
//! said anything, and then judges every page of the test half.

use gannet_model::SettingsError;
use gannet_relevance::{
    Confusion, Judged, Lesson, Model, Teaching, Topic, TopicError, average_precision, best_f1,
    expected_calibration_error,
};
use rustix::time::{ClockId, clock_gettime};

use super::draw::Draw;
use super::parallel::in_parallel;
use super::results::{CALIBRATION_BINS, Curves, LeftOut, Measured, Run};
use super::words::topic_of;
use super::{Contender, LabelledError, LabelledPage, LabelledSet};

/// How models are measured.
#[derive(Clone, Debug)]
pub struct Protocol {
    /// Numbers of relevant examples, each measured apart.
    pub positives: Vec<usize>,
    /// How often examples are drawn; the results are means over draws.
    pub draws: usize,
    /// What fixes the draws.
    pub seed: u64,
    /// Pages of the training half of which nobody says anything, the same for everybody.
    pub pool: usize,
    /// The only topics to measure; all when empty.
    pub topics: Vec<String>,
    /// How many topics are measured at the same time.
    pub threads: usize,
}

/// Irrelevant examples for each relevant one,
const NEGATIVES_PER_POSITIVE: usize = 20;
/// up to so many: people label no more.
const MOST_NEGATIVES: usize = 500;
/// Relevant training pages there must be beyond those drawn, lest all draws be the same.
const SPARE_POSITIVES: usize = 10;

impl Default for Protocol {
    fn default() -> Protocol {
        Protocol {
            positives: vec![0, 10, 50],
            draws: 3,
            seed: 1,
            pool: 2000,
            topics: Vec::new(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

impl Protocol {
    /// How models are measured, in words.
    pub fn in_words(&self) -> String {
        let positives: Vec<String> = self.positives.iter().map(usize::to_string).collect();
        format!(
            "Each model gets the topic's words, {} relevant examples from the training half, \
             {NEGATIVES_PER_POSITIVE} times as many irrelevant ones but {MOST_NEGATIVES} at most, \
             and {} pages of which nobody said anything; then it judges every page of the test \
             half. Figures are means over topics and {} draws of examples (seed {}). F1 is at the \
             model's own threshold, max F1 at the best one in hindsight, AP is average precision, \
             ECE the expected calibration error over {CALIBRATION_BINS} bins.",
            positives.join(", "),
            self.pool,
            self.draws,
            self.seed
        )
    }
}

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// A model refuses its settings.
    #[error("the settings of model {name:?} are wrong")]
    Settings {
        /// Whose.
        name: String,
        /// What is wrong.
        #[source]
        cause: SettingsError,
    },
    /// The name of a class makes no topic.
    #[error("the class {class:?} makes no topic")]
    Topic {
        /// Which.
        class: String,
        /// Why.
        #[source]
        cause: TopicError,
    },
    /// A topic that is in no data set.
    #[error(transparent)]
    Labelled(#[from] LabelledError),
}

/// A topic that is done.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The data set.
    pub data: &'a str,
    /// The topic.
    pub topic: &'a str,
    /// How many topics there are to do in all.
    pub of: usize,
}

/// Is told of every topic that is done, from whatever thread did it.
pub type Watch<'a> = &'a (dyn Fn(Step<'_>) + Sync);

/// Measures every contender on every topic of every set.
pub fn measure(
    sets: &[LabelledSet],
    contenders: &[Contender],
    protocol: &Protocol,
    watch: Watch<'_>,
) -> Result<Measured, MeasureError> {
    let tasks: Vec<Task<'_>> = tasks(sets, protocol)?;
    let measured = in_parallel(&tasks, protocol.threads, |task| {
        let measured = task.run(contenders, protocol);
        watch(task.step(tasks.len()));
        measured
    });
    let mut all = Measured::default();
    for task in measured {
        let (runs, left_out) = task?;
        all.runs.extend(runs);
        all.left_out.extend(left_out);
    }
    Ok(all)
}

/// One topic of one set.
pub(crate) struct Task<'a> {
    pub(crate) set: &'a LabelledSet,
    pub(crate) class: usize,
    pub(crate) topic: Topic,
    /// Pages of the training half that nobody labelled.
    pool: Vec<usize>,
}

/// The topics to be measured, in the order of the sets.
pub(crate) fn tasks<'a>(
    sets: &'a [LabelledSet],
    protocol: &Protocol,
) -> Result<Vec<Task<'a>>, MeasureError> {
    check_topics(sets, &protocol.topics)?;
    let mut tasks = Vec::new();
    for set in sets {
        let training: Vec<usize> = set.half(false).collect();
        let pool =
            Draw::seeded(protocol.seed, &[&set.name, "pool"]).sample(&training, protocol.pool);
        for class in set.topics() {
            let name = &set.classes[class].name;
            let is_wanted = protocol.topics.iter().any(|topic| topic.eq_ignore_ascii_case(name));
            if !protocol.topics.is_empty() && !is_wanted {
                continue;
            }
            let topic = topic_of(name)
                .map_err(|cause| MeasureError::Topic { class: name.clone(), cause })?;
            tasks.push(Task { set, class, topic, pool: pool.clone() });
        }
    }
    Ok(tasks)
}

fn check_topics(sets: &[LabelledSet], wanted: &[String]) -> Result<(), LabelledError> {
    let known: Vec<&str> = sets
        .iter()
        .flat_map(|set| set.topics().map(|class| set.classes[class].name.as_str()))
        .collect();
    match wanted.iter().find(|topic| !known.iter().any(|name| name.eq_ignore_ascii_case(topic))) {
        None => Ok(()),
        Some(topic) => {
            Err(LabelledError::UnknownTopic { wanted: topic.clone(), known: known.join(", ") })
        }
    }
}

impl<'a> Task<'a> {
    /// The topic's name in the data.
    pub(crate) fn name(&self) -> &'a str {
        &self.set.classes[self.class].name
    }

    /// What is said when it is done.
    pub(crate) fn step(&self, of: usize) -> Step<'a> {
        Step { data: &self.set.name, topic: self.name(), of }
    }

    fn run(
        &self,
        contenders: &[Contender],
        protocol: &Protocol,
    ) -> Result<(Vec<Run>, Vec<LeftOut>), MeasureError> {
        let (mut runs, mut left_out) = (Vec::new(), Vec::new());
        for positives in &protocol.positives {
            if let Some(because) = self.reason_to_leave_out(*positives) {
                left_out.push(because);
                continue;
            }
            // Without examples there is nothing to draw.
            let draws = if *positives == 0 { 1 } else { protocol.draws.max(1) };
            for contender in contenders {
                let mut outcomes = Vec::with_capacity(draws);
                for draw in 0..draws {
                    let examples = self.examples(*positives, draw, protocol.seed);
                    outcomes.push(self.outcome(contender, &examples)?);
                }
                runs.push(Run::mean_of(&outcomes).named(
                    &contender.name,
                    &self.set.name,
                    self.name(),
                    *positives,
                ));
            }
        }
        Ok((runs, left_out))
    }

    /// Too few examples make no measurement.
    pub(crate) fn reason_to_leave_out(&self, positives: usize) -> Option<LeftOut> {
        let found = self.training(true).len();
        let needed = positives + SPARE_POSITIVES;
        let is_tested = self.set.half(true).any(|page| self.is_relevant(page));
        if found >= needed && is_tested {
            return None;
        }
        Some(LeftOut {
            data: self.set.name.clone(),
            topic: self.name().to_owned(),
            positives,
            found,
            needed,
        })
    }

    fn is_relevant(&self, page: usize) -> bool {
        self.set.pages[page].is_about(self.class)
    }

    /// The training pages that are about the topic, or that are not.
    fn training(&self, is_relevant: bool) -> Vec<usize> {
        self.set.half(false).filter(|page| self.is_relevant(*page) == is_relevant).collect()
    }

    /// What is taught in this draw: pages with what is said of them.
    pub(crate) fn examples(
        &self,
        positives: usize,
        draw: usize,
        seed: u64,
    ) -> Vec<(&'a LabelledPage, Teaching<'static>)> {
        let purpose = [&self.set.name, self.name(), &positives.to_string(), &draw.to_string()];
        let mut drawing = Draw::seeded(seed, &purpose);
        let negatives = (positives * NEGATIVES_PER_POSITIVE).min(MOST_NEGATIVES);
        let relevant = drawing.sample(&self.training(true), positives);
        let irrelevant = drawing.sample(&self.training(false), negatives);
        let is_free = |page: &&usize| !relevant.contains(page) && !irrelevant.contains(page);
        let unlabelled: Vec<usize> = self.pool.iter().filter(is_free).copied().collect();
        let pages = &self.set.pages;
        let said = [
            (relevant, Teaching::Relevant),
            (irrelevant, Teaching::Irrelevant),
            (unlabelled, Teaching::Nothing),
        ];
        said.into_iter()
            .flat_map(|(places, teaches)| {
                places.into_iter().map(move |page| (&pages[page], teaches))
            })
            .collect()
    }

    /// The contender's model, having learned from the examples.
    pub(crate) fn trained(
        &self,
        contender: &Contender,
        examples: &[(&LabelledPage, Teaching<'static>)],
    ) -> Result<Box<dyn Model>, MeasureError> {
        let lessons: Vec<Lesson<'_>> = examples
            .iter()
            .map(|(page, teaches)| Lesson { page: contender.sight(page), teaches: *teaches })
            .collect();
        contender.trained(&self.topic, &lessons)
    }

    /// Teaches, judges, counts.
    fn outcome(
        &self,
        contender: &Contender,
        examples: &[(&LabelledPage, Teaching<'static>)],
    ) -> Result<Run, MeasureError> {
        let model = self.trained(contender, examples)?;
        let tested: Vec<&LabelledPage> =
            self.set.half(true).map(|page| &self.set.pages[page]).collect();
        let began = thread_cpu_seconds();
        let judgements: Vec<(f32, bool)> = tested
            .iter()
            .map(|page| {
                let judgement = model.judge(&contender.sight(page));
                (judgement.score.get(), judgement.is_relevant())
            })
            .collect();
        let seconds = thread_cpu_seconds() - began;
        let truths = || tested.iter().map(|page| page.is_about(self.class));
        let judged: Vec<Judged> =
            judgements.iter().zip(truths()).map(|((score, _), truth)| (*score, truth)).collect();
        let verdicts = judgements.iter().zip(truths()).map(|((_, called), truth)| (*called, truth));
        Ok(measures(&judged, Confusion::of(verdicts), seconds))
    }
}

/// Every measure of one outcome.
fn measures(judged: &[Judged], counts: Confusion, seconds: f64) -> Run {
    Run {
        f1: counts.f1(),
        precision: counts.precision(),
        recall: counts.recall(),
        max_f1: best_f1(judged).0,
        pr_auc: average_precision(judged),
        ece: expected_calibration_error(judged, CALIBRATION_BINS),
        pages_per_cpu_s: judged.len() as f64 / seconds.max(f64::MIN_POSITIVE),
        draws: 1,
        curves: Curves::of(judged),
        ..Run::default()
    }
}

/// The processor time that this thread has used.
fn thread_cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
