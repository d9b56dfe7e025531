"""Models that come with the package; `make model` makes them."""
