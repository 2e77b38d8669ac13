//! What every ordering strategy can do, and what it gets to see.

use gannet_model::{
    Document, Fingerprint, HostId, Judgement, Link, PageUrl, Reasons, Settings, SettingsError,
    Worth,
};

use crate::interest::Interest;

/// An ordering strategy: values links and learns from what became of them.
///
/// A page that was fetched is [observed](Order::observe) first; then each of its links is
/// [valued](Order::value). What a strategy wants to know of a link later, it hands over as
/// [traits](Valued::traits): they are kept with the link, however many millions wait, and come
/// back whenever the link is looked at.
pub trait Order: Send {
    /// What a link is worth, as seen from the page that was just observed; `None` when it is not to
    /// be followed from there. Another page may still lead to it.
    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued>;

    /// What a seed is worth: the user vouches for it, so it comes first unless the strategy knows better.
    fn value_seed(&mut self, _seed: &Queued<'_>) -> Valued {
        Valued::new(Worth::new(1.0), Reasons::none())
    }

    /// Learns what a fetched page turned out to be.
    fn observe(&mut self, _finding: &Finding<'_>) {}

    /// Learns that a link led to no page: an error, or nothing at all.
    fn observe_miss(&mut self, _link: &Queued<'_>) {}

    /// What a link that waits is worth by now; `None` when that never changes. It is asked when the
    /// link's turn has come, so that links which have lost their worth let others go first.
    fn revalue(&mut self, _link: &Queued<'_>) -> Option<Valued> {
        None
    }

    /// The worth that [`Order::revalue`] would give, of a link that memory knows: asked first, for
    /// most links that lose their turn do so without a look into the store. `None` when only the
    /// store knows.
    fn glance(&mut self, _link: Fingerprint, _host: HostId) -> Option<Worth> {
        None
    }

    /// Whether a link of this worth lets one of that worth go first. Where worths are guesses, it is
    /// not worth the work for a trifle.
    fn gives_way(&self, link: Worth, other: Worth) -> bool {
        link.get() < other.get() * AS_GOOD
    }

    /// Links whose worth has risen since this was last asked. Those that fell need no mention: they
    /// are found out when their turn comes.
    fn risen(&mut self) -> Vec<Risen> {
        Vec::new()
    }

    /// What was learned, to be kept with the crawl; `None` when it learns nothing.
    fn state(&self) -> Option<Vec<u8>> {
        None
    }

    /// Takes up what an earlier run of the same crawl learned. What cannot be read is passed over:
    /// `false`, and the order begins anew.
    fn restore(&mut self, _state: &[u8]) -> bool {
        false
    }
}

/// A link that is worth this share of another is as good.
const AS_GOOD: f32 = 0.999;

/// A link as the strategy sees it, on the page that was just read.
#[derive(Clone, Copy, Debug)]
pub struct LinkSight<'a> {
    /// The page that holds it, as a link that was followed.
    pub page: Queued<'a>,
    /// What that page says.
    pub document: &'a Document,
    /// Whether that page is about the topic.
    pub judgement: &'a Judgement,
    /// The link itself, its target as the page writes it.
    pub link: &'a Link,
    /// The target in canonical form. Its traits are empty when it is new, else those it waits with.
    pub target: Queued<'a>,
    /// True when the target waits already and this is another way to it.
    pub is_again: bool,
}

/// A link that waits, or that waited and was followed.
#[derive(Clone, Copy, Debug)]
pub struct Queued<'a> {
    /// Its number.
    pub fingerprint: Fingerprint,
    /// Where it leads, in canonical form.
    pub url: &'a PageUrl,
    /// The number of its host.
    pub host: HostId,
    /// How many links from a seed it is.
    pub depth: u32,
    /// What the strategy wanted to know of it later.
    pub traits: &'a [u8],
}

/// What a fetched page turned out to be.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'a> {
    /// The page.
    pub page: Queued<'a>,
    /// What it says.
    pub document: &'a Document,
    /// Whether it is about the topic.
    pub judgement: &'a Judgement,
    /// Everything it links to, each page once, fetched or not.
    pub links: &'a [Fingerprint],
    /// True when another page said the same before: mirrors and session ids bring nothing new,
    /// however relevant.
    pub is_copy: bool,
}

impl Finding<'_> {
    /// True when the page is about the topic and no copy.
    pub fn is_gain(&self) -> bool {
        self.judgement.is_relevant() && !self.is_copy
    }
}

/// A worth with its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Valued {
    /// What it is worth.
    pub worth: Worth,
    /// What the worth is made of.
    pub reasons: Reasons,
    /// What the strategy wants to know of the link when it sees it again.
    pub traits: Vec<u8>,
    /// True when another way to a link that waits changes its traits, even if its worth hardly rises.
    pub is_news: bool,
}

impl Valued {
    /// Of a link that need not be known again.
    pub fn new(worth: Worth, reasons: Reasons) -> Valued {
        Valued { worth, reasons, traits: Vec::new(), is_news: false }
    }
}

/// A link whose worth has risen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Risen {
    /// Which.
    pub fingerprint: Fingerprint,
    /// The number of its host.
    pub host: HostId,
    /// To what.
    pub worth: Worth,
}

/// One line of the registry.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name in the config file and on the command line.
    pub name: &'static str,
    /// One sentence for `gannet list`.
    pub summary: &'static str,
    /// Makes the strategy from what the user looks for and its own table of the config file.
    pub build: Build,
}

/// Makes a strategy.
pub type Build = fn(&Interest, &Settings) -> Result<Box<dyn Order>, SettingsError>;

/// Why no strategy could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OrderError {
    /// The name is not in the registry.
    #[error("no ordering is called {name:?}; there are: {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The strategy's own table is wrong.
    #[error("the settings of ordering {name:?} are wrong")]
    Settings {
        /// Whose table.
        name: String,
        /// What is wrong.
        #[source]
        cause: SettingsError,
    },
}
