//! Pages that are alike: groups, their hosts, and all of them together.
//!
//! A page nothing is known of is taken to be like its group, a group like its host, a host like
//! all others (empirical Bayes). What each learned is a mean over its pages, weighed by the time
//! that a visit looked back on: else pages visited often would speak for all.

use std::collections::HashMap;

use gannet_model::HostId;
use serde::{Deserialize, Serialize};

use super::pages::{NOWHERE, Pages, Teller};
use super::trust::{Silence, Tally, Trust};
use crate::policy::PageNumber;
use crate::posterior::Posterior;

/// The mean of rates and of their logarithms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Average {
    /// Days that it is made of.
    days: f32,
    /// The mean rate.
    rate: f32,
    /// The mean logarithm of the rate.
    ln: f32,
    /// Visits that it is made of.
    visits: f32,
}

/// A mean of rates and one of their logarithms: what a prior is fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Means {
    rate: f64,
    ln: f64,
}

/// Days for which a visit counts, for each page.
const REMEMBERED_DAYS: f32 = 365.0;

impl Average {
    fn learn(&mut self, known: &Posterior, days: f64, pages: u32) {
        let days = days as f32;
        self.days = (self.days + days).min(REMEMBERED_DAYS * pages.max(1) as f32);
        self.visits += 1.0;
        let share = (days / self.days.max(f32::MIN_POSITIVE)).min(1.0);
        self.rate += share * (known.mean() as f32 - self.rate);
        self.ln += share * (known.mean_ln() as f32 - self.ln);
    }

    /// These means, with the elders' opinion counted as that of so many pages. One page does not
    /// count: it is the one that is asked for, and must not be its own witness.
    fn with(&self, elders: Means, opinion: f64, pages: u32) -> Means {
        let own = (f64::from(self.visits).min(f64::from(pages)) - 1.0).max(0.0);
        let blend =
            |mine: f32, theirs: f64| (f64::from(mine) * own + theirs * opinion) / (own + opinion);
        Means { rate: blend(self.rate, elders.rate), ln: blend(self.ln, elders.ln) }
    }
}

/// The first opinion counts as so many pages among all, all as so many in a host, the host as so
/// many in a group.
const FIRST_OPINION: f64 = 20.0;
const ALL_OPINION: f64 = 10.0;
const HOST_OPINION: f64 = 4.0;
/// The shape of the first opinion: rates differ a hundredfold from page to page.
const FIRST_SHAPE: f64 = 0.4;
/// Pages in a group, about: for the room they take.
const USUAL_MEMBERS: usize = 16;
/// Pages in a group at most; more begin another of the same name. What is done for all pages of a
/// group must not take long.
const MOST_MEMBERS: u32 = 4096;

/// A group.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Group {
    /// Its host, as a place in the table of hosts.
    pub(super) host: u32,
    /// The page from which its neighbours are told next; [`NOWHERE`] when it is empty.
    pub(super) first: u32,
    /// Its pages.
    pub(super) members: u32,
    average: Average,
    /// What a change on one page says of the others.
    pub(super) neighbours: Tally,
}

/// A host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Host {
    average: Average,
    members: u32,
    /// How far sitemaps, feeds, people and neighbours are believed.
    pub(super) tellers: [Trust; 4],
    /// How far its rates are wrong in general: that is nobody's merit.
    pub(super) general: Trust,
    /// What it means that they say nothing.
    pub(super) silence: Silence,
    /// Dates of change that were borne out, and that were not.
    pub(super) dates: (f32, f32),
    /// How much later than planned its pages are visited.
    pub(super) lateness: f32,
    /// What a visit costs here beyond the price, as a logarithm.
    pub(super) surcharge: f32,
}

/// The first opinion of each teller: sitemaps, feeds, people, neighbours.
const FIRST_TRUST: [f64; 4] = [0.3, 0.5, 0.8, 0.2];

/// All groups and hosts.
#[derive(Debug)]
pub(super) struct Kin {
    pub(super) groups: Vec<Group>,
    pub(super) hosts: Vec<Host>,
    /// The group of each name that takes new pages. Half of a name is enough: that two of a million
    /// groups are taken for one does no harm.
    group_names: HashMap<u32, u32>,
    host_numbers: HashMap<u32, u32>,
    all: Average,
    members: u32,
    first: Means,
    /// How far tellers are believed on hosts that they are new on.
    pub(super) tellers: [Trust; 4],
}

