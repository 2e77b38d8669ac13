//! Where tags begin and end.
//!
//! Cuts HTML into text, start tags and end tags exactly as the tokenization
//! stage of the WHATWG standard does (section 13.2.5), without building any
//! of them: every token is a slice of the page. Comments, doctypes and
//! processing instructions are stepped over. Character references stay as
//! written (see `references`), names keep their case, and which elements hold
//! raw text is the caller's knowledge.
//!
//! Why not a tokenizer library: this is the hottest loop of the crawler, and
//! slicing between `memchr` hits is several times faster than a state machine
//! that visits and copies every byte. The tests hold it equal to `html5gum`.

use memchr::{memchr, memchr2, memmem};

/// A cursor over the text of a page.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// Inside SVG, where `<![CDATA[` opens a section instead of a comment.
    pub(crate) is_foreign: bool,
}

/// A piece of a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// Characters between tags, references undecoded. Never empty.
    Text(&'a str),
    /// `<name`: the caller reads or skips its attributes before the next token.
    Start(&'a str),
    /// `</name …>`.
    End(&'a str),
}

/// How a start tag ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TagEnd {
    /// `>`
    Open,
    /// `/>`, which means something only in SVG.
    SelfClosing,
    /// The page ended inside the tag: the standard drops the tag.
    Unfinished,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0, is_foreign: false }
    }

    /// The next piece, or `None` at the end of the page.
    pub(crate) fn next_token(&mut self) -> Option<Token<'a>> {
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() {
            let start = self.at;
            let open = self.find_markup(start);
            if open > start {
                self.at = open;
                return Some(Token::Text(&self.text[start..open]));
            }
            match bytes[open + 1] {
                b'/' => {
                    if let Some(name) = self.end_tag(open) {
                        return Some(Token::End(name));
                    }
                }
                b'!' => self.at = self.after_declaration(open + 2),
                b'?' => self.at = after(b'>', bytes, open + 2),
                _ => {
                    let name = self.name(open + 1);
                    return Some(Token::Start(name));
                }
            }
        }
        None
    }

    /// Hands the attributes of the start tag just met to `visit`, name and
    /// value as written, and steps behind the tag. Where an attribute is
    /// repeated the first counts; that is left to the visitor.
    #[inline]
    pub(crate) fn attributes(&mut self, mut visit: impl FnMut(&'a str, &'a str)) -> TagEnd {
        let bytes = self.text.as_bytes();
        let mut at = self.at;
        loop {
            at = skip_space(bytes, at);
            match bytes.get(at) {
                None => break,
                Some(b'>') => {
                    self.at = at + 1;
                    return TagEnd::Open;
                }
                Some(b'/') if bytes.get(at + 1) == Some(&b'>') => {
                    self.at = at + 2;
                    return TagEnd::SelfClosing;
                }
                Some(b'/') => {
                    at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let name_start = at;
            // The first character belongs to the name whatever it is, even `=`.
            at = skip_while(bytes, at + 1, |byte| !is_space(byte) && !b"/>=".contains(&byte));
            let name = &self.text[name_start..at];
            at = skip_space(bytes, at);
            if bytes.get(at) != Some(&b'=') {
                visit(name, "");
                continue;
            }
            at = skip_space(bytes, at + 1);
            let Some((value, next)) = self.value(at) else { break };
            visit(name, value);
            at = next;
        }
        self.at = bytes.len();
        TagEnd::Unfinished
    }

    /// Steps behind the start tag just met.
    #[inline]
    pub(crate) fn skip_attributes(&mut self) -> TagEnd {
        self.attributes(|_, _| {})
    }

    /// What stands between here and `</name`, which comes next.
    pub(crate) fn raw_text(&mut self, name: &str) -> &'a str {
        let start = self.at;
        let bytes = self.text.as_bytes();
        while let Some(found) = memchr(b'<', &bytes[self.at..]) {
            let open = self.at + found;
            if is_closing(bytes, open, name) {
                self.at = open;
                return &self.text[start..open];
            }
            self.at = open + 1;
        }
        self.at = bytes.len();
        &self.text[start..]
    }

    /// Steps over a script up to its `</script`. A script may hide that in a
    /// comment that opens another script ("double escaped", 13.2.5.15 on).
    pub(crate) fn skip_script(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(found) = memchr(b'<', &bytes[self.at..]) {
            let open = self.at + found;
            if is_closing(bytes, open, "script") {
                self.at = open;
                return;
            }
            self.at = open + 1;
            if bytes[open..].starts_with(b"<!--") && self.skip_escaped_script(open + 4) {
                return;
            }
        }
        self.at = bytes.len();
    }

    /// Everything that is left.
    pub(crate) fn rest(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        self.at = self.text.len();
        rest
    }

    /// From behind a script's `<!--` to behind its `-->` (false) or to the
    /// `</script` that ends the element (true).
    fn skip_escaped_script(&mut self, comment: usize) -> bool {
        let bytes = self.text.as_bytes();
        let mut at = comment;
        let mut is_double = false;
        while let Some(found) = memchr2(b'<', b'>', &bytes[at..]) {
            let here = at + found;
            at = here + 1;
            if bytes[here] == b'>' {
                if bytes[comment - 2..here].ends_with(b"--") {
                    self.at = at;
                    return false;
                }
            } else if is_closing(bytes, here, "script") {
                if !is_double {
                    self.at = here;
                    return true;
                }
                is_double = false;
            } else if is_named(bytes, here + 1, "script") {
                is_double = true;
            }
        }
        self.at = bytes.len();
        true
    }

    /// Position of the next `<` that opens markup, or the end of the page.
    #[inline]
    fn find_markup(&self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut from = start;
        while let Some(found) = memchr(b'<', &bytes[from..]) {
            let open = from + found;
            match bytes.get(open + 1) {
                Some(b'/') if open + 2 == bytes.len() => break,
                Some(b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!' | b'?') => return open,
                _ => from = open + 1,
            }
        }
        bytes.len()
    }

    /// Reads a tag's name and leaves the cursor behind it.
    #[inline]
    fn name(&mut self, start: usize) -> &'a str {
        let bytes = self.text.as_bytes();
        self.at = skip_while(bytes, start, |byte| !is_space(byte) && byte != b'/' && byte != b'>');
        &self.text[start..self.at]
    }

    /// Reads an end tag; `None` when it is none (`</>`, `</3`) or unfinished.
    fn end_tag(&mut self, open: usize) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        if !bytes[open + 2].is_ascii_alphabetic() {
            self.at = after(b'>', bytes, open + 2);
            return None;
        }
        let name = self.name(open + 2);
        if bytes.get(self.at) == Some(&b'>') {
            self.at += 1;
            return Some(name);
        }
        (self.skip_attributes() != TagEnd::Unfinished).then_some(name)
    }

    /// Position behind the declaration or comment whose `<!` ends at `at`.
    fn after_declaration(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let rest = &bytes[at..];
        if rest.starts_with(b"--") {
            return after_comment(bytes, at + 2);
        }
        if self.is_foreign && rest.starts_with(b"[CDATA[") {
            return memmem::find(rest, b"]]>").map_or(bytes.len(), |end| at + end + 3);
        }
        after(b'>', bytes, at)
    }

    /// The attribute value at `at` and the position behind it; `None` when the
    /// page ends inside it.
    #[inline]
    fn value(&self, at: usize) -> Option<(&'a str, usize)> {
        let bytes = self.text.as_bytes();
        match *bytes.get(at)? {
            quote @ (b'"' | b'\'') => {
                let end = at + 1 + memchr(quote, &bytes[at + 1..])?;
                Some((&self.text[at + 1..end], end + 1))
            }
            _ => {
                let end = skip_while(bytes, at, |byte| !is_space(byte) && byte != b'>');
                (end < bytes.len()).then(|| (&self.text[at..end], end))
            }
        }
    }
}

