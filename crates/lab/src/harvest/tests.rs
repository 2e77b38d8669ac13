//! A small web on which every figure can be worked out by hand, crawled by the engine.

use std::fs;

use gannet_links::DEFAULT_ORDER;

use super::*;

/// Five relevant pages that all link to each other and to two others; one of these leads to a
/// sixth relevant page, the other to nothing. Nobody links to the root.
fn ground() -> Ground {
    let directory = tempfile::tempdir().unwrap();
    let site = directory.path().join("site.example");
    fs::create_dir(&site).unwrap();
    let page = |name: &str, links: &[&str]| {
        let links: String =
            links.iter().map(|link| format!("<p><a href={link}.html>{link}</a>")).collect();
        fs::write(site.join(format!("{name}.html")), format!("<h1>{name}</h1>{links}")).unwrap();
    };
    let birds = ["r0", "r1", "r2", "r3", "r4"];
    for bird in birds {
        page(bird, &["r0", "r1", "r2", "r3", "r4", "o0", "o1"]);
    }
    page("o0", &["far"]);
    page("o1", &["gone"]);
    page("far", &[]);
    page("root", &["o0", "o1", "r0"]);
    let lines = birds.iter().chain(&["far"]);
    let labels: String = lines.map(|page| format!("birds\tsite.example/{page}.html\n")).collect();
    fs::write(directory.path().join("labels.tsv"), labels).unwrap();
    let kind = WebKind::Folder(directory.path().to_owned());
    Ground::load(&kind, &WebOptions::default()).unwrap()
}

fn protocol(orders: &[&str], pages: u64) -> Protocol {
    Protocol {
        contestants: orders.iter().map(|order| Contestant::parse(order).unwrap()).collect(),
        pages: Some(pages),
        repeat: 1,
        threads: 2,
        ..Protocol::default()
    }
}

const NOBODY: Watch<'static> = &|_| {};

fn run(protocol: &Protocol) -> Vec<Run> {
    measure(&ground(), protocol, NOBODY).unwrap().runs
}

#[track_caller]
fn check(run: &Run, nauc: f64, harvest: f64, recall: f64) {
    let figures = [(run.nauc, nauc), (run.harvest, harvest), (run.recall, recall)];
    assert!(figures.iter().all(|(is, ought)| (is - ought).abs() < 1e-12), "{run:?}");
}

#[test]
fn the_figures_are_those_worked_out_by_hand() {
    let runs = run(&protocol(&["breadth-first", "oracle"], 8));
    // Five seeds, o0, o1, far.
    check(&runs[0], (5.0 + 5.0 / 6.0 + 5.0 / 6.0 + 1.0) / 8.0, 6.0 / 8.0, 1.0);
    assert_eq!((runs[0].pages, runs[0].requests), (8, 9), "robots.txt is a request");
    assert_eq!(runs[0].target_length, Some(2.0 / 6.0));
    assert_eq!((runs[0].reachable, runs[0].pages_to_90), (6, Some(8)));
    // Five seeds, o0, far.
    check(&runs[1], (5.0 + 5.0 / 6.0 + 1.0 + 1.0) / 8.0, 6.0 / 7.0, 1.0);
    assert_eq!(runs[1].order, "oracle");
    assert_eq!(runs[1].target_length, Some(2.0 / 6.0));
}

#[test]
fn dead_links_cost_a_request_unless_they_are_left_out() {
    let follow = protocol(&["breadth-first"], 20);
    assert_eq!(run(&follow)[0].pages, 9);
    let leave_out = Protocol { dead_links: DeadLinks::LeaveOut, ..follow };
    assert_eq!(run(&leave_out)[0].pages, 8);
}

#[test]
fn roots_are_irrelevant_pages_with_most_links_that_lead_to_the_topic() {
    let root = Protocol { seeds: SeedKind::Root, repeat: 3, ..protocol(&["breadth-first"], 4) };
    let runs = run(&root);
    // The root, o0, o1, r0; then o0, far. From o1 nothing can be reached.
    assert_eq!(runs.len(), 2);
    check(&runs[0], (0.0 + 0.0 + 0.0 + 1.0 / 4.0) / 4.0, 1.0 / 4.0, 1.0 / 6.0);
    check(&runs[1], (0.0 + 1.0 + 1.0 + 1.0) / 4.0, 1.0 / 2.0, 1.0);
}

#[test]
fn the_figures_do_not_depend_on_the_threads_and_repeat() {
    let on = |threads| {
        let runs = run(&Protocol { threads, repeat: 2, ..protocol(&["soft-focus", "oracle"], 8) });
        runs.into_iter().map(|run| Run { ms_per_page: 0.0, ..run }).collect::<Vec<_>>()
    };
    assert_eq!(on(1), on(3));
    assert_eq!(on(1).len(), 4);
}

