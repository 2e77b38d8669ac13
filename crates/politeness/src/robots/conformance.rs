//! Published cases and real files, from the data folder next to the repository.
//!
//! `GANNET_DATA` says where the folder is; without it these tests are skipped.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::lines::{self, Record};
use super::{Group, Robots, is_product_token, octets};

/// Where RFC 9309 and Google's expectation differ, as rule and path; the RFC is followed. Google's
/// cases compare what is spelt, while section 2.2.2 normalises percent-encoding on both sides.
const GOOGLE_DIFFERS: [(&str, &str); 3] = [
    ("Allow: /foo/bar/ツ", "/foo/bar/ツ"),
    ("Allow: /foo/bar/%E3%83%84", "/foo/bar/ツ"),
    ("Allow: /foo/bar/%62%61%7A", "/foo/bar/baz"),
];

fn folder() -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let root = std::env::var_os("GANNET_DATA").map_or_else(beside, PathBuf::from);
    let folder = root.join("conformance/robots");
    if !folder.is_dir() {
        say("skipped: no data");
        return None;
    }
    Some(folder)
}

#[expect(clippy::print_stderr, reason = "the figures are read from the test's output")]
fn say(text: &str) {
    eprintln!("{text}");
}

fn cases(name: &str) -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(folder()?.join(name)).unwrap();
    Some(serde_json::from_str(&text).unwrap())
}

fn robots_of(case: &Value) -> Vec<u8> {
    match case["robots_b64"].as_str() {
        Some(encoded) => data_encoding::BASE64.decode(encoded.as_bytes()).unwrap(),
        None => case["robots"].as_str().unwrap().as_bytes().to_vec(),
    }
}

/// Path and query of anything like a URL, as the published cases want it. The crawler itself
/// takes them from a parsed URL.
fn path_of(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let is_at_root = url.starts_with('/') && !url.starts_with("//");
    let after_scheme = match url.find("//") {
        Some(at) if !is_at_root && !url[..at].contains(['/', '?']) => &url[at + 2..],
        _ => url,
    };
    match after_scheme.find(['/', '?']) {
        Some(at) if after_scheme[at..].starts_with('/') => after_scheme[at..].to_owned(),
        Some(at) => format!("/{}", &after_scheme[at..]),
        None => "/".to_owned(),
    }
}

/// Passed, known differences, and the rest in words.
fn run_rulings(name: &str) -> Option<(usize, usize, Vec<String>)> {
    let (mut passed, mut known, mut failed) = (0, 0, Vec::new());
    for (index, case) in cases(name)?.iter().enumerate() {
        let text = robots_of(case);
        let agent = case["agent"].as_str().unwrap();
        let path = path_of(case["url"].as_str().unwrap());
        let ruling = Robots::parse(&text, agent).ruling(&path);
        let text = String::from_utf8_lossy(&text);
        let is_known = GOOGLE_DIFFERS
            .iter()
            .any(|(rule, of_path)| text.ends_with(&format!("{rule}\n")) && path == *of_path);
        if Some(ruling.allowed) == case["allowed"].as_bool() {
            passed += 1;
        } else if is_known {
            known += 1;
        } else {
            failed.push(format!("{name} #{index} {}: {text:?} {path} {ruling:?}", case["case"]));
        }
    }
    say(&format!("{name}: {passed} passed, {known} known differences, {} failed", failed.len()));
    Some((passed, known, failed))
}

#[track_caller]
fn check_rulings(name: &str, known_differences: usize) {
    let Some((_, known, failed)) = run_rulings(name) else { return };
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(known, known_differences);
}

#[test]
fn the_cases_of_rfc_9309_hold() {
    check_rulings("rfc9309_cases.json", 0);
}

#[test]
fn the_cases_of_googles_parser_hold_where_the_rfc_agrees() {
    check_rulings("allowed_cases.json", 3);
}

#[test]
fn the_cases_of_googles_specification_test_hold_where_the_rfc_agrees() {
    check_rulings("spec_test_correctness.json", 3);
}

#[test]
fn product_tokens_are_told_from_other_names() {
    for case in cases("valid_agent_cases.json").unwrap_or_default() {
        let agent = case["agent"].as_str().unwrap();
        assert_eq!(Some(is_product_token(agent)), case["valid"].as_bool(), "{agent:?}");
    }
}

#[test]
fn patterns_are_escaped_as_published() {
    for case in cases("pattern_escape_cases.json").unwrap_or_default() {
        let input = case["input"].as_str().unwrap();
        let expected = case["expected"].as_str().unwrap();
        // Ours begin with a slash, which the published fragments lack.
        let spelt = octets::normalise_pattern(input.as_bytes());
        let spelt = String::from_utf8_lossy(&spelt);
        assert_eq!(spelt.trim_start_matches('/'), expected.trim_start_matches('/'));
    }
}

