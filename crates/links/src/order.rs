//! What every ordering strategy can do, and what it gets to see.

use gannet_model::{Document, Judgement, Link, PageUrl, Reasons, Settings, SettingsError, Worth};

/// An ordering strategy: values links and learns from what became of them.
pub trait Order: Send {
    /// What a link on a fetched page is worth, with the reasons.
    fn worth(&self, sight: &LinkSight<'_>) -> Valued;

    /// What a seed is worth: the user vouches for it, so it comes first unless the strategy knows better.
    fn seed_worth(&self) -> Valued {
        Valued { worth: Worth::new(1.0), reasons: Reasons::none() }
    }

    /// Learns what a fetched page turned out to be. Strategies that do not learn need not listen.
    fn observe(&mut self, _finding: &Finding<'_>) {}
}

/// A link as the strategy sees it, on the page that was just read.
#[derive(Clone, Copy, Debug)]
pub struct LinkSight<'a> {
    /// The page that holds it.
    pub page: &'a PageUrl,
    /// What that page says.
    pub document: &'a Document,
    /// Whether that page is about the topic.
    pub judgement: &'a Judgement,
    /// The link itself, its target as the page writes it.
    pub link: &'a Link,
    /// How many links from a seed the *target* is.
    pub depth: u32,
}

/// What a fetched page turned out to be.
#[derive(Clone, Copy, Debug)]
pub struct Finding<'a> {
    /// The page.
    pub page: &'a PageUrl,
    /// What it says.
    pub document: &'a Document,
    /// Whether it is about the topic.
    pub judgement: &'a Judgement,
    /// How many links from a seed it is.
    pub depth: u32,
}

/// A worth with its reasons.
#[derive(Clone, Debug, PartialEq)]
pub struct Valued {
    /// What it is worth.
    pub worth: Worth,
    /// What the worth is made of.
    pub reasons: Reasons,
}

/// One line of the registry.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The name in the config file and on the command line.
    pub name: &'static str,
    /// One sentence for `gannet list`.
    pub summary: &'static str,
    /// Makes the strategy from its own table of the config file.
    pub build: fn(&Settings) -> Result<Box<dyn Order>, SettingsError>,
}

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
