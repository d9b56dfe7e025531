"""Training sweeps: every combination of settings, with several seeds, measured on the dev split."""
