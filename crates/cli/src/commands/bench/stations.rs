//! Where the time of a visit goes, station by station.
//!
//! Each station is run alone, on one thread, over the same pages; what is left
//! of the crawl's whole cost is the network: sockets, runtime and kernel.

use std::hint::black_box;
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use gannet_archive::{Compression, Encoder, Visit};
use gannet_engine::{Approach, Config, Journey};
use gannet_lab::{ReplayWeb, TestbedWeb, replay_in};
use gannet_model::{PageUrl, Response, Timestamp};
use gannet_relevance::{DEFAULT_MODEL, Topic, build_model};
use gannet_store::Embedded;
use gannet_testbed::Web;
use serde::Serialize;

use super::serve::spec;

/// What one station costs.
#[derive(Debug, Serialize)]
pub(super) struct Station {
    pub(super) name: &'static str,
    pub(super) micros: f64,
}

/// Pages each station is run over.
const SAMPLE: usize = 1000;
/// The ordering that values nothing: what the default costs more is the price of ordering.
const PLAIN_ORDER: &str = "breadth-first";

/// Measures the stations; `whole` is what a page cost in the real crawl.
pub(super) fn measure(pages: u64, whole: Duration) -> anyhow::Result<Vec<Station>> {
    let web = Arc::new(Web::new(spec(pages)));
    let config = config(&web)?;
    let sample = sample(&web);
    let journey = Journey::new(&config)?;
    let model = build_model(DEFAULT_MODEL, &config.topic, &Default::default())?;
    let documents: Vec<_> =
        sample.iter().map(|page| gannet_content::read(page, &config.content)).collect();

    let content = per_page(&sample, |page| {
        black_box(gannet_content::read(page, &config.content));
    });
    let relevance = per_page(&documents, |document| {
        black_box(model.judge(&document.into()));
    });
    let read = per_page(&sample, |page| {
        black_box(journey.read(page, &Approach::default()));
    });
    let mut encoder = Encoder::new(Compression::default())?;
    let packed: Vec<_> = sample.iter().map(packed).collect::<Result<_, _>>()?;
    let archive = per_page(&packed, |page| {
        black_box(encoder.encode_visit(&Visit::of(page)).is_ok());
    });
    let mut plain = config.clone();
    plain.order.name = PLAIN_ORDER.to_owned();
    // As many pages as the crawl itself had: where most links are new, ordering costs more.
    plain.limits.pages = Some(pages);
    let heart = heart(&web, &plain)?;
    let ordered = Config { order: config.order.clone(), ..plain };
    let order = self::heart(&web, &ordered)? - heart;
    let rest = micros(whole) - read - archive - heart - order;
    Ok(vec![
        Station { name: "content: read the page", micros: content },
        Station { name: "relevance: judge it", micros: relevance },
        Station {
            name: "scope and change: its links, its look for versions to come",
            micros: read - content - relevance,
        },
        Station { name: "archive: digest and pack", micros: archive },
        Station { name: "heart and store: queue, learn, commit", micros: heart },
        Station { name: "ordering: value links, weigh them again", micros: order },
        Station { name: "network: sockets, unpacking, runtime, kernel", micros: rest },
        Station { name: "whole", micros: micros(whole) },
    ])
}

fn config(web: &Web) -> anyhow::Result<Config> {
    let mut config = Config::new(Topic::from_words(&web.topic().words.join(", "))?);
    config.seeds =
        web.seeds(16).iter().map(|seed| PageUrl::parse(seed)).collect::<Result<_, _>>()?;
    config.pace.delay = Duration::ZERO;
    Ok(config)
}

/// Some pages of the web, as a crawler would get them.
fn sample(web: &Arc<Web>) -> Vec<Response> {
    let mut source = TestbedWeb::new(web.clone());
    let nowhere = std::net::Ipv4Addr::LOCALHOST.into();
    let urls = web.pages().step_by(7).filter_map(|page| PageUrl::parse(&web.url(page)).ok());
    urls.filter_map(|url| source.answer(&url, nowhere, Timestamp::ZERO).answer.ok())
        .filter(Response::is_success)
        .take(SAMPLE)
        .collect()
}

/// The page as the server sends it to whoever takes gzip.
fn packed(page: &Response) -> std::io::Result<Response> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&page.body)?;
    let mut page = page.clone();
    page.headers.push("content-encoding", "gzip");
    page.wire_body = gzip.finish()?.into();
    Ok(page)
}

/// What heart, store and the config's ordering cost per page, without sockets: the best of a few
/// rounds.
fn heart(web: &Arc<Web>, config: &Config) -> anyhow::Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        best = best.min(one_heart(web, config.clone())?);
    }
    Ok(best)
}

fn one_heart(web: &Arc<Web>, config: Config) -> anyhow::Result<f64> {
    let directory = std::env::temp_dir().join(format!("gannet-heart-{}", std::process::id()));
    let store = Embedded::open(&directory)?;
    let replayed =
        replay_in(Box::new(store), config, &mut TestbedWeb::new(web.clone()), Timestamp::ZERO);
    // The directory is ours and new; what cannot be removed is left to the system's cleaning.
    let _ = std::fs::remove_dir_all(&directory);
    let replayed = replayed?;
    Ok(micros(replayed.heart) / replayed.seen.len().max(1) as f64)
}

/// Microseconds per item, the best of a few rounds: the others were disturbed.
fn per_page<T>(items: &[T], mut work: impl FnMut(&T)) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let began = Instant::now();
        items.iter().for_each(&mut work);
        best = best.min(micros(began.elapsed()));
    }
    best / items.len().max(1) as f64
}

const ROUNDS: usize = 3;

fn micros(span: Duration) -> f64 {
    span.as_secs_f64() * 1e6
}
