//! One choice of the taxonomy: a naive Bayes classifier between sets of classes.
//!
//! Its terms are those that tell the sets apart best by the Fisher index
//! (Chakrabarti et al. 1998): the distance between the sets' mean frequencies
//! over the spread within them. All other words together are one more term, so
//! that a page with few telling words says something too.
//!
//! Every page counts the same, however long, and every set is smoothed by the
//! same number of pages drawn from all sets. Plain Laplace smoothing, which adds
//! one to each count, makes words that a set of few pages has never seen look
//! more likely there than in a set of many.

/// A page for training: how large a share of its words each term is, by its number.
pub(super) type Sample = Vec<(u32, f32)>;

/// What a choice learns one of its sets from.
#[derive(Clone, Debug, Default)]
pub(super) struct Lore<'a> {
    /// Pages about it.
    pub(super) pages: Vec<&'a Sample>,
    /// The share of a page's words that each of its keywords is thought to be.
    pub(super) keywords: Vec<(u32, f32)>,
    /// How often terms that are no keywords stand here, beside everywhere.
    pub(super) rarity: f32,
    /// How likely a page is about it before a word is read.
    pub(super) prior: f32,
}

/// A trained choice.
#[derive(Clone, Debug, Default)]
pub(super) struct Bayes {
    /// One more than the place of each term, by its number; 0 for those that it does not look at.
    places: Vec<u32>,
    /// `ln θ` of each term that it looks at less that of all other words, for each set.
    log_shares: Vec<Vec<f32>>,
    /// `ln θ` of all other words, for each set.
    log_rests: Vec<f32>,
    log_priors: Vec<f32>,
}

/// How many pages the keywords of a set count for.
const KEYWORD_PAGES: f32 = 2.0;
/// By how many pages drawn from all sets each set is smoothed.
const SMOOTHING_PAGES: f32 = 1.0;
/// A keyword is at least so many times as common on pages about it as everywhere.
pub(super) const LIFT: f32 = 3.0;
/// How many times rarer a keyword is everywhere than on pages about it, where no page is known.
const UNTAUGHT_LIFT: f32 = 30.0;
/// The spread that every term is granted, lest one met once look certain: that of a term that is
/// one word in a thousand on one page and absent on the next.
const LEAST_SPREAD: f32 = 1e-6;
/// The share of words below which no term falls.
const LEAST_SHARE: f32 = 1e-6;

