//! Per-host queues by worth, and among the hosts that may be contacted the best first.
//!
//! The caller is told a host, asks the gate, and either takes the host's best
//! link or says until when the host must wait. The frontier reads no clock and
//! no store.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use gannet_model::{Fingerprint, HostId, Timestamp, Worth};

use crate::entry::{Entry, QueueKey};
use crate::head::{Head, Peek};
use crate::later::{Due, Later, NextDue};

/// The queues of all hosts.
#[derive(Debug, Default)]
pub struct Frontier {
    hosts: Vec<HostQueue>,
    /// Hosts that may be contacted, best link first. May hold stale rows: see [`HostQueue::offered`].
    ready: BinaryHeap<(Reverse<QueueKey>, HostId)>,
    /// Hosts that must wait, soonest first. May hold stale rows: a row counts if it is the host's standing.
    waiting: BinaryHeap<Reverse<(Timestamp, HostId)>>,
    later: Later,
    /// Links in all queues, heads and tails.
    queued: u64,
    /// Links that stand lower than the store knows, of all hosts.
    lowered: usize,
    /// Visits that have a time.
    scheduled: u64,
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Next {
    /// This host has the best link of all hosts that may be contacted.
    Host(HostId),
    /// A stretch must be read from the store first.
    Refill(Refill),
    /// A scheduled visit's time has come: it must be queued.
    Due(Due),
    /// No host may be contacted before this.
    Wait(Timestamp),
    /// Nothing is queued and nothing waits; what is in flight may bring more.
    Empty,
}

/// A stretch of a queue that must be read from the store.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refill {
    /// The queue of this host, from this key on, at most so many.
    Host(HostId, QueueKey, usize),
    /// The scheduled visits from this time and URL on, at most so many.
    Later(Timestamp, Fingerprint, usize),
}

/// How many hosts are in which state: the raw material of the status line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Hosts with at least one queued link.
    pub with_work: usize,
    /// Of those: may be contacted now.
    pub ready: usize,
    /// Of those: must wait for a time.
    pub waiting: usize,
    /// Of those: being contacted, or waiting for another host at the same address.
    pub busy: usize,
}

#[derive(Debug)]
struct HostQueue {
    head: Head<QueueKey, Fingerprint>,
    standing: Standing,
    /// The key under which the host stands in `ready`; other rows of it are stale.
    offered: Option<QueueKey>,
    /// Links that were put back further down than the store knows.
    lowered: BTreeMap<QueueKey, Fingerprint>,
    /// Links in head and tail.
    queued: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// May be contacted as soon as it has a link.
    Ready,
    /// Not before this.
    Waiting(Timestamp),
    /// Not until [`Frontier::release`].
    Busy,
}

/// Entries of all heads together: 24 bytes each, 6 MiB at most.
const HEAD_BUDGET: usize = 1 << 18;
/// Entries of one head: a refill reads at most this many rows.
const HEAD_MOST: usize = 256;
/// Entries of one head at least, however many hosts there are.
const HEAD_LEAST: usize = 4;
/// Stale rows of `ready` that are let be, beside four for each host.
const STALE_ROWS: usize = 1024;
/// Links that may stand lower than the store knows: 40 bytes each, 2.5 MiB at most.
const MOST_LOWERED: usize = 1 << 16;
/// Scheduled visits read at once.
const LATER_STRETCH: usize = 1024;

impl Frontier {
    /// Knows no host.
    pub fn new() -> Frontier {
        Frontier::default()
    }

    /// Queues a link that the store holds already.
    pub fn push(&mut self, host: HostId, entry: Entry) {
        let capacity = self.head_capacity();
        let queue = self.queue(host);
        queue.head.push(entry.key, entry.url, capacity);
        queue.queued += 1;
        self.queued += 1;
        self.offer(host);
    }

    /// Schedules a visit that the store holds already.
    pub fn schedule(&mut self, due: Due) {
        self.scheduled += 1;
        self.later.push(due);
    }

    /// Declares what the store holds of a host: how a crawl resumes.
    pub fn resume_host(&mut self, host: HostId, best: QueueKey, queued: u64) {
        let queue = self.queue(host);
        queue.head.resume(best);
        queue.queued += queued;
        self.queued += queued;
        self.offer(host);
    }

