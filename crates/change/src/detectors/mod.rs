//! Every change detector by name.

mod ascii_count;
mod dom_table;
mod im;
mod image_ival;
mod passages;
mod pcm;
mod pri;
mod psm;
mod raw_hash;
mod rms;
mod simhash;
mod structure_text_image;
mod tag_strings;
mod text_code;
mod text_hash;

#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

use crate::detector::{Detector, Entry};

/// The one that decides in a crawl.
pub const DEFAULT_DETECTOR: &str = "passages";

/// All detectors.
pub const DETECTORS: &[Entry] = &[
    ascii_count::ENTRY,
    dom_table::ENTRY,
    im::ENTRY,
    image_ival::ENTRY,
    passages::ENTRY,
    pcm::ENTRY,
    pri::ENTRY,
    psm::ENTRY,
    raw_hash::ENTRY,
    rms::ENTRY,
    simhash::ENTRY,
    structure_text_image::ENTRY,
    tag_strings::ENTRY,
    text_code::ENTRY,
    text_hash::ENTRY,
];

/// Makes the detector of this name.
pub fn build_detector(name: &str) -> Option<Box<dyn Detector>> {
    DETECTORS.iter().find(|entry| entry.name == name).map(|entry| (entry.build)())
}
