//! A model with its settings, as it enters a measurement.

use gannet_model::Settings;
use gannet_relevance::{DEFAULT_MODEL, Entry, Lesson, MODELS, Model, Origin, Sight, Topic};

use super::{LabelledPage, MeasureError};

/// A model as it enters a measurement.
#[derive(Clone)]
pub struct Contender {
    /// What the results call it.
    pub name: String,
    /// Which model it is.
    pub entry: Entry,
    /// How it is set.
    pub settings: Settings,
    /// What of a page it is not shown.
    pub blind_to: BlindTo,
}

/// What of a page a contender is not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlindTo {
    /// It sees all there is.
    Nothing,
    /// Which passages are main content.
    Prominence,
    /// Where the page is.
    Address,
}

impl Contender {
    /// A registered model as it comes.
    pub fn registered(entry: &Entry) -> Contender {
        Contender {
            name: entry.name.to_owned(),
            entry: *entry,
            settings: Settings::none(),
            blind_to: BlindTo::Nothing,
        }
    }

    /// Every registered model as it comes.
    pub fn all() -> Vec<Contender> {
        MODELS.iter().map(Contender::registered).collect()
    }

    /// Whether a model of this name is a published one.
    pub fn is_published(name: &str) -> bool {
        let entry = MODELS.iter().find(|entry| entry.name == name);
        entry.is_some_and(|entry| matches!(entry.origin, Origin::Published(_)))
    }

    /// Whether it is the default as it comes.
    pub fn is_default(&self) -> bool {
        self.name == DEFAULT_MODEL
    }

    /// The page as this contender is shown it.
    pub(crate) fn sight<'a>(&self, page: &'a LabelledPage) -> Sight<'a> {
        let sight = page.sight();
        match self.blind_to {
            BlindTo::Nothing => sight,
            BlindTo::Prominence => Sight { prominence: None, ..sight },
            BlindTo::Address => Sight { url: None, ..sight },
        }
    }

    /// The model for a topic, with what these lessons teach it.
    pub(crate) fn trained(
        &self,
        topic: &Topic,
        lessons: &[Lesson<'_>],
    ) -> Result<Box<dyn Model>, MeasureError> {
        let model = (self.entry.build)(topic, &self.settings)
            .map_err(|cause| MeasureError::Settings { name: self.name.clone(), cause })?;
        Ok(model.taught(lessons).unwrap_or(model))
    }
}
