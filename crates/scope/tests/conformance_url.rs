//! URL tables of the standard and of other crawlers, and where we differ by choice.
//!
//! The WHATWG tables must agree row by row, but for the parser's known faults.
//! The tables of urlcanon and of Nutch's normalizer are other crawlers'
//! choices: every difference falls in a category with its count, so that a
//! change of ours shows up here.

#[allow(dead_code)]
mod corpus;

use std::collections::BTreeMap;

use gannet_model::{PageUrl, UrlError};
use gannet_scope::Canonical;
use serde_json::Value;

fn read_json(path: &str) -> Option<Value> {
    // Two rows hold half a surrogate pair, which is no text in Rust.
    let text =
        corpus::read(path)?.replace("a\\ud900z", "a\\ufffdz").replace("A\\ud900Z", "A\\ufffdZ");
    Some(serde_json::from_str(&text).unwrap())
}

#[test]
fn pages_of_the_whatwg_table_parse_as_the_standard_says() {
    let Some(table) = read_json("conformance/url/urltestdata.json") else { return };
    let (mut agreed, mut refused, mut differing) = (0, 0, Vec::new());
    for row in table.as_array().unwrap().iter().filter(|row| row.is_object()) {
        let input = row["input"].as_str().unwrap();
        let found = match row["base"].as_str().map(PageUrl::parse) {
            None => PageUrl::parse(input),
            Some(Ok(base)) => base.join(input),
            Some(Err(_)) => continue,
        };
        let href = row["href"].as_str();
        let is_page = href.is_some_and(|href| PageUrl::parse(href).is_ok());
        match (found, href) {
            (Err(_), None) => refused += 1,
            (Err(_), Some(_)) if !is_page => {}
            (Ok(found), Some(href)) if PageUrl::parse(href).as_ref() == Ok(&found) => agreed += 1,
            (found, _) => differing.push(format!("{input:?}: {found:?}, standard {href:?}")),
        }
    }
    // The parser refuses `///host` on a page, which browsers take for `//host`.
    assert_eq!((agreed, refused, differing.len()), (230, 257, 7), "{differing:#?}");
}

#[test]
fn host_names_become_ascii_as_the_standard_says() {
    for (table, expected) in [("toascii", (80, 7, 0)), ("IdnaTestV2", (1911, 757, 2))] {
        let Some(rows) = read_json(&format!("conformance/url/{table}.json")) else { return };
        let (mut agreed, mut refused, mut newer) = (0, 0, 0);
        for row in rows.as_array().unwrap().iter().filter(|row| row.is_object()) {
            let input = row["input"].as_str().unwrap();
            let found = PageUrl::parse(&format!("http://{input}/x"));
            let found = found.as_ref().ok().and_then(|url| url.as_url().host_str());
            // A trailing dot is dropped from every page's host.
            let output = row["output"].as_str().map(|output| output.trim_end_matches('.'));
            if input.is_empty() {
                continue;
            } else if found == output.filter(|output| !output.is_empty()) {
                agreed += 1;
            } else if found.is_none() && input.is_ascii() && input.contains("xn--") {
                // The standard of late lets ASCII names pass that are no punycode;
                // no registry gives them out, and the parser refuses them.
                refused += 1;
            } else {
                // Characters that the table's Unicode version and the parser's judge differently.
                newer += 1;
            }
        }
        assert_eq!((agreed, refused, newer), expected, "{table}");
    }
}

#[test]
fn dot_segments_and_odd_addresses_resolve_as_in_urlcanon() {
    let Some(dots) = read_json("conformance/url/urlcanon/path_dots.json") else { return };
    // Browsers take `\` in these paths for `/`; urlcanon keeps it, so its rows with one are left out.
    let rows = dots["special"].as_object().unwrap();
    for (path, expected) in rows.iter().filter(|(path, _)| !path.contains('\\')) {
        let url = PageUrl::parse(&format!("http://a.org{path}")).unwrap();
        assert_eq!(Canonical::default().apply(url).path(), expected.as_str().unwrap(), "{path}");
    }
    let Some(hosts) = read_json("conformance/url/urlcanon/funky_ipv4.json") else { return };
    for (host, expected) in hosts.as_object().unwrap() {
        let url = PageUrl::parse(&format!("http://{host}/")).ok();
        let found = match url.as_ref().and_then(|url| url.as_url().host()) {
            Some(url::Host::Ipv4(address)) => Some(address.to_string()),
            _ => None,
        };
        assert_eq!(found.as_deref(), expected.as_str(), "{host}");
    }
}

