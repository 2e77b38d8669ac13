//! What one link costs here, in nanoseconds: canonical form, decision, trap guard.
//!
//! Run with `cargo bench -p gannet-scope`. With `$GANNET_DATA` set, the real
//! addresses below `urls/` are read too (through the `zstd` command).

#![allow(clippy::print_stdout, missing_docs)]

use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use gannet_model::{HostId, PageUrl};
use gannet_scope::traps::refuse;
use gannet_scope::{Candidate, Canonical, Novelty, Scope, ScopeConfig, TrapConfig, TrapWatch};

const CLEAN: &str = "https://www.example.org/news/2024/05/a-typical-page-title.html";
const QUERY: &str = "https://www.example.org/list?category=books&page=3";
const NOISY: &str = "https://www.example.org/a;jsessionid=AB?b=%7e&utm_source=x&fbclid=y";

/// Addresses read from the real list, at most.
const MOST_REAL: usize = 500_000;

/// Steps per round, and rounds. Rounds are short and many, and the best one
/// counts, so that a busy machine does not spoil the figure.
const STEPS: usize = 2_000;
const ROUNDS: usize = 400;

/// Times the step and prints it.
fn time(name: &str, mut step: impl FnMut()) {
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..STEPS {
            step();
        }
        best = best.min(start.elapsed().as_nanos() as f64 / STEPS as f64);
    }
    println!("{name:<44} {best:8.1} ns");
}

/// Times `apply` alone: the copies that feed it are made outside the clock.
fn time_apply(name: &str, text: &str) {
    let canonical = Canonical::default();
    let url = PageUrl::parse(text).unwrap();
    let mut best = f64::MAX;
    let mut results = Vec::with_capacity(STEPS);
    for _ in 0..ROUNDS {
        results.clear();
        let copies = vec![url.clone(); STEPS];
        let start = Instant::now();
        for copy in copies {
            results.push(canonical.apply(black_box(copy)));
        }
        best = best.min(start.elapsed().as_nanos() as f64 / STEPS as f64);
        black_box(&results);
    }
    println!("{name:<44} {best:8.1} ns");
}

fn scope() -> Scope {
    let config: ScopeConfig = toml::from_str(
        r#"
        stay = "seed-domains"
        [[rule]]
        name = "no calendars"
        action = "reject"
        when = { any = [ { pattern = "/calendar/" }, { extension = ["ics"] } ] }
        [[rule]]
        action = "reject"
        when = { parameter = ["sort", "replytocom"] }
        [[rule]]
        action = "accept"
        when = { all = [ { domain = "example.org" }, { not = { depth_over = 5 } } ] }
        "#,
    )
    .unwrap();
    Scope::build(&config, &[PageUrl::parse(CLEAN).unwrap()]).unwrap()
}

fn main() {
    time_apply("canonical, clean address", CLEAN);
    time_apply("canonical, query without noise", QUERY);
    time_apply("canonical, four things to undo", NOISY);
    let rules = scope();
    let open = Scope::build(&ScopeConfig::default(), &[]).unwrap();
    for (name, text) in [
        ("accepted by a rule", CLEAN),
        ("accepted by a rule, query", QUERY),
        ("rejected, picture", "https://www.example.org/images/logo.png"),
        ("rejected, elsewhere", "https://www.elsewhere.co.uk/a/b"),
        ("rejected, pattern", "https://www.example.org/calendar/2024"),
    ] {
        let url = PageUrl::parse(text).unwrap();
        time(&format!("decide, {name}"), || {
            black_box(rules.decide(&Candidate { url: black_box(&url), depth: 2 }));
        });
    }
    let url = PageUrl::parse(CLEAN).unwrap();
    time("decide, default scope", || {
        black_box(open.decide(&Candidate { url: black_box(&url), depth: 2 }));
    });
    let traps = TrapConfig::default();
    time("trap guard", || {
        black_box(refuse(&traps, black_box(&url)));
    });
    let mut watch = TrapWatch::new(&traps).unwrap();
    time("trap watch, observe", || {
        black_box(watch.observe(HostId(1), black_box(&url), Novelty::Novel));
    });
    time("trap watch, verdict", || {
        black_box(watch.verdict(HostId(1), black_box(&url)));
    });
    time("parse, for comparison", || {
        black_box(PageUrl::parse(black_box(CLEAN))).unwrap();
    });
    read_real_addresses(&open);
}

/// Parses, canonicalises and decides real addresses: robustness first, then speed.
fn read_real_addresses(scope: &Scope) {
    let Some(root) = std::env::var_os("GANNET_DATA") else { return println!("skipped: no data") };
    let list = Path::new(&root).join("urls/npm_repository_urls.txt.zst");
    let Ok(mut zstd) = Command::new("zstd").arg("-dcq").arg(list).stdout(Stdio::piped()).spawn()
    else {
        return println!("skipped: no zstd");
    };
    let Some(output) = zstd.stdout.take() else { return };
    let lines = BufReader::new(output).lines().map_while(Result::ok).take(MOST_REAL);
    let urls: Vec<PageUrl> = lines.filter_map(|line| PageUrl::parse(&line).ok()).collect();
    // The rest of the list is not wanted; the command ends when its pipe does.
    let _ = zstd.wait();
    let (count, canonical) = (urls.len(), Canonical::default());
    let (mut changed, mut accepted) = (0, 0);
    let start = Instant::now();
    for url in urls {
        let length = url.as_str().len();
        let url = canonical.apply(url);
        changed += usize::from(url.as_str().len() != length);
        accepted += usize::from(scope.decide(&Candidate { url: &url, depth: 2 }).is_accepted());
    }
    let nanoseconds = start.elapsed().as_nanos() as f64 / count.max(1) as f64;
    println!(
        "{count} real addresses: {changed} shortened, {accepted} accepted, {nanoseconds:.0} ns each"
    );
}
