//! What counts as main content, case by case and on real articles.

#![allow(clippy::print_stdout, reason = "figures are shown by `cargo test -- --nocapture`")]

use std::collections::HashMap;

use gannet_model::{Document, Headers, PageUrl, Prominence};
use proptest::prelude::*;

use crate::evaluation::Unpacked;
use crate::{Limits, SiteTemplate, prominence, read_html, soup};

fn document(page: &str) -> Document {
    let url = PageUrl::parse("http://a.example/d/page.html").unwrap();
    read_html(&url, &Headers::new(), page.as_bytes(), &Limits::default())
}

const PARAGRAPH: &str = "<p>The northern gannet breeds in colonies on cliffs by the sea and dives \
    from thirty metres for fish, which it swallows under water before it comes up again.</p>";

const MENU: &str =
    "<ul><li><a href=a>Home</a><li><a href=b>Birds</a><li><a href=c>Shop</a><li>Menu</ul>";

/// The beginnings of the passages that count as main content.
fn main_content<'d>(document: &'d Document, prominence: &Prominence) -> Vec<&'d str> {
    let is_main = |(at, _): &(usize, _)| prominence.of(*at) >= 0.5;
    let main = document.passages().enumerate().filter(is_main);
    main.map(|(_, passage)| passage.text.split([' ', '.']).next().unwrap_or_default()).collect()
}

#[track_caller]
fn check(page: &str, expected: &[&str]) {
    let document = document(page);
    assert_eq!(main_content(&document, &prominence(&document, None)), expected, "{page}");
}

#[test]
fn paragraphs_count_and_menus_do_not() {
    check(&format!("{MENU}{PARAGRAPH}{PARAGRAPH}{MENU}"), &["The", "The"]);
    check(&format!("{MENU}<h1>Gannets</h1>{PARAGRAPH}<h2>More</h2>{MENU}"), &["The"]);
}

#[test]
fn a_short_line_goes_with_its_neighbours() {
    let line = "<p>A caption";
    check(&format!("{MENU}{PARAGRAPH}{line}{PARAGRAPH}{MENU}"), &["The", "A", "The"]);
    check(&format!("{PARAGRAPH}{PARAGRAPH}{MENU}{line}{MENU}"), &["The", "The"]);
}

#[test]
fn a_sentence_alone_in_a_footer_counts_little() {
    let footer = format!("{MENU}<p>All rights reserved by their owners.</p>{MENU}");
    check(&format!("{}{footer}", PARAGRAPH.repeat(4)), &["The"; 4]);
}

#[test]
fn links_within_a_paragraph_do_not_harm_it() {
    let linked = "<p>The <a href=x>northern gannet</a> breeds on <a href=y>cliffs</a> by the sea.";
    check(&format!("{MENU}{PARAGRAPH}{linked}{PARAGRAPH}"), &["The", "The", "The"]);
    check(
        &format!("{PARAGRAPH}<p><a href=x>Related: gannets of the world</a>{PARAGRAPH}"),
        &["The", "The"],
    );
}

#[test]
fn a_card_linked_as_a_whole_is_no_content() {
    let card = format!("<a href=x><h3>Title</h3>{PARAGRAPH}</a>");
    check(&format!("<h1>H</h1>{}{card}{card}", PARAGRAPH.repeat(2)), &["The", "The"]);
}

#[test]
fn a_text_without_links_is_content_however_short() {
    check("Gannets dive.", &["Gannets"]);
    check("<p>Gannets dive.<p>They nest.", &["Gannets", "They"]);
}

#[test]
fn other_scripts_have_sentences_too() {
    check(
        &format!(
            "{MENU}<p>鰹鳥は海に飛び込んで魚を捕る大きな鳥です。<p>崖の上に巣を作ります。{MENU}"
        ),
        &["鰹鳥は海に飛び込んで魚を捕る大きな鳥です。", "崖の上に巣を作ります。"],
    );
    check(&format!("{MENU}<p>गैनेट समुद्र में गोता लगाते हैं। वे मछली पकड़ते हैं।{MENU}"), &["गैनेट"]);
}

#[test]
fn a_hub_keeps_enough_to_be_judged() {
    let hub = document(&MENU.repeat(20));
    let weights = prominence(&hub, None);
    for at in 0..hub.passages().count() {
        assert!((0.3..0.5).contains(&weights.of(at)), "{at}: {}", weights.of(at));
    }
    let article = document(&format!("{}{}", PARAGRAPH.repeat(4), MENU));
    assert!(prominence(&article, None).of(4) < 0.1);
}

#[test]
fn a_page_without_passages_has_no_weights() {
    assert_eq!(prominence(&Document::default(), None), Prominence::default());
    assert_eq!(prominence(&document("<h1>Only a heading</h1>"), None), Prominence::default());
}

const NOTICE: &str = "<p>We use cookies to make your visit better. By staying you agree to that, \
    as you do on every page of every site that you have ever been to.</p>";

/// A page of the site with a text of its own.
fn page_of_site(own: &str) -> Document {
    document(&format!("{MENU}{NOTICE}{}", PARAGRAPH.replace("The", own)))
}

