//! Memory of the crawl: pages, sites, history, backlog.
