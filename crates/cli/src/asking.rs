//! Single requests outside a crawl, with a crawl's manners.
//!
//! Commands that need a page or two (an example, a sitemap, a page to test)
//! ask here: the same guard on addresses, the same limits, the same user
//! agent, robots.txt before anything else, and the same pause between two
//! requests to one host. What an earlier crawl learned of a host (its
//! robots.txt, how long it wants to be left alone) holds here as well.

mod acquaintance;

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use gannet_engine::DataDir;
use gannet_fetch::{Accept, FetchError, Request};
use gannet_model::{Failure, Host, HostId, PageUrl, Response, Scheme, Timestamp};
use gannet_politeness::{Access, Contact, Hold, Pace, PaceRules, Permission, RobotsAnswer};

use crate::config::{self, Loaded, RequestRules};
use crate::print;

/// Asks hosts for single pages.
pub(crate) struct Asker {
    runtime: tokio::runtime::Runtime,
    rules: RequestRules,
    /// Where an earlier crawl keeps what it knows of hosts.
    data: DataDir,
    paces: HashMap<Host, Pace>,
    /// When another host at the same address may be asked.
    addresses: HashMap<IpAddr, Timestamp>,
    access: HashMap<(Host, Scheme), Access>,
}

/// Whether a host's robots.txt is asked first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Robots {
    /// It is, and obeyed.
    Obey,
    /// It is not: the user names an interface made for programs, and answers for using it.
    Interface,
}

/// Why no page came.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AskError {
    #[error("robots.txt of {host} does not allow {url}: {because}")]
    Forbidden { host: Host, url: String, because: String },
    #[error("{host} is {hold} until {until}; try again then")]
    NotNow { host: Host, hold: Hold, until: Timestamp },
    #[error("{url} leads on and on: more than {most} redirects")]
    TooManyRedirects { url: String, most: u8 },
    #[error("cannot fetch {url}")]
    Fetch {
        url: String,
        #[source]
        cause: Box<FetchError>,
    },
}

/// Nobody sits before a terminal for longer than this; the host says when to come back.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// Waits that are worth a word.
const NOTICED: Duration = Duration::from_secs(2);
/// The pause between two requests to an interface made for programs.
const INTERFACE_PAUSE: Duration = Duration::from_secs(1);
/// RFC 9309 asks for at least 500 KiB; a file beyond this is none that anybody meant.
const ROBOTS_BYTES: u64 = 5 << 20;

impl Asker {
    /// With the manners of this configuration, and what the crawl in `data` knows of hosts.
    pub(crate) fn new(loaded: &Loaded, data: &DataDir) -> anyhow::Result<Asker> {
        let rules = config::request_rules(loaded)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot prepare for requests")?;
        Ok(Asker {
            runtime,
            rules,
            data: data.clone(),
            paces: HashMap::new(),
            addresses: HashMap::new(),
            access: HashMap::new(),
        })
    }

    /// The answer for a URL, redirects followed; whatever its status.
    pub(crate) fn get(
        &mut self,
        url: &PageUrl,
        accept: Accept,
        robots: Robots,
    ) -> Result<Response, AskError> {
        let mut next = url.clone();
        for _ in 0..=self.rules.redirects {
            if robots == Robots::Obey {
                self.ask_permission(&next)?;
            }
            let response = self.exchange(&next, accept, robots, None)?;
            match response.redirect_target() {
                Some(target) => next = target,
                None => return Ok(response),
            }
        }
        Err(AskError::TooManyRedirects { url: url.to_string(), most: self.rules.redirects })
    }

    /// The sitemaps that a site's robots.txt names.
    pub(crate) fn sitemaps(&mut self, site: &PageUrl) -> Result<Vec<String>, AskError> {
        match self.ask_permission(site) {
            Ok(()) | Err(AskError::Forbidden { .. }) => {}
            Err(error) => return Err(error),
        }
        let access = self.access.get(&(site.host(), site.scheme()));
        Ok(access.map(|access| access.sitemaps().to_vec()).unwrap_or_default())
    }

    /// Asks for robots.txt until it is known what it says of the URL.
    fn ask_permission(&mut self, url: &PageUrl) -> Result<(), AskError> {
        let key = (url.host(), url.scheme());
        self.meet(&key.0);
        // Every answer either settles it or is a redirect, of which the rules count only so many.
        for _ in 0..=u32::from(self.rules.access.most_redirects) + 1 {
            let access = self.access.entry(key.clone()).or_default();
            match access.permits(url.path_and_query(), now()) {
                Permission::Allowed { .. } => return Ok(()),
                Permission::Disallowed { because } => {
                    return Err(AskError::Forbidden { host: key.0, url: url.to_string(), because });
                }
                Permission::AskFirst => self.ask_for_rules(&key)?,
            }
        }
        Err(AskError::TooManyRedirects {
            url: url.to_string(),
            most: self.rules.access.most_redirects,
        })
    }

