//! Page to URL and back, without a table of pages.
//!
//! Every URL ends in a number from which the page follows; the rest of the URL
//! is drawn from the page, so a wrong slug is recognised and is not a page.
//! Parameters that only track visitors are ignored, as real sites do.

use std::net::Ipv4Addr;

use crate::draw::{Draw, Purpose};
use crate::layout::{Layout, PageId, Section, WANTED};
use crate::words::{ADJECTIVES, DIRECTORIES, HOST_WORDS, NEUTRAL_SECTIONS, NOUNS, PLACES, VERBS};

/// How the pages write the hosts in their links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// `http://harbor-017.test/…`, for crawlers with a table of names.
    Names,
    /// `http://127.x.y.z:PORT/…`, for tools that cannot be given one. Only
    /// hosts below `addresses` have an address of their own; others keep names.
    Addresses {
        /// The port that every address listens on.
        port: u16,
        /// How many distinct addresses are bound.
        addresses: u32,
    },
}

/// A section every eighth of which lies under `/private/`.
const PRIVATE_EVERY: u32 = 8;

/// The words of a title, which are also the words of the slug.
pub(crate) struct Title {
    words: [&'static str; 6],
    count: usize,
}

impl Title {
    pub(crate) fn words(&self) -> &[&'static str] {
        &self.words[..self.count]
    }

    /// Appends the title in running text.
    pub(crate) fn write_text(&self, out: &mut String) {
        for (index, word) in self.words().iter().enumerate() {
            if index > 0 {
                out.push(' ');
            }
            out.push_str(word);
        }
    }
}

/// The title of a page.
pub(crate) fn title(layout: &Layout, page: PageId) -> Title {
    let theme = &layout.themes[layout.page_theme(page) as usize];
    let mut draw = Draw::new(layout.seed, Purpose::Title, u64::from(page.host), page.page);
    let adjective = draw.pick(ADJECTIVES);
    let noun = draw.pick(NOUNS);
    let subject = draw.pick(&theme.words);
    let place = PLACES[draw.below(8) as usize];
    let (words, count) = match draw.below(10) {
        0 => (["notes", "on", "the", adjective, noun, ""], 5),
        1 => (["what", "we", draw.pick(VERBS), "this", noun, ""], 5),
        2 | 3 => (["a", "guide", "to", subject, "and", noun], 6),
        4 => ([draw.pick(VERBS), "the", adjective, subject, "", ""], 4),
        5 | 6 => ([subject, "and", draw.pick(&theme.words), "", "", ""], 3),
        7 => (["the", adjective, subject, "of", "the", place], 6),
        8 => ([subject, "in", "the", place, "", ""], 4),
        _ => ([adjective, subject, noun, "", "", ""], 3),
    };
    Title { words, count }
}

/// Whether a section lies under `/private/`.
pub(crate) fn is_private(section: Section) -> bool {
    section.number % PRIVATE_EVERY == PRIVATE_EVERY - 1
}

/// Appends the path (and query) of a page.
pub(crate) fn write_path(layout: &Layout, page: PageId, out: &mut String) {
    if page.page == 0 {
        out.push('/');
        return;
    }
    let section = page.section();
    let style = write_section_path(layout, section, out);
    if page.offset() == 0 {
        return;
    }
    if style == 0 {
        out.push_str("view.php?id=");
        write_number(page.page, out);
        return;
    }
    for word in title(layout, page).words() {
        out.push_str(word);
        out.push('-');
    }
    write_number(page.page, out);
    if style < 6 {
        out.push_str(".html");
    }
}

/// Appends the directory of a section; returns the style of its page names.
fn write_section_path(layout: &Layout, section: Section, out: &mut String) -> u64 {
    let (host, number) = (u64::from(section.host), u64::from(section.number));
    let mut draw = Draw::new(layout.seed, Purpose::Anchor, host, number);
    let theme = layout.section_theme(section);
    let hides = theme == WANTED && layout.tunnel(section).is_some();
    let directory = if is_private(section) { "private" } else { draw.pick(DIRECTORIES) };
    let says_theme = draw.chance(0.6) && !hides;
    let neutral = draw.pick(NEUTRAL_SECTIONS);
    out.push('/');
    out.push_str(directory);
    out.push('/');
    out.push_str(if says_theme { layout.themes[theme as usize].name } else { neutral });
    out.push('-');
    write_number(number, out);
    out.push('/');
    draw.below(10)
}

/// Which page a path (and query) names, and which hop of its redirect chain.
pub(crate) fn read_path(layout: &Layout, host: u32, path_and_query: &str) -> Option<(PageId, u32)> {
    let without_fragment = path_and_query.split('#').next()?;
    let (path, query) = without_fragment.split_once('?').unwrap_or((without_fragment, ""));
    let path = path.split(';').next()?;
    let mut number = None;
    let mut hop = 0;
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        match key {
            "id" => number = Some(value.parse().ok()?),
            "hop" => hop = value.parse().ok()?,
            _ if is_tracking(key) => {}
            _ => return None,
        }
    }
    let number = match number {
        Some(number) => number,
        None => read_number(path)?,
    };
    let page = PageId { host, page: number };
    if !layout.contains(page) {
        return None;
    }
    let mut canonical = String::with_capacity(path.len() + 16);
    write_path(layout, page, &mut canonical);
    let (canonical_path, canonical_query) = canonical.split_once('?').unwrap_or((&canonical, ""));
    let has_id = query.split('&').any(|parameter| parameter.starts_with("id="));
    (canonical_path == path && canonical_query.is_empty() != has_id).then_some((page, hop))
}

