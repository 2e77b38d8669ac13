//! Whose names the elements of a list are.
//!
//! Feeds mix vocabularies: `title` is the headline, `media:title` that of a
//! picture. Prefixes are resolved as XML has it, but a prefix that was never
//! declared is taken for what everybody means by it, and whatever namespace
//! the root has is the list's own: both are wrong in many real files.

/// Whose name an element bears.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vocabulary {
    /// The list's own.
    Own,
    /// Atom's, in a list that is not Atom.
    Atom,
    DublinCore,
    Other,
}

/// The namespaces in force.
#[derive(Debug, Default)]
pub(crate) struct Namespaces {
    /// Innermost last.
    bindings: Vec<Binding>,
    root_prefix: String,
    root_address: String,
}

#[derive(Debug)]
struct Binding {
    /// Empty for the default namespace.
    prefix: String,
    address: String,
    /// It ends with the element at this depth.
    depth: usize,
}

/// Declarations in force at once; real lists have about ten.
const MOST_BINDINGS: usize = 64;

/// Bytes of a prefix or an address; none is longer.
const LONGEST: usize = 256;

impl Namespaces {
    /// Declares what a prefix stands for, down from `depth`.
    pub(crate) fn declare(&mut self, prefix: &str, address: &str, depth: usize) {
        let is_sane = prefix.len() <= LONGEST && address.len() <= LONGEST;
        if is_sane && self.bindings.len() < MOST_BINDINGS {
            let (prefix, address) = (prefix.to_owned(), address.trim().to_owned());
            self.bindings.push(Binding { prefix, address, depth });
        }
    }

    /// Makes the namespace of this name, the root's, the list's own.
    pub(crate) fn set_root(&mut self, name: &str) {
        self.root_prefix = prefix(name).to_ascii_lowercase();
        self.root_address = self.address(prefix(name)).unwrap_or_default().to_owned();
    }

    /// Forgets what was declared deeper than `depth`.
    pub(crate) fn leave_to(&mut self, depth: usize) {
        while self.bindings.last().is_some_and(|binding| binding.depth > depth) {
            self.bindings.pop();
        }
    }

    /// Whose name this is.
    pub(crate) fn vocabulary(&self, name: &str) -> Vocabulary {
        let prefix = prefix(name);
        let Some(address) = self.address(prefix) else {
            return self.usual_meaning(prefix);
        };
        match address {
            "" => Vocabulary::Own,
            _ if address == self.root_address || is_rss(address) => Vocabulary::Own,
            _ if is_atom(address) => Vocabulary::Atom,
            _ if address.contains("purl.org/dc/") => Vocabulary::DublinCore,
            _ => Vocabulary::Other,
        }
    }

    /// True when names of RSS have been declared, as in RDF Site Summary.
    pub(crate) fn has_rss(&self) -> bool {
        self.bindings.iter().any(|binding| is_rss(&binding.address))
    }

    /// What a prefix that was not declared means.
    fn usual_meaning(&self, prefix: &str) -> Vocabulary {
        match prefix.to_ascii_lowercase().as_str() {
            "" => Vocabulary::Own,
            prefix if prefix == self.root_prefix => Vocabulary::Own,
            "rss" => Vocabulary::Own,
            "atom" => Vocabulary::Atom,
            "dc" | "dcterms" => Vocabulary::DublinCore,
            _ => Vocabulary::Other,
        }
    }

    fn address(&self, prefix: &str) -> Option<&str> {
        let found = self.bindings.iter().rev().find(|it| it.prefix.eq_ignore_ascii_case(prefix));
        found.map(|binding| binding.address.as_str())
    }
}

fn prefix(name: &str) -> &str {
    name.split_once(':').map_or("", |(prefix, _)| prefix)
}

/// The versions of RSS have had many addresses.
fn is_rss(address: &str) -> bool {
    ["purl.org/rss/", "purl.org/net/rss", "netscape.com/rdf/", "userland.com/rss"]
        .iter()
        .any(|known| address.contains(known))
}

fn is_atom(address: &str) -> bool {
    address.starts_with("http://www.w3.org/2005/Atom")
        || address.contains("purl.org/atom/")
        || address.contains("purl.org/net/atom/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_belong_to_whom_the_address_says() {
        let mut names = Namespaces::default();
        names.declare("", "http://www.google.com/schemas/sitemap/0.9", 1);
        names.declare("a10", "http://www.w3.org/2005/Atom", 1);
        names.declare("terms", "http://purl.org/dc/terms/", 1);
        names.declare("image", "http://www.google.com/schemas/sitemap-image/1.1", 1);
        names.set_root("urlset");
        let check = |name: &str, expected| assert_eq!(names.vocabulary(name), expected, "{name}");
        check("url", Vocabulary::Own);
        check("a10:link", Vocabulary::Atom);
        check("terms:date", Vocabulary::DublinCore);
        check("image:loc", Vocabulary::Other);
        check("dc:date", Vocabulary::DublinCore);
        check("media:title", Vocabulary::Other);
    }

    #[test]
    fn a_declaration_ends_with_its_element() {
        let mut names = Namespaces::default();
        names.set_root("rss");
        names.declare("", "http://www.w3.org/1999/xhtml", 3);
        assert_eq!(names.vocabulary("title"), Vocabulary::Other);
        names.leave_to(2);
        assert_eq!(names.vocabulary("title"), Vocabulary::Own);
    }
}
