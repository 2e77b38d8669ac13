//! Pages and links for the tests of orderings.

use gannet_model::{
    Block, Document, Fingerprint, Heading, HostId, Judgement, Link, LinkKind, PageUrl, Reasons,
    Rel, Score, Settings,
};

use crate::interest::Interest;
use crate::order::{Finding, LinkSight, Order, OrderError, Queued, Valued};
use crate::orders::build_order;

/// An order under test, and the pages and links it was shown.
pub(crate) struct Bench {
    pub(crate) order: Box<dyn Order>,
}

/// A page that was fetched, with links on it.
pub(crate) struct Page {
    pub(crate) url: PageUrl,
    pub(crate) document: Document,
    pub(crate) judgement: Judgement,
    pub(crate) depth: u32,
    /// What it was valued with when it was a link.
    pub(crate) traits: Vec<u8>,
    is_copy: bool,
}

/// Asserts that two worths are the same but for rounding.
#[track_caller]
pub(crate) fn near(found: f32, expected: f32) {
    assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
}

/// The number that stands for a URL in these tests: its own fingerprint.
pub(crate) fn url(address: &str) -> PageUrl {
    PageUrl::parse(address).unwrap()
}

/// A page at this address of this relevance, with this text in one block without a heading.
pub(crate) fn page(address: &str, score: f32, text: &str) -> Page {
    let block = Block { text: text.to_owned(), ..Block::default() };
    Page {
        is_copy: false,
        url: url(address),
        document: Document { blocks: vec![block], ..Document::default() },
        judgement: Judgement {
            score: Score::clamped(score),
            threshold: Score::clamped(0.5),
            model: "test".to_owned(),
            version: 1,
            reasons: Reasons::none(),
        },
        depth: 0,
        traits: Vec::new(),
    }
}

impl Page {
    /// With a link of these words in the last block, standing at the end of its text.
    pub(crate) fn link(mut self, target: &str, anchor: &str) -> Page {
        let block = self.document.blocks.len() - 1;
        let text = &mut self.document.blocks[block].text;
        if !text.is_empty() {
            text.push(' ');
        }
        let start = text.len();
        text.push_str(anchor);
        self.document.links.push(Link {
            url: url(target),
            anchor: anchor.to_owned(),
            title: String::new(),
            rel: Rel::default(),
            kind: LinkKind::Anchor,
            block,
            span: (start, start + anchor.len()),
            trail: 0,
        });
        self
    }

    /// With another block after this heading.
    pub(crate) fn heading(mut self, level: u8, text: &str) -> Page {
        let heading = Some(Heading { level, text: text.to_owned() });
        self.document.blocks.push(Block { heading, ..Block::default() });
        self
    }

    /// With more text in the last block.
    pub(crate) fn text(mut self, text: &str) -> Page {
        let block = self.document.blocks.len() - 1;
        let held = &mut self.document.blocks[block].text;
        if !held.is_empty() {
            held.push(' ');
        }
        held.push_str(text);
        self
    }

    /// So many links from a seed.
    pub(crate) fn depth(mut self, depth: u32) -> Page {
        self.depth = depth;
        self
    }

    /// Saying what another page said before.
    pub(crate) fn copy(mut self) -> Page {
        self.is_copy = true;
        self
    }

    /// As it was valued when it was a link.
    pub(crate) fn valued(mut self, valued: &Valued) -> Page {
        self.traits = valued.traits.clone();
        self
    }

    pub(crate) fn queued(&self) -> Queued<'_> {
        Queued {
            fingerprint: self.url.fingerprint(),
            url: &self.url,
            host: host_of(&self.url),
            depth: self.depth,
            traits: &self.traits,
        }
    }
}

/// A number for a host: the same for the same name.
pub(crate) fn host_of(url: &PageUrl) -> HostId {
    HostId(
        url.host().name().bytes().fold(7_u32, |number, byte| {
            number.wrapping_mul(31).wrapping_add(u32::from(byte)) & 0xffff
        }),
    )
}

/// A link that waits.
pub(crate) fn waiting<'a>(url: &'a PageUrl, traits: &'a [u8]) -> Queued<'a> {
    Queued { fingerprint: url.fingerprint(), url, host: host_of(url), depth: 1, traits }
}

fn settings_of(text: &str) -> Settings {
    Settings::from(text.parse::<toml::Table>().unwrap())
}

impl Bench {
    /// The order of this name, for these words.
    pub(crate) fn new(name: &str, words: &str) -> Bench {
        let interest = Interest::new(words.split(", ").map(|word| (word, 1.0)));
        Bench { order: build_order(name, &interest, &Settings::none()).unwrap() }
    }

    /// The same with settings, as they would stand in the config file.
    pub(crate) fn with(name: &str, words: &str, settings: &str) -> Bench {
        let interest = Interest::new(words.split(", ").map(|word| (word, 1.0)));
        Bench { order: build_order(name, &interest, &settings_of(settings)).unwrap() }
    }

    /// Why the order of this name refuses these settings.
    pub(crate) fn refusal(name: &str, settings: &str) -> String {
        match build_order(name, &Interest::default(), &settings_of(settings)) {
            Ok(_) => panic!("{name} takes {settings}"),
            Err(OrderError::Settings { cause, .. }) => cause.to_string(),
            Err(other) => panic!("{other}"),
        }
    }

    /// Values a seed.
    pub(crate) fn seed(&mut self, address: &str) -> Valued {
        let url = url(address);
        self.order.value_seed(&waiting(&url, &[]))
    }

    /// Tells that a link led to nothing.
    pub(crate) fn miss(&mut self, address: &str) {
        let url = url(address);
        self.order.observe_miss(&waiting(&url, &[]));
    }

    /// Shows the page to the order, and values its links: in their order, `None` where one is not
    /// to be followed.
    pub(crate) fn show(&mut self, page: &Page) -> Vec<Option<Valued>> {
        let links: Vec<Fingerprint> =
            page.document.links.iter().map(|link| link.url.fingerprint()).collect();
        self.order.observe(&Finding {
            page: page.queued(),
            document: &page.document,
            judgement: &page.judgement,
            is_copy: page.is_copy,
            links: &links,
        });
        let each = page.document.links.iter();
        each.map(|link| self.value(page, link, &[])).collect()
    }

    /// The worth of each link of the page; 0 where one is not to be followed.
    pub(crate) fn worths(&mut self, page: &Page) -> Vec<f32> {
        let valued = self.show(page);
        valued.into_iter().map(|valued| valued.map_or(0.0, |valued| valued.worth.get())).collect()
    }

    /// Values a link that waits with these traits, seen on another page.
    pub(crate) fn value(&mut self, page: &Page, link: &Link, traits: &[u8]) -> Option<Valued> {
        let target = Queued {
            fingerprint: link.url.fingerprint(),
            url: &link.url,
            host: host_of(&link.url),
            depth: page.depth + 1,
            traits,
        };
        self.order.value(&LinkSight {
            page: page.queued(),
            document: &page.document,
            judgement: &page.judgement,
            link,
            target,
            is_again: !traits.is_empty(),
        })
    }

    /// What a link that waits is worth by now.
    pub(crate) fn revalue(&mut self, address: &str, valued: &Valued) -> Option<Valued> {
        let url = url(address);
        self.order.revalue(&waiting(&url, &valued.traits))
    }
}
