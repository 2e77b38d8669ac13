//! What becomes of pages that are looked at again: changed, gone, moved and back, over days of
//! virtual time.

use std::collections::HashMap;
use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use gannet_engine::{Attachments, Config, Wanted, history};
use gannet_lab::{Player, ReplayWeb, Reply};
use gannet_model::{Failure, Happening, Headers, Host, PageUrl, Response, Significance, Timestamp};
use gannet_relevance::Topic;
use gannet_store::{InMemory, Status, VisitRecord, Visited};

const DAY: Duration = Duration::from_secs(24 * 3600);
const BEGAN: Timestamp = Timestamp::from_secs(1_800_000_000);

/// A status and a body, or why none came.
type Said = Result<(u16, Bytes), Failure>;

/// A web that says what it is told to say.
#[derive(Default)]
struct Script {
    pages: HashMap<String, Said>,
    /// Answers by day: from that day on, a page answers so.
    later: Vec<(u32, String, Said)>,
}

impl Script {
    fn page(&mut self, path: &str, body: &str) {
        self.file(path, body.to_owned());
    }

    fn file(&mut self, path: &str, body: impl Into<Bytes>) {
        self.pages.insert(address(path), Ok((200, body.into())));
    }

    fn file_from(&mut self, day: u32, path: &str, body: impl Into<Bytes>) {
        self.later.push((day, address(path), Ok((200, body.into()))));
    }

    fn answers_from(&mut self, day: u32, path: &str, answer: Result<(u16, &str), Failure>) {
        let answer = answer.map(|(status, body)| (status, Bytes::from(body.to_owned())));
        self.later.push((day, address(path), answer));
    }
}

fn address(path: &str) -> String {
    format!("http://a.example{path}")
}

impl ReplayWeb for Script {
    fn resolve(&self, _host: &Host) -> Result<IpAddr, Failure> {
        Ok(IpAddr::from([10, 0, 0, 1]))
    }

    fn answer(&mut self, url: &PageUrl, address: IpAddr, now: Timestamp) -> Reply {
        let day = (now.since(BEGAN).as_secs() / DAY.as_secs()) as u32;
        let changed =
            self.later.iter().rev().find(|(from, other, _)| *from <= day && other == url.as_str());
        let answer = match changed {
            Some((_, _, answer)) => answer.clone(),
            None => self.pages.get(url.as_str()).cloned().unwrap_or(Ok((404, Bytes::new()))),
        };
        let answer = answer.map(|(status, body)| {
            let mut headers = Headers::new();
            headers.push("content-type", "text/html");
            if (300..400).contains(&status) {
                headers.push("location", String::from_utf8_lossy(&body).into_owned());
            }
            Response {
                address,
                asked_at: now,
                ..Response::made(url.clone(), status, headers, body)
            }
        });
        Reply { answer, took: Duration::from_millis(20) }
    }

    fn is_relevant(&self, _url: &PageUrl) -> bool {
        true
    }
}

/// A page with enough of its own to be told from others.
fn text(name: &str, more: &str) -> String {
    let words: Vec<String> = (0..80).map(|word| format!("{name}{word}")).collect();
    format!(
        "<title>{name}</title><h1>Gannets {name}</h1><p>{}</p><p>gannet {more}</p>",
        words.join(" ")
    )
}

/// Crawls the site once and looks at its pages again on each of these days; the visits to `path`.
fn visits(script: Script, paths: &[&str], days: &[u32], path: &str) -> (Vec<VisitRecord>, Status) {
    visits_with(script, paths, days, path, Attachments::default())
}

