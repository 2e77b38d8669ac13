//! From a page to the directories above it, then to whatever lies highest (S1.11; Cothey, 2004).
//!
//! A link to a directory above its own page comes first, the nearest before the
//! others; then links by the number of their path's parts: `1 / (2 + parts)`.
//! An order can only value links that somebody found: set `path_ascending` in the crawl's scope, and
//! `/a/b/c` also gives `/a/b/`, `/a/` and `/`, though nothing links to them.
//!
//! **Choose it when** whole sites or directories of files are wanted, such as those of a repository.
//! **Cost:** O(1), stateless. **Weakness:** knows no topic.

use gannet_model::{PageUrl, Reason, Reasons, Worth};

use crate::order::{Entry, LinkSight, Order, Valued};

pub(crate) const ENTRY: Entry = Entry {
    name: "path-ascending",
    summary: "directories above a page first, then links with the shortest paths",
    build: |_, settings| {
        settings.read::<Config>()?;
        Ok(Box::new(PathAscending))
    },
};

/// `[order.path-ascending]` takes no settings.
#[derive(Clone, Copy, Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {}

struct PathAscending;

/// Parts of the path.
fn parts(url: &PageUrl) -> usize {
    url.path().split('/').filter(|part| !part.is_empty()).count()
}

/// True for a directory that holds the page.
fn is_above(directory: &PageUrl, page: &PageUrl) -> bool {
    let path = directory.path_and_query();
    let is_inside = path.ends_with('/') && page.path().starts_with(path);
    is_inside && page.path() != path && directory.host() == page.host()
}

impl Order for PathAscending {
    fn value(&mut self, sight: &LinkSight<'_>) -> Option<Valued> {
        let (page, target) = (sight.page.url, sight.target.url);
        let depth = parts(target);
        let reason = if is_above(target, page) {
            let steps = parts(page).saturating_sub(depth);
            let worth = 1.0 + 1.0 / (1.0 + steps as f32);
            Reason::new("above its page", worth).note(format!("{steps} steps up"))
        } else {
            let worth = 1.0 / (2.0 + depth as f32);
            Reason::new("path", worth).note(format!("{depth} parts"))
        };
        Some(Valued::new(Worth::new(reason.value), Reasons::one(reason)))
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, page};

    #[test]
    fn directories_above_the_page_come_first_then_short_paths() {
        let page = page("http://a.example/x/y/z.html", 0.0, "")
            .link("http://a.example/x/y/", "x")
            .link("http://a.example/x/", "x")
            .link("http://a.example/", "x")
            .link("http://b.example/", "x")
            .link("http://a.example/u/", "x")
            .link("http://a.example/x/y/z.html/deeper/", "x");
        let worths = Bench::new("path-ascending", "gannet").worths(&page);
        assert!(worths.is_sorted_by(|a, b| a > b), "{worths:?}");
        assert!(worths[2] > 1.0 && worths[3] < 1.0, "{worths:?}");
    }
}
