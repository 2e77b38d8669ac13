//! What is known of each page, in 24 bytes.
//!
//! What was learned of the rate is kept as what it adds to the prior of the page's group: so a
//! better prior is at once that of all its pages. Importance and suspicion are kept as logarithms
//! in small whole numbers.

use serde::{Deserialize, Serialize};

use crate::policy::PageNumber;
use crate::posterior::Posterior;

/// One page.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Page {
    /// When it was last seen, in seconds since 1970.
    pub(super) last: u32,
    /// Shape that its visits add to the prior.
    pub(super) a: f32,
    /// Exposure in days that they add.
    pub(super) b: f32,
    /// Its group, or [`NOWHERE`] where the number is not in use.
    pub(super) group: u32,
    /// The next page of the group; the last leads to the first.
    pub(super) next: u32,
    /// How much its freshness matters.
    pub(super) weight: WeightCode,
    /// The chance that what was said of it since its last visit leaves it unchanged.
    pub(super) suspicion: Suspicion,
    /// What was said of it, and how large it is.
    pub(super) marks: Marks,
}

/// No page, no group.
pub(super) const NOWHERE: u32 = u32::MAX;

/// A weight as a logarithm; 0 is 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct WeightCode(u16);

/// Steps of a weight's code for a factor of e: steps of 0.07 %.
const WEIGHT_STEPS: f64 = 1400.0;
/// The logarithm of the least weight there is.
const LEAST_WEIGHT: f64 = -25.0;

impl Page {
    pub(super) fn new(last: u32, weight: f64, group: u32) -> Page {
        let weight = WeightCode::of(weight);
        let (suspicion, marks) = (Suspicion::NONE, Marks::default());
        Page { last, a: 0.0, b: 0.0, group, next: NOWHERE, weight, suspicion, marks }
    }

    /// What is known of its rate where this is its prior.
    pub(super) fn with(&self, prior: Posterior) -> Posterior {
        Posterior { a: prior.a + f64::from(self.a), b: prior.b + f64::from(self.b) }
    }

    pub(super) fn weight(&self) -> f64 {
        self.weight.get()
    }

    pub(super) fn set_weight(&mut self, weight: f64) {
        self.weight = WeightCode::of(weight);
    }
}

impl WeightCode {
    fn of(weight: f64) -> WeightCode {
        if weight.is_nan() || weight <= 0.0 {
            return WeightCode(0);
        }
        // Casts of numbers out of range stop at the range's ends.
        WeightCode((((weight.ln() - LEAST_WEIGHT) * WEIGHT_STEPS).round() as u16).max(1))
    }

    fn get(self) -> f64 {
        if self.0 == 0 { 0.0 } else { (f64::from(self.0) / WEIGHT_STEPS + LEAST_WEIGHT).exp() }
    }
}

/// How likely a page was changed by what was said of it since its last visit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Suspicion(u8);

/// Steps of suspicion for a factor of e in the chance that nothing changed.
const SUSPICION_STEPS: f64 = 50.0;

impl Suspicion {
    pub(super) const NONE: Suspicion = Suspicion(0);

    /// The logarithm, without its sign, of the chance that nothing changed.
    pub(super) fn log(self) -> f64 {
        f64::from(self.0) / SUSPICION_STEPS
    }

    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }

    /// With a further reason, which alone means a change with this chance.
    pub(super) fn and(self, chance: f64) -> Suspicion {
        Suspicion::of_log(self.log() - (1.0 - chance).ln())
    }

    /// The larger one.
    pub(super) fn or(self, chance: f64) -> Suspicion {
        Suspicion(self.0.max(Suspicion::of_log(-(1.0 - chance).ln()).0))
    }

    pub(super) fn chance(self) -> f64 {
        -(-self.log()).exp_m1()
    }

    fn of_log(log: f64) -> Suspicion {
        Suspicion((log * SUSPICION_STEPS).round() as u8)
    }
}

/// What was said of a page since its last visit, and the class of its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Marks(u8);

/// Who says that a page may have changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Teller {
    Sitemap,
    Feed,
    Person,
    Neighbour,
}

impl Teller {
    pub(super) const ALL: [Teller; 4] =
        [Teller::Sitemap, Teller::Feed, Teller::Person, Teller::Neighbour];

    pub(super) fn index(self) -> usize {
        self as usize
    }
}

