//! Laws of the web as a whole.

use std::collections::{BTreeSet, VecDeque};

use proptest::prelude::*;

use super::*;
use crate::reply::{Ask, Ending};
use crate::spec::EPOCH;

const DAY: u64 = 86_400_000_000;

fn reply(web: &Web, url: &str, attempt: u32, at: u64) -> crate::Reply {
    let (name, path) = split_url(url).unwrap();
    web.respond(&Ask { attempt, ..Ask::new(name, path, at) })
}

/// Every `href` of a page, entities resolved, made absolute.
fn hrefs(web: &Web, page: PageId, html: &str) -> Vec<String> {
    html.split("<a href=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().replace("&amp;", "&"))
        .map(|link| match link.starts_with('/') {
            true => format!("http://{}{link}", web.host_name(page.host)),
            false => link,
        })
        .collect()
}

fn all_presets() -> Vec<Spec> {
    vec![
        Spec::demo(),
        Spec::small(3),
        Spec::polite(3),
        Spec::tunnels(),
        Spec::easy(),
        Spec::many_topics(),
        Spec::hostile(),
    ]
}

#[test]
fn the_same_spec_gives_the_same_bytes() {
    let (one, other) = (Web::new(Spec::demo()), Web::new(Spec::demo()));
    for page in one.pages().step_by(97) {
        let url = one.url(page);
        assert_eq!(reply(&one, &url, 0, EPOCH), reply(&other, &url, 0, EPOCH));
    }
}

#[test]
fn another_seed_gives_another_web() {
    let (one, other) = (Web::new(Spec::small(1)), Web::new(Spec::small(2)));
    let urls = |web: &Web| web.pages().map(|page| web.url(page)).collect::<BTreeSet<_>>();
    assert!(urls(&one).intersection(&urls(&other)).count() < 40);
}

#[test]
fn only_transient_faults_depend_on_the_attempt() {
    let web = Web::new(Spec::demo());
    for page in web.pages().step_by(7) {
        let url = web.url(page);
        let (first, later) = (reply(&web, &url, 0, EPOCH), reply(&web, &url, 9, EPOCH));
        let is_transient = matches!(
            web.behaviour(page),
            Behaviour::Unavailable { .. } | Behaviour::TooMany { .. } | Behaviour::Flaky { .. }
        ) && web.life(page, EPOCH) == Life::Alive;
        assert_eq!(first != later, is_transient, "{url}");
        if is_transient {
            assert_eq!((later.status, later.ending), (200, Ending::Whole));
        }
    }
}

#[test]
fn the_topic_has_its_share_in_every_preset() {
    for spec in all_presets() {
        let (share, pages) = (spec.topic_share, spec.pages as f64);
        let web = Web::new(spec);
        let measured = web.relevant_count() as f64 / pages;
        let bounds = share * 0.7..share * 1.35;
        assert!(bounds.contains(&measured), "{measured} for {:?}", web.spec());
    }
}

#[test]
fn every_link_of_a_page_is_known_and_told_by_the_truth() {
    let web = Web::new(Spec::demo());
    for page in web.pages().step_by(31) {
        let url = web.url(page);
        let answer = reply(&web, &url, 9, EPOCH);
        let is_html = web.behaviour(page).shows_page() && web.life(page, EPOCH) == Life::Alive;
        if !is_html {
            continue;
        }
        let html = std::str::from_utf8(&answer.body).unwrap();
        let shown: BTreeSet<String> = hrefs(&web, page, html)
            .iter()
            .map(|link| web.truth(link).unwrap_or_else(|| panic!("{link} on {url}")).canonical)
            .collect();
        let told: BTreeSet<String> = web.truth(&url).unwrap().links.into_iter().collect();
        assert_eq!(shown, told, "{url}");
    }
}

#[test]
fn relevant_pages_link_to_relevant_pages_far_more_than_chance() {
    let web = Web::new(Spec::demo());
    let (mut links, mut relevant) = (0.0, 0.0);
    for page in web.pages().filter(|&page| web.is_relevant(page)) {
        let found = graph::links(&web.layout, &web.spec, page, EPOCH);
        for link in found.body {
            let Destination::Page(target) = link else { continue };
            links += 1.0;
            relevant += f64::from(u8::from(web.is_relevant(target)));
        }
    }
    let chance = web.relevant_count() as f64 / web.spec.pages as f64;
    assert!(relevant / links > 8.0 * chance, "{} against {chance}", relevant / links);
}

#[test]
fn relevant_pages_talk_about_the_topic_and_others_rarely_do() {
    let web = Web::new(Spec::demo());
    let words = &web.topic().words;
    let (mut on, mut off) = (Vec::new(), Vec::new());
    for page in web.pages().step_by(5) {
        if !web.behaviour(page).shows_page() || web.life(page, EPOCH) != Life::Alive {
            continue;
        }
        let answer = reply(&web, &web.url(page), 9, EPOCH);
        let html = String::from_utf8(answer.body.to_vec()).unwrap();
        let main = &html[html.find("<h1>").unwrap()..html.find("<footer>").unwrap()];
        let share = share_of(words, main);
        if web.is_relevant(page) { on.push(share) } else { off.push(share) }
    }
    let mean = |shares: &[f64]| shares.iter().sum::<f64>() / shares.len() as f64;
    assert!(mean(&on) > 10.0 * mean(&off), "{} {}", mean(&on), mean(&off));
    assert!(off.iter().any(|&share| share > 0.0), "there is no noise");
}

/// The share of words outside tags that are among `words`.
fn share_of(words: &[String], html: &str) -> f64 {
    let text: String =
        html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
    let all: Vec<&str> =
        text.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()).collect();
    let hits = all.iter().filter(|&&word| words.iter().any(|known| known == word)).count();
    hits as f64 / all.len() as f64
}