#[test]
fn what_repeats_over_a_site_is_no_content() {
    let mut site = SiteTemplate::default();
    let page = page_of_site("Puffins");
    assert!(main_content(&page, &prominence(&page, Some(&site))).contains(&"We"));
    for own in ["Gannets", "Terns", "Gulls"] {
        site.observe(&page_of_site(own));
    }
    assert_eq!(main_content(&page, &prominence(&page, Some(&site))), ["Puffins"]);
    let weights = prominence(&page, Some(&site));
    assert!(weights.of(0) < 0.1 && weights.of(4) < 0.1, "{weights:?}");
}

#[test]
fn a_page_seen_before_keeps_its_content() {
    let mut site = SiteTemplate::default();
    let page = page_of_site("Gannets");
    (0..4).for_each(|_| site.observe(&page));
    assert_eq!(prominence(&page, Some(&site)), prominence(&page, None));
}

proptest! {
    #[test]
    fn any_document_has_a_weight_for_each_passage(page in soup::page()) {
        let document = document(&page);
        let mut site = SiteTemplate::default();
        (0..3).for_each(|_| site.observe(&document));
        for weights in [prominence(&document, None), prominence(&document, Some(&site))] {
            for at in 0..document.passages().count() {
                prop_assert!((0.05..=1.0).contains(&weights.of(at)));
            }
        }
    }
}

#[test]
fn links_that_point_nowhere_do_no_harm() {
    let mut odd = document(&format!("{MENU}{PARAGRAPH}"));
    odd.links[0].block = usize::MAX;
    odd.links[1].span = (usize::MAX, 0);
    odd.links[2].span = (0, usize::MAX);
    assert_eq!(prominence(&odd, None).of(0), prominence(&odd, None).of(1));
}

/// How much of the words chosen are right, how many of the right ones are
/// chosen, and both in one, as means over pages.
#[derive(Debug, Default)]
struct Agreement {
    precision: f64,
    recall: f64,
    f1: f64,
}

impl Agreement {
    fn add(&mut self, chosen: &str, truth: &str, pages: usize) {
        let (chosen, truth) = (count_words(chosen), count_words(truth));
        let common: usize =
            chosen.iter().map(|(word, count)| count.min(truth.get(word).unwrap_or(&0))).sum();
        let share =
            |of: &HashMap<String, usize>| common as f64 / of.values().sum::<usize>().max(1) as f64;
        let (precision, recall) = (share(&chosen), share(&truth));
        self.precision += precision / pages as f64;
        self.recall += recall / pages as f64;
        self.f1 += 2.0 * precision * recall / (precision + recall).max(1e-9) / pages as f64;
    }
}

fn count_words(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        *counts.entry(word.to_lowercase()).or_default() += 1;
    }
    counts
}

/// How well main content, and for comparison all text, agrees with the truth.
fn evaluate(name: &str, cases: &[(Document, String)]) -> (Agreement, Agreement) {
    let (mut found, mut everything) = (Agreement::default(), Agreement::default());
    for (document, truth) in cases {
        let weights = prominence(document, None);
        let main = document.passages().enumerate().filter(|(at, _)| weights.of(*at) >= 0.5);
        let main: Vec<&str> = main.map(|(_, passage)| passage.text).collect();
        let all: Vec<&str> = document.passages().map(|passage| passage.text).collect();
        found.add(&main.join(" "), truth, cases.len());
        everything.add(&all.join(" "), truth, cases.len());
    }
    println!("{name}: {} pages; main content {found:?}; all text {everything:?}", cases.len());
    (found, everything)
}

/// Pages with the true text of their article. When this was written F1 was
/// 0.902 against 0.683 for all text.
#[test]
fn main_content_is_found_on_real_articles() {
    let archive = "pages/article_extraction_benchmark.tar.zst";
    let Some(unpacked) = Unpacked::open(archive, "prominence") else {
        println!("skipped: no data");
        return;
    };
    let truths: serde_json::Value =
        serde_json::from_slice(&unpacked.files(&["ground-truth.json"])[0].1).unwrap();
    let cases = unpacked.files(&[".html"]).into_iter().map(|(path, body)| {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let truth = truths[name]["articleBody"].as_str().unwrap().to_owned();
        (document(&String::from_utf8_lossy(&body)), truth)
    });
    let (found, everything) = evaluate("articles", &cases.collect::<Vec<_>>());
    assert!(found.f1 > 0.88 && found.recall > 0.92, "{found:?}");
    assert!(everything.f1 < 0.75, "{everything:?}");
}

/// Saved pages with what Readability makes of them, which is no truth but
/// another opinion. When this was written F1 was 0.89 against 0.80. The
/// constants were chosen in sight of these pages too.
#[test]
fn main_content_is_much_what_readability_extracts() {
    let Some(unpacked) = Unpacked::open("pages/readability.tar.zst", "extracts") else {
        println!("skipped: no data");
        return;
    };
    let extracts = unpacked.files(&["expected.html"]);
    let cases = unpacked.files(&["source.html"]).into_iter().map(|(path, body)| {
        let sibling = path.with_file_name("expected.html");
        let (_, extract) = extracts.iter().find(|(path, _)| *path == sibling).unwrap();
        let extract = document(&String::from_utf8_lossy(extract));
        let truth = extract.text().collect::<Vec<_>>().join(" ");
        (document(&String::from_utf8_lossy(&body)), truth)
    });
    let (found, everything) = evaluate("saved pages", &cases.collect::<Vec<_>>());
    assert!(found.f1 > 0.86 && found.f1 > everything.f1 + 0.05, "{found:?} {everything:?}");
}
