//! Did you mean …? The nearest of the words that would be right.

/// The candidate nearest to `word`, if it is near enough to be what was meant.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace('-', "_");
    let wanted = plain(word);
    let distance = |candidate: &str| strsim::damerau_levenshtein(&wanted, &plain(candidate));
    // A third of the letters may be wrong: beyond that, a guess confuses more than it helps.
    let farthest = (wanted.chars().count() / 3).max(1);
    let nearest = candidates.into_iter().map(|word| (distance(word), word)).min()?;
    (nearest.0 <= farthest).then_some(nearest.1)
}

/// `did you mean …?`, or else everything that there is.
pub(crate) fn help(word: &str, candidates: &[&str]) -> String {
    match nearest(word, candidates.iter().copied()) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None => {
            let quoted: Vec<String> = candidates.iter().map(|word| format!("`{word}`")).collect();
            format!("there are: {}", quoted.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, expected: Option<&str>) {
        assert_eq!(
            nearest(word, ["politeness", "delay", "max_pages", "best-first"]),
            expected,
            "{word}"
        );
    }

    #[test]
    fn a_slip_of_the_finger_is_seen_through_and_another_word_is_not() {
        check("politness", Some("politeness"));
        check("dealy", Some("delay"));
        check("max-pages", Some("max_pages"));
        check("bestfirst", Some("best-first"));
        check("colour", None);
        check("", None);
    }
}
