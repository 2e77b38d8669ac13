//! The model of today: what a run in a data directory would begin with now.
//!
//! Topic, settings, examples, labels and what was learned, put together as
//! [`Crawl::open`](crate::Crawl::open) does it, for those who judge without
//! crawling.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use gannet_model::{Fingerprint, Timestamp};
use gannet_relevance::Model;
use gannet_store::{LearnedRecord, ModelRecord, Store};

use crate::config::Config;
use crate::crawler::{DataDir, RunError, read_labels};
use crate::evidence::Evidence;
use crate::journey::Journey;
use crate::labelled::with_pages;
use crate::labels::{Following, Said};
use crate::teaching::Teacher;

/// The model of today, and what people said.
pub(crate) struct Today {
    /// Judges with the model.
    pub(crate) journey: Journey,
    /// What people said of pages.
    pub(crate) said: HashMap<Fingerprint, Said>,
    /// What is to be stored if pages are to be judged by it; `None` when it is stored.
    pub(crate) records: Option<(ModelRecord, Option<LearnedRecord>)>,
}

/// The model that a run in `data` would begin with now. Nothing is written.
pub fn todays_model(
    data: &DataDir,
    store: &dyn Store,
    config: &Config,
) -> Result<Arc<dyn Model>, RunError> {
    Ok(Today::of(data, store, config)?.journey.model())
}

impl Today {
    pub(crate) fn of(
        data: &DataDir,
        store: &dyn Store,
        config: &Config,
    ) -> Result<Today, RunError> {
        let journey = Journey::new(config)?;
        let evidence = Evidence::new(data, config.fetch.limits);
        let mut following = Following::new(data.labels());
        let labels = read_labels(&mut following, config, &journey, store, &evidence)?;
        let said = labels.iter().map(|label| (label.url, label.said.clone())).collect();
        let now = Timestamp::from(SystemTime::now());
        let (teacher, change) =
            Teacher::open(config, journey.model(), store.learned()?, with_pages(labels), now);
        journey.replace_model(teacher.model());
        Ok(Today { journey, said, records: change.records })
    }
}
