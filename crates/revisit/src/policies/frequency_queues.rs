//! Queues by how long a page stays as it is; queue n has its turn every n² units of time.
//!
//! After the frequency-regulated queues that Kumar and others survey (Dixit and Sharma 2010). A
//! page's refresh time is the mean time between changes that were seen, old ones counting less; it
//! stands in the queue whose turns come as far apart. The papers' unit of 20 µs cannot be meant for
//! single pages; here it is a day.
//!
//! **Choose it when** there are to be few, plain classes of waits. **Cost:** O(1) a visit.
//! **Weakness:** waits that equal the time between changes: visits in proportion to the rate.

use gannet_model::SettingsError;
use serde::{Deserialize, Serialize};

use crate::entry::Entry;
use crate::interval::{Interval, Rule, Sight};
use crate::limits;
use crate::policy::Facts;

pub(crate) const ENTRY: Entry = Entry {
    name: "frequency-queues",
    summary: "queues by time between changes; queue n has its turn every n² days",
    settings: "unit_days = 1.0\nqueues = 10\nfirst_queue = 3\nmemory = 0.9",
    may_starve: false,
    build: |settings| {
        let config: Config = settings.read()?;
        config.check()?;
        Ok(Box::new(Interval::new(FrequencyQueues(config))))
    },
};

/// `[revisit.frequency-queues]`
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    /// The time between two turns of the first queue.
    unit_days: f64,
    /// How many queues there are.
    queues: u32,
    /// Where a new page stands.
    first_queue: u32,
    /// How much of what was seen before counts after each visit.
    memory: f64,
}

impl Default for Config {
    fn default() -> Config {
        Config { unit_days: 1.0, queues: 10, first_queue: 3, memory: 0.9 }
    }
}

impl Config {
    fn check(&self) -> Result<(), SettingsError> {
        limits::positive("unit_days", self.unit_days)?;
        limits::at_least_one("queues", self.queues)?;
        let is_right = (1..=self.queues).contains(&self.first_queue);
        let right = format!("a whole number from 1 to {}, which is `queues`", self.queues);
        limits::refuse_unless(is_right, "first_queue", self.first_queue, &right)?;
        limits::share("memory", self.memory)
    }
}

struct FrequencyQueues(Config);

/// What was seen of a page, old visits counting less.
#[derive(Serialize, Deserialize)]
struct Note {
    days: f64,
    changes: f64,
}

impl FrequencyQueues {
    fn turn(&self, queue: f64) -> f64 {
        queue * queue * self.0.unit_days
    }

    /// The queue whose turns are as far apart as changes are; the last one without a change.
    fn queue(&self, note: &Note) -> f64 {
        let last = f64::from(self.0.queues);
        (note.days / note.changes / self.0.unit_days).sqrt().round().clamp(1.0, last)
    }
}

impl Rule for FrequencyQueues {
    type Note = Note;

    fn first(&mut self, _facts: &Facts<'_>) -> (Note, f64) {
        (Note { days: 0.0, changes: 0.0 }, self.turn(f64::from(self.0.first_queue)))
    }

    fn next(&mut self, note: &mut Note, sight: &Sight<'_>) -> f64 {
        // A change happened some time before it was seen, half-way in the mean.
        let quiet = if sight.has_changed() { sight.elapsed / 2.0 } else { sight.elapsed };
        note.days = note.days * self.0.memory + quiet;
        note.changes = note.changes * self.0.memory + f64::from(u8::from(sight.has_changed()));
        if note.changes > 0.0 {
            return self.turn(self.queue(note));
        }
        // No change was seen yet: down one queue with each visit.
        let queue = (sight.wait / self.0.unit_days).sqrt().round() + 1.0;
        self.turn(queue.min(f64::from(self.0.queues)))
    }

    fn bounds(&self) -> (f64, f64) {
        (self.0.unit_days.min(1.0), self.turn(f64::from(self.0.queues)))
    }
}

#[cfg(test)]
mod tests {
    use crate::fixture::{Bench, close};
    use crate::policy::Saw;

    #[test]
    fn turns_are_the_square_of_the_queue_apart() {
        let mut bench = Bench::new("frequency-queues", "");
        close(bench.admit(), 9.0);
        close(bench.visit(Saw::Same), 16.0);
        close(bench.visit(Saw::Same), 25.0);
        // 9·0.81 + 16·0.9 + 25/2 days for a change: queue 6.
        close(bench.visit(Saw::Changed), 36.0);
    }

    #[test]
    fn a_page_that_always_changes_climbs_to_the_first_queue() {
        let mut bench = Bench::new("frequency-queues", "");
        bench.admit();
        let last = (0..60).map(|_| bench.visit(Saw::Changed)).last();
        assert_eq!(last, Some(1.0));
    }
}
