//! How long a judgement takes: `cargo bench -p gannet-relevance`.

use std::hint::black_box;
use std::time::Instant;

use gannet_model::{Block, Document, Settings};
use gannet_relevance::{MODELS, Topic};

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

fn main() {
    let document = document();
    let topic =
        Topic::from_words("gannet, petrel, albatross, puffin, plunge diving, birds of prey")
            .expect("these are words");
    for entry in MODELS {
        let model = (entry.build)(&topic, &Settings::none()).expect("defaults are valid");
        let mut best = f64::INFINITY;
        for _ in 0..20 {
            let began = Instant::now();
            for _ in 0..50 {
                black_box(model.judge(&black_box(&document).into()));
            }
            best = best.min(began.elapsed().as_secs_f64() * 1e6 / 50.0);
        }
        let line = format!("{}: {best:.1} µs for 3,000 words\n", entry.name);
        let _ = std::io::Write::write_all(&mut std::io::stdout(), line.as_bytes());
    }
}
