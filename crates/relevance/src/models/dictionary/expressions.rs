//! Which of many regular expressions occur in a text, and how often.
//!
//! One automaton of all expressions reads the text once and tells which may
//! occur; only those are then matched one by one. The automaton leaves out
//! word edges (`\b`), which it could not tell in texts beyond ASCII: it may
//! name an expression that does not occur, never miss one that does. Where a
//! text is made to need more states than there is room for, the automaton
//! gives up and every expression is tried, each in time proportional to the
//! text.

use std::ops::Range;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::OnceLock;

use gannet_model::SettingsError;
use regex::Regex;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::util::pool::Pool;
use regex_automata::{Input, MatchKind, PatternSet};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind, Look, Repetition};

use crate::patterns;
use crate::topic::Pattern;

/// Bytes that all expressions of a topic may take in one automaton: room for ten thousand plain
/// ones, or four hundred that are full of `\w` in all the world's scripts.
pub(super) const SIZE_LIMIT: usize = 16 << 20;
/// Bytes that each thread may take for the automaton's states met so far.
const ROOM_FOR_STATES: usize = 8 << 20;
/// How often that room may be used up before the automaton gives up on a text in which it
/// makes no headway.
const CLEARINGS: usize = 3;
/// Headway is at least this many bytes of text for each new state.
const HEADWAY: usize = 10;

/// Regular expressions by their places.
pub(super) struct Expressions {
    given: Vec<String>,
    /// Each by itself, made ready when it may occur for the first time; `None` if it cannot be.
    alone: Vec<OnceLock<Option<Regex>>>,
    sieve: DFA,
    caches: Pool<Cache, MakeCache>,
}

type MakeCache = Box<dyn Fn() -> Cache + Send + Sync + UnwindSafe + RefUnwindSafe>;

impl Expressions {
    /// Makes the expressions ready.
    pub(super) fn new(patterns: &[Pattern]) -> Result<Expressions, SettingsError> {
        let bare: Vec<Hir> = patterns
            .iter()
            .map(|pattern| {
                let parsed = ParserBuilder::new().case_insensitive(true).build();
                let parsed = { parsed }.parse(&pattern.regex);
                parsed.map(|hir| without_word_edges(&hir)).map_err(|error| {
                    let regex = &pattern.regex;
                    SettingsError::because(format!("the pattern {regex:?} is wrong: {error}"))
                })
            })
            .collect::<Result<_, _>>()?;
        let sieve = sieve(&bare, SIZE_LIMIT)?;
        let engine = sieve.clone();
        Ok(Expressions {
            given: patterns.iter().map(|pattern| pattern.regex.clone()).collect(),
            alone: patterns.iter().map(|_| OnceLock::new()).collect(),
            caches: Pool::new(Box::new(move || engine.create_cache()) as MakeCache),
            sieve,
        })
    }

    /// Calls `visit` with each expression that occurs, by its place, and how often it does.
    pub(super) fn count(&self, text: &str, mut visit: impl FnMut(usize, usize)) {
        for expression in self.candidates(text) {
            let occurrences =
                self.alone(expression).map_or(0, |regex| regex.find_iter(text).count());
            if occurrences > 0 {
                visit(expression, occurrences);
            }
        }
    }

    /// Calls `visit` with each expression that occurs and where it does.
    pub(super) fn places(&self, text: &str, mut visit: impl FnMut(usize, Range<usize>)) {
        for expression in self.candidates(text) {
            let found = self.alone(expression).into_iter().flat_map(|regex| regex.find_iter(text));
            found.for_each(|found| visit(expression, found.range()));
        }
    }

    /// Every expression that occurs, and perhaps some that do not.
    fn candidates(&self, text: &str) -> Vec<usize> {
        let mut candidates = PatternSet::new(self.given.len());
        let mut cache = self.caches.get();
        let outcome = self.sieve.try_which_overlapping_matches(
            &mut cache,
            &Input::new(text),
            &mut candidates,
        );
        match outcome {
            Ok(()) => candidates.iter().map(|expression| expression.as_usize()).collect(),
            Err(_) => (0..self.given.len()).collect(),
        }
    }

    fn alone(&self, expression: usize) -> Option<&Regex> {
        let ready = || patterns::compile(&self.given[expression]).ok();
        self.alone[expression].get_or_init(ready).as_ref()
    }
}

fn sieve(bare: &[Hir], size_limit: usize) -> Result<DFA, SettingsError> {
    let config = thompson::Config::new()
        .nfa_size_limit(Some(size_limit))
        .which_captures(WhichCaptures::None);
    let nfa: NFA =
        thompson::Compiler::new().configure(config).build_many_from_hir(bare).map_err(|error| {
            SettingsError::because(match error.size_limit() {
                None => format!("the topic's patterns cannot be used together: {error}"),
                Some(limit) => format!(
                    "the topic's {} patterns take more than {limit} bytes once compiled; write \
                     plain keywords where you can, of which there may be any number, and less of \
                     \\w, \\s, \\d and repetition",
                    bare.len()
                ),
            })
        })?;
    let config = DFA::config()
        .match_kind(MatchKind::All)
        .cache_capacity(ROOM_FOR_STATES)
        // A large automaton gets the least room in which it works.
        .skip_cache_capacity_check(true)
        .minimum_cache_clear_count(Some(CLEARINGS))
        .minimum_bytes_per_state(Some(HEADWAY));
    DFA::builder().configure(config).build_from_nfa(nfa).map_err(|error| {
        SettingsError::because(format!("the topic's patterns cannot be used together: {error}"))
    })
}

