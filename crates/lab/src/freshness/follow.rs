//! What visits that somebody else made came to, and what the default policy would have done.

use gannet_revisit::DEFAULT_POLICY;

use super::contestant::Contestant;
use super::population::Population;
use super::run::{RunError, simulate};
use super::score::{Figures, Score};

/// How fresh visits kept the pages: each a page and a day, those of one page in order.
pub fn follow(population: &Population, visits: &[(u32, f64)]) -> Figures {
    let mut score = Score::new(population);
    for (page, day) in visits {
        score.slot(*day);
        score.visit(*page, *day);
    }
    score.finish()
}

/// How fresh the default policy keeps the pages with so many visits a day.
pub fn replay_schedule(population: &Population, visits_per_day: f64) -> Result<Figures, RunError> {
    simulate(&Contestant::named(DEFAULT_POLICY), population, &[], visits_per_day)
}
