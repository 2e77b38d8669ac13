//! The program as users meet it: the real binary against a synthetic web on loopback.

mod configuring;
mod crawling;
mod labelling;
mod looking;
mod measuring;
mod seeding;
mod service;
mod stopping;
mod topics;
mod watching;
mod world;
