//! The experiment counts right on a made-up trace, and reaches the paper's figure on a real one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::*;

const DAY: u64 = 24 * 3600;
const BEGAN: u64 = 1_700_000_000;

/// A folder with a trace of events: day, path and body; no body means that the page goes.
fn write_trace(events: &[(u64, &str, Option<String>)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("blobs")).unwrap();
    let mut index = "unix_time,op,bytes,blob16,path\n".to_owned();
    for (number, (day, path, body)) in events.iter().enumerate() {
        // Between two mornings.
        let at = BEGAN + day * DAY - DAY / 2 * u64::from(*day > 0);
        let (blob, body) = match body {
            Some(body) => (format!("{number:016x}"), body.as_str()),
            None => (String::new(), ""),
        };
        writeln!(index, "{at},M,{},{blob},{path}", body.len()).unwrap();
        if !blob.is_empty() {
            std::fs::write(folder.path().join("blobs").join(blob), body).unwrap();
        }
    }
    std::fs::write(folder.path().join("trace.csv"), index).unwrap();
    folder
}

fn page(token: &str, text: &str) -> Option<String> {
    let rest = "The gannet dives from great height and comes back to the same cliffs each year. "
        .repeat(40);
    Some(format!(
        "<html><head><title>Gannets</title><script>var t='{token}'</script></head>\
         <body><h1>Gannets</h1><p>{text}</p><p>{rest}</p></body></html>"
    ))
}

/// Four pages for ten days: one edited, one with noise, one that does not change and one that goes.
fn made_up() -> tempfile::TempDir {
    write_trace(&[
        (0, "edited, twice.html", page("a", "It is said to be white.")),
        (0, "noisy.html", page("a", "It breeds on cliffs.")),
        (0, "quiet.html", page("a", "It eats fish.")),
        (0, "goes.html", page("a", "It winters at sea.")),
        (3, "edited, twice.html", page("a", "It is known to be brown when young.")),
        (4, "noisy.html", page("b", "It breeds on cliffs.")),
        (5, "goes.html", None),
        (7, "edited, twice.html", page("a", "It is known to be black when young.")),
        (10, "quiet.html", page("a", "It eats fish.")),
        (11, "last.html", page("a", "It is late.")),
    ])
}

fn plan(pages: usize, days: u32) -> Plan {
    Plan { pages, days, seed: 1 }
}

#[test]
fn changes_of_a_made_up_trace_are_all_recorded_and_nothing_else() {
    let folder = made_up();
    let trace = Trace::load(folder.path()).unwrap();
    let [measured] = &measure(&trace, &plan(3, 10)).unwrap()[..] else { panic!("one stretch") };
    assert_eq!((measured.pages, measured.visits), (3, 30));
    assert_eq!((measured.pages_changed, measured.changes), (2, 3));
    assert_eq!((measured.unchanged, measured.missed, measured.unfounded), (27, 0, 0));
    let text = measured.recorded.minor + measured.recorded.major;
    assert_eq!((measured.recorded.noise, measured.recorded.cosmetic, text), (1, 0, 2));
    assert_eq!(measured.told, 2, "noise is no news");
    let expected = 1.0 - measured.bytes as f64 / measured.bytes_of_all as f64;
    assert!((measured.saved - expected).abs() < 1e-9 && measured.saved > 0.8, "{measured:?}");
}

#[test]
fn the_same_trace_gives_the_same_figures() {
    let folder = made_up();
    let trace = Trace::load(folder.path()).unwrap();
    let [first, second] = [1, 2].map(|_| measure(&trace, &plan(2, 10)).unwrap());
    assert_eq!(first, second);
}

#[test]
fn a_trace_with_too_few_pages_is_refused_with_how_many_it_has() {
    let folder = made_up();
    let trace = Trace::load(folder.path()).unwrap();
    let error = measure(&trace, &plan(4, 10)).unwrap_err().to_string();
    assert!(error.contains("4 pages") && error.contains("at most 3"), "{error}");
}

#[test]
fn what_is_no_trace_is_refused_with_what_it_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let error = |path: &Path| Trace::load(path).unwrap_err().to_string();
    assert!(error(folder.path()).contains("trace.csv"));
    let index = folder.path().join("trace.csv");
    std::fs::write(&index, "unix_time,path\n").unwrap();
    assert!(error(folder.path()).contains("blob16"));
    std::fs::write(&index, "unix_time,blob16,path\n7,ff,a.html\nsoon,ff,a.html\n").unwrap();
    assert!(error(folder.path()).contains("line 3"));
}

/// The paper's experiment on a real site: it saved 84 % of the bandwidth.
#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn a_real_site_is_checked_for_a_month_with_84_percent_saved_and_nothing_missed() {
    let folder = std::env::var_os("GANNET_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = folder.join("replay/openbsd_www_full.tar.zst");
    if !path.exists() {
        eprintln!("skipped: no {path:?}");
        return;
    }
    let trace = Trace::load(&path).unwrap();
    let measured = measure(&trace, &plan(100, 30)).unwrap();
    assert_eq!(measured.len(), 2, "a typical month and the busiest");
    for month in &measured {
        assert_eq!((month.pages, month.visits), (100, 3000), "{month:?}");
        assert!(month.changes > 0 && month.saved >= 0.84, "{month:?}");
        assert_eq!((month.missed, month.unfounded), (0, 0), "{month:?}");
    }
}
