//! How long a judgement takes: `cargo bench -p gannet-relevance`.

use std::hint::black_box;
use std::time::Instant;

use gannet_model::{Block, Document, Settings};
use gannet_relevance::{Lesson, MODELS, Model, Pattern, Teaching, Topic, TopicParts};

/// A page of about 18 KB of prose: a third stop words, a few topic words.
fn document() -> Document {
    let words = [
        "the",
        "harbour",
        "of",
        "Morning",
        "was",
        "quietly",
        "painted",
        "in",
        "colours",
        "that",
        "nobody",
        "had",
        "seen",
        "before",
        "gannet",
        "and",
        "lighthouse",
        "keepers",
        "walked",
        "along",
        "it",
        "with",
        "lanterns",
        "petrel",
        "because",
        "evening",
        "settled",
        "over",
    ];
    let mut text = String::new();
    for at in 0..3000_usize {
        text.push_str(words[(at * 7 + at / 13) % words.len()]);
        text.push_str(if at % 11 == 0 { ", " } else { " " });
    }
    Document { blocks: vec![Block { text, ..Block::default() }], ..Document::default() }
}

/// The best of several runs, in microseconds.
fn best(mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..20 {
        let began = Instant::now();
        for _ in 0..50 {
            run();
        }
        best = best.min(began.elapsed().as_secs_f64() * 1e6 / 50.0);
    }
    best
}

fn say(line: &str) {
    let _ = std::io::Write::write_all(&mut std::io::stdout(), format!("{line}\n").as_bytes());
}

fn judge(document: &Document, model: &dyn Model) -> f64 {
    best(|| {
        black_box(model.judge(&black_box(document).into()));
    })
}

/// Plain keywords, a third of them phrases, of which a few stand on the page.
fn keywords(count: usize) -> TopicParts {
    let given = (0..count).map(|at| match at % 3 {
        0 => format!("term{at}"),
        1 => format!("harbour of term{at}"),
        _ => format!("term{at} lanterns"),
    });
    let given = given.chain(["gannet", "petrel", "lighthouse keepers"].map(str::to_owned));
    TopicParts { keywords: given.map(|text| (text, 1.0)).collect(), ..TopicParts::default() }
}

fn patterns(count: usize) -> TopicParts {
    let given = (0..count).map(|at| format!(r"\bterm{at}(s|ed|ing)?\b"));
    let given = given.chain([r"lanterns?\s+petrels?".to_owned()]);
    let patterns = given.map(|regex| Pattern { regex, weight: 1.0 }).collect();
    TopicParts { patterns, ..TopicParts::default() }
}

/// How the size of a dictionary tells on making, judging and learning.
fn dictionaries(document: &Document) {
    let entry = MODELS.iter().find(|entry| entry.name == "dictionary").expect("it is there");
    let sizes = [10, 100_000].map(|count| (format!("{count} keywords"), keywords(count)));
    let others = [10, 1_000].map(|count| (format!("{count} patterns"), patterns(count)));
    for (name, parts) in sizes.into_iter().chain(others) {
        let topic = Topic::new(parts).expect("these make a topic");
        let began = Instant::now();
        let model = (entry.build)(&topic, &Settings::none()).expect("these can be found");
        let made = began.elapsed().as_secs_f64() * 1e3;
        let judging = judge(document, &*model);
        let lesson = [Lesson::new(document, Teaching::Nothing)];
        let learning = best(|| {
            black_box(model.taught(black_box(&lesson)));
        });
        say(&format!(
            "dictionary, {name}: made in {made:.1} ms, {judging:.1} µs to judge, {learning:.1} µs to learn"
        ));
    }
}

fn main() {
    let document = document();
    let topic =
        Topic::from_words("gannet, petrel, albatross, puffin, plunge diving, birds of prey")
            .expect("these are words");
    for entry in MODELS {
        let model = (entry.build)(&topic, &Settings::none()).expect("defaults are valid");
        say(&format!("{}: {:.1} µs for 3,000 words", entry.name, judge(&document, &*model)));
    }
    dictionaries(&document);
}
