//! The web as a whole, and the truth about it.

use std::collections::{BTreeSet, VecDeque};
use std::sync::OnceLock;

use crate::behaviour::{self, Behaviour};
use crate::change::{self, Life, Pace, Version};
use crate::draw::{Draw, Purpose};
use crate::graph::{self, Destination};
use crate::hostile::Hostility;
use crate::layout::{Layout, PageId, WANTED};
use crate::markup;
use crate::naming::{self, Naming};
use crate::robots::{self, Robots};
use crate::spec::Spec;
use crate::topics::Topic;
use crate::trap::Trap;

/// A synthetic web. Cheap to make and to keep, whatever its size.
pub struct Web {
    pub(crate) spec: Spec,
    pub(crate) layout: Layout,
    topic: Topic,
    relevant: OnceLock<u64>,
}

/// What is true of a URL, whatever a crawler thinks.
#[derive(Clone, Debug)]
pub struct Truth {
    /// The name of the host.
    pub host: String,
    /// The page, unless the URL is robots.txt, a trap or an attack.
    pub page: Option<PageId>,
    /// The URL of the page without decoration.
    pub canonical: String,
    /// What the page is about.
    pub topic: &'static str,
    /// Whether it is about the wanted topic and shows so under this URL.
    pub is_relevant: bool,
    /// What asking for it leads to.
    pub behaviour: Behaviour,
    /// How often it changes.
    pub pace: Pace,
    /// Where it links, without decoration and repetition.
    pub links: Vec<String>,
}

/// What a path of a host is.
pub(crate) enum Place {
    Page(PageId, u32),
    Robots,
    MovedRobots,
    Trap(Trap),
    Hostile(Hostility, u32),
}

impl Web {
    /// The web that the spec describes.
    pub fn new(spec: Spec) -> Web {
        let layout = Layout::new(&spec);
        let topic = layout.themes[WANTED as usize].topic();
        Web { spec, layout, topic, relevant: OnceLock::new() }
    }

    /// What the web was made from.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The wanted topic.
    pub fn topic(&self) -> &Topic {
        &self.topic
    }

    /// How many hosts there are.
    pub fn hosts(&self) -> u32 {
        self.layout.hosts()
    }

    /// The name of a host below [`Web::hosts`].
    pub fn host_name(&self, host: u32) -> String {
        naming::host_name(&self.layout, host)
    }

    /// The number of the host of this name.
    pub fn host_number(&self, name: &str) -> Option<u32> {
        naming::read_host_name(&self.layout, name)
    }

    /// How many pages a host has.
    pub fn host_pages(&self, host: u32) -> u64 {
        self.layout.host_pages(host)
    }

    /// Every page, host by host.
    pub fn pages(&self) -> impl Iterator<Item = PageId> {
        (0..self.layout.hosts()).flat_map(|host| {
            (0..self.layout.host_pages(host)).map(move |page| PageId { host, page })
        })
    }

    /// The URL of a page in canonical naming.
    pub fn url(&self, page: PageId) -> String {
        self.url_in(page, Naming::Names)
    }

    /// The URL of a page in the given naming.
    pub fn url_in(&self, page: PageId, naming: Naming) -> String {
        let mut url = String::new();
        naming::write_url(&self.layout, page, naming, &mut url);
        url
    }

    /// The URL of an attack; it leads somewhere only if the spec is hostile.
    pub fn hostile_url(&self, hostility: Hostility) -> String {
        self.destination_url(Destination::Hostile(hostility))
    }

    /// URLs to start from: pages about the topic, and home pages near it.
    pub fn seeds(&self, count: usize) -> Vec<String> {
        if self.spec.hostile {
            return vec![self.url(PageId::home(0))];
        }
        self.indexes(count, |web, page| web.layout.page_theme(page) == WANTED)
    }

    /// URLs to start from that are not about the topic.
    pub fn off_topic_seeds(&self, count: usize) -> Vec<String> {
        self.indexes(count, |web, page| web.layout.page_theme(page) != WANTED)
    }

