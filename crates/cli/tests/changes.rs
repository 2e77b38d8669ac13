//! The commands around changes, run as a user would: crawl, edit the site, look again, ask.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::{Arc, Mutex, PoisonError};

/// Pages by path.
type Pages = Arc<Mutex<BTreeMap<String, String>>>;

/// A site on loopback whose pages can be changed; it ends with the process.
struct Site {
    address: SocketAddr,
    pages: Pages,
}

impl Site {
    fn start() -> Site {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let pages = Pages::default();
        let served = pages.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that hangs up early is none of the test's business.
                let _ = answer(stream, &served);
            }
        });
        Site { address, pages }
    }

    fn set(&self, path: &str, body: &str) {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.insert(path.to_owned(), body.to_owned());
    }

    fn remove(&self, path: &str) {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

fn answer(mut stream: TcpStream, pages: &Pages) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let path = first.split(' ').nth(1).unwrap_or("/").to_owned();
    let page = pages.lock().unwrap_or_else(PoisonError::into_inner).get(&path).cloned();
    let (status, body) = match page {
        Some(body) => ("200 OK", body),
        None => ("404 Not Found", "nothing here".to_owned()),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    )
}

fn page(name: &str, text: &str, footer: &str) -> String {
    let words: Vec<String> = (0..60).map(|word| format!("{name}{word}")).collect();
    format!(
        "<title>{name}</title><h1>Gannets {name}</h1><p>{}</p><p>The gannet {text}.</p>\
         <footer><p>{footer}</p></footer>",
        words.join(" ")
    )
}

fn gannet(data: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gannet"))
        .arg("--data-dir")
        .arg(data)
        .args(arguments)
        .env_remove("GANNET_CONFIG")
        .current_dir(data.parent().unwrap())
        .output()
        .unwrap()
}

#[track_caller]
fn told(data: &Path, arguments: &[&str]) -> String {
    let output = gannet(data, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// Settings for a site on loopback.
const HERE: [&str; 4] = ["--delay", "0s", "--allow-address", "127.0.0.0/8"];

/// A site that was crawled once and has changed since.
fn crawled(directory: &Path) -> (Site, std::path::PathBuf) {
    let site = Site::start();
    let names = ["one", "two", "three", "four", "five"];
    let links: String =
        names.map(|name| format!("<p><a href=/{name}>gannet {name}</a></p>")).concat();
    site.set("/", &format!("<title>gannets</title><h1>Gannets</h1>{links}"));
    for name in names {
        site.set(&format!("/{name}"), &page(name, "dives", "kept by the club of the north"));
    }
    let data = directory.join("data");
    let seed = site.url("/");
    let crawl = ["-q", "crawl", "--topic", "gannet", seed.as_str()];
    told(&data, &[&crawl[..], &HERE[..]].concat());
    (site, data)
}

#[test]
fn an_edit_is_found_graded_shown_and_told_once_for_a_whole_site() {
    let directory = tempfile::tempdir().unwrap();
    let (site, data) = crawled(directory.path());
    for name in ["two", "three", "four"] {
        site.set(&format!("/{name}"), &page(name, "dives", "kept by the society of the south"));
    }
    site.set("/one", &page("one", "dives and swims far out", "kept by the club of the north"));
    site.remove("/five");
    let check = ["-q", "freshness", "--format", "json"];
    let report = told(&data, &[&check[..], &HERE[..]].concat());
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let row = &report["sites"][0];
    let counts = ["checked", "minor", "cosmetic", "same", "errors"].map(|count| row[count].clone());
    assert_eq!(counts, [6, 4, 0, 1, 1].map(serde_json::Value::from), "{report}");
    let of = |name: &str| {
        let rows = report["detectors"].as_array().unwrap();
        rows.iter().find(|row| row["detector"] == name).unwrap()["changed"].clone()
    };
    assert_eq!((of("raw-hash"), of("tag-strings")), (4.into(), 0.into()));

    let url = site.url("/one");
    let history = told(&data, &["history", &url]);
    assert!(history.contains("2 versions in 2 visits") && history.contains("minor"), "{history}");
    let diff = told(&data, &["diff", &url]);
    assert!(diff.contains("{+") && diff.contains("swims"), "{diff}");
    assert!(told(&data, &["diff", &url, "1..2", "--side-by-side"]).contains("swims"));
    assert!(!told(&data, &["show", &url, "--version", "1"]).contains("swims"));
    assert!(told(&data, &["show", &url, "--html"]).contains("<h1>Gannets one</h1>"));
    assert!(told(&data, &["show", &url, "--markdown"]).contains("# Gannets one"));

    let events = told(&data, &["changes", "--format", "json", "--since", "1d"]);
    let events: Vec<serde_json::Value> = serde_json::from_str(&events).unwrap();
    let changed: Vec<_> = events.iter().filter(|event| event["happening"] == "changed").collect();
    assert_eq!(changed.len(), 2, "{changed:?}");
    assert!(changed.iter().any(|event| event["pages"] == 3), "{changed:?}");
    let feed = told(&data, &["changes", "--feed"]);
    assert!(feed.contains("<feed") && feed.contains("&lt;ins&gt;"), "{feed}");

    // A page that is missing once is asked for again, and its copy stays.
    let explained = told(&data, &["explain", &site.url("/five")]);
    assert!(explained.contains("to be confirmed"), "{explained}");
    assert!(told(&data, &["show", &site.url("/five")]).contains("dives"));
}

#[test]
fn an_unchanged_site_is_fresh_and_its_archive_reads_back() {
    let directory = tempfile::tempdir().unwrap();
    let (_site, data) = crawled(directory.path());
    for _ in 0..2 {
        let report = told(&data, &[&["-q", "freshness"][..], &HERE[..]].concat());
        assert!(report.contains("6 pages looked at") && report.contains("100.0 %"), "{report}");
    }
    let pages = told(&data, &["pages", "--format", "jsonl"]);
    assert_eq!(pages.lines().count(), 6, "{pages}");
    assert!(pages.lines().all(|line| line.contains("\"title\":")), "{pages}");
    assert_eq!(told(&data, &["export", "jsonl"]).lines().count(), 6);
}

#[test]
fn what_makes_no_sense_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let (site, data) = crawled(directory.path());
    let url = site.url("/one");
    for (arguments, expected) in [
        (vec!["show", &url, "--version", "7"], "versions 1 to 1"),
        (vec!["show", &url, "--at", "soon"], "moment"),
        (vec!["show", &url, "--at", "1999-01-01"], "first seen"),
        (vec!["diff", &url, "1"], "A..B"),
        (vec!["history", "http://nowhere.example/"], "never visited"),
        (vec!["changes", "--since", "x"], "--since"),
    ] {
        let output = gannet(&data, &arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(expected), "{arguments:?}: {errors}");
    }
    let output = told(&data, &["diff", &url]);
    assert_eq!(output, "");
}
