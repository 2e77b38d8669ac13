//! What a page asks of robots.
//!
//! `<meta name=robots>` and the `X-Robots-Tag` header, for all robots or for
//! us by name. Wishes add up: the strictest of all that apply counts.

use gannet_model::RobotsMeta;

/// The name by which a page may address us alone.
pub(crate) const OUR_NAME: &str = "gannet";

/// Adds the wishes of a `content` attribute: `noindex, nofollow`.
pub(crate) fn add_wishes(robots: &mut RobotsMeta, content: &str) {
    for wish in content.split(',') {
        add_wish(robots, wish.trim());
    }
}

/// Adds the wishes of a header line, which may address one robot:
/// `noindex, otherbot: nofollow, gannet: noarchive`.
pub(crate) fn add_header(robots: &mut RobotsMeta, line: &str) {
    let mut is_for_us = true;
    for part in line.split(',') {
        let part = part.trim();
        let wish = match part.split_once(':') {
            Some((name, wish)) if !takes_value(name.trim()) => {
                is_for_us = name.trim().eq_ignore_ascii_case(OUR_NAME);
                wish.trim()
            }
            _ => part,
        };
        if is_for_us {
            add_wish(robots, wish);
        }
    }
}

fn add_wish(robots: &mut RobotsMeta, wish: &str) {
    match wish.to_ascii_lowercase().as_str() {
        "noindex" => robots.noindex = true,
        "nofollow" => robots.nofollow = true,
        // `nocache` is the older word for it.
        "noarchive" | "nocache" => robots.noarchive = true,
        "none" => {
            robots.noindex = true;
            robots.nofollow = true;
        }
        _ => {}
    }
}

/// Wishes written with a colon, which are no robots' names.
fn takes_value(name: &str) -> bool {
    ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"]
        .iter()
        .any(|wish| name.eq_ignore_ascii_case(wish))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(add: fn(&mut RobotsMeta, &str), text: &str, expected: &str) {
        let mut robots = RobotsMeta::default();
        add(&mut robots, text);
        let mut found = String::new();
        for (is_set, letter) in
            [(robots.noindex, 'i'), (robots.nofollow, 'f'), (robots.noarchive, 'a')]
        {
            found.extend(is_set.then_some(letter));
        }
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn wishes_are_read_in_any_case_and_spacing() {
        check(add_wishes, "NoIndex ,nofollow", "if");
        check(add_wishes, "none", "if");
        check(add_wishes, "noarchive", "a");
        check(add_wishes, "index, follow, all, max-snippet:5", "");
    }

    #[test]
    fn a_header_may_address_one_robot() {
        check(add_header, "noindex", "i");
        check(add_header, "otherbot: noindex, nofollow", "");
        check(add_header, "Gannet: noindex, nofollow", "if");
        check(add_header, "noarchive, otherbot: noindex, gannet: nofollow", "fa");
        check(add_header, "unavailable_after: 25 Jun 2030 15:00:00 PST, noindex", "i");
    }
}
