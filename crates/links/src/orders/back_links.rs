//! The more pages link to it, the more a link is worth (Cho, Garcia-Molina and Page, 1998).
//!
//! `IB'(u)` = pages fetched so far that link to `u`; `worth(u) = IB'(u) / 16`.
//!
//! **Choose it when** well-known pages matter more than the topic. **Cost:** the count is kept with
//! the link, so each further way to it costs one look-up. **Weakness:** knows no topic; a site's own
//! menu makes its home page the most linked page. A page that is read again counts again.

use gannet_model::{Reason, Reasons, Worth};

use crate::order::{Entry, LinkSight, Order, Valued};
use crate::traits::{pack, unpack};

pub(crate) const ENTRY: Entry = Entry {
    name: "back-links",
    summary: "links that most fetched pages lead to come first (back-link count)",
    build: |_, settings| {
        settings.read::<Config>()?;
        Ok(Box::new(BackLinks))
    },
};

/// `[order.back-links]` takes no settings.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {}

/// So many back-links are worth 1: the queue tells worths up to 128 apart, counts up to 2,048.
const COUNT_WORTH_ONE: f32 = 16.0;

struct BackLinks;

impl Order for BackLinks {
    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let before: u32 = unpack(sight.target.traits).unwrap_or(0);
        let count = before.saturating_add(1);
        let worth = count as f32 / COUNT_WORTH_ONE;
        let reason = Reason::new("back-links", worth).note(format!("{count} pages link to it"));
        Some(Valued {
            traits: pack(&count),
            is_news: true,
            ..Valued::new(Worth::new(worth), Reasons::one(reason))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, page};

    #[test]
    fn each_further_page_that_links_to_it_counts_one() {
        let mut bench = Bench::new("back-links", "gannet");
        let target = "http://b.example/";
        let mut traits = Vec::new();
        for number in 1..=20_u8 {
            let page = page(&format!("http://a.example/{number}"), 0.0, "").link(target, "x");
            let valued = bench.value(&page, &page.document.links[0], &traits).unwrap();
            assert_eq!(valued.worth.get(), f32::from(number) / 16.0);
            assert!(valued.is_news, "or the count would never be read back");
            traits = valued.traits;
        }
    }
}
