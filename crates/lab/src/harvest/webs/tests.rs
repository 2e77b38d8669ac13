//! Every kind of web is taken in with its addresses and topics.

use std::fs;
use std::path::Path;

use super::*;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = directory.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    directory
}

/// Addresses with status and topics, sorted.
fn pages(ground: &Ground) -> Vec<String> {
    let described = |place: usize| {
        let page = &ground.pages[place];
        let topics = ground.topics.iter().filter(|topic| topic.relevant[place]);
        let topics: Vec<&str> = topics.map(|topic| topic.name.as_str()).collect();
        format!("{} {} {}", page.status, page.url, topics.join("+"))
    };
    let mut pages: Vec<String> = (0..ground.size()).map(described).collect();
    pages.sort();
    pages
}

fn load(kind: &str, path: &Path) -> Result<Ground, WebError> {
    let kind: WebKind = format!("{kind}:{}", path.display()).parse().unwrap();
    Ground::load(&kind, &WebOptions::default())
}

#[test]
fn a_web_is_named_by_kind_and_place() {
    assert_eq!("testbed:easy".parse(), Ok(WebKind::Testbed("easy".to_owned())));
    assert_eq!("dir:a:b".parse(), Ok(WebKind::Folder("a:b".into())));
    for wrong in ["easy", "testbed:", "gopher:hole"] {
        let error = wrong.parse::<WebKind>().unwrap_err().to_string();
        assert!(error.contains("testbed:NAME"), "{error}");
    }
}

#[test]
fn a_folder_has_a_host_for_each_top_folder_and_redirects_to_its_indexes() {
    let directory = folder(&[
        (
            "labels.tsv",
            "# what they are about\nbirds\tA.example/deep/index.html\nfish\tb/c d.html\n",
        ),
        ("A.example/deep/index.html", "gannets"),
        ("A.example/style.css", "no page"),
        ("b/c d.html", "herring"),
        ("b/100%.html", "all"),
    ]);
    let ground = load("dir", directory.path()).unwrap();
    let expected = [
        "200 http://a.example/deep/index.html birds",
        "200 http://b/100%25.html ",
        "200 http://b/c%20d.html fish",
        "301 http://a.example/deep/ ",
    ];
    assert_eq!(pages(&ground), expected);
    assert_eq!(ground.hosts(), 2);
}