#[test]
fn the_paths_of_the_cases_are_extracted_as_published() {
    for case in cases("path_extraction_cases.json").unwrap_or_default() {
        assert_eq!(path_of(case["input"].as_str().unwrap()), case["expected"].as_str().unwrap());
    }
}

fn known_records(text: &[u8]) -> usize {
    let text = lines::decode(text);
    lines::records(&text).filter(|record| *record != Record::Other).count()
}

#[track_caller]
fn check_report(case: &Value) {
    let text = robots_of(case);
    if let Some(valid) = case["expect"]["valid_directives"].as_u64() {
        assert_eq!(known_records(&text) as u64, valid, "{case}");
    }
    if let Some(unknown) = case["expect"]["unknown_directives"].as_u64() {
        let text = lines::decode(&text);
        let others = lines::records(&text).filter(|record| *record == Record::Other).count();
        assert_eq!(others as u64, unknown, "{case}");
    }
    if let Some(sitemap) = case["expect"]["sitemap"].as_str() {
        assert_eq!(Robots::parse(&text, "foo").sitemaps(), [sitemap], "{case}");
    }
}

#[test]
fn lines_are_classified_as_published() {
    for case in cases("parse_report_cases.json").unwrap_or_default() {
        check_report(&case);
    }
    // The entries named after C++ variables are fragments of the long-line case below.
    let is_whole_file = |case: &Value| case["var"].as_str().unwrap().starts_with('k');
    for case in
        cases("reporting_cases.json").unwrap_or_default().iter().filter(|c| is_whole_file(c))
    {
        check_report(case);
        let text = robots_of(case);
        let by_line = case["lines"].as_array().unwrap();
        for (line, expected) in text.split(|byte| *byte == b'\n').zip(by_line) {
            let tag = match lines::records(line).next() {
                Some(Record::Agent(_)) => "UserAgent",
                Some(Record::Allow(_)) => "Allow",
                Some(Record::Disallow(_)) => "Disallow",
                Some(Record::Sitemap(_)) => "Sitemap",
                Some(Record::CrawlDelay(_) | Record::Other) | None => "Unknown",
            };
            // "Unused" is Google's word for keys that it knows and ignores.
            let expected = expected["tag_name"].as_str().unwrap().replace("Unused", "Unknown");
            assert_eq!(tag, expected, "{}", String::from_utf8_lossy(line));
        }
    }
}

#[test]
fn a_line_too_long_is_cut_and_still_counts() {
    let long = "a".repeat(lines::LONGEST_LINE);
    let text = format!("user-agent: foo\ndisallow: /x/{long}/qux\nallow: /\n");
    assert_eq!(known_records(text.as_bytes()), 3);
}

fn read(file: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(folder()?.join("files").join(file)).unwrap())
}

/// Reads one of the odd files as `agent` and compares which of the paths are allowed.
#[track_caller]
fn check_file(file: &str, agent: &str, expected: &[(&str, bool)]) {
    let Some(bytes) = read(file) else { return };
    let robots = Robots::parse(&bytes, agent);
    for (path, allowed) in expected {
        assert_eq!(robots.ruling(path).allowed, *allowed, "{file} as {agent}: {path}");
    }
}

#[test]
fn byte_order_marks_do_not_hide_the_first_line() {
    for mark in ["utf8", "utf16le", "utf16be"] {
        let file = format!("robots-with-{mark}-bom.txt");
        let Some(bytes) = read(&file) else { return };
        let robots = Robots::parse(&bytes, "foobot");
        assert_ne!(robots.group(), Group::Absent, "{file}");
        assert!(robots.rule_count() > 0, "{file}");
    }
}

#[test]
fn odd_files_are_read_as_meant() {
    check_file(
        "directive-typos-robots.txt",
        "bot1",
        &[("/desallow/", false), ("/dissalow/", false)],
    );
    check_file("directive-typos-robots.txt", "bot2", &[("/useragent/", false)]);
    check_file("directive-typos-robots.txt", "bot3", &[("/useg-agent/", false)]);
    check_file("directive-typos-robots.txt", "bot4", &[("/useragent-no-colon/", false)]);
    check_file(
        "format-errors-robots.txt",
        "bot1",
        &[("/whitespace-before-colon/", false), ("/no-colon/", false), ("/other", true)],
    );
    check_file("format-errors-robots.txt", "bot2", &[("/no-colon-useragent/", false)]);
    check_file(
        "format-errors-robots.txt",
        "bot3",
        &[("/whitespace-before-colon", true), ("/", false)],
    );
    check_file("dos-line-endings.txt", "anybot", &[("/", true)]);
    check_file(
        "merge-rules.txt",
        "wget",
        &[("/foo/bar", true), ("/tmp/bar", false), ("/ckh/bar", true)],
    );
    check_file("merge-rules.txt", "other", &[("/foo/bar", false)]);
    check_file("precedence-of-rules.txt", "testy", &[("/foo", false), ("/foo/bar", true)]);
    check_file(
        "malformed-path.txt",
        "anybot",
        &[("/wiki/Wikipedia_talk:Mediation_Committee/", false), ("/wiki/", true)],
    );
    check_file("many-user-agents.txt", "blowfish", &[("/", false)]);
    check_file(
        "wildcards.txt",
        "anybot",
        &[("/wishlist/universal-x", true), ("/wishlist/x", false)],
    );
    check_file(
        "wildcards.txt",
        "anybot",
        &[("/a/gcrnsts", false), ("/gp/cart", false), ("/", true)],
    );
    // A record that is no rule leaves the group open: the next agent joins it.
    check_file(
        "extensions-group-merging.txt",
        "mybot",
        &[("/private/", false), ("/login/", false)],
    );
    check_file(
        "extensions-group-merging.txt",
        "yourbot",
        &[("/private/", false), ("/login/", false)],
    );
    check_file("extension-robots.txt", "mybot", &[("/private/", false), ("/admin/", true)]);
}

