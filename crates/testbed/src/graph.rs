//! Which pages a page links to.
//!
//! Links keep to their kind: an article links to its section, to sections of
//! its theme elsewhere, to its host, and now and then anywhere. Under that lies
//! a skeleton that makes everything reachable: a home page lists the hosts next
//! to it in a binary tree, an index lists its section and its share of further
//! sections. What a link looks like is `markup`'s affair.

use crate::change::{self, Life};
use crate::draw::{Draw, Purpose};
use crate::hostile::Hostility;
use crate::layout::{Layout, PageId, SECTION_PAGES, Section, WANTED};
use crate::spec::Spec;
use crate::trap::Trap;

/// How many further sections an index lists.
const BRANCHES: u32 = 8;
/// How many sections the navigation of a host lists.
const NAVIGATION: u32 = 5;

/// What a link points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    Page(PageId),
    Trap(u32, Trap),
    Hostile(Hostility),
}

/// The links of a page, by the part of the page that holds them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    /// The same on every page of the host.
    pub(crate) navigation: Vec<Destination>,
    /// In the text, in order.
    pub(crate) body: Vec<Destination>,
    /// The same on every page of the host.
    pub(crate) footer: Vec<Destination>,
}

impl Links {
    pub(crate) fn all(&self) -> impl Iterator<Item = Destination> {
        self.navigation.iter().chain(&self.body).chain(&self.footer).copied()
    }
}

/// The theme of the middle block of a page, if it differs from the page's own.
pub(crate) fn mixed_theme(layout: &Layout, spec: &Spec, page: PageId) -> Option<u8> {
    let mut draw = Draw::new(layout.seed, Purpose::Shape, u64::from(page.host) << 32, page.page);
    if page.offset() == 0 || !draw.chance(spec.mixed_pages) {
        return None;
    }
    let theme =
        if draw.chance(0.15) { WANTED } else { draw.below(layout.themes.len() as u64) as u8 };
    (theme != layout.page_theme(page)).then_some(theme)
}

/// The links of a page at a moment: an index lists a page once it is born.
pub(crate) fn links(layout: &Layout, spec: &Spec, page: PageId, at: u64) -> Links {
    let mut links = Links::default();
    if spec.boilerplate {
        add_boilerplate(layout, spec, page.host, &mut links);
    }
    let body = &mut links.body;
    if spec.hostile && page == PageId::home(0) {
        body.extend(Hostility::ALL.iter().map(|&hostility| Destination::Hostile(hostility)));
    }
    let chain = layout.tunnel(page.section());
    match chain {
        Some(chain) if page.offset() < chain => {
            body.push(Destination::Page(PageId { page: page.page + 1, ..page }));
            if page.offset() == 0 {
                add_sections(layout, page, body);
            }
        }
        Some(chain) if page.offset() == chain => add_section(layout, spec, page, at, body),
        None if page.offset() == 0 => {
            add_section(layout, spec, page, at, body);
            add_sections(layout, page, body);
        }
        _ => {}
    }
    if page.page == 0 {
        add_neighbours(layout, page.host, body);
    }
    add_chosen(layout, spec, page, body);
    links
}

fn add_boilerplate(layout: &Layout, spec: &Spec, host: u32, links: &mut Links) {
    links.navigation.push(Destination::Page(PageId::home(host)));
    for number in 1..layout.sections(host).min(NAVIGATION + 1) {
        links.navigation.push(Destination::Page(Section { host, number }.index()));
    }
    let traps = Trap::entrances(layout.seed, &spec.faults, host);
    links.navigation.extend(traps.map(|entrance| Destination::Trap(host, entrance)));
    links.footer.push(Destination::Page(PageId::home(host)));
    links.footer.push(Destination::Page(PageId::home((host + 1) % layout.hosts())));
}

/// The rest of the section that the page opens.
fn add_section(layout: &Layout, spec: &Spec, page: PageId, at: u64, body: &mut Vec<Destination>) {
    let section = page.section();
    for offset in page.offset() + 1..layout.section_pages(section) {
        let listed = section.at(offset);
        if change::life(layout.seed, &spec.change, listed, at) != Life::Unborn {
            body.push(Destination::Page(listed));
        }
    }
}

