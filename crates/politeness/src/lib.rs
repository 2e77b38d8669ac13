//! May we contact it now? Gate, pace, back-off, robots.
