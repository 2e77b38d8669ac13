//! Which pages a person should be asked about: those whose label would teach most.
//!
//! A label teaches most where the model cannot tell (uncertainty sampling,
//! Lewis and Gale 1994): nearest to the threshold, in log-odds, which compare
//! over models. Twenty pages of one host, or twenty that are undecided for the
//! same reason, would teach the same thing twenty times; so the best are
//! spread over hosts and kinds.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::ControlFlow;

use gannet_model::{Fingerprint, Host, Judgement, PageUrl, Score};
use gannet_store::{Store, StoreError, Visited};
use serde::{Deserialize, Serialize};

use crate::evidence::is_newest_page;
use crate::labels::{Labels, PERSON};
use crate::teaching::margin::margin;

/// A page that a person should be asked about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The page.
    pub url: PageUrl,
    /// Its title.
    pub title: String,
    /// How it was judged.
    pub score: Score,
    /// The score from which it would be relevant.
    pub threshold: Score,
    /// Why its label would teach, in words.
    pub why: String,
}

/// A page that may be asked about.
#[derive(Clone, Debug)]
struct Candidate {
    page: Fingerprint,
    url: PageUrl,
    title: String,
    host: Host,
    /// What spoke loudest for or against it: pages undecided for the same reason are alike.
    kind: String,
    score: Score,
    threshold: Score,
    /// Distance from the threshold in log-odds.
    distance: f32,
    version: u64,
}

/// The best candidates among all pages that come along, however many.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    held: Vec<Candidate>,
    /// How many are held at most.
    most: usize,
    /// The version that judges now.
    newest: u64,
    /// Nothing further away than this is taken while as many as may be are held.
    furthest: f32,
}

/// Of every ten questions so many may be about one host,
const OF_ONE_HOST: usize = 2;
/// and so many of one kind.
const OF_ONE_KIND: usize = 3;
/// The limits above hold for every stretch of this length.
const STRETCH: usize = 10;
/// Candidates of one host that are held, so that a large host leaves room for others.
const HELD_OF_ONE_HOST: usize = 16;
/// Candidates held for every question asked for, so that there is something to spread.
const HELD_FOR_EACH: usize = 12;
/// What an older model was unsure of counts as this much further away: e times the odds.
const OLDER: f32 = 1.0;
/// Visits looked back over for the version that judged last: redirects and errors are passed over.
const LOOKED_BACK: usize = 1000;
/// Letters of a title that are kept.
const TITLE_KEPT: usize = 200;

/// The pages of a store whose labels would teach most, best first. `labels` are those already given.
pub fn questions(
    store: &dyn Store,
    labels: &Labels,
    most: usize,
) -> Result<Vec<Question>, StoreError> {
    let mut candidates = Candidates::new(most, newest_version(store)?);
    let mut failed = None;
    store.each_visit(0, &mut |number, visit| {
        let Visited::Page(_, facts) = &visit.outcome else {
            return ControlFlow::Continue(());
        };
        if labels.get(visit.url).is_some() || !candidates.may_take(&facts.judgement) {
            return ControlFlow::Continue(());
        }
        match store.url(visit.url) {
            Ok(Some(record)) if is_newest_page(store, &record, number).unwrap_or(false) => {
                candidates.offer(visit.url, &record.url, &facts.title, &facts.judgement);
                ControlFlow::Continue(())
            }
            Ok(_) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        }
    })?;
    failed.map_or_else(|| Ok(candidates.best(most)), Err)
}

/// The version that judged last; 0 when none did lately.
fn newest_version(store: &dyn Store) -> Result<u64, StoreError> {
    let mut next = store.last_visit()?;
    for _ in 0..LOOKED_BACK {
        let Some(number) = next else { break };
        if let Some(visit) = store.visit(number)?
            && let Visited::Page(_, facts) = visit.outcome
            && facts.judgement.model != PERSON
        {
            return Ok(facts.judgement.version);
        }
        next = number.checked_sub(1);
    }
    Ok(0)
}

impl Candidates {
    /// Holds enough for `most` questions. `newest` is the version that judges now.
    pub(crate) fn new(most: usize, newest: u64) -> Candidates {
        let most = most.max(STRETCH) * HELD_FOR_EACH;
        Candidates { held: Vec::new(), most, newest, furthest: f32::INFINITY }
    }

    /// Another model judges from now on.
    pub(crate) fn renew(&mut self, newest: u64) {
        self.newest = newest;
        self.furthest = f32::INFINITY;
    }

