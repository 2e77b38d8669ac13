//! The program `gannet`.
fn main() {}