/// The expression without `\b`, `\B` and the like: it matches wherever the expression does.
fn without_word_edges(hir: &Hir) -> Hir {
    match hir.kind() {
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => hir.clone(),
        HirKind::Look(Look::Start | Look::End) => hir.clone(),
        HirKind::Look(Look::StartLF | Look::EndLF | Look::StartCRLF | Look::EndCRLF) => hir.clone(),
        HirKind::Look(_) => Hir::empty(),
        HirKind::Repetition(repeated) => Hir::repetition(Repetition {
            sub: Box::new(without_word_edges(&repeated.sub)),
            ..repeated.clone()
        }),
        HirKind::Capture(group) => without_word_edges(&group.sub),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(without_word_edges).collect()),
        HirKind::Alternation(ways) => {
            Hir::alternation(ways.iter().map(without_word_edges).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn expressions(given: &[&str]) -> Result<Expressions, SettingsError> {
        let pattern = |regex: &&str| Pattern { regex: (*regex).to_owned(), weight: 1.0 };
        Expressions::new(&given.iter().map(pattern).collect::<Vec<_>>())
    }

    #[track_caller]
    fn check(given: &[&str], text: &str, expected: &[(usize, usize)]) {
        let mut found = Vec::new();
        expressions(given).unwrap().count(text, |place, count| found.push((place, count)));
        assert_eq!(found, expected);
    }

    #[test]
    fn expressions_are_found_whatever_their_case_and_counted() {
        check(&["gannet(s|ry)?", "petrel"], "Gannets, GANNETRY", &[(0, 2)]);
        check(&[r"at least \d+ years"], "at least 5 years, at least 10 Years", &[(0, 2)]);
        check(&["aa"], "aaaa", &[(0, 2)]);
        check(&["x"], "", &[]);
    }

    #[test]
    fn word_edges_hold_in_every_script() {
        check(&[r"\bdive\b"], "dived, redive", &[]);
        check(&[r"\bdive\b"], "Ein Ereignis: dive!", &[(0, 1)]);
        check(&[r"\bétés?\b"], "L’été, les étés, sociétés", &[(0, 2)]);
        check(&[r"ve\B"], "dive dived", &[(0, 1)]);
        check(&["^dive", "dive$"], "dive bar", &[(0, 1)]);
    }

    #[test]
    fn too_many_large_expressions_are_refused_with_the_limit() {
        let large: Vec<String> = (0..1_000).map(|at| format!(r"\w{{9}}{at}\w{{9}}\s+")).collect();
        let large: Vec<&str> = large.iter().map(String::as_str).collect();
        let Err(error) = expressions(&large) else { panic!("they cannot fit") };
        assert!(error.to_string().contains(&SIZE_LIMIT.to_string()), "{error}");
        assert!(error.to_string().contains("1000 patterns"), "{error}");
    }

    /// An automaton of this needs a state for each of the last twenty letters' kinds.
    #[test]
    fn a_text_that_needs_endless_states_is_read_all_the_same() {
        let given = [r"a[ab]{20}c", r"b[ab]{20}d", "gannet"];
        let mut letters = 1_u64;
        let text: String = (0..60_000)
            .map(|_| {
                letters = letters.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if letters >> 63 == 0 { 'a' } else { 'b' }
            })
            .collect();
        check(&given, &format!("{text}c gannet"), {
            let is_a = text.as_bytes()[text.len() - 21] == b'a';
            if is_a { &[(0, 1), (2, 1)] } else { &[(2, 1)] }
        });
    }

    proptest! {
        #[test]
        fn together_they_find_what_each_finds_alone(
            given in prop::collection::vec(
                r"(\\b|\^)?[abé](\\w\{1,2\}|[ab]\?|\\B|\\s|\(a\|bé\)|\\d\+)?[abé](\\b|\$)?", 1..5),
            text in "[abAé 1\n]{0,30}",
        ) {
            let given: Vec<&str> = given.iter().map(String::as_str).collect();
            let mut found = Vec::new();
            expressions(&given).unwrap().count(&text, |place, count| found.push((place, count)));
            let alone = given.iter().map(|one| {
                patterns::compile(one).unwrap().find_iter(&text).count()
            });
            let alone: Vec<_> = alone.enumerate().filter(|(_, count)| *count > 0).collect();
            prop_assert_eq!(found, alone);
        }
    }
}
