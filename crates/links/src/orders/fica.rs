//! Fewest clicks first, a click on a page of many links counting more (S1.10; FICA: Zareh Bidoki,
//! Yazdani and Ghodsnia, 2009).
//!
//! The logarithmic distance of a link is learned over the ways to it:
//!
//! ```text
//! d(j) ← (1−α)·d(j) + α·(ln outdegree(i) + γ·d(i)),   α = e^(−β·t)
//! ```
//!
//! where `t` counts the ways to `j` found before, so that the first way sets it, and
//! γ = 0.5. Seeds have distance 0; `worth = 1 / (1 + d)`.
//!
//! **Choose it when** important pages are wanted early, whatever their topic. **Cost:** the distance
//! is kept with the link, so each further way to it costs one look-up. **Weakness:** knows no topic.
//! The reports at hand do not tell β; 0.1 lets the tenth way count a third of the first.

use gannet_model::{Reason, Reasons, SettingsError, Worth};
use serde::{Deserialize, Serialize};

use crate::order::{Entry, Finding, LinkSight, Order, Queued, Valued};
use crate::traits::{pack, unpack};
use gannet_model::limits;

pub(crate) const ENTRY: Entry = Entry {
    name: "fica",
    summary: "fewest logarithmic clicks from a seed first (FICA)",
    build: |_, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Fica { config, step: 0.0 }))
    },
};

/// `[order.fica]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// What of its page's distance counts for a link (γ).
    discount: f32,
    /// How fast further ways cease to count (β).
    settling: f32,
}

impl Default for Config {
    fn default() -> Config {
        Config { discount: 0.5, settling: 0.1 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::share("discount", self.discount)?;
        limits::not_negative("settling", self.settling)
    }
}

struct Fica {
    config: Config,
    /// Distance of the links of the page that was just read, by way of it.
    step: f32,
}

/// What is kept with a link.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Reach {
    distance: f32,
    /// Ways to it found so far.
    ways: u32,
}

fn valued(reach: Reach) -> Valued {
    let worth = 1.0 / (1.0 + reach.distance.max(0.0));
    let note = format!("{:.2} logarithmic clicks, {} ways", reach.distance, reach.ways);
    Valued {
        traits: pack(&reach),
        is_news: true,
        ..Valued::new(Worth::new(worth), Reasons::one(Reason::new("nearness", worth).note(note)))
    }
}

impl Order for Fica {
    fn value_seed(&mut self, _seed: &Queued<'_>) -> Valued {
        valued(Reach { distance: 0.0, ways: 1 })
    }

    fn observe(&mut self, finding: &Finding<'_>) {
        let page: Reach = unpack(finding.page.traits).unwrap_or_default();
        let click = (finding.links.len().max(1) as f32).ln();
        self.step = click + self.config.discount * page.distance;
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let before: Reach = unpack(sight.target.traits).unwrap_or_default();
        let rate = (-self.config.settling * before.ways as f32).exp();
        Some(valued(Reach {
            distance: (1.0 - rate) * before.distance + rate * self.step,
            ways: before.ways.saturating_add(1),
        }))
    }

    /// A longer way found later makes the distance grow.
    fn revalue(&mut self, link: &Queued<'_>) -> Option<Valued> {
        unpack(link.traits).map(valued)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{Bench, Page, page};

    fn with_links(links: u32) -> Page {
        (0..links).fold(page("http://a.example/", 0.0, ""), |page, number| {
            page.link(&format!("http://b.example/{number}"), "x")
        })
    }

    #[track_caller]
    fn check(valued: &Valued, distance: f32) {
        let found = 1.0 / valued.worth.get() - 1.0;
        assert!((found - distance).abs() < 1e-5, "{found} is not {distance}");
    }

    #[test]
    fn a_click_counts_the_logarithm_of_the_links_to_choose_from() {
        let mut bench = Bench::new("fica", "gannet");
        let seed = bench.seed("http://a.example/");
        let ten = bench.show(&with_links(10).valued(&seed)).remove(0).unwrap();
        check(&ten, 10.0_f32.ln());
        let two = bench.show(&with_links(2).valued(&ten)).remove(0).unwrap();
        check(&two, 2.0_f32.ln() + 0.5 * 10.0_f32.ln());
        let only = bench.show(&with_links(1).valued(&seed)).remove(0).unwrap();
        check(&only, 0.0);
    }

    #[test]
    fn later_ways_count_less_and_less() {
        let mut bench = Bench::new("fica", "gannet");
        let first = bench.show(&with_links(10)).remove(0).unwrap();
        let short = with_links(2);
        bench.show(&short);
        let second = bench.value(&short, &short.document.links[0], &first.traits).unwrap();
        let rate = (-0.1_f32).exp();
        check(&second, (1.0 - rate) * 10.0_f32.ln() + rate * 2.0_f32.ln());
        assert_eq!(bench.revalue("http://b.example/0", &second), Some(second));
    }

    #[test]
    fn a_discount_beyond_all_is_refused() {
        assert!(Bench::refusal("fica", "discount = 1.1").contains("from 0 to 1"));
        assert!(Bench::refusal("fica", "settling = -1.0").contains("0 or more"));
    }
}
