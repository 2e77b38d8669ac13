//! How fast main content is told apart: `cargo bench -p gannet-content --bench prominence`.
//!
//! Prints microseconds a page for weighing the passages, without and with a
//! site's template, and for learning the template. The best of many rounds
//! counts: noise only ever slows down.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use gannet_content::{Limits, SiteTemplate, prominence, read_html};
use gannet_model::{Document, Headers, PageUrl};

fn main() {
    println!(
        "{:28} {:>6} {:>9} {:>7} {:>7} {:>7}",
        "page", "words", "passages", "alone", "site", "learn"
    );
    measure("article, 3,000 words", &article(100, 30));
    measure("article, long paragraphs", &article(10, 300));
    measure("hub, 3,000 words", &hub(1000));
}

fn measure(name: &str, pages: &[Document]) {
    let mut site = SiteTemplate::default();
    pages.iter().for_each(|page| site.observe(page));
    let page = &pages[0];
    let words: usize = page.text().map(|text| text.split(' ').count()).sum();
    let alone = best_of(|| drop(black_box(prominence(black_box(page), None))));
    let with_site = best_of(|| drop(black_box(prominence(black_box(page), Some(&site)))));
    let mut turn = pages.iter().cycle();
    let learn = best_of(|| site.observe(turn.next().expect("a cycle has no end")));
    let [alone, with_site, learn] = [alone, with_site, learn].map(|time| time.as_secs_f64() * 1e6);
    let passages = page.passages().count();
    println!("{name:28} {words:6} {passages:9} {alone:7.1} {with_site:7.1} {learn:7.1}");
}

/// The time of one run, from the best of many rounds.
fn best_of(mut run: impl FnMut()) -> Duration {
    const RUNS: u32 = 100;
    let begun = Instant::now();
    let mut best = Duration::MAX;
    while begun.elapsed() < Duration::from_millis(500) {
        let round = Instant::now();
        (0..RUNS).for_each(|_| run());
        best = best.min(round.elapsed() / RUNS);
    }
    best
}

fn read(page: &str) -> Document {
    let url = PageUrl::parse("http://birds.example/sea/gannet.html").expect("a plain URL");
    read_html(&url, &Headers::new(), page.as_bytes(), &Limits::default())
}

/// Pages with a menu of 50 links and paragraphs of their own, one link in each.
fn article(paragraphs: usize, words: usize) -> Vec<Document> {
    let pages = ["gannet", "puffin", "tern", "gull", "auk", "skua"].map(|bird| {
        let mut page = hub_list(50);
        for number in 0..paragraphs {
            let text = format!("{bird}s nest on cliffs in spring, ").repeat(words / 6);
            let _ = write!(page, "<p>{} <a href={number}>more</a> {text}.", spell(number));
        }
        read(&page)
    });
    pages.into()
}

fn hub(links: usize) -> Vec<Document> {
    ["a", "b", "c", "d"].map(|name| read(&format!("{}<p>{name}", hub_list(links)))).into()
}

fn hub_list(links: usize) -> String {
    (0..links).fold(String::new(), |mut page, number| {
        let _ = writeln!(page, "<li><a href={number}>Of the {}</a>", spell(number));
        page
    })
}

/// A number in letters: digits do not tell passages apart.
fn spell(number: usize) -> String {
    number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
}