impl Bayes {
    /// Learns to choose between sets by at most `most` of the terms numbered below `terms`.
    pub(super) fn train(sets: &[Lore<'_>], terms: usize, most: usize) -> Bayes {
        let everywhere = everywhere(sets, terms);
        let moments: Vec<Moments> = sets.iter().map(|set| Moments::of(set, &everywhere)).collect();
        let mut ranked: Vec<(usize, f32)> =
            (0..terms).map(|term| (term, fisher_index(&moments, term))).collect();
        ranked.retain(|(_, index)| *index > 0.0);
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked.truncate(most);
        let mut bayes = Bayes { places: vec![0; terms], ..Bayes::default() };
        for ((term, _), place) in ranked.iter().zip(1..) {
            bayes.places[*term] = place;
        }
        for (set, lore) in moments.iter().zip(sets) {
            let shares = ranked.iter().map(|(term, _)| smoothed(&moments, set, *term));
            let shares: Vec<f32> = shares.collect();
            let rest = (1.0 - shares.iter().sum::<f32>()).max(LEAST_SHARE).ln();
            bayes.log_shares.push(shares.into_iter().map(|share| share.ln() - rest).collect());
            bayes.log_rests.push(rest);
            bayes.log_priors.push(lore.prior.ln());
        }
        bayes
    }

    /// What the words of a page say: `Σ n_t·ln θ_t` for each set.
    pub(super) fn evidence(&self, counts: &[(u32, u32)], length: u32) -> Vec<f32> {
        let mut sums: Vec<f32> = self.log_rests.iter().map(|rest| rest * length as f32).collect();
        for (term, count) in counts {
            let Some(place) = self.places[*term as usize].checked_sub(1) else { continue };
            for (sum, shares) in sums.iter_mut().zip(&self.log_shares) {
                *sum += *count as f32 * shares[place as usize];
            }
        }
        sums
    }

    /// The probability of each set, given what the words say and how loud they speak.
    pub(super) fn posteriors(&self, evidence: &[f32], scale: f32) -> Vec<f32> {
        let logs = evidence.iter().zip(&self.log_priors);
        softmax(&logs.map(|(sum, prior)| prior + scale * sum).collect::<Vec<_>>())
    }

    /// What one occurrence of a term says for the first set, beside the mean of the others, and
    /// the term's share of that set's words; `None` for terms that it does not look at.
    pub(super) fn weight(&self, term: u32) -> Option<(f32, f32)> {
        let place = self.places[term as usize].checked_sub(1)? as usize;
        let of = |set: usize| self.log_shares[set][place] + self.log_rests[set];
        let others = self.log_shares.len() - 1;
        let sum: f32 = (1..=others).map(of).sum();
        Some((of(0) - sum / others as f32, of(0).exp()))
    }

    /// True when it looks at this term.
    pub(super) fn looks_at(&self, term: u32) -> bool {
        self.places[term as usize] > 0
    }

    /// The same choice with only these terms, numbered by their places.
    pub(super) fn renumbered(mut self, kept: &[u32]) -> Bayes {
        self.places = kept.iter().map(|term| self.places[*term as usize]).collect();
        self
    }
}

/// The share of a term in a set, drawn towards its share in all sets.
fn smoothed(all: &[Moments], set: &Moments, term: usize) -> f32 {
    let mean = all.iter().map(|set| set.mean[term]).sum::<f32>() / all.len() as f32;
    let sum = set.mean[term] * set.pages + mean * SMOOTHING_PAGES;
    (sum / (set.pages + SMOOTHING_PAGES)).max(LEAST_SHARE)
}

/// The share of each term in the pages of all sets, each page counting the same.
fn everywhere(sets: &[Lore<'_>], terms: usize) -> Vec<f32> {
    let pages: usize = sets.iter().map(|set| set.pages.len()).sum();
    let mut shares = vec![0.0; terms];
    for (term, share) in sets.iter().flat_map(|set| &set.pages).flat_map(|page| page.iter()) {
        shares[*term as usize] += share / pages as f32;
    }
    for (term, share) in sets.iter().flat_map(|set| &set.keywords) {
        let known = &mut shares[*term as usize];
        *known = known.max(share / UNTAUGHT_LIFT);
    }
    shares
}

/// Mean and spread of each term's share in a set.
struct Moments {
    /// How many pages they are drawn from, keywords included.
    pages: f32,
    mean: Vec<f32>,
    spread: Vec<f32>,
}

impl Moments {
    /// Keywords count as a few pages on which all other terms stand as they do everywhere.
    fn of(set: &Lore<'_>, everywhere: &[f32]) -> Moments {
        let pages = set.pages.len() as f32;
        let (mut mean, mut spread) = (vec![0.0; everywhere.len()], vec![0.0; everywhere.len()]);
        for (term, share) in set.pages.iter().flat_map(|page| page.iter()) {
            mean[*term as usize] += share / pages;
            spread[*term as usize] += share * share / pages;
        }
        let mut thought: Vec<f32> = everywhere.iter().map(|share| share * set.rarity).collect();
        for (term, share) in &set.keywords {
            thought[*term as usize] = share.max(LIFT * everywhere[*term as usize]);
        }
        let all = pages + KEYWORD_PAGES;
        for ((mean, spread), thought) in mean.iter_mut().zip(&mut spread).zip(thought) {
            *spread = (*spread - *mean * *mean).max(0.0);
            *mean = (*mean * pages + thought * KEYWORD_PAGES) / all;
        }
        Moments { pages: all, mean, spread }
    }
}

/// How well a term tells sets apart.
fn fisher_index(sets: &[Moments], term: usize) -> f32 {
    let mut between = 0.0;
    for (at, one) in sets.iter().enumerate() {
        for other in &sets[at + 1..] {
            let distance = one.mean[term] - other.mean[term];
            between += distance * distance;
        }
    }
    let within: f32 = sets.iter().map(|set| set.spread[term]).sum();
    between / (within + LEAST_SPREAD)
}

/// Probabilities of their logarithms, which may lack the same summand.
fn softmax(logs: &[f32]) -> Vec<f32> {
    let highest = logs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let odds: Vec<f32> = logs.iter().map(|log| (log - highest).exp()).collect();
    let sum: f32 = odds.iter().sum();
    odds.into_iter().map(|odds| odds / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lore<'a>(pages: &'a [Sample], keywords: &[(u32, f32)]) -> Lore<'a> {
        Lore { pages: pages.iter().collect(), keywords: keywords.to_vec(), rarity: 1.0, prior: 0.5 }
    }

    #[track_caller]
    fn check(found: f32, expected: f32) {
        assert!((found - expected).abs() < 1e-3, "{found} is not {expected}");
    }

    #[test]
    fn a_term_is_smoothed_towards_all_sets() {
        let bayes = Bayes::train(&[lore(&[], &[(0, 0.03)]), lore(&[], &[])], 1, 9);
        // 0.03 beside 0.001 everywhere; two pages each and one of their mean, 0.0155.
        let (own, other) = ((2.0 * 0.03 + 0.0155) / 3.0, (2.0 * 0.001 + 0.0155) / 3.0);
        let (weight, share) = bayes.weight(0).unwrap();
        check(share, own);
        check(weight, (own / other).ln());
        let evidence = bayes.evidence(&[(0, 2)], 10);
        check(evidence[0], 2.0 * own.ln() + 8.0 * (1.0 - own).ln());
        check(evidence[1], 2.0 * other.ln() + 8.0 * (1.0 - other).ln());
    }

    #[test]
    fn terms_that_tell_the_sets_apart_are_chosen() {
        // Term 0 is always more frequent in the first set, term 1 on one page only, term 2 nowhere.
        let first = [vec![(0, 0.02), (1, 0.1), (2, 0.05)], vec![(0, 0.02), (2, 0.05)]];
        let second = [vec![(2, 0.05)], vec![(2, 0.05)]];
        let sets = [lore(&first, &[]), lore(&second, &[])];
        let looks_at = |most: usize| {
            let bayes = Bayes::train(&sets, 3, most);
            (0..3).filter(|term| bayes.looks_at(*term)).collect::<Vec<_>>()
        };
        assert_eq!(looks_at(1), [0]);
        assert_eq!(looks_at(9), [0, 1]);
    }

    #[test]
    fn a_keyword_common_everywhere_still_speaks_for_its_set() {
        let pages = [vec![(0, 0.05)], vec![(0, 0.05)]];
        let bayes = Bayes::train(&[lore(&[], &[(0, 0.01)]), lore(&pages, &[])], 1, 9);
        assert!(bayes.weight(0).unwrap().0 > 0.0);
    }

    #[test]
    fn terms_keep_what_they_say_when_numbered_anew() {
        let first = [vec![(3, 0.1)]];
        let bayes = Bayes::train(&[lore(&first, &[]), lore(&[vec![]], &[])], 5, 9);
        let weight = bayes.weight(3);
        assert_eq!(bayes.renumbered(&[3]).weight(0), weight);
    }

    proptest! {
        #[test]
        fn probabilities_sum_to_one(
            pages in prop::collection::vec(prop::collection::vec((0_u32..6, 0.0_f32..0.1), 0..6), 0..8),
            counts in prop::collection::vec((0_u32..6, 1_u32..50), 0..6),
            scale in 0.0_f32..1.0
        ) {
            let (first, second) = pages.split_at(pages.len() / 2);
            let sets = [lore(first, &[(0, 0.03)]), lore(second, &[]), lore(&[], &[(1, 0.03)])];
            let bayes = Bayes::train(&sets, 6, 4);
            let posteriors = bayes.posteriors(&bayes.evidence(&counts, 400), scale);
            prop_assert!((posteriors.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            prop_assert!(posteriors.iter().all(|share| (0.0..=1.0).contains(share)));
        }
    }
}