    /// Declares that the store holds scheduled visits from this time on.
    pub fn resume_later(&mut self, from: Timestamp, scheduled: u64) {
        self.scheduled += scheduled;
        self.later.resume(from);
    }

    /// What to do at `now`.
    pub fn next(&mut self, now: Timestamp) -> Next {
        match self.later.next(now) {
            NextDue::Due(due) => {
                self.scheduled = self.scheduled.saturating_sub(1);
                Next::Due(due)
            }
            NextDue::Dry((at, url)) => Next::Refill(Refill::Later(at, url, LATER_STRETCH)),
            NextDue::At(at) => self.next_host(now, Some(at)),
            NextDue::Empty => self.next_host(now, None),
        }
    }

    fn next_host(&mut self, now: Timestamp, due: Option<Timestamp>) -> Next {
        self.wake(now);
        while let Some(&(Reverse(key), host)) = self.ready.peek() {
            let queue = &self.hosts[host.0 as usize];
            if queue.offered != Some(key) || queue.standing != Standing::Ready {
                self.drop_offer(host, key);
                continue;
            }
            return match queue.peek() {
                Peek::Best(..) => Next::Host(host),
                Peek::Dry(from) => Next::Refill(Refill::Host(host, from, self.head_capacity())),
                Peek::Empty => {
                    self.drop_offer(host, key);
                    continue;
                }
            };
        }
        let waiting = self.waiting.peek().map(|Reverse((at, _))| *at);
        match (waiting, due) {
            (Some(a), Some(b)) => Next::Wait(a.min(b)),
            (Some(at), None) | (None, Some(at)) => Next::Wait(at),
            (None, None) => Next::Empty,
        }
    }

    /// Takes the best link of a host that [`Frontier::next`] named.
    ///
    /// The link stays in the store, and in the counts, until [`Frontier::settled`].
    pub fn take(&mut self, host: HostId) -> Option<Entry> {
        let queue = self.queue(host);
        let (key, url) = match queue.first_lowered() {
            Some((key, url)) => {
                queue.lowered.remove(&key);
                self.lowered -= 1;
                (key, url)
            }
            None => queue.head.pop()?,
        };
        self.offer(host);
        Some(Entry { key, url })
    }

    /// Puts back a link that was taken and not fetched.
    pub fn put_back(&mut self, host: HostId, entry: Entry) {
        let capacity = self.head_capacity();
        self.queue(host).head.push(entry.key, entry.url, capacity);
        self.offer(host);
    }

    /// Lets a link that is queued already come sooner, as long as memory lasts: the store keeps it
    /// at its old place. The caller drops whichever of the two comes last.
    pub fn hasten(&mut self, host: HostId, entry: Entry) {
        self.put_back(host, entry);
    }

    /// Puts back a link further down than the store knows. Memory for such links is short: the one
    /// that would wait longest is handed back when it is full, to be told to the store and then
    /// [put back](Frontier::put_back).
    pub fn lower(&mut self, host: HostId, entry: Entry) -> Option<Entry> {
        let queue = self.queue(host);
        let is_new = queue.lowered.insert(entry.key, entry.url).is_none();
        self.lowered += usize::from(is_new);
        let spilled = if self.lowered > MOST_LOWERED { self.spill(host) } else { None };
        self.offer(host);
        spilled
    }

    /// Hands back a link that stands lower than the store knows; `None` when there is no more.
    pub fn spill_any(&mut self) -> Option<(HostId, Entry)> {
        let at = self.hosts.iter().position(|queue| !queue.lowered.is_empty())?;
        let host = HostId(u32::try_from(at).ok()?);
        let entry = self.spill(host)?;
        self.offer(host);
        Some((host, entry))
    }

    fn spill(&mut self, host: HostId) -> Option<Entry> {
        let (key, url) = self.queue(host).lowered.pop_last()?;
        self.lowered -= 1;
        Some(Entry { key, url })
    }

