//! What encoding a visit costs, for each way of packing it.
//!
//! `cargo bench -p gannet-archive`. Pages of 15 to 25 KB are taken from the
//! folder `pages` under `$GANNET_DATA` when there is one, else they are made up.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;

use bytes::Bytes;
use gannet_archive::{Compression, Encoder, Visit};
use gannet_model::{HttpVersion, PageUrl, Response, Timestamp, Timings};

fn main() {
    let pages = pages();
    let total: usize = pages.iter().map(Bytes::len).sum();
    println!("{} pages of {} bytes on average", pages.len(), total / pages.len());
    let gzip = |level| Compression::Gzip { level };
    let zstd = |level| Compression::Zstd { level };
    let plain: Vec<Response> = pages.iter().map(|page| response(page, None)).collect();
    for level in [1, 2, 3, 4, 6, 9] {
        measure(&format!("gzip level {level}"), gzip(level), &plain);
    }
    for level in [1, 3, 6] {
        measure(&format!("zstd level {level}"), zstd(level), &plain);
    }
    measure("not compressed", Compression::None, &plain);
    let coded: Vec<Response> =
        pages.iter().map(|page| response(&gzipped(page), Some("gzip"))).collect();
    measure("gzip level 1, body came as gzip", gzip(1), &coded);
    let unmarked: Vec<Response> = pages.iter().map(|page| response(&gzipped(page), None)).collect();
    measure("the same, deflated once more", gzip(1), &unmarked);
}

fn measure(name: &str, compression: Compression, responses: &[Response]) {
    let mut encoder = Encoder::new(compression).expect("the levels exist");
    let metadata = [("outlinks".to_owned(), "42".to_owned())];
    let mut bytes = 0;
    let mut best = f64::INFINITY;
    // The best of many short rounds: the others measure the neighbours on this machine.
    for _ in 0..60 {
        bytes = 0;
        let begun = Instant::now();
        for response in responses {
            let visit = Visit { metadata: &metadata, ..Visit::of(response) };
            let encoded = encoder.encode_visit(black_box(&visit)).expect("memory suffices");
            bytes += encoded.bytes().len();
        }
        best = best.min(begun.elapsed().as_secs_f64());
    }
    let count = responses.len() as f64;
    let micros = best * 1e6 / count;
    println!("{name:34} {micros:7.1} µs {:8.0} bytes per visit", bytes as f64 / count);
}

fn response(body: &Bytes, coding: Option<&'static str>) -> Response {
    let mut headers: gannet_model::Headers = [
        ("Content-Type", "text/html; charset=utf-8"),
        ("Date", "Sat, 31 Jan 2026 12:00:00 GMT"),
        ("Server", "nginx"),
        ("ETag", "\"359670651+ident\""),
        ("Cache-Control", "max-age=604800"),
    ]
    .into_iter()
    .collect();
    if let Some(coding) = coding {
        headers.push("Content-Encoding", coding);
    }
    Response {
        url: PageUrl::parse("https://www.example.org/articles/2026/01/a-page").expect("a URL"),
        request_head: Bytes::from_static(
            b"GET /articles/2026/01/a-page HTTP/1.1\r\nHost: www.example.org\r\n\
              User-Agent: gannet/0.1 (+https://example.org/bot)\r\nAccept-Encoding: gzip, br\r\n\r\n",
        ),
        version: HttpVersion::Http11,
        status: 200,
        status_text: "OK".to_owned(),
        headers,
        wire_body: body.clone(),
        body: body.clone(),
        address: [192, 0, 2, 1].into(),
        asked_at: Timestamp::from_secs(1_769_860_800),
        timings: Timings::default(),
    }
}

fn gzipped(page: &Bytes) -> Bytes {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(page).expect("writing to memory");
    encoder.finish().expect("writing to memory").into()
}

fn pages() -> Vec<Bytes> {
    let data = std::env::var_os("GANNET_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let mut pages = Vec::new();
    collect(&data.join("pages/readability"), &mut pages);
    if pages.is_empty() {
        pages = (0..50).map(made_up_page).collect();
    }
    pages
}

fn collect(folder: &Path, pages: &mut Vec<Bytes>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|extension| extension == "html")
            && let Ok(page) = std::fs::read(&path)
            && (15_000..25_000).contains(&page.len())
        {
            pages.push(page.into());
        }
    }
}

/// Words in the manner of a language, within the markup of an article.
fn made_up_page(seed: u32) -> Bytes {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    let mut page = String::from("<!doctype html><html><head><title>A page</title></head><body>");
    while page.len() < 20_000 {
        page.push_str("<div class=\"entry\"><p>");
        for _ in 0..next() % 60 + 20 {
            for _ in 0..next() % 3 + 1 {
                page.push_str(
                    ["ta", "ri", "mo", "sel", "an", "ve", "qu", "or"][(next() % 8) as usize],
                );
            }
            page.push(' ');
        }
        page.push_str(&format!("</p><a href=\"/articles/{}\">more</a></div>\n", next()));
    }
    page.into()
}
