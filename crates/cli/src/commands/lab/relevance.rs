//! `gannet lab relevance`: how well each relevance model judges pages that people labelled.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use gannet_lab::relevance::{
    Contender, LabelledSet, Protocol, Report, Step, Watch, ablate, load, measure, measure_mixed,
};
use indicatif::{ProgressBar, ProgressStyle};

use super::{Format, print_grids};
use crate::exit::Exit;
use crate::{print, screen};

/// Measure relevance models on labelled pages
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Where labelled data sets lie, in folders or archives: newsgroups, an index with the columns
    /// class, url and path, an encyclopedia with categories, or folders CLASS/*.html|*.txt
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// The models to measure, or `all`
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "all")]
    models: Vec<String>,
    /// The data sets to measure on, by a part of their names; all without it
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    sets: Vec<String>,
    /// The topics to measure on; all without it
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    topics: Vec<String>,
    /// How many relevant examples to teach, each number measured apart
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "0,10,50")]
    positives: Vec<usize>,
    /// How often examples are drawn; figures are means over draws
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    draws: u16,
    /// How many pages are shown to every model of which nobody says anything
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pool: usize,
    /// What fixes the draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many topics are measured at the same time; as many as there are cores without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Also measure on pages that mix topics, by page and by block
    #[arg(long)]
    mixed: bool,
    /// Also measure the default without each of its parts
    #[arg(long)]
    ablation: bool,
    /// How the figures are written
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "table")]
    format: Format,
    /// Also write plots to this file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

/// Measures and prints.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let contenders = contenders(&args.models)?;
    let protocol = protocol(args);
    let sets = load(&args.data, &args.sets, protocol.threads)?;
    for set in &sets {
        print::talk(described(set));
    }
    let measured = watched("models", |watch| measure(&sets, &contenders, &protocol, watch))?;
    let mixed = args.mixed.then(|| {
        watched("mixed pages", |watch| measure_mixed(&sets, &contenders, &protocol, watch))
    });
    let ablation =
        args.ablation.then(|| watched("ablation", |watch| ablate(&sets, &protocol, watch)));
    let report = Report {
        method: protocol.in_words(),
        measured,
        mixed: mixed.transpose()?,
        ablation: ablation.transpose()?,
    };
    if let Some(file) = &args.plot {
        fs::write(file, report.svg()).with_context(|| format!("cannot write {file:?}"))?;
    }
    match args.format {
        Format::Json => print::json(&report)?,
        Format::Html => print::data(report.html())?,
        Format::Table => print_tables(&report)?,
    }
    Ok(Exit::Done.into())
}

/// Measures with a bar that shows how many topics are done.
fn watched<T>(what: &'static str, measure: impl FnOnce(Watch<'_>) -> T) -> T {
    let style = ProgressStyle::with_template("{prefix} {pos}/{len} topics {wide_bar} {elapsed}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(0).with_style(style).with_prefix(what);
    screen::show(bar.clone());
    let measured = measure(&|step: Step<'_>| {
        bar.set_length(step.of as u64);
        bar.inc(1);
    });
    screen::clear();
    measured
}

fn protocol(args: &Args) -> Protocol {
    let standard = Protocol::default();
    Protocol {
        positives: args.positives.clone(),
        draws: args.draws.into(),
        seed: args.seed,
        pool: args.pool,
        topics: args.topics.clone(),
        threads: args.threads.map_or(standard.threads, usize::from),
    }
}

fn contenders(names: &[String]) -> anyhow::Result<Vec<Contender>> {
    let all = Contender::all();
    if names.iter().any(|name| name == "all") {
        return Ok(all);
    }
    let known: Vec<&str> = all.iter().map(|contender| contender.name.as_str()).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!("no relevance model is called {unknown:?}; there are: all, {}", known.join(", "));
    }
    Ok(all.into_iter().filter(|contender| names.contains(&contender.name)).collect())
}

fn described(set: &LabelledSet) -> String {
    let tested = set.pages.iter().filter(|page| page.is_test).count();
    format!(
        "{}: {} topics, {} pages to learn from, {} to judge",
        set.name,
        set.topics().count(),
        set.pages.len() - tested,
        tested
    )
}

fn print_tables(report: &Report) -> anyhow::Result<()> {
    print_grids(report.grids())?;
    for line in report.omissions().into_iter().chain(report.verdicts()) {
        print::data(line)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(asked: &[&str]) -> anyhow::Result<Vec<String>> {
        let asked: Vec<String> = asked.iter().map(|name| (*name).to_owned()).collect();
        Ok(contenders(&asked)?.into_iter().map(|contender| contender.name).collect())
    }

    #[test]
    fn models_are_those_named_or_all() {
        assert_eq!(names(&["topic-vector"]).unwrap(), ["topic-vector"]);
        assert_eq!(names(&["all"]).unwrap().len(), gannet_relevance::MODELS.len());
    }

    #[test]
    fn an_unknown_model_is_refused_with_those_there_are() {
        let error = names(&["topic-vector", "oracle"]).unwrap_err().to_string();
        assert!(error.contains("\"oracle\"") && error.contains("topic-vector"), "{error}");
    }
}
