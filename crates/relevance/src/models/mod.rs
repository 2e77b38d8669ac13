//! The registry of relevance models: one line each.

mod block_cosine;
mod bm25;
mod dictionary;
mod linear;
mod rocchio;
mod taxonomy;
mod topic_vector;

use gannet_model::Settings;

use crate::model::{Entry, Model, ModelError};
use crate::topic::Topic;

/// Every relevance model, by name.
pub const MODELS: &[Entry] = &[
    linear::ENTRY,
    topic_vector::ENTRY,
    dictionary::ENTRY,
    block_cosine::ENTRY,
    bm25::ENTRY,
    rocchio::ENTRY,
    taxonomy::ENTRY,
];

/// The model used when the user names none.
pub const DEFAULT_MODEL: &str = "linear";

/// Makes the model of this name for this topic.
pub fn build_model(
    name: &str,
    topic: &Topic,
    settings: &Settings,
) -> Result<Box<dyn Model>, ModelError> {
    let Some(entry) = MODELS.iter().find(|entry| entry.name == name) else {
        let known: Vec<_> = MODELS.iter().map(|entry| entry.name).collect();
        return Err(ModelError::Unknown { name: name.to_owned(), known: known.join(", ") });
    };
    (entry.build)(topic, settings)
        .map_err(|cause| ModelError::Settings { name: name.to_owned(), cause })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::{Block, Document};

    fn document(text: &str) -> Document {
        let block = Block { text: text.to_owned(), ..Block::default() };
        Document { blocks: vec![block], ..Document::default() }
    }

    /// The contract that every model keeps, by its registered name alone.
    #[test]
    fn every_model_tells_a_page_on_the_topic_from_one_that_is_not_and_says_why() {
        let topic = Topic::from_words("gannet, plunge diving").unwrap();
        for entry in MODELS {
            let model = (entry.build)(&topic, &Settings::none()).unwrap();
            let on = model
                .judge(&(&document("The gannet colony: plunge diving, gannet by gannet.")).into());
            let off =
                model.judge(&(&document("Cheap flights to sunny places, book today.")).into());
            assert!(on.is_relevant(), "{}: {on:?}", entry.name);
            assert!(!off.is_relevant(), "{}: {off:?}", entry.name);
            assert!(!on.reasons.is_empty(), "{} gives no reason", entry.name);
            assert_eq!(
                on,
                model.judge(
                    &(&document("The gannet colony: plunge diving, gannet by gannet.")).into()
                )
            );
            assert!(
                !model.judge(&(&Document::default()).into()).is_relevant(),
                "an empty page is about nothing"
            );
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let topic = Topic::from_words("gannet").unwrap();
        let Err(error) = build_model("oracle", &topic, &Settings::none()) else {
            panic!("there is no such model");
        };
        assert!(error.to_string().contains("topic-vector"));
        assert!(build_model(DEFAULT_MODEL, &topic, &Settings::none()).is_ok());
    }
}
