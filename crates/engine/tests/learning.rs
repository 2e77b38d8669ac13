//! Crawls that learn while they run, what they remember of it, and pages judged again.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use gannet_engine::labels::{PERSON, append};
use gannet_engine::{
    Config, DataDir, Event, Example, FinishReason, Journey, Label, Labels, Learned, Learning,
    Opened, Outcome, Rejudged, Stop, Taught, What, explain, questions, read_store, rejudge, run,
    stop_channel,
};
use gannet_fetch::Overrides;
use gannet_model::{Block, Document, Judgement, PageUrl, Timestamp};
use gannet_relevance::Topic;
use gannet_store::{Counters, Store, Visited};
use gannet_testbed::{Behaviour, Server, ServerOptions, Spec, Web};

/// A model whose version changes with every label.
const QUICK: &str = "rocchio";
/// A model that learns from examples, labels and pages.
const LEARNER: &str = gannet_relevance::DEFAULT_MODEL;
/// No crawl here takes longer, even if what it waits for never happens.
const PATIENCE: Duration = Duration::from_secs(60);

/// A web on loopback, a config that crawls it, and a data directory.
struct Site {
    server: Server,
    config: Config,
    data: DataDir,
    _directory: tempfile::TempDir,
}

impl Site {
    async fn new(model: &str) -> Site {
        let web = Arc::new(Web::new(Spec::small(11)));
        let server = Server::start(web.clone(), ServerOptions::default()).await.unwrap();
        let topic = Topic::from_words(&web.topic().words.join(", ")).unwrap();
        let mut config = Config::new(topic);
        config.model.name = model.to_owned();
        config.seeds = web.seeds(5).iter().map(|seed| PageUrl::parse(seed).unwrap()).collect();
        config.fetch.overrides = Overrides::parse(&server.hosts_file()).unwrap();
        config.fetch.allow_addresses = vec!["127.0.0.0/8".parse().unwrap()];
        config.pace.delay = Duration::ZERO;
        config.pace.throttle.first = Duration::from_millis(50);
        config.retry.broken.first = Duration::from_millis(50);
        config.limits.time = Some(PATIENCE);
        let directory = tempfile::tempdir().unwrap();
        let data = DataDir::new(directory.path());
        Site { server, config, data, _directory: directory }
    }

    async fn crawl(&self, pages: u64) -> Outcome {
        let mut config = self.config.clone();
        config.limits.pages = Some(pages);
        let (_keep, stop) = stop_channel();
        run(config, &self.data, stop, &mut |_| {}).await.unwrap()
    }

    fn rejudge(&self, dry_run: bool) -> (gannet_engine::RejudgeSummary, Vec<Rejudged>) {
        let mut turned = Vec::new();
        let what = What { dry_run, ..What::default() };
        let summary =
            rejudge(&self.data, &self.config, what, &mut |page| turned.push(page)).unwrap();
        (summary, turned)
    }

    fn label(&self, url: &PageUrl, relevant: bool) {
        let at = Timestamp::from_secs(1_800_000_000);
        append(&self.data, &Label { url: url.clone(), relevant, at, relative: None }).unwrap();
    }

    /// Judgements of all pages, and the counts of the crawl, which must agree with them and with
    /// those of the hosts.
    #[track_caller]
    fn judgements(&self) -> (BTreeMap<PageUrl, Judgement>, Counters) {
        let store = read_store(&self.data).unwrap();
        let mut visits = HashMap::new();
        let each = &mut |_, visit: gannet_store::VisitRecord| {
            if let Visited::Page(_, facts) = visit.outcome {
                visits.insert(visit.url, facts.judgement);
            }
            ControlFlow::Continue(())
        };
        store.each_visit(0, each).unwrap();
        let judgements: BTreeMap<_, _> = visits
            .into_iter()
            .map(|(url, judgement)| (store.url(url).unwrap().unwrap().url, judgement))
            .collect();
        let counters = store.counters().unwrap();
        let relevant = judgements.values().filter(|judgement| judgement.is_relevant()).count();
        assert_eq!(counters.relevant, relevant as u64, "the counts are those of the pages");
        let mut of_hosts = 0;
        store.each_host(&mut |_, host| of_hosts += host.counters.relevant).unwrap();
        assert_eq!(of_hosts, counters.relevant, "the counts of hosts add up");
        (judgements, counters)
    }
}