fn visits_with(
    mut script: Script,
    paths: &[&str],
    days: &[u32],
    path: &str,
    attachments: Attachments,
) -> (Vec<VisitRecord>, Status) {
    let links: String =
        paths.iter().map(|path| format!("<p><a href={path}>gannet</a></p>")).collect();
    script.page("/", &format!("<h1>gannet</h1>{links}"));
    let mut config = Config::new(Topic::from_words("gannet").unwrap());
    config.seeds = vec![PageUrl::parse("http://a.example/").unwrap()];
    config.pace.delay = Duration::ZERO;
    config.attachments = attachments;
    let mut player = Player::open(Box::new(InMemory::new()), config, &mut script, BEGAN).unwrap();
    player.play().unwrap();
    for day in days {
        player.check(BEGAN + DAY * *day).unwrap();
    }
    let url = PageUrl::parse(&address(path)).unwrap().fingerprint();
    let visits =
        history(player.store(), url).unwrap().into_iter().map(|entry| entry.visit).collect();
    (visits, player.store().url(url).unwrap().unwrap().head.status)
}

fn happenings(visits: &[VisitRecord]) -> Vec<Option<Happening>> {
    visits.iter().map(|visit| visit.happening).collect()
}

#[test]
fn a_page_that_stays_is_unchanged_and_one_that_is_edited_has_changed() {
    let mut script = Script::default();
    script.page("/1", &text("one", "dives"));
    let edited = text("one", "dives and swims");
    script.answers_from(2, "/1", Ok((200, &edited)));
    let (visits, status) = visits(script, &["/1"], &[1, 2, 3], "/1");
    assert_eq!(happenings(&visits), [Some(Happening::New), None, Some(Happening::Changed), None]);
    assert!(matches!(visits[1].outcome, Visited::Unchanged(_)));
    assert!(visits[1].same_as.is_some());
    let change = visits[2].change.as_ref().unwrap();
    assert_eq!(change.significance, Significance::Minor);
    assert_eq!(visits[3].persisted, Some(true));
    assert_eq!(status, Status::Fetched);
}

#[test]
fn gone_needs_two_looks_days_apart_and_the_copy_stays() {
    let mut script = Script::default();
    script.page("/1", &text("one", "dives"));
    script.answers_from(1, "/1", Ok((404, "not here")));
    let (seen, status) = visits(script, &["/1"], &[1, 2], "/1");
    assert!(!happenings(&seen).contains(&Some(Happening::Gone)), "one day is no evidence");
    assert!(matches!(status, Status::Scheduled { .. }));

    let mut script = Script::default();
    script.page("/1", &text("one", "dives"));
    script.answers_from(1, "/1", Ok((404, "not here")));
    script.answers_from(9, "/1", Ok((200, &text("one", "dives"))));
    let (seen, status) = visits(script, &["/1"], &[1, 4, 9], "/1");
    let expected = [Some(Happening::New), None, Some(Happening::Gone), Some(Happening::Back)];
    assert_eq!(happenings(&seen), expected);
    assert_eq!(status, Status::Fetched);
}

#[test]
fn a_410_is_evidence_at_once() {
    let mut script = Script::default();
    script.page("/1", &text("one", "dives"));
    script.answers_from(1, "/1", Ok((410, "")));
    let (seen, status) = visits(script, &["/1"], &[1, 2], "/1");
    // The second look confirms what is known, and is no news.
    assert_eq!(happenings(&seen), [Some(Happening::New), Some(Happening::Gone), None]);
    assert_eq!(status, Status::Gone);
}

#[test]
fn trouble_is_never_taken_for_absence() {
    for answer in [Ok((403, "")), Ok((500, "")), Ok((451, "")), Err(Failure::Timeout)] {
        let mut script = Script::default();
        script.page("/1", &text("one", "dives"));
        script.answers_from(1, "/1", answer);
        let (seen, status) = visits(script, &["/1"], &[1, 5, 9, 20], "/1");
        assert!(!happenings(&seen).contains(&Some(Happening::Gone)), "{answer:?}");
        assert_ne!(status, Status::Gone, "{answer:?}");
    }
}

#[test]
fn a_page_that_moved_keeps_its_history() {
    let mut script = Script::default();
    script.page("/1", &text("one", "dives"));
    script.page("/new", &text("one", "dives"));
    script.answers_from(1, "/1", Ok((301, "http://a.example/new")));
    script.page("/2", &text("two", "dives"));
    script.answers_from(2, "/2", Ok((200, &text("two", "sings"))));
    let (seen, _) = visits(script, &["/1", "/2"], &[1, 2], "/1");
    assert_eq!(seen[0].happening, Some(Happening::New));
    assert_eq!(seen[1].happening, Some(Happening::Moved));
    assert!(matches!(seen[1].outcome, Visited::Redirected(..)));
}

