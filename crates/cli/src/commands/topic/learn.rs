//! `gannet topic learn`: what the example pages teach, and how well they are told apart.
//!
//! Keywords go into the topic file. Models are not kept here: a crawl makes
//! its own from the same examples, and gets the same.

use std::process::ExitCode;

use anyhow::Context;
use gannet_engine::Taught;
use gannet_relevance::{
    DEFAULT_MODEL, Entry, LearnedKeyword, Lesson, MODELS, MOST_KEYWORDS, Separation, Topic,
    ValidationError, cross_validate, weights_table,
};
use serde::Serialize;

use super::chosen::{described, examples_of};
use crate::arguments::{Globals, TextOrJson};
use crate::config::{self, Loaded, Mistake};
use crate::exit::Exit;
use crate::print;
use crate::table::Table;
use crate::topic::{self, Described, Editor, ExamplePage, KEYWORDS, WrittenKeyword};

/// Arguments of `gannet topic learn`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    gannet topic learn seabirds\n  \
    gannet topic learn seabirds --dry-run --format json | jq .models\n\n\
    Nothing is asked. The keywords are written into `[learned.keywords]` of the topic file, in \
    place of those learned before; what you wrote stays as it is.\n\n\
    JSON fields: topic, file, written, examples {relevant, irrelevant, relatives}, keywords \
    [{text, weight, examples, occurrences}], weights_table [{word, weight}], models [{model, \
    default, relevant, irrelevant, folds, precision, recall, f1, pr_auc, calibration_error, \
    problem}], optimistic.")]
pub(crate) struct Args {
    /// The topic's name or file; without it the one that the config file names
    #[arg(value_name = "NAME|FILE")]
    topic: Option<String>,
    /// At most this many keywords, fewer than 50
    #[arg(long, value_name = "N", default_value_t = KEYWORDS as u64,
          value_parser = clap::value_parser!(u64).range(1..=MOST_KEYWORDS as u64))]
    keywords: u64,
    /// Show what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// How it is written
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// What was learned. The field names are stable.
#[derive(Debug, Serialize)]
struct Report {
    topic: String,
    file: String,
    /// True when the keywords were written into the file.
    written: bool,
    examples: Counts,
    keywords: Vec<KeywordReport>,
    weights_table: Vec<TermReport>,
    models: Vec<ModelReport>,
    /// True when the figures had to be taken with keywords that were learned from all examples,
    /// those held out included, because the topic has no others.
    optimistic: bool,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Counts {
    relevant: usize,
    irrelevant: usize,
    relatives: usize,
}

#[derive(Debug, Serialize)]
struct KeywordReport {
    text: String,
    weight: f32,
    /// In how many of the relevant examples it stands.
    examples: usize,
    occurrences: usize,
}

#[derive(Debug, Serialize)]
struct TermReport {
    word: String,
    weight: f32,
}

#[derive(Debug, Serialize)]
struct ModelReport {
    model: &'static str,
    /// True for the model of the crawl unless another is named.
    default: bool,
    #[serde(flatten)]
    separation: Option<SeparationReport>,
    /// Why nothing was measured.
    problem: Option<String>,
}

#[derive(Debug, Serialize)]
struct SeparationReport {
    relevant: usize,
    irrelevant: usize,
    folds: usize,
    precision: f64,
    recall: f64,
    f1: f64,
    pr_auc: f64,
    calibration_error: f64,
}

/// Parts into which the examples are dealt for measuring; each is judged by a model that knows
/// only the others. Five is what the field is used to.
const FOLDS: usize = 5;
/// Fixes how the examples are dealt: the same file gives the same figures.
const SEED: u64 = 0x6761_6e6e_6574;
/// Terms of the weights table (S5.2: ten in the paper).
const TERMS: usize = 10;
/// With fewer examples of a kind, one page more or less moves the figures by ten points.
const FEW: usize = 10;

/// Learns, measures, writes and tells.
pub(crate) fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    let path = config::find(globals.config.as_deref());
    let loaded = config::load(path.as_deref(), Vec::new())?;
    let described = described(args.topic.as_deref(), &loaded)?;
    let (Some(file), Some(text)) = (described.path(), described.text()) else {
        let help = "`gannet topic new` writes one; name it here or as `topic.file`";
        let mistake =
            Mistake::new("what is learned is written into a topic file, and there is none");
        return Err(config::ConfigError::from(mistake.help(help)).into());
    };
    let examples = examples_of(&described, &loaded)?;
    let counts = count(&examples);
    if counts.relevant == 0 {
        let mistake = described.mistake("examples.yes", "there is no page to learn from");
        let help = "put pages about the topic there, or use `gannet topic new --examples`";
        return Err(config::ConfigError::from(mistake.help(help)).into());
    }
    let lessons: Vec<Lesson<'_>> = examples.iter().map(ExamplePage::lesson).collect();
    let learned = topic::learned_keywords(&examples, usize::try_from(args.keywords)?);
    let written = keep_those_with_synonyms(&described, topic::as_written(&learned, &examples));
    let mut editor = Editor::new(text).context("the topic file cannot be changed")?;
    editor.set_learned(&written);
    let new = Described::parse(file, editor.text())?;
    let topic = new.topic(&examples)?;
    let own_topic = described.own_topic();
    let measured_by = own_topic.as_ref().unwrap_or(&topic);
    let report = Report {
        topic: described.name(),
        file: file.display().to_string(),
        written: !args.dry_run,
        examples: counts,
        keywords: learned.into_iter().map(KeywordReport::from).collect(),
        weights_table: terms(&lessons),
        models: MODELS.iter().map(|entry| measure(entry, measured_by, &loaded, &lessons)).collect(),
        optimistic: own_topic.is_none(),
    };
    if !args.dry_run {
        editor.write(file).with_context(|| format!("cannot write {}", file.display()))?;
    }
    match args.format {
        TextOrJson::Json => print::json(&report)?,
        TextOrJson::Text => tell(&report, &written)?,
    }
    Ok(Exit::Done.into())
}

