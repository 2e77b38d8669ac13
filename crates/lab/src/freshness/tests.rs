//! The protocol keeps its promises, on made-up pages and on recorded ones where they are there.

use super::*;
