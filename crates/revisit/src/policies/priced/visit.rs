//! What a visit teaches: of the page, of its kin, of those who told of it, and of its neighbours.

use gannet_model::Timestamp;

use super::pages::{Page, Teller};
use super::{Priced, seconds};
use crate::policy::{PageNumber, Saw, Visit};
use crate::posterior::{Posterior, memory_days};
use crate::span::{HOUR, SECONDS_PER_DAY, later};

/// A page that could not be had is tried again after this share of its wait.
const RETRY_SHARE: f64 = 0.25;
/// Neighbours that a change is told to, at most.
const MOST_NEIGHBOURS: u32 = 256;
/// Where it has meant nothing, only some are watched: it may come to mean something.
const FEW_NEIGHBOURS: u32 = 32;
/// What a neighbour's change holds at least for a page that was told of it.
const LEAST_SHARE: f64 = 0.05;
/// Dates that must have been borne out before they are used, and for each that was not.
const DATES_TO_TRUST: f32 = 3.0;
const GOOD_FOR_BAD: f32 = 9.0;
/// What a new date leaves of the earlier ones.
const DATES_REMEMBERED: f32 = 0.98;
/// A page said to have changed within this share of the wait was said so at every visit.
const JUST_NOW: f64 = 0.002;
/// What a new visit leaves of the lateness before.
const LATENESS_REMEMBERED: f32 = 0.95;
/// A host later than all by this much, as a logarithm, is too slow for its pages.
const TOO_LATE: f32 = 0.1;
/// How fast its surcharge rises then, and what is left of it after a visit otherwise.
const SURCHARGE_STEP: f32 = 0.05;
const SURCHARGE_LEFT: f32 = 0.99;
/// Worth grows with the square of time at first, then with time: its logarithm, less this factor, is
/// that of time.
const TIME_FOR_WORTH: f32 = 0.6;
/// No surcharge is larger, as a logarithm.
const MOST_SURCHARGE: f32 = 12.0;

/// What was known of a page before a visit that looks back on so many days.
#[derive(Clone, Copy)]
struct Past {
    prior: Posterior,
    known: Posterior,
    days: f64,
}

/// A change that was found.
#[derive(Clone, Copy)]
struct Change {
    /// It happened within so many days before.
    days: f64,
    /// How often the page changes, as far as was known before.
    rate: f64,
    /// When it was found, in seconds since 1970.
    now: u32,
}

impl Priced {
    /// Learns all that a visit teaches; tells when the page is due again.
    pub(super) fn learn_visit(&mut self, number: PageNumber, visit: &Visit) -> Timestamp {
        let Some(&page) = self.pages.get(number) else {
            return Timestamp::NEVER;
        };
        if visit.saw == Saw::Failed {
            let wait = self.wait(number, &page, self.price.ln()) * RETRY_SHARE;
            return later(visit.at, wait.max(self.config.min_gap).max(HOUR));
        }
        let now = seconds(visit.at);
        let days = f64::from(now.saturating_sub(page.last)) / SECONDS_PER_DAY;
        let is_changed = visit.saw == Saw::Changed;
        let prior = self.kin.prior(page.group);
        let known = page.with(prior);
        self.learn_lateness(number, &page, known, days);
        self.learn_tellers(&page, known, days, is_changed);
        self.learn_bytes(visit.bytes);
        let quiet = self.quiet_days(&page, visit, days);
        let before = Past { prior, known, days };
        let page = self.learn_rate(page, &before, is_changed, quiet);
        self.hubs.learn(number, visit.new_links, days);
        let page = self.turn(number, page, now, visit);
        if is_changed && self.config.neighbours {
            self.tell_neighbours(number, &page, Change { days, rate: known.mean(), now });
        }
        self.due(number, &page)
    }

    /// Begins the page's next wait.
    fn turn(&mut self, number: PageNumber, mut page: Page, now: u32, visit: &Visit) -> Page {
        page.last = now;
        page.suspicion = super::Suspicion::NONE;
        page.marks.clear();
        if visit.saw == Saw::Changed && visit.bytes > 0 {
            page.marks.set_bytes(visit.bytes);
        }
        if let Some(known) = self.pages.get_mut(number) {
            *known = page;
        }
        page
    }

    /// Forgets a little, then learns whether the page changed.
    fn learn_rate(
        &mut self,
        page: Page,
        past: &Past,
        is_changed: bool,
        quiet: Option<f64>,
    ) -> Page {
        let Past { prior, known, days } = *past;
        let kept = (-days / memory_days(known.mean())).exp() as f32;
        let before = Page { a: page.a * kept, b: page.b * kept, ..page }.with(prior);
        let known = match (is_changed, quiet) {
            (false, _) => before.unchanged(days),
            (true, Some(quiet)) => before.changed_last(quiet),
            (true, None) => before.changed(days),
        };
        self.kin.learn(page.group, &known, days);
        Page {
            a: (known.a - prior.a).max(0.0) as f32,
            b: (known.b - prior.b).max(0.0) as f32,
            ..page
        }
    }

