//! A bench for policies: one page, visited whenever it is due.

use gannet_model::{HostId, Settings, Timestamp};

use crate::policies::build_policy;
use crate::policy::{Facts, PageNumber, Policy, Saw, Visit};
use crate::span::days_since;

/// A policy with one page.
pub(crate) struct Bench {
    pub(crate) policy: Box<dyn Policy>,
    pub(crate) host_name: &'static str,
    pub(crate) importance: f32,
    /// When the page is due.
    pub(crate) due: Timestamp,
    /// The page's number.
    pub(crate) page: PageNumber,
    pub(crate) bytes: u64,
    pub(crate) took_ms: u32,
}

/// A table from its text.
pub(crate) fn settings(text: &str) -> Settings {
    Settings::from(text.parse::<toml::Table>().unwrap())
}

/// What is known of a page that nothing is known of.
pub(crate) fn facts() -> Facts<'static> {
    Facts {
        host: HostId(1),
        host_name: "a.example",
        group: 1,
        importance: 1.0,
        known_rate: None,
        links: &[],
    }
}

/// A visit that showed this.
pub(crate) fn visit(at: Timestamp, saw: Saw) -> Visit {
    Visit { at, saw, modified: None, bytes: 10_000, took_ms: 100, new_links: 0 }
}

#[track_caller]
pub(crate) fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
}

impl Bench {
    pub(crate) fn new(name: &str, text: &str) -> Bench {
        let policy = build_policy(name, &settings(text)).unwrap();
        Bench {
            policy,
            host_name: "a.example",
            importance: 1.0,
            due: Timestamp::from_secs(1_000_000_000),
            page: PageNumber(0),
            bytes: 10_000,
            took_ms: 100,
        }
    }

    /// What is wrong with these settings.
    pub(crate) fn refusal(name: &str, text: &str) -> String {
        let Err(error) = build_policy(name, &settings(text)) else {
            panic!("{text} is taken");
        };
        std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default()
    }

    pub(crate) fn host(self, host_name: &'static str) -> Bench {
        Bench { host_name, ..self }
    }

    /// Admits the page; tells the days to wait.
    pub(crate) fn admit(&mut self) -> f64 {
        let now = self.due;
        let facts = Facts { host_name: self.host_name, importance: self.importance, ..facts() };
        self.due = self.policy.admit(self.page, &facts, now);
        days_since(self.due, now)
    }

    /// Visits the page when it is due; tells the days to wait.
    pub(crate) fn visit(&mut self, saw: Saw) -> f64 {
        let now = self.due;
        let visit = Visit { bytes: self.bytes, took_ms: self.took_ms, ..visit(now, saw) };
        self.due = self.policy.visited(self.page, &visit);
        days_since(self.due, now)
    }
}

/// Days that pages of these rates and importances wait, each visited when it is due.
pub(crate) fn waits(name: &str, text: &str, pages: &[(f64, f32)], budget: f64) -> Vec<f64> {
    let mut policy = build_policy(name, &settings(text)).unwrap();
    policy.set_budget(budget);
    let start = Timestamp::from_secs(1_000_000_000);
    let mut due = Vec::new();
    for (page, (rate, importance)) in (0..).zip(pages) {
        let facts = Facts { known_rate: Some(*rate), importance: *importance, ..facts() };
        due.push(policy.admit(PageNumber(page), &facts, start));
    }
    let mut moved = Vec::new();
    policy.moved(start, &mut moved);
    for (page, at) in moved {
        due[page.0 as usize] = at;
    }
    let wait = |(page, at): (u32, Timestamp)| match at {
        Timestamp::NEVER => f64::INFINITY,
        at => days_since(policy.visited(PageNumber(page), &visit(at, Saw::Same)), at),
    };
    (0..).zip(due).map(wait).collect()
}

/// The pages of Cho and Garcia-Molina's example, which change one to five times a day.
pub(crate) const FIVE: [(f64, f32); 5] =
    [(1.0, 1.0), (2.0, 1.0), (3.0, 1.0), (4.0, 1.0), (5.0, 1.0)];

/// Whether pages get these visits a day, to half a hundredth.
#[track_caller]
pub(crate) fn visits_a_day(waits: &[f64], expected: &[f64]) {
    let found: Vec<f64> = waits.iter().map(|wait| 1.0 / wait).collect();
    let is_near = found.iter().zip(expected).all(|(one, other)| (one - other).abs() < 0.0051);
    assert!(is_near && found.len() == expected.len(), "{found:?} is not {expected:?}");
}
