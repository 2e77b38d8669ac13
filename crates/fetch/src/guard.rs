//! Which addresses we never talk to.
//!
//! The web must not be able to point us at the machine we run on, the network
//! around it or a cloud's metadata service. The guard looks at addresses only,
//! after names are resolved and again when a connection is opened, so that no
//! spelling and no rebinding of a name gets past it.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;

/// Decides whether an address may be talked to.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    /// What the user allowed although it is not public.
    allowed: Vec<IpNet>,
}

impl Guard {
    /// A guard that lets public addresses and `allowed` ones pass.
    pub fn new(allowed: Vec<IpNet>) -> Guard {
        Guard { allowed }
    }

    /// True when the address may be talked to.
    pub fn permits(&self, address: IpAddr) -> bool {
        self.allowed.iter().any(|net| net.contains(&address)) || is_public(address)
    }
}

/// True for addresses of the open internet.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Follows the IANA IPv4 Special-Purpose Address Registry.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, d] = address.octets();
    let is_special = match a {
        // "This network", private, loopback; multicast, reserved, broadcast.
        0 | 10 | 127 | 224..=255 => true,
        // Shared by carriers (RFC 6598); 100.100.100.200 is a metadata address, too.
        100 => (64..128).contains(&b),
        // Link-local, with the metadata address 169.254.169.254.
        169 => b == 254,
        172 => (16..32).contains(&b),
        // Protocol assignments, documentation, 6to4 relays, private.
        192 => matches!((b, c), (0, 0 | 2) | (88, 99) | (168, _)),
        // Benchmarking (RFC 2544), documentation.
        198 => matches!((b, c), (18 | 19, _) | (51, 100)),
        203 => (b, c) == (0, 113),
        // Azure's wire server: a public number that only answers from inside.
        168 => (b, c, d) == (63, 129, 16),
        _ => false,
    };
    !is_special
}

/// Follows the IANA IPv6 registry: global unicast is `2000::/3` less its
/// exceptions. Forms that carry an IPv4 address are as public as that one.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let embedded = |high: u16, low: u16| {
        is_public_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)))
    };
    match (a, b) {
        // ::ffff:0:0/96 mapped, ::ffff:0:0:0/96 translated. `::/96`, the
        // deprecated compatible form, holds `::` and `::1` and is never routed.
        (0, 0) if (c, d, e, f) == (0, 0, 0, 0xffff) => embedded(g, h),
        (0, 0) if (c, d, e, f) == (0, 0, 0xffff, 0) => embedded(g, h),
        // NAT64, well-known prefix (RFC 6052); 64:ff9b:1::/48 is local use.
        (0x64, 0xff9b) if (c, d, e, f) == (0, 0, 0, 0) => embedded(g, h),
        // 6to4 and Teredo (whose client address is stored inverted).
        (0x2002, _) => embedded(b, c),
        (0x2001, 0) => embedded(c, d) && embedded(!g, !h),
        // Benchmarking, ORCHID and the rest of 2001::/23; documentation.
        (0x2001, 0..0x200 | 0xdb8) => false,
        (0x3fff, 0..0x1000) => false,
        (0x2000..=0x3fff, _) => true,
        // Unspecified, loopback, unique local, link-local, site-local,
        // multicast, and whatever nobody has been given.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(permitted: bool, addresses: &[&str]) {
        for address in addresses {
            let parsed: IpAddr = address.parse().unwrap();
            assert_eq!(Guard::default().permits(parsed), permitted, "{address}");
        }
    }

    #[test]
    fn public_addresses_pass() {
        check(
            true,
            &["1.1.1.1", "93.184.215.14", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1"],
        );
        check(true, &["192.167.1.1", "198.17.1.1", "198.20.1.1", "223.255.255.255", "169.253.0.1"]);
        check(true, &["2606:4700::1111", "2a00:1450:4001::1", "2001:4860:4860::8888"]);
    }

    #[test]
    fn special_ipv4_addresses_are_refused() {
        check(false, &["0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.254"]);
        check(false, &["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"]);
        check(false, &["169.254.169.254", "169.254.170.2", "100.64.0.1", "100.100.100.200"]);
        check(false, &["192.0.0.192", "192.0.2.1", "198.51.100.1", "203.0.113.1", "192.88.99.1"]);
        check(false, &["198.18.0.1", "198.19.255.255", "224.0.0.1", "239.1.1.1", "240.0.0.1"]);
        check(false, &["255.255.255.255", "168.63.129.16"]);
    }

    #[test]
    fn special_ipv6_addresses_are_refused() {
        check(false, &["::", "::1", "fe80::1", "febf::1", "fec0::1", "fc00::1", "fd00:ec2::254"]);
        check(false, &["ff02::1", "2001:db8::1", "3fff::1", "100::1", "5f00::1", "2001:2::1"]);
        check(false, &["64:ff9b:1::1", "4000::1", "2001:10::1"]);
    }

    #[test]
    fn ipv6_forms_are_as_public_as_the_ipv4_address_they_carry() {
        check(
            false,
            &["::ffff:127.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::ffff:0:10.0.0.1"],
        );
        check(
            false,
            &["64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:a00:1::1"],
        );
        // Teredo: server 1.1.1.1, client 10.0.0.1 inverted; then a private server.
        check(false, &["2001:0:101:101:0:0:f5ff:fffe", "2001:0:a00:1:0:0:fefe:fefe"]);
        check(true, &["::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2002:101:101::1"]);
    }

    #[test]
    fn what_the_user_allows_passes_and_nothing_beside_it() {
        let guard = Guard::new(vec!["127.0.1.0/24".parse().unwrap(), "::1/128".parse().unwrap()]);
        assert!(guard.permits("127.0.1.9".parse().unwrap()));
        assert!(guard.permits("::1".parse().unwrap()));
        assert!(!guard.permits("127.0.2.1".parse().unwrap()));
        assert!(!guard.permits("::ffff:127.0.1.9".parse().unwrap()));
    }
}
