//! A version of a page, read so that it can be compared with another.

use bytes::Bytes;
use gannet_change::{Attached, Version};
use gannet_content::{Limits, prominence, read, read_html};
use gannet_model::{Document, Headers, PageUrl, Prominence, Response};

/// A version of a page with all that detectors look at.
#[derive(Clone, Debug)]
pub struct ReadVersion {
    body: Bytes,
    html: String,
    document: Document,
    prominence: Prominence,
    styles: Vec<Attached>,
    images: Vec<Attached>,
}

impl ReadVersion {
    /// Of an answer.
    pub fn of(response: &Response, limits: &Limits) -> ReadVersion {
        ReadVersion::new(response.body.clone(), read(response, limits))
    }

    /// Of a file that holds HTML and was found at `url`.
    pub fn of_html(url: &PageUrl, body: Bytes, limits: &Limits) -> ReadVersion {
        let document = read_html(url, &Headers::default(), &body, limits);
        ReadVersion::new(body, document)
    }

    fn new(body: Bytes, document: Document) -> ReadVersion {
        ReadVersion {
            html: String::from_utf8_lossy(&body).into_owned(),
            prominence: prominence(&document, None),
            document,
            body,
            styles: Vec::new(),
            images: Vec::new(),
        }
    }

    /// With style sheets and images that belong to it.
    pub fn with_files(self, styles: Vec<Attached>, images: Vec<Attached>) -> ReadVersion {
        ReadVersion { styles, images, ..self }
    }

    /// What it says.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// As detectors see it.
    pub fn version(&self) -> Version<'_> {
        Version {
            body: &self.body,
            html: &self.html,
            document: &self.document,
            prominence: &self.prominence,
            styles: &self.styles,
            images: &self.images,
        }
    }
}
