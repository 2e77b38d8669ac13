//! The commands, one file each.

pub(crate) mod bench;
pub(crate) mod changes;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod crawl;
pub(crate) mod demo;
pub(crate) mod detect;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod freshness;
pub(crate) mod history;
pub(crate) mod init;
pub(crate) mod lab;
pub(crate) mod label;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod pages;
pub(crate) mod plan;
pub(crate) mod rejudge;
pub(crate) mod seeds;
pub(crate) mod show;
pub(crate) mod sites;
pub(crate) mod status;
pub(crate) mod topic;
pub(crate) mod watch;

mod earlier;
mod prepared;

use std::process::ExitCode;

use crate::arguments::{Command, Invocation};

/// Does what was asked.
pub(crate) fn run(invocation: Invocation) -> anyhow::Result<ExitCode> {
    let matches = invocation.matches().clone();
    let globals = invocation.arguments.globals;
    match invocation.arguments.command {
        Command::Init(args) => init::run(&args),
        Command::Config(args) => config::run(&args, &globals, &matches),
        Command::Topic(args) => topic::run(args, &globals, &matches),
        Command::Seeds(args) => seeds::run(&args, &globals, &matches),
        Command::Crawl(args) => crawl::run(&args, &globals, &matches),
        Command::Watch(args) => watch::run(&args, &globals, &matches),
        Command::Plan(args) => plan::run(&args, &globals, &matches),
        Command::Status(args) => status::run(&args, &globals),
        Command::Explain(args) => explain::run(&args, &globals),
        Command::History(args) => history::run(&args, &globals),
        Command::Show(args) => show::run(&args, &globals),
        Command::Diff(args) => diff::run(&args, &globals),
        Command::Changes(args) => changes::run(&args, &globals),
        Command::Freshness(args) => freshness::run(&args, &globals, &matches),
        Command::Detect(args) => detect::run(&args),
        Command::Pages(args) => pages::run(&args, &globals),
        Command::Sites(args) => sites::run(&args, &globals),
        Command::Label(args) => label::run(&args, &globals),
        Command::Rejudge(args) => rejudge::run(&args, &globals, &matches),
        Command::Export(args) => export::run(&args, &globals),
        Command::Lab(args) => lab::run(args),
        Command::List(args) => list::run(&args),
        Command::Demo(args) => demo::run(&args, &globals, &matches),
        Command::Bench(args) => bench::run(args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
