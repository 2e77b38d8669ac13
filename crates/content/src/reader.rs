//! From the text of a page to its document, in one pass.
//!
//! Walks over the tags in document order and keeps a few counters instead of
//! a tree, so a page costs time in its length and memory in what is kept of
//! it, whatever its nesting. It reads as a browser without scripts does:
//! `noscript` is read as any other content; `template`, `textarea`, frames'
//! fallback and drawings (SVG) hold no text, though drawings may hold links
//! and name the link around them. Styles are not applied, so what CSS or the
//! `hidden` attribute hide is read.

use std::borrow::Cow;

use gannet_model::{Document, Form, FormMethod, Image, Link, LinkKind, PageUrl};

use crate::Limits;
use crate::attributes::Attributes;
use crate::element::Element;
use crate::head;
use crate::outline::Outline;
use crate::references::decode_attribute;
use crate::resolver::Resolver;
use crate::scanner::{Scanner, TagEnd, Token};

/// Reads the text of a page found at `url`.
pub(crate) fn read_text(url: &PageUrl, text: &str, limits: &Limits) -> Document {
    match Reader::new(url, text, limits, url.clone()).read() {
        Ok(document) => document,
        // The first `<base>` holds for the whole page, also for what stands before it.
        Err(LateBase(base)) => {
            let mut reader = Reader::new(url, text, limits, base.clone());
            reader.document.base = Some(base);
            reader.read().unwrap_or_else(|LateBase(_)| unreachable!("the base is known"))
        }
    }
}

/// The trail with one tag more: a byte for each of the last three.
fn trail(trail: u32, name: &str) -> u32 {
    let kind =
        name.bytes().fold(0_u8, |kind, byte| kind.rotate_left(3) ^ byte.to_ascii_lowercase());
    (trail << 8 | u32::from(kind)) & 0x00ff_ffff
}

/// The structure with one tag more.
fn structure(structure: u64, name: &str) -> u64 {
    let name = name
        .bytes()
        .fold(0_u64, |name, byte| name.rotate_left(8) ^ u64::from(byte.to_ascii_lowercase()));
    // An odd multiplier with its bits spread evenly: the golden ratio.
    (structure.rotate_left(5) ^ name).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A `<base>` came after references were resolved without it.
struct LateBase(PageUrl);

struct Reader<'a> {
    page: &'a PageUrl,
    limits: &'a Limits,
    scanner: Scanner<'a>,
    attributes: Attributes<'a>,
    resolver: Resolver,
    /// All of the document but its blocks and links, which are in `outline`.
    document: Document,
    outline: Outline<'a>,
    /// The form whose end tag has not come.
    form: Option<Form>,
    /// Tables around us.
    tables: usize,
    /// Templates around us: nothing in them counts.
    templates: usize,
    drawing: Drawing,
    /// The kinds of the last tags opened, those of links left out: see [`Link::trail`].
    trail: u32,
    late_base: Option<PageUrl>,
}

/// How deep in SVG we are. `foreignObject` leads back to HTML.
#[derive(Default)]
struct Drawing {
    svgs: usize,
    objects: usize,
    is_title: bool,
}

impl Drawing {
    fn is_open(&self) -> bool {
        self.svgs > self.objects
    }
}

