//! Where every page of the web is, and what it is about.
//!
//! A host is divided into sections of [`SECTION_PAGES`] pages; a section is a
//! directory with a theme, its first page is its index. Tables are kept per
//! host and per section only; a page costs nothing until it is asked for.
//! Behaviour, links and text are drawn elsewhere.

use serde::{Deserialize, Serialize};

use crate::draw::{Draw, Purpose};
use crate::spec::Spec;
use crate::topics::{self, Theme};

/// Enough for a directory that looks real, few enough for one index page.
pub(crate) const SECTION_PAGES: u64 = 24;

/// The index of the wanted theme in [`Layout::themes`].
pub(crate) const WANTED: u8 = 0;

/// The share of pages in a topical section that really are about its theme.
const PURITY: f64 = 0.85;

/// The share of pages elsewhere that are about the wanted topic all the same.
const STRAY: f64 = 0.004;

/// The share of sections on a host that follow its theme.
const HOST_LOYALTY: f64 = 0.8;

/// One page of the web.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PageId {
    /// The number of the host.
    pub host: u32,
    /// The number of the page on its host; 0 is the home page.
    pub page: u64,
}

impl PageId {
    /// The home page of a host.
    pub fn home(host: u32) -> PageId {
        PageId { host, page: 0 }
    }

    /// The section that the page lies in.
    pub(crate) fn section(self) -> Section {
        Section { host: self.host, number: (self.page / SECTION_PAGES) as u32 }
    }

    /// The place of the page in its section; 0 is the index.
    pub(crate) fn offset(self) -> u64 {
        self.page % SECTION_PAGES
    }
}

/// One directory of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) host: u32,
    pub(crate) number: u32,
}

impl Section {
    /// The first page of the section, which lists the others.
    pub(crate) fn index(self) -> PageId {
        self.at(0)
    }

    /// The page at an offset of the section.
    pub(crate) fn at(self, offset: u64) -> PageId {
        PageId { host: self.host, page: u64::from(self.number) * SECTION_PAGES + offset }
    }
}

/// The tables of a web: O(hosts) and O(sections), never O(pages).
pub(crate) struct Layout {
    pub(crate) seed: u64,
    /// The themes in play, the wanted one first.
    pub(crate) themes: Vec<Theme>,
    /// The number of the first page of each host, and the total at the end.
    starts: Vec<u64>,
    /// The theme of each host.
    host_themes: Vec<u8>,
    /// For each theme, its sections that may be linked from anywhere.
    theme_sections: Vec<Vec<Section>>,
    /// The sections that hide behind a chain of irrelevant pages.
    hidden_sections: Vec<Section>,
    /// The chance that a section on a foreign host is about the wanted topic.
    foreign_share: f64,
    /// The share of topical sections on foreign hosts that hide.
    tunnels: f64,
}

impl Layout {
    pub(crate) fn new(spec: &Spec) -> Layout {
        let hosts = spec.hosts.max(1);
        let themes = topics::in_play(&spec.topic, spec.other_topics);
        let starts = host_starts(spec.seed, hosts, spec.pages.max(u64::from(hosts)));
        let lost = spec.faults.lost_pages().min(0.9);
        let wanted = (spec.topic_share / (1.0 - lost)).min(PURITY);
        let section_share = ((wanted - STRAY) / (PURITY - STRAY)).max(0.0);
        let (host_themes, foreign_share) =
            assign_host_themes(spec.seed, &starts, themes.len(), section_share);
        let mut layout = Layout {
            seed: spec.seed,
            theme_sections: vec![Vec::new(); themes.len()],
            themes,
            starts,
            host_themes,
            hidden_sections: Vec::new(),
            foreign_share,
            tunnels: spec.tunnels,
        };
        layout.list_sections();
        layout
    }

    fn list_sections(&mut self) {
        for host in 0..self.hosts() {
            for number in 0..self.sections(host) {
                let section = Section { host, number };
                let theme = self.section_theme(section);
                match self.tunnel(section) {
                    Some(_) => self.hidden_sections.push(section),
                    None => self.theme_sections[theme as usize].push(section),
                }
            }
        }
    }

    pub(crate) fn hosts(&self) -> u32 {
        self.host_themes.len() as u32
    }

    pub(crate) fn pages(&self) -> u64 {
        self.starts[self.starts.len() - 1]
    }

    /// How many pages a host has.
    pub(crate) fn host_pages(&self, host: u32) -> u64 {
        self.starts[host as usize + 1] - self.starts[host as usize]
    }