    /// What the best link of all hosts that may be contacted is worth.
    pub fn best_worth(&mut self, now: Timestamp) -> Option<Worth> {
        match self.next_host(now, None) {
            Next::Host(host) => self.hosts[host.0 as usize].offered.map(QueueKey::worth),
            _ => None,
        }
    }

    /// A link left its queue for good: the store has dropped its row.
    pub fn settled(&mut self, host: HostId) {
        let queue = self.queue(host);
        queue.queued = queue.queued.saturating_sub(1);
        self.queued = self.queued.saturating_sub(1);
    }

    /// The host must not be contacted before `until`.
    pub fn hold(&mut self, host: HostId, until: Timestamp) {
        self.queue(host).standing = Standing::Waiting(until);
        self.waiting.push(Reverse((until, host)));
    }

    /// The host must not be contacted until [`Frontier::release`] or [`Frontier::hold`].
    pub fn occupy(&mut self, host: HostId) {
        self.queue(host).standing = Standing::Busy;
    }

    /// The host may be contacted as far as the frontier is concerned.
    pub fn release(&mut self, host: HostId) {
        self.queue(host).standing = Standing::Ready;
        self.offer(host);
    }

    /// Takes in the stretch of a host's queue that [`Next::Refill`] asked for, best first.
    pub fn refilled_host(&mut self, host: HostId, stretch: &[Entry], has_more: bool) {
        let rest = stretch.last().filter(|_| has_more).map(|entry| entry.key.successor());
        let queue = self.queue(host);
        queue.head.refill(stretch.iter().map(|entry| (entry.key, entry.url)), rest);
        queue.offered = None;
        self.offer(host);
    }

    /// Takes in the scheduled visits that [`Next::Refill`] asked for, soonest first.
    pub fn refilled_later(&mut self, stretch: &[Due], has_more: bool) {
        self.later.refill(stretch, has_more);
    }

    /// Links in all queues.
    pub fn queued(&self) -> u64 {
        self.queued
    }

    /// Links in this host's queue.
    pub fn queued_of(&self, host: HostId) -> u64 {
        self.hosts.get(host.0 as usize).map_or(0, |queue| queue.queued)
    }

    /// Visits that have a time.
    pub fn scheduled(&self) -> u64 {
        self.scheduled
    }

    /// Counts the hosts with work by state. Walks all hosts: for status lines, not for every visit.
    pub fn census(&self) -> Census {
        let mut census = Census::default();
        for queue in self.hosts.iter().filter(|queue| queue.queued > 0) {
            census.with_work += 1;
            match queue.standing {
                Standing::Ready => census.ready += 1,
                Standing::Waiting(_) => census.waiting += 1,
                Standing::Busy => census.busy += 1,
            }
        }
        census
    }

    /// Moves the hosts whose time has come to `ready`.
    fn wake(&mut self, now: Timestamp) {
        while let Some(&Reverse((at, host))) = self.waiting.peek() {
            let is_current = self.hosts[host.0 as usize].standing == Standing::Waiting(at);
            if is_current && at > now {
                return;
            }
            self.waiting.pop();
            if is_current {
                self.release(host);
            }
        }
    }

    /// Makes a ready host stand in `ready` under its best key.
    fn offer(&mut self, host: HostId) {
        let queue = self.queue(host);
        if queue.standing != Standing::Ready {
            return;
        }
        let best = match queue.peek() {
            Peek::Best(key, _) | Peek::Dry(key) => Some(key),
            Peek::Empty => None,
        };
        if queue.offered == best {
            return;
        }
        queue.offered = best;
        if let Some(key) = best {
            self.ready.push((Reverse(key), host));
        }
        if self.ready.len() > STALE_ROWS + 4 * self.hosts.len() {
            self.drop_stale_offers();
        }
    }

    /// Drops the first row of `ready`; if it was the host's current one, the host has none now.
    fn drop_offer(&mut self, host: HostId, key: QueueKey) {
        self.ready.pop();
        let queue = self.queue(host);
        if queue.offered == Some(key) {
            queue.offered = None;
        }
    }

