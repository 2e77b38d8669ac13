//! Did the page change, in what, and does it matter?
//!
//! The default detector. Text decides: every word that a reader can see counts, passage by passage,
//! but for places that say something else at almost every visit (`churn`, `memory`). Sketches tell
//! how much of the text changed, and never whether it did.

use gannet_model::{Change, Channels, Edit, EditKind, FileKind, Significance, spread};

use crate::alignment::{Mark, Pair, align};
use crate::attached::{Files, Held};
use crate::churn::{Churn, Signs};
use crate::look::{Look, Part, Shown};
use crate::memory::{Memory, Slot};

/// What came of comparing a version with what is remembered.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What changed.
    pub change: Change,
    /// What is to be remembered from now on; `None` when that is what was remembered before.
    pub memory: Option<Memory>,
    /// True when not a byte of the page differs; its files may.
    pub is_same_bytes: bool,
    /// True when the page says what other pages of the site say that were something else before:
    /// it stands in for one that is gone.
    pub is_stand_in: bool,
    /// Whether the change before this one is still there; `None` when there was none to look for.
    pub persisted: Option<bool>,
}

/// From this share of its text on, a change is major.
const MAJOR: f32 = 0.2;
/// From this share on, it is another page.
const REPLACED: f32 = 0.8;
/// Edits that are told.
const MOST_EDITS: usize = 32;

/// Compares a page with what is remembered of it, and learns how its places behave. `visit` counts
/// the visits to the page, this one included.
pub fn compare(memory: &Memory, look: &Look, churn: &mut Churn, visit: u32) -> Comparison {
    let persisted = memory.is_waiting().then(|| still_there(memory, look));
    if memory.raw == look.raw {
        let settled = memory.is_waiting().then(|| Memory { news: Vec::new(), ..memory.clone() });
        let (change, memory) = match compare_files(settled.as_ref().unwrap_or(memory), look.files())
        {
            Some((change, memory)) => (change, Some(memory)),
            None => (Change::default(), settled),
        };
        return Comparison { change, memory, is_same_bytes: true, is_stand_in: false, persisted };
    }
    let mut text = TextChange::new(memory, look, churn, visit);
    if memory.text != look.text {
        text.compare();
    } else {
        text.keep();
    }
    let share = text.share();
    // Bytes that say nothing to us may say something to others.
    let is_unread = memory.slots.is_empty() && look.passages.is_empty();
    let channels = Channels {
        text: if is_unread { Significance::Minor } else { text.significance(share) },
        structure: differs(memory.structure != look.structure),
        links: differs(memory.links != look.links),
        images: shown(&memory.images, &look.images, FileKind::Image),
        style: shown(&memory.style, &look.style, FileKind::Style),
    };
    // Bytes differ, and be it in what nobody sees.
    let significance = channels.most().max(Significance::Noise);
    let change = Change {
        significance,
        channels,
        share: if channels.text.is_change() { share } else { 0.0 },
        edits: text.edits,
        churned: text.churned,
    };
    let is_other = channels.text == Significance::Major && share >= REPLACED;
    let is_stand_in = is_other && text.churn.meet_stand_in(look.text);
    let mut next = Memory { comings: text.memory.comings, ..Memory::of(look, text.slots) };
    if significance.is_change() {
        next.wait_for(text.news.into_iter());
    }
    Comparison { change, memory: Some(next), is_same_bytes: false, is_stand_in, persisted }
}

/// A change of the look alone.
fn differs(does: bool) -> Significance {
    if does { Significance::Cosmetic } else { Significance::Same }
}

/// Whether most of what was new at the last change still stands.
fn still_there(memory: &Memory, look: &Look) -> bool {
    let stands = |text: &&u32| look.passages.iter().any(|passage| passage.text == **text);
    memory.news.iter().filter(stands).count() * 2 >= memory.news.len()
}

/// Files are compared by what they hold where both versions were fetched, else by their addresses.
fn shown(old: &Shown, new: &Shown, kind: FileKind) -> Significance {
    let most = compare_held(&old.held, &new.held, kind);
    most.unwrap_or_else(|| differs(old.addresses != new.addresses))
}

/// The most that any file changed; `None` when none was fetched for both versions.
fn compare_held(old: &[Held], new: &[Held], kind: FileKind) -> Option<Significance> {
    let compared = new.iter().filter_map(|held| {
        let before = old.iter().find(|other| other.file == held.file)?.code?;
        Some(before.compare(held.code?, kind))
    });
    compared.max()
}

/// Compares the files of a page that itself was not modified, with what is remembered of them.
/// `None` when nothing is new.
pub fn compare_files(memory: &Memory, files: Files) -> Option<(Change, Memory)> {
    if memory.style.held == files.styles && memory.images.held == files.images {
        return None;
    }
    let same = |held: Option<Significance>| held.unwrap_or(Significance::Same);
    let channels = Channels {
        images: same(compare_held(&memory.images.held, &files.images, FileKind::Image)),
        style: same(compare_held(&memory.style.held, &files.styles, FileKind::Style)),
        ..Channels::default()
    };
    let change = Change { significance: channels.most(), channels, ..Change::default() };
    let mut memory = memory.clone();
    memory.style.held = files.styles;
    memory.images.held = files.images;
    Some((change, memory))
}

/// A number in the margin with hardly a word beside it is a counter, a version or a server's name.
const BARE_NUMBER: u16 = 2;

/// Whether an edit is beside the point: in the navigation, or a bare number in the margin.
fn is_aside(part: Part, kind: EditKind, words: u16) -> bool {
    match part {
        Part::Navigation => true,
        Part::Margin => kind == EditKind::Numbers && words <= BARE_NUMBER,
        Part::Main => false,
    }
}