impl Kin {
    pub(super) fn new(first_rate: f64) -> Kin {
        let first = Posterior { a: FIRST_SHAPE, b: FIRST_SHAPE / first_rate };
        Kin {
            groups: Vec::new(),
            hosts: Vec::new(),
            group_names: HashMap::new(),
            host_numbers: HashMap::new(),
            all: Average::default(),
            members: 0,
            first: Means { rate: first.mean(), ln: first.mean_ln() },
            tellers: Default::default(),
        }
    }

    /// Makes room for the groups of so many pages.
    pub(super) fn expect(&mut self, pages: usize) {
        let groups = pages / USUAL_MEMBERS;
        self.groups.reserve_exact(groups.saturating_sub(self.groups.len()));
        self.group_names.reserve(groups.saturating_sub(self.group_names.len()));
    }

    /// The chance that what a teller says on a host is a change, above what is found on any visit.
    pub(super) fn believes(&self, host: u32, teller: Teller) -> f64 {
        let host = &self.hosts[host as usize];
        let elder = self.tellers[teller.index()].chance(FIRST_TRUST[teller.index()]);
        let chance = host.tellers[teller.index()].chance(elder);
        let general = host.general.excess();
        ((chance - general) / (1.0 - general)).max(0.0)
    }

    /// The group that a page of this name joins.
    pub(super) fn group(&mut self, name: u64, host: HostId) -> u32 {
        let name = (name ^ name >> 32) as u32;
        let known = self.group_names.get(&name).copied();
        if let Some(group) = known
            && self.groups[group as usize].members < MOST_MEMBERS
        {
            return group;
        }
        let hosts = &mut self.hosts;
        let host = *self.host_numbers.entry(host.0).or_insert_with(|| {
            hosts.push(Host::default());
            hosts.len() as u32 - 1
        });
        let group = self.groups.len() as u32;
        let (average, neighbours) = known
            .map(|known| self.groups[known as usize])
            .map_or_else(Default::default, |elder| (elder.average, elder.neighbours));
        self.groups.push(Group { host, first: NOWHERE, members: 0, average, neighbours });
        self.group_names.insert(name, group);
        group
    }

    /// What is known of a page of the group before its first visit.
    pub(super) fn prior(&self, group: u32) -> Posterior {
        let group = &self.groups[group as usize];
        let host = &self.hosts[group.host as usize];
        let all = self.all.with(self.first, FIRST_OPINION, self.members);
        let of_host = host.average.with(all, ALL_OPINION, host.members);
        let means = group.average.with(of_host, HOST_OPINION, group.members);
        Posterior::fit(means.rate, means.ln)
    }

    /// Learns what is known of a page by now, after a visit that looked back on so many days.
    pub(super) fn learn(&mut self, group: u32, known: &Posterior, days: f64) {
        let group = &mut self.groups[group as usize];
        let host = &mut self.hosts[group.host as usize];
        group.average.learn(known, days, group.members);
        host.average.learn(known, days, host.members);
        self.all.learn(known, days, self.members);
    }

    /// Puts a page, which is in the table, into the ring of its group.
    pub(super) fn join(&mut self, pages: &mut Pages, number: PageNumber) {
        let Some(page) = pages.get(number).copied() else {
            return;
        };
        let group = &mut self.groups[page.group as usize];
        let after = pages.get(PageNumber(group.first)).map(|first| first.next);
        if let Some(first) = pages.get_mut(PageNumber(group.first)) {
            first.next = number.0;
        }
        if let Some(page) = pages.get_mut(number) {
            page.next = after.unwrap_or(number.0);
        }
        if after.is_none() {
            group.first = number.0;
        }
        group.members += 1;
        self.hosts[group.host as usize].members += 1;
        self.members += 1;
    }

    /// Takes a page out of the ring of its group.
    pub(super) fn leave(&mut self, pages: &mut Pages, number: PageNumber) {
        let Some(page) = pages.get(number).copied() else {
            return;
        };
        let group = &mut self.groups[page.group as usize];
        let mut before = group.first;
        for _ in 0..group.members {
            match pages.get_mut(PageNumber(before)) {
                Some(one) if one.next == number.0 => {
                    one.next = page.next;
                    break;
                }
                Some(one) => before = one.next,
                None => break,
            }
        }
        if group.first == number.0 {
            group.first = if page.next == number.0 { NOWHERE } else { page.next };
        }
        group.members = group.members.saturating_sub(1);
        let host = &mut self.hosts[group.host as usize];
        host.members = host.members.saturating_sub(1);
        self.members = self.members.saturating_sub(1);
    }

