//! The program as users meet it: the real binary against a synthetic web on loopback.

mod configuring;
mod crawling;
mod looking;
mod stopping;
mod world;
