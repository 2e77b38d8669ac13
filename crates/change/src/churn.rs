//! Places of a site's template that change at almost every visit: dates, counters, offers, tokens.
//!
//! What one page of a site has taught holds for the others: a place is told by the passage in front
//! of it and by its own text without digits. Two pages must agree.

use gannet_model::spread;
use serde::{Deserialize, Serialize};

use crate::look::Passage;

/// What is known of a site's volatile places.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Churn {
    /// Signs of places, each with how many pages have told it; the newest last.
    places: Vec<(u32, u16)>,
    /// Texts that took the place of other pages, each with how many.
    stand_ins: Vec<(u32, u16)>,
}

/// Signs remembered for a site; the oldest are forgotten.
const MOST_PLACES: usize = 512;
/// Pages that must agree.
const AGREEING: u16 = 2;

/// Such texts remembered for a site.
const MOST_STAND_INS: usize = 32;

/// What tells a place on other pages of its site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signs([u32; 2]);

impl Signs {
    /// Of the passage at this place.
    pub(crate) fn of(passages: &[Passage], at: usize) -> Signs {
        let before = at.checked_sub(1).and_then(|at| passages.get(at));
        let behind = before.map_or(0, |before| before.text);
        let masked = passages.get(at).map_or(0, |passage| passage.masked);
        Signs([sign(1, behind), sign(2, masked)])
    }
}

fn sign(kind: u64, mark: u32) -> u32 {
    spread(kind << 32 | u64::from(mark)) as u32
}

impl Churn {
    /// A page has shown that places with these signs are volatile.
    pub(crate) fn learn(&mut self, signs: Signs) {
        for sign in signs.0 {
            count(&mut self.places, sign, MOST_PLACES);
        }
    }

    /// A page has become another; true when an earlier one of the site became the same.
    pub(crate) fn meet_stand_in(&mut self, text: u64) -> bool {
        count(&mut self.stand_ins, text as u32, MOST_STAND_INS) >= AGREEING
    }

    /// Whether pages of the site agree that such a place is volatile.
    pub(crate) fn knows(&self, signs: Signs) -> bool {
        let told = |sign: &u32| {
            self.places.iter().any(|(other, pages)| other == sign && *pages >= AGREEING)
        };
        signs.0.iter().any(told)
    }

    /// As it is stored.
    pub fn to_bytes(&self) -> Vec<u8> {
        postcard::to_extend(self, vec![FORMAT]).unwrap_or_default()
    }

    /// As it was stored; `None` for what cannot be read.
    pub fn from_bytes(bytes: &[u8]) -> Option<Churn> {
        let (&FORMAT, body) = bytes.split_first()? else { return None };
        postcard::from_bytes(body).ok()
    }
}

/// Counts a number among those remembered; on how many pages it was found by now.
fn count(numbers: &mut Vec<(u32, u16)>, number: u32, most: usize) -> u16 {
    if let Some((_, pages)) = numbers.iter_mut().find(|(other, _)| *other == number) {
        *pages = pages.saturating_add(1);
        return *pages;
    }
    if numbers.len() >= most {
        numbers.remove(0);
    }
    numbers.push((number, 1));
    1
}

/// The first byte of what is stored.
const FORMAT: u8 = 1;
