//! Is it about our topic? Topics, features, models.
