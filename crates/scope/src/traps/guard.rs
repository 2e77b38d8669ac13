//! Refusing one address by its own looks.

use gannet_model::PageUrl;

use super::{TrapConfig, TrapReason};

/// Most segments compared for cycles; a longer path is refused by its length
/// unless that check is off, and even then the work stays bounded.
const MOST_COMPARED: usize = 64;

/// Why the address is a trap whatever its site; nothing for almost all.
pub fn refuse(config: &TrapConfig, url: &PageUrl) -> Option<TrapReason> {
    let bytes = url.as_str().len();
    if config.max_length > 0 && bytes > config.max_length as usize {
        return Some(TrapReason::TooLong { bytes, limit: config.max_length });
    }
    refuse_path(config, url.path())
        .or_else(|| url.as_url().query().and_then(|query| refuse_query(config, query)))
}

fn refuse_path(config: &TrapConfig, path: &str) -> Option<TrapReason> {
    let mut segments = [""; MOST_COMPARED];
    let mut count = 0;
    let path = path.trim_start_matches('/').trim_end_matches('/');
    if path.is_empty() {
        return None;
    }
    for segment in path.split('/') {
        if count < MOST_COMPARED {
            segments[count] = segment;
        }
        count += 1;
    }
    if config.max_segments > 0 && count > config.max_segments as usize {
        return Some(TrapReason::TooManySegments { count, limit: config.max_segments });
    }
    find_cycle(&segments[..count.min(MOST_COMPARED)], config.max_repeats as usize)
}

/// The first cycle, shortest first, that stands `limit` times in a row.
fn find_cycle(segments: &[&str], limit: usize) -> Option<TrapReason> {
    if limit < 2 {
        return None;
    }
    for length in 1..=segments.len() / limit {
        let mut alike = 0;
        for at in length..segments.len() {
            alike = if segments[at] == segments[at - length] { alike + 1 } else { 0 };
            if alike < length * (limit - 1) {
                continue;
            }
            let cycle = &segments[at + 1 - length..=at];
            // `/2011/11/11/11` is a date.
            let is_number = length == 1 && cycle[0].bytes().all(|byte| byte.is_ascii_digit());
            if !is_number || cycle[0].is_empty() {
                return Some(TrapReason::Repeats { cycle: cycle.join("/"), times: limit });
            }
        }
    }
    None
}

fn refuse_query(config: &TrapConfig, query: &str) -> Option<TrapReason> {
    let count = query.split('&').count();
    if config.max_parameters > 0 && count > config.max_parameters as usize {
        return Some(TrapReason::TooManyParameters { count, limit: config.max_parameters });
    }
    let limit = config.max_repeats as usize;
    if limit < 2 || count < limit {
        return None;
    }
    for (at, parameter) in query.split('&').enumerate().take(MOST_COMPARED) {
        let later = query.split('&').skip(at).take(MOST_COMPARED);
        let times = later.filter(|other| *other == parameter).count();
        if times >= limit {
            return Some(TrapReason::RepeatedParameter { parameter: parameter.to_owned(), times });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tail: &str, expected: Option<&str>) {
        let url = PageUrl::parse(&format!("http://a.org{tail}")).unwrap();
        let reason = refuse(&TrapConfig::default(), &url).map(|reason| reason.to_string());
        assert_eq!(reason.as_deref(), expected);
    }

    #[test]
    fn cycles_are_refused_whatever_their_length() {
        check("/a/a/a", Some("the path repeats /a 3 times in a row"));
        check("/x/a/b/a/b/a/b/y", Some("the path repeats /a/b 3 times in a row"));
        check("/a/a/b", None);
        check("/a/b/a/b", None);
        check("/en/a/en/b/en/c", None);
        check("/2011/11/11/11", None);
        check("/a////b", Some("the path repeats / 3 times in a row"));
    }

    #[test]
    fn self_concatenation_is_a_cycle() {
        let tail = "/http://a.org".repeat(3);
        check(&tail, Some("the path repeats /http://a.org 3 times in a row"));
    }

    #[test]
    fn too_much_of_anything_is_refused() {
        let distinct: String = (0..21).map(|n| format!("/s{n}")).collect();
        check(&distinct, Some("the path has 21 segments, more than 20"));
        let parameters: String = (0..25).map(|n| format!("&p{n}=1")).collect();
        check(&format!("/?x{parameters}"), Some("the query has 26 parameters, more than 24"));
        let long = format!("/{}", "x".repeat(2000));
        check(&long, Some("the address has 2013 bytes, more than 2000"));
        check("/?a=1&a=1&b=2&a=1", Some("the query repeats a=1 3 times"));
        check("/?a[]=1&a[]=2&a[]=3", None);
    }

    #[test]
    fn every_check_can_be_turned_off() {
        let config = TrapConfig {
            max_repeats: 0,
            max_segments: 0,
            max_parameters: 0,
            max_length: 0,
            ..TrapConfig::default()
        };
        let tail = format!("{}?{}", "/a".repeat(500), "b=1&".repeat(500));
        let url = PageUrl::parse(&format!("http://a.org{tail}")).unwrap();
        assert_eq!(refuse(&config, &url), None);
    }
}
