//! The passages that hold evidence, cut to what fits a screen.
//!
//! Of a long page only the passages that speak loudest are shown, and of a
//! long passage only the words around the loudest mark.

use std::ops::Range;

use gannet_relevance::Mark;
use serde::Serialize;

/// A stretch of the page with its evidence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Excerpt {
    /// `title`, `heading` or `text`.
    pub(super) field: &'static str,
    /// The number of the block, from 0.
    pub(super) block: usize,
    /// What stands there; `…` where it was cut.
    pub(super) text: String,
    /// The evidence, in the order of the text.
    pub(super) marks: Vec<ExcerptMark>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct ExcerptMark {
    /// Where it begins in the text, in bytes.
    pub(super) start: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// What it is to the model.
    pub(super) name: String,
    /// What it contributes; negative when it speaks against the topic.
    pub(super) value: f32,
}

/// Passages shown: as many as a screen holds.
const MOST: usize = 8;
/// Bytes shown of one passage: three lines or so.
const WIDEST: usize = 280;
const CUT: &str = "…";

/// The passages with the most evidence, in the order of the page.
pub(super) fn excerpts<'a>(
    parts: impl Iterator<Item = (&'static str, usize, &'a str)>,
    marks: impl Fn(&str) -> Vec<Mark>,
) -> Vec<Excerpt> {
    let mut found: Vec<(usize, f32, Excerpt)> = Vec::new();
    for (place, (field, block, text)) in parts.enumerate() {
        let marks = sane(text, marks(text));
        if marks.is_empty() {
            continue;
        }
        let weight = marks.iter().map(|mark| mark.value.abs()).sum();
        found.push((place, weight, excerpt(field, block, text, &marks)));
    }
    // The loudest; of equals the first.
    found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    found.truncate(MOST);
    found.sort_by_key(|(place, ..)| *place);
    found.into_iter().map(|(_, _, excerpt)| excerpt).collect()
}

/// Marks that can be shown one after the other: within the text and not over each other.
fn sane(text: &str, mut marks: Vec<Mark>) -> Vec<Mark> {
    marks.sort_by_key(|mark| (mark.span.start, std::cmp::Reverse(mark.span.end)));
    let mut end = 0;
    marks.retain(|mark| {
        let is_right = mark.span.start >= end
            && text.get(mark.span.clone()).is_some()
            && !mark.span.is_empty();
        if is_right {
            end = mark.span.end;
        }
        is_right
    });
    marks
}

fn excerpt(field: &'static str, block: usize, text: &str, marks: &[Mark]) -> Excerpt {
    let window = window(text, marks);
    let lead = if window.start > 0 { CUT } else { "" };
    let tail = if window.end < text.len() { CUT } else { "" };
    let shown = format!("{lead}{}{tail}", &text[window.clone()]);
    let inside =
        marks.iter().filter(|mark| window.start <= mark.span.start && mark.span.end <= window.end);
    let moved = |at: usize| at - window.start + lead.len();
    let marks = inside.map(|mark| ExcerptMark {
        start: moved(mark.span.start),
        end: moved(mark.span.end),
        name: mark.name.clone(),
        value: mark.value,
    });
    Excerpt { field, block, marks: marks.collect(), text: shown }
}

/// The stretch around the loudest mark, at whole words.
fn window(text: &str, marks: &[Mark]) -> Range<usize> {
    if text.len() <= WIDEST {
        return 0..text.len();
    }
    let loudest = marks.iter().max_by(|a, b| a.value.abs().total_cmp(&b.value.abs()));
    let middle = loudest.map_or(0, |mark| mark.span.start);
    let start = middle.saturating_sub(WIDEST / 3).min(text.len() - WIDEST);
    let end = (start + WIDEST).max(loudest.map_or(0, |mark| mark.span.end)).min(text.len());
    let start = match start {
        0 => 0,
        start => {
            let start = text.floor_char_boundary(start);
            text[start..middle].find(' ').map_or(start, |blank| start + blank + 1)
        }
    };
    let end = text.ceil_char_boundary(end);
    let last = loudest.map_or(start, |mark| mark.span.end).max(start);
    let end = match end == text.len() {
        true => end,
        false => text[last..end].rfind(' ').map_or(end, |blank| last + blank),
    };
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Marks every occurrence of a word.
    fn marking(word: &'static str) -> impl Fn(&str) -> Vec<Mark> {
        move |text| {
            let found = text.match_indices(word);
            let mark = |(start, found): (usize, &str)| Mark {
                span: start..start + found.len(),
                name: found.to_owned(),
                value: 1.0,
            };
            found.map(mark).collect()
        }
    }

    fn shown(excerpt: &Excerpt) -> Vec<&str> {
        excerpt.marks.iter().map(|mark| &excerpt.text[mark.start..mark.end]).collect()
    }

    #[test]
    fn only_passages_with_evidence_are_shown() {
        let parts = [("title", 0, "Birds"), ("text", 0, "the gannet dives"), ("text", 1, "home")];
        let found = excerpts(parts.into_iter(), marking("gannet"));
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].field, found[0].text.as_str()), ("text", "the gannet dives"));
        assert_eq!(shown(&found[0]), ["gannet"]);
    }

    #[test]
    fn of_many_the_loudest_are_shown_in_the_order_of_the_page() {
        let texts: Vec<String> = (0..20).map(|n| "gannet ".repeat(1 + n % 10)).collect();
        let parts = texts.iter().enumerate().map(|(n, text)| ("text", n, text.as_str()));
        let found = excerpts(parts, marking("gannet"));
        assert_eq!(found.len(), MOST);
        let blocks: Vec<usize> = found.iter().map(|excerpt| excerpt.block).collect();
        assert_eq!(blocks, [6, 7, 8, 9, 16, 17, 18, 19]);
    }

    #[test]
    fn long_passages_are_cut_around_the_evidence_at_whole_words() {
        let text = format!("{}gannet{}", "wörter ".repeat(200), " más".repeat(200));
        let found = excerpts([("text", 0, text.as_str())].into_iter(), marking("gannet"));
        assert_eq!(shown(&found[0]), ["gannet"]);
        assert!(found[0].text.len() <= WIDEST + 2 * CUT.len(), "{}", found[0].text.len());
        assert!(
            found[0].text.starts_with("…wörter ") && found[0].text.ends_with(" más…"),
            "{}",
            found[0].text
        );
    }

    #[test]
    fn marks_that_overlap_or_lie_outside_are_left_out() {
        let mark = |span: Range<usize>| Mark { span, name: String::new(), value: 1.0 };
        let marks = |_: &str| vec![mark(0..4), mark(2..6), mark(5..6), mark(9..99), mark(3..3)];
        let found = excerpts([("text", 0, "sea bird")].into_iter(), marks);
        assert_eq!(shown(&found[0]), ["sea ", "i"]);
    }
}