#[test]
fn references_resolve_as_in_nutch() {
    let Some(table) = corpus::read("conformance/url/normalizer/url-resolve.csv") else { return };
    let mut rows = 0;
    for fields in read_csv(&table) {
        let [reference, base, expected] = fields.as_slice() else { panic!("{fields:?}") };
        let Ok(expected) = PageUrl::parse(expected) else { continue };
        let found = match base.as_str() {
            "" => PageUrl::parse(reference),
            base => PageUrl::parse(base).unwrap().join(reference),
        };
        assert_eq!(found, Ok(expected), "{reference} on {base}");
        rows += 1;
    }
    assert_eq!(rows, 21);
}

#[test]
fn impossible_hosts_are_refused_as_in_nutch() {
    let Some(table) = corpus::read("conformance/url/normalizer/invalidUrls.csv") else { return };
    for fields in read_csv(&table) {
        assert!(matches!(PageUrl::parse(&fields[0]), Err(UrlError::Malformed(_))), "{fields:?}");
    }
}

#[test]
fn forms_differ_from_nutch_only_by_choice() {
    let path = "conformance/url/normalizer/weirdToNormalizedUrls.csv";
    let Some(table) = corpus::read(path) else { return };
    let rows: Vec<Vec<String>> = read_csv(&table);
    let rows = rows.iter().map(|fields| (fields[0].as_str(), fields[1].as_str()));
    check_tally(
        rows,
        &[
            ("agrees", 77),
            ("doubled slashes kept", 6),
            ("empty names and values kept", 4),
            ("parameters keep their order", 7),
            ("refused as in browsers", 2),
            ("reserved characters keep their spelling", 9),
            ("scheme guessed only for seeds", 1),
        ],
    );
}

/// urlcanon's careful form: what we do not undo, and what it keeps.
const PRECISE: &[(&str, usize)] = &[
    ("agrees", 99),
    ("doubled slashes kept", 3),
    ("escaped escapes decoded once", 15),
    ("fragment or credentials dropped", 6),
    ("parameters keep their order", 3),
    ("refused as in browsers", 19),
    ("reserved characters keep their spelling", 10),
    ("scheme guessed only for seeds", 3),
    ("spelt alike once in our form", 1),
];

/// urlcanon's form for look-ups, which merges what may be different pages.
const AGGRESSIVE: &[(&str, usize)] = &[
    ("agrees", 12),
    ("scheme guessed only for seeds", 13),
    ("scheme, www, letter case and final slash kept", 17),
];

#[test]
fn forms_differ_from_urlcanon_only_by_choice() {
    for (table, expected) in [("semantic_precise", PRECISE), ("aggressive", AGGRESSIVE)] {
        let Some(table) = read_json(&format!("conformance/url/urlcanon/{table}.json")) else {
            return;
        };
        let rows: Vec<(String, &str)> = table
            .as_object()
            .unwrap()
            .iter()
            .filter_map(|(input, form)| Some((read_bytes(input)?, form.as_str()?)))
            .collect();
        check_tally(rows.iter().map(|(input, form)| (input.as_str(), *form)), expected);
    }
}

/// Applies our form to every row that is a page and counts the kinds of difference.
#[track_caller]
fn check_tally<'a>(rows: impl Iterator<Item = (&'a str, &'a str)>, expected: &[(&str, usize)]) {
    let canonical = Canonical::default();
    let mut counts = BTreeMap::new();
    let mut examples = Vec::new();
    for (input, form) in rows {
        // Other schemes are no pages.
        if !form.starts_with("http:") && !form.starts_with("https:") {
            continue;
        }
        let found = PageUrl::parse(input).ok().map(|url| canonical.apply(url));
        let kind = difference(input, found.as_ref(), form);
        *counts.entry(kind).or_insert(0) += 1;
        if kind != "agrees" {
            examples.push(format!("{kind}: {input:?} is {found:?} here, {form:?} there"));
        }
    }
    let counts: Vec<(&str, usize)> = counts.into_iter().collect();
    examples.sort();
    assert_eq!(counts, expected, "{examples:#?}");
}

