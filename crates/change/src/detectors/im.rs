//! Images: the mean of their dominant colours (S3.6, Kumar et al., 2016).
//!
//! `IM = Σ RGB(dominant colour of image i) / number of images`. The dominant colour is the most
//! frequent one after quantising to 4 bits a channel, its value `r << 16 | g << 8 | b`. Without a
//! readable image it is 0; files that are no readable image are passed over.
//!
//! **Choose it when** the figures of the paper are wanted. **Cost:** all images are decoded.
//! **Weakness:** most photographs on white ground have one and the same dominant colour.

use crate::detector::{Entry, InSteps, Step};
use crate::pictures::dominant_colour;
use crate::version::Version;

pub(crate) const ENTRY: Entry = Entry {
    name: "im",
    summary: "the mean of the dominant colours of all images",
    build: || Box::new(InSteps(&[STEP])),
};

/// The mean.
pub(super) const STEP: Step = Step { name: "IM", code: |version| im(version).to_string() };

fn im(version: &Version<'_>) -> f64 {
    let colours: Vec<u32> =
        version.images.iter().filter_map(|image| dominant_colour(&image.body)).collect();
    if colours.is_empty() {
        return 0.0;
    }
    let sum: u64 = colours.iter().map(|&colour| u64::from(colour)).sum();
    sum as f64 / colours.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::sample::{Sample, is_change, png};

    fn plain(colour: [u8; 3]) -> Vec<u8> {
        png(3, 3, |_, _| colour)
    }

    #[test]
    fn the_mean_is_over_readable_images() {
        let page = Sample::text("").image(plain([0x10, 0, 0])).image(plain([0, 0, 0x35]));
        assert_eq!(page.code(STEP), ((0x10_0000 + 0x30) / 2).to_string());
        assert_eq!(page.image(vec![1, 2, 3]).code(STEP), ((0x10_0000 + 0x30) / 2).to_string());
        assert_eq!(Sample::text("").code(STEP), "0");
    }

    #[test]
    fn another_colour_is_a_change_but_another_drawing_on_white_is_not() {
        let drawing = |dark: u32| png(9, 9, |x, _| if x == dark { [0; 3] } else { [255; 3] });
        let old = Sample::text("").image(drawing(1));
        assert!(!is_change("im", &old, &Sample::text("").image(drawing(7))));
        assert!(is_change("im", &old, &Sample::text("").image(plain([0; 3]))));
    }
}
