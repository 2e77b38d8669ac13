//! `kill -9` at any instant: nothing committed is lost or fetched again, no host is hurried.
//!
//! The real binary crawls a synthetic web that this process serves and logs;
//! the binary is killed at random instants and started again until it is done.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use gannet_archive::{Position, Reader, read_at};
use gannet_engine::{DataDir, read_store};
use gannet_store::{Status, Store};
use gannet_testbed::politeness::{AuditRules, audit};
use gannet_testbed::{Server, ServerOptions, Spec, Web};

/// A lock on a store is inherited by every child process until that has begun to run, so the
/// tests, which look into stores and start processes, take turns.
static TURN: Mutex<()> = Mutex::new(());

const KILLS: usize = 200;
/// Kills of one crawl before it is left to end; the next crawl starts anew.
const KILLS_OF_ONE_CRAWL: usize = 10;
/// The latest instant of a kill: a crawl of the small web takes a little longer than this.
const LATEST_KILL: u64 = 700;

/// A web, its server and a directory to crawl it in.
struct Site {
    runtime: tokio::runtime::Runtime,
    server: Option<Server>,
    web: Arc<Web>,
    directory: tempfile::TempDir,
    delay: Duration,
    pages: Option<u64>,
}

impl Site {
    fn new(spec: Spec, delay: Duration, pages: Option<u64>) -> Site {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let web = Arc::new(Web::new(spec));
        let server =
            runtime.block_on(Server::start(web.clone(), ServerOptions::default())).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let site = Site { runtime, server: Some(server), web, directory, delay, pages };
        site.write_config();
        site
    }

    fn write_config(&self) {
        let words: Vec<_> = self.web.topic().words.iter().map(|word| format!("{word:?}")).collect();
        let seeds: Vec<_> = self.web.seeds(5).iter().map(|seed| format!("{seed:?}")).collect();
        let pages = self.pages.map_or(String::new(), |pages| format!("max_pages = {pages}\n"));
        let text = format!(
            "version = 1\n[topic]\nwords = [{}]\n[crawl]\nseeds = [{}]\n{pages}\
             [politeness]\ndelay = \"{}ms\"\nthrottle_first_wait = \"50ms\"\n\
             [politeness.retry.broken]\nattempts = 9\nfirst_wait = \"20ms\"\nfactor = 1\nlongest_wait = \"1s\"\n\
             [fetch]\nhosts_file = \"hosts\"\nallow_addresses = [\"127.0.0.0/8\"]\n",
            words.join(", "),
            seeds.join(", "),
            self.delay.as_millis(),
        );
        fs::write(self.directory.path().join("gannet.toml"), text).unwrap();
        fs::write(self.directory.path().join("hosts"), self.server().hosts_file()).unwrap();
    }

    fn server(&self) -> &Server {
        self.server.as_ref().expect("the server runs until the site is dropped")
    }

    fn data(&self) -> DataDir {
        DataDir::new(self.directory.path().join("data"))
    }

    fn start(&self) -> Crawl {
        Crawl::start(&self.directory.path().join("gannet.toml"), self.data().path())
    }

    /// Every URL with how it stands.
    fn standings(&self) -> BTreeMap<String, &'static str> {
        let mut standings = BTreeMap::new();
        read_store(&self.data())
            .unwrap()
            .each_url(&mut |_, record| {
                let standing = match record.head.status {
                    Status::Queued { .. } | Status::Scheduled { .. } => "waiting",
                    Status::Fetched => "fetched",
                    Status::Redirected => "redirected",
                    Status::Failed => "failed",
                    Status::Skipped => "skipped",
                    Status::Gone => "gone",
                };
                standings.insert(record.url.to_string(), standing);
                ControlFlow::Continue(())
            })
            .unwrap();
        standings
    }

    fn check_archive(&self) {
        let archive = self.data().archive();
        let mut files: Vec<PathBuf> =
            fs::read_dir(&archive).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let mut records = 0;
        for file in &files {
            for record in Reader::open(file).unwrap() {
                record.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
                records += 1;
            }
        }
        assert!(records > 0);
        let store = read_store(&self.data()).unwrap();
        let mut urls = BTreeMap::new();
        store
            .each_url(&mut |fingerprint, record| {
                urls.insert(fingerprint, record.url.to_string());
                ControlFlow::Continue(())
            })
            .unwrap();
        store
            .each_visit(0, &mut |_, visit| {
                if let Some(at) = visit.archived {
                    let position = Position {
                        file: at.file,
                        offset: at.offset,
                        length: u32::try_from(at.length).unwrap(),
                        response: u32::try_from(at.response_offset - at.offset).unwrap(),
                    };
                    let capture = read_at(&archive, "gannet", position).unwrap();
                    assert_eq!(capture.url, urls[&visit.url], "evidence of the right page");
                }
                ControlFlow::Continue(())
            })
            .unwrap();
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            self.runtime.block_on(server.stop());
        }
    }
}