/// A kind of difference, and the simplification under which it is none.
type Kind = (&'static str, fn(&str) -> String);

/// The kind of difference between our form and another crawler's, simplest first.
fn difference(input: &str, found: Option<&PageUrl>, form: &str) -> &'static str {
    let Some(found) = found else {
        let has_scheme = input.trim().to_ascii_lowercase().starts_with("http");
        return if has_scheme { "refused as in browsers" } else { "scheme guessed only for seeds" };
    };
    let kinds: [Kind; 9] = [
        ("agrees", |text| text.to_owned()),
        ("fragment or credentials dropped", |text| {
            PageUrl::parse(text).map_or_else(|_| text.to_owned(), |url| url.to_string())
        }),
        ("spelt alike once in our form", |text| {
            PageUrl::parse(text)
                .map_or_else(|_| text.to_owned(), |url| Canonical::default().apply(url).to_string())
        }),
        ("reserved characters keep their spelling", decode),
        ("doubled slashes kept", |text| collapse_slashes(&decode(text))),
        ("parameters keep their order", sort_query),
        ("empty names and values kept", |text| sort_query(&drop_empty_names_and_values(text))),
        ("escaped escapes decoded once", |text| {
            (0..9).fold(text.to_owned(), |text, _| decode(&text))
        }),
        ("scheme, www, letter case and final slash kept", strip_site),
    ];
    let same = |(_, simplify): &&Kind| simplify(found.as_str()) == simplify(form);
    kinds.iter().find(same).map_or("other", |(kind, _)| kind)
}

/// The text without percent-escapes, bytes taken as characters.
fn decode(text: &str) -> String {
    let mut decoded = String::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let escape: String = bytes.clone().take(2).map(char::from).collect();
        match u8::from_str_radix(&escape, 16) {
            Ok(value) if byte == b'%' && escape.len() == 2 => {
                decoded.push(char::from(value));
                bytes.nth(1);
            }
            _ => decoded.push(char::from(byte)),
        }
    }
    decoded
}

fn collapse_slashes(text: &str) -> String {
    let (path, query) = text.split_once('?').unwrap_or((text, ""));
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let slash = if path.ends_with('/') { "/" } else { "" };
    format!("{}{slash}?{query}", segments.join("/"))
}

fn sort_query(text: &str) -> String {
    let Some((path, query)) = text.split_once('?') else { return text.to_owned() };
    let mut parameters: Vec<&str> = query.split('&').collect();
    parameters.sort_unstable();
    format!("{path}?{}", parameters.join("&"))
}

/// The address without scheme, `www12.`, letter case, final slash and order.
fn strip_site(text: &str) -> String {
    let text = text.to_ascii_lowercase();
    let site = text.split_once("://").map_or(text.as_str(), |(_, site)| site);
    let site = match site.strip_prefix("www") {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.'),
        None => site,
    };
    sort_query(site.trim_end_matches('/'))
}

fn drop_empty_names_and_values(text: &str) -> String {
    let Some((path, query)) = text.split_once('?') else { return text.to_owned() };
    let parameters: Vec<&str> = query
        .split('&')
        .map(|parameter| parameter.strip_suffix('=').unwrap_or(parameter))
        .filter(|parameter| !parameter.starts_with('='))
        .collect();
    format!("{path}?{}", parameters.join("&"))
}

/// Rows of a table with commas, quotes and `#` comments; fields lose outer blanks.
fn read_csv(table: &str) -> Vec<Vec<String>> {
    let is_row = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    table.lines().filter(is_row).map(read_row).collect()
}

fn read_row(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        let field = fields.last_mut().unwrap();
        match c {
            // A doubled quote stands for one.
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            c => field.push(c),
        }
    }
    fields.iter().map(|field| field.trim_matches(' ').to_owned()).collect()
}

/// urlcanon's tables hold bytes, written one character per byte; some are no text.
fn read_bytes(text: &str) -> Option<String> {
    let bytes: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(c).ok()).collect();
    String::from_utf8(bytes?).ok()
}
