//! Every encoding, stacked, split, cut short and made up.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use proptest::prelude::*;

use super::*;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bare(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn br(bytes: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let parameters = ::brotli::enc::BrotliEncoderParams { quality: 5, ..Default::default() };
    ::brotli::BrotliCompress(&mut &bytes[..], &mut packed, &parameters).unwrap();
    packed
}

fn zst(bytes: &[u8]) -> Vec<u8> {
    ::zstd::encode_all(bytes, 3).unwrap()
}

fn unpack_in(pieces: &[&[u8]], label: &str, limits: &Limits) -> Result<Bytes, UnpackError> {
    let mut unpacker = Unpacker::new(std::iter::once(label.as_bytes()), limits)?;
    for piece in pieces {
        unpacker.push(piece)?;
    }
    unpacker.finish()
}

#[test]
fn a_body_kept_as_it_came_unpacks_as_it_did_when_it_arrived() {
    let unpack = |label: &str, packed: Vec<u8>| {
        let headers: Headers =
            [("Content-Encoding".to_owned(), label.to_owned())].into_iter().collect();
        unpack_body(&headers, &packed.into(), &Limits::default())
    };
    assert_eq!(unpack("gzip", gzip(b"page")).unwrap(), "page");
    assert_eq!(unpack("identity", b"page".to_vec()).unwrap(), "page");
    assert_eq!(unpack("gzip", gzip(b"page")[..9].to_vec()), Err(Failure::BadEncoding));
    assert_eq!(unpack("gzip", gzip(&vec![0; 20 << 20])), Err(Failure::UnpacksTooLarge));
}

fn unpack(packed: &[u8], label: &str) -> Result<Bytes, UnpackError> {
    unpack_in(&[packed], label, &Limits::default())
}

#[track_caller]
fn check(packed: &[u8], label: &str, expected: &[u8]) {
    let whole = unpack(packed, label).unwrap();
    assert!(whole == expected, "{label}");
    let bytes: Vec<&[u8]> = packed.chunks(1).collect();
    let split = unpack_in(&bytes, label, &Limits::default()).unwrap();
    assert!(split == expected, "{label} byte by byte");
}

#[track_caller]
fn check_bad(packed: &[u8], label: &str) {
    let result = unpack(packed, label);
    assert!(matches!(result, Err(UnpackError::Bad { .. })), "{label}: {result:?}");
}

fn page() -> Vec<u8> {
    (0..3000_u32).flat_map(|row| format!("<tr><td>{row}</td></tr>\n").into_bytes()).collect()
}

#[test]
fn every_encoding_unpacks() {
    let page = page();
    check(&gzip(&page), "gzip", &page);
    check(&gzip(&page), " X-GZip ", &page);
    check(&zlib(&page), "deflate", &page);
    check(&bare(&page), "deflate", &page);
    check(&br(&page), "br", &page);
    check(&zst(&page), "zstd", &page);
    for (packed, label) in [(gzip(b""), "gzip"), (zlib(b""), "deflate"), (bare(b""), "deflate")] {
        check(&packed, label, b"");
    }
    check(&br(b""), "br", b"");
    check(&zst(b""), "zstd", b"");
}

#[test]
fn members_and_frames_follow_each_other() {
    check(&[gzip(b"one "), gzip(b""), gzip(b"two")].concat(), "gzip", b"one two");
    check(&[zst(b"one "), zst(b"two")].concat(), "zstd", b"one two");
}

#[test]
fn encodings_stack_three_high() {
    let page = page();
    check(&br(&gzip(&page)), "gzip, br", &page);
    check(&zst(&br(&gzip(&page))), "gzip,br , zstd", &page);
    check(&gzip(&page), "identity, gzip, utf-8", &page);
    check_bad(&page, "gzip, gzip, gzip, gzip");
}

#[test]
fn an_empty_body_is_empty_in_every_encoding() {
    for label in ["gzip", "deflate", "br", "zstd", "gzip, br", "identity", ""] {
        assert_eq!(unpack(b"", label).unwrap(), Bytes::new(), "{label}");
    }
}

#[test]
fn bytes_after_the_end_are_ignored() {
    check(&[gzip(b"page"), b"\r\n<!-- junk -->".to_vec()].concat(), "gzip", b"page");
    check(&[gzip(b"page"), vec![0; 100]].concat(), "gzip", b"page");
    check(&[gzip(b"page"), vec![0x1f]].concat(), "gzip", b"page");
    check(&[zlib(b"page"), b"junk".to_vec()].concat(), "deflate", b"page");
    check(&[br(b"page"), b"junk".to_vec()].concat(), "br", b"page");
}

#[test]
fn text_that_pretends_to_be_gzip_is_taken_as_it_is() {
    check(b"<html>hello", "gzip", b"<html>hello");
    check("\u{feff}é".as_bytes(), "gzip", "\u{feff}é".as_bytes());
    check_bad(b"PK\x03\x04 not text", "gzip");
    check_bad(b"\0\0\0\0", "gzip");
}

#[test]
fn streams_that_stop_or_break_are_bad() {
    let page = page();
    for (packed, label) in [
        (gzip(&page), "gzip"),
        (zlib(&page), "deflate"),
        (bare(&page), "deflate"),
        (br(&page), "br"),
        (zst(&page), "zstd"),
    ] {
        check_bad(&packed[..packed.len() - 1], label);
        check_bad(&packed[..packed.len() / 2], label);
        check_bad(&packed[..1], label);
    }
    let mut corrupt = gzip(&page);
    let checksum = corrupt.len() - 8;
    corrupt[checksum] ^= 1;
    check_bad(&corrupt, "gzip");
    check_bad(b"anything", "compress");
    check_bad(b"anything", "zstd");
}

#[test]
fn limits_hold_during_unpacking_at_every_layer() {
    let limits = Limits { max_unpacked_bytes: 1000, ..Limits::default() };
    let bytes = Err(UnpackError::TooLarge(UnpackLimit::Bytes(1000)));
    for (packed, label) in [
        (gzip(&[b'x'; 1001]), "gzip"),
        (zlib(&[b'x'; 1001]), "deflate"),
        (br(&[b'x'; 1001]), "br"),
        (zst(&[b'x'; 1001]), "zstd"),
        // The bomb lies between the layers: what comes out at the end is small.
        (gzip(&[gzip(b"small"), vec![0; 100_000]].concat()), "gzip, gzip"),
    ] {
        assert_eq!(unpack_in(&[&packed], label, &limits), bytes, "{label}");
    }
    assert_eq!(unpack_in(&[&gzip(&[b'x'; 1000])], "gzip", &limits).unwrap().len(), 1000);
}

#[test]
fn the_ratio_counts_beyond_a_mebibyte() {
    let blank = vec![b' '; 1 << 20];
    assert_eq!(unpack(&gzip(&blank), "gzip").unwrap().len(), 1 << 20);
    let ratio = Err(UnpackError::TooLarge(UnpackLimit::Ratio(250)));
    assert_eq!(unpack(&gzip(&vec![b' '; (1 << 20) + 1]), "gzip"), ratio);
}

/// A window beyond 8 MiB would let each page claim as much memory as it likes.
#[test]
fn zstd_windows_are_bounded() {
    let mut encoder = ::zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(27).unwrap();
    encoder.write_all(&page()).unwrap();
    check_bad(&encoder.finish().unwrap(), "zstd");
}

const LABELS: [&str; 6] = ["gzip", "deflate", "br", "zstd", "gzip, br", "deflate, gzip, zstd"];

/// Packs under a label of [`LABELS`].
fn pack(bytes: &[u8], label: &str) -> Vec<u8> {
    label.split(", ").fold(bytes.to_vec(), |bytes, label| match label {
        "gzip" => gzip(&bytes),
        "deflate" => zlib(&bytes),
        "br" => br(&bytes),
        _ => zst(&bytes),
    })
}

/// Unpacks in pieces that end at `cuts`.
fn unpack_cut(packed: &[u8], cuts: &[usize], label: &str) -> Result<Bytes, UnpackError> {
    let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % (packed.len() + 1)).collect();
    ends.push(packed.len());
    ends.sort_unstable();
    let mut start = 0;
    let mut pieces = Vec::new();
    for end in ends {
        pieces.push(&packed[start..end]);
        start = end;
    }
    unpack_in(&pieces, label, &Limits::default())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_unpack_the_same_however_they_are_split(
        bytes in proptest::collection::vec(any::<u8>(), 0..600),
        magic in proptest::option::of(0..3_usize),
        cuts in proptest::collection::vec(any::<usize>(), 0..6),
        label in proptest::sample::select(&LABELS[..]),
    ) {
        let magics: [&[u8]; 3] = [&[0x1f, 0x8b, 8], &[0x78, 0x9c], &[0x28, 0xb5, 0x2f, 0xfd]];
        let bytes = [magic.map_or(&[][..], |index| magics[index]), &bytes].concat();
        let (whole, split) = (unpack(&bytes, label), unpack_cut(&bytes, &cuts, label));
        prop_assert_eq!(whole.ok(), split.ok());
    }

    #[test]
    fn what_was_packed_unpacks_however_it_is_split(
        bytes in proptest::collection::vec(any::<u8>(), 0..5000),
        cuts in proptest::collection::vec(any::<usize>(), 0..6),
        label in proptest::sample::select(&LABELS[..]),
    ) {
        let packed = pack(&bytes, label);
        prop_assert_eq!(unpack_cut(&packed, &cuts, label).unwrap(), bytes);
    }

    #[test]
    fn damaged_streams_never_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..2000),
        place in any::<usize>(),
        value in any::<u8>(),
        label in proptest::sample::select(&LABELS[..]),
    ) {
        let mut packed = pack(&bytes, label);
        let place = place % packed.len();
        packed[place] = value;
        let whole = unpack(&packed, label);
        let split = unpack_cut(&packed, &[place], label);
        prop_assert_eq!(whole.ok(), split.ok());
    }
}