    /// How many sections a host has; the last may be short.
    pub(crate) fn sections(&self, host: u32) -> u32 {
        self.host_pages(host).div_ceil(SECTION_PAGES) as u32
    }

    /// How many pages a section has.
    pub(crate) fn section_pages(&self, section: Section) -> u64 {
        let before = u64::from(section.number) * SECTION_PAGES;
        (self.host_pages(section.host) - before).min(SECTION_PAGES)
    }

    /// Whether there is such a page.
    pub(crate) fn contains(&self, page: PageId) -> bool {
        page.host < self.hosts() && page.page < self.host_pages(page.host)
    }

    pub(crate) fn host_theme(&self, host: u32) -> u8 {
        self.host_themes[host as usize]
    }

    /// The sections about a theme that may be linked from anywhere.
    pub(crate) fn sections_about(&self, theme: u8) -> &[Section] {
        &self.theme_sections[theme as usize]
    }

    /// The sections that hide behind a chain of irrelevant pages.
    pub(crate) fn hidden_sections(&self) -> &[Section] {
        &self.hidden_sections
    }

    /// What a section is about.
    pub(crate) fn section_theme(&self, section: Section) -> u8 {
        let own = self.host_theme(section.host);
        if section.number == 0 {
            return own;
        }
        let mut draw = self.draw_section(section);
        if own == WANTED {
            return if draw.chance(HOST_LOYALTY) { WANTED } else { self.other_theme(&mut draw) };
        }
        if draw.chance(self.foreign_share) {
            WANTED
        } else if draw.chance(HOST_LOYALTY) {
            own
        } else {
            self.other_theme(&mut draw)
        }
    }

    /// How many irrelevant pages hide a section, if it hides.
    pub(crate) fn tunnel(&self, section: Section) -> Option<u64> {
        if self.tunnels <= 0.0 || self.host_theme(section.host) == WANTED || section.number == 0 {
            return None;
        }
        let worth_hiding =
            self.section_theme(section) == WANTED && self.section_pages(section) >= 8;
        let mut draw = Draw::new(
            self.seed,
            Purpose::Shape,
            u64::from(section.host),
            u64::from(section.number),
        );
        (worth_hiding && draw.chance(self.tunnels)).then(|| 1 + draw.below(3))
    }

    /// What a page is about.
    pub(crate) fn page_theme(&self, page: PageId) -> u8 {
        let section = page.section();
        let theme = self.section_theme(section);
        let mut draw = Draw::new(self.seed, Purpose::Page, u64::from(page.host), page.page);
        if theme == WANTED
            && let Some(chain) = self.tunnel(section)
        {
            return if page.offset() < chain { self.other_theme(&mut draw) } else { WANTED };
        }
        if page.offset() == 0 || draw.chance(PURITY) {
            theme
        } else if theme != WANTED && draw.chance(STRAY / (1.0 - PURITY)) {
            WANTED
        } else {
            self.other_theme(&mut draw)
        }
    }

    /// Where the numbering of all pages puts one of them.
    pub(crate) fn nth(&self, number: u64) -> Option<PageId> {
        if number >= self.pages() {
            return None;
        }
        let host = self.starts.partition_point(|&start| start <= number) - 1;
        Some(PageId { host: host as u32, page: number - self.starts[host] })
    }

    fn other_theme(&self, draw: &mut Draw) -> u8 {
        1 + draw.below(self.themes.len() as u64 - 1) as u8
    }

    fn draw_section(&self, section: Section) -> Draw {
        Draw::new(self.seed, Purpose::Section, u64::from(section.host), u64::from(section.number))
    }
}

/// Hands out the pages by Zipf's law with exponent 0.7: a few large hosts, many
/// small ones, none empty.
fn host_starts(seed: u64, hosts: u32, pages: u64) -> Vec<u64> {
    let mut ranks: Vec<(u64, u32)> = (0..hosts)
        .map(|host| (Draw::new(seed, Purpose::HostOrder, u64::from(host), 0).bits(), host))
        .collect();
    ranks.sort_unstable();
    let weight = |rank: usize| ((rank + 1) as f64).powf(-0.7);
    let total: f64 = (0..ranks.len()).map(weight).sum();
    let free = pages - u64::from(hosts);
    let mut counts = vec![1; hosts as usize];
    let mut given = 0;
    for (rank, &(_, host)) in ranks.iter().enumerate() {
        let share = ((free as f64 * weight(rank) / total) as u64).min(free - given);
        counts[host as usize] += share;
        given += share;
    }
    counts[ranks[0].1 as usize] += free - given;
    let mut starts = vec![0];
    let mut end = 0;
    for count in counts {
        end += count;
        starts.push(end);
    }
    starts
}

