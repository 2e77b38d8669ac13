//! Composes the journey: dispatch, refill, commit, events, shutdown.