#[test]
fn labels_that_cannot_be_used_are_refused_with_the_reason() {
    let check = |labels: Option<&str>, expected: &str| {
        let directory = folder(&[("a/b.html", "text")]);
        if let Some(labels) = labels {
            fs::write(directory.path().join("labels.tsv"), labels).unwrap();
        }
        let error = load("dir", directory.path()).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(None, "no labels.tsv");
    check(Some("birds a/b.html\n"), "line 1");
    check(Some("birds\ta/other.html\n"), "\"a/other.html\"");
}

#[test]
fn an_index_of_pages_is_found_beside_its_pages_and_above_them() {
    let index = "class\turl\tpath\n\
                 course\thttp://CS.example/a\tkb/course/a\n\
                 other\thttp://cs.example/b\tkb/other/b\n";
    let directory = folder(&[
        ("kb/index.tsv", index),
        ("kb/course/a", "Content-type: text/html\n\n<p>lecture"),
        ("kb/other/b", "<p>else"),
    ]);
    let expected = ["200 http://cs.example/a course", "200 http://cs.example/b "];
    for path in [directory.path().to_owned(), directory.path().join("kb")] {
        let ground = load("webkb", &path).unwrap();
        assert_eq!(pages(&ground), expected);
        assert_eq!(&ground.pages[0].body[..], b"<p>lecture");
    }
    let error = load("webkb", &directory.path().join("kb/other")).err().unwrap().to_string();
    assert!(error.contains("no index of pages"), "{error}");
}

#[test]
fn an_encyclopedia_is_served_whole_or_without_its_indexes_of_subjects() {
    let article =
        "<a href=\"../index/subject.Art.htm\">Art</a> <a href=\"Caf%25C3%25A9.htm\">c</a>";
    let directory = folder(&[
        ("wiki/categories.tsv", "Manet\tsubject.Art.Painters\nCaf%C3%A9\tsubject.Everyday_life\n"),
        ("wp/m/Manet.htm", article),
        ("wp/m/Caf%C3%A9.htm", "coffee"),
        ("wp/index/subject.Art.htm", "<a href=../m/Manet.htm>Manet</a>"),
        ("wp/index/alpha.htm", "a to z"),
    ]);
    let body = |ground: &Ground, path: &str| {
        let page = ground.pages.iter().find(|page| page.url.path().ends_with(path)).unwrap();
        String::from_utf8(page.body.to_vec()).unwrap()
    };
    let whole = load("wikispeedia", directory.path()).unwrap();
    let expected = [
        "200 http://wiki.example/wp/index/alpha.htm ",
        "200 http://wiki.example/wp/index/subject.Art.htm ",
        "200 http://wiki.example/wp/m/Caf%25C3%25A9.htm Everyday_life",
        "200 http://wiki.example/wp/m/Manet.htm Art",
    ];
    assert_eq!(pages(&whole), expected);
    assert_eq!(body(&whole, "Manet.htm"), article);

    let kind = WebKind::Wikispeedia(directory.path().to_owned());
    let options = WebOptions { subject_indexes: SubjectIndexes::LeaveOut, ..WebOptions::default() };
    let without = Ground::load(&kind, &options).unwrap();
    assert_eq!(pages(&without), [expected[0], expected[2], expected[3]]);
    assert!(!body(&without, "Manet.htm").contains("subject.Art"));
}

#[test]
fn a_recorded_web_answers_with_the_newest_capture() {
    let record = |url: &str, date: &str, body: &str| {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n\
             WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http; msgtype=response\r\n\
             Content-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    let warc = [
        record("http://a.example/", "2020-01-02T00:00:00Z", "new"),
        record("http://a.example/", "2020-01-01T00:00:00Z", "old"),
        record("http://b.example/x?utm_source=y", "2020-01-01T00:00:00Z", "else"),
    ];
    let directory = folder(&[("web.warc", &warc.concat()), ("said", "birds\thttp://a.example/\n")]);
    let kind = WebKind::Warc(directory.path().join("web.warc"));
    let labels = Some(directory.path().join("said"));
    let ground = Ground::load(&kind, &WebOptions { labels, ..WebOptions::default() }).unwrap();
    assert_eq!(pages(&ground), ["200 http://a.example/ birds", "200 http://b.example/x "]);
    assert_eq!(&ground.pages[0].body[..], b"new");
    let error = Ground::load(&kind, &WebOptions::default()).err().unwrap().to_string();
    assert!(error.contains("no labels"), "{error}");
}

#[test]
fn the_testbed_is_known_by_its_presets() {
    let ground = Ground::load(&WebKind::Testbed("small".to_owned()), &WebOptions::default());
    let ground = ground.unwrap();
    assert_eq!((ground.size(), ground.topics.len()), (400, 1));
    let unknown = Ground::load(&WebKind::Testbed("vast".to_owned()), &WebOptions::default());
    let error = unknown.err().unwrap().to_string();
    assert!(error.contains("\"vast\"") && error.contains("many-topics"), "{error}");
}

/// The webs that the reference measurements were made on, where they are there.
fn real_web(name: &str) -> Option<std::path::PathBuf> {
    let folder = std::env::var_os("GANNET_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        Into::into,
    );
    let path = folder.join("webs").join(name);
    path.exists().then_some(path)
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn webkb_has_its_pages_hosts_and_classes() {
    let Some(path) = real_web("webkb.tar.zst") else {
        eprintln!("skipped: no webkb.tar.zst");
        return;
    };
    let ground = load("webkb", &path).unwrap();
    assert!(ground.size() > 8000 && ground.hosts() > 500, "{} {}", ground.size(), ground.hosts());
    let topics: Vec<&str> = ground.topics.iter().map(|topic| topic.name.as_str()).collect();
    assert_eq!(topics, ["course", "department", "faculty", "project", "staff", "student"]);
}