/// Parameters that tell who came from where and nothing of what is asked for.
fn is_tracking(key: &str) -> bool {
    key.starts_with("utm_") || matches!(key, "sid" | "ref")
}

/// The page number at the end of a path.
fn read_number(path: &str) -> Option<u64> {
    if path == "/" {
        return Some(0);
    }
    if let Some(directory) = path.strip_suffix('/') {
        let section: u64 = trailing_digits(directory).parse().ok()?;
        return section.checked_mul(crate::layout::SECTION_PAGES);
    }
    trailing_digits(path.strip_suffix(".html").unwrap_or(path)).parse().ok()
}

fn trailing_digits(text: &str) -> &str {
    let start = text.trim_end_matches(|symbol: char| symbol.is_ascii_digit()).len();
    &text[start..]
}

/// The name of a host.
pub(crate) fn host_name(layout: &Layout, host: u32) -> String {
    let mut name = String::with_capacity(24);
    write_host_name(layout, host, &mut name);
    name
}

fn write_host_name(layout: &Layout, host: u32, out: &mut String) {
    let mut draw = Draw::new(layout.seed, Purpose::HostName, u64::from(host), 0);
    out.push_str(draw.pick(HOST_WORDS));
    out.push('-');
    for bound in [100, 10] {
        if host < bound {
            out.push('0');
        }
    }
    write_number(u64::from(host), out);
    out.push_str(".test");
}

/// Which host has this name.
pub(crate) fn read_host_name(layout: &Layout, name: &str) -> Option<u32> {
    let host: u32 = trailing_digits(name.strip_suffix(".test")?).parse().ok()?;
    (host < layout.hosts() && host_name(layout, host) == name).then_some(host)
}

/// The loopback address in one of the slots, never the usual 127.0.0.1.
pub(crate) fn slot_address(slot: u32) -> Ipv4Addr {
    let part = |number: u32| (number % 250) as u8;
    Ipv4Addr::new(127, 10 + part(slot / 62_500), part(slot / 250), 1 + part(slot))
}

/// The slot of a loopback address.
pub(crate) fn address_slot(address: Ipv4Addr) -> Option<u32> {
    let [first, second, third, fourth] = address.octets();
    let (block, last) = (second.checked_sub(10)?, fourth.checked_sub(1)?);
    let slot = u32::from(block) * 62_500 + u32::from(third) * 250 + u32::from(last);
    (first == 127 && slot_address(slot) == address).then_some(slot)
}

/// Appends `http://host` in the wanted naming.
pub(crate) fn write_origin(layout: &Layout, host: u32, naming: Naming, out: &mut String) {
    out.push_str("http://");
    match naming {
        Naming::Addresses { port, addresses } if host < addresses => {
            let octets = slot_address(host).octets();
            for (index, octet) in octets.into_iter().enumerate() {
                if index > 0 {
                    out.push('.');
                }
                write_number(u64::from(octet), out);
            }
            out.push(':');
            write_number(u64::from(port), out);
        }
        Naming::Names | Naming::Addresses { .. } => write_host_name(layout, host, out),
    }
}

/// Appends the absolute URL of a page.
pub(crate) fn write_url(layout: &Layout, page: PageId, naming: Naming, out: &mut String) {
    write_origin(layout, page.host, naming, out);
    write_path(layout, page, out);
}

/// Appends a number in decimal, without the machinery of `format!`: links are
/// written by the thousand.
pub(crate) fn write_number(mut number: u64, out: &mut String) {
    let mut digits = [0u8; 20];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.push_str(std::str::from_utf8(&digits[start..]).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    #[test]
    fn every_page_has_a_url_that_leads_back_to_it() {
        let layout = Layout::new(&Spec::demo());
        let mut path = String::new();
        for number in 0..layout.pages() {
            let page = layout.nth(number).unwrap();
            path.clear();
            write_path(&layout, page, &mut path);
            assert_eq!(read_path(&layout, page.host, &path), Some((page, 0)), "{path}");
        }
    }

    #[test]
    fn tracking_changes_the_url_but_not_the_page() {
        let layout = Layout::new(&Spec::demo());
        let page = PageId { host: 3, page: 5 };
        let mut path = String::new();
        write_path(&layout, page, &mut path);
        let joint = if path.contains('?') { '&' } else { '?' };
        path.push(joint);
        path.push_str("utm_source=mail&sid=9#top");
        assert_eq!(read_path(&layout, 3, &path), Some((page, 0)));
    }

    #[test]
    fn a_wrong_slug_is_no_page() {
        let layout = Layout::new(&Spec::demo());
        assert_eq!(read_path(&layout, 3, "/guides/no-such-thing-5.html"), None);
        assert_eq!(read_path(&layout, 3, "/view.php?id=99999999999999999999"), None);
        assert_eq!(read_path(&layout, 3, "/?unknown=1"), None);
    }

    #[test]
    fn host_names_and_addresses_lead_back() {
        let layout = Layout::new(&Spec::demo());
        for host in 0..300 {
            assert_eq!(read_host_name(&layout, &host_name(&layout, host)), Some(host));
            assert_eq!(address_slot(slot_address(host)), Some(host));
        }
        assert_eq!(read_host_name(&layout, "nowhere.example"), None);
        assert_eq!(address_slot(Ipv4Addr::LOCALHOST), None);
    }
}
