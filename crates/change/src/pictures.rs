//! What an image looks like, in one number.
//!
//! Takes the bytes of an image file (PNG, JPEG, GIF, WebP, BMP; of an animation the first frame)
//! and gives codes that tell images apart: [`ival`] (S1.6), [`dominant_colour`] (S3.6) and
//! [`dhash`]. `None` says that the bytes are no image, or one too large to decode safely.
//! Transparency is not looked at: a transparent pixel has the colour that the file gives it.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageReader, Limits};

/// More pixels than a camera takes; a file of some kilobytes can claim far more.
const MAX_PIXELS: u64 = 64 << 20;

/// What decoding may allocate: [`MAX_PIXELS`] in four channels of a byte.
const MAX_BYTES: u64 = MAX_PIXELS * 4;

/// How many bits stand for one number of [`ival`]: the paper's "24" is a lost superscript of 2⁴.
const RUN: usize = 16;

/// From this grey on a pixel of a two-tone image is white.
const WHITE_FROM: u8 = 128;

/// The side `n` of the square to which [`ival`] scales an image: a power of two from 2⁴ to 2⁶.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// 16: one number, and so the only side whose code is not 0 for banded images.
    #[default]
    Sixteen,
    /// 32: the determinant of 2 × 2 numbers.
    ThirtyTwo,
    /// 64: the determinant of 4 × 4 numbers.
    SixtyFour,
}

impl Side {
    fn pixels(self) -> usize {
        match self {
            Side::Sixteen => 16,
            Side::ThirtyTwo => 32,
            Side::SixtyFour => 64,
        }
    }
}

/// `Ival` (S1.6): scale to n × n, make two tones, read each row 16 bits at a time as a number, sum
/// the numbers of each band of 16 rows, and take the determinant of the n/16 × n/16 sums.
///
/// It is 0 for many images: from n = 32 on for any whose bands or columns are alike.
pub fn ival(bytes: &[u8], side: Side) -> Option<i128> {
    let side = side.pixels();
    let grey = grey(bytes, side as u32, side as u32)?;
    let order = side / RUN;
    let mut sums = vec![vec![0_i128; order]; order];
    for (y, row) in grey.chunks_exact(side).enumerate() {
        for (x, run) in row.chunks_exact(RUN).enumerate() {
            let number =
                run.iter().fold(0, |bits, &grey| bits << 1 | i128::from(grey >= WHITE_FROM));
            sums[y / RUN][x] += number;
        }
    }
    Some(determinant(sums))
}

/// The most frequent colour after quantising each channel to its upper 4 bits, as
/// `r << 16 | g << 8 | b` with the lower 4 bits of each channel 0. Of equally frequent colours the
/// one with the lowest value.
pub fn dominant_colour(bytes: &[u8]) -> Option<u32> {
    let image = decode(bytes)?.into_rgb8();
    let mut counts = vec![0_u32; 1 << 12];
    for pixel in image.pixels() {
        let [red, green, blue] = pixel.0.map(|channel| usize::from(channel >> 4));
        counts[red << 8 | green << 4 | blue] += 1;
    }
    let most = counts.iter().max()?;
    let colour = counts.iter().position(|count| count == most)? as u32;
    let [red, green, blue] = [colour >> 8, colour >> 4 & 15, colour & 15];
    Some(red << 20 | green << 12 | blue << 4)
}

/// A hash that hardly moves when an image is scaled or saved anew: of 9 × 8 greys in 8 rows, which
/// are brighter than their left neighbour. Compare two by their [`hamming`] distance.
pub fn dhash(bytes: &[u8]) -> Option<u64> {
    let grey = grey(bytes, 9, 8)?;
    let mut hash = 0;
    for row in grey.chunks_exact(9) {
        for pair in row.windows(2) {
            hash = hash << 1 | u64::from(pair[0] < pair[1]);
        }
    }
    Some(hash)
}

/// In how many bits two hashes differ.
pub fn hamming(one: u64, other: u64) -> u32 {
    (one ^ other).count_ones()
}

/// The image scaled to `width` × `height` greys, row by row.
fn grey(bytes: &[u8], width: u32, height: u32) -> Option<Vec<u8>> {
    let grey = DynamicImage::ImageLuma8(decode(bytes)?.into_luma8());
    Some(grey.thumbnail_exact(width, height).into_luma8().into_raw())
}

/// Decodes an image within [`MAX_PIXELS`] and [`MAX_BYTES`].
fn decode(bytes: &[u8]) -> Option<DynamicImage> {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_BYTES);
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
    reader.limits(limits);
    let decoder = reader.into_decoder().ok()?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 || pixels > MAX_PIXELS || decoder.total_bytes() > MAX_BYTES {
        return None;
    }
    DynamicImage::from_decoder(decoder).ok()
}

