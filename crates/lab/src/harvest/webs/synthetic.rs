//! Webs of the testbed, by the names of their presets.

use std::sync::Arc;

use bytes::Bytes;
use gannet_model::{Headers, PageUrl};
use gannet_relevance::Topic;
use gannet_testbed::{Spec, Web};

use super::{Spelling, WebError};
use crate::harvest::ground::{Gathered, Ground};

/// How many pages a crawl takes: about what the topic of the larger webs has.
const USUAL_PAGES: u64 = 1000;

/// The web of a preset.
pub(super) fn load(name: &str) -> Result<Ground, WebError> {
    let spec = preset(name)?;
    let web = Arc::new(Web::new(spec));
    let topic = web.topic().clone();
    let spelling = Spelling::new()?;
    let mut pages = Vec::new();
    for page in web.pages() {
        let url = web.url(page);
        // What robots.txt forbids no crawl can find.
        if !web.robots_allows(&url) {
            continue;
        }
        let Ok(url) = PageUrl::parse(&url) else { continue };
        pages.push(Gathered {
            url: spelling.of(url),
            status: 200,
            headers: Headers::new(),
            body: Bytes::new(),
            wire_body: Bytes::new(),
            topics: if web.is_relevant(page) { vec![topic.name.clone()] } else { Vec::new() },
        });
    }
    let words = |class: &str| {
        Topic::from_words(&topic.words.join(", "))
            .map_err(|cause| WebError::Topic { class: class.to_owned(), cause })
    };
    let mut ground = Ground::new(format!("testbed:{name}"), USUAL_PAGES, pages, words)?;
    ground.synthetic = Some(web);
    Ok(ground)
}

fn preset(name: &str) -> Result<Spec, WebError> {
    let presets: [(&str, Spec); 8] = [
        ("easy", Spec::easy()),
        ("tunnels", Spec::tunnels()),
        ("many-topics", Spec::many_topics()),
        ("demo", Spec::demo()),
        ("small", Spec::small(1)),
        ("polite", Spec::polite(1)),
        ("bench", Spec::bench()),
        ("traps", Spec::traps()),
    ];
    let known: Vec<&str> = presets.iter().map(|(name, _)| *name).collect();
    let known = known.join(", ");
    let found = presets.into_iter().find(|(preset, _)| *preset == name);
    found
        .map(|(_, spec)| spec)
        .ok_or_else(|| WebError::UnknownPreset { wanted: name.to_owned(), known })
}
