//! The registry of ordering strategies: one line each.

mod back_links;
mod best_first;
mod best_n_first;
mod block;
mod breadth_first;
mod combined;
mod context_graph;
mod distiller;
mod evidence;
mod fica;
mod fish_search;
mod hard_focus;
mod hawk;
mod info_spiders;
mod opic;
mod otie;
mod p_value;
mod pagerank;
mod path_ascending;
mod shark_search;
mod soft_focus;
mod url_rules;

use gannet_model::Settings;

use crate::interest::Interest;
use crate::order::{Entry, Order, OrderError};

/// Every ordering strategy, by name.
pub const ORDERS: &[Entry] = &[
    back_links::ENTRY,
    best_first::ENTRY,
    best_n_first::ENTRY,
    block::ENTRY,
    breadth_first::ENTRY,
    combined::ENTRY,
    context_graph::ENTRY,
    distiller::ENTRY,
    evidence::ENTRY,
    fica::ENTRY,
    fish_search::ENTRY,
    hard_focus::ENTRY,
    hawk::ENTRY,
    info_spiders::ENTRY,
    opic::ENTRY,
    otie::ENTRY,
    p_value::ENTRY,
    pagerank::ENTRY,
    path_ascending::ENTRY,
    shark_search::ENTRY,
    soft_focus::ENTRY,
    url_rules::ENTRY,
];

/// The strategy used when the user names none.
pub const DEFAULT_ORDER: &str = "evidence";

/// Makes the strategy of this name.
pub fn build_order(
    name: &str,
    interest: &Interest,
    settings: &Settings,
) -> Result<Box<dyn Order>, OrderError> {
    let Some(entry) = ORDERS.iter().find(|entry| entry.name == name) else {
        let known: Vec<_> = ORDERS.iter().map(|entry| entry.name).collect();
        return Err(OrderError::Unknown { name: name.to_owned(), known: known.join(", ") });
    };
    (entry.build)(interest, settings)
        .map_err(|cause| OrderError::Settings { name: name.to_owned(), cause })
}

#[cfg(test)]
mod tests;
