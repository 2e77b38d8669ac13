//! Which directories stand above a page (path-ascending crawl).
//!
//! `/a/b/c` also gives `/a/b/`, `/a/` and `/`: pages that nothing links to
//! are often found in the directory listing above. Whether the crawl wants
//! them is the configuration's choice; whether they are ours, the rules'.

use gannet_model::PageUrl;

/// Most directories given for one page. Traps nest deeper than any honest site.
pub const MOST_DIRECTORIES: usize = 32;

/// Every directory that holds the page, nearest first, never the page itself.
pub fn directories_above(page: &PageUrl) -> Vec<PageUrl> {
    let path = page.path();
    let mut directories = Vec::new();
    for (slash, _) in path.rmatch_indices('/').take(MOST_DIRECTORIES) {
        let mut url = page.as_url().clone();
        url.set_query(None);
        url.set_path(&path[..=slash]);
        match PageUrl::from_url(url) {
            Ok(directory) if directory != *page => directories.push(directory),
            _ => {}
        }
    }
    directories
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(page: &str, expected: &[&str]) {
        let page = PageUrl::parse(&format!("http://a.org{page}")).unwrap();
        let found = directories_above(&page);
        let paths: Vec<&str> = found.iter().map(PageUrl::path_and_query).collect();
        assert_eq!(paths, expected);
    }

    #[test]
    fn a_page_climbs_to_the_root() {
        check("/a/b/c", &["/a/b/", "/a/", "/"]);
        check("/a/b/", &["/a/", "/"]);
        check("/a", &["/"]);
        check("/", &[]);
    }

    #[test]
    fn a_query_is_left_below() {
        check("/a/?q=1", &["/a/", "/"]);
        check("/?q=1", &["/"]);
    }

    #[test]
    fn escapes_and_doubled_slashes_survive() {
        check("/a%2Fb//c", &["/a%2Fb//", "/a%2Fb/", "/"]);
    }

    #[test]
    fn a_bottomless_path_gives_a_bounded_number() {
        let page = PageUrl::parse(&format!("http://a.org{}", "/x".repeat(500))).unwrap();
        assert_eq!(directories_above(&page).len(), MOST_DIRECTORIES);
    }
}
