//! XML that is a list of records, as broken as the web writes it.
//!
//! RSS, Atom and sitemaps are all lists of records with named fields. This
//! reads them one by one and forgives what it can: end tags that do not match,
//! unescaped markup inside a field, `&` alone, names in another case,
//! namespaces that are missing or wrong. Where the XML ends in the middle, or
//! cannot be read on, the fields complete so far are given and the list counts
//! as broken. Entities that the document itself declares are never expanded,
//! so no document can grow.
//!
//! The crate `feed-rs` was tried instead: on a published suite of 2,107 feeds
//! it refused 428, panicked on two, and gave nothing of a feed whose last
//! bytes are missing.

use std::borrow::Cow;

use gannet_model::PageUrl;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::namespaces::{Namespaces, Vocabulary};
use crate::references::{Place, decode_attribute, decode_pieces};

/// Which records to read, and which of their fields. Names in lower case.
#[derive(Debug)]
pub(crate) struct Form {
    pub(crate) records: &'static [&'static str],
    pub(crate) fields: &'static [&'static str],
}

/// One record of the list.
#[derive(Debug)]
pub(crate) struct Record {
    /// What its addresses resolve against (`xml:base`).
    pub(crate) base: PageUrl,
    /// Its `rdf:about`, if it has one.
    pub(crate) about: Option<String>,
    /// In the order they stand.
    pub(crate) fields: Vec<Field>,
    /// Text that stands in no field.
    pub(crate) text: String,
}

/// A field of a record.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) vocabulary: Vocabulary,
    /// As spelt in the form.
    pub(crate) name: &'static str,
    pub(crate) text: String,
    attributes: Vec<(String, String)>,
}

impl Field {
    /// The value of this attribute, named in lower case.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Reads records from a text.
pub(crate) struct Records<'t> {
    xml: Reader<&'t [u8]>,
    form: &'static Form,
    namespaces: Namespaces,
    /// Elements around us that have not ended.
    depth: usize,
    /// Where the document is.
    document: PageUrl,
    /// What addresses resolve against instead (`xml:base`), and from which depth on.
    bases: Vec<(usize, PageUrl)>,
    /// A record that began before the one before it ended.
    held: Option<BytesStart<'t>>,
    root: String,
    is_broken: bool,
}

/// An element within a record whose end tag has not come.
struct Open {
    /// Its name as written, by which its end is known.
    name: String,
    /// Elements of the same name inside it.
    nested: usize,
    /// What it says; `None` when it is not wanted.
    field: Option<Field>,
}

/// Bytes kept of one field. No address, date or headline is longer.
const MOST_FIELD_BYTES: usize = 8192;

/// Fields kept of one record.
const MOST_FIELDS: usize = 64;

/// Attributes looked at in one tag.
const MOST_ATTRIBUTES: usize = 32;

/// Attributes of fields that say something about an address.
const ATTRIBUTES: [&str; 5] = ["href", "rel", "type", "ispermalink", "xml:base"];

