//! The built-in rule of text-only crawls: leave alone what is no page of text.
//!
//! Images, style sheets, scripts, media, fonts, archives, programs and office
//! documents are known by their extension before a request is spent on them.
//! Feeds and sitemaps (`xml`, `rss`, `atom`, `json`, `txt`) are not on the list.

use std::fmt;

use super::extension::Extension;
use super::{Candidate, Condition};

/// Extensions of what a text-only crawl never asks for.
#[rustfmt::skip]
pub(crate) const NOT_TEXT: &[&str] = &[
    // Images.
    "jpg", "jpeg", "jpe", "jfif", "png", "gif", "webp", "avif", "svg", "svgz", "bmp", "ico", "cur",
    "tif", "tiff", "heic", "heif", "psd", "ai", "eps", "raw", "cr2", "nef", "djvu",
    // Style sheets, scripts and what goes with them.
    "css", "less", "scss", "js", "mjs", "map", "wasm", "webmanifest", "swf",
    // Fonts.
    "woff", "woff2", "ttf", "otf", "eot",
    // Sound and film.
    "mp3", "m4a", "aac", "ogg", "oga", "opus", "wav", "flac", "wma", "mid", "midi",
    "mp4", "m4v", "webm", "ogv", "avi", "mov", "mkv", "wmv", "flv", "mpg", "mpeg", "3gp", "m3u8",
    // Archives and programs.
    "zip", "gz", "tgz", "bz2", "tbz2", "xz", "txz", "zst", "7z", "rar", "tar", "lz", "cab", "iso",
    "img", "dmg", "pkg", "deb", "rpm", "apk", "ipa", "exe", "msi", "jar", "war", "bin", "whl",
    "crx", "xpi", "torrent",
    // Documents that are not hypertext.
    "pdf", "ps", "doc", "docx", "dot", "dotx", "xls", "xlsx", "xlsm", "ppt", "pptx", "pps", "ppsx",
    "odt", "ods", "odp", "rtf", "epub", "mobi", "azw3", "vsd", "mdb",
    // Data in bulk.
    "sqlite", "db", "parquet", "hdf5", "nc", "mat", "dwg", "dxf", "stl", "kmz",
];

#[derive(Debug)]
pub(crate) struct TextOnly(Extension);

impl TextOnly {
    pub(crate) fn new() -> TextOnly {
        TextOnly(Extension(NOT_TEXT.iter().copied().collect()))
    }
}

impl Condition for TextOnly {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        // `/wiki/File:Gannet.jpg` is a page about a picture.
        self.0.holds(candidate) && !candidate.file_name().contains(':')
    }
}

impl fmt::Display for TextOnly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gannet_model::PageUrl;

    #[track_caller]
    fn check(url: &str, expected: bool) {
        let url = PageUrl::parse(url).unwrap();
        assert_eq!(TextOnly::new().holds(&Candidate { url: &url, depth: 0 }), expected);
    }

    #[test]
    fn pictures_are_left_alone_and_pages_about_them_are_not() {
        check("http://a.org/b.JPG", true);
        check("http://a.org/b.tar.gz", true);
        check("http://a.org/wiki/File:B.jpg", false);
        check("http://a.org/b.html", false);
        check("http://a.org/b.jsp", false);
        check("http://a.org/feed.xml", false);
    }
}
