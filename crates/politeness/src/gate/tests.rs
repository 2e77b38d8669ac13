//! The laws of the gate, alone and together with pace.

use std::net::Ipv4Addr;

use proptest::prelude::*;

use super::*;
use crate::pace::{Contact, PaceRules};

const START: Timestamp = Timestamp::from_secs(1_000_000_000);
const TEN: Duration = Duration::from_secs(10);
const HOST: HostId = HostId(1);
const OTHER: HostId = HostId(2);

fn address(last: u8) -> IpAddr {
    IpAddr::V4(Ipv4Addr::new(192, 0, 2, last))
}

fn two() -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(1)
}

#[track_caller]
fn check(gate: &Gate, host: HostId, at: Option<IpAddr>, now: Timestamp, expected: Opening) {
    assert_eq!(gate.check(host, at, &Pace::new(host), Limits::default(), now), expected);
}

#[test]
fn an_idle_host_is_open() {
    check(&Gate::new(), HOST, Some(address(1)), START, Opening::Open);
    check(&Gate::new(), HOST, None, START, Opening::Open);
}

#[test]
fn a_host_is_busy_until_its_request_ends() {
    let mut gate = Gate::new();
    gate.begin(HOST, None);
    check(&gate, HOST, None, START, Opening::Busy(Busy::Host));
    check(&gate, OTHER, None, START, Opening::Open);
    gate.end(HOST, None, START, START);
    check(&gate, HOST, None, START, Opening::Open);
    assert_eq!(gate.busy_hosts(), 0);
}

#[test]
fn hosts_at_one_address_take_turns_and_are_spaced() {
    let mut gate = Gate::new();
    gate.begin(HOST, Some(address(1)));
    check(&gate, OTHER, Some(address(1)), START, Opening::Busy(Busy::Address(address(1))));
    check(&gate, OTHER, Some(address(2)), START, Opening::Open);
    gate.end(HOST, Some(address(1)), START + TEN, START);
    let expected = Opening::At(START + TEN, Hold::SharedAddress);
    check(&gate, OTHER, Some(address(1)), START, expected);
    check(&gate, OTHER, Some(address(1)), START + TEN, Opening::Open);
}

#[test]
fn the_largest_delay_at_an_address_counts() {
    let mut gate = Gate::new();
    for (host, delay) in [(HOST, 3 * TEN), (OTHER, TEN)] {
        gate.begin(host, Some(address(1)));
        gate.end(host, Some(address(1)), START + delay, START);
    }
    let expected = Opening::At(START + 3 * TEN, Hold::SharedAddress);
    check(&gate, OTHER, Some(address(1)), START, expected);
}

#[test]
fn an_ipv4_address_written_as_ipv6_is_the_same_server() {
    let mut gate = Gate::new();
    gate.begin(HOST, Some(address(1)));
    let mapped = IpAddr::V6(Ipv4Addr::new(192, 0, 2, 1).to_ipv6_mapped());
    check(&gate, OTHER, Some(mapped), START, Opening::Busy(Busy::Address(mapped)));
}

#[test]
fn the_pace_of_the_host_is_kept_with_its_reason() {
    let mut pace = Pace::new(HOST);
    let contact = Contact::Answered { status: 429, retry_after: Some("60"), took: TEN };
    pace.completed(contact, &PaceRules::default(), START);
    let opening = Gate::new().check(HOST, None, &pace, Limits::default(), START);
    assert_eq!(opening, Opening::At(START + 6 * TEN, Hold::RetryAfter));
}

#[test]
fn raised_limits_let_more_through_and_no_limit_ignores_addresses() {
    let mut gate = Gate::new();
    gate.begin(HOST, Some(address(1)));
    let pace = Pace::new(HOST);
    let limits = Limits { per_host: two(), per_address: Some(two()) };
    assert_eq!(gate.check(HOST, Some(address(1)), &pace, limits, START), Opening::Open);
    let by_name_alone = Limits { per_address: None, ..Limits::default() };
    let opening = gate.check(OTHER, Some(address(1)), &pace, by_name_alone, START);
    assert_eq!(opening, Opening::Open);
}

#[test]
fn after_an_unclean_restart_everyone_waits() {
    let mut gate = Gate::new();
    gate.restarted(START, TEN);
    for at in [None, Some(address(1))] {
        check(&gate, HOST, at, START, Opening::At(START + TEN, Hold::JustRestarted));
        check(&gate, HOST, at, START + TEN, Opening::Open);
    }
}

