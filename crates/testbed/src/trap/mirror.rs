//! A mirror: ten thousand pages about the topic that all say nearly the same.

/// How many pages it has.
const COPIES: u32 = 10_000;
/// Where each of them leads.
const BRANCHES: u32 = 10;

/// A page of the mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Double {
    number: u32,
}

impl Double {
    /// Where a host's navigation enters it.
    pub(super) const FIRST: Double = Double { number: 0 };

    pub(super) fn path(self) -> String {
        format!("/library/{:03}/{}.html", self.number / 100, self.number)
    }

    pub(super) fn read(path: &str) -> Option<Double> {
        let (_, file) = path.strip_prefix("/library/")?.split_once('/')?;
        let copy = Double { number: file.strip_suffix(".html")?.parse().ok()? };
        (copy.number < COPIES && copy.path() == path).then_some(copy)
    }

    /// Its children in a tree, and the next one.
    pub(super) fn links(self) -> impl Iterator<Item = Double> {
        let first = self.number.saturating_mul(BRANCHES).saturating_add(1);
        let children = first..first.saturating_add(BRANCHES);
        let next = self.number + 1;
        children.chain([next]).filter(|number| *number < COPIES).map(|number| Double { number })
    }

    /// What tells this copy from another.
    pub(super) fn remark(self) -> String {
        const TENS: [&str; 10] =
            ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
        let digits = self.number.to_string();
        let words = digits.bytes().map(|digit| TENS[usize::from(digit - b'0')]);
        format!("Copy number {} of the collection.", words.collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_copies_are_reached_and_no_more() {
        let mut seen = std::collections::BTreeSet::from([0]);
        let mut waiting = vec![Double::FIRST];
        while let Some(copy) = waiting.pop() {
            assert_eq!(Double::read(&copy.path()), Some(copy));
            waiting.extend(copy.links().filter(|next| seen.insert(next.number)));
        }
        assert_eq!(seen.len(), COPIES as usize);
        assert_eq!(Double::read("/library/100/10000.html"), None);
    }
}
