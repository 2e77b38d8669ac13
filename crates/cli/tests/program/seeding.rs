//! Seeds out of search services, sitemaps, feeds and lists of links.

use std::io::Write;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::service::{Fixed, Service};
use crate::world::{Ran, World, run_in};

/// Runs `gannet seeds` where loopback may be talked to.
fn seeds(directory: &TempDir, arguments: &[&str]) -> Ran {
    let local = ["--allow-address", "127.0.0.0/8", "--delay", "0s"];
    run_in(directory.path(), &[&["seeds"], arguments, &local].concat())
}

fn results(urls: &[&str]) -> Fixed {
    let results: Vec<Value> = urls
        .iter()
        .map(|url| json!({ "url": url, "title": format!("Title of {url}"), "score": 1.5, "engines": ["x"] }))
        .collect();
    Fixed::new("application/json", json!({ "query": "q", "results": results }).to_string())
}

fn lines(ran: &Ran) -> Vec<&str> {
    ran.stdout.lines().collect()
}

#[test]
fn a_search_service_is_asked_page_by_page_until_enough_is_found_or_nothing_is_new() {
    let first =
        results(&["https://a.example/1", "https://a.example/2?utm_source=x", "magnet:?x=1"]);
    let second = results(&["https://a.example/2", "https://b.example/3"]);
    let service = Service::start(vec![
        ("/search?q=sea+birds&format=json&pageno=1", first),
        ("/search?q=sea+birds&format=json&pageno=2", second.clone()),
        ("/search?q=sea+birds&format=json&pageno=3", second),
    ]);
    let directory = World::empty();
    let search = ["--search", &service.url("/"), "sea birds"];
    let ran = seeds(&directory, &search);
    ran.expect(0, &["3 URLs"]);
    assert_eq!(lines(&ran), ["https://a.example/1", "https://a.example/2", "https://b.example/3"]);
    assert_eq!(service.asked().len(), 3, "no robots.txt, and no page after one without news");
    let two = seeds(&directory, &[&search[..], &["--top", "2"]].concat());
    assert_eq!(lines(&two).len(), 2);
    let found =
        seeds(&directory, &[&search[..], &["--match", "b[.]example", "--format", "json"]].concat());
    let found: Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert_eq!(found[0]["title"], "Title of https://b.example/3");
    assert_eq!(found[0]["score"], 1.5);
}

#[test]
fn the_words_of_the_topic_are_searched_for_when_none_are_given() {
    let answer = results(&["https://a.example/1"]);
    let service =
        Service::start(vec![("/search?q=gannet+%22plunge+diving%22&format=json&pageno=1", answer)]);
    let directory = World::empty();
    let search =
        ["--search", &service.url("/"), "--topic", "gannet, plunge diving", "--pages", "1"];
    assert_eq!(lines(&seeds(&directory, &search)), ["https://a.example/1"]);
    seeds(&directory, &["--search", &service.url("/")]).expect(3, &["there is no topic"]);
}

#[test]
fn services_that_answer_otherwise_are_told_apart() {
    let directory = World::empty();
    let check = |answer: Fixed, words: &[&str]| {
        let service = Service::start(vec![("/search?q=x&format=json&pageno=1", answer)]);
        seeds(&directory, &["--search", &service.url("/"), "x"]).expect(1, words);
    };
    check(Fixed::html("<html><p>Results</p></html>"), &["HTML page", "does not allow format=json"]);
    check(Fixed::text(403, "Forbidden"), &["answered 403", "does not allow format=json"]);
    check(Fixed::text(429, "slow down"), &["answered 429", "too many requests"]);
    check(Fixed::text(500, "oops"), &["answered 500"]);
    check(Fixed::new("application/json", "{\"hits\": []}"), &["without `results`", "SearXNG"]);
    check(Fixed::new("application/json", "{\"results\": ["), &["not JSON"]);
    check(results(&[]), &["no seed was found"]);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let directory = World::empty();
    seeds(&directory, &[]).expect(2, &["--search ENDPOINT", "--sitemap"]);
    seeds(&directory, &["words"]).expect(2, &["--search"]);
    seeds(&directory, &["--search", "http://a.test/", "x", "--top", "500"]).expect(2, &["499"]);
    seeds(&directory, &["--search", "not a url", "x"]).expect(2, &["not a url"]);
    seeds(&directory, &["--sitemap", "gone.xml"]).expect(2, &["gone.xml"]);
    seeds(&directory, &["--links", "no such"]).expect(2, &["no such file, and not a URL"]);
    seeds(&directory, &["--links", "x", "--match", "("]).expect(2, &["--match"]);
    let shunned = ["seeds", "--links", "http://127.0.0.1:1/"];
    run_in(directory.path(), &shunned).expect(1, &["private, local or reserved"]);
}

