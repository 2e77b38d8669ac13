//! The hash of the page's bytes.
//!
//! xxh3-128 of the body: any bit is a change. A yardstick, of no paper.
//!
//! **Choose it when** every byte matters, or to see how much the others spare. **Cost:** one
//! fast pass over the bytes. **Weakness:** most of what it calls a change no reader ever sees.

use xxhash_rust::xxh3::xxh3_128;

use crate::detector::{Entry, InSteps, Step};

pub(crate) const ENTRY: Entry = Entry {
    name: "raw-hash",
    summary: "a hash of all bytes of the page",
    build: || Box::new(InSteps(&[STEP])),
};

const STEP: Step =
    Step { name: "hash of the bytes", code: |version| format!("{:032x}", xxh3_128(version.body)) };

#[cfg(test)]
mod tests {
    use crate::detectors::sample::{Sample, is_change};

    #[test]
    fn any_byte_is_a_change() {
        assert!(is_change("raw-hash", &Sample::page("<p>a"), &Sample::page("<p >a")));
        assert!(!is_change("raw-hash", &Sample::page("<p>a"), &Sample::page("<p>a").style("b")));
    }
}