impl<'a> Reader<'a> {
    fn new(page: &'a PageUrl, text: &'a str, limits: &'a Limits, base: PageUrl) -> Reader<'a> {
        Reader {
            page,
            limits,
            scanner: Scanner::new(text),
            attributes: Attributes::default(),
            resolver: Resolver::new(base),
            document: Document::default(),
            outline: Outline::new(limits, text.len()),
            form: None,
            tables: 0,
            templates: 0,
            drawing: Drawing::default(),
            trail: 0,
            late_base: None,
        }
    }

    fn read(mut self) -> Result<Document, LateBase> {
        while let Some(token) = self.scanner.next_token() {
            match token {
                Token::Text(raw) => self.text(raw),
                Token::Start(name) => {
                    let element = Element::named(name);
                    if element != Element::Anchor {
                        self.trail = trail(self.trail, name);
                    }
                    self.document.structure = structure(self.document.structure, name);
                    self.start(element);
                }
                Token::End(name) => self.end(Element::named(name)),
            }
            if let Some(base) = self.late_base.take() {
                return Err(LateBase(base));
            }
        }
        self.close_form();
        let mut document = self.document;
        (document.blocks, document.links, document.notes) = self.outline.finish();
        document.base.get_or_insert_with(|| self.page.clone());
        Ok(document)
    }

    #[inline]
    fn text(&mut self, raw: &str) {
        if self.templates > 0 {
            return;
        }
        if !self.drawing.is_open() {
            self.outline.add_text(raw);
        } else if self.drawing.is_title {
            self.outline.add_alternative(&decode_attribute(raw));
        }
    }

    fn start(&mut self, element: Element) {
        let end = match element {
            Element::Inline
            | Element::Phrase
            | Element::Annotation
            | Element::LineBreak
            | Element::Block
            | Element::Container
            | Element::Row => self.scanner.skip_attributes(),
            _ => self.attributes.read(&mut self.scanner),
        };
        if end == TagEnd::Unfinished {
            return;
        }
        if self.drawing.is_open() && !element.ends_svg() {
            self.start_in_drawing(element, end);
            return;
        }
        self.drawing = Drawing { is_title: false, ..self.drawing };
        if self.drawing.is_open() {
            self.drawing = Drawing::default();
            self.scanner.is_foreign = false;
        }
        if self.templates > 0 {
            self.start_in_template(element);
            return;
        }
        self.outline.separate(element.gap());
        self.start_visible(element, end);
        element.skip_hidden_content(&mut self.scanner);
    }

    fn start_visible(&mut self, element: Element, end: TagEnd) {
        match element {
            Element::Container => self.outline.open_container(),
            Element::Cell | Element::Row => {
                self.outline.open_container();
                self.outline.cross_cell(self.tables);
            }
            Element::Table => {
                self.outline.open_container();
                self.tables += 1;
            }
            Element::Heading(level) => self.outline.open_heading(level),
            Element::Anchor => self.anchor(),
            Element::Area => self.bare_link(LinkKind::Area, "href"),
            Element::Frame | Element::InlineFrame => self.bare_link(LinkKind::Frame, "src"),
            Element::Image => self.image(),
            Element::Form => self.open_form(),
            Element::Field | Element::TextArea => self.field(),
            Element::Template => self.templates += 1,
            Element::Svg => self.open_svg(end),
            Element::ShownRaw => {
                let raw = self.scanner.raw_text("xmp");
                self.outline.add_raw_text(raw);
            }
            Element::Plaintext => {
                let rest = self.scanner.rest();
                self.outline.add_raw_text(rest);
            }
            Element::Title => {
                let raw = self.scanner.raw_text("title");
                head::set_title(&mut self.document, raw);
            }
            Element::Html => head::set_language(&mut self.document, &self.attributes),
            Element::Base => self.base(),
            Element::Meta => {
                head::add_meta(&mut self.document, &self.attributes, &mut self.resolver);
            }
            Element::LinkTag => self.link_tag(),
            Element::Inline
            | Element::Phrase
            | Element::Annotation
            | Element::LineBreak
            | Element::Block
            | Element::Script
            | Element::HiddenRaw(_)
            | Element::ForeignObject => {}
        }
    }

    #[inline]
    fn end(&mut self, element: Element) {
        if self.drawing.svgs > 0 {
            self.end_in_drawing(element);
        }
        if self.templates > 0 {
            self.templates -= usize::from(element == Element::Template);
            return;
        }
        if self.drawing.is_open() && element != Element::Anchor {
            return;
        }
        self.outline.separate(element.gap());
        match element {
            Element::Anchor => self.outline.close_anchor(),
            Element::Heading(_) => self.outline.close_heading(),
            Element::Container => self.outline.close_container(),
            Element::Cell | Element::Row => {
                self.outline.cross_cell(self.tables);
                self.outline.close_container();
            }
            Element::Table => {
                self.outline.cross_cell(self.tables);
                self.outline.close_container();
                self.tables = self.tables.saturating_sub(1);
            }
            Element::Form => self.close_form(),
            _ => {}
        }
    }

    /// Markup in a template must still be stepped over correctly.
    fn start_in_template(&mut self, element: Element) {
        self.templates += usize::from(element == Element::Template);
        match element {
            Element::Title => drop(self.scanner.raw_text("title")),
            Element::ShownRaw => drop(self.scanner.raw_text("xmp")),
            _ => drop(element.skip_hidden_content(&mut self.scanner)),
        }
    }

    fn open_svg(&mut self, end: TagEnd) {
        if end == TagEnd::Open {
            self.drawing.svgs += 1;
            self.scanner.is_foreign = true;
        }
    }

    /// In SVG nothing is raw text, and only links and titles concern us.
    fn start_in_drawing(&mut self, element: Element, end: TagEnd) {
        match element {
            Element::Svg => self.open_svg(end),
            Element::ForeignObject if end == TagEnd::Open => {
                self.drawing.objects += 1;
                self.scanner.is_foreign = false;
            }
            Element::Title => self.drawing.is_title = end == TagEnd::Open,
            Element::Anchor if self.templates == 0 && end == TagEnd::Open => self.anchor(),
            _ => {}
        }
    }

    fn end_in_drawing(&mut self, element: Element) {
        match element {
            Element::Svg => {
                self.drawing.svgs -= 1;
                self.drawing.objects = self.drawing.objects.min(self.drawing.svgs);
            }
            Element::ForeignObject => {
                self.drawing.objects = self.drawing.objects.saturating_sub(1);
            }
            _ => {}
        }
        self.drawing.is_title = false;
        self.scanner.is_foreign = self.drawing.is_open();
    }

    fn anchor(&mut self) {
        let reference = match self.attributes.get("href") {
            None if self.drawing.is_open() => self.attributes.get("xlink:href"),
            reference => reference,
        };
        match self.link(LinkKind::Anchor, reference) {
            Some(link) => {
                let label = self.attributes.words("aria-label");
                self.outline.open_anchor(link, &label, self.tables);
            }
            // Even an `<a>` that leads nowhere ends the one before it.
            None => self.outline.close_anchor(),
        }
    }

    /// A link that has no words of its own.
    fn bare_link(&mut self, kind: LinkKind, source: &str) {
        let reference = self.attributes.get(source);
        if let Some(mut link) = self.link(kind, reference) {
            link.anchor = self.attributes.words("alt");
            self.outline.add_link(link);
        }
    }

    fn link(&mut self, kind: LinkKind, reference: Option<Cow<'a, str>>) -> Option<Link> {
        let url = self.resolver.resolve_link(&reference?)?;
        Some(Link {
            url,
            anchor: String::new(),
            title: self.attributes.words("title"),
            rel: head::rel(&self.attributes),
            kind,
            block: 0,
            span: (0, 0),
            trail: self.trail,
        })
    }

    fn image(&mut self) {
        let alt = self.attributes.words("alt");
        self.outline.add_alternative(&alt);
        if self.document.images.len() >= self.limits.max_images {
            self.outline.note_cut("images");
            return;
        }
        // Pages that load images late keep the address elsewhere until a script runs.
        let sources = [self.attributes.get("src"), self.attributes.get("data-src")];
        let url =
            sources.into_iter().flatten().find_map(|source| self.resolver.resolve_link(&source));
        if let Some(url) = url {
            self.document.images.push(Image { url, alt, block: self.outline.block() });
        }
    }

    fn base(&mut self) {
        let Some(href) = self.attributes.get("href") else { return };
        if self.document.base.is_some() {
            return;
        }
        // A base that is no address of a page counts as the first all the same.
        let base = self.page.join(&href).unwrap_or_else(|_| self.page.clone());
        if self.resolver.is_used() && base != *self.page {
            self.late_base = Some(base);
            return;
        }
        self.resolver = Resolver::new(base.clone());
        self.document.base = Some(base);
    }

    fn link_tag(&mut self) {
        let Some(role) = head::link_role(&self.attributes) else { return };
        let Some(href) = self.attributes.get("href") else { return };
        match role {
            head::LinkRole::Canonical => {
                let url = self.resolver.resolve(&href);
                self.document.canonical = self.document.canonical.take().or(url);
            }
            head::LinkRole::Stylesheet if self.document.stylesheets.len() < MOST_STYLESHEETS => {
                self.document.stylesheets.extend(self.resolver.resolve_link(&href));
            }
            head::LinkRole::Stylesheet => self.outline.note_cut("stylesheets"),
            head::LinkRole::Follow => {
                if let Some(link) = self.link(LinkKind::Head, Some(href)) {
                    self.outline.add_link(link);
                }
            }
        }
    }

    /// A form inside a form is ignored, as the standard has it.
    fn open_form(&mut self) {
        if self.form.is_some() {
            return;
        }
        if self.document.forms.len() >= self.limits.max_forms {
            self.outline.note_cut("forms");
            return;
        }
        let method = match self.attributes.get("method") {
            Some(method) if method.eq_ignore_ascii_case("post") => FormMethod::Post,
            // It closes a dialog and sends nothing.
            Some(method) if method.eq_ignore_ascii_case("dialog") => return,
            _ => FormMethod::Get,
        };
        let action = match self.attributes.get("action") {
            Some(action) if !action.trim_ascii().is_empty() => self.resolver.resolve(&action),
            _ => Some(self.page.clone()),
        };
        self.form = action.map(|action| Form { action, method, fields: Vec::new() });
    }

    fn field(&mut self) {
        let Some(form) = &mut self.form else { return };
        let Some(name) = self.attributes.get("name").filter(|name| !name.is_empty()) else {
            return;
        };
        if form.fields.len() < self.limits.max_fields {
            form.fields.push(name.into_owned());
        } else {
            self.outline.note_cut("fields");
        }
    }

    fn close_form(&mut self) {
        self.document.forms.extend(self.form.take());
    }
}

/// Style sheets kept of one page; more than a browser would load.
const MOST_STYLESHEETS: usize = 1000;
