//! Is it about our topic?
//!
//! A [`Topic`] is what the user wants; a [`Model`] judges pages, blocks and
//! links by it and says why, and may learn from [`Lesson`]s. Each model is one
//! file in `models/` and one line in the [registry](MODELS). Models are pure.

mod lesson;
mod lexicon;
mod model;
mod models;
mod patterns;
mod sight;
mod stop_words;
mod topic;
mod tuning;
mod words;

pub use lesson::{Lesson, Teaching};
pub use model::{Appetite, Build, Entry, Mark, Model, ModelError, Origin, Restore, RestoreError};
pub use models::{DEFAULT_MODEL, MODELS, build_model};
pub use sight::{Field, Part, Sight};
pub use topic::{Keyword, Kinship, Pattern, Relative, Topic, TopicError, TopicParts, WordOrder};
pub use tuning::{Judged, Wanted, threshold};
