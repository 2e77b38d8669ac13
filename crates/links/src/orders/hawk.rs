//! A weighted mix of content and link structure (after HAWK: Chen and Zhang, 2008).
//!
//! ```text
//! worth(u) = page·R(p) + anchor·sim(q, anchor) + context·sim(q, text around it) + links·L(u)
//! ```
//!
//! where `L(u) = S / (1 + S)` and `S` is the sum of `R` over all pages known to
//! link to `u`: relevant pages vouch for it. Content terms are the best of all
//! ways. The paper's formula is not public; this has its four ingredients, and
//! its weights are for the user to set. They are taken in proportion to each other.
//!
//! **Choose it when** a mix is wanted whose weights are known beforehand. **Cost:** one count of each
//! link's surroundings; each further way to a link costs one look-up. **Weakness:** learns nothing.

use gannet_model::{Reason, SettingsError, Worth};
use serde::{Deserialize, Serialize};

use crate::interest::Interest;
use crate::order::{Entry, LinkSight, Order, Valued};
use crate::traits::{pack, unpack};
use gannet_model::limits;

pub(crate) const ENTRY: Entry = Entry {
    name: "hawk",
    summary: "weighted mix of page, link text, surroundings and relevant back-links (HAWK style)",
    build: |interest, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Hawk { interest: interest.clone(), config }))
    },
};

/// `[order.hawk]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Weight of the relevance of the page that holds the link.
    page: f32,
    /// Weight of the words of the link.
    anchor: f32,
    /// Weight of the words around it.
    context: f32,
    /// Weight of the relevant pages that link to it.
    links: f32,
    /// Bytes of text on either side of a link that are its surroundings.
    reach: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config { page: 0.3, anchor: 0.3, context: 0.2, links: 0.2, reach: 100 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::not_negative("page", self.page)?;
        limits::not_negative("anchor", self.anchor)?;
        limits::not_negative("context", self.context)?;
        limits::not_negative("links", self.links)?;
        let right = "a positive number for one of `page`, `anchor`, `context` and `links`";
        limits::refuse_unless(self.sum() > 0.0, "page", 0, right)
    }

    fn sum(&self) -> f32 {
        self.page + self.anchor + self.context + self.links
    }
}

struct Hawk {
    interest: Interest,
    config: Config,
}

/// What is kept with a link.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Sighting {
    page: f32,
    anchor: f32,
    context: f32,
    /// Sum of the relevance of all pages that link to it.
    vouched: f32,
}

impl Hawk {
    fn valued(&self, sighting: Sighting) -> Valued {
        let config = &self.config;
        let share = |weight: f32| weight / config.sum();
        let links = sighting.vouched / (1.0 + sighting.vouched);
        let parts = [
            ("parent relevance", share(config.page) * sighting.page),
            ("anchor", share(config.anchor) * sighting.anchor),
            ("context", share(config.context) * sighting.context),
            ("relevant back-links", share(config.links) * links),
        ];
        let worth: f32 = parts.iter().map(|(_, value)| value).sum();
        Valued {
            traits: pack(&sighting),
            is_news: true,
            ..Valued::new(
                Worth::new(worth),
                parts.into_iter().map(|(part, value)| Reason::new(part, value)).collect(),
            )
        }
    }
}

impl Order for Hawk {
    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let reach = self.config.reach as usize;
        let relevance = sight.judgement.score.get();
        let before: Sighting = unpack(sight.target.traits).unwrap_or_default();
        let anchor = self.interest.similarity([sight.link.anchor.as_str()]);
        let context = self.interest.similarity([sight.document.context(sight.link, reach)]);
        Some(self.valued(Sighting {
            page: before.page.max(relevance),
            anchor: before.anchor.max(anchor),
            context: before.context.max(context),
            vouched: before.vouched + relevance,
        }))
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, near, page};

    #[test]
    fn the_worth_is_the_weighted_mix_of_its_four_terms() {
        let mut bench = Bench::new("hawk", "gannet");
        let named = page("http://a.example/", 1.0, "").link("http://b.example/", "gannet");
        let first = bench.show(&named).remove(0).unwrap();
        near(first.worth.get(), 0.3 + 0.3 + 0.2 + 0.2 * 0.5);
        let dull = page("http://c.example/", 0.5, "").link("http://b.example/", "x");
        near(bench.worths(&dull)[0], 0.3 * 0.5 + 0.2 * 0.5 / 1.5);
        let both = bench.value(&dull, &dull.document.links[0], &first.traits).unwrap();
        near(both.worth.get(), 0.3 + 0.3 + 0.2 + 0.2 * 1.5 / 2.5);
    }

    #[test]
    fn weights_are_taken_in_proportion() {
        let mut bench =
            Bench::with("hawk", "gannet", "page = 6\nanchor = 0\ncontext = 0\nlinks = 0");
        let page = page("http://a.example/", 0.7, "").link("http://b.example/", "gannet");
        near(bench.worths(&page)[0], 0.7);
    }

    #[test]
    fn a_mix_of_nothing_is_refused() {
        let none = "page = 0\nanchor = 0\ncontext = 0\nlinks = 0";
        assert!(Bench::refusal("hawk", none).contains("positive number"));
        assert!(Bench::refusal("hawk", "links = -1").contains("`links` is -1"));
    }
}
