//! Feeds and sitemaps: lists that a site publishes of its own pages, with dates of change.

use gannet_content::{SitemapKind, SitemapLimits, is_feed, is_sitemap, read_feed, read_sitemap};
use gannet_model::{PageUrl, Response};
use gannet_revisit::Hint;

/// A page that a list names, with what that says of its changes.
pub(crate) type Listed = (PageUrl, Option<Hint>);

/// What a list names; empty for what is no list.
pub(crate) fn listed(response: &Response) -> Vec<Listed> {
    let media_type = response.media_type();
    if is_sitemap(&media_type, &response.body) {
        let limits = SitemapLimits::default();
        let Ok(sitemap) = read_sitemap(&response.body, &response.url, &limits) else {
            return Vec::new();
        };
        let is_pages = sitemap.kind == SitemapKind::Pages;
        let hint = |lastmod| if is_pages { Some(Hint::Sitemap(lastmod)) } else { Some(Hint::Told) };
        let entries = sitemap.entries.into_iter();
        return entries.map(|entry| (entry.url, entry.lastmod.and_then(hint))).collect();
    }
    if is_feed(&media_type, &response.body) {
        let Ok(feed) = read_feed(&response.body, &response.url) else { return Vec::new() };
        let entries = feed.entries.into_iter();
        return entries
            .map(|entry| (entry.url, entry.updated.or(entry.published).map(Hint::Feed)))
            .collect();
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use gannet_model::{Headers, Timestamp};

    use super::*;

    fn response(media_type: &str, body: &'static str) -> Response {
        let mut headers = Headers::new();
        headers.push("content-type", media_type.to_owned());
        Response::made(
            PageUrl::parse("http://a.example/list").unwrap(),
            200,
            headers,
            Bytes::from_static(body.as_bytes()),
        )
    }

    #[test]
    fn sitemaps_and_feeds_name_pages_with_dates() {
        let day = |text: &str| text.parse::<Timestamp>().unwrap();
        let sitemap = response(
            "application/xml",
            "<urlset><url><loc>http://a.example/1</loc><lastmod>2026-11-02</lastmod></url>\
             <url><loc>http://a.example/2</loc></url></urlset>",
        );
        let listed_there = listed(&sitemap);
        assert_eq!(listed_there[0].1, Some(Hint::Sitemap(day("2026-11-02T00:00:00Z"))));
        assert_eq!(listed_there[1].1, None);
        let feed = response(
            "application/rss+xml",
            "<rss><channel><item><link>http://a.example/3</link>\
             <pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>",
        );
        assert_eq!(listed(&feed)[0].1, Some(Hint::Feed(day("2026-11-02T10:00:00Z"))));
        assert!(listed(&response("text/html", "<p>gannets</p>")).is_empty());
    }
}
