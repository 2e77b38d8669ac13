//! What repeats over the pages of one site.
//!
//! Menus, footers and cookie notices stand on page after page in the same
//! words, so no list of phrases is needed to know them. A [`SiteTemplate`]
//! counts on how many of the site's recent pages each passage stood. It
//! remembers fingerprints, never text, and only as many as fit: passages
//! that do not come back make room for others. Callers keep one per site and
//! show it each page once.

use gannet_model::Document;
use xxhash_rust::xxh3::xxh3_64;

/// Passages remembered of one site: several times what templates hold (most have
/// under a hundred), so that those not yet seen twice find room beside them.
const MOST_REMEMBERED: usize = 512;

/// Passages that one page may add. A page of thousands of items, each seen
/// once, must not wash away what is known.
const MOST_NEW_OF_A_PAGE: usize = MOST_REMEMBERED / 2;

/// On fewer pages a passage may recur by chance: a page and its print version.
const FEWEST_PAGES: u16 = 3;

/// Passages on at least this share of the pages, in percent, are template.
/// Sections of a site have templates of their own, so it need not be most pages.
const LEAST_PERCENT: u32 = 30;

/// When so many pages are counted all counts are halved, so that what the site
/// dropped is forgotten and what it adopted is learnt.
const PAGES_UNTIL_HALVED: u16 = 128;

/// Bytes of a passage that tell it from others: two passages of a site that
/// begin with the same twenty words are one, and reading on would cost time.
const FINGERPRINTED_BYTES: usize = 128;

/// Passages that repeat over the pages of one site.
///
/// At most 4 KB, and 8 bytes per remembered passage below that.
#[derive(Clone, Debug, Default)]
pub struct SiteTemplate {
    /// By fingerprint, rising.
    remembered: Vec<Remembered>,
    /// Pages that the counts speak of.
    counted: u16,
    /// Pages ever observed.
    pages: u32,
}

/// A passage and where it was seen.
#[derive(Clone, Copy, Debug)]
struct Remembered {
    fingerprint: Fingerprint,
    /// Pages it stood on, of those counted.
    seen: u16,
    /// Value of the page counter when it was last seen, its low bits; only for choosing what to forget.
    last: u16,
}

/// What a passage says, in 32 bits: among 512 remembered ones, a page of a
/// thousand passages meets a false one once in ten thousand pages.
pub(crate) type Fingerprint = u32;

impl SiteTemplate {
    /// Counts the passages of a page, each once.
    pub fn observe(&mut self, document: &Document) {
        self.pages = self.pages.saturating_add(1);
        self.counted += 1;
        let in_order: Vec<Fingerprint> =
            document.passages().filter_map(|passage| fingerprint(passage.text)).collect();
        let mut distinct = in_order.clone();
        distinct.sort_unstable();
        distinct.dedup();
        self.recognise(&distinct);
        let strangers = self.strangers(&in_order, &distinct);
        self.admit(strangers);
        if self.counted >= PAGES_UNTIL_HALVED {
            self.halve();
        }
    }

    /// Pages observed.
    pub fn pages(&self) -> u32 {
        self.pages
    }

    /// True when the passage stands on many of the site's pages.
    pub(crate) fn holds(&self, fingerprint: Fingerprint) -> bool {
        let found = self.remembered.binary_search_by_key(&fingerprint, |it| it.fingerprint);
        found.is_ok_and(|at| {
            let seen = self.remembered[at].seen;
            seen >= FEWEST_PAGES && u32::from(seen) * 100 >= u32::from(self.counted) * LEAST_PERCENT
        })
    }

    /// True when enough pages were observed for any passage to be known as template.
    pub(crate) fn is_telling(&self) -> bool {
        self.counted >= FEWEST_PAGES
    }

    fn recognise(&mut self, distinct: &[Fingerprint]) {
        let last = self.stamp();
        let mut known = self.remembered.iter_mut().peekable();
        for fingerprint in distinct {
            while known.next_if(|it| it.fingerprint < *fingerprint).is_some() {}
            if let Some(it) = known.next_if(|it| it.fingerprint == *fingerprint) {
                it.seen += 1;
                it.last = last;
            }
        }
    }

    /// Passages not remembered. When there are too many, those nearest to
    /// the page's beginning and end: that is where templates stand.
    fn strangers(&self, in_order: &[Fingerprint], distinct: &[Fingerprint]) -> Vec<Fingerprint> {
        let is_known = |it: &Fingerprint| {
            self.remembered.binary_search_by_key(it, |held| held.fingerprint).is_ok()
        };
        if distinct.len() <= MOST_NEW_OF_A_PAGE {
            return distinct.iter().copied().filter(|it| !is_known(it)).collect();
        }
        let (first, second) = in_order.split_at(in_order.len() / 2);
        let side = MOST_NEW_OF_A_PAGE / 2;
        let outer = first.iter().filter(|it| !is_known(it)).take(side);
        let outer = outer.chain(second.iter().rev().filter(|it| !is_known(it)).take(side));
        let mut strangers: Vec<Fingerprint> = outer.copied().collect();
        strangers.sort_unstable();
        strangers.dedup();
        strangers
    }

