//! Is this URL ours? Canonical form, registrable domains, ordered rules, traps.
