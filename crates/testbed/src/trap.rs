//! Places without end or without worth: a calendar, a maze of session ids, a mirror.

mod calendar;
mod maze;
mod mirror;

use std::fmt::Write;

use crate::draw::{Draw, Purpose};
use crate::layout::{Layout, WANTED};
use crate::prose::Prose;
use crate::spec::Faults;
use calendar::Month;
use maze::Room;
use mirror::Double;

/// A page of a trap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trap {
    /// Months without end, of no use to anybody.
    Calendar(Month),
    /// The same few pages under ever new addresses.
    Maze(Room),
    /// One page, ten thousand times.
    Mirror(Double),
}

/// Sentences of a page that pretends to be about the topic.
const SENTENCES: usize = 40;
/// The share of its words that are the topic's: as much as an honest article has.
const DENSITY: f64 = 0.05;

impl Trap {
    /// Where the navigation of a host enters its traps.
    pub(crate) fn entrances(seed: u64, faults: &Faults, host: u32) -> impl Iterator<Item = Trap> {
        let all = [
            (Trap::Calendar(Month::FIRST), faults.trap_hosts),
            (Trap::Maze(Room::FIRST), faults.maze_hosts),
            (Trap::Mirror(Double::FIRST), faults.mirror_hosts),
        ];
        (0..).zip(all).filter_map(move |(kind, (entrance, share))| {
            let mut draw = Draw::new(seed, Purpose::Trap, u64::from(host), kind);
            (share > 0.0 && draw.chance(share)).then_some(entrance)
        })
    }

    /// The trap of a host that has this address.
    pub(crate) fn read(
        seed: u64,
        faults: &Faults,
        host: u32,
        path_and_query: &str,
    ) -> Option<Trap> {
        Trap::entrances(seed, faults, host).find_map(|entrance| match entrance {
            Trap::Calendar(_) => Month::read(path_and_query).map(Trap::Calendar),
            Trap::Maze(_) => Room::read(path_and_query).map(Trap::Maze),
            Trap::Mirror(_) => Double::read(path_and_query).map(Trap::Mirror),
        })
    }

    pub(crate) fn path(self) -> String {
        match self {
            Trap::Calendar(month) => month.path(),
            Trap::Maze(room) => room.path(),
            Trap::Mirror(copy) => copy.path(),
        }
    }

    /// What a link to its entrance says.
    pub(crate) fn write_name(self, layout: &Layout, out: &mut String) {
        match self {
            Trap::Calendar(_) => out.push_str("Calendar"),
            Trap::Maze(_) => write_anchor("guide to", layout, 0, out),
            Trap::Mirror(_) => write_anchor("library of", layout, 1, out),
        }
    }

    /// Where this page leads.
    pub(crate) fn links(self) -> Vec<Trap> {
        match self {
            Trap::Calendar(month) => month.links().map(Trap::Calendar).to_vec(),
            Trap::Maze(room) => room.links().map(Trap::Maze).collect(),
            Trap::Mirror(copy) => copy.links().map(Trap::Mirror).collect(),
        }
    }

    pub(crate) fn html(self, layout: &Layout) -> String {
        let (name, text, remark) = match self {
            Trap::Calendar(month) => return month.html(),
            Trap::Maze(room) => ("guide to", room.text(), room.remark()),
            Trap::Mirror(copy) => ("library of", u64::MAX, copy.remark()),
        };
        let mut out = String::from("<!doctype html><title>");
        write_anchor(name, layout, text, &mut out);
        out.push_str("</title><h1>");
        write_anchor(name, layout, text, &mut out);
        out.push_str("</h1><p>");
        let prose = Prose::new(layout, WANTED, DENSITY, false);
        let mut draw = Draw::new(layout.seed, Purpose::Trap, text, 2);
        for _ in 0..SENTENCES {
            prose.write_sentence(&mut draw, &mut out);
        }
        // Writing to a string cannot fail.
        let _ = write!(out, "</p><p>{remark}</p><ul>");
        for (number, next) in (0..).zip(self.links()) {
            let _ = write!(out, "<li><a href=\"{}\">", next.path());
            write_anchor("more of", layout, number, &mut out);
            out.push_str("</a>");
        }
        out.push_str("</ul>");
        out
    }
}

/// Words of a link that promise the topic.
fn write_anchor(opening: &str, layout: &Layout, number: u64, out: &mut String) {
    let words = &layout.themes[WANTED as usize].words;
    let at = usize::try_from(number).unwrap_or(0) % words.len();
    out.push_str(opening);
    out.push(' ');
    out.push_str(words[at]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    #[test]
    fn a_trap_is_read_where_it_stands_and_copies_differ_little() {
        let spec = Spec::traps();
        let layout = Layout::new(&spec);
        let of = |host| Trap::entrances(spec.seed, &spec.faults, host).collect::<Vec<_>>();
        let all: Vec<(u32, Trap)> = (0..spec.hosts)
            .flat_map(|host| of(host).into_iter().map(move |trap| (host, trap)))
            .collect();
        for (host, entrance) in &all {
            let next = entrance.links()[0];
            let read = Trap::read(spec.seed, &spec.faults, *host, &next.path());
            assert_eq!(read, Some(next));
            let lengths = [entrance.html(&layout).len(), next.html(&layout).len()];
            assert!(lengths[0].abs_diff(lengths[1]) < 400, "{lengths:?}");
        }
        let has = |wanted: fn(&Trap) -> bool| all.iter().any(|(_, trap)| wanted(trap));
        assert!(has(|trap| matches!(trap, Trap::Calendar(_))));
        assert!(has(|trap| matches!(trap, Trap::Maze(_))));
        assert!(has(|trap| matches!(trap, Trap::Mirror(_))));
        let honest = Spec::default();
        assert_eq!(Trap::read(1, &honest.faults, 0, &Trap::Mirror(Double::FIRST).path()), None);
    }
}