#[test]
fn ten_million_pages_cost_no_more_than_a_few_tables() {
    let web = Web::new(Spec { hosts: 50_000, pages: 10_000_000, ..Spec::demo() });
    assert_eq!(web.layout.pages(), 10_000_000);
    let last = web.layout.nth(9_999_999).unwrap();
    assert_eq!(web.truth(&web.url(last)).unwrap().page, Some(last));
}

#[test]
fn small_webs_can_be_crawled_to_the_end() {
    for seed in 1..6 {
        let web = Web::new(Spec::small(seed));
        let found = web.exhaustive(&web.seeds(3), EPOCH);
        let all = web.pages().filter(|&page| web.behaviour(page).shows_page()).count();
        assert_eq!(found.len(), all);
    }
}

#[test]
fn an_exhaustive_polite_crawl_stays_out_of_what_is_forbidden() {
    let web = Web::new(Spec::polite(1));
    let found = web.exhaustive(&web.seeds(3), EPOCH);
    assert!(found.len() > 600, "{}", found.len());
    assert!(found.iter().all(|url| web.robots_allows(url)));
    assert!(found.len() < 1_500);
}

#[test]
fn hidden_sections_are_entered_only_through_irrelevant_pages() {
    let web = Web::new(Spec::tunnels());
    for page in web.pages() {
        for link in graph::links(&web.layout, &web.spec, page, EPOCH).all() {
            let Destination::Page(target) = link else { continue };
            let section = target.section();
            let Some(chain) = web.layout.tunnel(section) else { continue };
            let is_inside = section == page.section();
            let is_deep = target.offset() >= chain;
            if is_deep && !(is_inside && page.offset() >= chain) {
                assert!(is_inside && page.offset() + 1 == chain, "{page:?} {target:?}");
                assert!(!web.is_relevant(page));
            }
        }
    }
}

#[test]
fn every_attack_is_linked_from_the_seed_beside_good_pages() {
    let web = Web::new(Spec::hostile());
    let seeds = web.seeds(5);
    assert_eq!(seeds.len(), 1);
    let links = web.truth(&seeds[0]).unwrap().links;
    for &hostility in Hostility::ALL {
        let url = web.hostile_url(hostility);
        assert!(links.contains(&url), "{url}");
        assert_eq!(web.truth(&url).unwrap().behaviour, Behaviour::Hostile(hostility));
    }
    let good =
        links.iter().filter(|link| web.truth(link).is_some_and(|truth| truth.page.is_some()));
    assert!(good.count() > 5);
}

