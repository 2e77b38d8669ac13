//! Bytes to meaning: charset, blocks, text, links.
