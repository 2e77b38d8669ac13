//! How a page behaves when it is asked for.

use crate::draw::{Draw, Purpose};
use crate::hostile::Hostility;
use crate::layout::{Layout, PageId};
use crate::spec::Faults;

/// What asking for a URL leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// The page, as it should be.
    Serve,
    /// 503 for the first attempts, then the page.
    Unavailable {
        /// How many attempts fail.
        attempts: u32,
    },
    /// 429 for the first attempts, then the page.
    TooMany {
        /// How many attempts fail.
        attempts: u32,
    },
    /// A connection closed in the middle for the first attempts, then the page.
    Flaky {
        /// How many attempts fail.
        attempts: u32,
    },
    /// A redirect to another page.
    Redirect {
        /// The page it leads to.
        to: PageId,
    },
    /// Several redirects in a row.
    RedirectChain {
        /// How many redirects there are.
        hops: u32,
        /// The page they lead to.
        to: PageId,
    },
    /// Redirects that lead nowhere.
    RedirectLoop,
    /// Always 404.
    NotFound,
    /// Always 410.
    Gone,
    /// Always 500.
    ServerError,
    /// Plain text instead of HTML.
    PlainText,
    /// Binary, declared as PDF.
    Binary,
    /// JSON instead of HTML.
    Json,
    /// 200 with nothing in it.
    Empty,
    /// The content of another page.
    Duplicate {
        /// The page it repeats.
        of: PageId,
    },
    /// A page of a calendar without end, of a maze or of a mirror.
    Trap,
    /// robots.txt, or where it moved to.
    Robots,
    /// An attack.
    Hostile(Hostility),
}

impl Behaviour {
    /// Whether a patient crawler gets an HTML page with prose under this very URL.
    pub fn shows_page(self) -> bool {
        matches!(
            self,
            Behaviour::Serve
                | Behaviour::Unavailable { .. }
                | Behaviour::TooMany { .. }
                | Behaviour::Flaky { .. }
                | Behaviour::Duplicate { .. }
        )
    }
}

/// How a page of the web behaves.
pub(crate) fn behaviour(layout: &Layout, faults: &Faults, page: PageId) -> Behaviour {
    let drawn = drawn_behaviour(layout, faults, page);
    if let Behaviour::Duplicate { of } = drawn {
        // Only a plain article is copied: copies of copies would need a walk.
        let is_original = of.offset() > 0
            && drawn_behaviour(layout, faults, of) == Behaviour::Serve
            && layout.page_theme(of) == layout.page_theme(page);
        return if is_original { drawn } else { Behaviour::Serve };
    }
    drawn
}

fn drawn_behaviour(layout: &Layout, faults: &Faults, page: PageId) -> Behaviour {
    // Index pages and the walls of tunnels hold the web together.
    let section = page.section();
    let keeps_web_together =
        page.offset() == 0 || layout.tunnel(section).is_some_and(|chain| page.offset() <= chain);
    if keeps_web_together {
        return Behaviour::Serve;
    }
    let mut draw = Draw::new(layout.seed, Purpose::Behaviour, u64::from(page.host), page.page);
    let mut left = draw.fraction();
    let attempts = 1 + draw.below(u64::from(faults.transient_attempts.max(1))) as u32;
    let hops = 2 + draw.below(4) as u32;
    let here = section.index();
    let alike = layout.sections_about(layout.section_theme(section));
    let there = if alike.is_empty() { here } else { draw.pick(alike).index() };
    let before = PageId { page: page.page - 1, ..page };
    let kinds = [
        (faults.redirect_same_host, Behaviour::Redirect { to: here }),
        (faults.redirect_cross_host, Behaviour::Redirect { to: there }),
        (faults.redirect_chain, Behaviour::RedirectChain { hops, to: here }),
        (faults.redirect_loop, Behaviour::RedirectLoop),
        (faults.not_found, Behaviour::NotFound),
        (faults.gone, Behaviour::Gone),
        (faults.server_error, Behaviour::ServerError),
        (faults.unavailable, Behaviour::Unavailable { attempts }),
        (faults.too_many, Behaviour::TooMany { attempts }),
        (faults.flaky, Behaviour::Flaky { attempts }),
        (faults.plain_text, Behaviour::PlainText),
        (faults.binary, Behaviour::Binary),
        (faults.json, Behaviour::Json),
        (faults.empty, Behaviour::Empty),
        (faults.duplicate, Behaviour::Duplicate { of: before }),
    ];
    for (share, kind) in kinds {
        if left < share {
            return kind;
        }
        left -= share;
    }
    Behaviour::Serve
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    #[test]
    fn the_demo_web_misbehaves_in_every_way() {
        let spec = Spec::demo();
        let layout = Layout::new(&spec);
        let mut kinds = std::collections::HashSet::new();
        for number in 0..layout.pages() {
            let page = layout.nth(number).unwrap();
            kinds.insert(std::mem::discriminant(&behaviour(&layout, &spec.faults, page)));
        }
        // All but robots, trap and hostile, which are not pages.
        assert_eq!(kinds.len(), 15);
    }

    #[test]
    fn a_duplicate_repeats_a_plain_page_of_its_own_theme() {
        let spec = Spec::demo();
        let layout = Layout::new(&spec);
        for number in 0..layout.pages() {
            let page = layout.nth(number).unwrap();
            if let Behaviour::Duplicate { of } = behaviour(&layout, &spec.faults, page) {
                assert_eq!(behaviour(&layout, &spec.faults, of), Behaviour::Serve);
                assert_eq!(layout.page_theme(of), layout.page_theme(page));
            }
        }
    }
}
