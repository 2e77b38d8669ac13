//! The memory of a crawl: URLs, hosts, visits, models and the tails of the queues.
//!
//! One visit is one [`Commit`], applied as a whole or not at all. [`Store`] is
//! what the engine sees; [`Embedded`] keeps it in the data directory,
//! [`InMemory`] in a map for the lab and for tests. This is the only database
//! code in Gannet. Formats: `docs/design/store.md`.

mod bytes;
mod commit;
mod earlier;
mod embedded;
mod encoding;
mod error;
mod in_memory;
mod keys;
mod models;
mod records;
mod returns;
mod store;

pub use commit::Commit;
pub use embedded::Embedded;
pub use error::StoreError;
pub use in_memory::InMemory;
pub use models::{LearnedRecord, LessonCounts, ModelRecord, OrderRecord, TaughtLabel};
pub use records::{
    Answer, ArchivedAt, Counters, CrawlRecord, CrawlState, Found, HostCounters, HostRecord, How,
    PageFacts, Status, UrlHead, UrlRecord, VisitNumber, VisitRecord, Visited,
};
pub use returns::{ReturnRecord, SpendingRecord, WatchRecord};
pub use store::Store;
