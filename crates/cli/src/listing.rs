//! A page as listings and exports show it. The field names are stable.

use std::path::PathBuf;

use gannet_engine::DataDir;
use gannet_model::Fingerprint;
use gannet_store::{
    Answer, ArchivedAt, Status, Store, StoreError, UrlRecord, VisitRecord, Visited,
};
use serde::Serialize;

/// Everything a list tells of a URL.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PageRow {
    /// The URL in canonical form.
    pub(crate) url: String,
    /// `fetched`, `redirected`, `failed`, `skipped`, `queued` or `scheduled`.
    pub(crate) state: &'static str,
    /// When the newest visit was made, in RFC 3339; null when there was none.
    pub(crate) fetched_at: Option<String>,
    /// The HTTP status of the newest visit.
    pub(crate) status: Option<u16>,
    /// The page's title.
    pub(crate) title: Option<String>,
    /// The page's declared language.
    pub(crate) language: Option<String>,
    /// How much the page is about the topic, 0 to 1.
    pub(crate) score: Option<f32>,
    /// Whether that is enough.
    pub(crate) relevant: Option<bool>,
    /// Links from a seed.
    pub(crate) depth: u32,
    /// What fetching it was thought to be worth.
    pub(crate) worth: f32,
    /// The page it was found on; null for seeds.
    pub(crate) found_via: Option<String>,
    /// The words of the link.
    pub(crate) anchor: String,
    /// Bytes of the body on the wire.
    pub(crate) bytes: Option<u64>,
    /// The media type.
    pub(crate) media_type: Option<String>,
    /// Why it stands as it does, in words.
    pub(crate) because: String,
    /// Where the evidence is.
    pub(crate) archive: Option<ArchiveRow>,
}

/// Where the evidence of a visit is.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ArchiveRow {
    /// The name of the WARC file in the archive directory.
    pub(crate) file: String,
    /// Where the visit's records begin.
    pub(crate) offset: u64,
    /// How many bytes they take.
    pub(crate) length: u64,
    /// Where the response record begins.
    pub(crate) response_offset: u64,
}

/// The files of the archive by number.
#[derive(Debug)]
pub(crate) struct ArchiveFiles {
    directory: PathBuf,
    /// The one asked for last: visits come in the order of files.
    last: Option<(u32, String)>,
}

impl ArchiveFiles {
    pub(crate) fn new(data: &DataDir) -> ArchiveFiles {
        ArchiveFiles { directory: data.archive(), last: None }
    }

    /// Where the evidence is, with the name of its file.
    pub(crate) fn row(&mut self, at: ArchivedAt) -> ArchiveRow {
        let file = match &self.last {
            Some((number, name)) if *number == at.file => name.clone(),
            _ => {
                let name = self.find(at.file);
                self.last = Some((at.file, name.clone()));
                name
            }
        };
        ArchiveRow {
            file,
            offset: at.offset,
            length: at.length,
            response_offset: at.response_offset,
        }
    }

    fn find(&self, number: u32) -> String {
        let name = |extension: &str| format!("gannet-{number:05}{extension}");
        let names = [".warc.gz", ".warc.zst", ".warc"].map(name);
        let there = names.iter().find(|name| self.directory.join(name).is_file());
        // Moved away or not, the number is what the store knows.
        there.unwrap_or(&names[0]).clone()
    }
}

impl PageRow {
    /// The row of a URL and its newest visit.
    pub(crate) fn new(
        store: &dyn Store,
        record: UrlRecord,
        visit: Option<VisitRecord>,
        files: &mut ArchiveFiles,
    ) -> Result<PageRow, StoreError> {
        let answer = visit.as_ref().and_then(|visit| answer_of(&visit.outcome));
        let facts = visit.as_ref().and_then(|visit| match &visit.outcome {
            Visited::Page(_, facts) => Some(facts),
            _ => None,
        });
        Ok(PageRow {
            state: state_name(record.head.status),
            fetched_at: visit.as_ref().map(|visit| visit.at.to_string()),
            status: answer.map(|answer| answer.status),
            title: facts.map(|facts| facts.title.clone()),
            language: facts.and_then(|facts| facts.language.clone()),
            score: facts.map(|facts| facts.judgement.score.get()),
            relevant: facts.map(|facts| facts.judgement.is_relevant()),
            depth: record.found.depth,
            worth: record.worth.get(),
            found_via: parent_url(store, record.found.parent)?,
            anchor: record.found.anchor,
            bytes: answer.map(|answer| answer.wire_bytes),
            media_type: answer.map(|answer| answer.media_type.clone()),
            because: record.because,
            archive: visit.as_ref().and_then(|visit| visit.archived).map(|at| files.row(at)),
            url: record.url.into(),
        })
    }
}

fn parent_url(
    store: &dyn Store,
    parent: Option<Fingerprint>,
) -> Result<Option<String>, StoreError> {
    let Some(parent) = parent else { return Ok(None) };
    Ok(store.url(parent)?.map(|record| record.url.into()))
}

/// A visit with all there is to tell of its page: one that found it unchanged with the facts of the
/// visit that brought it.
pub(crate) fn telling(store: &dyn Store, visit: VisitRecord) -> Result<VisitRecord, StoreError> {
    let Some(number) = visit.same_as else { return Ok(visit) };
    Ok(match store.visit(number)? {
        Some(page) => VisitRecord { at: visit.at, ended: visit.ended, ..page },
        None => visit,
    })
}

/// The bare facts of the answer, if one came.
pub(crate) fn answer_of(outcome: &Visited) -> Option<&Answer> {
    match outcome {
        Visited::Page(answer, _)
        | Visited::Answered(answer)
        | Visited::File(answer)
        | Visited::Unchanged(answer)
        | Visited::Redirected(answer, _) => Some(answer),
        Visited::Failed(..) => None,
    }
}

/// One word for how a URL stands.
pub(crate) fn state_name(status: Status) -> &'static str {
    match status {
        Status::Queued { .. } => "queued",
        Status::Scheduled { .. } => "scheduled",
        Status::Fetched => "fetched",
        Status::Redirected => "redirected",
        Status::Failed => "failed",
        Status::Skipped => "skipped",
        Status::Gone => "gone",
    }
}
