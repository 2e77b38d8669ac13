//! How fast pages are read: `cargo bench -p gannet-content`.
//!
//! Prints megabytes a second and microseconds a page for generated sets and,
//! when the evaluation data is at hand, for real pages. The best of several
//! rounds counts: noise only ever slows down.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../src/evaluation.rs"]
mod evaluation;

use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

use gannet_content::{Limits, read_html};
use gannet_model::{Headers, PageUrl};

fn main() {
    println!("{:32} {:>6} {:>9} {:>9} {:>9}", "set", "pages", "KB/page", "MB/s", "us/page");
    measure("20 KB, 60 links", &[typical(60)]);
    measure("20 KB, 60 links, entities", &[typical(60).replace(" sea", " s&eacute;a &mdash;")]);
    measure("links only", &[links_only(2000)]);
    measure("text only", &[format!("<p>{}", "The gannet dives for fish. ".repeat(20_000))]);
    measure(
        "script only",
        &[format!("<script>{}</script>", "if (a < b) { c(); }\n".repeat(20_000))],
    );
    measure("20 MB, 60,000 links", &[typical(60).repeat(1200)]);
    measure("100,000 nested tags", &["<div><b>".repeat(50_000)]);
    measure("open tags and quotes", &["<a href=\"x>'<b>".repeat(50_000)]);
    for (name, archive, endings) in [
        ("saved pages (readability)", "pages/readability.tar.zst", &["source.html"][..]),
        ("article pages", "pages/article_extraction_benchmark.tar.zst", &[".html"]),
        ("list pages (autopager)", "pages/autopager.tar.zst", &[".html"]),
        ("documentation (postgresql)", "webs/postgresql-doc-15.html.tar.zst", &[".html"]),
        ("documentation (apache2)", "webs/apache2-doc.html.tar.zst", &[".html", ".en"]),
    ] {
        if !is_wanted(name) {
            continue;
        }
        let Some(unpacked) = evaluation::Unpacked::open(archive, "bench") else {
            println!("{name}: skipped: no data");
            continue;
        };
        let pages: Vec<Vec<u8>> = unpacked.files(endings).into_iter().map(|it| it.1).collect();
        measure(name, &pages);
    }
}

/// `cargo bench -p gannet-content -- links` measures the sets with "links" in their name.
fn is_wanted(name: &str) -> bool {
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    wanted.is_none_or(|wanted| name.contains(&wanted))
}

fn measure<P: AsRef<[u8]>>(name: &str, pages: &[P]) {
    if !is_wanted(name) {
        return;
    }
    let url = PageUrl::parse("http://birds.example/sea/gannet.html").expect("a plain URL");
    let (headers, limits) = (Headers::new(), Limits::default());
    let bytes: usize = pages.iter().map(|page| page.as_ref().len()).sum();
    let mut best = Duration::MAX;
    let begun = Instant::now();
    // A round of a small set is repeated until the clock can see it.
    let repeats = (2_000_000 / bytes.max(1)).max(1);
    while begun.elapsed() < Duration::from_secs(1) {
        let round = Instant::now();
        for _ in 0..repeats {
            for page in pages {
                black_box(read_html(&url, &headers, black_box(page.as_ref()), &limits));
            }
        }
        best = best.min(round.elapsed() / u32::try_from(repeats).unwrap_or(u32::MAX));
    }
    let count = pages.len();
    let seconds = best.as_secs_f64();
    println!(
        "{name:32} {count:6} {:9.1} {:9.1} {:9.1}",
        bytes as f64 / 1e3 / count as f64,
        bytes as f64 / 1e6 / seconds,
        seconds * 1e6 / count as f64
    );
}

/// A page of about 20 KB as sites have them: a head, navigation, sections of text with links.
fn typical(links: usize) -> String {
    let mut page = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>The gannet</title>\n\
         <link rel=\"stylesheet\" href=\"/style/site.css\">\n<meta name=\"description\" content=\"Sea birds\">\n\
         <script>var a = 1; if (a < 2) { document.title = 'x'; }</script>\n</head>\n<body class=\"page\">\n",
    );
    for number in 0..links {
        if number % 10 == 0 {
            let _ = writeln!(page, "<h2 id=\"s{number}\">Section {number}</h2>");
        }
        let href = match number % 3 {
            0 => format!("/species/sula/{number}/page.html"),
            1 => format!("http://other.example/articles/2024/{number}?sort=new&amp;page=2"),
            _ => format!("chapter-{number}.html"),
        };
        let _ = writeln!(
            page,
            "<div class=\"entry entry-{number}\"><p>The northern gannet breeds on cliffs by the sea and \
             dives from thirty metres for fish, <a class=\"link\" href=\"{href}\">gannet colony {number}</a> \
             being one of <em>many</em> places along the sea where it can be seen, \
             from March until the young leave in autumn.</p></div>"
        );
    }
    page.push_str("</body>\n</html>\n");
    page
}

fn links_only(links: usize) -> String {
    (0..links).fold(String::new(), |mut page, number| {
        let _ = writeln!(page, "<li><a href=\"/species/{number}.html\">Species {number}</a></li>");
        page
    })
}
