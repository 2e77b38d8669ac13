//! What changed between two versions of a page, and whether it matters.

use serde::{Deserialize, Serialize};

/// Whether a change matters.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Significance {
    /// Nothing differs.
    #[default]
    Same,
    /// Bytes that no reader sees differ, or passages that differ at almost every visit.
    Noise,
    /// The look, or navigation and notices around the text.
    Cosmetic,
    /// Some of the text.
    Minor,
    /// Much of the text.
    Major,
}

impl Significance {
    /// All of them, the least first.
    pub const ALL: [Significance; 5] = [
        Significance::Same,
        Significance::Noise,
        Significance::Cosmetic,
        Significance::Minor,
        Significance::Major,
    ];

    /// Its name in lists and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Significance::Same => "same",
            Significance::Noise => "noise",
            Significance::Cosmetic => "cosmetic",
            Significance::Minor => "minor",
            Significance::Major => "major",
        }
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<Significance> {
        Significance::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// True when the text says something else than before.
    pub fn is_change(self) -> bool {
        self >= Significance::Minor
    }
}

/// What changed, channel by channel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channels {
    /// What a reader reads.
    pub text: Significance,
    /// The tags.
    pub structure: Significance,
    /// Where its links lead.
    pub links: Significance,
    /// Its images.
    pub images: Significance,
    /// Its style sheets.
    pub style: Significance,
}

impl Channels {
    /// Each with its name.
    pub fn named(&self) -> [(&'static str, Significance); 5] {
        [
            ("text", self.text),
            ("structure", self.structure),
            ("links", self.links),
            ("images", self.images),
            ("style", self.style),
        ]
    }

    /// The most significant.
    pub fn most(&self) -> Significance {
        self.named().into_iter().map(|(_, kind)| kind).max().unwrap_or_default()
    }
}

/// What changed between two versions of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Whether it matters.
    pub significance: Significance,
    /// In what it changed.
    pub channels: Channels,
    /// How much of the text changed, 0 to 1.
    pub share: f32,
    /// The passages concerned, in the order of the page; of very many, the first.
    pub edits: Vec<Edit>,
    /// Passages that differ at almost every visit and did so now.
    pub churned: u32,
}

/// What happened to a page, as those want to hear who watch it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Happening {
    /// It was seen for the first time.
    New,
    /// It says something else, or looks otherwise.
    Changed,
    /// It is not there any more, and there is evidence for that.
    Gone,
    /// It leads elsewhere now.
    Moved,
    /// It had gone and is there again.
    Back,
}

impl Happening {
    /// Its name in lists and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Happening::New => "new",
            Happening::Changed => "changed",
            Happening::Gone => "gone",
            Happening::Moved => "moved",
            Happening::Back => "back",
        }
    }
}

/// What became of one passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// What.
    pub kind: EditKind,
    /// Its place among the headings and passages of the newer version; of the older when removed.
    pub at: u32,
    /// Stands for the edit: the same edit on another page has the same.
    pub mark: u32,
    /// True for navigation, footers and notices.
    pub is_aside: bool,
}

/// What became of a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EditKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It says something else.
    Edited,
    /// Only numbers in it changed.
    Numbers,
}
