//! The public suffix list's own test tables.

#[allow(dead_code)]
mod corpus;

use gannet_model::Host;
use gannet_scope::registrable_domain;

/// Checks one row; `null` there means "no registrable domain", ourselves here.
#[track_caller]
fn check(name: &str, expected: Option<&str>) {
    let ascii =
        |text: &str| gannet_model::PageUrl::parse(&format!("http://{text}/")).unwrap().host();
    let host: Host = ascii(name);
    let expected = expected.map_or(host.clone(), ascii);
    assert_eq!(registrable_domain(&host), expected.as_str(), "{name}");
}

#[test]
fn every_row_of_the_published_tables_agrees() {
    let Some(table) = corpus::read("conformance/psl/tests/tests.txt") else { return };
    let mut rows = 0;
    for line in table.lines().filter(|line| !line.starts_with("//")) {
        let Some((name, expected)) = line.split_once(' ') else { continue };
        // A name that begins with a dot, or is missing, cannot stand in a URL.
        if name == "null" || name.starts_with('.') {
            continue;
        }
        check(name, Some(expected).filter(|expected| *expected != "null"));
        rows += 1;
    }
    assert_eq!(rows, 73);
}

#[test]
fn the_older_table_agrees_too() {
    let Some(table) = corpus::read("conformance/psl/tests/test_psl.txt") else { return };
    let mut rows = 0;
    for line in table.lines() {
        let Some(call) = line.strip_prefix("checkPublicSuffix(") else { continue };
        let fields: Vec<&str> = call.split('\'').collect();
        match fields.as_slice() {
            [_, name, ", ", expected, _] if !name.starts_with('.') => check(name, Some(expected)),
            [_, name, _] if !name.starts_with('.') => check(name, None),
            _ => continue,
        }
        rows += 1;
    }
    assert_eq!(rows, 73);
}
