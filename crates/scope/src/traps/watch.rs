//! Watching what a host's documents bring, shape by shape.
//!
//! Counts are kept the way of Misra and Gries ("Finding repeated elements",
//! 1982): a fixed number of counters per host, and a newcomer that finds none
//! free lowers all others by one. Counts are therefore never too high, so no
//! honest shape is accused for another's documents, and never too low by more
//! than two parts in the number of counters (a document counts for its shape
//! and its branch), so no large one escapes. Counts are halved from time to
//! time: what matters is what a shape brings *now*.
//!
//! The watch begins anew after a restart; an operator's rulings are kept by
//! the caller, who tells them again with [`TrapWatch::exclude`] and
//! [`TrapWatch::excuse`].

use std::collections::BTreeMap;

use gannet_model::{HostId, PageUrl};

use super::shape::{Kinship, ShapeKey, key_of, key_of_text, text_of};
use super::{TrapConfig, TrapError, TrapReason};

/// A host's counts are halved whenever they have grown to so many documents.
const RECENT: u32 = 2_000;

/// Whether a document brought anything: relevant, or unlike all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Novelty {
    /// It did.
    Novel,
    /// It repeated what was known, or was of no use.
    Barren,
}

/// How a shape stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Counted, nothing to say.
    Watched,
    /// Many documents, nothing new: an operator should look.
    Flagged,
    /// Flagged, and its documents are used up: closed until an operator decides.
    Closed,
    /// An operator found it honest: never flagged again.
    Excused,
    /// An operator found it a trap: closed at once.
    Excluded,
}

/// A shape that an operator should know of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Where it stands.
    pub host: HostId,
    /// The shape, digits masked; also its name in rulings.
    pub shape: String,
    /// How many documents it gave since it is watched.
    pub documents: u32,
    /// What became of it.
    pub standing: Standing,
}

/// What the hosts' documents brought, by shape.
#[derive(Debug)]
pub struct TrapWatch {
    config: TrapConfig,
    hosts: BTreeMap<HostId, HostShapes>,
}

/// The counters of one host: at most `shapes_per_host`, besides those ruled on.
#[derive(Debug, Default)]
struct HostShapes {
    /// Documents since the counts began, halved with them.
    recent: u32,
    /// Whether any shape is closed or excluded: most hosts are asked no further.
    has_closed: bool,
    counters: Vec<Counter>,
}

#[derive(Debug)]
struct Counter {
    key: ShapeKey,
    /// Recent documents; never too high.
    seen: u32,
    /// Those of them that were novel; at most `seen`.
    novel: u32,
    /// Documents since the shape is watched, never halved.
    documents: u32,
    standing: Standing,
    /// The shape as text, once somebody may ask for it.
    text: Option<Box<str>>,
}

impl TrapWatch {
    /// A watch that has seen nothing.
    pub fn new(config: &TrapConfig) -> Result<TrapWatch, TrapError> {
        let shares = [
            ("suspicious_share", config.suspicious_share),
            ("suspicious_novelty", config.suspicious_novelty),
        ];
        for (key, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return Err(TrapError::NotAShare { key, value });
            }
        }
        if !(8..=4096).contains(&config.shapes_per_host) {
            return Err(TrapError::ShapesOutOfRange);
        }
        Ok(TrapWatch { config: config.clone(), hosts: BTreeMap::new() })
    }

    /// Counts a document. Returns the shape or branch that this one made suspicious.
    pub fn observe(&mut self, host: HostId, url: &PageUrl, novelty: Novelty) -> Option<Flag> {
        let shapes = self.hosts.entry(host).or_default();
        shapes.recent += 1;
        let mut raised = None;
        for kinship in Kinship::BOTH {
            let Some(key) = key_of(url, kinship) else { continue };
            let Some(at) = shapes.count(key, novelty, self.config.shapes_per_host) else {
                continue;
            };
            let was = shapes.counters[at].standing;
            let standing = self.config.judge(shapes.recent, &shapes.counters[at]);
            let counter = &mut shapes.counters[at];
            counter.standing = standing;
            if standing != Standing::Watched && counter.text.is_none() {
                counter.text = Some(text_of(url, kinship).into());
            }
            shapes.has_closed |= standing == Standing::Closed;
            if was == Standing::Watched && standing != Standing::Watched {
                raised = raised.or_else(|| counter.flag(host));
            }
        }
        if shapes.recent >= RECENT {
            shapes.halve();
        }
        raised
    }

    /// Why the address should not be visited; nothing for almost all.
    pub fn verdict(&self, host: HostId, url: &PageUrl) -> Option<TrapReason> {
        let shapes = self.hosts.get(&host).filter(|shapes| shapes.has_closed)?;
        let keys = Kinship::BOTH.map(|kinship| key_of(url, kinship));
        let is_excused = |counter: &&Counter| counter.standing == Standing::Excused;
        let found = |key: &ShapeKey| shapes.counters.iter().find(|counter| counter.key == *key);
        // An excused shape stays open on a closed branch.
        if keys.iter().flatten().filter_map(found).any(|counter| is_excused(&counter)) {
            return None;
        }
        keys.iter().flatten().filter_map(found).find_map(Counter::reason)
    }

    /// An operator's ruling: the shape is a trap, close it.
    pub fn exclude(&mut self, host: HostId, shape: &str) {
        self.rule(host, shape, Standing::Excluded);
    }

    /// An operator's ruling: the shape is honest, let it be.
    pub fn excuse(&mut self, host: HostId, shape: &str) {
        self.rule(host, shape, Standing::Excused);
    }

    /// Every shape that is flagged, closed or ruled on, by host and shape.
    pub fn flags(&self) -> Vec<Flag> {
        let mut flags: Vec<Flag> = Vec::new();
        for (host, shapes) in &self.hosts {
            flags.extend(shapes.counters.iter().filter_map(|counter| counter.flag(*host)));
        }
        flags.sort_by(|one, other| (one.host, &one.shape).cmp(&(other.host, &other.shape)));
        flags
    }

    fn rule(&mut self, host: HostId, shape: &str, standing: Standing) {
        let shapes = self.hosts.entry(host).or_default();
        let key = key_of_text(shape);
        let at = shapes.counters.iter().position(|counter| counter.key == key);
        let at = at.unwrap_or_else(|| shapes.push(key));
        shapes.counters[at].standing = standing;
        shapes.counters[at].text = Some(shape.into());
        shapes.has_closed = shapes.counters.iter().any(|counter| counter.reason().is_some());
    }
}

