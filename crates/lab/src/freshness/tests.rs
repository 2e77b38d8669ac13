//! The protocol keeps its promises, on made-up pages and on recorded ones where they are there.

use std::path::PathBuf;

use super::*;

fn measured(
    source: &str,
    pages: usize,
    names: &[&str],
    budgets: &[f64],
    signals: Signals,
) -> Measured {
    let kind: SourceKind = source.parse().unwrap();
    let source = Source::open(&kind, Some(pages)).unwrap();
    let contestants = names.iter().map(|name| Contestant::parse(name).unwrap()).collect();
    let plan = Plan { contestants, budgets: budgets.to_vec(), seeds: 2, signals, threads: 2 };
    measure(&source, &plan, &|_| ()).unwrap()
}

/// The mean freshness of a policy with a budget.
fn fresh(measured: &Measured, policy: &str, budget: f64) -> f64 {
    let means = measured.means();
    let is_asked = |mean: &&measure::Mean| mean.policy == policy && mean.budget == budget;
    means.iter().find(is_asked).map(|mean| mean.figures.fresh).unwrap()
}

const PAGES: usize = 500;
const BUDGETS: [f64; 2] = [0.3, 1.0];

#[test]
fn the_default_comes_near_to_what_knowing_all_rates_could_reach() {
    let names = ["priced", "uniform", ORACLE];
    let found = measured("synthetic:ln2-zipf", PAGES, &names, &BUDGETS, Signals::None);
    for budget in BUDGETS {
        let of = |name| fresh(&found, name, budget);
        assert!(of("priced") > 0.97 * of(ORACLE), "{budget}: {} {}", of("priced"), of(ORACLE));
        assert!(of("priced") > of("uniform"), "{budget}");
    }
    for run in found.runs.iter().filter(|run| run.policy == "priced") {
        assert!(run.figures.used > 0.98, "{run:?}");
    }
}

#[test]
fn a_poor_sitemap_helps_and_a_lying_one_does_no_harm() {
    let with = |signals| {
        fresh(&measured("synthetic:ln2-zipf", PAGES, &["priced"], &[1.0], signals), "priced", 1.0)
    };
    let without = with(Signals::None);
    let poor = with(Signals::Sitemap { recall: 0.5, precision: 0.2 });
    let lying = with(Signals::Lying);
    assert!(poor > without + 0.005, "{poor} {without}");
    assert!(lying > without - 0.003, "{lying} {without}");
}

#[test]
fn the_same_seeds_give_the_same_figures() {
    let run = || measured("synthetic:mix", 100, &["priced"], &[1.0], Signals::None);
    assert_eq!(run(), run());
}

#[test]
fn every_policy_runs_on_every_made_up_population() {
    let all: Vec<String> = Contestant::all().into_iter().map(|all| all.name).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    for source in ["synthetic:ln2-flat", "synthetic:buckets"] {
        let found = measured(source, 60, &all, &[1.0], Signals::None);
        assert_eq!(found.runs.len(), 2 * all.len());
        for run in found.runs {
            assert!((0.0..=1.0).contains(&run.figures.fresh), "{run:?}");
        }
    }
}

#[test]
fn pages_that_change_together_are_found_together() {
    // Ten directories of twenty pages; every 40 days or so all pages of one change at once.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sweeps.tsv");
    let day = 86_400;
    let page = |page: u64| {
        let directory = page % 10;
        let sweeps = (0..36).map(|sweep| (1 + sweep * 40 + directory * 4) * day + page);
        let sweeps: Vec<String> = sweeps.map(|at| (day + at).to_string()).collect();
        format!("d{directory}/p{page}.html\t0\t0\t{}\n", sweeps.join(","))
    };
    std::fs::write(&file, (0..200).map(page).collect::<String>()).unwrap();
    let names = ["priced", "priced:neighbours=false"];
    let found = measured(file.to_str().unwrap(), 0, &names, &[3.0], Signals::None);
    let (with, without) = (fresh(&found, names[0], 3.0), fresh(&found, names[1], 3.0));
    assert!(with > without + 0.005, "{with} {without}");
}

#[test]
fn json_has_a_default_and_runs() {
    let found = measured("synthetic:ln2-zipf", 50, &["uniform", ORACLE], &[1.0], Signals::None);
    let json = serde_json::to_value(Report::new("test".to_owned(), found)).unwrap();
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["default", "runs"]);
    let run = &json["runs"][0];
    for key in ["policy", "budget", "seed", "F", "H", "delay_days", "wasted", "used"] {
        assert!(!run[key].is_null(), "{key} in {run}");
    }
}

#[test]
fn a_report_has_tables_and_plots() {
    let found = measured("synthetic:ln2-zipf", 50, &["priced", ORACLE], &BUDGETS, Signals::None);
    let report = Report::new("made up".to_owned(), found);
    assert_eq!(report.grids().len(), BUDGETS.len());
    let html = report.html();
    assert!(html.contains("<svg") && html.contains("priced (default)"), "{html}");
}

#[test]
fn unknown_pages_are_refused_with_those_there_are() {
    let error = "synthetic:none".parse::<SourceKind>().unwrap_err().to_string();
    assert!(error.contains("ln2-zipf") && error.contains("\"none\""), "{error}");
    let missing = SourceKind::Trace(PathBuf::from("/no/such/file.tsv"));
    assert!(Source::open(&missing, None).unwrap_err().to_string().contains("/no/such/file.tsv"));
}

fn data(file: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("GANNET_DATA").map(PathBuf::from).unwrap_or_else(|| {
        PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"))
    });
    Some(folder.join("revisit").join(file)).filter(|file| file.is_file())
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn on_a_recorded_site_neighbours_tell_of_changes() {
    let Some(file) = data("openbsd_www.tsv") else {
        eprintln!("skipped: no data");
        return;
    };
    let names = ["priced", "priced:neighbours=false", "uniform"];
    let budgets = [1.0, 3.0, 10.0];
    let found = measured(file.to_str().unwrap(), 0, &names, &budgets, Signals::None);
    for budget in budgets {
        let stale = |name| 1.0 - fresh(&found, name, budget);
        assert!(stale("priced") < 0.62 * stale("uniform"), "{budget}: {}", stale("priced"));
    }
    assert!(fresh(&found, names[0], 10.0) > fresh(&found, names[1], 10.0));
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn computed_frequencies_agree_with_those_of_a_file() {
    let Some(file) = data("synth_ln2_zipf_oracle.tsv") else {
        eprintln!("skipped: no data");
        return;
    };
    let kind = SourceKind::Trace(file);
    let population = Source::open(&kind, None).unwrap().draw(1);
    assert_eq!(population.pages.len(), 10_000);
    let visits = population.mean_rate * 10_000.0;
    let found = oracle::oracle(&population, visits * 0.1);
    // Table 1 of the specification.
    assert!((found.fresh - 0.8125).abs() < 0.02, "{}", found.fresh);
}
