//! A recorded web: the newest answer of each address in WARC files.

use std::path::{Path, PathBuf};

use gannet_archive::{Capture, Reader};
use gannet_model::PageUrl;

use super::labels::Labels;
use super::{Spelling, WebError, ground};
use crate::harvest::ground::{Gathered, Ground};

const USUAL_PAGES: u64 = 1000;

/// The web that a WARC file, or a folder of them, recorded.
pub(super) fn load(path: &Path, labels: Option<&Path>) -> Result<Ground, WebError> {
    let Some(file) = labels else {
        let what = "pages, but no labels; name a file with lines of topic, tab and address";
        return Err(WebError::NotThere { path: path.to_owned(), what });
    };
    let said = Labels::read(file)?;
    let spelling = Spelling::new()?;
    let mut captures = Vec::new();
    for file in files(path)? {
        let reader = Reader::open(&file)
            .map_err(|cause| WebError::Recorded { path: file.clone(), cause })?;
        // What is damaged is passed over: the rest is a web, too.
        let records = reader.filter_map(Result::ok).filter(|record| !record.is_cut);
        captures.extend(records.filter_map(|record| record.capture()));
    }
    captures.retain(|capture| !capture.is_revisit);
    // Of two pages with one address the ground keeps the first.
    captures.sort_by_key(|capture| std::cmp::Reverse(capture.asked_at));
    let pages: Vec<Gathered> =
        captures.into_iter().filter_map(|capture| gathered(capture, &said, &spelling)).collect();
    if pages.iter().all(|page| page.topics.is_empty()) {
        return Err(said.are_strange(file));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    ground(name, USUAL_PAGES, pages)
}

/// The file itself, or the WARC files of a folder.
fn files(path: &Path) -> Result<Vec<PathBuf>, WebError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let cannot =
        |cause: std::io::Error| WebError::Recorded { path: path.to_owned(), cause: cause.into() };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(cannot)? {
        let file = entry.map_err(cannot)?.path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.contains(".warc") || name.contains(".arc") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

fn gathered(capture: Capture, said: &Labels, spelling: &Spelling) -> Option<Gathered> {
    let url = spelling.of(PageUrl::parse(&capture.url).ok()?);
    let mut topics = said.of(&capture.url).to_vec();
    topics.extend(said.of(url.as_str()).iter().cloned());
    topics.sort();
    topics.dedup();
    let limits = gannet_fetch::Limits::default();
    let body = gannet_fetch::unpack_body(&capture.headers, &capture.wire_body, &limits).ok()?;
    Some(Gathered {
        url,
        status: capture.status,
        headers: capture.headers,
        body,
        wire_body: capture.wire_body,
        topics,
    })
}
