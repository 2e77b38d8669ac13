//! What every store keeps, run against each of them.

use std::ops::ControlFlow;

use gannet_frontier::{Due, QueueKey};
use gannet_model::{
    Fingerprint, Host, HostId, PageUrl, Reason, Reasons, Scheme, Score, Timestamp, Worth,
};
use gannet_politeness::{Access, Pace, Tries};
use gannet_store::{
    Commit, Counters, CrawlRecord, CrawlState, Embedded, Found, HostCounters, HostRecord, How,
    InMemory, LearnedRecord, LessonCounts, ModelRecord, OrderRecord, Status, Store, StoreError,
    TaughtLabel, UrlHead, UrlRecord, VisitRecord, Visited,
};

const HOST: HostId = HostId(3);

fn record(path: &str, status: Status) -> (Fingerprint, UrlRecord) {
    let url = PageUrl::parse(&format!("http://a.example/{path}")).unwrap();
    let record = UrlRecord {
        head: UrlHead { host: HOST, status },
        url: url.clone(),
        found: Found {
            at: Timestamp::from_secs(1),
            parent: Some(Fingerprint(9)),
            how: How::Seed,
            depth: 2,
            redirects: 0,
            anchor: "an anchor".to_owned(),
        },
        worth: Worth::new(0.5),
        reasons: Reasons::one(Reason::new("parent relevance", 0.5).note("why")),
        traits: vec![1, 2, 3],
        because: "found".to_owned(),
        tries: Tries::default(),
        last_visit: None,
    };
    (url.fingerprint(), record)
}

fn key(worth: f32, sequence: u64) -> QueueKey {
    QueueKey::new(Worth::new(worth), sequence)
}

/// A commit that touches everything.
fn everything() -> Commit {
    let (url, queued) = record("queued", Status::Queued { key: key(0.5, 7) });
    let (later, scheduled) = record("later", Status::Scheduled { due: Timestamp::from_secs(60) });
    let visit = VisitRecord {
        url,
        at: Timestamp::from_secs(5),
        ended: Timestamp::from_secs(6),
        outcome: Visited::Failed(gannet_model::Failure::Timeout, "slow".to_owned()),
        archived: None,
        previous: None,
        ordinal: 1,
        digest: Some([7; 20]),
        same_as: None,
        happening: None,
        change: None,
        persisted: None,
    };
    let host = HostRecord {
        name: Host::parse("a.example").unwrap(),
        pace: Pace::new(HOST),
        counters: HostCounters { fetched: 4, ..HostCounters::default() },
    };
    Commit {
        urls: vec![(url, queued), (later, scheduled)],
        queued: vec![
            (HOST, key(0.5, 7), url),
            (HOST, key(0.9, 8), Fingerprint(1)),
            (HostId(4), key(1.0, 9), Fingerprint(2)),
        ],
        scheduled: vec![Due {
            at: Timestamp::from_secs(60),
            url: later,
            host: HOST,
            worth: Worth::new(0.2),
        }],
        hosts: vec![(HOST, host)],
        access: vec![(HOST, Scheme::Https, Access::Unknown)],
        visits: vec![(11, visit.clone()), (12, visit)],
        counters: Some(Counters { answered: 1, ..Counters::default() }),
        crawl: Some(CrawlRecord {
            created: Timestamp::ZERO,
            topic: "seabirds".to_owned(),
            definition: Some("{}".to_owned()),
            model: "topic-vector".to_owned(),
            order: "best-first".to_owned(),
            scope: "everything".to_owned(),
            state: CrawlState::Running { since: Timestamp::ZERO },
        }),
        model: Some(model(77)),
        learned: Some(learned(77)),
        order: Some(OrderRecord { name: "evidence".to_owned(), state: vec![1, 2] }),
        ..Commit::default()
    }
}

fn holds_everything(store: &dyn Store) {
    let commit = everything();
    for (url, record) in &commit.urls {
        assert_eq!(store.url(*url).unwrap().as_ref(), Some(record));
    }
    assert_eq!(store.url(Fingerprint(0)).unwrap(), None);
    assert_eq!(store.host(HOST).unwrap().as_ref(), Some(&commit.hosts[0].1));
    assert_eq!(store.access(HOST, Scheme::Https).unwrap(), Some(Access::Unknown));
    assert_eq!(store.access(HOST, Scheme::Http).unwrap(), None);
    assert_eq!(store.last_visit().unwrap(), Some(12));
    for (number, visit) in &commit.visits {
        assert_eq!(store.visit(*number).unwrap().as_ref(), Some(visit));
    }
    assert_eq!(Some(store.counters().unwrap()), commit.counters);
    assert_eq!(store.crawl().unwrap(), commit.crawl);
    assert_eq!(store.model(77).unwrap(), commit.model);
    assert_eq!(store.model(78).unwrap(), None);
    let mut heads = 0;
    store.each_url_head(&mut |_, head| heads += usize::from(head.host == HOST)).unwrap();
    assert_eq!(heads, 2);
}

