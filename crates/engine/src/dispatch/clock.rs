//! The real clock, made steady.

use std::time::{Instant, SystemTime};

use gannet_model::Timestamp;

/// Tells the time of day without ever going back: politeness is counted by it,
/// and a corrected system clock must not shorten a delay.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    began: Instant,
    time_of_day: Timestamp,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock { began: Instant::now(), time_of_day: SystemTime::now().into() }
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.time_of_day + self.began.elapsed()
    }

    /// Sleeps until `moment`; for ever if that is [`Timestamp::NEVER`].
    pub(crate) async fn sleep_until(&self, moment: Timestamp) {
        if moment == Timestamp::NEVER {
            return std::future::pending().await;
        }
        tokio::time::sleep(moment.since(self.now())).await;
    }
}
