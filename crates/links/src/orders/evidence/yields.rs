//! What came of links from there before? Shares of relevant pages, each drawn towards a wider one.
//!
//! A directory's share is drawn towards that of the directory above, that of
//! the host, and that of the whole crawl, as if three pages of the wider kind had
//! been seen in it: what was never seen inherits, and a host that brings nothing
//! loses its worth by itself.

use gannet_model::{HostId, PageUrl};
use serde::{Deserialize, Serialize};

use super::regression::{Feature, Field};
use super::way::Way;
use super::{Config, page};
use crate::interest::Interest;
use crate::tally::ByNumber;

/// Pages of the wider kind that are taken to be in each narrower one.
const DRAWN_BY: f32 = 1.5;
/// Directories told apart below the host.
const DEPTH: usize = 3;
/// Places remembered; beyond that, those seen once are forgotten.
const MOST_PLACES: usize = 1 << 20;

/// The share of copies in a web of which nothing is known.
const FEW_COPIES: f32 = 0.01;

/// What became of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Outcome {
    /// What it brought, 0 to 1.
    pub(super) gain: f32,
    /// True for a page that says what another has said.
    pub(super) is_copy: bool,
}

/// Where a link leads, as far as its address tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Place {
    /// The host, then its directories downwards.
    pub(super) directories: Vec<u64>,
    /// Words of the address.
    pub(super) words: Vec<u32>,
    /// Cosine of these with the topic's.
    pub(super) likeness: f32,
}

impl Place {
    pub(super) fn new(url: &PageUrl, host: HostId, interest: &Interest) -> Place {
        let mut directories = Vec::with_capacity(DEPTH + 1);
        let mut place = mixed(u64::from(host.0) + 1);
        directories.push(place);
        let path = url.path();
        let folder = path.rfind('/').map_or("", |end| &path[..end]);
        for segment in folder.split('/').filter(|segment| !segment.is_empty()).take(DEPTH) {
            place = mixed(place ^ u64::from(page::number(segment)) << 13);
            directories.push(place);
        }
        let (words, likeness) = page::address_words(url, interest);
        Place { directories, words, likeness }
    }

    /// What the regression sees of it, without what is switched off.
    #[inline]
    pub(super) fn features(&self, config: &Config) -> impl Iterator<Item = Feature> + Clone + '_ {
        let yields = if config.yields { 0.5 } else { 0.0 };
        let directories = (0..).zip(&self.directories).map(move |(depth, directory)| {
            Feature::new(Field::Directory, directory.wrapping_add(depth), yields)
        });
        Feature::of_words(Field::Address, &self.words).chain(directories)
    }
}

/// Stands for links that are set alike between the same two hosts.
pub(super) fn alike(from: HostId, to: HostId, trail: u32) -> u64 {
    mixed(mixed(mixed(u64::from(from.0) + 1) ^ u64::from(to.0)) ^ u64::from(trail))
}

fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number ^ (number >> 29)
}

/// What pages brought, 1 for a relevant one, and how many there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Share {
    relevant: f32,
    all: f32,
}

impl Share {
    fn drawn_towards(self, wider: f32) -> f32 {
        (self.relevant + DRAWN_BY * wider) / (self.all + DRAWN_BY)
    }

    fn add(&mut self, gain: f32, weight: f32) {
        self.all += weight;
        self.relevant += weight * gain;
    }
}

/// Shares by place.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Yields {
    whole: Share,
    directories: ByNumber<Share>,
    alike: ByNumber<Share>,
    parents: ByNumber<Share>,
    /// Of each directory, the share of pages that were copies of others.
    copies: ByNumber<Share>,
}

impl Yields {
    /// Of the whole crawl: a quarter before anything was seen.
    fn overall(&self) -> f32 {
        (1.0 + self.whole.relevant) / (4.0 + self.whole.all)
    }

    pub(super) fn directory(&self, place: &Place) -> f32 {
        place.directories.iter().fold(self.overall(), |wider, directory| {
            share(&self.directories, *directory).drawn_towards(wider)
        })
    }

    pub(super) fn alike(&self, alike: u64, wider: f32) -> f32 {
        share(&self.alike, alike).drawn_towards(wider)
    }

    pub(super) fn siblings(&self, parent: u64, wider: f32) -> f32 {
        share(&self.parents, parent).drawn_towards(wider)
    }

    /// How likely a page of this place says nothing that another has not said.
    pub(super) fn copies(&self, place: &Place) -> f32 {
        place.directories.iter().fold(FEW_COPIES, |wider, directory| {
            share(&self.copies, *directory).drawn_towards(wider)
        })
    }

    /// Takes in what became of a link that was found in these ways.
    pub(super) fn learn(&mut self, place: &Place, ways: &[Way], outcome: Outcome) {
        let Outcome { gain, is_copy } = outcome;
        self.whole.add(gain, 1.0);
        for directory in &place.directories {
            self.directories.entry(*directory).or_default().add(gain, 1.0);
            self.copies.entry(*directory).or_default().add(f32::from(u8::from(is_copy)), 1.0);
        }
        let part = 1.0 / ways.len().max(1) as f32;
        for way in ways {
            self.alike.entry(way.alike).or_default().add(gain, part);
            self.parents.entry(way.parent).or_default().add(gain, 1.0);
        }
        let tables = [&mut self.directories, &mut self.alike, &mut self.parents, &mut self.copies];
        for places in tables {
            if places.len() > MOST_PLACES {
                places.retain(|_, share| share.all > 1.0);
            }
            if places.len() > MOST_PLACES {
                places.clear();
            }
        }
    }
}

fn share(shares: &ByNumber<Share>, place: u64) -> Share {
    shares.get(&place).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(address: &str, host: u32) -> Place {
        Place::new(&PageUrl::parse(address).unwrap(), HostId(host), &Interest::default())
    }

    #[test]
    fn what_was_never_seen_inherits_from_what_is_wider() {
        let mut yields = Yields::default();
        let birds = place("http://a.example/birds/sea/1.html", 1);
        let boats = place("http://a.example/boats/1.html", 1);
        let elsewhere = place("http://b.example/", 2);
        assert_eq!(yields.directory(&birds), 0.25);
        for _ in 0..20 {
            yields.learn(&birds, &[], Outcome { gain: 1.0, is_copy: false });
            yields.learn(&boats, &[], Outcome { gain: 0.0, is_copy: true });
        }
        let of = |address, host| yields.directory(&place(address, host));
        let unseen = of("http://a.example/other/", 1);
        assert!(of("http://a.example/birds/sea/2.html", 1) > 0.9);
        assert!(of("http://a.example/boats/2.html", 1) < 0.1);
        assert!((0.4..0.6).contains(&unseen), "{unseen}");
        assert!((yields.directory(&elsewhere) - 0.477).abs() < 0.01);
        assert!(yields.copies(&boats) > 0.9 && yields.copies(&birds) < 0.1);
        assert_eq!(yields.copies(&elsewhere), FEW_COPIES);
    }
}
