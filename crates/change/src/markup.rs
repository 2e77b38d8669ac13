//! The start tags and texts of a page, each with the element it stands in.
//!
//! For detectors that look at how a page is built. One pass of the tokenizer, in time linear in
//! the page and without recursion, so tags nested a million deep do no harm. It is no HTML parser:
//! an end tag closes the nearest open element of its name and all within it, one that closes
//! nothing is passed over, and ends that authors leave out (`<li>`, `<p>`) are not guessed, so what
//! follows nests. Void elements hold nothing; `<x/>` holds nothing within `svg` and `math`.

use std::collections::HashMap;
use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

/// What [`walk`] finds on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark<'a> {
    /// A start tag.
    Element(Element<'a>),
    /// Text for readers: what scripts, style sheets and fallbacks hold is left out.
    Text {
        /// The number of the element it stands in directly; 0 is the page.
        within: u32,
        /// What it says.
        text: &'a str,
    },
}

/// An element, known by its start tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element<'a> {
    /// Its place among the start tags of the page, from 1.
    pub(crate) number: u32,
    /// The number of the element around it; 0 is the page.
    pub(crate) parent: u32,
    /// How many elements are around it.
    pub(crate) level: u32,
    /// Its name in lower case, never empty.
    pub(crate) name: &'a str,
}

/// Walks over `html` once and hands everything to `take`, in document order.
pub(crate) fn walk(html: &str, mut take: impl FnMut(Mark<'_>)) {
    let mut nesting = Nesting::default();
    let mut name = Vec::new();
    let mut emitter = CallbackEvents::new(|event: CallbackEvent<'_>, _: Span<()>| {
        match event {
            CallbackEvent::OpenStartTag { name: opened } => {
                name.clear();
                name.extend_from_slice(opened);
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                let (number, parent, level) = nesting.open(&name, self_closing);
                let name = &String::from_utf8_lossy(&name);
                take(Mark::Element(Element { number, parent, level, name }));
            }
            CallbackEvent::EndTag { name } => nesting.close(name),
            CallbackEvent::String { value } if nesting.is_read() => {
                let text = &String::from_utf8_lossy(value);
                take(Mark::Text { within: nesting.innermost(), text });
            }
            _ => {}
        }
        None
    });
    emitter.naively_switch_states(true);
    let Ok(()) = Tokenizer::new_with_emitter(html, emitter).finish();
}

/// Reports through a callback, and yields no tokens of its own.
type CallbackEvents<F> = CallbackEmitter<F, Infallible>;

/// The elements that are open, and which end tags can close one.
#[derive(Default)]
struct Nesting {
    /// Open elements from the outermost inward: number and kind.
    open: Vec<(u32, usize)>,
    /// Every name seen, with its place in `kinds`.
    names: HashMap<Box<[u8]>, usize>,
    kinds: Vec<Kind>,
    /// Start tags so far. A page of the 12 GB it takes to overflow is never read.
    count: u32,
    /// Open elements that are not [`Content::Html`].
    foreign: u32,
    unread: u32,
}

/// What is known of all elements of a name.
struct Kind {
    content: Content,
    /// How many are open. A page full of end tags that close nothing would otherwise take
    /// quadratic time: each would search all that is open.
    open: u32,
}

/// What elements of a kind hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Text and elements.
    Html,
    /// Nothing.
    Void,
    /// Another vocabulary, in which `<x/>` is a whole element.
    Foreign,
    /// Nothing that a reader sees.
    Unread,
}

impl Content {
    fn of(name: &[u8]) -> Content {
        match name {
            b"area" | b"base" | b"br" | b"col" | b"embed" | b"hr" | b"img" | b"input" | b"link"
            | b"meta" | b"param" | b"source" | b"track" | b"wbr" => Content::Void,
            b"svg" | b"math" => Content::Foreign,
            b"script" | b"style" | b"noscript" | b"iframe" | b"noembed" | b"noframes" => {
                Content::Unread
            }
            _ => Content::Html,
        }
    }
}

