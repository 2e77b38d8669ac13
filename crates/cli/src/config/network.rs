//! Networks as people write them: `127.0.0.0/8`, or one address alone.

use std::net::IpAddr;

use ipnet::IpNet;
use serde::Deserialize;
use serde::de::{Deserializer, Error};

/// Reads a network, or an address as a network of one.
pub(crate) fn network(text: &str) -> Result<IpNet, String> {
    let alone = || text.parse::<IpAddr>().map(IpNet::from);
    text.parse().or_else(|_| alone()).map_err(|_| {
        format!("{text:?} is not a network; write 127.0.0.0/8, ::1/128 or an address alone")
    })
}

/// Reads a list of networks.
pub(super) fn networks<'de, D: Deserializer<'de>>(reader: D) -> Result<Vec<IpNet>, D::Error> {
    let texts = Vec::<String>::deserialize(reader)?;
    texts.iter().map(|text| network(text).map_err(D::Error::custom)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_alone_is_a_network_of_one() {
        assert_eq!(network("127.0.0.1").unwrap().to_string(), "127.0.0.1/32");
        assert_eq!(network("::1").unwrap().to_string(), "::1/128");
        assert_eq!(network("10.0.0.0/8").unwrap().to_string(), "10.0.0.0/8");
        assert!(network("300.1.2.3/8").unwrap_err().contains("is not a network"));
    }
}