#[test]
fn what_is_counted_is_the_truth_whoever_judges() {
    for judge in [JudgeKind::Truth { flip: 1.0 }, JudgeKind::Model] {
        let runs = run(&Protocol { judge, ..protocol(&["soft-focus"], 8) });
        assert_eq!((runs[0].relevant, runs[0].pages), (6, 8), "{judge:?}");
    }
}

/// From the root, where soft focus does what it is told of the pages so far.
fn soft_focus_from_root() -> Protocol {
    Protocol { seeds: SeedKind::Root, ..protocol(&["soft-focus"], 9) }
}

/// The root, o0, o1, r0, far, gone, r1, r2, r3.
const MISLED: f64 = (1.0 / 4.0 + 2.0 / 5.0 + 2.0 / 6.0 + 3.0 / 6.0 + 4.0 / 6.0 + 5.0 / 6.0) / 9.0;

#[test]
fn orders_learn_from_the_judge_what_was_relevant() {
    // The root, o0, o1, r0; then what r0 leads to, before what the irrelevant pages lead to.
    let told = (1.0 / 4.0 + 2.0 / 5.0 + 3.0 / 6.0 + 4.0 / 6.0 + 5.0 / 6.0 + 1.0) / 9.0;
    check(&run(&soft_focus_from_root())[0], told, 6.0 / 9.0, 1.0);
    let liar = JudgeKind::Truth { flip: 1.0 };
    let runs = run(&Protocol { judge: liar, ..soft_focus_from_root() });
    check(&runs[0], MISLED, 5.0 / 9.0, 5.0 / 6.0);
}

#[test]
fn with_many_requests_under_way_orders_learn_too_late() {
    // What o0 and o1 lead to is asked for before anybody knows what r0 leads to.
    let runs = run(&Protocol { in_flight: 64, ..soft_focus_from_root() });
    check(&runs[0], MISLED, 5.0 / 9.0, 5.0 / 6.0);
}

#[test]
fn a_topic_without_enough_seeds_is_left_out_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("a.html"), "alone").unwrap();
    fs::write(directory.path().join("labels.tsv"), "birds\ta.html\n").unwrap();
    let kind = WebKind::Folder(directory.path().to_owned());
    let ground = Ground::load(&kind, &WebOptions::default()).unwrap();
    let measured = measure(&ground, &protocol(&["oracle"], 5), NOBODY).unwrap();
    assert!(measured.runs.is_empty());
    assert_eq!((measured.left_out[0].topic.as_str(), measured.left_out[0].pages), ("birds", 1));
    let report = Report::new(String::new(), measured);
    assert!(report.omissions()[0].contains("0 relevant pages lead to two others"));
    assert!(report.html().contains("Left out"));
}

#[test]
fn an_unknown_topic_is_refused_with_those_there_are() {
    let wrong = Protocol { topics: vec!["fish".to_owned()], ..protocol(&["oracle"], 5) };
    let error = measure(&ground(), &wrong, NOBODY).unwrap_err().to_string();
    assert!(error.contains("\"fish\"") && error.contains("birds"), "{error}");
}

#[test]
fn the_report_has_every_order_in_table_json_and_plots() {
    let protocol = protocol(&["breadth-first", "soft-focus", "oracle"], 8);
    let ground = ground();
    let measured = measure(&ground, &protocol, NOBODY).unwrap();
    let report = Report::new(protocol.in_words(&ground), measured);
    let grid = &report.grids()[0];
    assert_eq!(grid.rows.len(), 3);
    assert!(grid.rows[0][0].starts_with("oracle"), "the best comes first");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["default"], DEFAULT_ORDER);
    assert_eq!(json["runs"].as_array().unwrap().len(), 3);
    for key in [
        "order",
        "topic",
        "seed",
        "budget",
        "harvest",
        "recall",
        "nauc",
        "target_length",
        "requests",
        "bytes",
    ] {
        assert!(!json["runs"][0][key].is_null(), "{key}");
    }
    let html = report.html();
    for words in ["breadth-first", "oracle", "recall over megabytes", "<svg", "birds"] {
        assert!(html.contains(words), "{words}");
    }
}

#[test]
fn a_judge_errs_on_the_share_it_is_told_and_always_on_the_same_pages() {
    use gannet_model::{Document, PageUrl};
    use gannet_relevance::{Model, Sight};
    let ground = ground();
    let judge = judge::TruthfulJudge::new(&ground, &ground.topics[0], 0.1, 7);
    let document = Document::default();
    let is_relevant = |page: usize| {
        let url = PageUrl::parse(&format!("http://a.example/{page}")).unwrap();
        let sight = Sight { document: &document, url: Some(&url), anchor: "", prominence: None };
        judge.judge(&sight).is_relevant()
    };
    let wrong: Vec<usize> = (0..2000).filter(|page| is_relevant(*page)).collect();
    assert!((150..250).contains(&wrong.len()), "{} of 2000", wrong.len());
    assert!(wrong.iter().all(|page| is_relevant(*page)));
}
