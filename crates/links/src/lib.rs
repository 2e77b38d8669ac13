//! What is a link worth? Every ordering strategy.
