//! Content of the page and words of the link, each with a threshold (S5.9, the combined algorithm).
//!
//! A page whose likeness to the topic is below T1 is dismissed with all its
//! links; of the others each link whose own words are below T2 is dismissed; after
//! T3 pages nothing is followed any more. What is left is worth the mean of both likenesses, the best
//! of all ways to it. The words of a link are its text, its title and those of its URL's path.
//!
//! **Choose it when** only pages that name the topic are wanted, through links that do. **Cost:** one
//! count of the page's words and of each link's. **Weakness:** no tunnelling: any T2 above 0 ends
//! most crawls within a few pages. The paper gives no thresholds; T2 is off unless it is set.

use gannet_model::{Reason, SettingsError, Worth};
use serde::Deserialize;

use crate::interest::Interest;
use crate::order::{Entry, Finding, LinkSight, Order, Valued};
use crate::page;
use crate::traits::{pack, unpack};
use gannet_model::limits;

pub(crate) const ENTRY: Entry = Entry {
    name: "combined",
    summary: "likeness of page and link words, each above its threshold (T1, T2, T3)",
    build: |interest, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Combined { interest: interest.clone(), config, similarity: 0.0, pages: 0 }))
    },
};

/// `[order.combined]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Likeness a page must have for any of its links to be followed (T1).
    page: f32,
    /// Likeness the words of a link must have (T2).
    link: f32,
    /// Pages after which nothing is followed any more (T3); none unless set.
    pages: Option<u64>,
}

impl Default for Config {
    fn default() -> Config {
        Config { page: 0.02, link: 0.0, pages: None }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::share("page", self.page)?;
        limits::share("link", self.link)?;
        limits::refuse_unless(self.pages != Some(0), "pages", 0, "a number from 1, or leave it out")
    }
}

struct Combined {
    interest: Interest,
    config: Config,
    /// Of the page that was just read.
    similarity: f32,
    /// Fetched so far.
    pages: u64,
}

impl Order for Combined {
    fn observe(&mut self, finding: &Finding<'_>) {
        self.pages += 1;
        self.similarity = self.interest.similarity(page::texts(finding.document));
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let is_over = self.config.pages.is_some_and(|most| self.pages >= most);
        if is_over || self.similarity < self.config.page {
            return None;
        }
        let link = sight.link;
        let texts = [link.anchor.as_str(), link.title.as_str(), sight.target.url.path()];
        let words = self.interest.similarity(texts);
        if words < self.config.link {
            return None;
        }
        let reasons = [
            Reason::new("parent's likeness to the topic", self.similarity / 2.0),
            Reason::new("likeness of the link's words", words / 2.0),
        ];
        let worth = Worth::new((self.similarity + words) / 2.0);
        Some(Valued::new(worth, reasons.into_iter().collect()))
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(pack(&self.pages))
    }

    fn restore(&mut self, state: &[u8]) -> bool {
        let Some(pages) = unpack(state) else { return false };
        self.pages = pages;
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, page};

    #[test]
    fn pages_below_the_first_threshold_hand_nothing_on() {
        let mut bench = Bench::with("combined", "gannet", "page = 0.9");
        let mut show = |text| {
            bench.show(&page("http://a.example/", 0.0, text).link("http://b.example/", "gannet"))
        };
        assert_eq!(show("sea birds"), [None]);
        assert_eq!(show("gannet").remove(0).unwrap().worth.get(), 1.0);
    }

    #[test]
    fn links_below_the_second_threshold_are_dismissed_one_by_one() {
        let mut bench = Bench::with("combined", "gannet", "link = 0.5");
        let page = page("http://a.example/", 0.0, "gannet")
            .link("http://b.example/", "gannet")
            .link("http://b.example/gannet/", "here")
            .link("http://b.example/", "here");
        let worths = bench.worths(&page);
        assert!(worths[0] > worths[1] && worths[1] > worths[2] && worths[2] == 0.0, "{worths:?}");
    }

    #[test]
    fn after_so_many_pages_nothing_is_followed_even_after_a_restart() {
        let settings = "pages = 3";
        let mut bench = Bench::with("combined", "gannet", settings);
        let page = page("http://a.example/", 0.0, "gannet").link("http://b.example/", "x");
        assert!(bench.show(&page)[0].is_some());
        let mut next = Bench::with("combined", "gannet", settings);
        assert!(next.order.restore(&bench.order.state().unwrap()));
        assert!(next.show(&page)[0].is_some());
        assert_eq!(next.show(&page), [None]);
    }

    #[test]
    fn thresholds_that_nothing_reaches_are_refused() {
        assert!(Bench::refusal("combined", "link = 1.5").contains("`link` is 1.5; write"));
        assert!(Bench::refusal("combined", "pages = 0").contains("`pages` is 0; write"));
    }
}
