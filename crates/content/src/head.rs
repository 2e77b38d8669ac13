//! What the page says of itself: title, language, `meta` and `link`.

use gannet_model::{Document, PageUrl, Rel};

use crate::attributes::Attributes;
use crate::folded::Folded;
use crate::references::{Place, decode_pieces};
use crate::resolver::Resolver;
use crate::robots::{self, OUR_NAME};

/// What a `<link>` is to a crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinkRole {
    /// The address the page gives itself.
    Canonical,
    Stylesheet,
    /// Leads to a page or feed.
    Follow,
}

/// Takes the first title that says something.
pub(crate) fn set_title(document: &mut Document, raw: &str) {
    if !document.title.is_empty() {
        return;
    }
    // A title left open swallows the page; no title is that long.
    let raw = &raw[..raw.floor_char_boundary(LONGEST_TITLE)];
    let mut title = Folded::default();
    decode_pieces(raw, Place::Text, |piece| title.push(piece));
    document.title = title.into_text();
}

/// Bytes of a title that are read.
const LONGEST_TITLE: usize = 4096;

/// Takes the language of `<html lang>`.
pub(crate) fn set_language(document: &mut Document, attributes: &Attributes<'_>) {
    let declared = attributes.get("lang").or_else(|| attributes.get("xml:lang"));
    if document.language.is_none() {
        document.language = declared.and_then(|language| language_tag(&language));
    }
}

/// A language tag in lower case, if the text may be one.
pub(crate) fn language_tag(text: &str) -> Option<String> {
    let tag = text.trim_ascii();
    let is_plausible = (1..=35).contains(&tag.len())
        && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    is_plausible.then(|| tag.to_ascii_lowercase())
}

/// Takes what a `<meta>` says: robots, description, refresh.
pub(crate) fn add_meta(
    document: &mut Document,
    attributes: &Attributes<'_>,
    resolver: &mut Resolver,
) {
    let Some(content) = attributes.get("content") else { return };
    if let Some(name) = attributes.get("name") {
        let name = name.trim_ascii();
        if name.eq_ignore_ascii_case("robots") || name.eq_ignore_ascii_case(OUR_NAME) {
            robots::add_wishes(&mut document.robots, &content);
        } else if name.eq_ignore_ascii_case("description") && document.description.is_empty() {
            document.description = attributes.words("content");
        }
        return;
    }
    if !attributes.get("http-equiv").is_some_and(|it| it.eq_ignore_ascii_case("refresh")) {
        return;
    }
    if document.refresh.is_none() {
        document.refresh = refresh_target(&content).and_then(|url| resolver.resolve(url));
    }
}

/// The reference in `5; url=there`, read as in section 4.2.5.3 of the standard.
pub(crate) fn refresh_target(content: &str) -> Option<&str> {
    let rest = content.trim_ascii_start();
    let after_time = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let has_time = after_time.len() < rest.len();
    let rest = after_time.trim_ascii_start();
    if !has_time || rest.is_empty() {
        return None;
    }
    let rest = match rest.strip_prefix([';', ',']) {
        Some(rest) => rest.trim_ascii_start(),
        None if rest.len() < after_time.len() => rest,
        None => return None,
    };
    let target = strip_url_sign(rest).unwrap_or(rest);
    let target = match target.chars().next() {
        Some(quote @ ('"' | '\'')) => target[1..].split(quote).next().unwrap_or_default(),
        _ => target,
    };
    let target = target.trim_ascii();
    (!target.is_empty()).then_some(target)
}

/// What follows `url =`, if that is how `text` begins.
fn strip_url_sign(text: &str) -> Option<&str> {
    let rest = text.get(3..).filter(|_| text[..3].eq_ignore_ascii_case("url"))?;
    rest.trim_ascii_start().strip_prefix('=').map(str::trim_ascii_start)
}