/// The further sections that an index lists: its children in a tree.
fn add_sections(layout: &Layout, page: PageId, body: &mut Vec<Destination>) {
    let section = page.section();
    let first = section.number.saturating_mul(BRANCHES).saturating_add(1);
    let end = first.saturating_add(BRANCHES).min(layout.sections(page.host));
    for number in first..end {
        body.push(Destination::Page(Section { host: page.host, number }.index()));
    }
}

/// The hosts next to a host in a binary tree of all hosts.
fn add_neighbours(layout: &Layout, host: u32, body: &mut Vec<Destination>) {
    let parent = host.checked_sub(1).map(|before| before / 2);
    let children =
        [host.saturating_mul(2).saturating_add(1), host.saturating_mul(2).saturating_add(2)];
    for neighbour in parent.into_iter().chain(children) {
        if neighbour < layout.hosts() {
            body.push(Destination::Page(PageId::home(neighbour)));
        }
    }
}

/// The links that the author of a page chose.
fn add_chosen(layout: &Layout, spec: &Spec, page: PageId, body: &mut Vec<Destination>) {
    let mut draw = Draw::new(layout.seed, Purpose::Links, u64::from(page.host), page.page);
    let average = u64::from(spec.links_per_page);
    let mut count = average / 2 + draw.below(average + 1);
    if page.offset() == 0 {
        count /= 3;
    }
    let own = layout.page_theme(page);
    let mixed = mixed_theme(layout, spec, page);
    let hidden = layout.hidden_sections();
    if own == WANTED && !hidden.is_empty() && draw.chance(0.5) {
        body.push(Destination::Page(draw.pick(hidden).index()));
    }
    for number in 0..count {
        let is_middle = number * 3 >= count && number * 3 < count * 2;
        let target = match mixed {
            Some(theme) if is_middle => alike(layout, theme, &mut draw).unwrap_or(page),
            _ => chosen(layout, spec.locality, page, own, &mut draw),
        };
        let target = reachable_from(layout, spec, page, target);
        if target != page {
            body.push(Destination::Page(target));
        }
    }
}

fn chosen(layout: &Layout, locality: f64, page: PageId, own: u8, draw: &mut Draw) -> PageId {
    let section = page.section();
    let roll = draw.fraction();
    if roll < locality * 0.55 {
        return section.at(draw.below(layout.section_pages(section)));
    }
    if roll < locality {
        return alike(layout, own, draw).unwrap_or(page);
    }
    let target = if roll < locality + (1.0 - locality) * 0.5 {
        PageId { host: page.host, page: draw.below(layout.host_pages(page.host)) }
    } else {
        layout.nth(draw.below(layout.pages())).unwrap_or(page)
    };
    if draw.chance(0.5) { target.section().index() } else { target }
}

/// A page of a section about a theme, anywhere.
fn alike(layout: &Layout, theme: u8, draw: &mut Draw) -> Option<PageId> {
    let sections = layout.sections_about(theme);
    if sections.is_empty() {
        return None;
    }
    let section = draw.pick(sections);
    let is_index = draw.chance(0.35);
    let offset = if is_index { 0 } else { draw.below(layout.section_pages(section)) };
    Some(section.at(offset))
}

/// Where a link may really lead: nobody outside links into a hidden section or
/// to a page that comes or goes; they link to the index instead.
fn reachable_from(layout: &Layout, spec: &Spec, page: PageId, target: PageId) -> PageId {
    let section = target.section();
    let is_inside = section == page.section()
        && layout.tunnel(section).is_none_or(|chain| page.offset() >= chain);
    if !is_inside && layout.tunnel(section).is_some() {
        return section.index();
    }
    match change::lifetime(layout.seed, &spec.change, target) {
        (None, None) => target,
        _ => section.index(),
    }
}

/// How many pages of a section were born up to `at`, and when the last was.
pub(crate) fn births(layout: &Layout, spec: &Spec, section: Section, at: u64) -> (u64, u64) {
    if spec.change.born_later <= 0.0 {
        return (0, 0);
    }
    let pages = layout.section_pages(section).min(SECTION_PAGES);
    let births = (1..pages)
        .filter_map(|offset| change::lifetime(layout.seed, &spec.change, section.at(offset)).0);
    births
        .filter(|&birth| birth <= at)
        .fold((0, 0), |(count, last), birth| (count + 1, birth.max(last)))
}