impl Nesting {
    /// Opens an element and returns its number, its parent's number and its level.
    fn open(&mut self, name: &[u8], is_self_closing: bool) -> (u32, u32, u32) {
        self.count = self.count.saturating_add(1);
        let (number, parent, level) = (self.count, self.innermost(), self.open.len() as u32);
        let kind = self.kind(name);
        let content = self.kinds[kind].content;
        let is_foreign = self.foreign > 0 || content == Content::Foreign;
        if content == Content::Void || (is_foreign && is_self_closing) {
            return (number, parent, level);
        }
        self.open.push((number, kind));
        self.kinds[kind].open += 1;
        self.foreign += u32::from(content == Content::Foreign);
        self.unread += u32::from(content == Content::Unread);
        (number, parent, level)
    }

    /// Closes the nearest element of this name and all within it.
    fn close(&mut self, name: &[u8]) {
        let Some(&wanted) = self.names.get(name) else { return };
        if self.kinds[wanted].open == 0 {
            return;
        }
        while let Some((_, kind)) = self.open.pop() {
            self.kinds[kind].open -= 1;
            self.foreign -= u32::from(self.kinds[kind].content == Content::Foreign);
            self.unread -= u32::from(self.kinds[kind].content == Content::Unread);
            if kind == wanted {
                return;
            }
        }
    }

    fn kind(&mut self, name: &[u8]) -> usize {
        if let Some(&kind) = self.names.get(name) {
            return kind;
        }
        let kind = self.kinds.len();
        self.kinds.push(Kind { content: Content::of(name), open: 0 });
        self.names.insert(name.into(), kind);
        kind
    }

    /// The number of the innermost open element; 0 is the page.
    fn innermost(&self) -> u32 {
        self.open.last().map_or(0, |&(number, _)| number)
    }

    fn is_read(&self) -> bool {
        self.unread == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Elements as `parent/level name`, texts as `within:text`.
    #[track_caller]
    fn check(html: &str, expected: &[&str]) {
        let mut found = Vec::new();
        walk(html, |mark| {
            found.push(match mark {
                Mark::Element(Element { parent, level, name, .. }) => {
                    format!("{parent}/{level} {name}")
                }
                Mark::Text { within, text } => format!("{within}:{text}"),
            });
        });
        assert_eq!(found, expected, "{html}");
    }

    #[test]
    fn elements_stand_within_those_still_open() {
        check("<A><b>x</b>y</a>z", &["0/0 a", "1/1 b", "2:x", "1:y", "0:z"]);
        check("<p>1<p>2", &["0/0 p", "1:1", "1/1 p", "2:2"]);
    }

    #[test]
    fn an_end_tag_closes_what_its_element_left_open_and_nothing_if_there_is_none() {
        check("<a><b><i></a><u>", &["0/0 a", "1/1 b", "2/2 i", "0/0 u"]);
        check("<a></b></br><i>", &["0/0 a", "1/1 i"]);
    }

    #[test]
    fn void_elements_have_no_children() {
        check("<p>a<br>b<img/>c", &["0/0 p", "1:a", "1/1 br", "1:b", "1/1 img", "1:c"]);
    }

    #[test]
    fn a_slash_closes_an_element_in_foreign_content_alone() {
        check("<svg><path/><g/></svg><i/><b>", &["0/0 svg", "1/1 path", "1/1 g", "0/0 i", "4/1 b"]);
        check("<svg/><b>", &["0/0 svg", "0/0 b"]);
    }

    #[test]
    fn scripts_and_comments_are_not_text() {
        check("<script>if (a<b) {}</script><!-- <i> -->t&amp;", &["0/0 script", "0:t&"]);
        check("<title>a<b></title>", &["0/0 title", "1:a<b>"]);
    }

    #[test]
    fn an_unfinished_tag_is_no_element() {
        check("a<b", &["0:a"]);
        check("a<b c", &["0:a"]);
        check("", &[]);
    }

    #[test]
    fn end_tags_that_close_nothing_take_linear_time() {
        let html = "<b>".repeat(50_000) + "<i></i>" + &"</i>".repeat(50_000);
        let mut count = 0;
        walk(&html, |_| count += 1);
        assert_eq!(count, 50_001);
    }
}
