//! Bring the bytes: http, resolve, limits, decoding.