/// The determinant of a square of whole numbers, exactly, by Bareiss' elimination: every division
/// leaves no remainder. Sums of at most 2²⁰ in 4 rows stay below 2¹²⁷.
fn determinant(mut square: Vec<Vec<i128>>) -> i128 {
    let order = square.len();
    let (mut sign, mut divisor) = (1, 1);
    for step in 0..order {
        let Some(pivot) = (step..order).find(|&row| square[row][step] != 0) else { return 0 };
        if pivot != step {
            square.swap(pivot, step);
            sign = -sign;
        }
        let (done, rest) = square.split_at_mut(step + 1);
        let upper = &done[step];
        for row in rest {
            for column in step + 1..order {
                let cross = row[column] * upper[step] - row[step] * upper[column];
                row[column] = cross / divisor;
            }
        }
        divisor = upper[step];
    }
    sign * divisor
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::sample::png;

    const BLACK: [u8; 3] = [0; 3];
    const WHITE: [u8; 3] = [255; 3];

    fn two_tone(side: u32, is_white: impl Fn(u32, u32) -> bool) -> Vec<u8> {
        png(side, side, |x, y| if is_white(x, y) { WHITE } else { BLACK })
    }

    #[test]
    fn a_checkerboard_of_16_is_the_sum_of_its_rows() {
        let board = two_tone(16, |x, y| (x + y) % 2 == 0);
        assert_eq!(ival(&board, Side::Sixteen), Some(8 * 0xAAAA + 8 * 0x5555));
        let large = two_tone(160, |x, y| (x / 10 + y / 10) % 2 == 0);
        assert_eq!(ival(&large, Side::Sixteen), ival(&board, Side::Sixteen), "scaled down");
    }

    #[test]
    fn a_square_of_32_is_the_determinant_of_its_four_quarters() {
        // Left above white: (16 × 65535, 0; 0, 16 × 1).
        let image = two_tone(32, |x, y| (x < 16 && y < 16) || (x == 31 && y >= 16));
        assert_eq!(ival(&image, Side::ThirtyTwo), Some(16 * 65535 * 16));
        let swapped = two_tone(32, |x, y| (x < 16 && y >= 16) || (x == 31 && y < 16));
        assert_eq!(ival(&swapped, Side::ThirtyTwo), Some(-16 * 65535 * 16));
    }

    #[test]
    fn a_banded_image_has_the_determinant_0_but_not_at_16() {
        let bands = two_tone(64, |_, y| y % 16 < 8);
        let columns = two_tone(64, |x, _| x % 16 < 8);
        for image in [bands, columns] {
            assert_eq!(ival(&image, Side::ThirtyTwo), Some(0));
            assert_eq!(ival(&image, Side::SixtyFour), Some(0));
            assert_ne!(ival(&image, Side::Sixteen), Some(0));
        }
    }

    #[test]
    fn a_flipped_bit_changes_the_code() {
        for side in [Side::Sixteen, Side::ThirtyTwo, Side::SixtyFour] {
            let length = side.pixels() as u32;
            // One white quarter of 16 on the diagonal each, so no determinant is 0.
            let is_white = |x: u32, y: u32| x / 16 == y / 16 && (x + y).is_multiple_of(3);
            let whole = ival(&two_tone(length, is_white), side);
            let flipped = two_tone(length, |x, y| is_white(x, y) ^ (x == 5 && y == 5));
            assert!(whole.is_some() && whole != Some(0));
            assert_ne!(ival(&flipped, side), whole, "{side:?}");
        }
    }

    #[test]
    fn determinants_are_exact_even_for_the_largest_sums() {
        let rows = |rows: &[&[i128]]| rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
        assert_eq!(determinant(rows(&[&[7]])), 7);
        assert_eq!(determinant(rows(&[&[1, 2], &[3, 4]])), -2);
        assert_eq!(determinant(rows(&[&[0, 2, 1], &[3, 0, 1], &[1, 1, 0]])), 5);
        let m = 16 * 65535;
        let largest = rows(&[&[m, m, m, 0], &[m, 0, m, m], &[m, m, 0, m], &[0, m, m, m]]);
        assert_eq!(determinant(largest), 3 * m.pow(4));
    }

    #[test]
    fn the_dominant_colour_is_the_most_frequent_one_in_4_bits() {
        let image = png(10, 10, |x, y| if y < 6 { [0x12, 0x3F, (x % 16) as u8] } else { WHITE });
        assert_eq!(dominant_colour(&image), Some(0x10_30_00));
        let tie = png(2, 1, |x, _| if x == 0 { WHITE } else { [0, 0, 0x10] });
        assert_eq!(dominant_colour(&tie), Some(0x10));
    }

    #[test]
    fn a_difference_hash_survives_scaling_and_tells_a_mirror_image() {
        let slope = |side: u32| png(side, side, |x, _| [(x * 255 / side) as u8; 3]);
        let mirror = png(90, 90, |x, _| [255 - (x * 255 / 90) as u8; 3]);
        assert_eq!(dhash(&slope(90)), Some(u64::MAX));
        assert_eq!(dhash(&slope(200)), dhash(&slope(90)));
        assert_eq!(dhash(&mirror), Some(0));
        assert_eq!(hamming(0b1011, 0b0010), 2);
    }

    #[test]
    fn what_is_no_image_or_claims_too_many_pixels_has_no_code() {
        let mut huge = png(1, 1, |_, _| WHITE);
        // The width in the PNG header, 4 bytes from 16 on, and the check sum that goes with it.
        huge[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
        let check = crc(&huge[12..29]).to_be_bytes();
        huge[29..33].copy_from_slice(&check);
        for bytes in [&b""[..], b"<svg/>", &huge, &png(9, 9, |_, _| WHITE)[..40]] {
            assert_eq!(ival(bytes, Side::Sixteen), None);
            assert_eq!((dominant_colour(bytes), dhash(bytes)), (None, None));
        }
    }

    /// The check sum of a PNG chunk.
    fn crc(bytes: &[u8]) -> u32 {
        let mut crc = u32::MAX;
        for &byte in bytes {
            crc ^= u32::from(byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
            }
        }
        !crc
    }
}
