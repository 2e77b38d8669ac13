//! The nouns that travel through Gannet.
//!
//! Every station of the journey speaks in these types and in no others. They
//! hold no behaviour beyond their own invariants: no network, no disk, no
//! clock, no strategy.

mod change;
mod document;
mod failure;
mod host;
mod judgement;
pub mod limits;
mod reason;
mod response;
mod settings;
mod spread;
mod time;
mod url;
pub mod words;
mod worth;

pub use change::{Change, Channels, Edit, EditKind, Happening, Significance};
pub use document::{
    Block, Document, FileKind, Form, FormMethod, Heading, Image, Link, LinkKind, Note, Passage,
    Prominence, Rel, RobotsMeta,
};
pub use failure::Failure;
pub use host::{Host, HostError, HostId};
pub use judgement::{Judgement, Score, Verdict};
pub use reason::{Reason, Reasons};
pub use response::{Headers, HttpVersion, Response, Timings, Validators};
pub use settings::{Settings, SettingsError};
pub use spread::{AsItIs, Spread, spread};
pub use time::{Timestamp, TimestampError};
pub use url::{Fingerprint, PageUrl, Scheme, UrlError};
pub use worth::Worth;