#[test]
fn crawl_delays_belong_to_the_agents_named_before_them() {
    let file = "crawl-delay-group-merging.txt";
    check_file(file, "mybot", &[("/private/", false), ("/login/", true)]);
    check_file(file, "yourbot", &[("/private/", false), ("/login/", false)]);
    let Some(bytes) = read(file) else { return };
    let delay = |agent| Robots::parse(&bytes, agent).crawl_delay().map(|delay| delay.as_secs());
    assert_eq!([delay("mybot"), delay("yourbot"), delay("anybot")], [Some(10), None, Some(30)]);
}

#[test]
fn sitemaps_are_found_anywhere_and_each_once() {
    let sitemaps =
        |file| read(file).map(|bytes| Robots::parse(&bytes, "gannet").sitemaps().to_vec());
    let Some(found) = sitemaps("sitemap-robots.txt") else { return };
    let expected =
        ["http://domain.com/sitemap.xml", "http://domain.com/dir/MixedCased-sitemap.xml"];
    assert_eq!(found, expected);
    assert_eq!(sitemaps("sitemap-robots-dedup.txt").unwrap(), ["http://example.org/sitemap.xml"]);
    assert_eq!(sitemaps("relative-sitemap-robots.txt").unwrap(), ["/sitemap.xml"]);
}

/// The regular files of a tar archive by name. Enough of the format for an archive of small files.
fn files_of_tar(archive: &[u8]) -> HashMap<String, &[u8]> {
    let text = |field: &[u8]| {
        let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
        String::from_utf8_lossy(&field[..end]).trim().to_owned()
    };
    let mut files = HashMap::new();
    let mut at = 0;
    while at + 512 <= archive.len() && archive[at] != 0 {
        let header = &archive[at..at + 512];
        let size = usize::from_str_radix(&text(&header[124..136]), 8).unwrap();
        let body = &archive[at + 512..at + 512 + size];
        if matches!(header[156], b'0' | 0) {
            files.insert(text(&header[..100]), body);
        }
        at += 512 + size.div_ceil(512) * 512;
    }
    files
}

#[test]
fn thousands_of_real_files_are_read_without_trouble() {
    let Some(folder) = folder() else { return };
    let packed = std::fs::read(folder.join("real/robots_4231.tar.zst")).unwrap();
    let archive = zstd::decode_all(packed.as_slice()).unwrap();
    let files = files_of_tar(&archive);
    let (mut with_group, mut with_rules, mut with_delay, mut closed) = (0, 0, 0, 0);
    let (mut parsing, mut ruling) = (Vec::new(), Duration::ZERO);
    for bytes in files.values() {
        let start = Instant::now();
        let robots = Robots::parse(bytes, "gannet");
        parsing.push(start.elapsed());
        let start = Instant::now();
        for path in ["/news/2024/05/an-article.html?utm_source=x&page=2", "/wp-admin/post.php"] {
            std::hint::black_box(robots.ruling(path));
        }
        ruling += start.elapsed() / 2;
        with_group += usize::from(robots.group() != Group::Absent);
        with_rules += usize::from(robots.rule_count() > 0);
        with_delay += usize::from(robots.crawl_delay().is_some());
        closed += usize::from(!robots.ruling("/").allowed);
    }
    let count = u32::try_from(files.len()).unwrap();
    parsing.sort();
    let (median, slowest) = (parsing[parsing.len() / 2], parsing[parsing.len() - 1]);
    say(&format!(
        "real: {count} files, {with_group} speak to us, {with_rules} with rules, {with_delay} with a \
         crawl delay, {closed} closed; parse {median:?} (slowest {slowest:?}), ruling {:?}",
        ruling / count
    ));
    assert!(with_rules * 2 > files.len(), "most real files hold rules for everyone");
    // Generous: the slowest file has 500 KiB, and test builds are not optimised.
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
}
