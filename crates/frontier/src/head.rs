//! The best stretch of a long queue, in memory.
//!
//! A queue is one ordered sequence of keys. Its head is here; everything from
//! a certain key on is only in the store. The head never holds a key at or
//! beyond that point, so taking from the head is taking the best of the whole.

/// The best stretch of a queue whose rest is in the store.
#[derive(Clone, Debug)]
pub(crate) struct Head<K, V> {
    /// Worst first, so that the best is taken from the end.
    items: Vec<(K, V)>,
    /// Everything from this key on is in the store only; `None`: nothing is.
    tail_from: Option<K>,
}

/// What taking from a head gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peek<K, V> {
    /// The best of the whole queue.
    Best(K, V),
    /// The head is empty; the rest starts at this key in the store.
    Dry(K),
    /// The whole queue is empty.
    Empty,
}

impl<K: Ord + Copy, V: Copy> Head<K, V> {
    pub(crate) const fn new() -> Head<K, V> {
        Head { items: Vec::new(), tail_from: None }
    }

    /// Takes a key in, if it belongs to the head. The caller has put it in the store already.
    pub(crate) fn push(&mut self, key: K, value: V, capacity: usize) {
        if self.tail_from.is_some_and(|from| key >= from) {
            return;
        }
        let at = self.items.partition_point(|(other, _)| *other > key);
        self.items.insert(at, (key, value));
        if self.items.len() > capacity.max(1) {
            let (worst, _) = self.items.remove(0);
            self.tail_from = Some(worst);
        }
    }

    /// The best key, or where to read on.
    pub(crate) fn peek(&self) -> Peek<K, V> {
        match (self.items.last(), self.tail_from) {
            (Some((key, value)), _) => Peek::Best(*key, *value),
            (None, Some(from)) => Peek::Dry(from),
            (None, None) => Peek::Empty,
        }
    }

    /// Takes the best key out.
    pub(crate) fn pop(&mut self) -> Option<(K, V)> {
        let best = self.items.pop();
        if self.items.is_empty() {
            // A head that was long once gives its memory back.
            self.items = Vec::new();
        }
        best
    }

    /// Takes in the stretch read from the store, best first. `rest` says from
    /// which key on there is more.
    pub(crate) fn refill(&mut self, stretch: impl IntoIterator<Item = (K, V)>, rest: Option<K>) {
        debug_assert!(self.items.is_empty(), "only a dry head is refilled");
        self.items = stretch.into_iter().collect();
        self.items.reverse();
        self.tail_from = rest;
    }

    /// Declares that the store holds keys from `from` on: how a crawl resumes.
    pub(crate) fn resume(&mut self, from: K) {
        self.tail_from = Some(self.tail_from.map_or(from, |old| old.min(from)));
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// Pushes and pops in any order, with a store behind: the head always yields the smallest key.
        #[test]
        fn a_head_with_its_store_is_one_priority_queue(
            steps in prop::collection::vec(prop::option::of(0_u32..1000), 1..200),
            capacity in 1_usize..8,
        ) {
            let mut head = Head::new();
            let mut store = BTreeSet::new();
            for step in steps {
                match step {
                    Some(key) if store.insert(key) => head.push(key, (), capacity),
                    Some(_) => {}
                    None => {
                        if let Peek::Dry(from) = head.peek() {
                            let mut rest = store.range(from..).copied();
                            let stretch: Vec<_> = rest.by_ref().take(capacity).map(|k| (k, ())).collect();
                            head.refill(stretch, rest.next());
                        }
                        prop_assert_eq!(head.pop().map(|(key, ())| key), store.pop_first());
                    }
                }
                prop_assert!(head.len() <= capacity);
            }
        }
    }
}
