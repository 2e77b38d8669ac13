//! When pages change, are born and vanish.
//!
//! The version of a page is a function of time: no history is kept. Time is cut
//! into stretches in which a page changes exactly eight times, at independent
//! moments. Given their number, the moments of a Poisson process are spread in
//! just that way, so waiting times look like those of real pages, while the
//! version at any moment costs a few draws.

use serde::{Deserialize, Serialize};

use crate::draw::{Draw, Purpose};
use crate::layout::PageId;
use crate::spec::ChangeMix;

const SECOND: u64 = 1_000_000;
const DAY: u64 = 86_400 * SECOND;
/// Births and deaths are spread over this long after the epoch.
const LIFETIME_WINDOW: u64 = 730 * DAY;
/// How many changes fall into one stretch of time.
const STRETCH: u64 = 8;

/// How often a page changes on average.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// Never.
    Never,
    /// About once in 365 days.
    Yearly,
    /// About once in 30 days.
    Monthly,
    /// About once in 7 days.
    Weekly,
    /// About once a day.
    Daily,
    /// About once an hour.
    Hourly,
}

impl Pace {
    /// The mean time between changes in microseconds; none if it never changes.
    pub fn interval(self) -> Option<u64> {
        match self {
            Pace::Never => None,
            Pace::Yearly => Some(365 * DAY),
            Pace::Monthly => Some(30 * DAY),
            Pace::Weekly => Some(7 * DAY),
            Pace::Daily => Some(DAY),
            Pace::Hourly => Some(DAY / 24),
        }
    }
}

/// The version of a page at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// How many changes happened since the epoch of the web.
    pub number: u64,
    /// When the last of them happened: the epoch if none did.
    pub since: u64,
}

/// Whether a page is there at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Not yet: its URL answers 404.
    Unborn,
    /// There.
    Alive,
    /// No longer: its URL answers 404 or 410.
    Vanished,
}

/// How often a page changes.
pub(crate) fn pace(seed: u64, mix: &ChangeMix, page: PageId) -> Pace {
    let mut left = Draw::new(seed, Purpose::Change, u64::from(page.host), page.page).fraction();
    let classes = [
        (mix.yearly, Pace::Yearly),
        (mix.monthly, Pace::Monthly),
        (mix.weekly, Pace::Weekly),
        (mix.daily, Pace::Daily),
        (mix.hourly, Pace::Hourly),
    ];
    for (share, pace) in classes {
        if left < share {
            return pace;
        }
        left -= share;
    }
    Pace::Never
}

/// The version of a page at `at`.
pub(crate) fn version(seed: u64, mix: &ChangeMix, page: PageId, at: u64) -> Version {
    let first = Version { number: 0, since: mix.epoch };
    let (Some(interval), Some(age)) = (pace(seed, mix, page).interval(), at.checked_sub(mix.epoch))
    else {
        return first;
    };
    let length = interval * STRETCH;
    let stretch = age / length;
    let passed = moments(seed, page, stretch, length).filter(|&moment| moment <= age);
    let (count, last) = passed.fold((0, 0), |(count, last), moment| (count + 1, moment.max(last)));
    if count > 0 {
        return Version { number: stretch * STRETCH + count, since: mix.epoch + last };
    }
    let Some(before) = stretch.checked_sub(1) else { return first };
    let last = moments(seed, page, before, length).max().unwrap_or(0);
    Version { number: stretch * STRETCH, since: mix.epoch + last }
}

/// The moments of change in one stretch, as ages of the web, in no order.
fn moments(seed: u64, page: PageId, stretch: u64, length: u64) -> impl Iterator<Item = u64> {
    let name = u64::from(page.host) << 40 ^ page.page;
    let mut draw = Draw::new(seed, Purpose::Touch, name, stretch);
    (0..STRETCH).map(move |_| stretch * length + draw.below(length))
}

/// When a page is born and when it vanishes, as far as it does.
pub(crate) fn lifetime(seed: u64, mix: &ChangeMix, page: PageId) -> (Option<u64>, Option<u64>) {
    // Index pages hold the web together, so they stay.
    if page.offset() == 0 || (mix.born_later <= 0.0 && mix.vanishing <= 0.0) {
        return (None, None);
    }
    let mut draw = Draw::new(seed, Purpose::Life, u64::from(page.host), page.page);
    let fate = draw.fraction();
    let moment = mix.epoch + draw.below(LIFETIME_WINDOW);
    if fate < mix.born_later {
        (Some(moment), None)
    } else if fate < mix.born_later + mix.vanishing {
        (None, Some(moment))
    } else {
        (None, None)
    }
}

/// Whether a page is there at `at`.
pub(crate) fn life(seed: u64, mix: &ChangeMix, page: PageId, at: u64) -> Life {
    match lifetime(seed, mix, page) {
        (Some(birth), _) if at < birth => Life::Unborn,
        (_, Some(death)) if at >= death => Life::Vanished,
        _ => Life::Alive,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    fn page(number: u64) -> PageId {
        PageId { host: 1, page: number }
    }

    #[test]
    fn versions_never_go_back() {
        let mix = ChangeMix { daily: 1.0, ..ChangeMix::default() };
        let mut before = version(1, &mix, page(3), 0);
        for hour in 0..24 * 60 {
            let at = mix.epoch + hour * DAY / 24;
            let now = version(1, &mix, page(3), at);
            assert!(now.number >= before.number && now.since >= before.since);
            assert!(now.since <= at);
            assert_eq!(now.number == before.number, now.since == before.since);
            before = now;
        }
        assert!((52..=68).contains(&before.number), "{before:?}");
    }

    #[test]
    fn waiting_times_scatter_like_a_poisson_process() {
        let mix = ChangeMix { daily: 1.0, ..ChangeMix::default() };
        let quiet = (0..2_000)
            .filter(|&number| {
                let start = mix.epoch + 100 * DAY;
                let before = version(1, &mix, page(number), start).number;
                version(1, &mix, page(number), start + DAY).number == before
            })
            .count();
        // e^-1 of the days are quiet.
        assert!((640..830).contains(&quiet), "{quiet}");
    }

    #[test]
    fn a_page_that_never_changes_stays_at_version_zero() {
        let mix = ChangeMix::default();
        assert_eq!(version(1, &mix, page(3), u64::MAX / 2).number, 0);
    }

    #[test]
    fn shares_of_paces_are_met() {
        let mix = Spec::demo().change;
        let daily = (0..10_000).filter(|&n| pace(1, &mix, page(n)) == Pace::Daily).count();
        assert!((650..950).contains(&daily), "{daily}");
    }

    #[test]
    fn pages_are_born_and_vanish_once() {
        let mix = ChangeMix { born_later: 0.5, vanishing: 0.5, ..ChangeMix::default() };
        for number in 1..24 {
            let (birth, death) = lifetime(1, &mix, page(number));
            assert!(birth.is_some() != death.is_some());
            if let Some(birth) = birth {
                assert_eq!(life(1, &mix, page(number), birth - 1), Life::Unborn);
                assert_eq!(life(1, &mix, page(number), birth), Life::Alive);
            }
            if let Some(death) = death {
                assert_eq!(life(1, &mix, page(number), death - 1), Life::Alive);
                assert_eq!(life(1, &mix, page(number), death), Life::Vanished);
            }
        }
    }
}
