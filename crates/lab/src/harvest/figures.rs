//! What a crawl was worth, from the pages it fetched in the order it fetched them.
//!
//! `k` counts answers to requests for pages, errors and redirects among them.
//! A crawl that ends before its budget keeps what it has for the rest of it.

use std::time::Duration;

/// The pages that a crawl fetched, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// Answers to requests for pages.
    pub steps: Vec<Fetched>,
    /// All requests, those for robots.txt and those without an answer too.
    pub requests: u64,
    /// Bytes of all answers.
    pub bytes: u64,
    /// What ordering, queueing and committing took.
    pub heart: Duration,
}

/// An answer to a request for a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetched {
    /// Whether it is a page on the topic, by the truth.
    pub is_relevant: bool,
    /// How many links from a seed it was found.
    pub depth: u32,
    /// Bytes of its body.
    pub bytes: u64,
}

/// What a crawl was worth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Relevant pages fetched, of all pages fetched.
    pub harvest: f64,
    /// Relevant pages fetched, of all that can be reached from the seeds.
    pub recall: f64,
    /// Mean over the budget of relevant pages so far, of as many as could be had so far: 1 is
    /// perfect.
    pub nauc: f64,
    /// Mean over the budget of the harvest so far.
    pub auhc: f64,
    /// Mean number of links from a seed to the relevant pages; `None` without any.
    pub target_length: Option<f64>,
    /// Relevant pages fetched.
    pub relevant: u64,
    /// Pages fetched when nine tenths of what can be reached was found, if it was.
    pub pages_to_90: Option<u64>,
    /// How it went.
    pub curve: Vec<Point>,
}

/// A moment of a crawl.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Pages fetched so far.
    pub pages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Relevant ones among them.
    pub relevant: u64,
}

/// Points of a curve: finer than a plot shows.
const CURVE_POINTS: u64 = 100;

impl Trace {
    /// Of pages alone, with no other request.
    pub(super) fn of_pages(steps: Vec<Fetched>) -> Trace {
        let (requests, bytes) = (steps.len() as u64, steps.iter().map(|step| step.bytes).sum());
        Trace { steps, requests, bytes, heart: Duration::ZERO }
    }

    /// What the crawl was worth, with a budget of pages and so many relevant pages within reach.
    pub fn figures(&self, budget: u64, reachable: u64) -> Figures {
        let budget = budget.max(1);
        let (mut now, mut curve) = (Point::default(), vec![Point::default()]);
        let (mut nauc, mut auhc, mut depths) = (0.0, 0.0, 0_u64);
        let mut pages_to_90 = None;
        for k in 1..=budget {
            if let Some(step) = self.steps.get(k as usize - 1) {
                now.pages = k;
                now.bytes += step.bytes;
                now.relevant += u64::from(step.is_relevant);
                depths += if step.is_relevant { u64::from(step.depth) } else { 0 };
            }
            nauc += now.relevant as f64 / k.min(reachable).max(1) as f64;
            auhc += now.relevant as f64 / k as f64;
            if reachable > 0 && now.relevant * 10 >= reachable * 9 {
                pages_to_90.get_or_insert(k);
            }
            if k * CURVE_POINTS / budget > (k - 1) * CURVE_POINTS / budget {
                curve.push(Point { pages: k, ..now });
            }
        }
        Figures {
            harvest: now.relevant as f64 / now.pages.max(1) as f64,
            recall: now.relevant as f64 / reachable.max(1) as f64,
            nauc: nauc / budget as f64,
            auhc: auhc / budget as f64,
            target_length: (now.relevant > 0).then(|| depths as f64 / now.relevant as f64),
            relevant: now.relevant,
            pages_to_90,
            curve,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crawl by its relevant (`+`) and other pages, each 100 bytes and one link further.
    fn crawl(pages: &str) -> Trace {
        let step = |(depth, mark): (usize, char)| Fetched {
            is_relevant: mark == '+',
            depth: depth as u32,
            bytes: 100,
        };
        Trace::of_pages(pages.chars().enumerate().map(step).collect())
    }

    #[track_caller]
    fn check(pages: &str, (budget, reachable): (u64, u64), nauc: f64, auhc: f64) {
        let figures = crawl(pages).figures(budget, reachable);
        assert!((figures.nauc - nauc).abs() < 1e-12, "nAUC is {}", figures.nauc);
        assert!((figures.auhc - auhc).abs() < 1e-12, "AUHC is {}", figures.auhc);
    }

    #[test]
    fn areas_follow_their_definitions() {
        // (1/1 + 1/2 + 2/2 + 2/2) / 4, and (1/1 + 1/2 + 2/3 + 2/4) / 4.
        check("+-+-", (4, 2), 3.5 / 4.0, (1.0 + 0.5 + 2.0 / 3.0 + 0.5) / 4.0);
        check("++", (2, 2), 1.0, 1.0);
        check("--", (2, 2), 0.0, 0.0);
        check("", (2, 0), 0.0, 0.0);
    }

    #[test]
    fn a_crawl_that_ends_early_keeps_what_it_has() {
        // (1/1 + 1/2 + 1/2 + 1/2) / 4, and (1 + 1/2 + 1/3 + 1/4) / 4.
        check("+-", (4, 2), 2.5 / 4.0, (1.0 + 0.5 + 1.0 / 3.0 + 0.25) / 4.0);
    }

    #[test]
    fn what_comes_after_the_budget_does_not_count() {
        let figures = crawl("-+++").figures(2, 3);
        assert_eq!((figures.harvest, figures.relevant), (0.5, 1));
        assert_eq!(figures.recall, 1.0 / 3.0);
    }

    #[test]
    fn target_length_is_over_relevant_pages_alone() {
        assert_eq!(crawl("-+-+").figures(4, 2).target_length, Some(2.0));
        assert_eq!(crawl("----").figures(4, 2).target_length, None);
    }

    #[test]
    fn nine_tenths_are_counted_in_pages() {
        assert_eq!(crawl("+-++").figures(4, 3).pages_to_90, Some(4));
        assert_eq!(crawl("+-+-").figures(4, 3).pages_to_90, None);
        assert_eq!(crawl("+++++++++-").figures(10, 10).pages_to_90, Some(9));
    }

    #[test]
    fn the_curve_has_every_hundredth_of_the_budget() {
        let curve = crawl(&"+-".repeat(200)).figures(400, 200).curve;
        assert_eq!(curve.len(), 101);
        assert_eq!(curve[1], Point { pages: 4, bytes: 400, relevant: 2 });
        assert_eq!(curve[100], Point { pages: 400, bytes: 40_000, relevant: 200 });
        let short = crawl("+").figures(2, 1).curve;
        assert_eq!(short.len(), 3);
        assert_eq!(short[2], Point { pages: 2, bytes: 100, relevant: 1 }, "after its end");
    }
}
