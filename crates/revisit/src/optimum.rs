//! How a budget of visits is best split over pages whose rates of change are known.
//!
//! Each optimum has the form "as many visits as the page earns at this price": a function from
//! page and price to visits a day, and one price for all that makes them add up to the budget.
//! A visit more brings the same on every page that gets any: that is Lagrange's condition, and each
//! form below solves it for the visits.

use std::cmp::Ordering;

/// What a page asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// Changes a day; above 0.
    pub rate: f64,
    /// How much its freshness matters; 0 or more.
    pub weight: f64,
}

/// Visits a day, evenly spaced, that keep the copy fresh for the most time: none for a page that
/// is hopeless at this price (Cho and Garcia-Molina 2003).
pub fn binary_even(page: Demand, price: f64) -> f64 {
    if page.weight <= 0.0 {
        return 0.0;
    }
    let claim = price * page.rate / page.weight;
    if claim >= 1.0 { 0.0 } else { page.rate / binary_wait(claim) }
}

/// Visits a day, evenly spaced, that keep the number of unseen changes low, each counting less
/// than the one before. No page of any weight is left out.
pub fn harmonic_even(page: Demand, price: f64) -> f64 {
    if page.weight <= 0.0 {
        return 0.0;
    }
    page.rate / harmonic_wait(price * page.rate / page.weight)
}

/// Visits a day at random times that keep the copy fresh for the most time, and no fewer than
/// `floor` (Azar and others 2018; with a floor Kolobov and others 2019).
pub fn binary_random(page: Demand, price: f64, floor: f64) -> f64 {
    ((page.weight * page.rate / price).sqrt() - page.rate).max(floor)
}

/// Visits a day at random times that keep the number of unseen changes low (Kolobov and others
/// 2019, LambdaCrawl for pages that nobody notifies of).
pub fn harmonic_random(page: Demand, price: f64) -> f64 {
    // Written so that a high price does not take the difference of two equal numbers.
    let gain = 4.0 * page.weight * page.rate / price;
    gain / (2.0 * ((page.rate * page.rate + gain).sqrt() + page.rate))
}

/// Steps of Newton's method that reach full precision from the bounds used as starts.
const NEWTON_STEPS: u32 = 5;

/// Below this the first terms of the series are exact enough.
const TINY_CLAIM: f64 = 1e-9;

/// `x` with `1 − (1 + x)·e^−x = claim`: `−1 − W₋₁(−(1 − claim)/e)`, the lower branch of Lambert's
/// function, for a claim from 0 to 1.
pub fn binary_wait(claim: f64) -> f64 {
    let depth = -(-claim).ln_1p();
    // Chatzigeorgiou's lower bound for the branch is a start within a few percent everywhere.
    let mut wait = (2.0 * depth).sqrt() + 2.0 * depth / 3.0;
    if claim < TINY_CLAIM {
        return wait;
    }
    for _ in 0..NEWTON_STEPS {
        wait -= (wait - wait.ln_1p() - depth) * (1.0 + wait) / wait;
    }
    wait
}

/// Above this claim the wait is all but `1 + claim`.
const LARGE_CLAIM: f64 = 2.0;

/// `x` with `x − 1 + e^−x = claim`: `1 + claim + W₀(−e^−(1 + claim))`, the main branch.
pub fn harmonic_wait(claim: f64) -> f64 {
    let near_zero = (2.0 * claim).sqrt() + claim / 3.0;
    if claim < TINY_CLAIM {
        return near_zero;
    }
    let mut wait = if claim < LARGE_CLAIM { near_zero } else { 1.0 + claim };
    for _ in 0..NEWTON_STEPS {
        let unseen = -(-wait).exp_m1();
        wait -= (wait - unseen - claim) / unseen;
    }
    wait
}