fn count(examples: &[ExamplePage]) -> Counts {
    let of =
        |wanted: fn(&Taught) -> bool| examples.iter().filter(|page| wanted(&page.teaches)).count();
    Counts {
        relevant: of(|teaches| *teaches == Taught::Relevant),
        irrelevant: of(|teaches| *teaches == Taught::Irrelevant),
        relatives: of(|teaches| matches!(teaches, Taught::Relative(_))),
    }
}

/// A keyword that the user has given synonyms stays: without it they would hang in the air.
fn keep_those_with_synonyms(
    described: &Described<'_>,
    mut learned: Vec<WrittenKeyword>,
) -> Vec<WrittenKeyword> {
    let has_synonyms = |word: &str| {
        let word = topic::normal(word);
        described.written.synonyms.keys().any(|keyword| topic::normal(keyword) == word)
    };
    for (text, weight) in &described.written.learned.keywords {
        let is_there = learned.iter().any(|new| topic::normal(&new.text) == topic::normal(text));
        if !is_there && has_synonyms(text) {
            let remark = "learned before, kept for its synonyms".to_owned();
            learned.push(WrittenKeyword { text: text.clone(), weight: *weight as f32, remark });
        }
    }
    learned
}

fn terms(lessons: &[Lesson<'_>]) -> Vec<TermReport> {
    let table = weights_table(lessons, TERMS).into_iter();
    table.map(|(word, weight)| TermReport { word, weight }).collect()
}

fn measure(entry: &Entry, topic: &Topic, loaded: &Loaded, lessons: &[Lesson<'_>]) -> ModelReport {
    let settings = config::settings(entry.name, &loaded.file.relevance);
    let measured = cross_validate(entry, topic, &settings, lessons, FOLDS, SEED);
    let (separation, problem) = match measured {
        Ok(separation) => (Some(SeparationReport::from(separation)), None),
        Err(error) => (None, Some(in_words(&error))),
    };
    ModelReport { model: entry.name, default: entry.name == DEFAULT_MODEL, separation, problem }
}

fn in_words(error: &ValidationError) -> String {
    error.to_string().replace('\n', "; ")
}

fn tell(report: &Report, written: &[WrittenKeyword]) -> anyhow::Result<()> {
    let Counts { relevant, irrelevant, relatives } = report.examples;
    print::data(format_args!(
        "{}: {relevant} pages about the topic, {irrelevant} that are not, {relatives} of relatives.\n",
        report.topic
    ))?;
    let mut table = Table::new(&["keyword", "weight", "examples", "occurrences"]);
    for keyword in &report.keywords {
        table.row([
            keyword.text.clone(),
            format!("{:.3}", keyword.weight),
            format!("{} of {relevant}", keyword.examples),
            keyword.occurrences.to_string(),
        ]);
    }
    table.print()?;
    let terms = report.weights_table.iter().map(|term| format!("{} {:.2}", term.word, term.weight));
    print::data(format_args!(
        "\nCommonest words, by n/n_max (S5.2): {}.\n",
        terms.collect::<Vec<_>>().join(", ")
    ))?;
    tell_models(report)?;
    let file = &report.file;
    match report.written {
        true => print::talk(format_args!(
            "Wrote {} keywords into [learned.keywords] of {file}.",
            written.len()
        )),
        false => print::talk(format_args!("{file} is as it was: this was a dry run.")),
    }
    Ok(())
}

fn tell_models(report: &Report) -> anyhow::Result<()> {
    let measured: Vec<_> = report
        .models
        .iter()
        .filter_map(|model| Some((model, model.separation.as_ref()?)))
        .collect();
    let Some((_, first)) = measured.first() else {
        let problem = report.models.iter().find_map(|model| model.problem.as_deref());
        print::warn(format_args!("how well models do is unknown: {}", problem.unwrap_or_default()));
        return Ok(());
    };
    print::data(format_args!(
        "How well each model tells {} pages from {} it has not seen ({} parts, each judged by what \
         the others teach):",
        first.relevant, first.irrelevant, first.folds
    ))?;
    let mut table = Table::new(&["model", "precision", "recall", "f1", "pr-auc"]);
    for (model, separation) in &measured {
        let name = if model.default {
            format!("{} [default]", model.model)
        } else {
            model.model.to_owned()
        };
        let shares = [separation.precision, separation.recall, separation.f1, separation.pr_auc];
        table.row(std::iter::once(name).chain(shares.map(|share| format!("{share:.2}"))));
    }
    table.print()?;
    if report.optimistic {
        print::warn(
            "these figures flatter models that go by keywords: the topic has none but those \
             learned from these very pages",
        );
    }
    if first.relevant.min(first.irrelevant) < FEW {
        print::warn(format_args!(
            "these figures are rough: with {} and {} pages, one page more or less changes them \
             much; {FEW} of each kind say more",
            first.relevant, first.irrelevant
        ));
    }
    Ok(())
}

impl From<LearnedKeyword> for KeywordReport {
    fn from(keyword: LearnedKeyword) -> KeywordReport {
        let LearnedKeyword { text, weight, pages, occurrences } = keyword;
        KeywordReport { text, weight, examples: pages, occurrences }
    }
}

impl From<Separation> for SeparationReport {
    fn from(measured: Separation) -> SeparationReport {
        SeparationReport {
            relevant: measured.relevant,
            irrelevant: measured.irrelevant,
            folds: measured.folds,
            precision: measured.precision,
            recall: measured.recall,
            f1: measured.f1,
            pr_auc: measured.pr_auc,
            calibration_error: measured.calibration_error,
        }
    }
}
