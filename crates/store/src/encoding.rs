//! Records as bytes: a version byte, then postcard.
//!
//! Each kind of record has a version of its own; most are still at the
//! [first](FIRST). What earlier versions wrote is read by `earlier`.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::StoreError;

/// The version of a record whose form never changed.
pub(crate) const FIRST: u8 = 1;

/// Writes a record in its first form.
pub(crate) fn encode<T: Serialize>(what: &'static str, record: &T) -> Result<Vec<u8>, StoreError> {
    encode_as(what, FIRST, record)
}

/// Writes a record in the form of this version.
pub(crate) fn encode_as<T: Serialize>(
    what: &'static str,
    version: u8,
    record: &T,
) -> Result<Vec<u8>, StoreError> {
    postcard::to_extend(record, vec![version])
        .map_err(|cause| StoreError::Damaged { what, cause: Some(cause) })
}

/// Reads a record in its first form.
pub(crate) fn decode<T: DeserializeOwned>(
    what: &'static str,
    bytes: &[u8],
) -> Result<T, StoreError> {
    decode_body(what, first_body(what, bytes)?)
}

/// Reads the first part of what stands behind the version byte and ignores the rest.
pub(crate) fn decode_front<T: DeserializeOwned>(
    what: &'static str,
    body: &[u8],
) -> Result<T, StoreError> {
    let (front, _) = postcard::take_from_bytes(body)
        .map_err(|cause| StoreError::Damaged { what, cause: Some(cause) })?;
    Ok(front)
}

/// Reads what stands behind the version byte.
pub(crate) fn decode_body<T: DeserializeOwned>(
    what: &'static str,
    body: &[u8],
) -> Result<T, StoreError> {
    postcard::from_bytes(body).map_err(|cause| StoreError::Damaged { what, cause: Some(cause) })
}

/// The version of a record and what stands behind it.
pub(crate) fn versioned<'a>(
    what: &'static str,
    bytes: &'a [u8],
) -> Result<(u8, &'a [u8]), StoreError> {
    let (version, body) = bytes.split_first().ok_or(StoreError::Damaged { what, cause: None })?;
    Ok((*version, body))
}

fn first_body<'a>(what: &'static str, bytes: &'a [u8]) -> Result<&'a [u8], StoreError> {
    match versioned(what, bytes)? {
        (FIRST, body) => Ok(body),
        (found, _) => Err(StoreError::Incompatible { what, found, known: FIRST }),
    }
}