#[test]
fn an_end_without_its_beginning_is_harmless() {
    let mut gate = Gate::new();
    gate.end(HOST, Some(address(1)), START, START);
    assert_eq!(gate.in_flight(HOST), 0);
    check(&gate, HOST, Some(address(1)), START, Opening::Open);
}

#[test]
fn addresses_at_rest_are_forgotten() {
    let mut gate = Gate::new();
    let mut now = START;
    for number in 0..100_000u32 {
        let at = Some(IpAddr::V4(Ipv4Addr::from(number)));
        gate.begin(HostId(number), at);
        gate.end(HostId(number), at, now + TEN, now);
        now = now + TEN / 100;
    }
    assert!(gate.addresses.len() <= FEW_ADDRESSES + 1000, "{}", gate.addresses.len());
}

/// What a random crawl does next.
#[derive(Clone, Debug)]
enum Step {
    /// Tries to begin a request to this host, which lives at the address of this number.
    Begin(u32, u8),
    /// Ends the oldest request in flight with this status.
    End(u16),
    /// Lets this many milliseconds pass.
    Wait(u64),
    /// Stops uncleanly and starts again: requests in flight are forgotten.
    Crash,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..6u32, 0..3u8).prop_map(|(host, at)| Step::Begin(host, at)),
        6 => prop_oneof![Just(200u16), Just(429), Just(502)].prop_map(Step::End),
        6 => (0..15_000u64).prop_map(Step::Wait),
        1 => Just(Step::Crash),
    ]
}

/// A crawl that obeys the gate, and what the servers saw of it.
struct Crawl {
    gate: Gate,
    rules: PaceRules,
    paces: Vec<Pace>,
    in_flight: Vec<(HostId, IpAddr)>,
    now: Timestamp,
    /// When a host or an address last saw a request end.
    host_seen: HashMap<HostId, Timestamp>,
    address_seen: HashMap<IpAddr, Timestamp>,
}

impl Crawl {
    fn new() -> Crawl {
        Crawl {
            gate: Gate::new(),
            rules: PaceRules::default(),
            paces: (0..6).map(|host| Pace::new(HostId(host))).collect(),
            in_flight: Vec::new(),
            now: START,
            host_seen: HashMap::new(),
            address_seen: HashMap::new(),
        }
    }

    fn begin(&mut self, number: u32, last: u8) -> Result<(), TestCaseError> {
        let (host, at) = (HostId(number), address(last));
        let pace = &self.paces[number as usize];
        match self.gate.check(host, Some(at), pace, Limits::default(), self.now) {
            Opening::Open => {}
            Opening::At(moment, _) => {
                prop_assert!(moment > self.now);
                return Ok(());
            }
            Opening::Busy(_) => {
                prop_assert!(!self.in_flight.is_empty());
                return Ok(());
            }
        }
        prop_assert!(self.in_flight.iter().all(|(other, place)| *other != host && *place != at));
        prop_assert!(self.now >= pace.ready_at().0);
        let last_seen = [self.host_seen.get(&host), self.address_seen.get(&at)];
        for moment in last_seen.into_iter().flatten() {
            prop_assert!(self.now >= *moment + self.rules.delay);
        }
        self.gate.begin(host, Some(at));
        self.in_flight.push((host, at));
        Ok(())
    }

    fn end(&mut self, status: u16) {
        if self.in_flight.is_empty() {
            return;
        }
        let (host, at) = self.in_flight.remove(0);
        let pace = &mut self.paces[host.0 as usize];
        let contact = Contact::Answered { status, retry_after: None, took: TEN };
        pace.completed(contact, &self.rules, self.now);
        self.gate.end(host, Some(at), pace.spaced_until(), self.now);
        self.host_seen.insert(host, self.now);
        self.address_seen.insert(at, self.now);
    }

    /// The servers saw their connections end; we remember only what was stored before.
    fn crash(&mut self) {
        for (host, at) in self.in_flight.drain(..) {
            self.host_seen.insert(host, self.now);
            self.address_seen.insert(at, self.now);
        }
        self.gate = Gate::new();
        self.gate.restarted(self.now, self.rules.delay);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn no_host_and_no_address_is_ever_contacted_too_soon_or_twice_at_once(
        steps in proptest::collection::vec(any_step(), 1..200),
    ) {
        let mut crawl = Crawl::new();
        for step in steps {
            match step {
                Step::Begin(host, at) => crawl.begin(host, at)?,
                Step::End(status) => crawl.end(status),
                Step::Wait(millis) => crawl.now = crawl.now + Duration::from_millis(millis),
                Step::Crash => crawl.crash(),
            }
        }
    }
}