#[test]
fn pages_that_all_turn_into_the_same_one_are_gone() {
    let mut script = Script::default();
    let sorry = text("sorry", "what you look for was not found");
    for path in ["/1", "/2", "/3"] {
        script.page(path, &text(&path.replace('/', "page"), "dives"));
        script.answers_from(1, path, Ok((200, &sorry)));
    }
    let mut gone = 0;
    for path in ["/1", "/2", "/3"] {
        let mut again = Script::default();
        again.pages.clone_from(&script.pages);
        again.later.clone_from(&script.later);
        let (seen, status) = visits(again, &["/1", "/2", "/3"], &[1, 2], path);
        // A second look at what stands in for it is no return.
        assert!(!happenings(&seen).contains(&Some(Happening::Back)));
        gone += u32::from(status == Status::Gone);
    }
    // The first that turned could not be known for what it is.
    assert_eq!(gone, 2);
}

/// A picture of 32 by 32 dots that grows brighter to the right, or to the left, in the BMP format.
fn picture(is_brighter_right: bool, brightest: u8) -> Vec<u8> {
    const SIDE: u32 = 32;
    const HEAD: u32 = 54;
    let size = HEAD + SIDE * SIDE * 3;
    let mut bytes = b"BM".to_vec();
    for word in [size, 0, HEAD, 40, SIDE, SIDE] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(1_u16.to_le_bytes());
    bytes.extend(24_u16.to_le_bytes());
    for word in [0, SIDE * SIDE * 3, 2835, 2835, 0, 0] {
        bytes.extend(word.to_le_bytes());
    }
    for dot in 0..SIDE * SIDE {
        let column = dot % SIDE;
        let step = if is_brighter_right { column } else { SIDE - 1 - column };
        let shade = (u32::from(brightest) * step / SIDE) as u8;
        bytes.extend([shade; 3]);
    }
    bytes
}

/// A page with a style sheet and a picture: what is told of it on days 1 to 3.
fn with_files(attachments: Attachments) -> Vec<VisitRecord> {
    let mut script = Script::default();
    let shown = "<link rel=stylesheet href=/s.css><img src=/p.bmp>";
    script.page("/1", &text("one", shown));
    script.file("/s.css", "p { color: black }");
    script.file_from(1, "/s.css", "p { color: navy }");
    script.file("/p.bmp", picture(true, 250));
    // The same picture a shade darker, then another one.
    script.file_from(2, "/p.bmp", picture(true, 240));
    script.file_from(3, "/p.bmp", picture(false, 240));
    visits_with(script, &["/1"], &[1, 2, 3], "/1", attachments).0
}

#[test]
fn files_of_a_page_are_watched_where_that_is_wanted() {
    let all = Attachments { styles: Wanted::Always, images: Wanted::Relevant };
    let seen = with_files(all);
    assert_eq!(
        happenings(&seen),
        [Some(Happening::New), Some(Happening::Changed), None, Some(Happening::Changed)]
    );
    let style = seen[1].change.as_ref().unwrap().channels;
    assert_eq!((style.style, style.images), (Significance::Cosmetic, Significance::Same));
    let darker = seen[2].change.as_ref().unwrap();
    assert_eq!(darker.significance, Significance::Noise, "a shade darker is the same picture");
    let other = seen[3].change.as_ref().unwrap().channels;
    assert_eq!((other.style, other.images), (Significance::Same, Significance::Cosmetic));
    // The page's own bytes never changed.
    assert!(seen[1..].iter().all(|visit| visit.same_as.is_some()));
}

#[test]
fn files_are_not_fetched_unless_that_is_wanted() {
    let seen = with_files(Attachments::default());
    assert_eq!(happenings(&seen), [Some(Happening::New), None, None, None]);
}