    /// What is kept with the crawl. Rings and numbers of members are made anew.
    pub(super) fn keep(&self) -> Kept {
        let mut names: Vec<(u32, u32)> =
            self.group_names.iter().map(|(name, group)| (*name, *group)).collect();
        names.sort_unstable();
        let mut hosts: Vec<(u32, u32)> =
            self.host_numbers.iter().map(|(host, place)| (*host, *place)).collect();
        hosts.sort_unstable();
        Kept {
            groups: self.groups.clone(),
            hosts: self.hosts.clone(),
            names,
            numbers: hosts,
            all: self.all,
            tellers: self.tellers,
        }
    }

    /// Takes up what was kept; `false` when it does not hold together.
    pub(super) fn restore(&mut self, kept: Kept) -> bool {
        let has_group = |place: u32| (place as usize) < kept.groups.len();
        let has_host = |place: u32| (place as usize) < kept.hosts.len();
        let is_whole = kept.names.iter().all(|(_, group)| has_group(*group))
            && kept.numbers.iter().all(|(_, host)| has_host(*host))
            && kept.groups.iter().all(|group| has_host(group.host));
        if !is_whole {
            return false;
        }
        let empty = |group: Group| Group { first: NOWHERE, members: 0, ..group };
        self.groups = kept.groups.into_iter().map(empty).collect();
        let alone = |host: Host| Host { members: 0, ..host };
        self.hosts = kept.hosts.into_iter().map(alone).collect();
        self.group_names = kept.names.into_iter().collect();
        self.host_numbers = kept.numbers.into_iter().collect();
        (self.all, self.tellers) = (kept.all, kept.tellers);
        self.members = 0;
        true
    }
}

/// What is kept of groups and hosts with the crawl.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    groups: Vec<Group>,
    hosts: Vec<Host>,
    names: Vec<(u32, u32)>,
    numbers: Vec<(u32, u32)>,
    all: Average,
    tellers: [Trust; 4],
}

#[cfg(test)]
mod tests {
    use super::super::pages::Page;
    use super::*;

    fn ring(kin: &Kin, pages: &Pages, group: u32) -> Vec<u32> {
        let Group { first, members, .. } = kin.groups[group as usize];
        let mut at = first;
        let mut found = Vec::new();
        for _ in 0..members {
            found.push(at);
            at = pages.get(PageNumber(at)).unwrap().next;
        }
        assert_eq!(at, first, "a ring");
        found.sort_unstable();
        found
    }

    #[test]
    fn pages_join_and_leave_the_ring_of_their_group() {
        let mut kin = Kin::new(0.05);
        let mut pages = Pages::default();
        let group = kin.group(7, HostId(3));
        for number in 0..5 {
            pages.put(PageNumber(number), Page::new(0, 1.0, group));
            kin.join(&mut pages, PageNumber(number));
        }
        assert_eq!(ring(&kin, &pages, group), [0, 1, 2, 3, 4]);
        for number in [0, 3, 4] {
            kin.leave(&mut pages, PageNumber(number));
            pages.remove(PageNumber(number));
        }
        assert_eq!(ring(&kin, &pages, group), [1, 2]);
        for number in [1, 2] {
            kin.leave(&mut pages, PageNumber(number));
            pages.remove(PageNumber(number));
        }
        assert_eq!(kin.groups[group as usize].first, NOWHERE);
    }

    #[test]
    fn a_new_page_is_taken_to_be_as_its_group_is() {
        let mut kin = Kin::new(0.05);
        let mut pages = Pages::default();
        let (fast, slow) = (kin.group(1, HostId(0)), kin.group(2, HostId(0)));
        let before = kin.prior(fast);
        assert!((before.mean() - 0.05).abs() < 1e-6);
        for number in 0..100 {
            let group = if number < 50 { fast } else { slow };
            pages.put(PageNumber(number), Page::new(0, 1.0, group));
            kin.join(&mut pages, PageNumber(number));
        }
        for _ in 0..50 {
            kin.learn(fast, &Posterior { a: 20.0, b: 10.0 }, 1.0);
            kin.learn(slow, &Posterior { a: 2.0, b: 200.0 }, 1.0);
        }
        assert!(kin.prior(fast).mean() > 1.0, "{:?}", kin.prior(fast));
        assert!(kin.prior(slow).mean() < 0.3, "{:?}", kin.prior(slow));
        let elsewhere = kin.group(3, HostId(1));
        assert!(kin.prior(elsewhere).mean() > 0.3, "as all pages are");
    }

    #[test]
    fn a_full_group_is_followed_by_another() {
        let mut kin = Kin::new(0.05);
        let group = kin.group(7, HostId(3));
        kin.groups[group as usize].members = MOST_MEMBERS;
        assert_ne!(kin.group(7, HostId(3)), group);
        assert_eq!(kin.hosts.len(), 1);
    }
}
