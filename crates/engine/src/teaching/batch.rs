//! Pages met since the last teaching, and when the next is due.
//!
//! Teaching takes longer than judging, and what a model can still learn from
//! pages of which nobody said anything grows slower than their number: so the
//! intervals grow. Between two teachings a bounded sample of all pages met is
//! kept, each with the same chance (Vitter's algorithm R); the draw is seeded,
//! so the same crawl keeps the same pages.

use gannet_model::spread;

use super::kept_page::KeptPage;

/// Pages before the first teaching: fewer say little about what the crawl meets.
const FIRST_INTERVAL: u64 = 64;
/// Each interval is this many times as long as the one before.
const GROWTH: (u64, u64) = (3, 2);
/// No interval is longer: a crawl of months keeps up with what it meets.
const LONGEST_INTERVAL: u64 = 4096;
/// Pages kept at most: 16 MiB of text if all are as long as a kept page can be.
const PAGES_KEPT: usize = 512;

/// Pages met since the last teaching.
pub(crate) struct Batch {
    pages: Vec<KeptPage>,
    /// Pages met, kept or not.
    met: u64,
    /// Teachings so far: what the interval grows with.
    taught: u32,
    draw: Draw,
}

impl Batch {
    /// An empty batch of a crawl that was taught this many before.
    pub(crate) fn new(seed: u64, taught: u32) -> Batch {
        Batch { pages: Vec::new(), met: 0, taught, draw: Draw(seed) }
    }

    /// Takes a page in, if the draw falls on it.
    pub(crate) fn meet(&mut self, page: KeptPage) {
        self.met += 1;
        if self.pages.len() < PAGES_KEPT {
            self.pages.push(page);
            return;
        }
        let place = usize::try_from(self.draw.next() % self.met).unwrap_or(usize::MAX);
        if let Some(kept) = self.pages.get_mut(place) {
            *kept = page;
        }
    }

    /// True when enough pages were met for the next teaching.
    pub(crate) fn is_due(&self) -> bool {
        self.met >= interval(self.taught)
    }

    /// Pages met since the last teaching.
    pub(crate) fn met(&self) -> u64 {
        self.met
    }

    /// Teachings so far.
    pub(crate) fn taught(&self) -> u32 {
        self.taught
    }

    /// Hands out what was kept and begins anew.
    pub(crate) fn take(&mut self) -> Vec<KeptPage> {
        self.met = 0;
        self.taught = self.taught.saturating_add(1);
        std::mem::take(&mut self.pages)
    }
}

/// Pages between one teaching and the next, after this many.
fn interval(taught: u32) -> u64 {
    let mut interval = FIRST_INTERVAL;
    for _ in 0..taught {
        if interval >= LONGEST_INTERVAL {
            break;
        }
        interval = interval * GROWTH.0 / GROWTH.1;
    }
    interval.min(LONGEST_INTERVAL)
}

/// SplitMix64: 64 even bits from a counter, which is all a draw needs.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        spread(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::Document;

    fn page(number: u64) -> KeptPage {
        let document = Document { title: number.to_string(), ..Document::default() };
        KeptPage::new(document, None, String::new(), None)
    }

    fn numbers(pages: &[KeptPage]) -> Vec<u64> {
        pages.iter().map(|page| page.sight().document.title.parse().unwrap()).collect()
    }

    #[test]
    fn intervals_grow_by_half_up_to_the_longest() {
        let intervals: Vec<u64> = (0..6).map(interval).collect();
        assert_eq!(intervals, [64, 96, 144, 216, 324, 486]);
        assert_eq!(interval(50), LONGEST_INTERVAL);
        assert_eq!(interval(u32::MAX), LONGEST_INTERVAL);
    }

    #[test]
    fn a_teaching_is_due_when_its_interval_is_full_and_the_next_one_later() {
        let mut batch = Batch::new(1, 0);
        let mut teachings = Vec::new();
        for number in 1..=400 {
            batch.meet(page(number));
            if batch.is_due() {
                teachings.push((number, batch.take().len()));
            }
        }
        assert_eq!(teachings, [(64, 64), (160, 96), (304, 144)]);
    }

    #[test]
    fn beyond_the_bound_every_page_has_the_same_chance_and_the_draw_repeats() {
        let mut batch = Batch::new(7, 20);
        let mut again = Batch::new(7, 20);
        let met = 4 * PAGES_KEPT as u64;
        for number in 0..met {
            batch.meet(page(number));
            again.meet(page(number));
        }
        let kept = numbers(&batch.take());
        assert_eq!(kept, numbers(&again.take()));
        assert_eq!(kept.len(), PAGES_KEPT);
        let late = kept.iter().filter(|number| **number >= met / 2).count();
        let half = PAGES_KEPT / 2;
        assert!(late.abs_diff(half) < half / 4, "{late} of {PAGES_KEPT} from the second half");
    }
}