impl TrapConfig {
    /// How a shape stands after its latest document.
    fn judge(&self, recent: u32, counter: &Counter) -> Standing {
        if matches!(counter.standing, Standing::Closed | Standing::Excused | Standing::Excluded) {
            return counter.standing;
        }
        let share = f64::from(counter.seen) / f64::from(recent.max(1));
        let novelty = f64::from(counter.novel) / f64::from(counter.seen.max(1));
        let is_suspicious = recent >= self.suspicious_after
            && share >= self.suspicious_share
            && novelty <= self.suspicious_novelty;
        let is_used_up =
            self.documents_per_shape > 0 && counter.documents >= self.documents_per_shape;
        match (is_suspicious, is_used_up) {
            (false, _) => Standing::Watched,
            (true, false) => Standing::Flagged,
            (true, true) => Standing::Closed,
        }
    }
}

impl HostShapes {
    /// Counts a document of the shape; returns its counter, if it got one.
    fn count(&mut self, key: ShapeKey, novelty: Novelty, limit: u32) -> Option<usize> {
        let known = self.counters.iter().position(|counter| counter.key == key);
        let at = match known {
            Some(at) => at,
            None if self.counters.len() < limit as usize => self.push(key),
            None => {
                self.lower_all();
                return None;
            }
        };
        let counter = &mut self.counters[at];
        counter.seen += 1;
        counter.novel += u32::from(novelty == Novelty::Novel);
        counter.documents = counter.documents.saturating_add(1);
        Some(at)
    }

    fn push(&mut self, key: ShapeKey) -> usize {
        let standing = Standing::Watched;
        self.counters.push(Counter { key, seen: 0, novel: 0, documents: 0, standing, text: None });
        self.counters.len() - 1
    }

    /// The newcomer's document and one of each other shape cancel out.
    fn lower_all(&mut self) {
        for counter in &mut self.counters {
            counter.seen = counter.seen.saturating_sub(1);
            counter.novel = counter.novel.min(counter.seen);
        }
        self.forget_unseen();
    }

    fn halve(&mut self) {
        self.recent /= 2;
        for counter in &mut self.counters {
            counter.seen /= 2;
            counter.novel /= 2;
        }
        self.forget_unseen();
    }

    /// Frees counters, but never one whose shape is closed or ruled on.
    fn forget_unseen(&mut self) {
        self.counters.retain(|counter| {
            counter.seen > 0 || !matches!(counter.standing, Standing::Watched | Standing::Flagged)
        });
    }
}

impl Counter {
    fn flag(&self, host: HostId) -> Option<Flag> {
        if self.standing == Standing::Watched {
            return None;
        }
        let shape = self.text.as_deref()?.to_owned();
        Some(Flag { host, shape, documents: self.documents, standing: self.standing })
    }

