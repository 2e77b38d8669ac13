//! Which page has which number in the schedule, both ways.
//!
//! Tens of millions of pages are known: the way from an address to its number keeps the number
//! alone and compares with the list of the other way.

use gannet_model::Fingerprint;
use gannet_revisit::PageNumber;
use hashbrown::HashTable;

/// Which page has which number.
#[derive(Debug, Default)]
pub(crate) struct PageNumbers {
    urls: Vec<Fingerprint>,
    numbers: HashTable<u32>,
}

impl PageNumbers {
    /// How many pages there are.
    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of a page.
    pub(crate) fn get(&self, url: Fingerprint) -> Option<PageNumber> {
        let is_it = |number: &u32| self.urls[*number as usize] == url;
        self.numbers.find(url.0, is_it).map(|number| PageNumber(*number))
    }

    /// The page of a number that was given to one.
    pub(crate) fn url(&self, page: PageNumber) -> Option<Fingerprint> {
        self.urls.get(page.0 as usize).copied()
    }

    /// Notes a page under the number that the schedule gave it.
    pub(crate) fn put(&mut self, url: Fingerprint, page: PageNumber) {
        let at = page.0 as usize;
        if at >= self.urls.len() {
            self.urls.resize(at + 1, Fingerprint(0));
        }
        self.urls[at] = url;
        let urls = &self.urls;
        // Fingerprints are spread already, so their hash is themselves.
        self.numbers.insert_unique(url.0, page.0, |number| urls[*number as usize].0);
    }

    /// Forgets a page; its number may be given to another.
    pub(crate) fn remove(&mut self, url: Fingerprint) -> Option<PageNumber> {
        let is_it = |number: &u32| self.urls[*number as usize] == url;
        let found = self.numbers.find_entry(url.0, is_it).ok()?;
        Some(PageNumber(found.remove().0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_pages_find_each_other_and_numbers_are_used_again() {
        let mut pages = PageNumbers::default();
        for number in 0..1000 {
            pages.put(Fingerprint(u64::from(number) << 40), PageNumber(number));
        }
        assert_eq!(pages.get(Fingerprint(7 << 40)), Some(PageNumber(7)));
        assert_eq!(pages.url(PageNumber(7)), Some(Fingerprint(7 << 40)));
        assert_eq!(pages.remove(Fingerprint(7 << 40)), Some(PageNumber(7)));
        assert_eq!(pages.get(Fingerprint(7 << 40)), None);
        pages.put(Fingerprint(5), PageNumber(7));
        assert_eq!((pages.get(Fingerprint(5)), pages.len()), (Some(PageNumber(7)), 1000));
    }
}