/// A running `gannet crawl`. Killed and waited for when dropped.
struct Crawl {
    child: Child,
    /// Closed when the process has ended.
    ended: Receiver<()>,
}

impl Crawl {
    fn start(config: &Path, data: &Path) -> Crawl {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gannet"))
            .arg("--quiet")
            .arg("--config")
            .arg(config)
            .arg("--data-dir")
            .arg(data)
            .arg("crawl")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let (sender, ended) = channel();
        std::thread::spawn(move || {
            // The pipe closes when the process ends, however it does.
            let _ = stdout.read_to_end(&mut Vec::new());
            drop(sender);
        });
        Crawl { child, ended }
    }

    /// True when it ended by itself within `patience`.
    fn ends_within(&self, patience: Duration) -> bool {
        self.ended.recv_timeout(patience) == Err(RecvTimeoutError::Disconnected)
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn succeed(mut self) {
        assert!(self.ends_within(Duration::from_secs(120)), "the crawl hangs");
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
    }
}

impl Drop for Crawl {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Random instants that are the same in every run of the test.
struct Instants(u64);

impl Instants {
    fn next(&mut self, latest: u64) -> Duration {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        Duration::from_micros((self.0 >> 33) % (latest * 1000))
    }
}

#[test]
fn a_crawl_killed_two_hundred_times_ends_with_the_pages_of_an_undisturbed_one() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let undisturbed = Site::new(Spec::small(7), Duration::ZERO, None);
    undisturbed.start().succeed();
    let expected = undisturbed.standings();
    assert!(expected.values().filter(|standing| **standing == "fetched").count() > 300);

    let mut instants = Instants(7);
    let mut kills = 0;
    let mut crawls = 0;
    while kills < KILLS {
        let site = Site::new(Spec::small(7), Duration::ZERO, None);
        kills += crawl_with_kills(&site, &mut instants, KILLS_OF_ONE_CRAWL.min(KILLS - kills));
        crawls += 1;
        assert_eq!(site.standings(), expected, "after {kills} kills");
        site.check_archive();
        assert!(crawls <= KILLS, "most crawls end before they can be killed");
    }
    assert_eq!(kills, KILLS);
}

/// Kills the crawl up to `most` times, then lets it end. Returns how often it was killed.
fn crawl_with_kills(site: &Site, instants: &mut Instants, most: usize) -> usize {
    let mut kills = 0;
    // What was committed at a kill, and how many requests had been logged by then.
    let mut committed: Vec<(BTreeSet<String>, usize)> = Vec::new();
    while kills < most {
        let crawl = site.start();
        if crawl.ends_within(instants.next(LATEST_KILL)) {
            break;
        }
        crawl.kill();
        kills += 1;
        // Every other time the store is left as the kill left it.
        if kills % 2 == 0 && site.data().store().exists() {
            let standings = site.standings().into_iter();
            let fetched = standings.filter(|(_, s)| *s == "fetched").map(|(url, _)| url).collect();
            committed.push((fetched, site.server().log().len()));
        }
    }
    site.start().succeed();
    let log = site.server().log();
    for (fetched, from) in committed {
        for entry in &log[from..] {
            let url = format!("http://{}{}", entry.host, entry.path);
            assert!(!fetched.contains(&url), "{url} was committed and fetched again");
        }
    }
    kills
}

#[test]
fn no_host_is_hurried_by_kills_and_restarts() {
    const DELAY: Duration = Duration::from_millis(200);
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let site = Site::new(Spec::polite(5), DELAY, Some(500));
    let mut instants = Instants(11);
    for _ in 0..8 {
        let crawl = site.start();
        if crawl.ends_within(instants.next(2500)) {
            break;
        }
        crawl.kill();
    }
    site.start().succeed();
    let log = site.server().log();
    let hosts: BTreeSet<_> = log.iter().map(|entry| entry.host.clone()).collect();
    assert!(hosts.len() >= 40, "only {} hosts were contacted", hosts.len());
    let rules = AuditRules { web: &site.web, delay: DELAY, per_host: true, per_address: true };
    let violations = audit(&log, &rules);
    assert!(violations.is_empty(), "{} violations, first {:?}", violations.len(), violations[0]);
}