    /// Why documents of this shape are not wanted.
    fn reason(&self) -> Option<TrapReason> {
        let shape = || self.text.as_deref().unwrap_or_default().to_owned();
        match self.standing {
            Standing::Watched | Standing::Flagged | Standing::Excused => None,
            Standing::Closed => {
                Some(TrapReason::BarrenShape { shape: shape(), documents: self.documents })
            }
            Standing::Excluded => Some(TrapReason::ExcludedShape { shape: shape() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: HostId = HostId(7);

    fn url(tail: &str) -> PageUrl {
        PageUrl::parse(&format!("http://a.org{tail}")).unwrap()
    }

    fn watch(documents_per_shape: u32) -> TrapWatch {
        let config = TrapConfig { documents_per_shape, ..TrapConfig::default() };
        TrapWatch::new(&config).unwrap()
    }

    /// Feeds `count` calendar days, then says how the calendar stands.
    fn feed_calendar(watch: &mut TrapWatch, count: u32, novelty: Novelty) -> Option<Standing> {
        for day in 0..count {
            watch.observe(HOST, &url(&format!("/calendar/day?at={day}")), novelty);
        }
        let flags = watch.flags();
        flags.iter().find(|flag| flag.shape == "/calendar/*?at").map(|flag| flag.standing)
    }

    #[test]
    fn a_barren_shape_is_flagged_then_closed() {
        let mut watch = watch(300);
        assert_eq!(feed_calendar(&mut watch, 99, Novelty::Barren), None);
        assert_eq!(feed_calendar(&mut watch, 1, Novelty::Barren), Some(Standing::Flagged));
        assert_eq!(watch.verdict(HOST, &url("/calendar/day?at=x")), None);
        assert_eq!(feed_calendar(&mut watch, 200, Novelty::Barren), Some(Standing::Closed));
        let reason = watch.verdict(HOST, &url("/calendar/day?at=x")).unwrap();
        assert_eq!(
            reason.to_string(),
            "300 documents of the shape /calendar/*?at brought almost nothing new"
        );
        assert_eq!(watch.verdict(HOST, &url("/news/1")), None);
        assert_eq!(watch.verdict(HostId(8), &url("/calendar/day?at=x")), None);
    }

    #[test]
    fn a_shape_that_brings_news_is_never_flagged() {
        let mut watch = watch(300);
        for round in 0..1_000 {
            let novelty = if round % 10 == 0 { Novelty::Novel } else { Novelty::Barren };
            assert_eq!(watch.observe(HOST, &url(&format!("/wiki/page{round}")), novelty), None);
        }
        assert_eq!(watch.verdict(HOST, &url("/wiki/other")), None);
    }

    #[test]
    fn nothing_is_closed_when_the_limit_is_off() {
        let mut watch = watch(0);
        assert_eq!(feed_calendar(&mut watch, 5_000, Novelty::Barren), Some(Standing::Flagged));
        assert_eq!(watch.verdict(HOST, &url("/calendar/day?at=x")), None);
    }

    #[test]
    fn invented_directories_grow_on_one_branch() {
        let mut watch = watch(300);
        let letters = |n: u32| -> String {
            n.to_string().bytes().map(|digit| char::from(digit + b'a' - b'0')).collect()
        };
        for n in 0..400 {
            let tail = format!("/shop/{}/{}/x", letters(n), letters(n * 7));
            watch.observe(HOST, &url(&tail), Novelty::Barren);
        }
        let reason = watch.verdict(HOST, &url("/shop/new/filter/x")).unwrap().to_string();
        assert!(reason.contains("/shop/**"), "{reason}");
    }

    #[test]
    fn an_operator_has_the_last_word() {
        let mut watch = watch(100);
        feed_calendar(&mut watch, 200, Novelty::Barren);
        let day = url("/calendar/day?at=x");
        assert!(watch.verdict(HOST, &day).is_some());
        watch.excuse(HOST, "/calendar/*?at");
        assert_eq!(watch.verdict(HOST, &day), None);
        assert_eq!(feed_calendar(&mut watch, 5_000, Novelty::Barren), Some(Standing::Excused));
        watch.exclude(HOST, "/calendar/*?at");
        let reason = watch.verdict(HOST, &day).unwrap().to_string();
        assert_eq!(reason, "an operator excluded the shape /calendar/*?at");
    }

    #[test]
    fn closed_shapes_stay_closed_while_others_come_and_go() {
        let mut watch = watch(150);
        feed_calendar(&mut watch, 200, Novelty::Barren);
        for n in 0..20_000 {
            watch.observe(HOST, &url(&format!("/?p{}x=1", "y".repeat(n % 31))), Novelty::Novel);
        }
        assert!(watch.verdict(HOST, &url("/calendar/day?at=x")).is_some());
    }

    #[test]
    fn memory_is_bounded_and_a_large_share_is_never_lost() {
        let mut watch = watch(0);
        let name = |n: u32| -> String {
            n.to_string().bytes().map(|digit| char::from(digit + b'a' - b'0')).collect()
        };
        for n in 0..30_000 {
            let tail = match n % 2 {
                0 => format!("/calendar/day?at={n}"),
                _ => format!("/?{}", name(n)),
            };
            let novelty = if n % 2 == 0 { Novelty::Barren } else { Novelty::Novel };
            watch.observe(HOST, &url(&tail), novelty);
            assert!(watch.hosts[&HOST].counters.len() <= 64);
        }
        assert_eq!(feed_calendar(&mut watch, 1, Novelty::Barren), Some(Standing::Flagged));
    }

    #[test]
    fn settings_out_of_range_are_refused_by_name() {
        let config = TrapConfig { suspicious_share: 1.5, ..TrapConfig::default() };
        let error = TrapWatch::new(&config).unwrap_err().to_string();
        assert!(error.starts_with("traps.suspicious_share = 1.5 is not a share"), "{error}");
    }
}
