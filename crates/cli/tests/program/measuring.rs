//! The lab: orderings measured on a folder of pages.

use serde_json::Value;
use tempfile::TempDir;

use crate::world::run_in;

/// Six pages on birds in a ring, each leading to the next two and to a page on nothing.
fn folder() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let site = directory.path().join("web/site.example");
    std::fs::create_dir_all(&site).unwrap();
    let mut labels = String::new();
    for page in 0..6 {
        let (next, after) = ((page + 1) % 6, (page + 2) % 6);
        let links = [next.to_string(), after.to_string(), format!("other{page}")];
        let links = links.map(|link| format!("<a href={link}.html>{link}</a> ")).concat();
        std::fs::write(site.join(format!("{page}.html")), links).unwrap();
        std::fs::write(site.join(format!("other{page}.html")), "nothing").unwrap();
        labels.push_str(&format!("birds\tsite.example/{page}.html\n"));
    }
    std::fs::write(directory.path().join("web/labels.tsv"), labels).unwrap();
    directory
}

#[test]
fn orderings_are_measured_on_a_folder_of_pages() {
    let directory = folder();
    let measure = |further: &[&str]| {
        let given = "lab harvest --web dir:web --orders breadth-first,oracle --pages 6 --repeat 2";
        let given: Vec<&str> = given.split(' ').collect();
        let arguments = [given.as_slice(), further].concat();
        run_in(directory.path(), &arguments)
    };
    let table = measure(&["--plot", "plot.svg"]);
    table.expect(0, &["12 pages on 1 hosts"]);
    assert!(table.stdout.contains("oracle") && table.stdout.contains("nAUC by topic"));
    let plot = std::fs::read_to_string(directory.path().join("plot.svg")).unwrap();
    assert!(plot.contains("<svg") && plot.contains("breadth-first"));

    let json: Value = serde_json::from_str(&measure(&["--format", "json"]).stdout).unwrap();
    assert!(json["default"].is_string());
    let runs = json["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 4);
    let oracle = runs.iter().filter(|run| run["order"] == "oracle");
    assert!(oracle.clone().all(|run| run["nauc"] == 1.0 && run["recall"] == 1.0), "{json}");
    assert_eq!(oracle.count(), 2);
    assert!(measure(&["--format", "html"]).stdout.contains("<!DOCTYPE html>"));
}

#[test]
fn what_cannot_be_measured_is_refused_with_what_would_be_right() {
    let directory = folder();
    let check = |further: &[&str], code: i32, expected: &str| {
        let arguments = [["lab", "harvest"].as_slice(), further].concat();
        run_in(directory.path(), &arguments).expect(code, &[expected]);
    };
    check(&["--web", "nowhere"], 2, "testbed:NAME");
    check(&["--web", "testbed:vast"], 1, "many-topics");
    check(&["--web", "dir:web", "--orders", "best-last"], 1, "breadth-first");
    check(&["--web", "dir:web", "--topics", "fish"], 1, "birds");
    check(&["--web", "dir:web", "--flip", "2"], 2, "from 0 to 1");
}
