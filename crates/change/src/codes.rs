//! What the characters of a text add up to.
//!
//! The published detectors say "ASCII"; here a character's code is its Unicode code point, which
//! is the same for what ASCII holds and leaves no text out.

/// Sums over the characters of a text. The order of the characters leaves no trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Codes {
    /// Sum of the codes.
    pub(crate) sum: u64,
    /// Sum of the squares of the codes; 64 bits would not hold a long text of high codes.
    pub(crate) squares: u128,
    /// How many characters there are.
    pub(crate) count: u64,
}

impl Codes {
    /// The codes of texts, one after the other.
    pub(crate) fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Codes {
        let mut codes = Codes::default();
        for text in texts {
            codes.add(text.chars());
        }
        codes
    }

    /// Adds further characters.
    pub(crate) fn add(&mut self, chars: impl Iterator<Item = char>) {
        for char in chars {
            let code = u64::from(char);
            self.sum += code;
            self.squares += u128::from(code * code);
            self.count += 1;
        }
    }

    /// The mean code; 0 without characters.
    pub(crate) fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }

    /// The root of the mean of the squares; 0 without characters.
    pub(crate) fn root_mean_square(&self) -> f64 {
        if self.count == 0 { 0.0 } else { (self.squares as f64 / self.count as f64).sqrt() }
    }

    /// Root mean square × sum (S3.9).
    pub(crate) fn content_value(&self) -> f64 {
        self.root_mean_square() * self.sum as f64
    }
}

/// How many characters of texts are unlike each other.
pub(crate) fn count_distinct<'a>(texts: impl IntoIterator<Item = &'a str>) -> u32 {
    // One bit for each code point: 136 KB, far quicker than hashing each character.
    let mut seen = vec![0_u64; (char::MAX as usize >> 6) + 1];
    for text in texts {
        for char in text.chars() {
            let code = char as usize;
            seen[code >> 6] |= 1 << (code & 63);
        }
    }
    seen.iter().map(|bits| bits.count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_add_up_over_all_texts() {
        let codes = Codes::of(["ab", "", "é"]);
        assert_eq!((codes.sum, codes.count), (97 + 98 + 233, 3));
        assert_eq!(codes.squares, 97 * 97 + 98 * 98 + 233 * 233);
        assert_eq!(codes, Codes::of(["éba"]), "order leaves no trace");
    }

    #[test]
    fn two_characters_have_the_means_that_arithmetic_says() {
        let codes = Codes::of(["\u{1}\u{7}"]);
        assert_eq!(
            (codes.mean(), codes.root_mean_square(), codes.content_value()),
            (4.0, 5.0, 40.0)
        );
        assert_eq!((Codes::default().mean(), Codes::default().content_value()), (0.0, 0.0));
    }

    #[test]
    fn each_character_is_distinct_once() {
        assert_eq!(count_distinct(["abca", "cd", "——\u{10ffff}"]), 6);
        assert_eq!(count_distinct([]), 0);
    }
}