    /// Some index pages that robots.txt allows, on different hosts while there are such.
    fn indexes(&self, count: usize, is_wanted: impl Fn(&Web, PageId) -> bool) -> Vec<String> {
        let mut found: Vec<(u32, u64, PageId)> = Vec::new();
        for host in 0..self.hosts() {
            let robots = self.robots(host);
            let mut rank = 0;
            for number in 0..self.layout.sections(host) {
                let page = crate::layout::Section { host, number }.index();
                let is_allowed = robots.allows("/") && !naming::is_private(page.section());
                if is_allowed && is_wanted(self, page) {
                    let order =
                        Draw::new(self.spec.seed, Purpose::Seeds, u64::from(host), 0).bits();
                    found.push((rank, order, page));
                    rank += 1;
                }
            }
        }
        found.sort_unstable();
        found.iter().take(count).map(|&(_, _, page)| self.url(page)).collect()
    }

    /// The truth about a URL at the epoch of the web, if it is one of ours.
    pub fn truth(&self, url: &str) -> Option<Truth> {
        self.truth_at(url, self.spec.change.epoch)
    }

    /// The truth about a URL at a moment, if it is one of ours.
    pub fn truth_at(&self, url: &str, at: u64) -> Option<Truth> {
        let (name, path) = split_url(url)?;
        let host = self.host_number(name)?;
        let (page, behaviour, links) = match self.place(host, path)? {
            Place::Page(page, _) => (Some(page), self.behaviour(page), self.page_links(page, at)),
            Place::Robots | Place::MovedRobots => (None, Behaviour::Robots, Vec::new()),
            Place::Trap(trap) => {
                let links = trap.links().into_iter().map(|next| Destination::Trap(host, next));
                (None, Behaviour::Trap, links.map(|link| self.destination_url(link)).collect())
            }
            Place::Hostile(hostility, _) => (None, Behaviour::Hostile(hostility), Vec::new()),
        };
        let theme = page.map_or(self.layout.host_theme(host), |page| self.layout.page_theme(page));
        Some(Truth {
            host: name.into(),
            page,
            canonical: page.map_or_else(|| url.into(), |page| self.url(page)),
            topic: self.layout.themes[theme as usize].name,
            is_relevant: page.is_some_and(|page| self.is_relevant(page)),
            behaviour,
            pace: page.map_or(Pace::Never, |page| self.pace(page)),
            links,
        })
    }

    fn page_links(&self, page: PageId, at: u64) -> Vec<String> {
        let page = match self.behaviour(page) {
            Behaviour::Duplicate { of } => of,
            behaviour if behaviour.shows_page() => page,
            _ => return Vec::new(),
        };
        let mut urls: Vec<String> = Vec::new();
        let mut seen = BTreeSet::new();
        for link in graph::links(&self.layout, &self.spec, page, at).all() {
            let url = self.destination_url(link);
            if seen.insert(url.clone()) {
                urls.push(url);
            }
        }
        urls
    }

    fn destination_url(&self, link: Destination) -> String {
        let mut url = String::new();
        let host = markup::host_of(&self.layout, link);
        naming::write_origin(&self.layout, host, Naming::Names, &mut url);
        markup::write_destination_path(&self.layout, link, &mut url);
        url
    }

    /// Whether a page is about the wanted topic and shows so under its URL.
    pub fn is_relevant(&self, page: PageId) -> bool {
        self.layout.page_theme(page) == WANTED && self.behaviour(page).shows_page()
    }

    /// How many pages are relevant. Counted at the first call.
    pub fn relevant_count(&self) -> u64 {
        *self
            .relevant
            .get_or_init(|| self.pages().filter(|&page| self.is_relevant(page)).count() as u64)
    }

    /// How a page behaves.
    pub fn behaviour(&self, page: PageId) -> Behaviour {
        behaviour::behaviour(&self.layout, &self.spec.faults, page)
    }