    /// A better link leaves the host's older row behind; this clears such rows before they pile up.
    fn drop_stale_offers(&mut self) {
        let hosts = &self.hosts;
        self.ready.retain(|(Reverse(key), host)| hosts[host.0 as usize].offered == Some(*key));
    }

    fn queue(&mut self, host: HostId) -> &mut HostQueue {
        let at = host.0 as usize;
        if at >= self.hosts.len() {
            self.hosts.resize_with(at + 1, HostQueue::new);
        }
        &mut self.hosts[at]
    }

    fn head_capacity(&self) -> usize {
        (HEAD_BUDGET / self.hosts.len().max(1)).clamp(HEAD_LEAST, HEAD_MOST)
    }
}

impl HostQueue {
    fn new() -> HostQueue {
        HostQueue {
            head: Head::new(),
            standing: Standing::Ready,
            offered: None,
            lowered: BTreeMap::new(),
            queued: 0,
        }
    }

    /// The best link, or where to read on.
    fn peek(&self) -> Peek<QueueKey, Fingerprint> {
        match self.first_lowered() {
            Some((key, url)) => Peek::Best(key, url),
            None => self.head.peek(),
        }
    }

    /// The best of the lowered links, if none that the store knows at its place is better.
    fn first_lowered(&self) -> Option<(QueueKey, Fingerprint)> {
        let (key, url) = self.lowered.first_key_value()?;
        let is_best = match self.head.peek() {
            Peek::Best(best, _) | Peek::Dry(best) => *key < best,
            Peek::Empty => true,
        };
        is_best.then_some((*key, *url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOW: Timestamp = Timestamp::from_secs(100);

    fn entry(worth: f32, sequence: u64) -> Entry {
        Entry { key: QueueKey::new(Worth::new(worth), sequence), url: Fingerprint(sequence) }
    }

    #[track_caller]
    fn take_next(frontier: &mut Frontier) -> u64 {
        match frontier.next(NOW) {
            Next::Host(host) => frontier.take(host).unwrap().key.sequence(),
            other => panic!("expected a host, got {other:?}"),
        }
    }

    #[test]
    fn the_best_link_of_all_ready_hosts_comes_first() {
        let mut frontier = Frontier::new();
        frontier.push(HostId(0), entry(0.1, 1));
        frontier.push(HostId(1), entry(0.9, 2));
        frontier.push(HostId(2), entry(0.5, 3));
        frontier.push(HostId(1), entry(0.2, 4));
        let order: Vec<_> = (0..4).map(|_| take_next(&mut frontier)).collect();
        assert_eq!(order, [2, 3, 4, 1]);
        assert_eq!(frontier.next(NOW), Next::Empty);
    }

    #[test]
    fn a_held_host_is_passed_over_until_its_time() {
        let mut frontier = Frontier::new();
        frontier.push(HostId(0), entry(0.9, 1));
        frontier.push(HostId(1), entry(0.1, 2));
        frontier.hold(HostId(0), Timestamp::from_secs(200));
        assert_eq!(take_next(&mut frontier), 2);
        assert_eq!(frontier.next(NOW), Next::Wait(Timestamp::from_secs(200)));
        assert_eq!(frontier.next(Timestamp::from_secs(200)), Next::Host(HostId(0)));
    }

    #[test]
    fn a_hastened_link_comes_sooner_and_its_old_place_stays() {
        let mut frontier = Frontier::new();
        frontier.push(HostId(0), entry(0.5, 1));
        frontier.push(HostId(0), entry(0.1, 2));
        frontier.hasten(HostId(0), entry(0.9, 2));
        assert_eq!(frontier.queued(), 2);
        assert_eq!(frontier.best_worth(NOW), Some(Worth::new(0.9)));
        let order: Vec<_> = (0..3).map(|_| take_next(&mut frontier)).collect();
        assert_eq!(order, [2, 1, 2]);
        assert_eq!(frontier.best_worth(NOW), None);
    }

    #[test]
    fn a_lowered_link_comes_at_its_new_place() {
        let mut frontier = Frontier::new();
        frontier.push(HostId(0), entry(0.9, 1));
        frontier.push(HostId(0), entry(0.5, 2));
        frontier.push(HostId(0), entry(0.1, 3));
        assert_eq!(take_next(&mut frontier), 1);
        assert_eq!(frontier.lower(HostId(0), entry(0.3, 1)), None);
        assert_eq!(frontier.best_worth(NOW), Some(Worth::new(0.5)));
        let order: Vec<_> = (0..3).map(|_| take_next(&mut frontier)).collect();
        assert_eq!(order, [2, 1, 3]);
        assert_eq!(frontier.spill_any(), None);
    }

    #[test]
    fn lowered_links_that_memory_has_no_room_for_are_handed_back() {
        let mut frontier = Frontier::new();
        let most = MOST_LOWERED as u64;
        for number in 0..most {
            assert_eq!(frontier.lower(HostId(number as u32 % 3), entry(0.5, number)), None);
        }
        let spilled = frontier.lower(HostId(1), entry(0.9, most)).unwrap();
        assert_eq!(spilled.key.worth(), Worth::new(0.5));
        assert_eq!(take_next(&mut frontier), most);
        let mut spilled = 0;
        while frontier.spill_any().is_some() {
            spilled += 1;
        }
        assert_eq!(spilled, most - 1);
        assert_eq!(frontier.next(NOW), Next::Empty);
    }

    #[test]
    fn an_occupied_host_comes_back_when_released() {
        let mut frontier = Frontier::new();
        frontier.push(HostId(0), entry(0.9, 1));
        frontier.occupy(HostId(0));
        assert_eq!(frontier.next(NOW), Next::Empty);
        frontier.release(HostId(0));
        assert_eq!(take_next(&mut frontier), 1);
    }

    #[test]
    fn a_scheduled_visit_comes_at_its_time_and_not_before() {
        let mut frontier = Frontier::new();
        let at = Timestamp::from_secs(150);
        let due = Due { at, url: Fingerprint(7), host: HostId(0), worth: Worth::new(0.5) };
        frontier.schedule(due);
        assert_eq!(frontier.next(NOW), Next::Wait(at));
        assert_eq!(frontier.next(at), Next::Due(due));
        assert_eq!(frontier.scheduled(), 0);
    }

    #[test]
    fn rows_of_hosts_whose_best_link_keeps_rising_do_not_pile_up() {
        let mut frontier = Frontier::new();
        for n in 0..100_000_u64 {
            frontier.push(HostId(0), entry(n as f32, n));
        }
        assert!(frontier.ready.len() <= STALE_ROWS + 8);
        assert_eq!(take_next(&mut frontier), 99_999);
    }

    proptest! {
        /// With the store behind it, the frontier yields every link once, in order of worth.
        #[test]
        fn every_link_comes_out_once_and_the_best_first(
            links in prop::collection::vec((0_u32..5, 0.0_f32..1.0), 1..900),
        ) {
            let mut frontier = Frontier::new();
            let mut store: BTreeMap<(u32, QueueKey), Fingerprint> = BTreeMap::new();
            for (n, (host, worth)) in links.iter().enumerate() {
                let entry = entry(*worth, n as u64);
                store.insert((*host, entry.key), entry.url);
                frontier.push(HostId(*host), entry);
            }
            let mut taken = Vec::new();
            while taken.len() < links.len() {
                match frontier.next(NOW) {
                    Next::Host(host) => {
                        let entry = frontier.take(host).unwrap();
                        store.remove(&(host.0, entry.key));
                        frontier.settled(host);
                        taken.push(entry.key);
                    }
                    Next::Refill(Refill::Host(host, from, want)) => {
                        let mut rows = store
                            .range((host.0, from)..)
                            .take_while(|((h, _), _)| *h == host.0)
                            .map(|((_, key), url)| Entry { key: *key, url: *url });
                        let stretch: Vec<_> = rows.by_ref().take(want).collect();
                        let has_more = rows.next().is_some();
                        frontier.refilled_host(host, &stretch, has_more);
                    }
                    other => prop_assert!(false, "unexpected {other:?}"),
                }
            }
            prop_assert!(taken.is_sorted());
            prop_assert_eq!(frontier.queued(), 0);
            prop_assert_eq!(frontier.next(NOW), Next::Empty);
        }
    }
}
