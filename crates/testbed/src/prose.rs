//! Sentences about a theme.

use crate::draw::Draw;
use crate::layout::{Layout, WANTED};
use crate::words::{ADJECTIVES, NOUNS, PLACES, Piece, SENTENCES, VERBS};

/// The share of words that are nouns in [`SENTENCES`]; a noun is where a theme shows.
const NOUN_SHARE: f64 = 0.09;

/// How one block is written.
pub(crate) struct Prose<'l> {
    words: &'l [&'static str],
    wanted: &'l [&'static str],
    /// Of 65536 nouns, how many are words of the theme.
    own: u64,
    /// Of 65536 nouns, how many are words of the wanted topic by accident.
    noise: u64,
}

impl<'l> Prose<'l> {
    /// Prose in which about `density` of the words belong to the theme.
    pub(crate) fn new(layout: &'l Layout, theme: u8, density: f64, has_noise: bool) -> Prose<'l> {
        Prose {
            words: &layout.themes[theme as usize].words,
            wanted: &layout.themes[WANTED as usize].words,
            own: (density / NOUN_SHARE * 65_536.0) as u64,
            noise: if has_noise { 1_300 } else { 0 },
        }
    }

    /// Appends a heading.
    pub(crate) fn write_heading(&self, draw: &mut Draw, out: &mut String) {
        out.push_str(draw.pick(ADJECTIVES));
        out.push(' ');
        if draw.chance(0.6) {
            out.push_str(draw.pick(self.words));
            out.push_str(" and ");
        }
        out.push_str(draw.pick(NOUNS));
    }

    /// Appends a sentence and a space.
    pub(crate) fn write_sentence(&self, draw: &mut Draw, out: &mut String) {
        for piece in draw.pick(SENTENCES) {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Noun => out.push_str(self.noun(draw.bits())),
                Piece::Adjective => out.push_str(draw.pick(ADJECTIVES)),
                Piece::Verb => out.push_str(draw.pick(VERBS)),
                Piece::Place => out.push_str(draw.pick(PLACES)),
            }
        }
    }

    /// A noun from one draw: the low bits choose the list, the high bits the word.
    fn noun(&self, bits: u64) -> &'static str {
        let roll = bits & 0xFFFF;
        let list = if roll < self.own {
            self.words
        } else if roll < self.own + self.noise {
            self.wanted
        } else {
            NOUNS
        };
        list[(((bits >> 32) * list.len() as u64) >> 32) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Purpose;
    use crate::spec::Spec;

    fn text(density: f64) -> String {
        let layout = Layout::new(&Spec::default());
        let prose = Prose::new(&layout, WANTED, density, false);
        let mut draw = Draw::new(1, Purpose::Block, 0, 0);
        let mut out = String::new();
        while out.len() < 200_000 {
            prose.write_sentence(&mut draw, &mut out);
        }
        out
    }

    #[test]
    fn the_theme_has_the_wanted_density() {
        let layout = Layout::new(&Spec::default());
        for density in [0.02, 0.04, 0.06] {
            let text = text(density);
            let is_word = |symbol: char| !symbol.is_alphabetic();
            let words: Vec<&str> = text.split(is_word).filter(|word| !word.is_empty()).collect();
            let themed = words.iter().filter(|word| layout.themes[0].words.contains(word)).count();
            let measured = themed as f64 / words.len() as f64;
            assert!((measured / density - 1.0).abs() < 0.15, "{measured} for {density}");
        }
    }

    #[test]
    fn sentences_begin_with_a_capital_and_end_with_a_stop() {
        for sentence in text(0.03).split_inclusive(". ").take(100) {
            assert!(sentence.starts_with(|first: char| first.is_ascii_uppercase()), "{sentence}");
            assert!(sentence.ends_with(". "));
        }
    }
}