    /// How often a page changes by itself.
    pub fn pace(&self, page: PageId) -> Pace {
        change::pace(self.spec.seed, &self.spec.change, page)
    }

    /// The version of a page at a moment. The birth of a page is a change of
    /// the index that lists it.
    pub fn version(&self, page: PageId, at: u64) -> Version {
        let own = change::version(self.spec.seed, &self.spec.change, page, at);
        if page.offset() != 0 || self.layout.tunnel(page.section()).is_some() {
            return own;
        }
        let (births, last) = graph::births(&self.layout, &self.spec, page.section(), at);
        Version { number: own.number + births, since: own.since.max(last) }
    }

    /// Whether a page is there at a moment.
    pub fn life(&self, page: PageId, at: u64) -> Life {
        change::life(self.spec.seed, &self.spec.change, page, at)
    }

    /// When a page is born and when it vanishes, as far as it does.
    pub fn lifetime(&self, page: PageId) -> (Option<u64>, Option<u64>) {
        change::lifetime(self.spec.seed, &self.spec.change, page)
    }

    /// The robots.txt of a host.
    pub fn robots(&self, host: u32) -> Robots {
        Robots::of(self.spec.seed, &self.spec.robots, host)
    }

    /// Whether robots.txt lets [`robots::AGENT`] fetch a URL; no for unknown hosts.
    pub fn robots_allows(&self, url: &str) -> bool {
        let Some((name, path)) = split_url(url) else { return false };
        self.host_number(name).is_some_and(|host| self.robots(host).allows(path))
    }

    /// The pages whose content an exhaustive, patient, polite crawl from these
    /// seeds finds at a moment, canonically named. Traps are left
    /// out, so it ends for every web, in time and memory O(pages).
    pub fn exhaustive(&self, seeds: &[String], at: u64) -> BTreeSet<String> {
        let mut waiting: VecDeque<String> = seeds.iter().cloned().collect();
        let mut seen: BTreeSet<String> = seeds.iter().cloned().collect();
        let mut found = BTreeSet::new();
        while let Some(url) = waiting.pop_front() {
            if !self.robots_allows(&url) {
                continue;
            }
            let Some(truth) = self.truth_at(&url, at) else { continue };
            let Some(page) = truth.page else { continue };
            if self.life(page, at) != Life::Alive {
                continue;
            }
            let mut next = truth.links;
            match truth.behaviour {
                Behaviour::Redirect { to } | Behaviour::RedirectChain { to, .. } => {
                    next.push(self.url(to));
                }
                behaviour if behaviour.shows_page() => {
                    found.insert(truth.canonical);
                }
                _ => {}
            }
            waiting.extend(next.into_iter().filter(|url| seen.insert(url.clone())));
        }
        found
    }

    pub(crate) fn place(&self, host: u32, path_and_query: &str) -> Option<Place> {
        if path_and_query == "/robots.txt" {
            return Some(Place::Robots);
        }
        if path_and_query == robots::MOVED_PATH {
            let has_moved = self.robots(host) == Robots::Redirected;
            return has_moved.then_some(Place::MovedRobots);
        }
        let faults = &self.spec.faults;
        if let Some(trap) = Trap::read(self.spec.seed, faults, host, path_and_query) {
            return Some(Place::Trap(trap));
        }
        if self.spec.hostile
            && let Some((hostility, step)) = Hostility::read(path_and_query)
        {
            let is_here = hostility.host(self.hosts()) == host;
            return is_here.then_some(Place::Hostile(hostility, step));
        }
        let (page, hop) = naming::read_path(&self.layout, host, path_and_query)?;
        Some(Place::Page(page, hop))
    }
}

/// The host name and the path of an `http` URL, without port and fragment.
pub(crate) fn split_url(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix("http://")?;
    let rest = rest.split('#').next()?;
    let slash = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(slash);
    let name = authority.split(':').next()?;
    Some((name, if path.is_empty() { "/" } else { path }))
}

#[cfg(test)]
mod tests;
