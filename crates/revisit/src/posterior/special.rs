//! Two functions of the Gamma distribution that the standard library lacks.

/// From here on the asymptotic series of psi is right to twelve digits.
const SERIES_FROM: f64 = 6.0;

/// The derivative of the logarithm of the Gamma function, for `x` above 0.
pub(crate) fn digamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < SERIES_FROM {
        shift -= 1.0 / x;
        x += 1.0;
    }
    let r = 1.0 / (x * x);
    let tail = r * (1.0 / 12.0 - r * (1.0 / 120.0 - r * (1.0 / 252.0 - r * (1.0 / 240.0))));
    shift + x.ln() - 0.5 / x - tail
}

/// Halvings when a quantile is looked for.
const HALVINGS: usize = 80;
/// Quantiles are looked for between these, in logarithms.
const SEARCHED: (f64, f64) = (-700.0, 12.0);

/// The value below which a Gamma variable of shape `a` and unit rate lies with this chance.
pub(crate) fn gamma_quantile(a: f64, chance: f64) -> f64 {
    let (mut low, mut high) = SEARCHED;
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if gamma_share(a, middle.exp()) < chance {
            low = middle;
        } else {
            high = middle;
        }
    }
    low.exp()
}

/// Terms of a series or a fraction at most.
const MOST_TERMS: usize = 500;
/// A term that adds less than this share is the last.
const LAST_TERM: f64 = 1e-12;

/// The chance that a Gamma variable of shape `a` and unit rate lies below `x`.
fn gamma_share(a: f64, x: f64) -> f64 {
    let scale = (a * x.ln() - x - ln_gamma(a)).exp();
    if x < a + 1.0 {
        let mut term = 1.0 / a;
        let mut sum = term;
        for n in 1..MOST_TERMS {
            term *= x / (a + n as f64);
            sum += term;
            if term < sum * LAST_TERM {
                break;
            }
        }
        return (sum * scale).min(1.0);
    }
    // The continued fraction of the other tail, by Lentz's method.
    let mut b = x + 1.0 - a;
    let mut c = f64::MAX;
    let mut d = 1.0 / b;
    let mut h = d;
    for n in 1..MOST_TERMS {
        let n = n as f64;
        let numerator = -n * (n - a);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        let factor = c * d;
        h *= factor;
        if (factor - 1.0).abs() < LAST_TERM {
            break;
        }
    }
    1.0 - (scale * h).min(1.0)
}

/// The logarithm of the Gamma function, by Stirling's series from a shifted argument.
fn ln_gamma(mut x: f64) -> f64 {
    let mut product = 1.0;
    while x < SERIES_FROM {
        product *= x;
        x += 1.0;
    }
    let r = 1.0 / (x * x);
    let tail = (1.0 / 12.0 - r * (1.0 / 360.0 - r * (1.0 / 1260.0 - r / 1680.0))) / x;
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + tail - product.ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-8 * expected.abs().max(1.0), "{found} {expected}");
    }

    #[test]
    fn psi_is_as_in_the_tables() {
        near(digamma(1.0), -0.577_215_664_901_532_9);
        near(digamma(0.5), -1.963_510_026_021_423_5);
        near(digamma(10.0), 2.251_752_589_066_721);
    }

    #[test]
    fn quantiles_are_those_of_the_distribution() {
        near(gamma_quantile(1.0, 0.95), 20_f64.ln());
        near(gamma_quantile(1.0, 0.05), -(0.95_f64).ln());
        near(gamma_share(3.0, gamma_quantile(3.0, 0.3)), 0.3);
        near(ln_gamma(5.0), 24_f64.ln());
        assert!(gamma_quantile(0.1, 0.05) < 1e-10);
    }
}
