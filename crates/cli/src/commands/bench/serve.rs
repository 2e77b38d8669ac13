//! The web of `gannet bench crawl`, in a process of its own so that its cost is not counted.
//!
//! Prints one line of JSON, then answers each line on stdin with the number of
//! pages served so far, and ends when stdin closes.

use std::io::BufRead;
use std::process::ExitCode;
use std::sync::Arc;

use gannet_testbed::{Server, ServerOptions, Spec, Web};
use serde::{Deserialize, Serialize};

use crate::exit::Exit;
use crate::print;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// How many pages the web has
    #[arg(long)]
    pages: u64,
}

/// What a crawler needs to know of the web.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Announcement {
    pub(super) hosts_file: String,
    pub(super) topic: String,
    pub(super) seeds: Vec<String>,
    pub(super) foreign_seeds: Vec<String>,
}

pub(super) fn spec(pages: u64) -> Spec {
    Spec { pages, ..Spec::bench() }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let web = Arc::new(Web::new(spec(args.pages)));
    let server = runtime.block_on(Server::start(web.clone(), ServerOptions::default()))?;
    let announcement = Announcement {
        hosts_file: server.hosts_file(),
        topic: web.topic().words.join(", "),
        seeds: web.seeds(SEEDS),
        foreign_seeds: server.seed_urls_for_foreign_tools(SEEDS),
    };
    print::data(serde_json::to_string(&announcement)?)?;
    for line in std::io::stdin().lock().lines() {
        line?;
        let served = server.log().iter().filter(|entry| entry.path != "/robots.txt").count();
        print::data(served)?;
    }
    runtime.block_on(server.stop());
    Ok(Exit::Done.into())
}

const SEEDS: usize = 16;
