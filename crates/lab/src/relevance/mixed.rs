//! Pages that mix topics: does judging blocks find what judging pages misses?
//!
//! The pages are built from the test half. Each has six sections under
//! headings that say nothing, each section an excerpt of another page. On a
//! positive page exactly one section comes from a page of the topic, on a
//! negative page none does. Both ways of judging are compared at the threshold
//! that lets the same share of negative pages through.

use gannet_model::{Block, Document, Heading};
use gannet_relevance::{Judged, average_precision};
use serde::Serialize;

use super::draw::Draw;
use super::parallel::in_parallel;
use super::protocol::{Task, tasks};
use super::results::mean;
use super::{Contender, LabelledPage, LabelledSet, MeasureError, Protocol, Watch};

/// How one model does on the mixed pages of a set; means over topics.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mixed {
    /// The model.
    pub model: String,
    /// The data set that the pages are made of.
    pub data: String,
    /// How many relevant examples it was given.
    pub positives: usize,
    /// How many topics were measured.
    pub topics: usize,
    /// The share of positive pages found by the score of the page.
    pub page_recall: f64,
    /// The share of positive pages found by the score of the best block.
    pub block_recall: f64,
    /// The share of negative pages that both recalls let through at most.
    pub false_positive_rate: f64,
    /// Average precision by the score of the page.
    pub page_ap: f64,
    /// Average precision by the score of the best block.
    pub block_ap: f64,
    /// On how many of the positive pages the best block is the relevant one.
    pub best_block_is_relevant: f64,
}

/// Relevant examples that models are given.
const POSITIVES: usize = 50;
/// Sections of a page.
const SECTIONS: usize = 6;
/// Words of a section.
const EXCERPT_WORDS: usize = 120;
/// Pages of each topic with one section on it,
const POSITIVE_PAGES: usize = 100;
/// and without: enough that one in twenty is a measure.
const NEGATIVE_PAGES: usize = 400;
/// The share of negative pages that may pass.
const FALSE_POSITIVE_RATE: f64 = 0.05;

/// Measures every contender on the mixed pages of every topic.
pub fn measure_mixed(
    sets: &[LabelledSet],
    contenders: &[Contender],
    protocol: &Protocol,
    watch: Watch<'_>,
) -> Result<Vec<Mixed>, MeasureError> {
    let tasks: Vec<Task<'_>> = tasks(sets, protocol)?
        .into_iter()
        .filter(|task| task.reason_to_leave_out(POSITIVES).is_none())
        .collect();
    let measured = in_parallel(&tasks, protocol.threads, |task| {
        let measured = on_topic(task, contenders, protocol);
        watch(task.step(tasks.len()));
        measured
    });
    let mut all = Vec::new();
    for topic in measured {
        all.extend(topic?);
    }
    Ok(means(&all))
}

/// A page of excerpts, and which of its sections is on the topic.
struct MixedPage {
    document: Document,
    relevant: Option<usize>,
}

fn on_topic(
    task: &Task<'_>,
    contenders: &[Contender],
    protocol: &Protocol,
) -> Result<Vec<Mixed>, MeasureError> {
    let pages = mixed_pages(task, protocol.seed);
    if pages.is_empty() {
        return Ok(Vec::new());
    }
    let examples = task.examples(POSITIVES, 0, protocol.seed);
    let mut measured = Vec::new();
    for contender in contenders {
        let model = task.trained(contender, &examples)?;
        let (mut by_page, mut by_block, mut right): (Vec<Judged>, Vec<Judged>, usize) =
            Default::default();
        for page in &pages {
            let is_relevant = page.relevant.is_some();
            by_page.push((model.judge(&(&page.document).into()).score.get(), is_relevant));
            // Block 0 stands before the first heading and is empty.
            let scores = model.judge_blocks(&page.document);
            let sections = scores.iter().enumerate().skip(1);
            let best = sections.max_by(|a, b| a.1.get().total_cmp(&b.1.get()).then(b.0.cmp(&a.0)));
            let (place, score) = best.map_or((0, 0.0), |(place, score)| (place, score.get()));
            by_block.push((score, is_relevant));
            right += usize::from(page.relevant == Some(place));
        }
        let positive = by_page.iter().filter(|(_, truth)| *truth).count();
        measured.push(Mixed {
            model: contender.name.clone(),
            data: task.set.name.clone(),
            positives: POSITIVES,
            topics: 1,
            page_recall: recall_at(&by_page, FALSE_POSITIVE_RATE),
            block_recall: recall_at(&by_block, FALSE_POSITIVE_RATE),
            false_positive_rate: FALSE_POSITIVE_RATE,
            page_ap: average_precision(&by_page),
            block_ap: average_precision(&by_block),
            best_block_is_relevant: right as f64 / positive.max(1) as f64,
        });
    }
    Ok(measured)
}

