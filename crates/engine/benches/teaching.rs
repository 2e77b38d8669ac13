//! What learning costs a crawl: teachings in the heart, what they store, and judging again.
//!
//! A teaching keeps the heart from everything else, so it must be short or
//! rare. Pages are those of the synthetic web. Run with `cargo bench -p gannet-engine`.
#![allow(clippy::print_stdout, missing_docs)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use gannet_engine::{Config, DataDir, KeptPage, What, rejudge, run, stop_channel};
use gannet_fetch::Overrides;
use gannet_model::{Headers, PageUrl, Settings};
use gannet_relevance::{Appetite, Lesson, MODELS, Model, Teaching, Topic};
use gannet_store::{Commit, Embedded, LearnedRecord, LessonCounts, Store};
use gannet_testbed::{Ask, Server, ServerOptions, Spec, Web};

/// Pages of the largest batch that the heart keeps.
const BATCH: usize = 512;
const EXAMPLES: usize = 10;
const LABELS: usize = 300;
/// Batches that are taught: as many pages as models remember.
const BATCHES: usize = 3;
/// Pages of the crawl that is judged again.
const CRAWLED: u64 = 2000;

fn main() {
    let web = Arc::new(Web::new(Spec::demo()));
    let topic = Topic::from_words(&web.topic().words.join(", ")).expect("a topic");
    let pages = pages(&web, EXAMPLES + LABELS + 1 + BATCHES * BATCH);
    let bytes: usize = pages.iter().map(|(page, _)| text_bytes(page)).sum();
    println!("{} pages of {} bytes of text", pages.len(), bytes / pages.len());
    for entry in MODELS {
        let model = (entry.build)(&topic, &Settings::none()).expect("a model");
        if model.appetite() != Appetite::None || learns(model.as_ref(), &pages) {
            measure(entry.name, model, &pages);
        }
    }
    measure_rejudging(&web, topic);
}

fn pages(web: &Web, count: usize) -> Vec<(KeptPage, bool)> {
    let limits = gannet_content::Limits::default();
    let read = |number| {
        let url = PageUrl::parse(&web.url(number)).ok()?;
        let reply = web.respond(&Ask::new(url.host().name(), url.path_and_query(), 0));
        let is_page = reply.status == 200;
        let document = gannet_content::read_html(&url, &Headers::new(), &reply.body, &limits);
        let prominence = gannet_content::prominence(&document, None);
        let is_relevant = web.truth(url.as_str())?.is_relevant;
        let page = KeptPage::new(document, Some(url), String::new(), Some(prominence));
        is_page.then_some((page, is_relevant))
    };
    web.pages().filter_map(read).take(count).collect()
}

fn text_bytes(page: &KeptPage) -> usize {
    page.sight().document.text().map(str::len).sum()
}

fn lessons(pages: &[(KeptPage, bool)], is_told: bool) -> Vec<Lesson<'_>> {
    let teaches = |is_relevant: bool| match (is_told, is_relevant) {
        (false, _) => Teaching::Nothing,
        (true, true) => Teaching::Relevant,
        (true, false) => Teaching::Irrelevant,
    };
    pages.iter().map(|(page, is)| Lesson { page: page.sight(), teaches: teaches(*is) }).collect()
}

fn learns(model: &dyn Model, pages: &[(KeptPage, bool)]) -> bool {
    model.taught(&lessons(&pages[..EXAMPLES], true)).is_some()
}

fn measure(name: &str, mut model: Box<dyn Model>, pages: &[(KeptPage, bool)]) {
    let (examples, rest) = pages.split_at(EXAMPLES);
    let (labels, rest) = rest.split_at(LABELS);
    let (label, rest) = rest.split_at(1);
    println!("{name} ({:?})", model.appetite());
    let mut stretches: Vec<(&str, &[_], bool)> =
        vec![("10 examples", examples, true), ("1 label", &labels[..1], true)];
    stretches.extend(rest.chunks(BATCH).map(|batch| ("512 pages", batch, false)));
    stretches.extend([("300 labels", labels, true), ("1 label", label, true)]);
    for (what, pages, is_told) in stretches {
        let lessons = lessons(pages, is_told);
        let began = Instant::now();
        let taught = model.taught(&lessons);
        let took = began.elapsed();
        let is_moved = taught.is_some();
        model = taught.unwrap_or(model);
        let began = Instant::now();
        let state = model.state().map_or(0, |state| state.len());
        println!(
            "  {what}: {took:.1?}{}, state of {state} bytes in {:.1?}",
            if is_moved { "" } else { " (nothing to learn)" },
            began.elapsed()
        );
    }
    let began = Instant::now();
    let relevant = rest.iter().filter(|(page, _)| model.judge(&page.sight()).is_relevant()).count();
    let each = began.elapsed() / u32::try_from(rest.len()).unwrap_or(1);
    println!("  judging: {each:.1?} a page, {relevant} of {} relevant", rest.len());
    let state = model.state().unwrap_or_default();
    println!("  storing its state: {:.1?}", storing(state));
}

/// What the commit of a learned state takes, the third of three: the journal is there by then.
fn storing(state: Vec<u8>) -> Duration {
    let directory = tempfile::tempdir().expect("a directory");
    let mut store = Embedded::open(&directory.path().join("store")).expect("a store");
    let lessons = LessonCounts::default();
    let learned = LearnedRecord { key: 1, version: 1, lessons, batches: 1, labels: vec![], state };
    let commit = Commit { learned: Some(learned), ..Commit::default() };
    let times = [1, 2, 3].map(|_| {
        let commit = commit.clone();
        let began = Instant::now();
        store.commit(commit).expect("room on the disk");
        began.elapsed()
    });
    times[2]
}

fn measure_rejudging(web: &Arc<Web>, topic: Topic) {
    let directory = tempfile::tempdir().expect("a directory");
    let data = DataDir::new(directory.path());
    let mut config = Config::new(topic);
    config.pace.delay = Duration::ZERO;
    config.limits.pages = Some(CRAWLED);
    config.seeds = web.seeds(16).iter().filter_map(|seed| PageUrl::parse(seed).ok()).collect();
    config.fetch.allow_addresses = vec!["127.0.0.0/8".parse().expect("a network")];
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let options = ServerOptions::default();
        let server = Server::start(web.clone(), options).await.expect("a server");
        config.fetch.overrides = Overrides::parse(&server.hosts_file()).expect("addresses");
        let (_keep, stop) = stop_channel();
        run(config.clone(), &data, stop, &mut |_| {}).await.expect("a crawl");
    });
    config.topic = Topic::from_words("harbour, zebra").expect("a topic");
    let mut turned = 0;
    let summary = rejudge(&data, &config, What::default(), &mut |_| turned += 1).expect("judged");
    println!(
        "rejudge: {} pages in {:.2?}, {:.0} a second, {turned} turned",
        summary.pages,
        summary.elapsed,
        summary.pages_per_second()
    );
}
