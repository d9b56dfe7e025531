"""The compiled loops of the measures."""
