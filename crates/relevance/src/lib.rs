//! Is it about our topic?
//!
//! A [`Topic`] is what the user wants; a [`Model`] judges documents by it and
//! says why. Each model is one file in `models/` and one line in the
//! [registry](MODELS). Models are pure.

mod lexicon;
mod model;
mod models;
mod stop_words;
mod topic;
mod words;

pub use model::{Build, Entry, Model, ModelError};
pub use models::{DEFAULT_MODEL, MODELS, build_model};
pub use topic::{Keyword, Topic, TopicError};