/// White space as tags know it.
#[inline]
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0C')
}

#[inline]
fn skip_space(bytes: &[u8], at: usize) -> usize {
    skip_while(bytes, at, is_space)
}

#[inline]
fn skip_while(bytes: &[u8], at: usize, holds: impl Fn(u8) -> bool) -> usize {
    let mut at = at;
    while at < bytes.len() && holds(bytes[at]) {
        at += 1;
    }
    at
}

/// Position behind the first `byte` at or after `from`, or the end.
fn after(byte: u8, bytes: &[u8], from: usize) -> usize {
    memchr(byte, &bytes[from..]).map_or(bytes.len(), |found| from + found + 1)
}

/// Position behind the comment whose `<!--` ends at `start`.
fn after_comment(bytes: &[u8], start: usize) -> usize {
    let mut from = start;
    while let Some(found) = memchr(b'>', &bytes[from..]) {
        let close = from + found;
        let inside = &bytes[start..close];
        // `<!-->` and `<!--->` are whole comments, and `--!>` ends one too.
        let is_end =
            matches!(inside, b"" | b"-") || inside.ends_with(b"--") || inside.ends_with(b"--!");
        if is_end {
            return close + 1;
        }
        from = close + 1;
    }
    bytes.len()
}

/// True when `</name` and a delimiter stand at `open`.
fn is_closing(bytes: &[u8], open: usize, name: &str) -> bool {
    bytes.get(open + 1) == Some(&b'/') && is_named(bytes, open + 2, name)
}