/// Gives every host a theme, so that hosts about the wanted topic hold about
/// 60 % of its sections, and says how likely a section elsewhere must be.
fn assign_host_themes(
    seed: u64,
    starts: &[u64],
    themes: usize,
    section_share: f64,
) -> (Vec<u8>, f64) {
    let sizes: Vec<u64> = starts.windows(2).map(|bounds| bounds[1] - bounds[0]).collect();
    let pages = starts[starts.len() - 1] as f64;
    let wanted_pages = section_share * pages;
    // The first section of a host follows its theme, so only later ones can be
    // about something else. A web of tiny hosts has few of those.
    let later = |size: u64| size.saturating_sub(SECTION_PAGES) as f64;
    let is_cramped = sizes.iter().map(|&size| later(size)).sum::<f64>() < 0.4 * pages;
    let budget = if is_cramped { wanted_pages } else { 0.6 * wanted_pages / HOST_LOYALTY };
    let is_wanted = choose_wanted_hosts(seed, &sizes, budget);
    let mut held = 0.0;
    let mut elsewhere = 0.0;
    let mut host_themes = Vec::with_capacity(sizes.len());
    for (host, &size) in sizes.iter().enumerate() {
        let mut draw = Draw::new(seed, Purpose::HostTheme, host as u64, 1);
        if is_wanted[host] {
            held += size as f64 - (1.0 - HOST_LOYALTY) * later(size);
            host_themes.push(WANTED);
        } else {
            elsewhere += later(size);
            host_themes.push(1 + draw.below(themes as u64 - 1) as u8);
        }
    }
    let missing = (wanted_pages - held).max(0.0);
    let foreign_share = if elsewhere > 0.0 { (missing / elsewhere).min(1.0) } else { 0.0 };
    (host_themes, foreign_share)
}

/// Chooses hosts for the wanted topic up to a budget of pages. At first three
/// in ten are considered, so that the topic spreads over the web; then the rest
/// fills what is left. A host that would overshoot is passed over.
fn choose_wanted_hosts(seed: u64, sizes: &[u64], budget: f64) -> Vec<bool> {
    let mut is_wanted = vec![false; sizes.len()];
    let mut held = 0.0;
    for share in [0.3, 1.0] {
        for (host, &size) in sizes.iter().enumerate() {
            let mut draw = Draw::new(seed, Purpose::HostTheme, host as u64, 0);
            let fits = held + size as f64 <= budget;
            if !is_wanted[host] && fits && draw.chance(share) {
                is_wanted[host] = true;
                held += size as f64;
            }
        }
    }
    is_wanted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_is_handed_out_exactly_once() {
        let layout = Layout::new(&Spec::demo());
        assert_eq!(layout.pages(), 24_000);
        let counted: u64 = (0..layout.hosts()).map(|host| layout.host_pages(host)).sum();
        assert_eq!(counted, 24_000);
        assert_eq!(layout.nth(24_000), None);
        let last = layout.nth(23_999).unwrap();
        assert!(layout.contains(last));
        assert_eq!(last.host, 299);
    }

    #[test]
    fn hosts_differ_in_size_and_none_is_empty() {
        let layout = Layout::new(&Spec::demo());
        let sizes: Vec<u64> = (0..300).map(|host| layout.host_pages(host)).collect();
        assert!(*sizes.iter().max().unwrap() > 10 * sizes.iter().min().unwrap());
        assert!(sizes.iter().all(|&size| size > 0));
    }

    #[test]
    fn chains_hide_only_foreign_topical_sections() {
        let layout = Layout::new(&Spec::tunnels());
        let mut hidden = 0;
        for host in 0..layout.hosts() {
            for number in 0..layout.sections(host) {
                let section = Section { host, number };
                let Some(chain) = layout.tunnel(section) else { continue };
                hidden += 1;
                assert_ne!(layout.host_theme(host), WANTED);
                assert_ne!(layout.page_theme(section.index()), WANTED);
                assert_eq!(layout.page_theme(section.at(chain)), WANTED);
            }
        }
        assert!(hidden > 5, "{hidden}");
    }
}
