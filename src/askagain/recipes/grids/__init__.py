"""Grids of settings that come with the package, one TOML file each."""