fn example(text: &str, teaches: Taught) -> Example {
    let block = Block { text: text.to_owned(), ..Block::default() };
    let document = Document { blocks: vec![block], ..Document::default() };
    Example { document, url: None, teaches }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_label_given_while_a_crawl_runs_changes_its_model_without_stopping_it() {
    let mut site = Site::new(QUICK).await;
    // Slow enough that the crawl is still under way when the label is noticed.
    site.config.pace.delay = Duration::from_millis(100);
    let (sender, stop) = stop_channel();
    let mut labelled = Vec::new();
    let mut learned: Vec<Learned> = Vec::new();
    let mut judged_since = HashSet::new();
    let mut watch = |event: Event<'_>| match event {
        Event::Answered { url, relevant: Some(relevant), .. } if labelled.len() < 8 => {
            site.label(url, !relevant);
            labelled.push((url.clone(), !relevant));
        }
        Event::Answered { url, relevant: Some(_), .. } if !learned.is_empty() => {
            judged_since.insert(url.clone());
            if judged_since.len() == 30 {
                sender.send_replace(Some(Stop::Gently));
            }
        }
        Event::Learned(news) => {
            let is_adopted = news.outcome == Learning::Adopted;
            learned.extend(
                Some(news.clone()).filter(|news| is_adopted && news.because.contains("label")),
            );
        }
        _ => {}
    };
    let outcome = run(site.config.clone(), &site.data, stop, &mut watch).await.unwrap();
    assert_eq!(outcome.reason, FinishReason::Interrupted, "the model changed and pages came after");

    let (judgements, _) = site.judgements();
    for (url, relevant) in &labelled {
        let judgement = &judgements[url];
        assert_eq!((judgement.is_relevant(), judgement.model.as_str()), (*relevant, PERSON));
    }
    let version = learned[0].version;
    let by_new = judged_since.iter().filter(|url| judgements[*url].version == version).count();
    assert!(by_new > 0, "pages were judged by the model that had learned");
    let store = read_store(&site.data).unwrap();
    let record = store.model(version).unwrap().unwrap();
    assert!(record.because.contains("label"), "{}", record.because);
    assert!(store.learned().unwrap().unwrap().labels.len() < 8 + 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_learned_is_there_after_a_stop_and_after_a_kill() {
    let mut site = Site::new(LEARNER).await;
    let words = site.server.web().topic().words.join(" ");
    site.config.examples = vec![
        example(&words, Taught::Relevant),
        example("ferry times and harbour news", Taught::Irrelevant),
    ];
    let first = site.crawl(150).await;
    let learned = read_store(&site.data).unwrap().learned().unwrap().unwrap();
    assert_eq!(learned.version, first.progress.model_version);
    assert!(learned.batches > 0, "pages were taught: {:?}", learned.lessons);

    // Opened and dropped without a word, as a kill would.
    drop(Opened::new(site.config.clone(), &site.data).unwrap());
    let again = site.crawl(150).await;
    assert_eq!(again.progress.model_version, first.progress.model_version);
    let store = read_store(&site.data).unwrap();
    assert_eq!(store.learned().unwrap().unwrap(), learned);
    let mut models = Vec::new();
    store.each_model(&mut |model| models.push(model.because)).unwrap();
    assert!(models.contains(&"2 examples".to_owned()), "{models:?}");
    drop(store);

    // Other examples are another beginning.
    site.config.examples.pop();
    let other = site.crawl(150).await;
    assert_ne!(other.progress.model_version, first.progress.model_version);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn labels_given_between_two_runs_hold_from_the_next_on() {
    let site = Site::new(LEARNER).await;
    site.crawl(60).await;
    let (before, _) = site.judgements();
    let labelled: Vec<_> =
        before.iter().take(6).map(|(url, judged)| (url.clone(), !judged.is_relevant())).collect();
    for (url, relevant) in &labelled {
        site.label(url, !relevant);
        site.label(url, *relevant);
    }
    // A page that was not fetched yet waits for its label to be used.
    let (unfetched, _) = not_fetched(&site);
    site.label(&unfetched, true);

    site.crawl(60).await;
    let (after, _) = site.judgements();
    for (url, relevant) in &labelled {
        assert_eq!(after[url].is_relevant(), *relevant, "{url}");
        assert_eq!(after[url].reasons.iter().next().unwrap().part, "labelled by a person");
    }
    let journey = Journey::new(&site.config).unwrap();
    let labels = Labels::read(&site.data, &journey).unwrap();
    let store = read_store(&site.data).unwrap();
    let told = explain(&store, &journey, &labelled[0].0, Timestamp::ZERO).unwrap();
    assert_eq!(told.with_labels(&labels).label.unwrap().relevant, labelled[0].1);
    drop(store);

    site.crawl(u64::MAX).await;
    let (last, _) = site.judgements();
    assert!(last[&unfetched].is_relevant());
    assert_eq!(last[&unfetched].model, PERSON);
}

/// A page that is known and not fetched yet, and is one in truth.
fn not_fetched(site: &Site) -> (PageUrl, gannet_model::Fingerprint) {
    let store = read_store(&site.data).unwrap();
    let mut found = None;
    store
        .each_url(&mut |fingerprint, record| {
            let is_page = site
                .server
                .web()
                .truth(record.url.as_str())
                .is_some_and(|truth| matches!(truth.behaviour, Behaviour::Serve));
            if record.last_visit.is_none() && is_page && record.because.is_empty() {
                found = Some((record.url, fingerprint));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    found.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn judging_again_with_another_topic_turns_verdicts_and_the_counts_add_up() {
    let mut site = Site::new("topic-vector").await;
    site.crawl(200).await;
    let (before, counted) = site.judgements();
    assert!(counted.relevant > 0 && counted.relevant < counted.fetched);

    let (same, turned) = site.rejudge(false);
    assert_eq!((same.gained, same.lost, turned.len()), (0, 0, 0), "nothing changed");
    assert_eq!(same.pages, counted.fetched);

    site.config.topic = Topic::from_words("harbour, zebra, the").unwrap();
    let (would, would_turn) = site.rejudge(true);
    assert!(would.gained + would.lost > 0);
    assert_eq!(site.judgements().0, before, "a dry run changes nothing");

    let (summary, turned) = site.rejudge(false);
    assert_eq!((summary.gained, summary.lost), (would.gained, would.lost));
    assert_eq!(turned, would_turn);
    assert!(summary.pages_per_second() > 0.0);
    let (after, recounted) = site.judgements();
    assert_eq!(recounted.relevant, counted.relevant + summary.gained - summary.lost);
    assert_eq!(recounted.relevant, summary.relevant);
    for page in &turned {
        assert_eq!(before[&page.url].is_relevant(), !after[&page.url].is_relevant());
    }
    let version = summary.version;
    assert!(after.values().all(|judgement| judgement.version == version));
    let store = read_store(&site.data).unwrap();
    assert!(store.model(version).unwrap().is_some());
    assert!(store.crawl().unwrap().unwrap().definition.unwrap().contains("zebra"));
    drop(store);

    let (again, turned) = site.rejudge(false);
    assert_eq!((again.gained, again.lost, turned.len()), (0, 0, 0), "twice is once");
    assert_eq!(site.judgements().0, after);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn judging_again_may_be_broken_off_and_begun_again() {
    let mut site = Site::new("topic-vector").await;
    let outcome = site.crawl(u64::MAX).await;
    assert!(outcome.progress.counters.answered > 300, "more than one batch");
    let (before, _) = site.judgements();
    site.config.topic = Topic::from_words("harbour, zebra, the").unwrap();
    let (_, would_turn) = site.rejudge(true);

    let broken_off = std::panic::catch_unwind(|| {
        let stop = &mut |_: Rejudged| panic!("broken off after the first batch");
        rejudge(&site.data, &site.config, What::default(), stop).map(|_| ())
    });
    assert!(broken_off.is_err());
    let (half, _) = site.judgements();
    let turned = |now: &BTreeMap<PageUrl, Judgement>| {
        now.iter().filter(|(url, now)| now.is_relevant() != before[*url].is_relevant()).count()
    };
    assert!((1..would_turn.len()).contains(&turned(&half)), "{} turned", turned(&half));

    site.rejudge(false);
    let (whole, _) = site.judgements();
    assert_eq!(turned(&whole), would_turn.len());
    for page in would_turn {
        assert_eq!(whole[&page.url], page.after);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_without_evidence_are_counted_and_stay_as_they_were_judged() {
    let mut site = Site::new("topic-vector").await;
    site.config.archive.enabled = false;
    site.crawl(40).await;
    let (before, counted) = site.judgements();
    site.config.topic = Topic::from_words("harbour, the").unwrap();
    let labelled = before.keys().next().unwrap().clone();
    site.label(&labelled, !before[&labelled].is_relevant());
    let (summary, _) = site.rejudge(false);
    assert_eq!(summary.without_archive, counted.fetched);
    assert_eq!((summary.pages, summary.judged), (counted.fetched, 1));
    let (after, _) = site.judgements();
    for (url, judgement) in after {
        if url == labelled {
            assert_eq!(judgement.model, PERSON);
        } else {
            assert_eq!(judgement, before[&url]);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_are_asked_about_pages_that_are_undecided_and_not_labelled() {
    let site = Site::new("topic-vector").await;
    let outcome = site.crawl(200).await;
    let running = outcome.progress.questions;
    assert_eq!(running.len(), 20);
    let store = read_store(&site.data).unwrap();
    let journey = Journey::new(&site.config).unwrap();
    let none = Labels::read(&site.data, &journey).unwrap();
    let offline = questions(&store, &none, 20).unwrap();
    assert_eq!(offline, running, "the same pages, running or not");
    let mut of_host: HashMap<_, usize> = HashMap::new();
    for question in &offline[..10] {
        *of_host.entry(question.url.host()).or_default() += 1;
    }
    assert!(of_host.values().all(|count| *count <= 2), "{of_host:?}");

    site.label(&offline[0].url, true);
    let labels = Labels::read(&site.data, &journey).unwrap();
    let rest = questions(&store, &labels, 20).unwrap();
    assert!(rest.iter().all(|question| question.url != offline[0].url));
}