    /// One request for a host's robots.txt, here or where it was redirected to.
    fn ask_for_rules(&mut self, key: &(Host, Scheme)) -> Result<(), AskError> {
        let target =
            self.access.get(key).and_then(|access| access.redirect_target().map(str::to_owned));
        let place = target.unwrap_or_else(|| format!("{}://{}/robots.txt", key.1.as_str(), key.0));
        let response = match PageUrl::parse(&place) {
            // A host that cannot be reached is told as such, not as one that forbids.
            Ok(url) => {
                Some(self.exchange(&url, Accept::Robots, Robots::Obey, Some(ROBOTS_BYTES))?)
            }
            Err(_) => None,
        };
        let access = self.access.entry(key.clone()).or_default();
        let location = response.as_ref().and_then(Response::redirect_target).map(String::from);
        let answer = match &response {
            Some(response) => RobotsAnswer::Fetched {
                status: response.status,
                body: &response.body,
                location: location.as_deref(),
                max_age: None,
            },
            None => RobotsAnswer::Failed(Failure::BadRedirect),
        };
        access.learn(answer, &self.rules.access, now());
        let asked = access.crawl_delay();
        let rules = self.terms(&key.0, Robots::Obey);
        self.pace_of(&key.0).heed_crawl_delay(asked, &rules);
        Ok(())
    }

    /// One exchange, once the host may be contacted.
    fn exchange(
        &mut self,
        url: &PageUrl,
        accept: Accept,
        robots: Robots,
        body_limit: Option<u64>,
    ) -> Result<Response, AskError> {
        let host = url.host();
        let rules = self.terms(&host, robots);
        let name = |cause| AskError::Fetch { url: url.to_string(), cause: Box::new(cause) };
        let target = self.runtime.block_on(self.rules.fetcher.resolve(&host)).map_err(name)?;
        let address = target.primary();
        self.wait_for(&host, address)?;
        let request = Request { accept, body_limit, ..Request::new(url.clone(), target) };
        let asked = self.runtime.block_on(self.rules.fetcher.fetch(request));
        let retry_after;
        let contact = match &asked {
            Ok(response) => {
                retry_after = response.headers.text("retry-after");
                Contact::Answered {
                    status: response.status,
                    retry_after: retry_after.as_deref(),
                    took: response.timings.total,
                }
            }
            Err(error) => Contact::Failed(error.failure()),
        };
        let pace = self.pace_of(&host);
        pace.completed(contact, &rules, now());
        let spaced_until = pace.spaced_until();
        self.addresses.insert(address, spaced_until);
        asked.map_err(name)
    }

    /// Waits until the host may be contacted, if that is a matter of a minute or two.
    fn wait_for(&mut self, host: &Host, address: IpAddr) -> Result<(), AskError> {
        let (mut until, mut hold) = self.pace_of(host).ready_at();
        let shared = self.addresses.get(&address).filter(|_| self.rules.spaces_addresses);
        if let Some(shared) = shared.filter(|shared| **shared > until) {
            (until, hold) = (*shared, Hold::SharedAddress);
        }
        let wait = until.since(now());
        if wait > LONGEST_WAIT {
            return Err(AskError::NotNow { host: host.clone(), hold, until });
        }
        if wait >= NOTICED {
            print::talk(format_args!("{host} is {hold}: {} s", wait.as_secs()));
        }
        std::thread::sleep(wait);
        Ok(())
    }

    fn pace_of(&mut self, host: &Host) -> &mut Pace {
        self.meet(host);
        self.paces.entry(host.clone()).or_insert_with(|| Pace::new(HostId(0)))
    }

    /// Recalls what an earlier crawl knows of a host, the first time that it is asked.
    fn meet(&mut self, host: &Host) {
        if self.paces.contains_key(host) {
            return;
        }
        let known = acquaintance::look_up(&self.data, host);
        // The number only spreads waits of hosts that are throttled together.
        let pace = known.as_ref().map_or_else(|| Pace::new(HostId(0)), |known| known.pace.clone());
        self.paces.insert(host.clone(), pace);
        let known = known.map(|known| [(Scheme::Http, known.http), (Scheme::Https, known.https)]);
        for (scheme, access) in known.into_iter().flatten() {
            self.access.insert((host.clone(), scheme), access.unwrap_or_default());
        }
    }

    /// How fast this host is asked, exceptions applied.
    fn terms(&self, host: &Host, robots: Robots) -> PaceRules {
        let mut rules = self.rules.pace.clone();
        for exception in self.rules.hosts.iter().filter(|rule| rule.covers(host)) {
            rules.delay = exception.delay.unwrap_or(rules.delay);
        }
        if robots == Robots::Interface {
            rules.delay = rules.delay.min(INTERFACE_PAUSE);
        }
        rules
    }
}

/// Warns whoever is about to ask hosts of the open web without saying who they are.
pub(crate) fn warn_without_contact(loaded: &Loaded) {
    let politeness = &loaded.file.politeness;
    let is_open_web = loaded.file.fetch.allow_addresses.is_empty();
    let has_contact = politeness.contact.as_ref().is_some_and(|contact| !contact.trim().is_empty());
    if is_open_web && !has_contact && politeness.user_agent.is_none() {
        print::warn(
            "no contact is set, so operators of sites cannot reach you; set `politeness.contact` \
             or --contact to a page or an address of mail",
        );
    }
}

fn now() -> Timestamp {
    Timestamp::from(SystemTime::now())
}