    /// How long ago the server says that the page changed, where its dates have proved right.
    fn quiet_days(&mut self, page: &Page, visit: &Visit, days: f64) -> Option<f64> {
        let modified = visit.modified?;
        let host = self.kin.groups[page.group as usize].host;
        let dates = &mut self.kin.hosts[host as usize].dates;
        let quiet = visit.at.since(modified).as_secs_f64() / SECONDS_PER_DAY;
        let is_since = quiet < days;
        let is_just_now = quiet <= days * JUST_NOW;
        let is_borne_out = match visit.saw {
            Saw::Changed => is_since && !is_just_now,
            Saw::Same => !is_since,
            // Bytes that nobody reads may well have a date of their own.
            Saw::Noise | Saw::Failed => return None,
        };
        *dates = (dates.0 * DATES_REMEMBERED, dates.1 * DATES_REMEMBERED);
        match is_borne_out {
            true => dates.0 += 1.0,
            false => dates.1 += 1.0,
        }
        let is_trusted = dates.0 >= DATES_TO_TRUST && dates.0 >= dates.1 * GOOD_FOR_BAD;
        (is_trusted && is_since).then_some(quiet)
    }

    /// Learns how far to believe those who told of the page, or what their silence means.
    fn learn_tellers(&mut self, page: &Page, known: Posterior, days: f64, is_changed: bool) {
        let fresh = known.fresh(days);
        let place = self.kin.groups[page.group as usize].host as usize;
        let host = &mut self.kin.hosts[place];
        host.general.learn(fresh, !is_changed, 1.0);
        if !page.marks.is_said() {
            if page.marks.is_listed() {
                host.silence.learn(1.0 - fresh, is_changed);
            }
            return;
        }
        let expected = self.untold(page, known).fresh(days);
        let full = self.neighbour_chance(page.group);
        let group = &mut self.kin.groups[page.group as usize];
        let host = &mut self.kin.hosts[place];
        for teller in Teller::ALL.into_iter().filter(|teller| page.marks.has(*teller)) {
            let mut share = 1.0;
            if teller == Teller::Neighbour {
                share = (page.suspicion.chance() / full.max(LEAST_SHARE)).clamp(LEAST_SHARE, 1.0);
                group.neighbours.learn(expected, !is_changed, share);
            }
            host.tellers[teller.index()].learn(expected, !is_changed, share);
            self.kin.tellers[teller.index()].learn(expected, !is_changed, share);
        }
    }

    /// Tells the pages of the same group that this one changed.
    ///
    /// Two pages change together no more often than either of them changes. So of the changes of
    /// a page that changes more often than its neighbour, at most the ratio of their rates can be
    /// the neighbour's as well.
    fn tell_neighbours(&mut self, number: PageNumber, page: &Page, change: Change) {
        let group = self.kin.groups[page.group as usize];
        let chance = self.neighbour_chance(page.group);
        let prior = self.kin.prior(page.group);
        let now = Timestamp::from_secs(change.now.into());
        let mut at = PageNumber(group.first);
        let most = if chance > 0.0 { MOST_NEIGHBOURS } else { FEW_NEIGHBOURS };
        for _ in 0..group.members.min(most) {
            let Some(other) = self.pages.get_mut(at) else {
                break;
            };
            let (told, next) = (at, PageNumber(other.next));
            at = next;
            let since = f64::from(change.now.saturating_sub(other.last)) / SECONDS_PER_DAY;
            if told == number || since <= 0.0 {
                continue;
            }
            let known = other.with(prior);
            let share = (known.mean() / change.rate).min(1.0) * (since / change.days).min(1.0);
            let suspicion = other.suspicion.or(chance * share);
            other.marks.add(Teller::Neighbour);
            if suspicion != other.suspicion {
                other.suspicion = suspicion;
                let other = *other;
                self.moved.push((told, self.due_knowing(told, &other, known).max(now)));
            }
        }
        // Only large groups are told in turn: after a restart every ring begins at its beginning.
        if group.members > MOST_NEIGHBOURS && chance > 0.0 {
            self.kin.groups[page.group as usize].first = at.0;
        }
    }

    /// The chance that a change on one page of a group means one on another.
    fn neighbour_chance(&self, group: u32) -> f64 {
        let group = &self.kin.groups[group as usize];
        let elder = self.kin.believes(group.host, Teller::Neighbour);
        group.neighbours.chance(elder)
    }

    /// Learns how much later than planned the host's pages are visited, and makes them dearer
    /// where it cannot be asked as often as all others can.
    fn learn_lateness(&mut self, number: PageNumber, page: &Page, known: Posterior, days: f64) {
        let worth =
            if page.suspicion.is_none() { self.worth(number, page, known, days) } else { None };
        let Some(worth) = worth else {
            return;
        };
        // What a page that came late is worth above the price tells how late.
        let late = ((worth - self.price.ln()) as f32 * TIME_FOR_WORTH).clamp(-1.0, 1.0);
        let fade = |before: f32| before * LATENESS_REMEMBERED + late * (1.0 - LATENESS_REMEMBERED);
        self.lateness = fade(self.lateness);
        let group = self.kin.groups[page.group as usize];
        let host = &mut self.kin.hosts[group.host as usize];
        host.lateness = fade(host.lateness);
        let excess = host.lateness - self.lateness.max(0.0) - TOO_LATE;
        host.surcharge = if excess > 0.0 {
            (host.surcharge + SURCHARGE_STEP * excess).min(MOST_SURCHARGE)
        } else {
            host.surcharge * SURCHARGE_LEFT
        };
    }

    /// Learns what visits cost in bytes.
    fn learn_bytes(&mut self, bytes: u64) {
        const REMEMBERED: f64 = 0.999;
        let bytes = bytes as f64 + super::BYTES_OF_304;
        self.mean_bytes = match self.mean_bytes {
            0.0 => bytes,
            mean => mean * REMEMBERED + bytes * (1.0 - REMEMBERED),
        };
    }
}
