//! What a policy keeps of a page or of the crawl, as bytes and back.

use serde::{Deserialize, Serialize};

/// As bytes. What policies keep is plain numbers and lists of them, which always fit.
pub(crate) fn pack<T: Serialize>(kept: &T) -> Vec<u8> {
    postcard::to_allocvec(kept).unwrap_or_default()
}

/// From bytes; `None` for what another policy wrote.
pub(crate) fn unpack<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
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
        let kept = (3_u8, 0.5_f64);
        assert_eq!(unpack(&pack(&kept)), Some(kept));
        assert_eq!(unpack::<(u8, f64)>(&[]), None);
        assert_eq!(unpack::<u8>(&pack(&kept)), None);
    }
}
