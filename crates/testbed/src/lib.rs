//! A synthetic, changing, misbehaving web on loopback, with a virtual clock.
