//! One number stands for the text of a page (S1.5, Mali and Meshram, 2011).
//!
//! `code = Σ_symbol frequency(symbol) × code point(symbol) / number of distinct symbols`, over the
//! visible text. The paper counts ASCII codes; its printed figures come from a program that took
//! the em dash for a negative number (see the tests), which we do not repeat.
//!
//! **Choose it when** the figures of the paper are wanted. **Cost:** one pass over the text and
//! 136 KB; the code is one number. **Weakness:** letters that change places, and words that do,
//! leave the number as it was.

use crate::codes::{Codes, count_distinct};
use crate::detector::{Entry, InSteps, Step};
use crate::version::Version;

pub(crate) const ENTRY: Entry = Entry {
    name: "text-code",
    summary: "the sum of all character codes of the text by the number of distinct characters",
    build: || Box::new(InSteps(&[STEP])),
};

/// The code in full length: rounding would hide changes in texts of many distinct symbols.
pub(super) const STEP: Step =
    Step { name: "text code", code: |version| text_code(version).to_string() };

fn text_code(version: &Version<'_>) -> f64 {
    let sum = Codes::of(version.document.text()).sum;
    let distinct = count_distinct(version.document.text());
    if distinct == 0 { 0.0 } else { sum as f64 / f64::from(distinct) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::sample::{Sample, is_change};

    /// The two texts of the paper; its print of the first lost the space in "dumb jock".
    const BEFORE: &str = "March 26, 2007 issue - The stereotype of the \"dumb jock\" has never \
        sounded right to Charles Hillman. A jock himself, he plays hockey four times a week, but \
        when he isn't body-checking his opponents on the ice, he's giving his mind a comparable \
        workout in his neuroscience and kinesiology lab at the University of Illinois. Nearly every \
        semester in his classroom, he says, students on the women's cross-country team set the \
        curve on his exams. So recently he started wondering if there was a vital and overlooked \
        link between brawn and brains—if long hours at the gym could somehow build up not just \
        muscles, but minds.";
    const AFTER: &str = "March 26, 2007 issue - The stereotype of the \"dumb jock\" has never \
        sounded right to Charles Hillman. A jock himself, he used to play hockey five times a week, \
        but when he isn't body-checking his opponents on the ice, he's giving his mind a comparable \
        workout in his neuroscience and kinesiology lab at the University of Florida. Nearly every \
        semester in his classroom, he says, students on the women's cross-country team set the \
        curve on his exams. So recently he started wondering if there was a vital and overlooked \
        link between brawn and brains—if long hours at the gym could somehow build up not just \
        muscles, but minds.";

    /// What the authors' program must have done: it read Windows-1252 as signed bytes, so the em
    /// dash (0x97) counted −105, then the end-of-file mark as −1. It counted both as characters,
    /// but not among the distinct ones.
    fn as_in_the_paper(text: &str) -> (i64, usize, usize, String) {
        let mut bytes: Vec<i8> = text
            .chars()
            .map(|char| if char == '—' { 0x97_u8 as i8 } else { char as u32 as u8 as i8 })
            .collect();
        bytes.push(-1);
        let sum: i64 = bytes.iter().copied().map(i64::from).sum();
        let distinct = (0..=i8::MAX).filter(|byte| bytes.contains(byte)).count();
        (sum, bytes.len(), distinct, format!("{:.3}", sum as f64 / distinct as f64))
    }

    #[test]
    fn signed_bytes_give_the_figures_that_the_paper_prints() {
        assert_eq!(as_in_the_paper(BEFORE), (56652, 619, 43, "1317.488".to_owned()));
        assert_eq!(as_in_the_paper(AFTER), (57113, 625, 43, "1328.209".to_owned()));
    }

    #[test]
    fn our_own_count_adds_the_em_dash_as_the_code_point_it_is() {
        for (text, sum, count) in [(BEFORE, 56758, 617), (AFTER, 57219, 623)] {
            let ascii: String = text.chars().filter(char::is_ascii).collect();
            let codes = Codes::of([ascii.as_str()]);
            assert_eq!((codes.sum, codes.count, count_distinct([&*ascii])), (sum, count, 43));
            let dash = u64::from('—');
            assert_eq!(Codes::of([text]).sum, sum + dash);
            let code = (sum + dash) as f64 / 44.0;
            assert_eq!(Sample::text(text).code(STEP), code.to_string());
        }
    }

    #[test]
    fn a_single_blank_is_a_change_but_letters_that_change_places_are_not() {
        assert!(is_change("text-code", &Sample::text("a b"), &Sample::text("a  b")));
        assert!(!is_change("text-code", &Sample::text("not on"), &Sample::text("on not")));
        assert_eq!(Sample::text("").code(STEP), "0");
    }
}
