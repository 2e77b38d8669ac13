//! Style sheets and images of pages, where the user wants them watched.
//!
//! They are queued like any URL, and asked for just before their page is asked for again, so that
//! the page's visit tells what became of them.

use gannet_change::{FileCode, Files, Held, Memory, compare_files};
use gannet_links::Valued;
use gannet_model::{
    Change, FileKind, Fingerprint, Happening, Reason, Reasons, Significance, Timestamp,
};
use gannet_store::{Answer, Commit, Found, Status, UrlRecord, Visited};

use super::discover::Discovery;
use super::versions::{Past, Versioned};
use super::{Crawl, CrawlError};
use crate::evidence::behind_redirects;
use crate::journey::Reading;

impl Crawl {
    /// The files of a page that was just read, as they were when last fetched.
    pub(super) fn files_of(&self, reading: &Reading) -> Result<Files, CrawlError> {
        let mut files = Files::default();
        for candidate in &reading.files {
            let held = self.held(candidate.fingerprint.0)?;
            match candidate.how.file() {
                Some(FileKind::Image) => files.images.push(held),
                _ => files.styles.push(held),
            }
        }
        Ok(files)
    }

    /// What became of the files of a page that itself was not modified.
    pub(super) fn compare_attached(
        &self,
        page: Fingerprint,
    ) -> Result<Option<Versioned>, CrawlError> {
        if self.journey.wishes().is_empty() {
            return Ok(None);
        }
        let Some(memory) = self.memory(page)? else { return Ok(None) };
        let Files { styles, images } = memory.files();
        let again = |held: Vec<Held>| -> Result<Vec<Held>, CrawlError> {
            held.iter().map(|held| self.held(held.file)).collect()
        };
        let files = Files { styles: again(styles)?, images: again(images)? };
        Ok(compare_files(&memory, files).map(|(change, memory)| {
            let is_change = change.significance.is_change();
            Versioned {
                happening: is_change.then_some(Happening::Changed),
                change: (change.significance != Significance::Same).then_some(change),
                memory: Some(memory.to_bytes()),
                ..Versioned::default()
            }
        }))
    }

    /// The files that belong to a page which is to be visited again. Those that came after the
    /// page are noted first, so that the visit has something to compare them with.
    pub(super) fn files_to_ask(
        &self,
        page: Fingerprint,
        commit: &mut Commit,
    ) -> Result<Vec<Fingerprint>, CrawlError> {
        if self.journey.wishes().is_empty() {
            return Ok(Vec::new());
        }
        let Some(mut memory) = self.memory(page)? else { return Ok(Vec::new()) };
        let mut files = Vec::new();
        let mut is_new = false;
        for held in memory.held_mut() {
            files.push(Fingerprint(held.file));
            if held.code.is_none() {
                *held = self.held(held.file)?;
                is_new |= held.code.is_some();
            }
        }
        if is_new {
            commit.memories.push((page, memory.to_bytes()));
        }
        Ok(files)
    }

    fn memory(&self, page: Fingerprint) -> Result<Option<Memory>, CrawlError> {
        Ok(self.store.memory(page)?.as_deref().and_then(Memory::from_bytes))
    }

    fn held(&self, file: u64) -> Result<Held, CrawlError> {
        let most = self.config.limits.redirects;
        let place = behind_redirects(self.store.as_ref(), Fingerprint(file), most)?;
        let code = self.store.memory(place)?.as_deref().and_then(FileCode::from_bytes);
        Ok(Held { file, code })
    }

    /// Queues the files of a page that are not known yet. They are worth what the page is.
    pub(super) fn discover_files(
        &mut self,
        page: &UrlRecord,
        reading: &Reading,
        discovery: &mut Discovery,
        now: Timestamp,
    ) {
        for candidate in &reading.files {
            if self.known.get(candidate.fingerprint).is_some()
                || discovery.holds(candidate.fingerprint)
            {
                continue;
            }
            let found = Found {
                at: now,
                parent: Some(page.url.fingerprint()),
                how: candidate.how,
                depth: page.found.depth + 1,
                redirects: 0,
                anchor: String::new(),
            };
            let reason = Reason::new("shown", page.worth.get()).note("as the page that shows it");
            let valued = Valued::new(page.worth, Reasons::one(reason));
            self.add(candidate, found, valued, discovery);
        }
    }

    /// Takes in a file: what changed, and what it is known by from now on.
    pub(super) fn file_came(
        &self,
        record: &mut UrlRecord,
        code: FileCode,
        answer: Answer,
        past: &Past,
    ) -> Result<(Visited, Versioned), CrawlError> {
        record.because = format!("answered {}", answer.status);
        record.head.status = Status::Fetched;
        let url = record.url.fingerprint();
        let before = self.store.memory(url)?.as_deref().and_then(FileCode::from_bytes);
        let memory = Some(code.to_bytes());
        let (Some(kind), Some(before)) = (record.found.how.file(), before) else {
            let happening = Some(Happening::New);
            return Ok((
                Visited::File(answer),
                Versioned { happening, memory, ..Versioned::default() },
            ));
        };
        let significance = before.compare(code, kind);
        if significance == Significance::Same && past.has_page() {
            let same_as = past.version().map(|version| version.number);
            return Ok((past.unchanged(answer), Versioned { same_as, ..Versioned::default() }));
        }
        let mut change = Change { significance, ..Change::default() };
        match kind {
            FileKind::Style => change.channels.style = significance,
            FileKind::Image => change.channels.images = significance,
        }
        let happening = significance.is_change().then_some(Happening::Changed);
        let happening = happening.or_else(|| past.was_absent().then_some(Happening::Back));
        let versioned =
            Versioned { happening, change: Some(change), memory, ..Versioned::default() };
        Ok((Visited::File(answer), versioned))
    }
}
