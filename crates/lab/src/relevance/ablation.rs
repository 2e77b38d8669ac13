//! What each part of the default model is worth: the default without it, on the same examples.

use gannet_model::Settings;
use gannet_relevance::{DEFAULT_MODEL, MODELS};
use serde::Serialize;

use super::contender::BlindTo;
use super::{Contender, LabelledSet, MeasureError, Protocol, Watch, measure};

/// How the default does with one part taken away; means over the topics of a set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ablated {
    /// What was taken away; `nothing` for the default as it comes.
    pub without: String,
    /// The data set.
    pub data: String,
    /// How many relevant examples it was given.
    pub positives: usize,
    /// Mean F1 at the model's own threshold.
    pub f1: f64,
    /// Mean average precision.
    pub pr_auc: f64,
    /// Mean F1 less that of the default as it comes: negative when the part is worth having.
    pub difference: f64,
}

/// The default as it comes.
const NOTHING: &str = "nothing";

/// Parts that the default's own settings can switch off.
const SWITCHES: &[(&str, &str)] = &[("pages nobody labelled", "refine = false")];

/// Measures the default with and without each of its parts.
pub fn ablate(
    sets: &[LabelledSet],
    protocol: &Protocol,
    watch: Watch<'_>,
) -> Result<Vec<Ablated>, MeasureError> {
    let means = measure(sets, &variants(), protocol, watch)?.means();
    let whole = |data: &str, positives: usize| {
        let found = means.iter().find(|mean| {
            (mean.model.as_str(), mean.data.as_str(), mean.positives) == (NOTHING, data, positives)
        });
        found.map_or(0.0, |mean| mean.f1)
    };
    let ablated = |mean: &super::Mean| Ablated {
        without: mean.model.clone(),
        data: mean.data.clone(),
        positives: mean.positives,
        f1: mean.f1,
        pr_auc: mean.pr_auc,
        difference: mean.f1 - whole(&mean.data, mean.positives),
    };
    Ok(means.iter().map(ablated).collect())
}

/// The default as it comes, blind to one thing each, and with each switch turned.
fn variants() -> Vec<Contender> {
    let entry = MODELS.iter().find(|entry| entry.name == DEFAULT_MODEL);
    let entry = entry.expect("the default is registered");
    let whole = Contender { name: NOTHING.to_owned(), ..Contender::registered(entry) };
    let blind =
        |name: &str, blind_to| Contender { name: name.to_owned(), blind_to, ..whole.clone() };
    let main_content = blind("main-content weights", BlindTo::Prominence);
    let address = blind("the page's address", BlindTo::Address);
    let switched = SWITCHES.iter().map(|(name, settings)| Contender {
        name: (*name).to_owned(),
        settings: Settings::from(settings.parse::<toml::Table>().expect("a test reads them")),
        ..whole.clone()
    });
    [whole.clone(), main_content, address].into_iter().chain(switched).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_relevance::Topic;

    #[test]
    fn the_default_takes_every_switch() {
        let topic = Topic::from_words("gannet").unwrap();
        for variant in variants() {
            assert!((variant.entry.build)(&topic, &variant.settings).is_ok(), "{}", variant.name);
        }
    }
}
