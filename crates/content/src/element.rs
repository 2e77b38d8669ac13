//! What the reader must know of an element by its name.

use crate::folded::Gap;
use crate::scanner::Scanner;

/// Elements by what reading them takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    /// Nothing but what it holds; does not separate words.
    Inline,
    /// The same, but it cannot stand in SVG: `b`, `span`.
    Phrase,
    /// Separates words, but stands within a passage: `label`, `rt`.
    Annotation,
    /// `br`.
    LineBreak,
    /// Begins a passage, but its end tag is often left out: `p`, `hr`, `option`.
    Block,
    /// Begins a passage and ends what is left open inside it: `div`, `li`.
    Container,
    /// A cell or caption: a link left open in it ends with it.
    Cell,
    Row,
    Table,
    /// `h1` to `h6`, by level.
    Heading(u8),
    Anchor,
    Area,
    Image,
    Frame,
    InlineFrame,
    Html,
    Title,
    Base,
    LinkTag,
    Meta,
    Form,
    /// `input`, `select` or `button`: a named field of a form.
    Field,
    TextArea,
    Script,
    /// Raw text that no reader sees: `style`, `noembed`, `noframes`.
    HiddenRaw(&'static str),
    /// `xmp`: raw text that is shown.
    ShownRaw,
    /// `plaintext`: the rest of the page is raw text.
    Plaintext,
    /// Content that no reader sees until a script uses it.
    Template,
    Svg,
    /// `foreignObject`: HTML inside SVG.
    ForeignObject,
}

impl Element {
    /// The element of this name, spelt in any case.
    #[inline]
    pub(crate) fn named(name: &str) -> Element {
        let mut lowercase = [0; LONGEST];
        let Some(spelt) = lowercase.get_mut(..name.len()) else {
            return Element::Inline;
        };
        spelt.copy_from_slice(name.as_bytes());
        spelt.make_ascii_lowercase();
        Element::known(spelt)
    }

    #[rustfmt::skip]
    fn known(name: &[u8]) -> Element {
        match name {
            b"a" => Element::Anchor,
            b"b" | b"i" | b"em" | b"span" | b"strong" | b"small" | b"code" | b"s" | b"u" | b"tt"
                | b"sub" | b"sup" | b"var" | b"big" | b"strike" | b"nobr" | b"ruby"
                | b"embed" => Element::Phrase,
            b"label" | b"rt" | b"rp" => Element::Annotation,
            b"br" => Element::LineBreak,
            b"p" | b"hr" | b"option" | b"optgroup" | b"legend" | b"summary" => Element::Block,
            b"div" | b"li" | b"ul" | b"ol" | b"dl" | b"dt" | b"dd" | b"section" | b"article"
                | b"aside" | b"nav" | b"header" | b"footer" | b"main" | b"body" | b"head"
                | b"figure" | b"figcaption" | b"blockquote" | b"pre" | b"listing" | b"center"
                | b"address" | b"details" | b"dialog" | b"fieldset" | b"menu" | b"dir"
                | b"hgroup" | b"search" | b"noscript" => Element::Container,
            b"td" | b"th" | b"caption" => Element::Cell,
            b"tr" | b"tbody" | b"thead" | b"tfoot" => Element::Row,
            b"table" => Element::Table,
            b"h1" => Element::Heading(1),
            b"h2" => Element::Heading(2),
            b"h3" => Element::Heading(3),
            b"h4" => Element::Heading(4),
            b"h5" => Element::Heading(5),
            b"h6" => Element::Heading(6),
            b"area" => Element::Area,
            b"img" | b"image" => Element::Image,
            b"frame" => Element::Frame,
            b"iframe" => Element::InlineFrame,
            b"html" => Element::Html,
            b"title" => Element::Title,
            b"base" => Element::Base,
            b"link" => Element::LinkTag,
            b"meta" => Element::Meta,
            b"form" => Element::Form,
            b"input" | b"select" | b"button" => Element::Field,
            b"textarea" => Element::TextArea,
            b"script" => Element::Script,
            b"style" => Element::HiddenRaw("style"),
            b"noembed" => Element::HiddenRaw("noembed"),
            b"noframes" => Element::HiddenRaw("noframes"),
            b"xmp" => Element::ShownRaw,
            b"plaintext" => Element::Plaintext,
            b"template" => Element::Template,
            b"svg" => Element::Svg,
            b"foreignobject" => Element::ForeignObject,
            _ => Element::Inline,
        }
    }

    /// What ends where the element begins or ends: nothing, a word, a line, a passage.
    #[inline]
    pub(crate) fn gap(self) -> Gap {
        match self {
            Element::Inline
            | Element::Phrase
            | Element::Anchor
            | Element::Area
            | Element::Image
            | Element::Script
            | Element::Svg
            | Element::Template
            | Element::Meta
            | Element::LinkTag
            | Element::Base
            | Element::HiddenRaw(_) => Gap::None,
            Element::Annotation => Gap::Space,
            Element::LineBreak => Gap::Line,
            _ => Gap::Passage,
        }
    }

    /// True when it ends what is left open inside it.
    pub(crate) fn is_container(self) -> bool {
        matches!(self, Element::Container | Element::Cell | Element::Row | Element::Table)
    }

    /// True when it cannot stand in SVG, so that an `svg` left open must have
    /// ended before it (section 13.2.6.5).
    pub(crate) fn ends_svg(self) -> bool {
        self.is_container()
            || matches!(
                self,
                Element::Phrase
                    | Element::Annotation
                    | Element::LineBreak
                    | Element::Block
                    | Element::Heading(_)
                    | Element::Image
                    | Element::Meta
            )
    }

    /// Steps over content that is never markup and never shown. Returns false
    /// when the element has no such content.
    pub(crate) fn skip_hidden_content(self, scanner: &mut Scanner<'_>) -> bool {
        match self {
            Element::Script => scanner.skip_script(),
            Element::HiddenRaw(name) => drop(scanner.raw_text(name)),
            Element::InlineFrame => drop(scanner.raw_text("iframe")),
            Element::TextArea => drop(scanner.raw_text("textarea")),
            _ => return false,
        }
        true
    }
}

/// No name that means something to us is longer (`foreignobject`).
const LONGEST: usize = 13;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_any_case() {
        assert_eq!(Element::named("H3"), Element::Heading(3));
        assert_eq!(Element::named("foreignObject"), Element::ForeignObject);
        assert_eq!(Element::named("my-very-own-element"), Element::Inline);
        assert_eq!(Element::named("é"), Element::Inline);
    }
}
