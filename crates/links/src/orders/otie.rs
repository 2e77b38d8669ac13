//! Pages hand cash to their links, relevant pages fresh money (after OTIE: Guan and others, 2008).
//!
//! `C(u) += (0.15·C(p) + (1 if p is relevant, else 0.02)) / √outdegree(p)` for
//! each page `p` that links to `u`; the richest link comes first. The paper's
//! exact split is not public; this one was the best order by links alone on four
//! of five recorded webs.
//!
//! **Choose it when** link texts are poor and the relevance model is good. **Cost:** the cash is
//! kept with the link, so each further way to it costs one look-up. **Weakness:** all links of a
//! page are paid alike; menus get rich. A page that is read again pays again.

use gannet_model::{Reason, Reasons, SettingsError, Worth};
use serde::Deserialize;

use crate::order::{Entry, Finding, LinkSight, Order, Queued, Valued};
use crate::traits::{pack, unpack};
use gannet_model::limits;

pub(crate) const ENTRY: Entry = Entry {
    name: "otie",
    summary: "pages hand cash to their links, relevant pages much (on-line topical importance)",
    build: |_, settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Otie { config, gift: 0.0 }))
    },
};

/// `[order.otie]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// Share of its own cash that a page hands on.
    handed_on: f32,
    /// Cash a relevant page adds.
    relevant: f32,
    /// Cash an irrelevant page adds.
    irrelevant: f32,
}

impl Default for Config {
    fn default() -> Config {
        Config { handed_on: 0.15, relevant: 1.0, irrelevant: 0.02 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::share("handed_on", self.handed_on)?;
        limits::not_negative("relevant", self.relevant)?;
        limits::not_negative("irrelevant", self.irrelevant)
    }
}

/// What a seed starts with: as much as a relevant page with one link gives.
const SEED_CASH: f32 = 1.0;

struct Otie {
    config: Config,
    /// What the page that was just read gives each of its links.
    gift: f32,
}

impl Order for Otie {
    fn value_seed(&mut self, _seed: &Queued<'_>) -> Valued {
        let reason = Reason::new("cash", SEED_CASH).note("seed");
        let valued = Valued::new(Worth::new(SEED_CASH), Reasons::one(reason));
        Valued { traits: pack(&SEED_CASH), ..valued }
    }

    fn observe(&mut self, finding: &Finding<'_>) {
        let own: f32 = unpack(finding.page.traits).unwrap_or(0.0);
        let is_relevant = finding.judgement.is_relevant();
        let fresh = if is_relevant { self.config.relevant } else { self.config.irrelevant };
        let links = finding.links.len().max(1) as f32;
        self.gift = (self.config.handed_on * own + fresh) / links.sqrt();
    }

    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let before: f32 = unpack(sight.target.traits).unwrap_or(0.0);
        let cash = before + self.gift;
        let mut reasons = Reasons::one(Reason::new("cash of this page", self.gift));
        if before > 0.0 {
            reasons.push(Reason::new("cash of other pages", before));
        }
        Some(Valued {
            traits: pack(&cash),
            is_news: true,
            ..Valued::new(Worth::new(cash), reasons)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, Page, page};

    #[track_caller]
    fn near(found: f32, expected: f32) {
        assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
    }

    fn parent(score: f32) -> Page {
        let parent = page("http://a.example/", score, "");
        (0..4).fold(parent, |page, number| page.link(&format!("http://b.example/{number}"), "x"))
    }

    #[test]
    fn each_page_adds_its_own_money_and_a_share_of_its_cash() {
        let mut bench = Bench::new("otie", "gannet");
        let first = bench.show(&parent(0.9)).remove(0).unwrap();
        near(first.worth.get(), 1.0 / 2.0);
        let poor = parent(0.1).valued(&first);
        let second = bench.show(&poor).remove(0).unwrap();
        near(second.worth.get(), (0.15 * 0.5 + 0.02) / 2.0);
        let both = bench.value(&poor, &poor.document.links[0], &first.traits).unwrap();
        near(both.worth.get(), first.worth.get() + second.worth.get());
    }

    #[test]
    fn debts_are_refused() {
        assert!(Bench::refusal("otie", "irrelevant = -0.1").contains("0 or more"));
    }
}
