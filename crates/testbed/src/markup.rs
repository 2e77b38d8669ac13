//! A page as HTML.
//!
//! Speed matters here: a crawler under test must not wait for its web. Text is
//! appended from tables, never formatted.

use crate::draw::{Draw, Purpose};
use crate::graph::{self, Destination, Links};
use crate::layout::{Layout, PageId, WANTED};
use crate::naming::{self, Naming, write_number};
use crate::prose::Prose;
use crate::spec::Spec;
use crate::words::{ADJECTIVES, PLACES, VAGUE_ANCHORS};

/// What a page is written from.
pub(crate) struct Sheet<'w> {
    pub(crate) layout: &'w Layout,
    pub(crate) spec: &'w Spec,
    pub(crate) page: PageId,
    /// The version of the page: another version, another text in some block.
    pub(crate) version: u64,
    /// The moment, for indexes and noisy footers.
    pub(crate) at: u64,
    pub(crate) naming: Naming,
}

/// Writes the page.
pub(crate) fn html(sheet: &Sheet<'_>) -> String {
    let links = graph::links(sheet.layout, sheet.spec, sheet.page, sheet.at);
    let mut out = String::with_capacity(sheet.spec.page_bytes as usize + 4_096);
    sheet.write_head(&mut out);
    if sheet.spec.boilerplate {
        sheet.write_navigation(&links, &mut out);
    }
    sheet.write_blocks(&links, &mut out);
    if sheet.spec.boilerplate {
        sheet.write_footer(&links, &mut out);
    }
    out.push_str("</body>\n</html>\n");
    out
}

impl Sheet<'_> {
    fn write_head(&self, out: &mut String) {
        out.push_str(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>",
        );
        self.write_title(out);
        out.push_str("</title>\n</head>\n<body>\n");
    }

    fn write_title(&self, out: &mut String) {
        let start = out.len();
        naming::title(self.layout, self.page).write_text(out);
        capitalise(out, start);
    }

    fn write_navigation(&self, links: &Links, out: &mut String) {
        out.push_str("<div class=\"cookies\">We use cookies to improve this site. By reading on you accept them.</div>\n<nav><ul>");
        for &link in &links.navigation {
            out.push_str("<li>");
            self.write_plain_link(link, out);
        }
        out.push_str("</ul></nav>\n<main>\n");
    }

    fn write_footer(&self, links: &Links, out: &mut String) {
        out.push_str("</main>\n<footer><p>All rights reserved. Imprint, privacy and terms apply. ");
        for &link in &links.footer {
            self.write_plain_link(link, out);
            out.push(' ');
        }
        if is_noisy(self.layout.seed, self.spec, self.page.host) {
            out.push_str("Page generated in hour ");
            write_number(self.at / 3_600_000_000, out);
            out.push_str(" for visitor ");
            write_number(self.at / 3_600_000_000 % 9_973, out);
            out.push('.');
        }
        out.push_str("</p></footer>\n");
    }

    fn write_blocks(&self, links: &Links, out: &mut String) {
        let mut draw = Draw::new(
            self.layout.seed,
            Purpose::Shape,
            u64::from(self.page.host),
            u64::MAX - self.page.page,
        );
        let own = self.layout.page_theme(self.page);
        let mixed = graph::mixed_theme(self.layout, self.spec, self.page);
        let blocks = if mixed.is_some() { 3 } else { 3 + draw.below(3) as usize };
        let density = 0.02 + 0.04 * draw.fraction();
        let has_noise = own != WANTED && draw.chance(0.15);
        out.push_str("<h1>");
        self.write_title(out);
        out.push_str("</h1>\n");
        let goal = (self.spec.page_bytes as usize).saturating_sub(200);
        let start = out.len().min(goal);
        for block in 0..blocks {
            let theme = if block == 1 { mixed.unwrap_or(own) } else { own };
            let range = |block: usize| links.body.len() * block / blocks;
            let held = &links.body[range(block)..range(block + 1)];
            let end = start + (goal - start) * (block + 1) / blocks;
            let prose = Prose::new(self.layout, theme, density, has_noise);
            self.write_block(block as u64, blocks as u64, &prose, held, end, out);
        }
    }

    fn write_block(
        &self,
        block: u64,
        blocks: u64,
        prose: &Prose<'_>,
        links: &[Destination],
        end: usize,
        out: &mut String,
    ) {
        let name = (u64::from(self.page.host) << 40) ^ (self.page.page << 3) ^ block;
        let mut draw =
            Draw::new(self.layout.seed, Purpose::Block, name, self.touched(block, blocks));
        let level = if block % 3 == 2 { '3' } else { '2' };
        out.push_str("<h");
        out.push(level);
        out.push('>');
        let start = out.len();
        prose.write_heading(&mut draw, out);
        capitalise(out, start);
        out.push_str("</h");
        out.push(level);
        out.push_str(">\n<p>");
        // A link takes about 110 bytes and a sentence about 95.
        let sentences = end.saturating_sub(out.len() + links.len() * 110) / 95;
        let gap = (sentences / links.len().max(1)).max(1);
        let mut written = 0;
        let mut waiting = links.iter();
        while out.len() < end {
            prose.write_sentence(&mut draw, out);
            written += 1;
            if written % gap == 0
                && let Some(&link) = waiting.next()
            {
                out.push_str("See ");
                self.write_link(link, &mut draw, out);
                out.push_str(". ");
            }
            if written % 6 == 0 && out.len() < end {
                out.push_str("</p>\n<p>");
            }
        }
        out.push_str("</p>\n");
        self.write_list(waiting.as_slice(), &mut draw, out);
    }

    /// The links that found no place in the prose.
    fn write_list(&self, links: &[Destination], draw: &mut Draw, out: &mut String) {
        if links.is_empty() {
            return;
        }
        out.push_str("<ul>\n");
        for &link in links {
            out.push_str("<li>");
            self.write_link(link, draw, out);
            out.push('\n');
        }
        out.push_str("</ul>\n");
    }

    /// The last version, up to the present one, that rewrote a block.
    fn touched(&self, block: u64, blocks: u64) -> u64 {
        let name = (u64::from(self.page.host) << 40) ^ self.page.page;
        let rewrites = |version: u64| {
            Draw::new(self.layout.seed, Purpose::Touch, name, u64::MAX - version).below(blocks)
        };
        // Beyond a few dozen versions every block was rewritten surely enough.
        let oldest = self.version.saturating_sub(48);
        (oldest + 1..=self.version)
            .rev()
            .find(|&version| rewrites(version) == block)
            .unwrap_or(oldest)
    }

    fn write_link(&self, link: Destination, draw: &mut Draw, out: &mut String) {
        out.push_str("<a href=\"");
        let is_relative = draw.chance(0.7);
        self.write_target(link, is_relative, out);
        if let Destination::Page(_) = link
            && self.spec.faults.decorated_links > 0.0
            && draw.chance(self.spec.faults.decorated_links)
        {
            write_decoration(draw, out);
        }
        out.push_str("\">");
        self.write_anchor(link, draw, out);
        out.push_str("</a>");
    }

    fn write_plain_link(&self, link: Destination, out: &mut String) {
        out.push_str("<a href=\"");
        self.write_target(link, true, out);
        out.push_str("\">");
        match link {
            Destination::Page(page) if page.page == 0 => out.push_str("Home"),
            Destination::Page(page) => {
                naming::title(self.layout, page).write_text(out);
            }
            Destination::Trap(_, trap) => trap.write_name(self.layout, out),
            Destination::Hostile(hostility) => out.push_str(hostility.slug()),
        }
        out.push_str("</a>");
    }

    fn write_target(&self, link: Destination, is_relative: bool, out: &mut String) {
        let host = host_of(self.layout, link);
        if host != self.page.host || !is_relative {
            naming::write_origin(self.layout, host, self.naming, out);
        }
        write_destination_path(self.layout, link, out);
    }

    fn write_anchor(&self, link: Destination, draw: &mut Draw, out: &mut String) {
        let Destination::Page(page) = link else {
            out.push_str("a special place");
            return;
        };
        if draw.chance(self.spec.telling_anchors) {
            naming::title(self.layout, page).write_text(out);
        } else if draw.chance(0.03) {
            out.push_str("about the ");
            out.push_str(draw.pick(&self.layout.themes[WANTED as usize].words));
        } else if draw.chance(0.5) {
            out.push_str("the ");
            out.push_str(draw.pick(ADJECTIVES));
            out.push(' ');
            out.push_str(draw.pick(PLACES));
        } else {
            out.push_str(draw.pick(VAGUE_ANCHORS));
        }
    }
}