fn sitemap(urls: &[&str]) -> String {
    let entries: String = urls
        .iter()
        .map(|url| format!("<url><loc>{url}</loc><lastmod>2026-03-01</lastmod></url>"))
        .collect();
    format!(
        "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</urlset>"
    )
}

#[test]
fn the_sitemaps_of_a_site_are_found_by_its_robots_txt_and_an_index_is_followed() {
    let directory = World::empty();
    let index = "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\
                 <sitemap><loc>/one.xml</loc></sitemap><sitemap><loc>/gone.xml</loc></sitemap>\
                 <sitemap><loc>/index.xml</loc></sitemap><sitemap><loc>/two.xml</loc></sitemap></sitemapindex>";
    let service = Service::start(vec![
        ("/robots.txt", Fixed::text(200, "Sitemap: /index.xml\n")),
        ("/index.xml", Fixed::new("application/xml", index)),
        (
            "/one.xml",
            Fixed::new("application/xml", sitemap(&["https://a.example/1", "https://a.example/2"])),
        ),
        ("/two.xml", Fixed::new("text/xml", sitemap(&["https://a.example/3"]))),
    ]);
    let ran = seeds(&directory, &["--site", &service.url("/")]);
    ran.expect(0, &["left out", "gone.xml", "3 URLs"]);
    assert_eq!(lines(&ran), ["https://a.example/1", "https://a.example/2", "https://a.example/3"]);
    let one = seeds(
        &directory,
        &["--sitemap", &service.url("/one.xml"), "--format", "json", "--limit", "1"],
    );
    one.expect(0, &["more than 1 URLs"]);
    let one: Value = serde_json::from_str(&one.stdout).unwrap();
    assert_eq!(one[0]["lastmod"], "2026-03-01T00:00:00Z");
}

#[test]
fn sitemaps_come_packed_and_from_files_and_other_documents_are_none() {
    let directory = World::empty();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(sitemap(&["https://a.example/1"]).as_bytes()).unwrap();
    std::fs::write(directory.path().join("map.xml.gz"), packed.finish().unwrap()).unwrap();
    assert_eq!(lines(&seeds(&directory, &["--sitemap", "map.xml.gz"])), ["https://a.example/1"]);
    std::fs::write(directory.path().join("page.html"), "<html><p>Hello</p></html>").unwrap();
    seeds(&directory, &["--sitemap", "page.html"]).expect(1, &["page.html", "no sitemap"]);
    seeds(&directory, &["--feed", "page.html"]).expect(1, &["page.html", "no feed"]);
    let service = Service::start(vec![]);
    let ran = seeds(&directory, &["--site", &service.url("/")]);
    ran.expect(1, &["names no sitemap", "/sitemap.xml", "answered 404"]);
}

#[test]
fn feeds_and_lists_of_links_give_their_addresses() {
    let directory = World::empty();
    let rss = "<rss version=\"2.0\"><channel><title>x</title><item><title>Gannets</title>\
               <link>https://a.example/gannets</link><pubDate>Sun, 01 Mar 2026 10:00:00 GMT</pubDate></item>\
               </channel></rss>";
    let page = "<a href=\"/birds\">Birds</a> <a href=\"https://b.example/\" rel=nofollow>no</a>";
    let service = Service::start(vec![
        ("/rss", Fixed::new("application/rss+xml", rss)),
        ("/page", Fixed::html(page)),
        ("/closed", Fixed::html("<meta name=robots content=nofollow><a href=/x>x</a>")),
    ]);
    let feed = seeds(&directory, &["--feed", &service.url("/rss"), "--format", "json"]);
    let feed: Value = serde_json::from_str(&feed.stdout).unwrap();
    assert_eq!(feed[0]["title"], "Gannets");
    assert_eq!(feed[0]["lastmod"], "2026-03-01T10:00:00Z");
    std::fs::write(directory.path().join("list.txt"), "example.org\nnot a seed\n# home\n").unwrap();
    let ran = seeds(&directory, &["--links", &service.url("/page"), "--links", "list.txt"]);
    ran.expect(0, &["list.txt: line 2", "2 URLs"]);
    assert_eq!(lines(&ran), [service.url("/birds").as_str(), "https://example.org/"]);
    seeds(&directory, &["--links", &service.url("/closed")]).expect(1, &["not to follow"]);
}

#[test]
fn seeds_go_into_a_crawl_through_a_pipe() {
    let world = World::new();
    std::fs::write(world.path("list.txt"), world.seed()).unwrap();
    let found = world.run(&["seeds", "--links", "list.txt"]);
    std::fs::write(world.path("seeds.txt"), &found.stdout).unwrap();
    world.run(&["crawl", "--seeds", "seeds.txt", "--max-pages", "1"]).expect(0, &["1 seed about"]);
}
