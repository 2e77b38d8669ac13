//! What rules look at: a URL, and how far from a seed it was found.

use gannet_model::PageUrl;
use url::Position;

/// A URL that asks to be let in.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// Its address, in canonical form.
    pub url: &'a PageUrl,
    /// How many links it lies from the nearest seed; seeds have 0.
    pub depth: u32,
}

impl<'a> Candidate<'a> {
    /// The host's name or address, without port.
    pub(crate) fn host_name(&self) -> &'a str {
        self.url.as_url().host_str().unwrap_or_default()
    }

    /// The host with its port when that is not the scheme's own.
    pub(crate) fn host(&self) -> &'a str {
        &self.url.as_url()[Position::BeforeHost..Position::AfterPort]
    }

    /// The text after `?`.
    pub(crate) fn query(&self) -> Option<&'a str> {
        self.url.as_url().query()
    }

    /// The last segment of the path.
    pub(crate) fn file_name(&self) -> &'a str {
        self.url.path().rsplit('/').next().unwrap_or_default()
    }

    /// What follows the last dot of the file name, as it is spelt.
    pub(crate) fn extension(&self) -> Option<&'a str> {
        self.file_name().rsplit_once('.').map(|(_, extension)| extension)
    }
}