/// The host that a link points at.
pub(crate) fn host_of(layout: &Layout, link: Destination) -> u32 {
    match link {
        Destination::Page(page) => page.host,
        Destination::Trap(host, _) => host,
        Destination::Hostile(hostility) => hostility.host(layout.hosts()),
    }
}

/// Appends the path that a link points at.
pub(crate) fn write_destination_path(layout: &Layout, link: Destination, out: &mut String) {
    match link {
        Destination::Page(page) => naming::write_path(layout, page, out),
        Destination::Trap(_, trap) => out.push_str(&trap.path()),
        Destination::Hostile(hostility) => out.push_str(&hostility.path()),
    }
}

/// Whether the footer of a host differs every hour.
pub(crate) fn is_noisy(seed: u64, spec: &Spec, host: u32) -> bool {
    let share = spec.change.noisy_hosts;
    share > 0.0 && Draw::new(seed, Purpose::HostTraits, u64::from(host), 2).chance(share)
}

/// What marketing hangs on a link: same page, other URL.
fn write_decoration(draw: &mut Draw, out: &mut String) {
    let start = out.rfind('"').unwrap_or(0);
    let joint = if out[start..].contains('?') { "&amp;" } else { "?" };
    match draw.below(4) {
        0 => out.push_str("#part-2"),
        1 => {
            out.push_str(joint);
            out.push_str("utm_source=newsletter&amp;utm_medium=mail");
        }
        2 => {
            out.push_str(joint);
            out.push_str("ref=sidebar");
        }
        _ => {
            out.push_str(joint);
            out.push_str("sid=");
            write_number(draw.below(1_000_000_000), out);
        }
    }
}

/// Makes the ASCII letter at `start` upper case.
fn capitalise(out: &mut String, start: usize) {
    if out.is_char_boundary(start)
        && let Some(first) = out[start..].chars().next()
        && first.is_ascii_lowercase()
    {
        out.replace_range(start..=start, first.to_ascii_uppercase().encode_utf8(&mut [0; 4]));
    }
}
