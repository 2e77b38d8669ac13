//! What the archive keeps of a visit: all that came, or the word that nothing changed.
//!
//! Encoding is pure and happens where a page is read; appending is for the one writer. Both are
//! here so that the lab keeps what the real crawl keeps.

use gannet_archive::{ArchiveError, Digest, Earlier, EncodeError, Encoded, Encoder, Writer};
use gannet_model::Response;
use gannet_store::ArchivedAt;

use crate::journey::{Answered, Content};
use crate::step::{EarlierVersion, Kept};

/// The evidence of a visit, ready to append. Of a page that was fetched before and did not change
/// it is one record that says so and where the body is.
pub fn encode_visit(
    encoder: &mut Encoder,
    response: &Response,
    answered: &Answered,
    earlier: Option<EarlierVersion>,
) -> Result<Encoded, EncodeError> {
    match earlier.and_then(|earlier| unchanged(response, earlier)) {
        // The request was the same, and nothing was decided: one short record says it all.
        Some(kept) => encoder.encode_unchanged(&gannet_archive::Visit::of(response), &kept),
        None => {
            let metadata = metadata(response, answered);
            let visit = gannet_archive::Visit {
                metadata: &metadata,
                ..gannet_archive::Visit::of(response)
            };
            encoder.encode_visit(&visit)
        }
    }
}

/// Appends the evidence of a visit.
pub fn keep(archive: &mut Writer, evidence: &Encoded) -> Result<Kept, ArchiveError> {
    let position = archive.append(evidence)?;
    let at = ArchivedAt {
        file: position.file,
        offset: position.offset,
        length: u64::from(position.length),
        response_offset: position.response_offset(),
    };
    Ok(Kept { at, digest: evidence.payload_digest.to_bytes() })
}

/// The earlier capture that holds the body of this answer; `None` when it brought another.
fn unchanged(response: &Response, earlier: EarlierVersion) -> Option<Earlier<'_>> {
    let payload_digest = Digest::from_bytes(earlier.digest?);
    let is_same =
        response.is_not_modified() || payload_digest == Digest::of(&[&response.wire_body]);
    is_same.then_some(Earlier {
        url: response.url.as_str(),
        asked_at: earlier.at,
        record: None,
        payload_digest,
    })
}

/// What the crawler knew and decided.
fn metadata(response: &Response, answered: &Answered) -> Vec<(String, String)> {
    let mut metadata =
        vec![("fetchTimeMs".to_owned(), response.timings.total.as_millis().to_string())];
    if let Content::Page(reading) = &answered.content {
        let judgement = &reading.judgement;
        metadata.push(("relevance".to_owned(), judgement.score.to_string()));
        metadata.push(("relevance-threshold".to_owned(), judgement.threshold.to_string()));
        metadata.push(("relevance-model".to_owned(), judgement.model.clone()));
        let version = format!("{:016x}", judgement.version);
        metadata.push(("relevance-version".to_owned(), version));
        metadata.push(("outlinks".to_owned(), reading.candidates.len().to_string()));
    }
    metadata
}