/// The share of relevant pages above the lowest threshold that lets at most this share of the
/// others through.
fn recall_at(judged: &[Judged], false_positive_rate: f64) -> f64 {
    let mut others: Vec<f32> =
        judged.iter().filter(|(_, truth)| !truth).map(|(score, _)| *score).collect();
    others.sort_by(|a, b| b.total_cmp(a));
    let allowed = (others.len() as f64 * false_positive_rate) as usize;
    // What scores no more than the first that must not pass does not pass either.
    let barred = others.get(allowed).copied().unwrap_or(f32::NEG_INFINITY);
    let relevant = judged.iter().filter(|(_, truth)| *truth);
    mean(relevant.map(|(score, _)| f64::from(u8::from(*score > barred))))
}

/// The mixed pages of a topic; none when too few pages are long enough.
fn mixed_pages(task: &Task<'_>, seed: u64) -> Vec<MixedPage> {
    let long = task.set.half(true).map(|page| &task.set.pages[page]);
    let (on, off): (Vec<&LabelledPage>, Vec<&LabelledPage>) = long
        .filter(|page| words(page).take(EXCERPT_WORDS).count() == EXCERPT_WORDS)
        .partition(|page| page.is_about(task.class));
    if on.is_empty() || off.len() < SECTIONS {
        return Vec::new();
    }
    let mut draw = Draw::seeded(seed, &[&task.set.name, task.name(), "mixed"]);
    (0..POSITIVE_PAGES + NEGATIVE_PAGES)
        .map(|page| {
            let mut sources = draw.sample(&off, SECTIONS);
            let mut relevant = None;
            if page < POSITIVE_PAGES {
                let section = draw.below(SECTIONS);
                sources[section] = on[draw.below(on.len())];
                relevant = Some(section + 1);
            }
            let excerpts = sources.iter().map(|page| excerpt(page, &mut draw));
            MixedPage { document: in_sections(excerpts), relevant }
        })
        .collect()
}

fn words(page: &LabelledPage) -> impl Iterator<Item = &str> {
    page.document.text().flat_map(str::split_whitespace)
}

/// Words of a page that follow each other, from anywhere in it.
fn excerpt(page: &LabelledPage, draw: &mut Draw) -> String {
    let words: Vec<&str> = words(page).collect();
    let start = draw.below(words.len() - EXCERPT_WORDS + 1);
    words[start..start + EXCERPT_WORDS].join(" ")
}

fn in_sections(excerpts: impl Iterator<Item = String>) -> Document {
    let section = |(nth, text): (usize, String)| Block {
        heading: Some(Heading { level: 2, text: format!("Section {}", nth + 1) }),
        text,
        ..Block::default()
    };
    let blocks = std::iter::once(Block::default()).chain(excerpts.enumerate().map(section));
    Document { blocks: blocks.collect(), ..Document::default() }
}

/// Means over the topics of each set, for each model, in the order of their first topic.
fn means(topics: &[Mixed]) -> Vec<Mixed> {
    let mut means: Vec<Mixed> = Vec::new();
    for topic in topics {
        let is_alike = |other: &&Mixed| (&other.model, &other.data) == (&topic.model, &topic.data);
        if means.iter().any(|mean| is_alike(&mean)) {
            continue;
        }
        let alike: Vec<&Mixed> = topics.iter().filter(is_alike).collect();
        let over = |of: fn(&Mixed) -> f64| mean(alike.iter().map(|topic| of(topic)));
        means.push(Mixed {
            topics: alike.len(),
            page_recall: over(|topic| topic.page_recall),
            block_recall: over(|topic| topic.block_recall),
            page_ap: over(|topic| topic.page_ap),
            block_ap: over(|topic| topic.block_ap),
            best_block_is_relevant: over(|topic| topic.best_block_is_relevant),
            ..topic.clone()
        });
    }
    means
}
