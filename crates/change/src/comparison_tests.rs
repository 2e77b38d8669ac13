//! What counts as a change, and what stops counting.

use gannet_model::{Block, Document, EditKind, Prominence, Significance};

use crate::churn::Churn;
use crate::comparison::{Comparison, compare};
use crate::look::Look;
use crate::memory::Memory;
use crate::version::Version;

/// A page of passages.
fn look(passages: &[&str]) -> Look {
    let mut block = Block::default();
    for passage in passages {
        if !block.text.is_empty() {
            block.breaks.push(block.text.len() as u32);
        }
        block.text.push_str(passage);
        block.text.push(' ');
    }
    let document = Document { blocks: vec![block], ..Document::default() };
    look_at(&document, passages.join("|").as_bytes())
}

fn look_at(document: &Document, body: &[u8]) -> Look {
    Look::at(&Version {
        body,
        html: "",
        document,
        prominence: &Prominence::default(),
        styles: &[],
        images: &[],
    })
}

const LONG: &str = "the gannet dives from thirty metres and enters the water at a hundred kilometres \
    an hour which no other seabird of these islands does as far as anybody knows";

/// A page that is visited again and again.
struct Page {
    memory: Memory,
    visits: u32,
}

impl Page {
    fn first(passages: &[&str]) -> Page {
        Page { memory: Memory::first(&look(passages), 1), visits: 1 }
    }

    fn visit(&mut self, passages: &[&str], churn: &mut Churn) -> Comparison {
        self.visits += 1;
        let compared = compare(&self.memory, &look(passages), churn, self.visits);
        if let Some(memory) = &compared.memory {
            self.memory = Memory::from_bytes(&memory.to_bytes()).unwrap();
        }
        compared
    }
}

#[track_caller]
fn check(old: &[&str], new: &[&str], expected: Significance) {
    let compared = Page::first(old).visit(new, &mut Churn::default());
    assert_eq!(compared.change.significance, expected, "{:?}", compared.change);
}

#[test]
fn changes_are_graded() {
    check(&[LONG, "one"], &[LONG, "one"], Significance::Same);
    check(&[LONG, "It’s  one"], &[LONG, "it's one"], Significance::Noise);
    check(&[LONG, "one"], &[LONG, "two"], Significance::Minor);
    check(&[LONG, "page 1"], &[LONG, "page 2"], Significance::Minor);
    check(&[LONG], &[LONG, "a word more"], Significance::Minor);
    check(&[LONG, LONG], &["something else altogether"], Significance::Major);
}

#[test]
fn the_passages_concerned_are_told_with_their_places() {
    let compared =
        Page::first(&["a", "b 1", "c", "d"]).visit(&["a", "b 2", "d", "e"], &mut Churn::default());
    let edits: Vec<_> = compared.change.edits.iter().map(|edit| (edit.kind, edit.at)).collect();
    let expected = [(EditKind::Numbers, 1), (EditKind::Removed, 2), (EditKind::Added, 3)];
    assert_eq!(edits, expected);
}

#[test]
fn what_is_never_the_same_stops_counting_and_all_else_counts() {
    let mut page = Page::first(&["offer a", LONG]);
    let mut churn = Churn::default();
    let offers = ["offer b", "offer c", "offer d", "offer e", "offer f"];
    let kinds: Vec<_> = offers
        .iter()
        .map(|offer| page.visit(&[offer, LONG], &mut churn).change.significance)
        .collect();
    let (new, known) = (Significance::Minor, Significance::Noise);
    assert_eq!(kinds, [new, new, new, known, known]);
    let edited = page.visit(&["offer g", LONG, "and one more thing"], &mut churn).change;
    assert_eq!((edited.significance, edited.edits.len(), edited.churned), (new, 1, 1));
}

#[test]
fn a_price_that_changes_now_and_then_always_counts() {
    let mut page = Page::first(&["price 1", LONG]);
    let mut churn = Churn::default();
    for price in 2..20 {
        let price = format!("price {price}");
        let change = page.visit(&[&price, LONG], &mut churn).change;
        assert_eq!(change.significance, Significance::Minor);
        for _ in 0..3 {
            let same = page.visit(&[&price, LONG], &mut churn).change;
            assert_eq!(same.significance, Significance::Same);
        }
    }
}

#[test]
fn what_two_pages_of_a_site_have_taught_holds_for_a_third() {
    let mut churn = Churn::default();
    for page in ["x", "y"] {
        let mut page = Page::first(&[page, "visitors:", "some"]);
        for count in ["a few", "many", "more", "lots"] {
            page.visit(&["x", "visitors:", count], &mut churn);
        }
    }
    let mut third = Page::first(&["z", "visitors:", "none", LONG]);
    let mut stored = Churn::from_bytes(&churn.to_bytes()).unwrap();
    let compared = third.visit(&["z", "visitors:", "one", LONG], &mut stored);
    assert_eq!(compared.change.significance, Significance::Noise);
}

#[test]
fn a_banner_that_comes_and_goes_stops_counting() {
    let mut page = Page::first(&[LONG]);
    let mut churn = Churn::default();
    let mut kinds = Vec::new();
    for visit in 0..6 {
        let with_banner: &[&str] = if visit % 2 == 0 { &["a banner", LONG] } else { &[LONG] };
        kinds.push(page.visit(with_banner, &mut churn).change.significance);
    }
    let (news, noise) = (Significance::Minor, Significance::Noise);
    assert_eq!(kinds, [news, news, noise, noise, noise, noise]);
}

#[test]
fn a_change_is_looked_for_at_the_next_visit() {
    let mut churn = Churn::default();
    let mut stays = Page::first(&[LONG]);
    assert_eq!(stays.visit(&[LONG, "new"], &mut churn).persisted, None);
    assert_eq!(stays.visit(&[LONG, "new"], &mut churn).persisted, Some(true));
    assert_eq!(stays.visit(&[LONG, "new"], &mut churn).persisted, None);
    let mut goes = Page::first(&[LONG]);
    goes.visit(&[LONG, "new"], &mut churn);
    assert_eq!(goes.visit(&[LONG], &mut churn).persisted, Some(false));
}

#[test]
fn bytes_that_say_nothing_to_us_change_when_they_differ() {
    let document = Document::default();
    let memory = Memory::first(&look_at(&document, b"%PDF 1"), 1);
    let compared = compare(&memory, &look_at(&document, b"%PDF 2"), &mut Churn::default(), 2);
    assert_eq!(compared.change.significance, Significance::Minor);
    let compared = compare(&memory, &look_at(&document, b"%PDF 1"), &mut Churn::default(), 2);
    assert_eq!(compared.change.significance, Significance::Same);
    assert_eq!(compared.memory, None);
}

#[test]
fn pages_that_become_the_same_stand_in_for_what_is_gone() {
    let mut churn = Churn::default();
    let gone = ["sorry nothing here any more at all", "try the front page instead of this one"];
    let mut became = |page: &str| Page::first(&[page, page]).visit(&gone, &mut churn).is_stand_in;
    let pages = ["one two three four five six", "seven eight nine ten eleven twelve"];
    assert_eq!(pages.map(&mut became), [false, true]);
}