fn model(version: u64) -> ModelRecord {
    ModelRecord {
        name: "linear".to_owned(),
        version,
        made: Timestamp::from_secs(9),
        because: "3 labels, 128 pages".to_owned(),
        lessons: LessonCounts { relevant: 2, irrelevant: 1, relatives: 0, pages: 128 },
        threshold: Score::clamped(0.5),
    }
}

fn learned(version: u64) -> LearnedRecord {
    let label = TaughtLabel { url: Fingerprint(5), relevant: true, relative: None };
    LearnedRecord {
        key: 42,
        version,
        lessons: LessonCounts::default(),
        batches: 3,
        labels: vec![label],
        state: vec![7; 100_000],
    }
}

fn keeps_models_and_the_newest_learning(store: &mut dyn Store) {
    assert_eq!(store.learned().unwrap(), Some(learned(77)));
    assert_eq!(store.order().unwrap().unwrap().state, [1, 2]);
    let next = Commit { model: Some(model(5)), learned: Some(learned(5)), ..Commit::default() };
    store.commit(next).unwrap();
    let mut versions = Vec::new();
    store.each_model(&mut |model| versions.push(model.version)).unwrap();
    versions.sort_unstable();
    assert_eq!(versions, [5, 77], "every model that judged is known");
    assert_eq!(store.learned().unwrap(), Some(learned(5)), "the newest alone is kept");
}

fn keeps_the_contract(store: &mut dyn Store) {
    assert_eq!(store.crawl().unwrap(), None);
    assert_eq!(store.last_visit().unwrap(), None);
    assert_eq!(store.learned().unwrap(), None);
    store.commit(everything()).unwrap();
    holds_everything(store);

    let best = key(f32::MAX, 0);
    let rows = store.queue(HOST, best, 10).unwrap();
    let order: Vec<_> = rows.iter().map(|entry| entry.key).collect();
    assert_eq!(order, [key(0.9, 8), key(0.5, 7)], "best first, and no other host's");
    assert_eq!(store.queue(HOST, best, 1).unwrap().len(), 1);
    assert_eq!(store.queue(HOST, key(0.9, 8).successor(), 9).unwrap()[0].key, key(0.5, 7));

    let due = store.scheduled((Timestamp::ZERO, Fingerprint(0)), 10).unwrap();
    assert_eq!(due, everything().scheduled);

    store
        .commit(Commit {
            dequeued: vec![(HOST, key(0.9, 8))],
            unscheduled: vec![(due[0].at, due[0].url)],
            ..Commit::default()
        })
        .unwrap();
    assert_eq!(store.queue(HOST, best, 10).unwrap().len(), 1);
    assert!(store.scheduled((Timestamp::ZERO, Fingerprint(0)), 10).unwrap().is_empty());
    holds_everything(store);

    let mut seen = Vec::new();
    store
        .each_visit(0, &mut |number, _| {
            seen.push(number);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(seen, [11, 12]);
    keeps_models_and_the_newest_learning(store);
}

#[test]
fn the_store_in_memory_keeps_the_contract() {
    keeps_the_contract(&mut InMemory::new());
}

#[test]
fn the_embedded_store_keeps_the_contract_and_what_it_holds() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let mut store = Embedded::open(&path).unwrap();
    keeps_the_contract(&mut store);
    store.sync().unwrap();
    drop(store);
    holds_everything(&Embedded::open_existing(&path).unwrap());
}

#[test]
fn what_a_kill_left_half_made_is_made_anew() {
    let directory = tempfile::tempdir().unwrap();
    let half_made = directory.path().join("store.new");
    std::fs::create_dir_all(half_made.join("keyspaces")).unwrap();
    std::fs::write(half_made.join("version"), b"").unwrap();
    let mut store = Embedded::open(&directory.path().join("store")).unwrap();
    keeps_the_contract(&mut store);
    assert!(!half_made.exists());
}

#[test]
fn a_store_in_use_is_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store");
    let _held = Embedded::open(&path).unwrap();
    assert!(matches!(Embedded::open(&path), Err(StoreError::InUse { .. })));
}

#[test]
fn a_missing_store_is_not_made_by_looking() {
    let directory = tempfile::tempdir().unwrap();
    let missing = directory.path().join("none");
    assert!(matches!(Embedded::open_existing(&missing), Err(StoreError::Missing { .. })));
    assert!(!missing.exists());
}
