//! `gannet lab harvest`: how much of a topic each ordering finds on one web.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::ValueEnum;
use gannet_lab::harvest::{
    Contestant, DeadLinks, Ground, JudgeKind, Protocol, Report, SeedKind, Step, SubjectIndexes,
    WebKind, WebOptions, measure,
};
use indicatif::{ProgressBar, ProgressStyle};

use super::print_grids;
use crate::exit::Exit;
use crate::{print, screen};

/// Measure orderings on one web
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The web: testbed:NAME, warc:FILE, dir:DIR, webkb:DIR or wikispeedia:DIR
    #[arg(long, value_name = "KIND:WHERE")]
    web: WebKind,
    /// The orderings to measure, or `all`; `oracle` knows the truth. Settings are written
    /// NAME:KEY=VALUE+KEY=VALUE
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "all")]
    orders: Vec<String>,
    /// The topics to measure on; all of the web without it
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    topics: Vec<String>,
    /// What the pages of a recorded web or a folder are about: lines of topic, tab, and path or
    /// address. A folder's own labels.tsv without it
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,
    /// Leave out an encyclopedia's indexes of subjects, which list the pages of each topic
    #[arg(long)]
    without_subject_indexes: bool,
    /// How many pages each crawl may fetch; 600 for an encyclopedia and 1000 for others without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pages: Option<u64>,
    /// How many sets of seeds there are for each topic; figures are means over them
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    repeat: u16,
    /// How many requests are under way at once: orderings learn that much later
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    in_flight: u32,
    /// Where crawls begin
    #[arg(long, value_name = "KIND", value_enum, default_value = "topic")]
    seeds: Seeds,
    /// Who says to the orderings whether a page is relevant; what is counted is always the truth
    #[arg(long, value_name = "WHO", value_enum, default_value = "truth")]
    judge: Judge,
    /// The share of pages that the judge `truth` gets wrong, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = read_share)]
    flip: f64,
    /// What becomes of links that lead to no page of the web
    #[arg(long, value_name = "WHAT", value_enum, default_value = "follow")]
    dead_links: Dead,
    /// What fixes seeds and the judge's errors
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many crawls run at the same time; as many as there are cores without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// How the figures are written
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "table")]
    format: super::Format,
    /// Also write plots to this file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Seeds {
    /// With five relevant pages that lead to others
    Topic,
    /// With one irrelevant page that has many links
    Root,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Judge {
    /// The truth
    Truth,
    /// The standard relevance model, which knows the topic's words
    Model,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Dead {
    /// They can be followed, and cost a request
    Follow,
    /// They are not there
    LeaveOut,
}

/// Measures and prints.
pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let protocol = protocol(args)?;
    let options = WebOptions {
        labels: args.labels.clone(),
        subject_indexes: match args.without_subject_indexes {
            true => SubjectIndexes::LeaveOut,
            false => SubjectIndexes::Serve,
        },
    };
    let ground = Ground::load(&args.web, &options)?;
    print::talk(described(&ground));
    let measured = watched(|watch| measure(&ground, &protocol, watch))?;
    let report = Report::new(protocol.in_words(&ground), measured);
    if let Some(file) = &args.plot {
        fs::write(file, report.svg()).with_context(|| format!("cannot write {file:?}"))?;
    }
    match args.format {
        super::Format::Json => print::json(&report)?,
        super::Format::Html => print::data(report.html())?,
        super::Format::Table => {
            print_grids(report.grids())?;
            for line in report.omissions().into_iter().chain(report.verdict()) {
                print::data(line)?;
            }
        }
    }
    Ok(Exit::Done.into())
}

/// Measures with a bar that shows how many crawls are done.
fn watched<T>(measure: impl FnOnce(gannet_lab::harvest::Watch<'_>) -> T) -> T {
    let style = ProgressStyle::with_template("{pos}/{len} crawls {wide_bar} {elapsed}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(0).with_style(style);
    screen::show(bar.clone());
    let measured = measure(&|step: Step<'_>| {
        bar.set_length(step.of as u64);
        bar.inc(1);
    });
    screen::clear();
    measured
}

fn protocol(args: &Args) -> anyhow::Result<Protocol> {
    let standard = Protocol::default();
    Ok(Protocol {
        contestants: contestants(&args.orders)?,
        topics: args.topics.clone(),
        pages: args.pages,
        repeat: args.repeat.into(),
        in_flight: args.in_flight,
        seeds: match args.seeds {
            Seeds::Topic => SeedKind::Topic,
            Seeds::Root => SeedKind::Root,
        },
        judge: match args.judge {
            Judge::Truth => JudgeKind::Truth { flip: args.flip },
            Judge::Model => JudgeKind::Model,
        },
        dead_links: match args.dead_links {
            Dead::Follow => DeadLinks::Follow,
            Dead::LeaveOut => DeadLinks::LeaveOut,
        },
        seed: args.seed,
        threads: args.threads.map_or(standard.threads, usize::from),
    })
}

/// Those named, each once; `all` stands for the whole registry and the oracle.
fn contestants(names: &[String]) -> anyhow::Result<Vec<Contestant>> {
    let mut chosen: Vec<Contestant> = Vec::new();
    for name in names {
        let named = match name.as_str() {
            "all" => Contestant::all(),
            name => vec![Contestant::parse(name)?],
        };
        for contestant in named {
            if !chosen.contains(&contestant) {
                chosen.push(contestant);
            }
        }
    }
    Ok(chosen)
}

fn read_share(text: &str) -> Result<f64, String> {
    let share = text.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "write a share from 0 to 1, such as 0.1".to_owned())
}

fn described(ground: &Ground) -> String {
    format!(
        "{}: {} pages on {} hosts, {} topics",
        ground.name,
        ground.size(),
        ground.hosts(),
        ground.topics.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(asked: &[&str]) -> anyhow::Result<Vec<String>> {
        let asked: Vec<String> = asked.iter().map(|name| (*name).to_owned()).collect();
        Ok(contestants(&asked)?.into_iter().map(|contestant| contestant.name).collect())
    }

    #[test]
    fn orders_are_those_named_each_once_or_all() {
        assert_eq!(names(&["oracle", "best-first", "oracle"]).unwrap(), ["oracle", "best-first"]);
        let all = names(&["all", "oracle"]).unwrap();
        assert_eq!(all.len(), gannet_links::ORDERS.len() + 1);
    }

    #[test]
    fn an_unknown_order_is_refused_with_those_there_are() {
        let error = names(&["best-last"]).unwrap_err().to_string();
        assert!(error.contains("\"best-last\"") && error.contains("best-first"), "{error}");
    }

    #[test]
    fn a_share_is_from_0_to_1() {
        assert_eq!(read_share("0.1"), Ok(0.1));
        for wrong in ["-0.1", "1.1", "ten", "NaN"] {
            assert!(read_share(wrong).is_err(), "{wrong}");
        }
    }
}
