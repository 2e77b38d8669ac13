//! Pages in the order of their times: a heap with four children a node, in which every page can be
//! found.
//!
//! Twelve bytes a page: time and number in the heap, and the place in it. The children of a node
//! lie in one line of the cache, which is what moving a page among millions costs: one line a
//! level, and of the ten levels the upper ones are at hand.

use crate::policy::PageNumber;

/// Every waiting page, the earliest at hand. Among equals the lower number comes first, so that
/// the order does not depend on how they came in.
#[derive(Debug)]
pub(super) struct DueQueue {
    /// Time and page of each node, from [`ROOT`] on.
    heap: Vec<Node>,
    /// Where in the heap each page is, or [`ABSENT`], or [`STARTED`].
    places: Vec<u32>,
}

/// How it stands with a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is not known.
    Unknown,
    /// It waits.
    Waits,
    /// It is being visited.
    Started,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Node {
    due: u32,
    page: PageNumber,
}

/// The root's place: with it, the children of every node begin at a multiple of four.
const ROOT: usize = 3;
/// Children of a node.
const CHILDREN: usize = 4;
/// The place of a page that is not known.
const ABSENT: u32 = u32::MAX;
/// The place of a page that is known and does not wait.
const STARTED: u32 = u32::MAX - 1;
/// What stands before the root.
const FILLER: Node = Node { due: 0, page: PageNumber(u32::MAX) };

impl Default for DueQueue {
    fn default() -> DueQueue {
        DueQueue { heap: vec![FILLER; ROOT], places: Vec::new() }
    }
}

impl DueQueue {
    /// Makes room for so many pages.
    pub(super) fn expect(&mut self, pages: usize) {
        self.heap.reserve_exact((pages + ROOT).saturating_sub(self.heap.len()));
        self.places.reserve_exact(pages.saturating_sub(self.places.len()));
    }

    /// The page that is due first.
    pub(super) fn first(&self) -> Option<(u32, PageNumber)> {
        self.heap.get(ROOT).map(|node| (node.due, node.page))
    }

    /// When a page is due, if it waits.
    pub(super) fn due(&self, page: PageNumber) -> Option<u32> {
        self.place(page).map(|place| self.heap[place].due)
    }

    /// Every page that waits, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, PageNumber)> {
        self.heap[ROOT..].iter().map(|node| (node.due, node.page))
    }

    /// How many are due by then. Only nodes that are, and their children, are looked at.
    pub(super) fn count_by(&self, due: u32) -> usize {
        let mut count = 0;
        let mut open = vec![ROOT];
        while let Some(place) = open.pop() {
            if self.heap.get(place).is_some_and(|node| node.due <= due) {
                count += 1;
                open.extend(children(place));
            }
        }
        count
    }

    /// Sets when a page is due, whether it waited or not.
    pub(super) fn put(&mut self, page: PageNumber, due: u32) {
        let node = Node { due, page };
        match self.place(page) {
            Some(place) if node < self.heap[place] => self.rise(place, node),
            Some(place) => self.sink(place, node),
            None => {
                let index = page.0 as usize;
                if index >= self.places.len() {
                    self.places.resize(index + 1, ABSENT);
                }
                self.heap.push(node);
                self.rise(self.heap.len() - 1, node);
            }
        }
    }

    /// How it stands with a page.
    pub(super) fn standing(&self, page: PageNumber) -> Standing {
        match self.places.get(page.0 as usize) {
            None | Some(&ABSENT) => Standing::Unknown,
            Some(&STARTED) => Standing::Started,
            Some(_) => Standing::Waits,
        }
    }

    /// Takes a page out that is to be visited.
    pub(super) fn start(&mut self, page: PageNumber) {
        self.take(page, STARTED);
    }

    /// Takes a page out for good.
    pub(super) fn forget(&mut self, page: PageNumber) {
        self.take(page, ABSENT);
    }

    fn take(&mut self, page: PageNumber, left: u32) {
        let place = self.place(page);
        if let Some(left_at) = self.places.get_mut(page.0 as usize) {
            *left_at = left;
        }
        let Some(place) = place else {
            return;
        };
        let Some(last) = self.heap.pop() else {
            return;
        };
        if place == self.heap.len() {
            return;
        }
        if place > ROOT && last < self.heap[parent(place)] {
            self.rise(place, last);
        } else {
            self.sink(place, last);
        }
    }

    fn place(&self, page: PageNumber) -> Option<usize> {
        let place = *self.places.get(page.0 as usize)?;
        (place < STARTED).then_some(place as usize)
    }

    /// Puts a node where it belongs, from here upward.
    fn rise(&mut self, mut place: usize, node: Node) {
        while place > ROOT {
            let above = parent(place);
            if self.heap[above] <= node {
                break;
            }
            self.set(place, self.heap[above]);
            place = above;
        }
        self.set(place, node);
    }

    /// Puts a node where it belongs, from here downward.
    fn sink(&mut self, mut place: usize, node: Node) {
        while let Some(least) = self.least_child(place) {
            if node <= self.heap[least] {
                break;
            }
            self.set(place, self.heap[least]);
            place = least;
        }
        self.set(place, node);
    }

    fn least_child(&self, place: usize) -> Option<usize> {
        let range = children(place);
        let end = range.end.min(self.heap.len());
        let start = range.start;
        let nodes = self.heap.get(start..end)?;
        let (least, _) = nodes.iter().enumerate().min_by_key(|(_, node)| **node)?;
        Some(start + least)
    }

    fn set(&mut self, place: usize, node: Node) {
        self.heap[place] = node;
        self.places[node.page.0 as usize] = place as u32;
    }
}

/// Where the children of a node are.
fn children(place: usize) -> std::ops::Range<usize> {
    let first = CHILDREN * (place - ROOT + 1);
    first..first + CHILDREN
}

/// The node that this is a child of.
fn parent(place: usize) -> usize {
    place / CHILDREN + ROOT - 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn parents_and_children_agree() {
        for place in ROOT..1000 {
            assert_eq!(children(place).start % CHILDREN, 0);
            assert!(children(place).all(|child| parent(child) == place));
        }
    }

    proptest! {
        #[test]
        fn pages_come_in_the_order_of_their_times(
            steps in prop::collection::vec((0_u32..60, 0_u32..1000, 0_u8..4), 1..400)
        ) {
            let mut queue = DueQueue::default();
            let mut model = std::collections::BTreeMap::new();
            for (page, due, step) in steps {
                let page = PageNumber(page);
                if step == 0 {
                    queue.start(page);
                    model.remove(&page);
                } else {
                    queue.put(page, due);
                    model.insert(page, due);
                }
                let first = model.iter().map(|(page, due)| (*due, *page)).min();
                prop_assert_eq!(queue.first(), first);
                prop_assert_eq!(queue.standing(page) == Standing::Waits, model.contains_key(&page));
                prop_assert_eq!(queue.due(page), model.get(&page).copied());
                let by = model.values().filter(|due| **due <= 500).count();
                prop_assert_eq!(queue.count_by(500), by);
                prop_assert_eq!(queue.iter().count(), model.len());
            }
        }
    }
}
