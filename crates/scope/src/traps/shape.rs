//! The shape of an address: what its siblings have in common.
//!
//! `/shop/item-17/red-shoes.html?page=3` has the shape
//! `/shop/item-0/*.html?page`: runs of digits become `0`, long hexadecimal
//! names `~`, the last name `*` with its extension, and of the query only the
//! names remain. Beside its shape an address has a branch, the first directory
//! (`/shop/**`): a site that invents directories invents shapes too, but they
//! grow on one branch.

use std::fmt::{self, Write};
use std::hash::Hasher;

use gannet_model::PageUrl;

use crate::fnv::Fnv;

/// Directories of an address that its shape shows.
const MOST_DIRECTORIES: usize = 4;

/// Parameter names that a shape shows.
const MOST_PARAMETERS: usize = 8;

/// Bytes of one name that a shape shows. Together these bound every shape.
const LONGEST_NAME: usize = 32;

/// Shortest hexadecimal name that is taken for an identifier.
const SHORTEST_IDENTIFIER: usize = 16;

/// 64 bits that stand for a shape or branch.
pub(super) type ShapeKey = u64;

/// One of the two kinds of neighbours an address has.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kinship {
    /// The same shape.
    Shape,
    /// The same first directory.
    Branch,
}

impl Kinship {
    pub(super) const BOTH: [Kinship; 2] = [Kinship::Shape, Kinship::Branch];
}

/// The key of an address's shape or branch; nothing when it has no such kin.
pub(super) fn key_of(url: &PageUrl, kinship: Kinship) -> Option<ShapeKey> {
    let mut hash = Fnv::default();
    // The root itself has no siblings to be counted with.
    if url.path() == "/" && (matches!(kinship, Kinship::Branch) || url.as_url().query().is_none()) {
        return None;
    }
    if matches!(kinship, Kinship::Branch) && first_directory(url).is_none() {
        return None;
    }
    write_kin(url, kinship, &mut hash).ok()?;
    Some(hash.finish())
}

/// The key of a shape or branch that is given as text.
pub(super) fn key_of_text(text: &str) -> ShapeKey {
    let mut hash = Fnv::default();
    hash.write(text.as_bytes());
    hash.finish()
}

/// The shape or branch as text.
pub(super) fn text_of(url: &PageUrl, kinship: Kinship) -> String {
    let mut text = String::new();
    // Writing into a String cannot fail.
    let _ = write_kin(url, kinship, &mut text);
    text
}

fn write_kin(url: &PageUrl, kinship: Kinship, out: &mut impl Write) -> fmt::Result {
    match kinship {
        Kinship::Shape => write_shape(url, out),
        Kinship::Branch => {
            out.write_char('/')?;
            write_masked(first_directory(url).unwrap_or_default(), out)?;
            out.write_str("/**")
        }
    }
}

/// The first segment of the path when something follows it.
fn first_directory(url: &PageUrl) -> Option<&str> {
    let (first, rest) = url.path().trim_start_matches('/').split_once('/')?;
    (!rest.is_empty()).then_some(first)
}

fn write_shape(url: &PageUrl, out: &mut impl Write) -> fmt::Result {
    let path = url.path();
    let (directories, name) = path.trim_end_matches('/').rsplit_once('/').unwrap_or(("", ""));
    for (i, directory) in directories.split('/').skip(1).enumerate() {
        if i == MOST_DIRECTORIES {
            out.write_str("/**")?;
            break;
        }
        out.write_char('/')?;
        write_masked(directory, out)?;
    }
    out.write_char('/')?;
    if !name.is_empty() {
        out.write_char('*')?;
    }
    match name.rsplit_once('.') {
        Some((_, extension)) if is_extension(extension) => write!(out, ".{extension}")?,
        _ if path.ends_with('/') && path.len() > 1 => out.write_char('/')?,
        _ => {}
    }
    let Some(query) = url.as_url().query() else { return Ok(()) };
    for (i, parameter) in query.split('&').take(MOST_PARAMETERS).enumerate() {
        out.write_char(if i == 0 { '?' } else { '&' })?;
        let name = parameter.split_once('=').map_or(parameter, |(name, _)| name);
        write_masked(name, out)?;
    }
    Ok(())
}

fn is_extension(text: &str) -> bool {
    (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Writes a name with digits as `0`, or `~` when all of it is an identifier.
fn write_masked(name: &str, out: &mut impl Write) -> fmt::Result {
    let is_identifier = name.len() >= SHORTEST_IDENTIFIER
        && name.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    if is_identifier {
        return out.write_char('~');
    }
    // URLs are ASCII, so every byte is a character.
    let mut rest = name.get(..LONGEST_NAME).unwrap_or(name);
    while let Some(digit) = rest.find(|c: char| c.is_ascii_digit()) {
        out.write_str(&rest[..digit])?;
        out.write_char('0')?;
        rest = rest[digit..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out.write_str(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tail: &str, shape: &str, branch: Option<&str>) {
        let url = PageUrl::parse(&format!("http://a.org{tail}")).unwrap();
        assert_eq!(text_of(&url, Kinship::Shape), shape);
        let found = key_of(&url, Kinship::Branch).map(|_| text_of(&url, Kinship::Branch));
        assert_eq!(found.as_deref(), branch);
        for kinship in Kinship::BOTH {
            if let Some(key) = key_of(&url, kinship) {
                assert_eq!(key, key_of_text(&text_of(&url, kinship)));
            }
        }
    }

    #[test]
    fn what_siblings_share_remains() {
        check("/shop/item-17/a.html?page=3&b", "/shop/item-0/*.html?page&b", Some("/shop/**"));
        check("/2024/05/some-title/", "/0/0/*/", Some("/0/**"));
        check("/about", "/*", None);
        check("/about/", "/*/", None);
        check("/?day=1", "/?day", None);
        check("/d/0123456789abcdef0123/x", "/d/~/*", Some("/d/**"));
        check("/a/b/c/d/e/f/g", "/a/b/c/d/**/*", Some("/a/**"));
    }

    #[test]
    fn the_root_has_no_kin() {
        let root = PageUrl::parse("http://a.org/").unwrap();
        assert!(Kinship::BOTH.iter().all(|kinship| key_of(&root, *kinship).is_none()));
    }
}
