//! From what numbers to what numbers an axis goes, and which are written on it.

/// An axis from 0 to a round number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    step: f64,
    steps: usize,
}

/// Numbers written on an axis, about.
const TICKS: f64 = 5.0;

impl Axis {
    /// The axis that holds these numbers; up to 1 when there are none.
    pub(super) fn holding(values: impl Iterator<Item = f64>) -> Axis {
        let most = values.filter(|value| value.is_finite()).fold(0.0, f64::max);
        let most = if most > 0.0 { most } else { 1.0 };
        let rough = most / TICKS;
        let magnitude = 10_f64.powf(rough.log10().floor());
        let round = [1.0, 2.0, 5.0, 10.0].into_iter().find(|round| round * magnitude >= rough);
        let step = round.unwrap_or(10.0) * magnitude;
        // Rounding must not cost a step: 1.0 / 0.2 may be a little more than 5.
        Axis { step, steps: ((most / step - 1e-9).ceil() as usize).max(1) }
    }

    /// Where it ends.
    pub(super) fn end(&self) -> f64 {
        self.step * self.steps as f64
    }

    /// How far along the axis a number stands, 0 to 1.
    pub(super) fn share(&self, value: f64) -> f64 {
        (value / self.end()).clamp(0.0, 1.0)
    }

    /// The numbers written on it.
    pub(super) fn ticks(&self) -> impl Iterator<Item = f64> {
        let step = self.step;
        (0..=self.steps).map(move |at| step * at as f64)
    }

    /// How a number is written on it.
    pub(super) fn label(&self, value: f64) -> String {
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        format!("{value:.digits$}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values: &[f64], labels: &[&str]) {
        let axis = Axis::holding(values.iter().copied());
        let written: Vec<_> = axis.ticks().map(|tick| axis.label(tick)).collect();
        assert_eq!(written, labels);
    }

    #[test]
    fn an_axis_ends_at_a_round_number_that_holds_all() {
        check(&[0.3, 1.0], &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check(&[41.0], &["0", "10", "20", "30", "40", "50"]);
        check(&[0.07], &["0.00", "0.02", "0.04", "0.06", "0.08"]);
        check(&[], &["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        check(&[f64::NAN, 1e5], &["0", "20000", "40000", "60000", "80000", "100000"]);
    }

    #[test]
    fn numbers_beyond_the_axis_stand_at_its_ends() {
        let axis = Axis::holding([1.0].into_iter());
        assert_eq!([-1.0, 0.5, 7.0].map(|value| axis.share(value)), [0.0, 0.5, 1.0]);
    }
}
