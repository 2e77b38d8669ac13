//! One number stands for each image of a page (S1.6, Mali and Meshram, 2011).
//!
//! `Ival`: the image is scaled to n × n and made two-tone, rows are read 16 bits at a time, and of
//! the sums of each 16 rows the determinant is taken (see [`crate::ival`]). The paper allows
//! n = 16, 32 and 64; here n = 16, at which `Ival` is one plain sum: with more the determinant is 0
//! for every image whose bands or columns are alike. The codes stand in the order of the images;
//! files that are no readable image are passed over, and the code says how many.
//!
//! **Choose it when** images matter and the text does not. **Cost:** all images are decoded,
//! by far the dearest step. **Weakness:** an image that is mirrored top to bottom, or that
//! changes within a tone, keeps its code.

use crate::detector::{Entry, InSteps, Step};
use crate::pictures::{Side, ival};
use crate::version::Version;

pub(crate) const ENTRY: Entry = Entry {
    name: "image-ival",
    summary: "each image scaled to 16 x 16 pixels in two tones, its rows added up",
    build: || Box::new(InSteps(&[STEP])),
};

/// The codes of all images.
pub(super) const STEP: Step = Step { name: "Ival", code: ivals };

fn ivals(version: &Version<'_>) -> String {
    let codes: Vec<String> = version
        .images
        .iter()
        .filter_map(|image| ival(&image.body, Side::default()))
        .map(|code| code.to_string())
        .collect();
    match version.images.len() - codes.len() {
        0 => codes.join(" "),
        unreadable => format!("{} and {unreadable} unreadable", codes.join(" ")).trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::sample::{Sample, is_change, png};

    fn board(white_from: u32) -> Vec<u8> {
        png(16, 16, |x, y| if (x + y) % 2 == 0 && x >= white_from { [255; 3] } else { [0; 3] })
    }

    #[test]
    fn every_image_has_its_code_and_unreadable_ones_are_counted() {
        let page = Sample::text("").image(board(0)).image(b"no image".to_vec()).image(board(14));
        let [whole, part] = [8 * 0xAAAA + 8 * 0x5555, 8 * 0b10 + 8];
        assert_eq!(page.code(STEP), format!("{whole} {part} and 1 unreadable"));
        assert_eq!(Sample::text("").image(vec![0]).code(STEP), "and 1 unreadable");
        assert_eq!(Sample::text("").code(STEP), "");
    }

    #[test]
    fn another_image_is_a_change_and_other_text_is_not() {
        let old = Sample::text("a").image(board(0));
        assert!(is_change("image-ival", &old, &Sample::text("a").image(board(1))));
        assert!(is_change("image-ival", &old, &Sample::text("a")));
        assert!(!is_change("image-ival", &old, &Sample::text("b").image(board(0))));
    }
}
