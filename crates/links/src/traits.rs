//! What a strategy keeps with a link or with the crawl, as bytes and back.

use serde::{Deserialize, Serialize};

/// As bytes. What strategies keep is plain numbers and lists of them, which always fit.
pub(crate) fn pack<T: Serialize>(kept: &T) -> Vec<u8> {
    postcard::to_allocvec(kept).unwrap_or_default()
}

/// From bytes; `None` for a link that has none yet, or that another strategy wrote.
pub(crate) fn unpack<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    if bytes.is_empty() {
        return None;
    }
    match postcard::take_from_bytes(bytes) {
        Ok((kept, [])) => Some(kept),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_packed_comes_back_and_nothing_else_does() {
        let kept = (3_u8, 0.5_f32);
        assert_eq!(unpack(&pack(&kept)), Some(kept));
        assert_eq!(unpack::<(u8, f32)>(&[]), None);
        assert_eq!(unpack::<u8>(&pack(&kept)), None);
    }
}
