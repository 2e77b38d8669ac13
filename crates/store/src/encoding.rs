//! Records as bytes: a version byte, then postcard.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::StoreError;

/// The version of every record this code writes.
pub(crate) const VERSION: u8 = 1;

/// Writes a record.
pub(crate) fn encode<T: Serialize>(what: &'static str, record: &T) -> Result<Vec<u8>, StoreError> {
    postcard::to_extend(record, vec![VERSION])
        .map_err(|cause| StoreError::Damaged { what, cause: Some(cause) })
}

/// Reads a record.
pub(crate) fn decode<T: DeserializeOwned>(
    what: &'static str,
    bytes: &[u8],
) -> Result<T, StoreError> {
    let body = body(what, bytes)?;
    postcard::from_bytes(body).map_err(|cause| StoreError::Damaged { what, cause: Some(cause) })
}

/// Reads the first part of a record and ignores the rest.
pub(crate) fn decode_front<T: DeserializeOwned>(
    what: &'static str,
    bytes: &[u8],
) -> Result<T, StoreError> {
    let body = body(what, bytes)?;
    let (front, _) = postcard::take_from_bytes(body)
        .map_err(|cause| StoreError::Damaged { what, cause: Some(cause) })?;
    Ok(front)
}

fn body<'a>(what: &'static str, bytes: &'a [u8]) -> Result<&'a [u8], StoreError> {
    match bytes.split_first() {
        Some((&VERSION, body)) => Ok(body),
        Some((&found, _)) => Err(StoreError::Incompatible { what, found, known: VERSION }),
        None => Err(StoreError::Damaged { what, cause: None }),
    }
}
