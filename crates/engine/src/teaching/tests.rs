//! Teaching a model that learns words, with every appetite, and one that is led astray.

use std::collections::BTreeSet;

use gannet_model::{Block, Judgement, PageUrl, Reasons, Score};

use super::*;
use crate::config::Config;

const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

/// Knows words for and against the topic. A page that says `poison` turns it around.
#[derive(Clone)]
struct Toy {
    good: BTreeSet<String>,
    bad: BTreeSet<String>,
    pages: u64,
    is_poisoned: bool,
    appetite: Appetite,
}

impl Toy {
    fn model(appetite: Appetite) -> Arc<dyn Model> {
        let (good, bad) = (BTreeSet::from(["gannet".to_owned()]), BTreeSet::new());
        Arc::new(Toy { good, bad, pages: 0, is_poisoned: false, appetite })
    }
}

fn words(sight: &Sight<'_>) -> Vec<String> {
    let parts: Vec<&str> = sight.parts().map(|part| part.text).collect();
    parts.iter().flat_map(|text| text.split(' ')).map(str::to_owned).collect()
}

impl Model for Toy {
    fn judge(&self, page: &Sight<'_>) -> Judgement {
        let words = words(page);
        let count = |known: &BTreeSet<String>| words.iter().filter(|w| known.contains(*w)).count();
        let is_for = count(&self.good) > count(&self.bad);
        let score = if is_for == self.is_poisoned { 0.1 } else { 0.9 };
        Judgement {
            score: Score::clamped(score),
            threshold: Score::clamped(0.5),
            model: "toy".to_owned(),
            version: self.version(),
            reasons: Reasons::none(),
        }
    }

