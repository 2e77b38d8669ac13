//! The attributes of one tag.

use std::borrow::Cow;

use crate::folded::Folded;
use crate::references::decode_attribute;
use crate::scanner::{Scanner, TagEnd};

/// Names and values as written, in a list that is used again for every tag.
#[derive(Default)]
pub(crate) struct Attributes<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Attributes<'a> {
    /// Reads those of the start tag that `scanner` just met.
    pub(crate) fn read(&mut self, scanner: &mut Scanner<'a>) -> TagEnd {
        self.0.clear();
        scanner.attributes(|name, value| {
            // A tag has few attributes; one with thousands is an attack on whoever searches them.
            if self.0.len() < MOST {
                self.0.push((name, value));
            }
        })
    }

    /// The value of this attribute, decoded; the first one counts.
    pub(crate) fn get(&self, name: &str) -> Option<Cow<'a, str>> {
        self.raw(name).map(decode_attribute)
    }

    /// The value as text for people: decoded and folded; empty when absent.
    pub(crate) fn words(&self, name: &str) -> String {
        let Some(raw) = self.raw(name).filter(|raw| !raw.is_empty()) else {
            return String::new();
        };
        let mut folded = Folded::default();
        folded.push(&decode_attribute(raw));
        folded.into_text()
    }

    fn raw(&self, name: &str) -> Option<&'a str> {
        let found = self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| *value)
    }
}

/// Attributes kept of one tag.
const MOST: usize = 256;