/// The price at which [`binary_random`] with this floor spends the budget, exactly, in
/// O(n log n): pages leave the floor in the order of what they gain there.
pub fn binary_random_price(pages: &[Demand], budget: f64, floor: f64) -> f64 {
    let earns = |page: &Demand| {
        let above = page.rate + floor;
        page.weight * page.rate / (above * above)
    };
    let mut order: Vec<(f64, Demand)> = pages.iter().map(|page| (earns(page), *page)).collect();
    order.sort_unstable_by(|one, other| one.0.partial_cmp(&other.0).unwrap_or(Ordering::Equal));
    let mut roots: f64 = pages.iter().map(|page| (page.weight * page.rate).sqrt()).sum();
    let mut rates: f64 = pages.iter().map(|page| page.rate).sum();
    let mut left = budget;
    for (gain, page) in order {
        let price = (roots / (left + rates)).powi(2);
        if gain > price {
            return price;
        }
        roots = (roots - (page.weight * page.rate).sqrt()).max(0.0);
        rates -= page.rate;
        left -= floor;
    }
    f64::INFINITY
}

/// How far a bracket is widened at a time, in the logarithm of the price.
const WIDEN: f64 = 1.5;

/// No price lies beyond this, in its logarithm: larger ones are not numbers any more.
const FARTHEST: f64 = 700.0;

/// Steps of the search for a price, widening and narrowing.
const MOST_STEPS: u32 = 200;

/// A price is good enough when it spends the budget to this share.
const GOOD_ENOUGH: f64 = 1e-7;

/// The price at which `visits`, falling with the price, add up to the budget. `start` is a guess,
/// such as the price of yesterday: with a good one a few sums over all pages are enough.
pub fn price_for(
    pages: &[Demand],
    budget: f64,
    start: Option<f64>,
    visits: impl Fn(Demand, f64) -> f64,
) -> f64 {
    let excess = |log_price: f64| {
        let price = log_price.exp();
        let spent: f64 = pages.iter().map(|page| visits(*page, price)).sum();
        (spent / budget).ln()
    };
    let usable = start.filter(|price| price.is_finite() && *price > 0.0);
    let mut low = usable.unwrap_or(1.0).ln();
    let mut low_excess = excess(low);
    let (mut high, mut high_excess) = (low, low_excess);
    let mut width = if usable.is_some() { WIDEN / 30.0 } else { WIDEN };
    for _ in 0..MOST_STEPS {
        if low_excess < 0.0 {
            (high, high_excess) = (low, low_excess);
            low -= width;
            low_excess = excess(low);
        } else if high_excess > 0.0 {
            (low, low_excess) = (high, high_excess);
            high += width;
            high_excess = excess(high);
        } else {
            break;
        }
        // No price spends the budget when no page weighs anything.
        if low < -FARTHEST || high > FARTHEST {
            break;
        }
        width *= 2.0;
    }
    narrow((low, low_excess), (high, high_excess), excess).exp()
}

/// The zero of a falling function between two places around it: the secant's crossing, with the
/// end that stays halved so that both ends move (Illinois).
fn narrow(mut low: (f64, f64), mut high: (f64, f64), excess: impl Fn(f64) -> f64) -> f64 {
    let mut kept_low = 0_i32;
    for _ in 0..MOST_STEPS {
        if low.1.abs() <= GOOD_ENOUGH {
            return low.0;
        }
        if high.1.abs() <= GOOD_ENOUGH {
            return high.0;
        }
        let is_bounded = low.1.is_finite() && high.1.is_finite();
        let crossing = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
        let middle = if is_bounded { crossing } else { f64::midpoint(low.0, high.0) };
        let value = excess(middle);
        if value.abs() <= GOOD_ENOUGH || middle == low.0 || middle == high.0 {
            return middle;
        }
        if value > 0.0 {
            low = (middle, value);
            kept_low = kept_low.min(0) - 1;
            if kept_low < -1 {
                high.1 /= 2.0;
            }
        } else {
            high = (middle, value);
            kept_low = kept_low.max(0) + 1;
            if kept_low > 1 {
                low.1 /= 2.0;
            }
        }
    }
    f64::midpoint(low.0, high.0)
}

#[cfg(test)]
#[path = "optimum_tests.rs"]
mod tests;