    /// Remembers strangers, and forgets what is rarest and longest unseen for them.
    fn admit(&mut self, strangers: Vec<Fingerprint>) {
        let excess = (self.remembered.len() + strangers.len()).saturating_sub(MOST_REMEMBERED);
        let now = self.stamp();
        if excess > 0 {
            let oldest_first = |it: &Remembered| (it.seen, u16::MAX - now.wrapping_sub(it.last));
            self.remembered
                .select_nth_unstable_by_key(excess - 1, |it| (oldest_first(it), it.fingerprint));
            self.remembered.drain(..excess);
        }
        // Sites are many: no room beyond the bound, as growing by doubling would take.
        self.remembered.reserve_exact(strangers.len());
        let new = |fingerprint| Remembered { fingerprint, seen: 1, last: now };
        self.remembered.extend(strangers.into_iter().map(new));
        self.remembered.sort_unstable_by_key(|it| it.fingerprint);
    }

    fn halve(&mut self) {
        self.counted /= 2;
        for it in &mut self.remembered {
            it.seen /= 2;
        }
        self.remembered.retain(|it| it.seen > 0);
    }

    /// The page counter's low bits.
    fn stamp(&self) -> u16 {
        (self.pages % (1 << 16)) as u16
    }
}

/// What a passage says, digits left out: `12 comments` and `3 comments` are the
/// same. `None` when there is nothing else in it.
pub(crate) fn fingerprint(passage: &str) -> Option<Fingerprint> {
    let bytes = passage.trim_end_matches(' ').as_bytes();
    let bytes = &bytes[..bytes.len().min(FINGERPRINTED_BYTES)];
    if !bytes.iter().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()) {
        return None;
    }
    let digits: usize = bytes.iter().map(|byte| usize::from(byte.is_ascii_digit())).sum();
    if digits == 0 {
        return Some((xxh3_64(bytes) >> 32) as Fingerprint);
    }
    let mut kept = [0; FINGERPRINTED_BYTES];
    let mut length = 0;
    for byte in bytes {
        kept[length] = *byte;
        length += usize::from(!byte.is_ascii_digit());
    }
    Some((xxh3_64(&kept[..length]) >> 32) as Fingerprint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::Block;

    /// A page of these passages.
    fn page<T: AsRef<str>>(passages: &[T]) -> Document {
        let (mut text, mut breaks) = (String::new(), Vec::new());
        for passage in passages {
            if !text.is_empty() {
                text.push(' ');
                breaks.push(u32::try_from(text.len()).unwrap());
            }
            text.push_str(passage.as_ref());
        }
        Document { blocks: vec![Block { text, breaks, ..Block::default() }], ..Document::default() }
    }

    fn holds(site: &SiteTemplate, passage: &str) -> bool {
        site.holds(fingerprint(passage).unwrap())
    }

    #[test]
    fn what_stands_on_three_pages_of_ten_is_template() {
        #[track_caller]
        fn check(with: u32, without: u32, expected: bool) {
            let mut site = SiteTemplate::default();
            for number in 0..without {
                site.observe(&page(&[format!("text {}", "x".repeat(number as usize))]));
            }
            for _ in 0..with {
                site.observe(&page(&["We use cookies", "We use cookies"]));
            }
            assert_eq!(site.pages(), with + without);
            assert_eq!(holds(&site, "We use cookies"), expected, "{with} and {without}");
        }
        check(1, 0, false);
        check(2, 0, false);
        check(3, 0, true);
        check(3, 7, true);
        check(3, 8, false);
        check(40, 60, true);
        check(0, 3, false);
    }

    #[test]
    fn digits_and_trailing_space_tell_no_passages_apart() {
        assert_eq!(fingerprint("12 comments "), fingerprint("3 comments"));
        assert_ne!(fingerprint("comments"), fingerprint("comment"));
        assert_eq!(fingerprint("2024-11-15"), None);
        assert!(fingerprint("鰹鳥").is_some());
    }

    #[test]
    fn memory_stays_bounded_and_keeps_what_comes_back() {
        let mut site = SiteTemplate::default();
        for number in 0..50 {
            let own = (0..2000).map(|item| format!("item {}", spell(number * 2000 + item)));
            let passages: Vec<String> =
                ["menu".to_owned()].into_iter().chain(own).chain(["footer".to_owned()]).collect();
            site.observe(&page(&passages));
        }
        assert!(site.remembered.len() <= MOST_REMEMBERED);
        assert!(site.remembered.capacity() * size_of::<Remembered>() <= 4096);
        assert!(holds(&site, "menu") && holds(&site, "footer"));
        assert!(!holds(&site, &format!("item {}", spell(0))));
    }

    #[test]
    fn what_a_site_dropped_is_forgotten() {
        let mut site = SiteTemplate::default();
        (0..200).for_each(|_| site.observe(&page(&["old menu"])));
        assert!(holds(&site, "old menu"));
        (0..300).for_each(|_| site.observe(&page(&["new menu"])));
        assert!(!holds(&site, "old menu") && holds(&site, "new menu"));
    }

    /// A number in letters, as digits are left out.
    fn spell(number: usize) -> String {
        number.to_string().bytes().map(|digit| char::from(digit - b'0' + b'a')).collect()
    }
}
