//! Which URL next? Per-host queues by worth and the table of known URLs; mechanics only.
