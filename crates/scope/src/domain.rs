//! Where a registrant's part of a host name begins.
//!
//! `www.example.co.uk` was registered as `example.co.uk`: the public suffix
//! list says so, not the dots. The list is compiled in; private suffixes
//! (`github.io`) count, since each name below them is another owner's site.

use gannet_model::Host;

/// The registrable domain of a host. Addresses, single labels and public
/// suffixes are themselves.
pub fn registrable_domain(host: &Host) -> &str {
    registrable_name(host.name())
}

/// The same for a bare name: lower case, no port, no trailing dot.
pub(crate) fn registrable_name(name: &str) -> &str {
    if is_address(name) {
        return name;
    }
    psl::domain_str(name).unwrap_or(name)
}

/// True for an IP address as it stands in a URL.
fn is_address(name: &str) -> bool {
    // The URL standard reads a host that ends in a number as IPv4 or refuses it.
    let last = name.rsplit('.').next().unwrap_or(name);
    name.starts_with('[') || (!last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(host: &str, expected: &str) {
        assert_eq!(registrable_domain(&Host::parse(host).unwrap()), expected);
    }

    #[test]
    fn the_suffix_list_decides_not_the_dots() {
        check("www.example.org", "example.org");
        check("a.b.example.co.uk:8080", "example.co.uk");
        check("someone.github.io", "someone.github.io");
        check("a.someone.github.io", "someone.github.io");
        check("www.xn--85x722f.xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn");
    }

    #[test]
    fn addresses_single_labels_and_suffixes_are_themselves() {
        check("10.1.2.3", "10.1.2.3");
        check("[2001:db8::1]:8080", "[2001:db8::1]");
        check("localhost", "localhost");
        check("co.uk", "co.uk");
    }
}