impl<'t> Records<'t> {
    /// Opens the list. `None` when the text has no element at all.
    pub(crate) fn open(text: &'t str, base: &PageUrl, form: &'static Form) -> Option<Records<'t>> {
        let mut xml = Reader::from_str(text);
        let config = xml.config_mut();
        config.expand_empty_elements = true;
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        let mut records = Records {
            xml,
            form,
            namespaces: Namespaces::default(),
            depth: 0,
            document: base.clone(),
            bases: Vec::new(),
            held: None,
            root: String::new(),
            is_broken: false,
        };
        let root = loop {
            match records.piece()? {
                Piece::Start(tag) => break tag,
                Piece::End(_) | Piece::Text(_) => {}
            }
        };
        records.namespaces.set_root(root.name().into_inner());
        records.root = local_name(root.name().into_inner()).to_ascii_lowercase();
        Some(records)
    }

    /// Name of the root element without prefix, in lower case.
    pub(crate) fn root(&self) -> &str {
        &self.root
    }

    /// Namespaces declared so far.
    pub(crate) fn namespaces(&self) -> &Namespaces {
        &self.namespaces
    }

    /// True when the text could not be read to its end, or ended too soon.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// The next record, with those of its fields that are complete.
    pub(crate) fn next_record(&mut self) -> Option<Record> {
        if let Some(tag) = self.held.take() {
            return Some(self.read_record(&tag));
        }
        loop {
            match self.piece()? {
                Piece::Start(tag) if self.is_record(&tag) => return Some(self.read_record(&tag)),
                _ => {}
            }
        }
    }

    fn read_record(&mut self, start: &BytesStart<'t>) -> Record {
        let depth = self.depth;
        let name = start.name().into_inner();
        let mut record = Record {
            base: self.base().clone(),
            about: attributes(start).find(|(name, _)| local_name(name) == "about").map(|it| it.1),
            fields: Vec::new(),
            text: String::new(),
        };
        let mut open: Option<Open> = None;
        while let Some(piece) = self.piece() {
            match piece {
                Piece::Start(tag) if self.is_record(&tag) => {
                    self.held = Some(tag);
                    break;
                }
                Piece::Start(tag) => self.open_element(&tag, &mut open, &mut record),
                Piece::End(ended) if ended == name => break,
                Piece::End(ended) => close_element(&ended, &mut open, &mut record),
                Piece::Text(text) => match &mut open {
                    Some(Open { field: Some(field), .. }) => append(&mut field.text, &text),
                    Some(_) => {}
                    None => append(&mut record.text, &text),
                },
            }
        }
        // Whatever was left open inside it has ended too.
        let is_followed = self.held.is_some();
        self.leave_to(if is_followed { depth } else { depth - 1 });
        record
    }

    fn open_element(&self, tag: &BytesStart<'t>, open: &mut Option<Open>, record: &mut Record) {
        let name = tag.name().into_inner();
        let field = self.wanted(tag);
        if let Some(outer) = open {
            // A field begins inside another: the other's end tag is missing.
            let is_interrupted = outer.field.is_some() && field.is_some();
            if !is_interrupted {
                outer.nested += usize::from(outer.name == name);
                return;
            }
            keep(outer.field.take(), record);
        }
        *open = Some(Open { name: name.to_owned(), nested: 0, field });
    }

    /// The field that a tag begins, if the form asks for it.
    fn wanted(&self, tag: &BytesStart<'t>) -> Option<Field> {
        let name = tag.name().into_inner();
        let vocabulary = self.namespaces.vocabulary(name);
        let local = local_name(name);
        let known = self.form.fields.iter().find(|known| known.eq_ignore_ascii_case(local))?;
        if vocabulary == Vocabulary::Other {
            return None;
        }
        let telling = attributes(tag).filter(|(name, _)| ATTRIBUTES.contains(&name.as_str()));
        let attributes = telling.collect();
        Some(Field { vocabulary, name: known, text: String::new(), attributes })
    }

    fn is_record(&self, tag: &BytesStart<'_>) -> bool {
        let name = tag.name().into_inner();
        let is_named =
            self.form.records.iter().any(|known| known.eq_ignore_ascii_case(local_name(name)));
        is_named && self.namespaces.vocabulary(name) != Vocabulary::Other
    }

    /// What comes next; `None` at the end.
    fn piece(&mut self) -> Option<Piece<'t>> {
        loop {
            match self.xml.read_event() {
                Ok(Event::Start(tag)) => {
                    self.enter(&tag);
                    return Some(Piece::Start(tag));
                }
                Ok(Event::End(tag)) => {
                    self.leave_to(self.depth.saturating_sub(1));
                    return Some(Piece::End(tag.name().into_inner().to_owned()));
                }
                Ok(Event::Text(text)) => return Some(Piece::Text(text.into_inner())),
                Ok(Event::CData(text)) => return Some(Piece::Text(text.into_inner())),
                Ok(Event::GeneralRef(reference)) => {
                    let mut decoded = String::new();
                    let written = format!("&{};", reference.into_inner());
                    decode_pieces(&written, Place::Text, |piece| decoded.push_str(piece));
                    return Some(Piece::Text(decoded.into()));
                }
                Ok(Event::Eof) => {
                    self.is_broken |= self.depth > 0;
                    return None;
                }
                Ok(_) => {}
                Err(_) => {
                    self.is_broken = true;
                    return None;
                }
            }
        }
    }

    fn base(&self) -> &PageUrl {
        self.bases.last().map_or(&self.document, |(_, base)| base)
    }

    fn enter(&mut self, tag: &BytesStart<'_>) {
        self.depth += 1;
        for (name, value) in attributes(tag) {
            if name == "xml:base" {
                if let Ok(base) = self.base().join(value.trim()) {
                    self.bases.push((self.depth, base));
                }
            } else if name == "xmlns" || name.starts_with("xmlns:") {
                let prefix = name.strip_prefix("xmlns:").unwrap_or_default();
                self.namespaces.declare(prefix, &value, self.depth);
            }
        }
    }

    fn leave_to(&mut self, depth: usize) {
        self.depth = depth;
        while self.bases.last().is_some_and(|(since, _)| *since > depth) {
            self.bases.pop();
        }
        self.namespaces.leave_to(depth);
    }
}

/// What XML is made of, as far as it concerns us.
enum Piece<'t> {
    Start(BytesStart<'t>),
    /// The name as written.
    End(String),
    Text(Cow<'t, str>),
}

fn close_element(name: &str, open: &mut Option<Open>, record: &mut Record) {
    let Some(inner) = open.as_mut().filter(|inner| inner.name == name) else { return };
    if inner.nested > 0 {
        inner.nested -= 1;
        return;
    }
    keep(inner.field.take(), record);
    *open = None;
}

fn keep(field: Option<Field>, record: &mut Record) {
    if record.fields.len() < MOST_FIELDS {
        record.fields.extend(field);
    }
}

fn append(text: &mut String, piece: &str) {
    let room = MOST_FIELD_BYTES.saturating_sub(text.len());
    text.push_str(&piece[..piece.floor_char_boundary(room)]);
}

/// Attributes of a tag, names in lower case, values decoded. Ends where they make no sense.
fn attributes(tag: &BytesStart<'_>) -> impl Iterator<Item = (String, String)> {
    // Checking for names given twice takes time in their square.
    let mut attributes = tag.html_attributes();
    attributes.with_checks(false);
    attributes.map_while(Result::ok).take(MOST_ATTRIBUTES).map(|it| {
        let name = it.key.into_inner().to_ascii_lowercase();
        (name, decode_attribute(&it.value).into_owned())
    })
}

/// A name without its prefix.
fn local_name(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}
