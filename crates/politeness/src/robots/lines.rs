//! From the bytes of a robots.txt to its records, one per line.
//!
//! Knows how lines end, what a comment is and which misspelt keys are meant as
//! known ones. It does not know groups or rules: see the parent module.

use std::borrow::Cow;
use std::time::Duration;

/// Where Google's parser cuts a line: eight times the longest URL that old browsers took, less a terminator.
pub(super) const LONGEST_LINE: usize = 2083 * 8 - 1;

/// One line that means something, with its value trimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record<'a> {
    Agent(&'a [u8]),
    Allow(&'a [u8]),
    Disallow(&'a [u8]),
    CrawlDelay(&'a [u8]),
    Sitemap(&'a [u8]),
    /// A key with a value that we have no use for.
    Other,
}

#[derive(Clone, Copy)]
enum Key {
    Agent,
    Allow,
    Disallow,
    CrawlDelay,
    Sitemap,
}

/// Keys by how they begin, in lower case. After the correct spellings come the misspellings that
/// Google's parser accepts, then those that occur in real files and can mean nothing else.
const KEYS: [(&[u8], Key); 19] = [
    (b"user-agent", Key::Agent),
    (b"disallow", Key::Disallow),
    (b"allow", Key::Allow),
    (b"sitemap", Key::Sitemap),
    (b"crawl-delay", Key::CrawlDelay),
    (b"useragent", Key::Agent),
    (b"user agent", Key::Agent),
    (b"dissallow", Key::Disallow),
    (b"dissalow", Key::Disallow),
    (b"disalow", Key::Disallow),
    (b"diasllow", Key::Disallow),
    (b"disallaw", Key::Disallow),
    (b"site-map", Key::Sitemap),
    (b"user_agent", Key::Agent),
    (b"useg-agent", Key::Agent),
    (b"desallow", Key::Disallow),
    (b"crawldelay", Key::CrawlDelay),
    (b"crawl delay", Key::CrawlDelay),
    (b"crawl_delay", Key::CrawlDelay),
];

/// The text as UTF-8 or something close to it, without its byte order mark.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, [u8]> {
    match bytes {
        [0xFF, 0xFE, rest @ ..] => Cow::Owned(from_utf16(rest, u16::from_le_bytes)),
        [0xFE, 0xFF, rest @ ..] => Cow::Owned(from_utf16(rest, u16::from_be_bytes)),
        _ => Cow::Borrowed(without_mark(bytes)),
    }
}

/// As much of a UTF-8 byte order mark as is there is skipped: some editors write only part of it.
fn without_mark(bytes: &[u8]) -> &[u8] {
    let mark = [0xEF, 0xBB, 0xBF];
    let length = bytes.iter().zip(mark).take_while(|(byte, of_mark)| **byte == *of_mark).count();
    &bytes[length..]
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: String =
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    text.into_bytes()
}

/// The records of a text in order; blank lines, comments and lines without key and value are left out.
pub(super) fn records(text: &[u8]) -> impl Iterator<Item = Record<'_>> {
    // CR, LF and CRLF all end a line; the empty line that CRLF then makes is harmless.
    text.split(|byte| matches!(byte, b'\n' | b'\r')).filter_map(record)
}

fn record(line: &[u8]) -> Option<Record<'_>> {
    let line = &line[..line.len().min(LONGEST_LINE)];
    let line = memchr::memchr(b'#', line).map_or(line, |comment| &line[..comment]).trim_ascii();
    let (key, value) = key_and_value(line)?;
    let known = KEYS.iter().find(|(spelling, _)| begins_with(key, spelling));
    Some(match known {
        Some((_, Key::Agent)) => Record::Agent(value),
        Some((_, Key::Allow)) => Record::Allow(value),
        Some((_, Key::Disallow)) => Record::Disallow(value),
        Some((_, Key::CrawlDelay)) => Record::CrawlDelay(value),
        Some((_, Key::Sitemap)) => Record::Sitemap(value),
        None => Record::Other,
    })
}

/// `key: value`; also `key value` when these are the only two words, for the colon is often forgotten.
fn key_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    if let Some(colon) = memchr::memchr(b':', line) {
        let key = line[..colon].trim_ascii();
        return (!key.is_empty()).then(|| (key, line[colon + 1..].trim_ascii()));
    }
    let blank = line.iter().position(u8::is_ascii_whitespace)?;
    let value = line[blank..].trim_ascii();
    let is_one_word = !value.iter().any(u8::is_ascii_whitespace);
    is_one_word.then_some((&line[..blank], value))
}

fn begins_with(key: &[u8], spelling: &[u8]) -> bool {
    key.get(..spelling.len()).is_some_and(|start| start.eq_ignore_ascii_case(spelling))
}

/// The token by which files would name `agent`: what stands before a version. None when that is no token,
/// in which case only groups for `*` concern us.
pub(super) fn agent_token(agent: &str) -> Option<&str> {
    let token = agent.split('/').next().unwrap_or(agent);
    let is_token = !token.is_empty() && token.bytes().all(is_token_byte);
    is_token.then_some(token)
}

/// RFC 9309 knows letters, `-` and `_`; digits are added because agents such as `360Spider` exist.
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// True when an agent line's value is `*`, or `*` followed by more words.
pub(super) fn names_everyone(value: &[u8]) -> bool {
    matches!(value, [b'*']) || matches!(value, [b'*', second, ..] if second.is_ascii_whitespace())
}

/// True when an agent line's value names the token, perhaps with a version or other words after it.
pub(super) fn names(value: &[u8], token: &str) -> bool {
    let end = value.iter().position(|byte| !is_token_byte(*byte)).unwrap_or(value.len());
    value[..end].eq_ignore_ascii_case(token.as_bytes())
}

/// A span in seconds, with or without fraction, whatever follows the number.
pub(super) fn seconds(value: &[u8]) -> Option<Duration> {
    let is_number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let end = value.iter().position(|byte| !is_number(byte)).unwrap_or(value.len());
    let number: f64 = std::str::from_utf8(&value[..end]).ok()?.parse().ok()?;
    Duration::try_from_secs_f64(number).ok()
}
