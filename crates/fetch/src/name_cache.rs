//! What names were found to be, for as long as that may be believed.
//!
//! Bounded and pure: callers pass the moment. "No such name" is remembered as
//! well, so that a link farm of dead names costs one look-up per name.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

/// Answers by name.
#[derive(Debug)]
pub(crate) struct NameCache {
    entries: HashMap<Box<str>, Entry>,
    /// Never more entries than this.
    capacity: usize,
}

/// What a look-up found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The name lives at these; not filtered by the guard.
    Addresses(Arc<[IpAddr]>),
    /// The name has no address.
    NotFound,
}

#[derive(Debug)]
struct Entry {
    answer: Answer,
    expires: Instant,
}

impl NameCache {
    pub(crate) fn new(capacity: usize) -> NameCache {
        NameCache { entries: HashMap::new(), capacity }
    }

    /// The answer still believed, and until when.
    pub(crate) fn get(&self, name: &str, now: Instant) -> Option<(Answer, Instant)> {
        let entry = self.entries.get(name).filter(|entry| entry.expires > now)?;
        Some((entry.answer.clone(), entry.expires))
    }

    /// Remembers an answer.
    pub(crate) fn put(&mut self, name: &str, answer: Answer, expires: Instant) {
        if self.capacity == 0 {
            return;
        }
        if self.entries.len() >= self.capacity && !self.entries.contains_key(name) {
            self.forget_half();
        }
        self.entries.insert(name.into(), Entry { answer, expires });
    }

    /// Forgets the half that expires first. Halving makes the sort rare enough
    /// to cost nothing per name, which an exact order of use would.
    fn forget_half(&mut self) {
        let mut moments: Vec<Instant> = self.entries.values().map(|entry| entry.expires).collect();
        let middle = moments.len() / 2;
        let (_, &mut median, _) = moments.select_nth_unstable(middle);
        self.entries.retain(|_, entry| entry.expires > median);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn answers_are_believed_until_they_expire() {
        let start = Instant::now();
        let mut cache = NameCache::new(8);
        let expires = start + Duration::from_secs(5);
        cache.put("a.test", Answer::NotFound, expires);
        assert_eq!(cache.get("a.test", start), Some((Answer::NotFound, expires)));
        assert_eq!(cache.get("a.test", expires), None);
        assert_eq!(cache.get("b.test", start), None);
    }

    #[test]
    fn a_full_cache_forgets_what_expires_first_and_never_grows() {
        let start = Instant::now();
        let mut cache = NameCache::new(10);
        for second in 1..=1000_u64 {
            let expires = start + Duration::from_secs(second);
            cache.put(&format!("{second}.test"), Answer::NotFound, expires);
            assert!(cache.entries.len() <= 10);
            assert!(cache.get(&format!("{second}.test"), start).is_some());
        }
        assert!(cache.get("1.test", start).is_none());
    }
}
