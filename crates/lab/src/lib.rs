//! Experiments on recorded and synthetic webs, on a virtual clock.
