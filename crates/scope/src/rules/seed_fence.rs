//! The built-in rule that keeps a crawl on the seeds' hosts or domains.

use std::fmt;

use gannet_model::PageUrl;

use crate::domain::registrable_name;
use crate::words::WordSet;

use super::{Candidate, Condition};

/// Holds for URLs outside the fence.
#[derive(Debug)]
pub(crate) struct SeedFence {
    ground: Ground,
    /// Domains inside besides the seeds' own.
    also: WordSet,
}

#[derive(Debug)]
enum Ground {
    /// Hosts without a leading `www.`, with ports that are not the scheme's own.
    Hosts(WordSet),
    /// Registrable domains.
    Domains(WordSet),
}

impl SeedFence {
    pub(crate) fn around_hosts(seeds: &[PageUrl], also: WordSet) -> SeedFence {
        let hosts = seeds.iter().map(|url| without_www(Candidate { url, depth: 0 }.host()));
        SeedFence { ground: Ground::Hosts(hosts.collect()), also }
    }

    pub(crate) fn around_domains(seeds: &[PageUrl], also: WordSet) -> SeedFence {
        let domains =
            seeds.iter().map(|url| registrable_name(Candidate { url, depth: 0 }.host_name()));
        SeedFence { ground: Ground::Domains(domains.collect()), also }
    }

    fn is_inside(&self, candidate: &Candidate<'_>) -> bool {
        let is_on_ground = match &self.ground {
            Ground::Hosts(hosts) => hosts.contains(without_www(candidate.host())),
            Ground::Domains(domains) => {
                let name = candidate.host_name();
                // The suffix list costs most of a decision, and most strangers
                // are not even below a seed's domain.
                domains.covers_host(name) && domains.contains(registrable_name(name))
            }
        };
        is_on_ground || (!self.also.is_empty() && self.also.covers_host(candidate.host_name()))
    }
}

/// `www.example.org` and `example.org` are one site to whoever wrote the seed.
fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

impl Condition for SeedFence {
    fn holds(&self, candidate: &Candidate<'_>) -> bool {
        !self.is_inside(candidate)
    }
}

impl fmt::Display for SeedFence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.ground {
            Ground::Hosts(hosts) => write!(f, "its host is not a seed's ({hosts})")?,
            Ground::Domains(domains) => {
                write!(f, "its registrable domain is not a seed's ({domains})")?;
            }
        }
        if !self.also.is_empty() {
            write!(f, " and not in the domain {}", self.also)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fence: &SeedFence, url: &str, is_inside: bool) {
        let url = PageUrl::parse(url).unwrap();
        assert_eq!(!fence.holds(&Candidate { url: &url, depth: 0 }), is_inside, "{url}");
    }

    fn seeds() -> Vec<PageUrl> {
        ["https://www.example.co.uk/a", "http://b.org:8080/"]
            .map(|seed| PageUrl::parse(seed).unwrap())
            .to_vec()
    }

    #[test]
    fn hosts_are_the_seeds_own_with_or_without_www() {
        let fence = SeedFence::around_hosts(&seeds(), ["c.net"].into_iter().collect());
        check(&fence, "http://example.co.uk/", true);
        check(&fence, "http://blog.example.co.uk/", false);
        check(&fence, "http://b.org:8080/x", true);
        check(&fence, "http://b.org/", false);
        check(&fence, "http://x.c.net/", true);
    }

    #[test]
    fn domains_are_what_was_registered() {
        let fence = SeedFence::around_domains(&seeds(), WordSet::default());
        check(&fence, "http://blog.example.co.uk/", true);
        check(&fence, "http://other.co.uk/", false);
        check(&fence, "http://b.org/", true);
    }

    #[test]
    fn other_owners_below_a_public_suffix_are_outside() {
        let seeds = [PageUrl::parse("https://github.io/").unwrap()];
        let fence = SeedFence::around_domains(&seeds, WordSet::default());
        check(&fence, "https://github.io/x", true);
        check(&fence, "https://someone.github.io/", false);
    }
}
