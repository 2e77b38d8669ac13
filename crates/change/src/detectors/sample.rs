//! Pages made up for tests.

use std::io::Cursor;

use gannet_model::{Block, Document, Prominence};
use image::{ImageFormat, Rgb, RgbImage};

use crate::detector::{Step, Verdict};
use crate::detectors::build_detector;
use crate::markup::{Mark, walk};
use crate::version::{Attached, Version};

/// A version that owns what it is made of.
#[derive(Debug, Default)]
pub(crate) struct Sample {
    html: String,
    document: Document,
    prominence: Prominence,
    styles: Vec<Attached>,
    images: Vec<Attached>,
}

impl Sample {
    /// A page of this markup, whose text is what stands between the tags.
    pub(crate) fn page(html: &str) -> Sample {
        let mut text = String::new();
        walk(html, |mark| {
            if let Mark::Text { text: read, .. } = mark {
                text.push_str(read);
            }
        });
        Sample { html: html.to_owned(), ..Sample::text(&text) }
    }

    /// A page without markup.
    pub(crate) fn text(text: &str) -> Sample {
        let block = Block { text: text.to_owned(), ..Block::default() };
        let document = Document { blocks: vec![block], ..Document::default() };
        Sample { html: text.to_owned(), document, ..Sample::default() }
    }

    /// The page with one more style sheet.
    pub(crate) fn style(mut self, css: &str) -> Sample {
        self.styles.push(attached(css.as_bytes().to_vec()));
        self
    }

    /// The page with one more image.
    pub(crate) fn image(mut self, bytes: Vec<u8>) -> Sample {
        self.images.push(attached(bytes));
        self
    }

    /// As the detectors see it.
    pub(crate) fn version(&self) -> Version<'_> {
        Version {
            body: self.html.as_bytes(),
            html: &self.html,
            document: &self.document,
            prominence: &self.prominence,
            styles: &self.styles,
            images: &self.images,
        }
    }

    /// The code of one step.
    pub(crate) fn code(&self, step: Step) -> String {
        (step.code)(&self.version())
    }
}

fn attached(body: Vec<u8>) -> Attached {
    Attached { url: "http://a.example/attached".to_owned(), body }
}

/// What the detector of this name says.
pub(crate) fn compare(name: &str, old: &Sample, new: &Sample) -> Verdict {
    build_detector(name).expect("a registered name").compare(&old.version(), &new.version())
}

/// Whether the detector of this name sees a change.
pub(crate) fn is_change(name: &str, old: &Sample, new: &Sample) -> bool {
    compare(name, old, new).is_change
}

/// The bytes of an image whose pixels are given by their place.
pub(crate) fn png(width: u32, height: u32, colour: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let image = RgbImage::from_fn(width, height, |x, y| Rgb(colour(x, y)));
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).expect("memory takes all");
    bytes.into_inner()
}