    /// True when a page judged so would be taken, unless its host has its share.
    pub(crate) fn may_take(&self, judgement: &Judgement) -> bool {
        let distance = margin(judgement).abs() + self.age(judgement.version);
        judgement.model != PERSON && (self.held.len() < self.most || distance < self.furthest)
    }

    /// Takes a page, if it is among the best.
    pub(crate) fn offer(
        &mut self,
        page: Fingerprint,
        url: &PageUrl,
        title: &str,
        judgement: &Judgement,
    ) {
        if !self.may_take(judgement) {
            return;
        }
        self.forget(page);
        let loudest =
            judgement.reasons.iter().max_by(|a, b| a.value.abs().total_cmp(&b.value.abs()));
        self.held.push(Candidate {
            page,
            host: url.host(),
            url: url.clone(),
            title: title.chars().take(TITLE_KEPT).collect(),
            kind: loudest.map(|reason| reason.part.to_string()).unwrap_or_default(),
            score: judgement.score,
            threshold: judgement.threshold,
            distance: margin(judgement).abs(),
            version: judgement.version,
        });
        // Room for twice as many, so that tidying is rare.
        if self.held.len() >= 2 * self.most {
            self.tidy();
        }
    }

    /// A page was labelled, or is judged anew.
    pub(crate) fn forget(&mut self, page: Fingerprint) {
        self.held.retain(|candidate| candidate.page != page);
    }

    /// The best of them, spread over hosts and kinds.
    pub(crate) fn best(&self, most: usize) -> Vec<Question> {
        let mut left: Vec<&Candidate> = self.held.iter().collect();
        left.sort_by(|a, b| self.compare(a, b));
        let mut questions = Vec::new();
        while questions.len() < most && !left.is_empty() {
            let stretch = (most - questions.len()).min(STRETCH);
            let chosen = spread(&left, stretch);
            questions.extend(chosen.iter().map(|at| self.question(left[*at])));
            let mut at = 0;
            left.retain(|_| {
                at += 1;
                !chosen.contains(&(at - 1))
            });
        }
        questions
    }

    fn tidy(&mut self) {
        let mut held = std::mem::take(&mut self.held);
        held.sort_by(|a, b| self.compare(a, b));
        let mut of_host: HashMap<Host, usize> = HashMap::new();
        held.retain(|candidate| {
            let count = of_host.entry(candidate.host.clone()).or_default();
            *count += 1;
            *count <= HELD_OF_ONE_HOST
        });
        held.truncate(self.most);
        let is_full = held.len() == self.most;
        let last = held.last().filter(|_| is_full);
        self.furthest = last.map_or(f32::INFINITY, |last| last.distance + self.age(last.version));
        self.held = held;
    }

    /// What the age of a judgement adds to its distance.
    fn age(&self, version: u64) -> f32 {
        if version == self.newest { 0.0 } else { OLDER }
    }

    fn compare(&self, a: &Candidate, b: &Candidate) -> Ordering {
        let distance = |candidate: &Candidate| candidate.distance + self.age(candidate.version);
        distance(a).total_cmp(&distance(b)).then(a.page.cmp(&b.page))
    }

    fn question(&self, candidate: &Candidate) -> Question {
        let side = if candidate.score >= candidate.threshold { "above" } else { "below" };
        let mut why = format!(
            "scored {} with a threshold of {}: {:.2} log-odds {side}",
            candidate.score, candidate.threshold, candidate.distance
        );
        if !candidate.kind.is_empty() {
            why.push_str(&format!(", mostly by {:?}", candidate.kind));
        }
        if candidate.version != self.newest {
            why.push_str(", by an earlier model");
        }
        Question {
            url: candidate.url.clone(),
            title: candidate.title.clone(),
            score: candidate.score,
            threshold: candidate.threshold,
            why,
        }
    }
}

