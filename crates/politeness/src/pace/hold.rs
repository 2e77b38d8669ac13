//! Why a host waits, in words for the status line.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a host waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Hold {
    /// It does not: it was never contacted.
    #[default]
    Nothing,
    /// Our delay between requests.
    Delay,
    /// The delay that its robots.txt asks for.
    CrawlDelay,
    /// A delay in proportion to how slowly it answered.
    SlowResponse,
    /// It said how long to stay away.
    RetryAfter,
    /// It answered 429 or 503 without saying for how long.
    Throttled,
    /// It cannot be reached.
    Outage,
    /// The crawler stopped uncleanly and may have been talking to it.
    JustRestarted,
    /// It was down for so long that it lost its turn.
    Lost,
    /// Another host at the same address was contacted just now.
    SharedAddress,
}

impl fmt::Display for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Hold::Nothing => "ready",
            Hold::Delay => "waiting for the politeness delay",
            Hold::CrawlDelay => "waiting for the crawl delay in robots.txt",
            Hold::SlowResponse => "given time after a slow answer",
            Hold::RetryAfter => "waiting as Retry-After asks",
            Hold::Throttled => "backed off after 429 or 503",
            Hold::Outage => "out of reach, to be tried again",
            Hold::JustRestarted => "waiting because the crawl was interrupted",
            Hold::Lost => "parked after being down for long",
            Hold::SharedAddress => "waiting for another host at the same address",
        })
    }
}
