//! Is it about our topic?
//!
//! A [`Topic`] is what the user wants; a [`Model`] judges pages, blocks and
//! links by it and says why, and may learn from [`Lesson`]s. Each model is one
//! file in `models/` and one line in the [registry](MODELS). Models are pure.

mod experience;
mod fingerprint;
mod keyword_finder;
mod language;
mod learn;
mod lesson;
mod lexicon;
mod metrics;
mod model;
mod models;
mod patterns;
mod phrases;
mod sight;
mod stop_words;
mod topic;
mod tuning;
mod turnover;
mod wordnet;

use gannet_model::words;

pub use language::language_name;
pub use learn::{
    Contrast, LearnedKeyword, MOST_KEYWORDS, Separation, ValidationError, contradictions,
    cross_validate, keywords, weights_table,
};
pub use lesson::{Lesson, Teaching};
pub use metrics::{Confusion, average_precision, best_f1, expected_calibration_error};
pub use model::{Appetite, Build, Entry, Mark, Model, ModelError, Origin, Restore, RestoreError};
pub use models::{DEFAULT_MODEL, MODELS, build_model};
pub use sight::{Field, Part, Sight};
pub use topic::{Keyword, Kinship, Pattern, Relative, Topic, TopicError, TopicParts, WordOrder};
pub use tuning::{Judged, Wanted, threshold};
pub use turnover::{Standing, Turnover};
pub use wordnet::{PartOfSpeech, Relation, Suggestion, WordNet, WordNetError};
