"""One TOML file per system."""