/// The text of two versions, while it is compared.
struct TextChange<'a> {
    memory: Memory,
    look: &'a Look,
    churn: &'a mut Churn,
    visit: u32,
    slots: Vec<Slot>,
    edits: Vec<Edit>,
    news: Vec<u32>,
    /// Words of the passages that changed.
    words: usize,
    churned: u32,
    is_aside: bool,
    is_changed: bool,
}

impl<'a> TextChange<'a> {
    fn new(memory: &Memory, look: &'a Look, churn: &'a mut Churn, visit: u32) -> TextChange<'a> {
        TextChange {
            memory: memory.clone(),
            look,
            churn,
            visit,
            slots: Vec::with_capacity(look.passages.len()),
            edits: Vec::new(),
            news: Vec::new(),
            words: 0,
            churned: 0,
            is_aside: true,
            is_changed: false,
        }
    }

    fn pairs(&self) -> Vec<Pair> {
        let old: Vec<Mark> = self.memory.slots.iter().map(Slot::mark).collect();
        let new: Vec<Mark> = self.look.passages.iter().map(|passage| passage.mark()).collect();
        align(&old, &new)
    }

    /// The text is the same, if otherwise cut: places keep what is known of them.
    fn keep(&mut self) {
        for pair in self.pairs() {
            match pair {
                Pair::Same(old, new) | Pair::Numbers(old, new) | Pair::Edited(old, new) => {
                    let slot = self.memory.slots[old];
                    let fresh = Slot::new(self.look.passages[new], slot.since);
                    self.slots.push(Slot { changes: slot.changes, ..fresh });
                }
                Pair::Added(new) => {
                    self.slots.push(Slot::new(self.look.passages[new], self.visit));
                }
                Pair::Removed(_) => {}
            }
        }
    }

    fn compare(&mut self) {
        for pair in self.pairs() {
            match pair {
                Pair::Same(old, new) => {
                    let slot = self.memory.slots[old].with(self.look.passages[new]);
                    self.slots.push(slot);
                }
                Pair::Numbers(old, new) => self.edited(old, new, EditKind::Numbers),
                Pair::Edited(old, new) => self.edited(old, new, EditKind::Edited),
                Pair::Removed(old) => self.removed(old),
                Pair::Added(new) => self.added(new),
            }
        }
    }

    fn edited(&mut self, old: usize, new: usize, kind: EditKind) {
        let (slot, passage) = (self.memory.slots[old], self.look.passages[new]);
        let signs = Signs::of(&self.look.passages, new);
        let is_volatile = slot.is_volatile(self.visit);
        let was_volatile = slot.is_volatile(self.visit.saturating_sub(1));
        if is_volatile && !was_volatile {
            self.churn.learn(signs);
        }
        let comes_and_goes = self.memory.comes_and_goes(passage.text);
        self.memory.note_coming(slot.text);
        self.memory.note_coming(passage.text);
        self.slots.push(slot.with(passage));
        let part = slot.part.max(passage.part);
        if is_volatile || comes_and_goes || self.churn.knows(signs) {
            self.churned += 1;
            return;
        }
        self.news.push(passage.text);
        let mark = spread(u64::from(slot.text) << 32 | u64::from(passage.text)) as u32;
        let is_aside = is_aside(part, kind, slot.words.max(passage.words));
        self.count(Edit { kind, at: new as u32, mark, is_aside }, slot.words.max(passage.words));
    }

    fn removed(&mut self, old: usize) {
        let slot = self.memory.slots[old];
        let comes_and_goes = self.memory.comes_and_goes(slot.text);
        self.memory.note_coming(slot.text);
        if comes_and_goes || slot.is_volatile(self.visit) {
            self.churned += 1;
            return;
        }
        let mark = spread(u64::from(slot.text) << 32) as u32;
        let kind = EditKind::Removed;
        let is_aside = is_aside(slot.part, kind, slot.words);
        let edit = Edit { kind, at: old as u32, mark, is_aside };
        self.count(edit, slot.words);
    }

    fn added(&mut self, new: usize) {
        let passage = self.look.passages[new];
        let comes_and_goes = self.memory.comes_and_goes(passage.text);
        self.memory.note_coming(passage.text);
        self.slots.push(Slot::new(passage, self.visit));
        if comes_and_goes || self.churn.knows(Signs::of(&self.look.passages, new)) {
            self.churned += 1;
            return;
        }
        self.news.push(passage.text);
        let mark = spread(u64::from(passage.text)) as u32;
        let kind = EditKind::Added;
        let is_aside = is_aside(passage.part, kind, passage.words);
        let edit = Edit { kind, at: new as u32, mark, is_aside };
        self.count(edit, passage.words);
    }

    fn count(&mut self, edit: Edit, words: u16) {
        self.is_changed = true;
        self.is_aside &= edit.is_aside;
        self.words += usize::from(words);
        if self.edits.len() < MOST_EDITS {
            self.edits.push(edit);
        }
    }

    /// How much of the text changed: words of the passages concerned, and where these are long, what
    /// the sketches say.
    fn share(&self) -> f32 {
        let all = self.memory.words().max(self.look.words()).max(1);
        let by_words = (self.words as f32 / all as f32).min(1.0);
        by_words.min(1.0 - self.memory.sketch.likeness(&self.look.sketch)).max(by_words / 8.0)
    }

    fn significance(&self, share: f32) -> Significance {
        match (self.is_changed, self.is_aside, self.churned) {
            (false, _, 0) => Significance::Same,
            (false, ..) => Significance::Noise,
            (true, true, _) => Significance::Cosmetic,
            (true, ..) if share >= MAJOR => Significance::Major,
            (true, ..) => Significance::Minor,
        }
    }
}
