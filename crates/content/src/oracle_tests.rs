//! The reader against the tree of the standard, on made and on real pages.
//!
//! The reader keeps no tree, so on markup that is broken in certain ways it
//! differs: where the standard carries a link left open over into the next
//! paragraph the tree holds it twice, and where an end tag has no start tag
//! the reader separates words. When this was written 41 of 80,874 links on
//! 514 real pages differed, all of the first kind, and no text did.

#![allow(clippy::print_stdout, reason = "figures are shown by `cargo test -- --nocapture`")]

use std::collections::HashMap;

use gannet_model::{Document, Headers, LinkKind, PageUrl};

use crate::evaluation::Unpacked;
use crate::{Limits, charset, oracle, read_html};

fn page_url() -> PageUrl {
    PageUrl::parse("http://a.example/d/page.html").unwrap()
}

fn read(body: &[u8]) -> Document {
    read_html(&page_url(), &Headers::new(), body, &Limits::default())
}

fn anchors(document: &Document) -> Vec<(String, String)> {
    let is_anchor = |kind| kind == LinkKind::Anchor;
    let anchors = document.links.iter().filter(|link| is_anchor(link.kind));
    anchors.map(|link| (link.url.to_string(), link.anchor.clone())).collect()
}

fn visible_text(document: &Document) -> String {
    document.text().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(page: &str) {
    let (ours, theirs) = (read(page.as_bytes()), oracle::read(&page_url(), page));
    assert_eq!(anchors(&ours), theirs.anchors, "{page:?}");
    assert_eq!(visible_text(&ours), theirs.text, "{page:?}");
    assert_eq!(ours.title, theirs.title, "{page:?}");
}

#[test]
fn well_formed_pages_read_as_the_tree_does() {
    check("<title>A &amp; B</title><p>one <b>two</b>three</p><p>four<br>five");
    check("<ul><li><a href=a>A</a><li><a href='b?c=1&d=2'>B <i>C</i></a></ul>");
    check("<table><tr><td>a</td><td>b<table><tr><th>c</table></td></tr></table>d");
    check("<h1>One</h1>x<h2>Two <a href=y>t</a></h2>z<a href=w><h3>Card</h3><p>text</p></a>");
    check("<base href=/other/><a href=x>x</a><a href=//b.example>y</a>");
    check("<a href=x>first</a><base href=/late/><a href=y>second</a><base href=/later/>");
}

#[test]
fn what_is_not_shown_is_not_read() {
    check("a<script>b<a href=x></script>c<style>d</style><template>e<a href=y>f</a></template>g");
    check(
        "a<textarea><a href=x></textarea>b<iframe><a href=y></iframe>c<noscript><a href=z>d</a></noscript>",
    );
    check("<p>a <svg><title>t</title><text>b</text><a href=x>c</a></svg> d");
    check("<svg><foreignObject><p>inside</p></foreignObject><style>p<b</style></svg>after");
    check("<svg><style>a</style><p>the svg is left open");
    check("<svg><text>a</text><span>so is this</span>");
    check("a<xmp><b>raw &amp;</xmp>b<plaintext><a href=x>&amp;");
}

#[test]
fn broken_pages_read_as_browsers_mend_them() {
    check("<a href=x>one<a href=y>two</a>three");
    check("<table><tr><td><a href=x>one<td>two</table>three");
    check("<div><h2>one</div>two<h3>three<h4>four");
    check("<a href=x>one<a name=y>two</a>three");
    check("<a href=x>open to the end");
    check("<a href=x title='never closed>one</a>");
    check("<title>one<p>two");
}

/// How two readings of many pages agree.
#[derive(Default)]
struct Agreement {
    pages: usize,
    links: (usize, usize),
    anchors: (usize, usize),
    words: (usize, usize),
    same_text: usize,
    same_title: usize,
}

impl Agreement {
    fn add(&mut self, body: &[u8]) {
        let decoded = charset::decode_html(body, None, None);
        let (ours, theirs) = (read(body), oracle::read(&page_url(), &decoded.text));
        let ours_anchors = anchors(&ours);
        let addresses = |list: &[(String, String)]| -> Vec<String> {
            list.iter().map(|(url, _)| url.clone()).collect()
        };
        let text = visible_text(&ours);
        self.pages += 1;
        add_overlap(&mut self.links, &addresses(&ours_anchors), &addresses(&theirs.anchors));
        add_overlap(&mut self.anchors, &ours_anchors, &theirs.anchors);
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        add_overlap(&mut self.words, &words(&text), &words(&theirs.text));
        self.same_text += usize::from(text == theirs.text);
        self.same_title += usize::from(ours.title == theirs.title);
    }

    fn report(&self, name: &str) -> (f64, f64, f64) {
        let share = |(common, all): (usize, usize)| common as f64 / all.max(1) as f64;
        let shares = (share(self.links), share(self.anchors), share(self.words));
        println!(
            "{name}: {} pages; links {}/{} ({:.3} %), anchor texts {:.3} %, words {:.3} %, same text {}, same title {}",
            self.pages,
            self.links.0,
            self.links.1,
            shares.0 * 100.0,
            shares.1 * 100.0,
            shares.2 * 100.0,
            self.same_text,
            self.same_title
        );
        shares
    }
}

/// Adds what two lists have in common, order aside, and the length of the longer one.
fn add_overlap<T: std::hash::Hash + Eq>(total: &mut (usize, usize), ours: &[T], theirs: &[T]) {
    let mut counts: HashMap<&T, usize> = HashMap::new();
    for item in theirs {
        *counts.entry(item).or_default() += 1;
    }
    for item in ours {
        if let Some(count) = counts.get_mut(item).filter(|count| **count > 0) {
            *count -= 1;
            total.0 += 1;
        }
    }
    total.1 += ours.len().max(theirs.len());
}

/// Links, anchor texts and words must agree with the tree at least so far, in shares of one.
fn check_archive(archive: &str, purpose: &str, endings: &[&str], least: (f64, f64, f64)) {
    let Some(unpacked) = Unpacked::open(archive, purpose) else {
        println!("skipped: no data");
        return;
    };
    let mut agreement = Agreement::default();
    for (_, body) in unpacked.files(endings) {
        agreement.add(&body);
    }
    let (links, anchors, words) = agreement.report(archive);
    assert!(links >= least.0, "links agree only {links}");
    assert!(anchors >= least.1, "anchor texts agree only {anchors}");
    assert!(words >= least.2, "words agree only {words}");
}

#[test]
fn saved_pages_read_as_the_tree_does() {
    check_archive("pages/readability.tar.zst", "saved", &["source.html"], (0.999, 0.999, 0.999));
}

#[test]
fn article_pages_read_as_the_tree_does() {
    let archive = "pages/article_extraction_benchmark.tar.zst";
    check_archive(archive, "articles", &[".html"], (0.999, 0.999, 0.999));
}

#[test]
fn list_pages_read_as_the_tree_does() {
    check_archive("pages/autopager.tar.zst", "lists", &[".html"], (0.997, 0.997, 0.999));
}

#[test]
fn made_soup_mostly_reads_as_the_tree_does() {
    use proptest::strategy::{Strategy, ValueTree};
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut agreement = Agreement::default();
    for _ in 0..2000 {
        let page = crate::soup::page().new_tree(&mut runner).unwrap().current();
        agreement.add(page.as_bytes());
    }
    let (links, _, words) = agreement.report("soup");
    // The tree repeats links that formatting is carried over; we do not.
    assert!(links >= 0.85 && words >= 0.85, "links {links}, words {words}");
}
