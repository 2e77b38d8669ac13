//! What goes around an ordering, whichever it is: hard tunnelling (S5.6) and the site cut-off (S2.7).

use gannet_model::SettingsError;

use crate::interest::Interest;
use crate::order::Order;
use crate::site_cutoff::{SiteCutoff, SiteCutoffConfig};
use crate::tunnelling::{Tunnelling, TunnellingConfig};

/// What goes around an ordering; `None` for what does not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Paths end some steps beyond relevance.
    pub tunnelling: Option<TunnellingConfig>,
    /// Poor sites are left.
    pub site_cutoff: Option<SiteCutoffConfig>,
}

impl Default for Bounds {
    /// Poor sites are left; how far to tunnel is the ordering's affair.
    fn default() -> Bounds {
        Bounds { tunnelling: None, site_cutoff: Some(SiteCutoffConfig::default()) }
    }
}

impl Bounds {
    /// The ordering alone.
    pub const NONE: Bounds = Bounds { tunnelling: None, site_cutoff: None };

    /// Whether the numbers make sense.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.tunnelling.as_ref().map_or(Ok(()), TunnellingConfig::check)?;
        self.site_cutoff.as_ref().map_or(Ok(()), SiteCutoffConfig::check)
    }

    /// Puts them around an ordering.
    pub fn around(&self, order: Box<dyn Order>, interest: &Interest) -> Box<dyn Order> {
        let mut order = order;
        if let Some(config) = self.tunnelling {
            order = Box::new(Tunnelling::new(order, interest, config));
        }
        if let Some(config) = self.site_cutoff {
            order = Box::new(SiteCutoff::new(order, config));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use gannet_model::Settings;

    use super::*;
    use crate::fixture::{Bench, page};
    use crate::orders::{ORDERS, build_order};

    #[test]
    fn every_ordering_works_within_both() {
        let interest = Interest::new([("gannet", 1.0)]);
        let bounds = Bounds {
            tunnelling: Some(TunnellingConfig { max_level: 0, ..TunnellingConfig::default() }),
            ..Bounds::default()
        };
        assert!(bounds.check().is_ok());
        for entry in ORDERS {
            let order = build_order(entry.name, &interest, &Settings::none()).unwrap();
            let mut bench = Bench { order: bounds.around(order, &interest) };
            let good =
                page("http://a.example/", 0.9, "gannet").link("http://a.example/1", "gannet");
            assert_eq!(bench.show(&good).len(), 1, "{}", entry.name);
            let poor = page("http://b.example/", 0.0, "x").link("http://b.example/1", "x");
            assert_eq!(bench.show(&poor), [None], "{} tunnels", entry.name);
        }
    }

    #[test]
    fn numbers_that_make_no_sense_are_named() {
        let cutoff = SiteCutoffConfig { share: 2.0, ..SiteCutoffConfig::default() };
        let bounds = Bounds { site_cutoff: Some(cutoff), ..Bounds::NONE };
        assert!(bounds.check().unwrap_err().to_string().contains("share"));
    }
}
