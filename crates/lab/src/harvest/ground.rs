//! A web to be crawled many times, and the truth about it.
//!
//! A ground knows its pages, what each answers, and which topics each is
//! about. Pages are numbered; their links are read elsewhere (see `graph`).
//! Recorded pages always answer the same, so each is parsed once and shared by
//! all crawls. A synthetic web is asked anew each time.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use gannet_model::{Document, Fingerprint, Headers, PageUrl, Response, Timestamp};
use gannet_relevance::Topic;
use gannet_testbed::Web;

/// A web to be crawled many times, and the truth about it.
pub struct Ground {
    /// What it is called.
    pub name: String,
    /// What its pages are about, by name.
    pub topics: Vec<GroundTopic>,
    pub(super) pages: Vec<GroundPage>,
    places: HashMap<Fingerprint, usize>,
    /// Where each host lives, by its name without port.
    addresses: HashMap<String, IpAddr>,
    /// Answers for the pages, if they are not recorded.
    pub(super) synthetic: Option<Arc<Web>>,
    /// How many pages a crawl of it should take, unless somebody says otherwise.
    pub(super) usual_pages: u64,
}

/// Something that pages are about.
pub struct GroundTopic {
    /// Its name in the truth.
    pub name: String,
    /// What a person would type for it.
    pub topic: Topic,
    /// Which pages are about it, by their numbers.
    pub(super) relevant: Vec<bool>,
}

/// A page and what it always answers.
pub(super) struct GroundPage {
    /// In canonical form.
    pub(super) url: PageUrl,
    pub(super) status: u16,
    pub(super) headers: Headers,
    pub(super) body: Bytes,
    /// The body as it came over the wire, perhaps packed.
    pub(super) wire_body: Bytes,
    document: OnceLock<Document>,
}

/// A page of a web while it is gathered.
pub(super) struct Gathered {
    pub(super) url: PageUrl,
    pub(super) status: u16,
    pub(super) headers: Headers,
    pub(super) body: Bytes,
    pub(super) wire_body: Bytes,
    /// Names of the topics it is about.
    pub(super) topics: Vec<String>,
}

impl Gathered {
    /// A page of HTML that was found.
    pub(super) fn html(url: PageUrl, headers: Headers, body: Vec<u8>, topics: Vec<String>) -> Self {
        let is_typed = headers.text("content-type").is_some();
        let headers =
            if is_typed { headers } else { [("content-type", "text/html")].into_iter().collect() };
        let body = Bytes::from(body);
        Gathered { url, status: 200, headers, wire_body: body.clone(), body, topics }
    }
}

impl Ground {
    /// From pages in canonical spelling; of two with one address the first is kept. `words` says
    /// what a person would type for each topic.
    pub(super) fn new<E>(
        name: String,
        usual_pages: u64,
        gathered: Vec<Gathered>,
        words: impl Fn(&str) -> Result<Topic, E>,
    ) -> Result<Ground, E> {
        let mut ground = Ground {
            name,
            topics: Vec::new(),
            pages: Vec::new(),
            places: HashMap::new(),
            addresses: HashMap::new(),
            synthetic: None,
            usual_pages,
        };
        let mut about: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for page in gathered {
            let place = ground.pages.len();
            if ground.places.contains_key(&page.url.fingerprint()) {
                continue;
            }
            ground.places.insert(page.url.fingerprint(), place);
            if (200..300).contains(&page.status) {
                for topic in page.topics {
                    about.entry(topic).or_default().push(place);
                }
            }
            ground.add_host(&page.url);
            ground.pages.push(GroundPage {
                url: page.url,
                status: page.status,
                headers: page.headers,
                body: page.body,
                wire_body: page.wire_body,
                document: OnceLock::new(),
            });
        }
        for (name, places) in about {
            let mut relevant = vec![false; ground.pages.len()];
            for place in places {
                relevant[place] = true;
            }
            let topic = words(&name)?;
            ground.topics.push(GroundTopic { name, topic, relevant });
        }
        Ok(ground)
    }

    /// Every host has an address of its own in 10.0.0.0/8, which nobody connects to.
    fn add_host(&mut self, url: &PageUrl) {
        let next = u32::try_from(self.addresses.len() + 1).unwrap_or(u32::MAX);
        let [_, b, c, d] = next.to_be_bytes();
        let host = url.host();
        if !self.addresses.contains_key(host.name()) {
            self.addresses.insert(host.name().to_owned(), Ipv4Addr::new(10, b, c, d).into());
        }
    }

    /// How many pages it has.
    pub fn size(&self) -> usize {
        self.pages.len()
    }

    /// How many hosts its pages are on.
    pub fn hosts(&self) -> usize {
        self.addresses.len()
    }

    pub(super) fn address(&self, host: &str) -> Option<IpAddr> {
        self.addresses.get(host).copied()
    }

    /// The number of the page at a canonical address.
    pub(super) fn place(&self, url: &PageUrl) -> Option<usize> {
        self.places.get(&url.fingerprint()).copied()
    }

    /// What the recorded page of this number says; `None` when it is no page but a redirect or
    /// an error, or when the web is not recorded.
    pub(super) fn document(&self, place: usize) -> Option<&Document> {
        let page = &self.pages[place];
        if self.synthetic.is_some() || !(200..300).contains(&page.status) {
            return None;
        }
        let read = || {
            let response = page.response(Ipv4Addr::LOCALHOST.into(), Timestamp::default());
            gannet_content::read(&response, &gannet_content::Limits::default())
        };
        Some(page.document.get_or_init(read))
    }
}

impl GroundPage {
    /// The recorded answer.
    pub(super) fn response(&self, address: IpAddr, now: Timestamp) -> Response {
        Response {
            wire_body: self.wire_body.clone(),
            body: self.body.clone(),
            headers: self.headers.clone(),
            ..empty_answer(&self.url, self.status, address, now)
        }
    }
}

/// An answer that says nothing but its status.
pub(super) fn empty_answer(
    url: &PageUrl,
    status: u16,
    address: IpAddr,
    now: Timestamp,
) -> Response {
    Response {
        address,
        asked_at: now,
        ..Response::made(url.clone(), status, Headers::new(), Bytes::new())
    }
}

impl GroundTopic {
    /// How many pages are about it.
    pub fn size(&self) -> usize {
        self.relevant.iter().filter(|is_relevant| **is_relevant).count()
    }
}