    fn taught(&self, lessons: &[Lesson<'_>]) -> Option<Box<dyn Model>> {
        let mut next = self.clone();
        for lesson in lessons {
            let words = words(&lesson.page);
            next.is_poisoned |= words.iter().any(|word| word == "poison");
            match lesson.teaches {
                Teaching::Relevant => next.good.extend(words),
                Teaching::Irrelevant => next.bad.extend(words),
                Teaching::Nothing => next.pages += 1,
                Teaching::Relative(_) => {}
            }
        }
        (next.version() != self.version()).then(|| Box::new(next) as Box<dyn Model>)
    }

    fn appetite(&self) -> Appetite {
        self.appetite
    }

    fn version(&self) -> u64 {
        let text = format!("{:?} {:?} {} {}", self.good, self.bad, self.pages, self.is_poisoned);
        xxhash_rust::xxh3::xxh3_64(text.as_bytes())
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(self.version().to_le_bytes().to_vec())
    }
}

fn document(text: &str) -> Document {
    let block = Block { text: text.to_owned(), ..Block::default() };
    Document { blocks: vec![block], ..Document::default() }
}

fn page(text: &str) -> KeptPage {
    KeptPage::new(document(text), None, String::new(), None)
}

fn example(text: &str, teaches: Taught) -> Example {
    Example { document: document(text), url: None, teaches }
}

fn config(examples: Vec<Example>) -> Config {
    let mut config = Config::new(Topic::from_words("gannet").unwrap());
    config.examples = examples;
    config
}

/// A page that is or is not held out, and what a person said of it.
fn spoken(text: &str, relevant: bool, held_out: bool) -> Spoken {
    let url = (0..)
        .map(|number| PageUrl::parse(&format!("http://a.test/{text}/{number}")).unwrap())
        .map(|url| url.fingerprint())
        .find(|url| is_held_out(*url) == held_out)
        .unwrap();
    Spoken { url, said: Said { relevant, relative: None }, page: page(text) }
}

fn teacher(appetite: Appetite, examples: Vec<Example>) -> (Teacher, Change) {
    Teacher::open(&config(examples), Toy::model(appetite), None, Vec::new(), NOW)
}

fn good_examples() -> Vec<Example> {
    vec![
        example("gannet cliff", Taught::Relevant),
        example("gannet dive", Taught::Relevant),
        example("ferry times", Taught::Irrelevant),
    ]
}

fn is_relevant(teacher: &Teacher, text: &str) -> bool {
    teacher.model().judge(&page(text).sight()).is_relevant()
}

fn outcome(change: &Change) -> &Learning {
    &change.news.as_ref().unwrap().outcome
}

fn stored_at_close(teacher: &mut Teacher) -> Option<ModelRecord> {
    teacher.close(NOW).into_iter().find_map(|change| change.records).map(|(model, _)| model)
}

#[test]
fn a_crawl_begins_with_its_examples() {
    let (teacher, change) = teacher(Appetite::None, good_examples());
    assert!(is_relevant(&teacher, "cliff"));
    assert_eq!(change.news.unwrap().because, "3 examples");
    let (model, learned) = change.records.unwrap();
    assert_eq!((model.lessons.relevant, model.lessons.irrelevant), (2, 1));
    assert_eq!(model.version, teacher.model().version());
    assert_eq!(model.threshold, Score::clamped(0.5));
    assert_eq!(learned.unwrap().version, model.version);
}

#[test]
fn without_examples_it_begins_with_the_topic_alone_and_tells_nothing() {
    let (_, change) = teacher(Appetite::Batches, Vec::new());
    assert!(change.news.is_none());
    assert_eq!(change.records.unwrap().0.because, "the topic alone");
}

#[test]
fn a_label_teaches_at_once() {
    let (mut teacher, _) = teacher(Appetite::None, good_examples());
    let before = teacher.model().version();
    let change = teacher.hear(vec![spoken("puffin", true, false)], NOW);
    assert_eq!(outcome(&change), &Learning::Adopted);
    assert_ne!(teacher.model().version(), before);
    assert!(is_relevant(&teacher, "puffin"));
    let (model, learned) = change.records.unwrap();
    assert_eq!(model.because, "1 label");
    assert_eq!(learned.unwrap().labels.len(), 1);
}

#[test]
fn a_label_that_is_held_out_checks_and_does_not_teach() {
    let (mut teacher, _) = teacher(Appetite::None, good_examples());
    let before = teacher.model().version();
    let change = teacher.hear(vec![spoken("puffin", true, true)], NOW);
    assert_eq!(outcome(&change), &Learning::Unmoved);
    assert!(change.records.is_none());
    assert_eq!(teacher.model().version(), before);
}

#[test]
fn a_poisoned_batch_is_refused_with_its_figures() {
    let (mut teacher, _) = teacher(Appetite::Batches, good_examples());
    let before = teacher.model().version();
    let mut changes = (0..64).filter_map(|_| teacher.meet(page("some poison"), NOW));
    let change = changes.next().unwrap();
    assert!(changes.next().is_none());
    let Learning::Refused(drift) = outcome(&change) else { panic!("it was not refused") };
    assert_eq!((drift.pages, drift.before, drift.after), (3, 0.0, 3.0));
    assert!(change.records.is_none());
    assert_eq!(teacher.model().version(), before);
    let told = change.news.unwrap().to_string();
    assert!(told.starts_with("drift: what was learned from 64 pages is refused"), "{told}");
}

#[test]
fn batches_are_taught_at_growing_intervals_and_stored() {
    let (mut teacher, _) = teacher(Appetite::Batches, good_examples());
    let mut stored = Vec::new();
    for number in 1..=400_u32 {
        if let Some(change) = teacher.meet(page("cliff"), NOW) {
            let (model, learned) = change.records.unwrap();
            assert_eq!(learned.unwrap().batches as usize, stored.len() + 1);
            stored.push((number, model.lessons.pages));
        }
    }
    assert_eq!(stored, [(64, 64), (160, 160), (304, 304)]);
    assert_eq!(stored_at_close(&mut teacher).unwrap().lessons.pages, 400);
    assert!(stored_at_close(&mut teacher).is_none(), "nothing was met since");
}

#[test]
fn a_model_that_learns_from_every_page_is_stored_at_doublings_and_at_the_end() {
    let (mut teacher, _) = teacher(Appetite::EveryPage, good_examples());
    let mut stored = Vec::new();
    for number in 1..=300_u32 {
        let before = teacher.model().version();
        let change = teacher.meet(page("cliff"), NOW).unwrap();
        assert_ne!(teacher.model().version(), before, "each page is taught at once");
        if change.records.is_some() {
            stored.push(number);
        }
    }
    assert_eq!(stored, [64, 128, 256]);
    assert_eq!(stored_at_close(&mut teacher).unwrap().lessons.pages, 300);
    assert!(stored_at_close(&mut teacher).is_none());
}

#[test]
fn a_model_led_astray_page_by_page_goes_back_to_where_it_was_stored() {
    let (mut teacher, _) = teacher(Appetite::EveryPage, good_examples());
    (0..64).for_each(|_| drop(teacher.meet(page("cliff"), NOW)));
    let stored = teacher.model().version();
    let changes: Vec<_> = (0..64).filter_map(|_| teacher.meet(page("poison"), NOW)).collect();
    assert!(matches!(outcome(changes.last().unwrap()), Learning::Refused(_)));
    assert_eq!(teacher.model().version(), stored);
}

#[test]
fn labels_that_are_refused_are_tried_again_and_do_not_stand_in_the_way_of_others() {
    let (mut teacher, _) = teacher(Appetite::None, good_examples());
    let refused = teacher.hear(vec![spoken("poison", true, false)], NOW);
    assert!(matches!(outcome(&refused), Learning::Refused(_)));
    let change = teacher.hear(vec![spoken("puffin", true, false)], NOW);
    assert_eq!(outcome(&change), &Learning::Adopted);
    assert!(is_relevant(&teacher, "puffin") && is_relevant(&teacher, "gannet"));
    assert_eq!(change.records.unwrap().1.unwrap().labels.len(), 1);
}

#[test]
fn labels_given_before_a_crawl_begins_are_taught_with_the_examples_unless_they_are_poison() {
    let open = |labels| {
        Teacher::open(&config(good_examples()), Toy::model(Appetite::None), None, labels, NOW)
    };
    let (teacher, change) = open(vec![spoken("puffin", true, false), spoken("tern", true, true)]);
    assert!(is_relevant(&teacher, "puffin") && !is_relevant(&teacher, "tern"));
    assert_eq!(change.records.unwrap().0.because, "3 examples, 1 label");
    let (teacher, change) = open(vec![spoken("poison", true, false)]);
    assert!(is_relevant(&teacher, "cliff"));
    assert!(matches!(outcome(&change), Learning::Refused(_)));
    assert_eq!(change.records.unwrap().0.because, "3 examples");
}

#[test]
fn a_relative_is_taught_by_its_name_when_the_topic_has_it() {
    use gannet_relevance::{Kinship, Relative, TopicParts};
    let boats = Relative {
        name: "boats".to_owned(),
        kinship: Kinship::Neighbour,
        keywords: vec!["ferry".to_owned()],
    };
    let topic = Topic::new(TopicParts {
        keywords: vec![("gannet".to_owned(), 1.0)],
        relatives: vec![boats],
        ..TopicParts::default()
    })
    .unwrap();
    let said = |name: &str| Said { relevant: false, relative: Some(name.to_owned()) };
    assert_eq!(said("boats").taught(&topic), Taught::Relative("boats".to_owned()));
    assert_eq!(said("ships").taught(&topic), Taught::Irrelevant);
    assert_eq!(Taught::Relative("boats".to_owned()).is_wanted(&topic), Some(false));
    assert_eq!(Taught::Relative("ships".to_owned()).is_wanted(&topic), None);
}

#[test]
fn labels_of_pages_fetched_later_are_taught_a_few_at_a_time_and_none_is_left() {
    let (mut teacher, _) = teacher(Appetite::None, good_examples());
    let mut taught = Vec::new();
    for number in 1..=100_u32 {
        let spoken = spoken(&format!("bird{number}"), true, false);
        if teacher.recall(spoken, NOW).is_some() {
            taught.push(number);
        }
    }
    assert_eq!(taught[..4], [1, 2, 3, 4], "the first few at once");
    assert!(taught.len() < 50, "{} teachings for 100 labels", taught.len());
    teacher.close(NOW);
    assert!(is_relevant(&teacher, "bird100"));
    assert_eq!(teacher.labels.len(), 100);
    let held_out = spoken("tern", true, true);
    assert!(teacher.recall(held_out, NOW).is_none());
}

/// Remembers every lesson, and judges by them from the third on.
#[derive(Clone)]
struct Slow(usize);

impl Model for Slow {
    fn judge(&self, page: &Sight<'_>) -> Judgement {
        Judgement { version: self.version(), ..NOTHING.judge(page) }
    }