/// The bits of the four tellers.
const SAID: u8 = 0b1111;
/// The bit of pages of which something outside ever told.
const LISTED: u8 = 0b1_0000;
/// Where the class of the size begins.
const SIZE_SHIFT: u32 = 5;
/// The size of the smallest class in bytes; each further one is four times as large.
const SMALLEST: f64 = 1024.0;
const SIZE_FACTOR: f64 = 4.0;
const LARGEST_CLASS: f64 = 7.0;

impl Marks {
    pub(super) fn has(self, teller: Teller) -> bool {
        self.0 & (1 << teller.index()) != 0
    }

    pub(super) fn add(&mut self, teller: Teller) {
        self.0 |= 1 << teller.index();
        if teller != Teller::Neighbour {
            self.0 |= LISTED;
        }
    }

    /// True when somebody outside tells of this page from time to time: then silence tells, too.
    pub(super) fn is_listed(self) -> bool {
        self.0 & LISTED != 0
    }

    pub(super) fn is_said(self) -> bool {
        self.0 & SAID != 0
    }

    pub(super) fn clear(&mut self) {
        self.0 &= !SAID;
    }

    pub(super) fn set_bytes(&mut self, bytes: u64) {
        let class = (bytes as f64 / SMALLEST).max(1.0).log(SIZE_FACTOR).round().min(LARGEST_CLASS);
        self.0 = self.0 & (SAID | LISTED) | (class as u8) << SIZE_SHIFT;
    }

    pub(super) fn bytes(self) -> f64 {
        SMALLEST * SIZE_FACTOR.powi((self.0 >> SIZE_SHIFT).into())
    }
}

/// All pages by number.
#[derive(Debug, Default)]
pub(super) struct Pages {
    table: Vec<Page>,
    held: usize,
}

impl Pages {
    pub(super) fn get(&self, page: PageNumber) -> Option<&Page> {
        self.table.get(page.0 as usize).filter(|page| page.group != NOWHERE)
    }

    pub(super) fn get_mut(&mut self, page: PageNumber) -> Option<&mut Page> {
        self.table.get_mut(page.0 as usize).filter(|page| page.group != NOWHERE)
    }

    pub(super) fn put(&mut self, number: PageNumber, page: Page) {
        let place = number.0 as usize;
        if place >= self.table.len() {
            self.table.resize(place + 1, Page::new(0, 0.0, NOWHERE));
        }
        if self.table[place].group == NOWHERE {
            self.held += 1;
        }
        self.table[place] = page;
    }

    pub(super) fn remove(&mut self, number: PageNumber) {
        if let Some(page) = self.get_mut(number) {
            page.group = NOWHERE;
            self.held -= 1;
        }
    }

    /// Makes room for so many pages.
    pub(super) fn expect(&mut self, pages: usize) {
        self.table.reserve_exact(pages.saturating_sub(self.table.len()));
    }

    /// How many pages there are.
    pub(super) fn len(&self) -> usize {
        self.held
    }

    /// How many numbers were ever used.
    pub(super) fn end(&self) -> u32 {
        self.table.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_takes_24_bytes() {
        assert_eq!(size_of::<Page>(), 24);
    }

    #[test]
    fn weights_come_back_to_a_tenth_of_a_percent() {
        for weight in [1e-9, 3.7e-5, 0.5, 1.0, 123.0, 1e6] {
            let found = WeightCode::of(weight).get();
            assert!((found / weight - 1.0).abs() < 1e-3, "{weight} {found}");
        }
        assert_eq!(WeightCode::of(0.0).get(), 0.0);
        assert_eq!(WeightCode::of(f64::NAN).get(), 0.0);
        assert!(WeightCode::of(f64::MAX).get() > 1e9);
    }

    #[test]
    fn suspicions_add_up_and_end_below_certainty() {
        let twice = Suspicion::NONE.and(0.5).and(0.5);
        assert!((twice.chance() - 0.75).abs() < 0.01);
        assert_eq!(twice.or(0.2), twice);
        assert!(Suspicion::NONE.and(1.0).chance() < 1.0);
    }

    #[test]
    fn marks_know_who_told_and_how_large_a_page_is() {
        let mut marks = Marks::default();
        marks.set_bytes(70_000);
        marks.add(Teller::Neighbour);
        assert!(marks.has(Teller::Neighbour) && !marks.is_listed() && marks.is_said());
        marks.add(Teller::Feed);
        marks.clear();
        assert!(marks.is_listed() && !marks.is_said() && !marks.has(Teller::Feed));
        assert_eq!(marks.bytes(), 65_536.0);
    }
}
