//! Evidence: WARC and CDXJ, out and in.