#[test]
fn a_new_version_has_new_text_and_an_old_one_is_not_sent_again() {
    let web = Web::new(Spec::demo());
    let is_lively = |page: &PageId| {
        web.pace(*page) == Pace::Daily
            && web.behaviour(*page) == Behaviour::Serve
            && web.lifetime(*page) == (None, None)
            && !markup::is_noisy(1, &web.spec, page.host)
            && reply(&web, &web.url(*page), 0, EPOCH).header_text("etag").is_some()
    };
    let page = web.pages().find(is_lively).unwrap();
    let (name, path) = (web.host_name(page.host), web.url(page));
    let path = split_url(&path).unwrap().1;
    let mut versions = 0;
    for day in 0..30 {
        let (at, next) = (EPOCH + day * DAY, EPOCH + (day + 1) * DAY);
        let first = web.respond(&Ask::new(&name, path, at));
        let is_changed = web.version(page, at) != web.version(page, next);
        let known = Ask { if_none_match: first.header_text("etag"), ..Ask::new(&name, path, next) };
        assert_eq!(web.respond(&known).status == 200, is_changed);
        let since = first.header_text("last-modified");
        let known = Ask { if_modified_since: since, ..Ask::new(&name, path, next) };
        assert_eq!(web.respond(&known).status == 200, is_changed);
        let second = web.respond(&Ask::new(&name, path, next));
        assert_eq!(first.body != second.body, is_changed);
        versions += u32::from(is_changed);
    }
    assert!(versions > 10);
}

#[test]
fn noise_changes_the_bytes_but_not_the_version() {
    let web = Web::new(Spec::demo());
    let host = (0..300).find(|&host| markup::is_noisy(web.spec.seed, &web.spec, host)).unwrap();
    let page = (0..web.host_pages(host))
        .map(|page| PageId { host, page })
        .find(|&page| web.pace(page) == Pace::Never && web.behaviour(page) == Behaviour::Serve)
        .unwrap();
    let (before, after) = (EPOCH - DAY, EPOCH - DAY / 2);
    assert_eq!(web.version(page, before), web.version(page, after));
    let url = web.url(page);
    assert_ne!(reply(&web, &url, 0, before).body, reply(&web, &url, 0, after).body);
}

#[test]
fn an_index_lists_a_page_once_it_is_born() {
    let web = Web::new(Spec::demo());
    let page = web.pages().find(|&page| web.lifetime(page).0.is_some()).unwrap();
    let birth = web.lifetime(page).0.unwrap();
    let index = page.section().index();
    let lists = |at| web.truth_at(&web.url(index), at).unwrap().links.contains(&web.url(page));
    assert!(!lists(birth - 1) && lists(birth));
    assert!(web.version(index, birth).number > web.version(index, birth - 1).number);
    assert_eq!(reply(&web, &web.url(page), 9, birth - 1).status, 404);
}

/// The share of relevant pages among the first `budget`, taking links in the
/// order that `is_first` prefers.
fn harvest(web: &Web, budget: usize, is_first: impl Fn(bool) -> bool) -> f64 {
    let seeds: Vec<PageId> = web
        .off_topic_seeds(5)
        .iter()
        .chain(&web.seeds(2))
        .filter_map(|url| web.truth(url)?.page)
        .collect();
    let mut waiting: VecDeque<PageId> = seeds.iter().copied().collect();
    let mut seen: BTreeSet<PageId> = seeds.into_iter().collect();
    let (mut fetched, mut relevant) = (0, 0);
    while let Some(page) = waiting.pop_front() {
        fetched += 1;
        let is_relevant = web.is_relevant(page);
        relevant += usize::from(is_relevant);
        if fetched == budget {
            break;
        }
        for link in graph::links(&web.layout, &web.spec, page, EPOCH).all() {
            let Destination::Page(target) = link else { continue };
            if !seen.insert(target) {
                continue;
            }
            if is_first(is_relevant) {
                waiting.push_front(target);
            } else {
                waiting.push_back(target);
            }
        }
    }
    relevant as f64 / fetched as f64
}

#[test]
fn following_relevant_pages_first_beats_breadth_first() {
    let web = Web::new(Spec::demo());
    let breadth_first = harvest(&web, 1_500, |_| false);
    let parents_first = harvest(&web, 1_500, |parent_is_relevant| parent_is_relevant);
    assert!(parents_first > 2.5 * breadth_first, "{parents_first} against {breadth_first}");
}

proptest! {
    #[test]
    fn no_request_makes_the_web_panic(host in 0u32..9, path in "/[ -~]{0,60}", at in any::<u64>()) {
        let web = Web::new(Spec::hostile());
        let name = web.host_name(host % web.hosts());
        let asked = web.respond(&Ask::new(&name, &path, at / 2));
        prop_assert!((200..600).contains(&asked.status));
    }

    #[test]
    fn every_page_of_every_web_leads_back_to_itself(seed in any::<u64>(), number in 0u64..3_000) {
        let web = Web::new(Spec { seed, hosts: 40, pages: 3_000, ..Spec::demo() });
        let page = web.layout.nth(number).unwrap();
        prop_assert_eq!(web.truth(&web.url(page)).and_then(|truth| truth.page), Some(page));
    }
}