/// True when `name`, in any case, and a delimiter stand at `at`.
fn is_named(bytes: &[u8], at: usize, name: &str) -> bool {
    let end = at + name.len();
    bytes.get(at..end).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
        && bytes.get(end).is_some_and(|&byte| is_space(byte) || byte == b'/' || byte == b'>')
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
    use html5gum::{Span, Tokenizer};
    use proptest::prelude::*;

    use super::*;
    use crate::references::{Place, decode_attribute, decode_pieces};
    use crate::soup;

    /// The page as one line of tokens: `<a href="x">`, `</a>`, text.
    fn scan(page: &str) -> String {
        let mut scanner = Scanner::new(page);
        let mut line = String::new();
        while let Some(token) = scanner.next_token() {
            match token {
                Token::Text(raw) => decode_pieces(raw, Place::Text, |it| line.push_str(it)),
                Token::End(name) => line += &format!("⟨/{}⟩", name.to_ascii_lowercase()),
                Token::Start(name) => {
                    scan_start(&mut scanner, &name.to_ascii_lowercase(), &mut line);
                }
            }
        }
        line
    }

    fn scan_start(scanner: &mut Scanner<'_>, name: &str, line: &mut String) {
        let mut attributes = String::new();
        let end = scanner.attributes(|name, value| {
            let value = decode_attribute(value);
            attributes += &format!(" {}={value:?}", name.to_ascii_lowercase());
        });
        if end == TagEnd::Unfinished {
            return;
        }
        *line += &format!("⟨{name}{attributes}⟩");
        match name {
            "script" => {
                let start = scanner.at;
                scanner.skip_script();
                *line += &scanner.text[start..scanner.at];
            }
            "title" | "textarea" => {
                decode_pieces(scanner.raw_text(name), Place::Text, |it| line.push_str(it));
            }
            "style" | "iframe" | "xmp" | "noembed" | "noframes" | "noscript" => {
                *line += scanner.raw_text(name);
            }
            "plaintext" => *line += scanner.rest(),
            _ => {}
        }
    }

    /// The same line by the tokenizer of the standard.
    fn tokenize(page: &str) -> String {
        let mut line = String::new();
        let mut tag = String::new();
        let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            match event {
                CallbackEvent::OpenStartTag { name } => tag = format!("⟨{}", text(name)),
                CallbackEvent::AttributeName { name } => tag += &format!(" {}=\"\"", text(name)),
                CallbackEvent::AttributeValue { value } => {
                    tag.truncate(tag.len() - 2);
                    tag += &format!("{:?}", text(value));
                }
                CallbackEvent::CloseStartTag { .. } => line += &format!("{tag}⟩"),
                CallbackEvent::EndTag { name } => line += &format!("⟨/{}⟩", text(name)),
                CallbackEvent::String { value } => line += &text(value),
                CallbackEvent::Comment { .. }
                | CallbackEvent::Doctype { .. }
                | CallbackEvent::Error(_) => {}
            }
            None::<Infallible>
        });
        emitter.naively_switch_states(true);
        let Ok(()) = Tokenizer::new_with_emitter(page, emitter).finish();
        line
    }

    #[track_caller]
    fn check(page: &str, expected: &str) {
        assert_eq!(scan(page), expected, "{page:?}");
        assert_eq!(tokenize(page), expected, "{page:?} by the standard");
    }

    #[test]
    fn tags_are_found_however_they_are_written() {
        check("<P CLASS=a>x</p >", "⟨p class=\"a\"⟩x⟨/p⟩");
        check("<a b = 'c>d' e=f/g h/i j>", "⟨a b=\"c>d\" e=\"f/g\" h=\"\" i=\"\" j=\"\"⟩");
        check("<a =b=c d=>", "⟨a =b=\"c\" d=\"\"⟩");
        check("a < b <3 </> </3>c", "a < b <3  c");
    }

    #[test]
    fn a_tag_that_never_ends_is_dropped() {
        check("x<a href='y", "x");
        check("x<a", "x");
        check("x</a b", "x");
        check("x</", "x</");
        check("x<", "x<");
    }

    #[test]
    fn comments_end_where_browsers_end_them() {
        check("a<!-- > -- > -->b", "ab");
        check("a<!-->b<!--->c<!---->d", "abcd");
        check("a<!-- --!>b<!--!>c-->d", "abd");
        check("a<!-- b", "a");
        check("a<!x>b<?y>c<!doctype z>d", "abcd");
    }

    #[test]
    fn raw_text_ends_with_its_own_end_tag_only() {
        check("<style><p></styles></STYLE >x", "⟨style⟩<p></styles>⟨/style⟩x");
        check("<title>a<b>&amp;</title>", "⟨title⟩a<b>&⟨/title⟩");
        check("<xmp>a<b>&amp;", "⟨xmp⟩a<b>&amp;");
    }

    #[test]
    fn a_script_may_hide_its_end_tag_in_a_comment() {
        check(
            "<script><!--<script></script>--></script>x",
            "⟨script⟩<!--<script></script>-->⟨/script⟩x",
        );
        check("<script><!--</script>x", "⟨script⟩<!--⟨/script⟩x");
        check("<script><!--><script></script>x", "⟨script⟩<!--><script>⟨/script⟩x");
        check("<script><!--<script>x</script>", "⟨script⟩<!--<script>x</script>");
    }

    #[test]
    fn cdata_is_a_section_only_in_svg() {
        let page = "<![CDATA[a>b]]>c";
        check(page, "b]]>c");
        let mut scanner = Scanner::new(page);
        scanner.is_foreign = true;
        assert_eq!(scanner.next_token(), Some(Token::Text("c")));
    }

    proptest! {
        #[test]
        fn soup_is_cut_as_the_standard_says(page in soup::page()) {
            prop_assert_eq!(scan(&page), tokenize(&page));
        }

        #[test]
        fn markup_characters_are_cut_as_the_standard_says(
            page in "(<|>|/|!|-|\\?|=|\"|'|&|;|a|script|title| |b){0,60}"
        ) {
            prop_assert_eq!(scan(&page), tokenize(&page));
        }
    }
}
