//! What is remembered of returns: when each known page is due, and how the watch as a whole stands.

use gannet_model::{HostId, Timestamp};
use serde::{Deserialize, Serialize};

/// When a known page is due, and what the revisit policy keeps of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReturnRecord {
    /// Its number in the schedule.
    pub number: u32,
    /// Whose page it is.
    pub host: HostId,
    /// A number for its host and directory.
    pub group: u64,
    /// How much its freshness matters.
    pub importance: f32,
    /// Known pages that link to it, up to a limit.
    pub links_in: u16,
    /// When it was last looked at.
    pub seen: Timestamp,
    /// Not before this.
    pub due: Timestamp,
    /// What the policy keeps of it; only the policy reads it.
    #[serde(with = "crate::bytes")]
    pub state: Vec<u8>,
}

/// What a watch knows besides its pages.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WatchRecord {
    /// The name of the policy that wrote the pages' states.
    pub policy: String,
    /// What the policy learned over all pages; only the policy reads it.
    #[serde(with = "crate::bytes")]
    pub state: Vec<u8>,
}

/// What was used of the daily budget, and what visits showed. Written with every visit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpendingRecord {
    /// Since when it is counted.
    pub since: Timestamp,
    /// Requests or bytes that were used since then.
    pub spent: f64,
    /// The share of the budget that returns get.
    pub returning: f64,
    /// Slots that were seen for that.
    pub slots: u32,
}