/// What the page says of its relation to a link's target.
pub(crate) fn rel(attributes: &Attributes<'_>) -> Rel {
    let Some(words) = attributes.get("rel") else { return Rel::default() };
    let mut rel = Rel::default();
    for word in words.split_ascii_whitespace() {
        let is = |known: &str| word.eq_ignore_ascii_case(known);
        rel.nofollow |= is("nofollow");
        rel.next |= is("next");
        rel.prev |= is("prev") || is("previous");
        rel.feed |= is("alternate") && is_feed(attributes);
    }
    rel
}

/// What a `<link>` is to us, if anything.
pub(crate) fn link_role(attributes: &Attributes<'_>) -> Option<LinkRole> {
    let words = attributes.get("rel")?;
    let has =
        |known: &str| words.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(known));
    if has("canonical") {
        return Some(LinkRole::Canonical);
    }
    if has("stylesheet") {
        return Some(LinkRole::Stylesheet);
    }
    let leads_to_page =
        has("next") || has("prev") || has("previous") || (has("alternate") && is_page(attributes));
    leads_to_page.then_some(LinkRole::Follow)
}

fn is_feed(attributes: &Attributes<'_>) -> bool {
    has_type(
        attributes,
        &[
            "application/rss+xml",
            "application/atom+xml",
            "application/rdf+xml",
            "application/feed+json",
        ],
    )
}

/// An alternative of no declared type is a page, such as a translation.
fn is_page(attributes: &Attributes<'_>) -> bool {
    attributes.get("type").is_none_or(|it| it.trim_ascii().is_empty())
        || has_type(attributes, &["text/html", "application/xhtml+xml"])
        || is_feed(attributes)
}

fn has_type(attributes: &Attributes<'_>, types: &[&str]) -> bool {
    let declared = attributes.get("type").unwrap_or_default();
    let media_type = declared.split(';').next().unwrap_or_default().trim_ascii();
    types.iter().any(|known| media_type.eq_ignore_ascii_case(known))
}

/// The target of `<…>; rel="canonical"` in a `Link` header, if it has one (RFC 8288).
pub(crate) fn canonical_in_header(line: &str, page: &PageUrl) -> Option<PageUrl> {
    let mut rest = line;
    while let Some((_, after)) = rest.split_once('<') {
        let (target, after) = after.split_once('>')?;
        let parameters = after.split(',').next().unwrap_or_default();
        let is_canonical = parameters.split(';').any(|parameter| {
            let Some((name, value)) = parameter.split_once('=') else { return false };
            name.trim().eq_ignore_ascii_case("rel")
                && value
                    .trim()
                    .trim_matches('"')
                    .split_ascii_whitespace()
                    .any(|word| word.eq_ignore_ascii_case("canonical"))
        });
        if is_canonical {
            return page.join(target.trim()).ok();
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(content: &str, expected: Option<&str>) {
        assert_eq!(refresh_target(content), expected, "{content:?}");
    }

    #[test]
    fn a_refresh_leads_where_browsers_would_go() {
        check("0;url=/there", Some("/there"));
        check(" 5 ; URL = 'a b' x", Some("a b"));
        check("5, there", Some("there"));
        check("0.5;url=\"x\"", Some("x"));
        check("5 url=x", Some("x"));
        check("5;urls", Some("urls"));
    }

    #[test]
    fn a_refresh_without_time_or_target_leads_nowhere() {
        check("5", None);
        check("url=/there", None);
        check("5x", None);
        check("5; url=", None);
        check("", None);
    }

    #[test]
    fn a_link_header_names_the_canonical_address() {
        let page = PageUrl::parse("http://a.example/x").unwrap();
        let line = "<a.css>; rel=preload, </y>; rel=\"Canonical\"";
        assert_eq!(canonical_in_header(line, &page).unwrap().as_str(), "http://a.example/y");
        assert_eq!(canonical_in_header("</y>; rel=next", &page), None);
        assert_eq!(canonical_in_header("</y", &page), None);
    }

    #[test]
    fn a_language_is_lower_case_and_plausible() {
        assert_eq!(language_tag(" pt-BR ").as_deref(), Some("pt-br"));
        assert_eq!(language_tag("{{ lang }}"), None);
        assert_eq!(language_tag(""), None);
    }
}
