//! Which parameters of a host's addresses change nothing?
//!
//! Session ids, visitor numbers and sort orders make many addresses of one
//! page, and no list knows them all. Where pages whose addresses differ in one
//! parameter alone keep saying the same, and never anything else, that
//! parameter is idle: an address that differs in it alone from one that was
//! visited need not be. (After Bar-Yossef, Keidar, Schonfeld: "Do not crawl in
//! the DUST", 2007.)

use std::collections::HashMap;
use std::hash::Hasher;

use gannet_model::{HostId, PageUrl};

use super::TrapReason;
use crate::fnv::Fnv;

/// What parameters did so far. It begins anew after a restart.
#[derive(Debug)]
pub struct ParameterWatch {
    /// Pages that must say the same; 0 takes no parameter for idle.
    enough: u32,
    /// What was said at an address without one of its parameters.
    said: HashMap<u64, u64>,
    /// Of each host's parameter: pages that said the same as another, and pages that did not.
    counts: HashMap<(HostId, u64), Counts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    same: u32,
    other: u32,
}

/// Parameters of an address that are looked at.
const MOST_PARAMETERS: usize = 8;
/// Addresses and parameters remembered; when there are more, all begins anew: 6 MiB.
const MOST_REMEMBERED: usize = 1 << 18;

impl ParameterWatch {
    /// A watch that takes a parameter for idle after so many pages; 0 for never.
    pub fn new(enough: u32) -> ParameterWatch {
        ParameterWatch { enough, said: HashMap::new(), counts: HashMap::new() }
    }

    /// Takes in what a page says, as a number that stands for its text.
    pub fn observe(&mut self, host: HostId, url: &PageUrl, text: u64) {
        if self.enough == 0 {
            return;
        }
        if self.said.len() > MOST_REMEMBERED || self.counts.len() > MOST_REMEMBERED {
            self.said.clear();
            self.counts.clear();
        }
        for parameter in parameters(url) {
            let Some(before) = self.said.insert(without(url, parameter), text) else { continue };
            let counts = self.counts.entry((host, hash(parameter.name))).or_default();
            match before == text {
                true => counts.same += 1,
                false => counts.other += 1,
            }
        }
    }

    /// Why the address need not be visited: it differs from one that was in an idle parameter alone.
    pub fn verdict(&self, host: HostId, url: &PageUrl) -> Option<TrapReason> {
        let is_idle = |name: &str| {
            let counts = self.counts.get(&(host, hash(name)));
            counts.is_some_and(|counts| counts.same >= self.enough && counts.other == 0)
        };
        if self.counts.is_empty() {
            return None;
        }
        parameters(url)
            .find(|parameter| {
                is_idle(parameter.name) && self.said.contains_key(&without(url, *parameter))
            })
            .map(|parameter| TrapReason::IdleParameter { name: parameter.name.to_owned() })
    }
}

/// A parameter and where it stands in the query.
#[derive(Clone, Copy)]
struct Parameter<'a> {
    name: &'a str,
    place: usize,
}

fn pairs(url: &PageUrl) -> impl Iterator<Item = &str> {
    url.as_url().query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty())
}

fn parameters(url: &PageUrl) -> impl Iterator<Item = Parameter<'_>> {
    pairs(url).enumerate().take(MOST_PARAMETERS).filter_map(|(place, pair)| {
        let (name, _) = pair.split_once('=')?;
        Some(Parameter { name, place })
    })
}

/// Stands for an address without the value of a parameter.
fn without(url: &PageUrl, parameter: Parameter<'_>) -> u64 {
    let mut fnv = Fnv::default();
    let address = url.as_str();
    let query = address.find('?').unwrap_or(address.len());
    fnv.write(&address.as_bytes()[..query]);
    for (place, pair) in pairs(url).enumerate() {
        let shown = if place == parameter.place { parameter.name } else { pair };
        fnv.write(shown.as_bytes());
        fnv.write(b"&");
    }
    fnv.finish()
}

fn hash(name: &str) -> u64 {
    let mut fnv = Fnv::default();
    fnv.write(name.as_bytes());
    fnv.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: HostId = HostId(1);

    fn url(page: u32, visit: u32) -> PageUrl {
        PageUrl::parse(&format!("http://a.example/guide?page={page}&visit={visit}")).unwrap()
    }

    #[test]
    fn a_parameter_is_idle_when_pages_that_differ_in_it_alone_say_the_same() {
        let mut watch = ParameterWatch::new(5);
        for visit in 0..6 {
            assert_eq!(watch.verdict(HOST, &url(1, 100)), None, "after {visit}");
            watch.observe(HOST, &url(1, visit), 11);
        }
        let idle = TrapReason::IdleParameter { name: "visit".to_owned() };
        assert_eq!(watch.verdict(HOST, &url(1, 100)), Some(idle));
        assert_eq!(watch.verdict(HOST, &url(2, 100)), None, "page 2 was never visited");
        assert_eq!(watch.verdict(HostId(2), &url(1, 100)), None, "another host");
    }

    #[test]
    fn one_page_that_says_something_else_proves_a_parameter_to_matter() {
        let mut watch = ParameterWatch::new(5);
        for visit in 0..50 {
            watch.observe(HOST, &url(1, visit), if visit == 7 { 12 } else { 11 });
        }
        assert_eq!(watch.verdict(HOST, &url(1, 100)), None);
    }

    #[test]
    fn without_a_number_nothing_is_idle() {
        let mut watch = ParameterWatch::new(0);
        for visit in 0..50 {
            watch.observe(HOST, &url(1, visit), 11);
        }
        assert_eq!(watch.verdict(HOST, &url(1, 100)), None);
    }
}