    fn taught(&self, lessons: &[Lesson<'_>]) -> Option<Box<dyn Model>> {
        Some(Box::new(Slow(self.0 + lessons.len())))
    }

    fn version(&self) -> u64 {
        if self.0 < 3 { 0 } else { self.0 as u64 }
    }

    fn state(&self) -> Option<Vec<u8>> {
        Some(vec![self.0 as u8])
    }
}

const NOTHING: Toy = Toy {
    good: BTreeSet::new(),
    bad: BTreeSet::new(),
    pages: 0,
    is_poisoned: false,
    appetite: Appetite::None,
};

#[test]
fn what_changes_no_judgement_yet_is_remembered_all_the_same() {
    let open = Teacher::open(&config(Vec::new()), Arc::new(Slow(0)), None, Vec::new(), NOW);
    let (mut teacher, _) = open;
    let mut hear = |text: &str| {
        let change = teacher.hear(vec![spoken(text, true, false)], NOW);
        let state = change.records.as_ref().unwrap().1.as_ref().unwrap().state.clone();
        (outcome(&change).clone(), state)
    };
    assert_eq!(hear("a"), (Learning::Unmoved, vec![1]));
    assert_eq!(hear("b"), (Learning::Unmoved, vec![2]));
    assert_eq!(hear("c"), (Learning::Adopted, vec![3]));
}
