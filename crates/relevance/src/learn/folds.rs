//! Pages dealt into folds, so that each can be judged by what was learned from the others.

use std::collections::HashMap;

use crate::tuning::Judged;

/// Which fold each page is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Folds {
    /// How many there are; two at least.
    pub(crate) count: usize,
    /// The fold of each page.
    of: Vec<usize>,
}

impl Folds {
    /// Deals pages, each with its truth and its text's fingerprint, into at most `most` folds.
    ///
    /// Every fold gets its share of relevant and irrelevant pages, hence no more folds than there
    /// are of either; pages of one text go together, or they would be judged by themselves.
    /// `None` when fewer than two of a kind can be told apart.
    pub(crate) fn deal(pages: &[(bool, u64)], most: usize, seed: u64) -> Option<Folds> {
        let mut kinds = [Vec::new(), Vec::new()];
        let mut fold_of: HashMap<u64, usize> = HashMap::new();
        for (is_relevant, text) in pages {
            if fold_of.insert(*text, 0).is_none() {
                kinds[usize::from(*is_relevant)].push(*text);
            }
        }
        let count = most.min(kinds[0].len()).min(kinds[1].len());
        if count < 2 {
            return None;
        }
        let mut draw = Draw(seed);
        for texts in &mut kinds {
            draw.shuffle(texts);
            fold_of.extend(texts.iter().enumerate().map(|(nth, text)| (*text, nth % count)));
        }
        let of = pages.iter().map(|(_, text)| fold_of[text]).collect();
        Some(Folds { count, of })
    }

    /// The truth of each page and the score that a model of the pages outside its fold gives it;
    /// otherwise as [`each_held_out`](Folds::each_held_out).
    pub(crate) fn held_out<M>(
        &self,
        truths: impl Fn(usize) -> bool,
        train: impl FnMut(&dyn Fn(usize) -> bool) -> M,
        mut score: impl FnMut(&M, usize) -> f32,
    ) -> Vec<Judged> {
        self.each_held_out(train, |model, page| (score(model, page), truths(page)))
    }

    /// Judges each page by a model of the pages outside its fold.
    ///
    /// `train` makes a model of the pages of which it is told so, `judge` judges one by its place;
    /// what it says comes in the order of the pages.
    pub(crate) fn each_held_out<M, S>(
        &self,
        mut train: impl FnMut(&dyn Fn(usize) -> bool) -> M,
        mut judge: impl FnMut(&M, usize) -> S,
    ) -> Vec<S> {
        let mut judged: Vec<Option<S>> = self.of.iter().map(|_| None).collect();
        for fold in 0..self.count {
            let model = train(&|page| self.of[page] != fold);
            for page in (0..self.of.len()).filter(|page| self.of[*page] == fold) {
                judged[page] = Some(judge(&model, page));
            }
        }
        // Every page is in a fold.
        judged.into_iter().flatten().collect()
    }
}

/// Numbers that their seed fixes (SplitMix64).
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Puts them into an order of which each is as likely as any, as good as.
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.next() % (last as u64 + 1);
            items.swap(last, other as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn folds_are_as_many_as_there_are_pages_of_the_rarer_kind() {
        #[track_caller]
        fn check(relevant: u64, irrelevant: u64, most: usize, expected: Option<usize>) {
            let pages: Vec<_> = (0..relevant + irrelevant).map(|n| (n < relevant, n)).collect();
            assert_eq!(Folds::deal(&pages, most, 1).map(|folds| folds.count), expected);
        }
        check(10, 10, 5, Some(5));
        check(3, 10, 5, Some(3));
        check(2, 2, 5, Some(2));
        check(1, 10, 5, None);
        check(10, 0, 5, None);
        check(10, 10, 1, None);
    }

    #[test]
    fn two_pages_of_one_text_are_one() {
        assert_eq!(Folds::deal(&[(true, 1), (true, 1), (false, 2), (false, 3)], 5, 1), None);
    }

    proptest! {
        #[test]
        fn no_page_is_judged_by_a_model_that_knows_it(
            pages in prop::collection::vec((any::<bool>(), 0_u64..30), 0..60),
            most in 2_usize..8,
            seed: u64
        ) {
            let Some(folds) = Folds::deal(&pages, most, seed) else { return Ok(()) };
            let judged = folds.each_held_out(
                |is_taught| (0..pages.len()).filter(|page| is_taught(*page)).collect::<Vec<_>>(),
                |taught, page| (page, taught.iter().any(|other| pages[*other].1 == pages[page].1)),
            );
            let expected: Vec<_> = (0..pages.len()).map(|page| (page, false)).collect();
            prop_assert_eq!(judged, expected);
        }

        #[test]
        fn every_fold_has_its_share_of_both_kinds(relevant in 2_u64..20, irrelevant in 2_u64..20, seed: u64) {
            let pages: Vec<_> = (0..relevant + irrelevant).map(|n| (n < relevant, n)).collect();
            let folds = Folds::deal(&pages, 5, seed).unwrap();
            for kind in [true, false] {
                let in_fold = |fold: usize| {
                    let held = pages.iter().zip(&folds.of);
                    held.filter(|((truth, _), of)| *truth == kind && **of == fold).count()
                };
                let sizes: Vec<usize> = (0..folds.count).map(in_fold).collect();
                prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
            }
        }
    }
}