/// The places of so many candidates, best first: within the limits for hosts and kinds as far as
/// they go, then the best of the others.
fn spread(sorted: &[&Candidate], most: usize) -> Vec<usize> {
    let mut hosts: HashMap<&Host, usize> = HashMap::new();
    let mut kinds: HashMap<&str, usize> = HashMap::new();
    let mut chosen = Vec::new();
    for (at, candidate) in sorted.iter().enumerate() {
        let of_host = hosts.entry(&candidate.host).or_default();
        let of_kind = kinds.entry(&candidate.kind).or_default();
        if chosen.len() < most && *of_host < OF_ONE_HOST && *of_kind < OF_ONE_KIND {
            *of_host += 1;
            *of_kind += 1;
            chosen.push(at);
        }
    }
    for at in 0..sorted.len() {
        if chosen.len() >= most {
            break;
        }
        if !chosen.contains(&at) {
            chosen.push(at);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::{Reason, Reasons};

    fn url(text: &str) -> PageUrl {
        PageUrl::parse(text).unwrap()
    }

    fn judged(score: f32, kind: &str, version: u64) -> Judgement {
        Judgement {
            score: Score::clamped(score),
            threshold: Score::clamped(0.5),
            model: "test".to_owned(),
            version,
            reasons: Reasons::one(Reason::new(kind.to_owned(), score)),
        }
    }

    /// Asks about `most` of pages given by URL, score, kind and version; version 2 is the newest.
    fn ask(pages: &[(&str, f32, &str, u64)], most: usize) -> Vec<String> {
        let mut candidates = Candidates::new(most, 2);
        for (address, score, kind, version) in pages {
            let url = url(address);
            candidates.offer(url.fingerprint(), &url, "", &judged(*score, kind, *version));
        }
        candidates.best(most).into_iter().map(|question| question.url.to_string()).collect()
    }

    #[test]
    fn the_least_decided_page_comes_first_and_an_older_model_counts_less() {
        let pages = [
            ("http://a.test/", 0.9, "a", 2),
            ("http://b.test/", 0.45, "b", 2),
            ("http://c.test/", 0.52, "c", 2),
            ("http://d.test/", 0.50, "d", 1),
        ];
        let expected = ["http://c.test/", "http://b.test/", "http://d.test/", "http://a.test/"];
        assert_eq!(ask(&pages, 4), expected);
        assert_eq!(ask(&pages, 1), expected[..1]);
    }

    #[test]
    fn the_first_ten_have_at_most_two_of_a_host_while_there_are_others() {
        let near: Vec<String> = (0..20).map(|n| format!("http://near.test/{n}")).collect();
        let far: Vec<String> = (0..20).map(|n| format!("http://far{n}.test/")).collect();
        let kinds: Vec<String> = (0..40).map(|n| format!("kind {n}")).collect();
        let pages: Vec<_> = near
            .iter()
            .map(|url| (url.as_str(), 0.5))
            .chain(far.iter().map(|url| (url.as_str(), 0.7)))
            .zip(&kinds)
            .map(|((url, score), kind)| (url, score, kind.as_str(), 2))
            .collect();
        let asked = ask(&pages, 20);
        let of_near = |asked: &[String]| asked.iter().filter(|url| url.contains("near")).count();
        assert_eq!((of_near(&asked[..10]), of_near(&asked)), (2, 4));
        assert_eq!(ask(&pages[..20], 10).len(), 10, "one host alone fills the list all the same");
    }

    #[test]
    fn pages_undecided_for_the_same_reason_are_not_all_asked_about() {
        let addresses: Vec<String> = (0..30).map(|n| format!("http://h{n}.test/")).collect();
        let pages: Vec<_> = addresses
            .iter()
            .enumerate()
            .map(|(n, url)| {
                (url.as_str(), 0.5, ["alike", "b", "c", "d"][n.saturating_sub(14) % 4], 2)
            })
            .collect();
        let asked = ask(&pages, 10);
        let alike = asked
            .iter()
            .filter(|url| pages.iter().any(|page| page.0 == **url && page.2 == "alike"));
        assert_eq!(alike.count(), OF_ONE_KIND);
    }

    #[test]
    fn a_million_pages_leave_a_bounded_number_and_the_best() {
        let mut candidates = Candidates::new(10, 2);
        for number in 0..20_000_u32 {
            let url = url(&format!("http://h{}.test/{number}", number % 500));
            let score = if number == 777 { 0.5 } else { 0.6 + (number % 89) as f32 / 300.0 };
            candidates.offer(url.fingerprint(), &url, "", &judged(score, "k", 2));
        }
        assert!(candidates.held.len() <= 2 * candidates.most);
        assert_eq!(candidates.best(1)[0].url, url("http://h277.test/777"));
    }

    #[test]
    fn a_labelled_page_is_not_asked_about() {
        let mut candidates = Candidates::new(10, 2);
        let page = url("http://a.test/");
        candidates.offer(page.fingerprint(), &page, "", &judged(0.5, "k", 2));
        candidates.forget(page.fingerprint());
        assert!(candidates.best(10).is_empty());
        let by_person = Judgement { model: PERSON.to_owned(), ..judged(0.5, "k", 2) };
        candidates.offer(page.fingerprint(), &page, "", &by_person);
        assert!(candidates.best(10).is_empty());
    }
}
