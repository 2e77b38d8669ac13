//! The models that judge a page, as a crawl would begin with them.

use std::sync::Arc;

use gannet_model::Judgement;
use gannet_relevance::{Entry, Field, Lesson, Model, ModelError};
use serde::Serialize;

use super::evidence::{Excerpt, excerpts};
use super::pages::TestedPage;
use crate::commands::explain::ReasonReport;
use crate::config::{self, ConfigError, Loaded};
use crate::status_file::hexadecimal;
use crate::topic::{ExamplePage, Sought};

/// Models that have learned from the topic's examples.
pub(super) struct Jury {
    models: Vec<Arc<dyn Model>>,
}

/// What one model says of a page.
#[derive(Debug, Serialize)]
pub(super) struct Verdict {
    pub(super) model: String,
    /// In hexadecimal: JSON's numbers are too small for it.
    pub(super) version: String,
    pub(super) relevant: bool,
    pub(super) score: f32,
    pub(super) threshold: f32,
    pub(super) reasons: Vec<ReasonReport>,
    /// Each block by itself.
    pub(super) blocks: Vec<BlockReport>,
    /// Where the evidence stands, in the order of the page.
    pub(super) evidence: Vec<Excerpt>,
}

#[derive(Debug, Serialize)]
pub(super) struct BlockReport {
    /// Null for what stands before the first heading.
    pub(super) heading: Option<String>,
    pub(super) level: Option<u8>,
    pub(super) score: f32,
}

impl Jury {
    /// Makes the models and teaches them; `own` is the crawl's, which is made already.
    pub(super) fn new(
        entries: &[&'static Entry],
        sought: &Sought,
        loaded: &Loaded,
        own: Option<(&str, Arc<dyn Model>)>,
    ) -> Result<Jury, ConfigError> {
        let lessons: Vec<Lesson<'_>> = sought.examples.iter().map(ExamplePage::lesson).collect();
        let mut models = Vec::new();
        for entry in entries {
            if let Some((_, model)) = own.as_ref().filter(|(name, _)| *name == entry.name) {
                models.push(model.clone());
                continue;
            }
            let settings = config::settings(entry.name, &loaded.file.relevance);
            let model = (entry.build)(&sought.topic, &settings).map_err(|cause| {
                let error = ModelError::Settings { name: entry.name.to_owned(), cause };
                config::model_mistake(loaded, error)
            })?;
            let taught = if lessons.is_empty() { None } else { model.taught(&lessons) };
            models.push(Arc::from(taught.unwrap_or(model)));
        }
        Ok(Jury { models })
    }

    /// What each says of the page.
    pub(super) fn judge(&self, page: &TestedPage) -> Vec<Verdict> {
        self.models.iter().map(|model| verdict(model.as_ref(), page)).collect()
    }
}

fn verdict(model: &dyn Model, page: &TestedPage) -> Verdict {
    let sight = page.sight();
    let judgement: Judgement = model.judge(&sight);
    let scores = model.judge_blocks(&page.document);
    let blocks = page.document.blocks.iter().zip(scores).map(|(block, score)| BlockReport {
        heading: block.heading.as_ref().map(|heading| heading.text.clone()),
        level: block.heading.as_ref().map(|heading| heading.level),
        score: score.get(),
    });
    let parts = sight.parts().map(|part| {
        let field = match part.field {
            Field::Title => "title",
            Field::Heading => "heading",
            Field::Text => "text",
        };
        (field, part.block, part.text)
    });
    Verdict {
        version: hexadecimal(judgement.version),
        relevant: judgement.is_relevant(),
        score: judgement.score.get(),
        threshold: judgement.threshold.get(),
        reasons: ReasonReport::all(&judgement.reasons),
        blocks: blocks.collect(),
        evidence: excerpts(parts, |text| model.marks(text)),
        model: judgement.model,
    }
}
