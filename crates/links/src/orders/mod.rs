//! The registry of ordering strategies: one line each.

mod best_first;
mod breadth_first;

use gannet_model::Settings;

use crate::order::{Entry, Order, OrderError};

/// Every ordering strategy, by name.
pub const ORDERS: &[Entry] = &[best_first::ENTRY, breadth_first::ENTRY];

/// The strategy used when the user names none.
pub const DEFAULT_ORDER: &str = "best-first";

/// Makes the strategy of this name.
pub fn build_order(name: &str, settings: &Settings) -> Result<Box<dyn Order>, OrderError> {
    let Some(entry) = ORDERS.iter().find(|entry| entry.name == name) else {
        let known: Vec<_> = ORDERS.iter().map(|entry| entry.name).collect();
        return Err(OrderError::Unknown { name: name.to_owned(), known: known.join(", ") });
    };
    (entry.build)(settings).map_err(|cause| OrderError::Settings { name: name.to_owned(), cause })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::{LinkSight, Valued};
    use gannet_model::{Document, Judgement, Link, LinkKind, PageUrl, Reasons, Rel, Score};

    /// A page of this relevance and a link on it.
    fn judged(score: f32) -> (PageUrl, Document, Judgement, Link) {
        let page = PageUrl::parse("http://a.example/page").unwrap();
        let judgement = Judgement {
            score: Score::clamped(score),
            threshold: Score::clamped(0.5),
            model: "test".to_owned(),
            version: 1,
            reasons: Reasons::none(),
        };
        let link = Link {
            url: PageUrl::parse("http://b.example/").unwrap(),
            anchor: "b".to_owned(),
            title: String::new(),
            rel: Rel::default(),
            kind: LinkKind::Anchor,
            block: 0,
            span: (0, 1),
        };
        (page, Document::default(), judgement, link)
    }

    /// What `order` thinks of a link on a page of this relevance, this many links from a seed.
    fn value(order: &dyn Order, score: f32, depth: u32) -> Valued {
        let (page, document, judgement, link) = judged(score);
        order.worth(&LinkSight {
            page: &page,
            document: &document,
            judgement: &judgement,
            link: &link,
            depth,
        })
    }

    /// The contract that every strategy keeps, by its registered name alone.
    #[test]
    fn every_order_values_links_alike_when_asked_twice_and_gives_reasons() {
        for entry in ORDERS {
            let order = (entry.build)(&Settings::none()).unwrap();
            let valued = value(order.as_ref(), 0.3, 2);
            assert_eq!(valued, value(order.as_ref(), 0.3, 2), "{}", entry.name);
            assert!(!valued.reasons.is_empty(), "{} gives no reason", entry.name);
            assert!(!entry.summary.is_empty());
        }
    }

    #[test]
    fn the_default_is_registered_and_an_unknown_name_lists_the_known_ones() {
        assert!(build_order(DEFAULT_ORDER, &Settings::none()).is_ok());
        let Err(error) = build_order("deepest", &Settings::none()) else {
            panic!("there is no such order");
        };
        assert!(error.to_string().contains("breadth-first"));
    }

    #[test]
    fn best_first_follows_the_page_that_is_most_relevant() {
        let order = build_order("best-first", &Settings::none()).unwrap();
        let worth = |score| value(order.as_ref(), score, 1).worth;
        assert!(worth(0.8) > worth(0.2));
        assert!(worth(0.2) > worth(0.0));
    }

    #[test]
    fn breadth_first_prefers_what_is_nearer_to_a_seed_whatever_it_says() {
        let order = build_order("breadth-first", &Settings::none()).unwrap();
        let worth = |score, depth| value(order.as_ref(), score, depth).worth;
        assert!(worth(0.0, 1) > worth(1.0, 2));
        assert_eq!(worth(0.0, 3), worth(1.0, 3));
    }
}
